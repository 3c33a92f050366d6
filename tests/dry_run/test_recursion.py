"""Functions, generators and properties that call themselves, with loops in them: each call is followed as the first."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
class Node:
    def __init__(self, *children):
        self.children = list(children)
        self.size = 1
        self.own = [tg.Variable.create(scope, [1.0])]
    def each(self):
        for value in (self.children, self.size):
            if isinstance(value, list):
                yield from (child for child in value)
    def count(self):
        return 1 + sum(child.count() for child in self.each())
    @property
    def variables(self):
        found = []
        for value in self.__dict__.values():
            if isinstance(value, tg.Variable):
                found.append(value)
            elif isinstance(value, list):
                found.extend(each for each in value if isinstance(each, tg.Variable))
                found.extend(v for each in value if isinstance(each, Node) for v in each.variables)
        return found
    def walk(self):
        for child in self.children:
            yield child
            for each in child.walk():
                yield each
    def first(self):
        for each in self.walk():
            return each
def chain(depth):
    return Node(*[chain(depth - 1)] if depth else [])
def check(rows):
    return x @ np.zeros((rows, 1), np.float32)
"""
WRONG: Final = (
    "x @ np.zeros((chain(7).count(), 1), np.float32)\nx @ np.zeros((chain(6).count(), 1), np.float32)  # E: inner",
    "x @ np.zeros((len(chain(7).variables), 1), np.float32)\nscope[len(chain(6).variables)]  # E: not subscriptable",
    "x @ np.zeros((len(list(chain(6).walk())), 1), np.float32)  # E: inner dimensions differ",
    "tree = chain(5)\nx @ np.zeros((tree.count() - len(list(tree.first().walk())), 1), np.float32)  # E: inner",
)
RIGHT: Final = """
def some(depth):
    for each in range(depth):
        if unknown.flag:
            yield each
        yield from some(each)
def number(depth):
    for each in range(depth):
        if unknown.flag:
            return number(each)
    return depth
def tree(depth):
    return sum(tree(depth - 1) for _ in range(2)) + 1 if depth else 1
check(len(list(some(4))))
check(number(6))
check(8 + tree(9) - 1023)
"""


@pytest.mark.parametrize("text", WRONG)
def test_what_is_collected_is_known(text: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + text) == []


def test_nothing_is_told_of_what_is_not_known(tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + RIGHT) == []
