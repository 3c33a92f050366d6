"""Errors to which a program comes whichever way it goes at a condition, also where a function returns behind that."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import sys
from typegrad.training import optimizers
big, kind = len(sys.argv) > 1, sys.argv[-1]
Vec = tg.Operand[tg.TFloat32, tuple[int]]
a = core.Placeholder.create(scope.with_name("a"), tg.TFloat32, (None,))
w = core.Placeholder.create(scope.with_name("w"), tg.TFloat32, (None,))
ones, others = np.ones(3, np.float32), np.ones(4, np.float32)
"""
RUN: Final = """
loss = math.Mean.create(scope, scaled(a, big) * w)
session = tg.Session(scope.graph)
"""
MISSING: Final = RUN + "session.run(loss, {a: ones})  # E: must be fed, because 'Mean:0' depends on it"
MISFIT: Final = RUN + "session.run(loss, {a: ones, w: others})  # E: shapes [3] and [4] do not broadcast"
FITTING: Final = RUN + "session.run(loss, {a: ones, w: ones})"
ASSIGNED: Final = "def scaled(h, double):\n    if double:\n        h = h * 2.0\n    return h\n"
CHOSEN: Final = "def scaled(h, double): return h * 2.0 if double else h\n"
EARLY: Final = "def scaled(h, double):\n    if double:\n        return h * 2.0\n    return h\n"
THREE: Final = """
def scaled(h, _):
    if kind == "a":
        return h * 2.0
    elif kind == "b":
        return h + 1.0
    return h
"""
RAISING: Final = """
def scaled(h, _):
    if kind == "a":
        return h * 2.0
    if kind == "b":
        return h + 1.0
    raise ValueError(kind)
"""
MODEL: Final = """
class Model:
    def __init__(self, config: Any) -> None:
        own = tg.Scope(tg.Graph())
        self.a = core.Placeholder.create(own.with_name("a"), tg.TFloat32, (None,))
        self.w = core.Placeholder.create(own.with_name("w"), tg.TFloat32, (None,))
        h = self.a
        if config.is_double:
            h = h * 2.0
        self.loss = math.Mean.create(own, h * self.w)
        self.session = tg.Session(own.graph)
    def feeds(self) -> Any:
        return {self.a: ones}
    def update(self) -> Any:
        return self.session.run(self.loss, self.feeds())  # E: 'w:0' (Placeholder, float32 [?]
"""
NETWORK: Final = """
def scaled(h, double):
    if double:
        h = h * 2.0
    return h
def network(name):
    return tg.Variable.create(scope.with_name(name), np.ones((), np.float32))
actor, critic = network("actor"), network("critic")
loss = math.Mean.create(scope, scaled(a * actor, big))
"""
WRONG: Final = {
    "assigned": ASSIGNED + MISSING,
    "assigned, another size": ASSIGNED + MISFIT,
    "chosen": CHOSEN + MISSING,
    "chosen, another size": CHOSEN + MISFIT,
    "returned early": EARLY + MISSING,
    "returned early, another size": EARLY + MISFIT,
    "one of three": THREE + MISSING,
    "an error for other kinds": RAISING + MISSING,
    "in a module that may exit": ASSIGNED + "if kind == 'help':\n    sys.exit(0)\n" + MISSING,
    "a refusal before": ASSIGNED + "if kind == 'none':\n    raise ValueError(kind)\n" + MISSING,
    "an attribute": MODEL + "Model(unknown.config).update()",
    "an attribute of a class that nothing makes": MODEL,
    "variables of another network": NETWORK
    + "optimizers.Adam(scope.graph, 0.1).minimize(loss, var_list=[critic])  # E: critic",
    "sizes of each way": """
def wide(h, double):
    if double:
        return h @ np.zeros((8, 4), np.float32)
    return h @ np.zeros((8, 5), np.float32)
wide(x, big) @ np.zeros((6, 2), np.float32)  # E: no shape of another branch fits, either
""",
    "the first pass of a loop": ASSIGNED
    + "loss = a\nfor flag in (big, False):\n    loss = scaled(loss, flag)\n"
    + MISSING.replace("scaled(a, big)", "loss"),
    "several calls": ASSIGNED + MISSING.replace("(a, big)", "(scaled(a, kind == 'a'), big)"),
    "each pass of a loop": ASSIGNED
    + "h = a\nfor _ in range(3):\n    h = scaled(h, big)\n"
    + MISSING.replace("scaled(a, big)", "h"),
}
RIGHT: Final = {
    "all is fed": ASSIGNED + FITTING,
    "one way needs no feed": """
def scaled(h, double): return h if double else w
tg.Session(scope.graph).run(scaled(a, big), {a: ones})
""",
    "each way has its feeds": CHOSEN
    + RUN
    + "session.run(loss if big else scaled(a, True), {a: ones} if not big else {a: ones, w: ones})",
    "one way exits at the end": """
def main(double):
    h = a * w if double else a
    tg.Session(scope.graph).run(h, {a: ones})
    sys.exit(0)
main(big)
""",
    "a function that may have returned": """
def scaled(h, double):
    if double:
        if kind == "a": pass
        else: return h
        sys.exit(1)
    return h * w
tg.Session(scope.graph).run(scaled(a, big), {a: ones})
""",
    "a pass that may have ended": """
def scaled(h, double):
    if double:
        for each in range(3):
            if kind == "a": continue
            raise ValueError(kind)
        return h
    return h * w
tg.Session(scope.graph).run(scaled(a, big), {a: ones})
""",
    "outcomes that differ": """
def size(flag): return 8 if flag else 4
x @ np.zeros((size(big) + size(kind == "a") - 4, 2), np.float32)
""",
    "outcomes that differ in a loop": """
def size(flag): return 8 if flag else 4
x @ np.zeros((sum([size(each == kind) for each in "abc"]) - 8, 2), np.float32)
total = -8
for each in ("a", "b", "c"):
    total += size(each == kind)
x @ np.zeros((total, 2), np.float32)
""",
    "a function that is called twice": """
def size(flag): return 8 if flag else 4
sizes = [size(big), size(kind == "a")]
if sizes[0] != sizes[1]:
    x @ np.zeros((max(sizes), 2), np.float32)
""",
    "an error that is caught": """
def size(flag): return 6 if flag else 4
def late():
    x @ np.zeros((size(big), 2), np.float32)
try:
    late()
except tg.ShapeError:
    pass
""",
    "a loop of unknown passes": """
def size(flag): return 6 if flag else 4
n = 8
for _ in unknown.items:
    n = size(big)
x @ np.zeros((n, 2), np.float32)
""",
    "names that count": ASSIGNED
    + "h, b = scaled(a, big), a * w\nname = 'Mul_1' if big else 'Mul'\n"
    + "tg.Session(scope.graph).run(name, {a: ones, w: ones})",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_way_avoids_is_told(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_else_is(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
