"""A loop whose passes fetch what the pass before has assigned: told in functions that the program does not call."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
from collections.abc import Iterable, Iterator
import contextlib
import itertools
import numpy as np
import pytest
import typegrad as tg
from typegrad.op import core, math
graph = tg.Graph()
scope = tg.Scope(graph)
x = core.Placeholder.create(scope, tg.TFloat32, (5, 2))
w = tg.Variable.create(scope, np.ones((2, 1), np.float32))
loss = math.Mean.create(scope, x @ w)
step = tg.optimizers.Adam(graph, 0.1).minimize(loss)
data: tg.Feeds = {x: np.ones((5, 2), np.float32)}
"""
REFUSED: Final = (
    "Session.run(): a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, "
    "not ndarray; {} is what the pass before has fetched; give that another name  [typegrad-call]"
)

PROGRAMS: Final = {
    "a name": f"""
def counted(s: tg.Session, n: int = 10) -> None:
    total = math.Mean.create(scope, x @ w)
    for _ in range(n):
        _, total = s.run([step, total], data)  # E: {REFUSED.format("total")}
        if n > 3:
            print(total)
def as_long_as(n: int) -> None:
    total = math.Mean.create(scope, x @ w)
    with tg.Session(graph) as s:
        while n > 0:
            _, total = s.run((step, total), data)  # E: {REFUSED.format("total")}
            n -= 1
def of_batches(s: tg.Session, batches: Iterable[tg.Feeds]) -> None:
    total, other = math.Mean.create(scope, x @ w), 1.0
    for number, batch in enumerate(batches):
        (_, other), total = s.run(((step, loss), total), batch)  # E: {REFUSED.format("total")}
        print(number, total, other)
def in_a_session(batches: list[tg.Feeds], total: tg.Operand[tg.TFloat32]) -> None:
    for batch in batches:
        with tg.Session(graph) as s:
            _, total = s.run([step, total], batch)  # E: {REFUSED.format("total")}
""",
    "an attribute": f"""
class Trainer:
    def __init__(self) -> None:
        self.loss = math.Mean.create(scope, x @ w)
    def train(self, s: tg.Session) -> None:
        for _ in range(3):
            _, self.loss = s.run([step, self.loss], data)  # E: {REFUSED.format("self.loss")}
""",
    "one pass": """
def known(s: tg.Session, batches: list[tg.Feeds]) -> None:
    total = first = second = third = math.Mean.create(scope, x @ w)
    for _ in range(1):
        _, total = s.run([step, total], data)
    for batch in [data]:
        _, first = s.run([step, first], batch)
    for batch in batches[:1]:
        _, second = s.run([step, second], batch)
    for batch in itertools.islice(batches, 1):
        _, third = s.run([step, third], batch)
    _, again = s.run([step, loss], data)
def by_default(s: tg.Session, epochs: int = 1) -> None:
    total = math.Mean.create(scope, x @ w)
    for _ in range(epochs):
        _, total = s.run([step, total], data)
def ended(s: tg.Session, n: int) -> float:
    total = first = second = math.Mean.create(scope, x @ w)
    while n > 0:
        _, total = s.run([step, total], data)
        break
    done = False
    while not done:
        _, first = s.run([step, first], data)
        done = True
    for _ in range(n):
        _, second = s.run([step, second], data)
        return float(second)
    return 0.0
def yielded(s: tg.Session, n: int) -> Iterator[float]:
    total = math.Mean.create(scope, x @ w)
    for _ in range(n):
        _, total = s.run([step, total], data)
        yield float(total)
next(yielded(tg.Session(graph), 3))
def called(s: tg.Session, batches: list[tg.Feeds]) -> None:
    total = math.Mean.create(scope, x @ w)
    for batch in batches:
        _, total = s.run([step, total], batch)
called(tg.Session(graph), [data])
""",
    "an operand in each pass": """
def made(s: tg.Session, n: int) -> None:
    for _ in range(n):
        total = math.Mean.create(scope, x @ w)
        _, total = s.run([step, total], data)
def again(s: tg.Session, n: int) -> None:
    total = math.Mean.create(scope, x @ w)
    for _ in range(n):
        _, total = s.run([step, total], data)
        print(total)
        total = math.Mean.create(scope, x @ w)
def named(s: tg.Session, n: int) -> None:
    value, _ = 0.0, 1
    for _ in range(n):
        _, value = s.run([step, loss], data)
    print(value)
def inside(s: tg.Session, n: int) -> None:
    total = math.Mean.create(scope, x @ w)
    def build() -> None:
        nonlocal total
        total = math.Mean.create(scope, x @ w)
    for _ in range(n):
        build()
        _, total = s.run([step, total], data)
class Trainer:
    def __init__(self) -> None:
        self.loss = math.Mean.create(scope, x @ w)
    def build(self) -> None:
        self.loss = math.Mean.create(scope, x @ w)
    def train(self, s: tg.Session, n: int) -> None:
        for _ in range(n):
            self.build()
            _, self.loss = s.run([step, self.loss], data)
class Base:
    def __init__(self) -> None:
        self.loss = math.Mean.create(scope, x @ w)
    def build(self) -> None: ...
    def train(self, s: tg.Session, n: int) -> None:
        for _ in range(n):
            self.build()
            _, self.loss = s.run([step, self.loss], data)
class Built(Base):
    def build(self) -> None:
        self.loss = math.Mean.create(scope, x @ w)
class Runs:
    def run(self, fetches: list[object]) -> list[object]:
        return fetches
def other(s: Runs, n: int) -> None:
    total: object = math.Mean.create(scope, x @ w)
    for _ in range(n):
        _, total = s.run([step, total])
""",
    "an error that is expected": """
def caught(s: tg.Session, n: int) -> None:
    total = math.Mean.create(scope, x @ w)
    with pytest.raises(tg.FeedError):
        for _ in range(n):
            _, total = s.run([step, total], data)
def tried(s: tg.Session, n: int) -> None:
    total = math.Mean.create(scope, x @ w)
    for _ in range(n):
        try:
            _, total = s.run([step, total], data)
        except tg.FeedError:
            print("once")
def suppressed(s: tg.Session, n: int) -> None:
    total = math.Mean.create(scope, x @ w)
    for _ in range(n):
        with contextlib.suppress(tg.FeedError):
            _, total = s.run([step, total], data)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
