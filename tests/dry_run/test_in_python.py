"""Modules of Python that hold values for a program, and are followed in plain Python: contexts, queues, references."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences, errors

PRELUDE: Final = """
import asyncio, contextvars, functools, queue, threading, weakref
from concurrent.futures import ThreadPoolExecutor
class Size:
    n = 3
def use(n):
    return x @ tg.Variable.create(scope, np.zeros((n, 2), np.float32))
number = contextvars.ContextVar("number", default=8)
own = threading.local()
own.n = 8
waiting = queue.Queue()
waiting.put(8)
three = Size()
"""
_THREE: Final = "b is [3, 2]"
WRONG: Final = {
    "a variable": f"number.set(3)\nx @ np.zeros((number.get(), 2), np.float32)  # E: {_THREE}",
    "a variable of a generic class": f"""
sizes: contextvars.ContextVar[dict[str, int]] = contextvars.ContextVar("sizes")
sizes.set({{"kernel": 3}})
x @ np.zeros((sizes.get()["kernel"], 2), np.float32)  # E: {_THREE}
""",
    "a default": f"""
x @ np.zeros((contextvars.ContextVar("a").get(3), 2), np.float32)  # E: {_THREE}
""",
    "a variable that is reset": f"""
token = number.set(8)
number.set(3)
number.reset(token)
use(number.get())
number.reset(number.set(3))
use(number.get())
number.set(3)
x @ np.zeros((number.get(), 2), np.float32)  # E: {_THREE}
""",
    "what no variable has": """
token = number.set(8)
token.values  # E: 'Token' object has no attribute 'values'
""",
    "an attribute of a thread": f"own.n = 3\nx @ np.zeros((own.n, 2), np.float32)  # E: {_THREE}",
    "an object of a derived class": f"""
class Own(threading.local):
    def __init__(self, n):
        self.n = n
x @ np.zeros((Own(3).n, 2), np.float32)  # E: {_THREE}
""",
    "a queue": f"""
waiting.put(3)
use(waiting.get())
while not waiting.empty():
    x @ np.zeros((waiting.get(), 2), np.float32)  # E: {_THREE}
""",
    "an empty queue": f"""
waiting.get()
try:
    waiting.get_nowait()
except queue.Empty:
    x @ np.zeros((3, 2), np.float32)  # E: {_THREE}
""",
    "a full queue": f"""
small = queue.Queue(maxsize=1)
small.put(1)
x @ np.zeros((3 if small.full() else 8, 2), np.float32)  # E: {_THREE}
""",
    "queues in other orders": f"""
for made in (queue.SimpleQueue(), queue.PriorityQueue(), queue.LifoQueue()):
    for n in (8, 9, 3):
        made.put(n)
    if not isinstance(made, queue.SimpleQueue): x @ np.zeros((made.get(), 2), np.float32)  # E: {_THREE}
    use(made.get())
""",
    "a method with some arguments": f"""
class Net:
    def dense(self, n, bias):
        return x @ np.zeros((n, 2), np.float32) + bias  # E: {_THREE}
    wide = functools.partialmethod(dense, 8)
    narrow = functools.partialmethod(dense, 3)
Net().wide(1.0), Net.wide(Net(), bias=1.0)
Net().narrow(1.0)
""",
    "a reference": f"x @ np.zeros((weakref.ref(three)().n, 2), np.float32)  # E: {_THREE}",
    "references in dicts": f"""
by_key = weakref.WeakKeyDictionary({{three: 8}})
by_name = weakref.WeakValueDictionary(three=three)
by_reference = {{weakref.ref(three): 8}}
use(by_key[three]), use(by_reference[weakref.ref(three)])
x @ np.zeros((by_name["three"].n, 2), np.float32)  # E: {_THREE}
""",
}
"""Programs that fail by a number that is 3."""
RIGHT: Final = {
    "set in a branch": """
if unknown.yes:
    number.set(3)
    own.n = 3
    waiting.get()
    waiting.put(3)
use(number.get()), use(own.n), use(waiting.get())
""",
    "set in a loop": """
for each in unknown.items:
    number.set(each)
    waiting.put(waiting.get())
use(number.get()), use(waiting.get())
""",
    "changed by code that is not known": """
unknown.change(number, own, waiting)
use(number.get()), use(own.n), use(waiting.get())
""",
    "changed by a function that is not called here": """
def change():
    number.set(3)
    waiting.put(3)
    waiting.get()
unknown.call(change)
use(number.get()), use(waiting.get())
""",
    "in another context": """
contextvars.copy_context().run(number.set, 3)
use(number.get())
""",
    "in a task": """
async def change():
    number.set(3)
asyncio.run(change())
use(number.get())
""",
    "in a task within others": """
async def change():
    number.set(3)
async def main():
    await asyncio.gather(change())
    use(number.get())
asyncio.run(main())
""",
    "in a thread": """
def change():
    own.n = 3
with ThreadPoolExecutor() as pool:
    pool.submit(change).result()
use(own.n)
""",
    "in a thread that has no value": """
own.n = 3
number.set(3)
def read():
    use(getattr(own, "n", 8)), use(number.get())
with ThreadPoolExecutor() as pool:
    pool.submit(read).result()
""",
    "changed when an object is left": """
def change(reference):
    number.set(3)
left = weakref.ref(three, change)
use(number.get())
""",
    "what is not known of a module": "use(queue.ShutDown), use(weakref.proxy(three)), use(threading.get_ident())",
}
"""Programs that may run."""


@pytest.mark.parametrize("program", WRONG)
def test_values_that_modules_of_python_hold_are_known(program: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + WRONG[program]) == []


@pytest.mark.parametrize("program", RIGHT)
def test_what_others_may_have_changed_is_not_known(program: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT[program]) == []


def test_lines_of_these_modules_are_not_told(tmp_path: Path) -> None:
    program = "import contextvars\ncontextvars.ContextVar('size').reset(3)\n"
    assert errors(tmp_path, {"program": program}) == [("program", 2, "'int' object has no attribute 'old_value'")]
