"""A program is followed past every construct of Python, whatever is known of what the construct comes to."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

CONSTRUCTS: Final = {
    "asynchronous comprehensions": """
async def stream():
    yield 1
async def show(flag):
    a = [n async for n in stream()]
    b = {n async for n in stream() if n > 0}
    c = {n: m async for n in stream() for m in range(n)}
    d = (n async for n in stream())
    return flag and [n async for n in stream()], [n async for n in stream()] if flag else a, [b, c, d]
""",
    "comprehensions that wait": """
async def show(tasks, flag):
    return [await each for each in tasks], [n for n in await tasks[0]], flag or [await each for each in tasks]
async def mixed(tasks):
    async with tasks as opened:
        return [await each for each in opened], [[m async for m in n] for n in opened]
""",
    "asynchronous generators": """
async def stream(flag):
    if flag:
        return
    try:
        sent = yield 1
    finally:
        await flag.close()
    async for each in sent:
        yield [n async for n in each]
    else:
        yield 2
    async with flag as a, flag.b as (c, *d):
        while a:
            yield (await c) + 1 if d else await a
            break
""",
    "asynchronous methods and local functions": """
class Reader:
    async def __aenter__(self):
        return self
    async def __aexit__(self, *args):
        await super().__aexit__(*args)
    async def __anext__(self):
        async def read():
            return [n async for n in self]
        return await read()
    def outer(self):
        async def read():
            return {n async for n in self}
        return lambda: read()
""",
    "yield from": """
def inner(items):
    got = yield from items
    return (yield got) or (yield)
""",
    "match": """
def kind(value):
    match value:
        case {"a": [1, *rest], **others} if rest:
            return others
        case (str() | int()) as found:
            return found
        case tg.Session(graph=graph) | [graph]:
            return graph
        case -1 | 1 + 2j | None | "a" "b":
            return 0
        case _:
            pass
kind(unknown.value)
""",
    "try": """
def tried(value):
    try:
        value()
    except* (ValueError, TypeError) as group:
        print(group.exceptions)
    else:
        value = 1
    finally:
        del value
tried(unknown.value)
for size in (3, 8):
    try:
        x @ np.zeros((size, 2), np.float32)
    except:
        pass
""",
    "assignment expressions": """
if (n := len([1, 2])) > 1 and (m := n + 1):
    print(n, m, [last := i for i in range(3)], last, (lambda: (k := 1))())
while (chunk := unknown.read()):
    print(f"{(z := chunk)!r:>{n}}")
    break
""",
    "stars": """
first, *rest, last = range(5)
[a, (b, *c)] = 1, [2, 3]
print(*rest, *c, sep="", **{}, **{"end": ""})
print([*rest, first], {*c}, {**{}, "a": 1}, (*rest,), x[*[0], ...])
for i, *j in [(1, 2), (3,)]:
    print(i, j)
def starred(a, /, b=1, *args: int, c, d=2, **kwargs: int) -> None: ...
starred(1, *[2], c=3)
""",
    "lambdas": """
f = lambda a, /, b=[n for n in range(2)], *c, d=(1 if x is None else 2), **e: (a, b, c, d, e)
g = [lambda k=k: k for k in range(2)]
print(f(1), g[0](), sorted([2, 1], key=lambda n: -n))
""",
    "texts": """
name, width = "a", 3
print(f"{name!r:>{width}} {f'{width + 1:{width}}'} {width=} {{}} {[n for n in range(2)]} {(lambda: 1)()}")
print(rf"\\d{name}" "b", f"{name:{'>'}{width}}")
""",
    "names of other scopes": """
count = 0
def outer():
    total = 0
    def inner():
        global count
        nonlocal total
        count += 1
        total += 1
        del total
    return inner
outer()()
a = {"b": [1, 2, 3]}
del a["b"][0], (a)
""",
    "decorators and classes": """
import functools
registry = {}
def named(name, **options):
    return lambda function: registry.setdefault(name, function)
@named("f", a=[n for n in "ab"])
@functools.lru_cache(maxsize=None)
def f(n: "int" = 1) -> "int":
    return n
class Meta(type):
    def __new__(cls, *args, **kwargs):
        return super().__new__(cls, *args)
    def __init__(cls, *args, **kwargs):
        super().__init__(*args)
class Base(metaclass=Meta):
    def __init_subclass__(cls, flag=False, **kwargs):
        super().__init_subclass__(**kwargs)
class Derived(Base, flag=True, **{}):
    __slots__ = ("a",)
    size = 3
    items = [n for n in range(3)]
    if size > 2:
        big = size and True
    @property
    def b(self): return __class__
    @b.setter
    def b(self, value): self.a = value
    async def c(self): return [n async for n in self.a]
""",
    "statements": """
import os.path as path, sys
from collections import (OrderedDict as O,)
assert x is not None, f"{x}"
n: int
m: int = 3
m **= 2; m //= 2; m <<= 1
a = b = c = 0
if a < b <= c != 1 is not None in [1]: pass
elif not a: ...
else: raise ValueError from None
for _ in (): break
else: a = ~b if a else -b
while a:
    continue
with (open("f") as f, unknown.g() as g, unknown.h()): pass
print(x[..., None, 1:2:1].shape, 1_000, 0x1f, 1j, b"a", ..., not a)
""",
}
if sys.version_info >= (3, 12):
    CONSTRUCTS["type parameters"] = """
type Pair[T] = tuple[T, T]
type Any_[*Ts, **P] = int
def first[T: (int, str), *Ts, **P](a: T, *b: *Ts) -> T:
    return [a for _ in b] and a
async def read[T](items: list[T]) -> list[T]:
    return [n async for n in items]
class Box[T]:
    def __init__(self, item: T) -> None:
        self.item: Pair[T] = (item, item)
    def get[U](self, other: U) -> T | U:
        return self.item[0] if other is None else other
print(first(1), Box[int](1).get(2), f"{'a' + f"{"b"}"}")
"""


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_mistakes_behind_a_construct_are_found(name: str, tmp_path: Path) -> None:
    mistake = "x @ np.zeros((5, 1), np.float32)  # E: inner dimensions differ"
    assert not differences(tmp_path, f"{CONSTRUCTS[name]}\n{mistake}\n")
