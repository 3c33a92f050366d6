"""Names that a function reads and nothing binds, or only later, and such as a run has bound."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import os, sys
from contextlib import suppress
import numpy as np
import typegrad as tg
rng = np.random.default_rng(0)
unknown = os.environ.get("UNKNOWN", "1")
"""
LACKING: Final = "  # E: name 'sclae' is not defined"
UNBOUND: Final = "  # E: cannot access local variable 'v'"
PROGRAMS: Final = {
    "a name above its binding": f"""
def f(x):
    y = x * v{UNBOUND}
    v = 2.0
    return y
f(3.0)
""",
    "a loop variable in a branch that does not run": f"""
class Layer:
    def __call__(self, x, training):
        with suppress(KeyError):
            if training:
                for v in (1.0, 2.0):
                    x = x + v
        return x * v{UNBOUND}
def g(layer):
    return layer(2.0, True) + layer(2.0, training=False)
g(Layer())
""",
    "a loop without a pass": f"""
def f(n):
    for v in range(n):
        pass
    return v{UNBOUND}
f(2) + f(0)
""",
    "code that may not run": """
def f(n):
    if unknown == "1":
        return 0
    v += n
    return v
f(2)
""",
    "an error that is expected": """
def f():
    v += 1
try:
    f()
except UnboundLocalError:
    pass
""",
    "branches and loops of which it is not known whether they run": """
def f():
    if unknown == "1":
        v = 1
    for w in os.listdir("/"):
        u = len(w)
    while rng.random() < 2:
        t = rng.random()
        if t < 2:
            break
    return v + u + len(w) + t
f()
""",
    "what a handler binds": """
def f(text):
    while True:
        try:
            v = float(unknown)
            break
        except ValueError:
            continue
    try:
        w = float(text)
    except ValueError:
        w = 0.0
    with suppress(ValueError):
        u = float(unknown)
    return v + w + u
f("a")
""",
    "a name that nothing binds": f"""
def f(x):
    scale = 2.0
    return x * sclae{LACKING}
f(3.0)
""",
    "a name that nothing binds in a comprehension": f"""
class Layer:
    def __init__(self, n):
        self.weights = [sclae * i for i in range(n)]{LACKING}
Layer(3)
""",
    "a name that nothing binds in a branch": f"""
def f(x):
    return x * sclae{LACKING}
for each in range(3):
    if unknown == "1":
        f(each)
""",
    "a name that Python has no more": """
def f():
    return [x for x in xrange(3)]  # E: name 'xrange' is not defined
f()
""",
    "a name that nothing binds, and who expects that": """
def f():
    try:
        return sclae
    except NameError:
        return unicode if sys.version_info < (3,) else str
f()
""",
    "a name that may be bound by a text": """
exec(unknown)
def f():
    return sclae
f()
""",
    "a name of a module whose names are not known": """
from unknown_library import *
def f():
    return sclae
f()
""",
    "a name that is assigned from elsewhere": """
sys.modules[__name__].sclae = 2.0
def f():
    return sclae
f()
""",
    "names that a notebook has": """
def f(x):
    display(x)
    get_ipython().run_line_magic("time", "")
f(2.0)
""",
    "names of functions around": """
def f():
    def inner():
        nonlocal v
        v = 3
    v: int
    inner()
    return v
f()
""",
    "a name that is an attribute or a variable of another function": """
class Net:
    def __init__(self, w):
        self.w = w
    def forward(self, y):
        return y * w  # E: name 'w' is not defined
def trained(net):
    X = 2.0
    return net.forward(X)
trained(Net(3.0))
""",
    "a name of another function": """
def make():
    X = 2.0
    return X
def train(images):
    return {X: images}  # E: name 'X' is not defined
train(make())
""",
    "names that are not bound in code that may not run": """
def of(n):
    if unknown == n:
        return 0
    return missing
def caught():
    try:
        return missing
    except NameError:
        return 1
try:
    of("1")
except NameError:
    pass
caught()
def raised():
    raise NameError("name 'v' is not defined")
raised()
""",
    "names that code binds that is not followed": """
import sys
try:
    import fast_math as fm
    from slow_math import sqrt
    LIMIT = fm.limit()
except ImportError:
    fm = sqrt = None
    LIMIT = 3
if unknown == "1":
    import json as js
    def helper(): return 1
    class Helper: pass
with suppress(ValueError):
    READ = float(unknown)
for row in os.listdir("/"):
    last = row
def init():
    global state
    os.unknown()
    for state in os.listdir("/"):
        pass
def used():
    return fm, sqrt, LIMIT, js, helper, Helper, READ, last, state, row, __file__, __name__, __doc__, exit, display
init()
used()
""",
    "names of a module that others have": """
import sys
import unknown_library
unknown_library.bind(sys.modules[__name__])
def used():
    return given
used()
""",
    "names that are patched": """
from unittest import mock
def used():
    return given
with mock.patch("__main__.given", 3, create=True):
    used()
""",
    "passes of a long loop": """
def f():
    for i in range(10**6):
        if i % 1000 == 0:
            v = i
    return v
f()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_names(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
