"""An attribute or a name that is assigned variables only is one, whatever says that they are variables."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check

HEADER: Final = """\
from __future__ import annotations
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np
import typegrad as tg
from typegrad.op import linalg, nn
scope = tg.Scope(tg.Graph())
V = tg.Variable[tg.TFloat32]
def var() -> V:
    return tg.Variable.create(scope, np.zeros(3, np.float32))
"""
PROGRAMS: Final = {
    "items of a sequence and parts of a tuple": """
class FromSequence:
    def __init__(self) -> None:
        self.a = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.b = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.c = tg.Variable.create(scope, np.zeros(3, np.float32))
    def load(self, vs: Sequence[V], t: tuple[V, V]) -> None:
        self.a = vs[0]
        self.b, self.c = t
        self.a, self.b = vs
    def all(self) -> list[V]:
        return [self.a, self.b, self.c]
""",
    "fields of records": """
class Pair(NamedTuple):
    a: V
    b: V
@dataclass
class Slots:
    m: V
    v: V
class FromRecords:
    def __init__(self) -> None:
        self.a = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.b = tg.Variable.create(scope, np.zeros(3, np.float32))
    def load(self, pair: Pair, slots: Slots) -> None:
        self.a, self.b = pair
        self.a = slots.m
        self.b = pair.b
    def all(self) -> list[V]:
        return [self.a, self.b]
""",
    "the largest and the first in an order": """
def size(v: V) -> int:
    return len(v.shape)
class FromChoices:
    def __init__(self) -> None:
        vs = [tg.Variable.create(scope, np.zeros(3, np.float32)), tg.Variable.create(scope, np.zeros(4, np.float32))]
        self.a = max(vs, key=size)
        self.b = max(vs[0], vs[1], key=size)
        self.c = sorted(vs, key=size)[0]
    def load(self, vs: Sequence[V], by: Mapping[str, V]) -> None:
        self.a = min(by.values(), key=size)
        self.b = max(self.a, self.b, key=size)
        self.c = list(vs)[0]
        self.c = max(vs, key=size)
    def all(self) -> list[V]:
        return [self.a, self.b, max(self.a, self.c, key=size)]
""",
    "items that loops take": """
class FromLoops:
    def __init__(self) -> None:
        self.last = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.named: dict[str, V] = {}
    def items(self) -> Iterator[tuple[str, V]]:
        yield from self.named.items()
    def load(self, by: Mapping[str, V], vs: list[V]) -> None:
        for v in vs:
            self.last = v
        for name, w in by.items():
            self.named[name] = w
            self.last = w
        for _, u in self.items():
            self.last = u
        for self.last in vs:
            pass
        self.last = by.get("a", self.last)
        self.last = self.named.pop("a")
    def all(self) -> list[V]:
        return [self.last]
""",
    "what methods and properties return": """
class FromMethods:
    def __init__(self) -> None:
        self.a = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.b = self.make()
    def make(self) -> V:
        return var()
    @staticmethod
    def other() -> V:
        return var()
    @property
    def prop(self) -> V:
        return self.a
    def load(self, other: FromMethods, name: str) -> None:
        self.a = self.make()
        self.a = FromMethods.other()
        self.a = other.make()
        self.b = other.prop
        self.a = other.b
        self.a, self.b = other.b, other.a
    def all(self) -> list[V]:
        return [self.a, self.b]
""",
    "exchanged attributes and names": """
class Swap3:
    def __init__(self) -> None:
        self.a = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.b = tg.Variable.create(scope, np.zeros(4, np.float32))
        self.c = tg.Variable.create(scope, np.zeros(5, np.float32))
    def rotate(self) -> None:
        self.a, self.b, self.c = self.b, self.c, self.a
    def all(self) -> list[V]:
        return [self.a, self.b, self.c]
def swap_names() -> list[V]:
    a = tg.Variable.create(scope, np.zeros(3, np.float32))
    b = tg.Variable.create(scope, np.zeros(4, np.float32))
    a, b = b, a
    a.assign_add(scope, np.zeros(4, np.float32))
    return [a, b]
""",
    "what a condition names": """
class Walrus:
    def __init__(self, by: dict[str, V]) -> None:
        self.a = tg.Variable.create(scope, np.zeros(3, np.float32))
        if (found := by.get("a")) is not None:
            self.a = found
    def all(self) -> list[V]:
        return [self.a]
""",
    "items of lists and dicts that the class makes": """
class Slot:
    def __init__(self) -> None:
        self.slots = {"m": var(), "v": var()}
        self.m = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.m = self.slots["m"]
    def all(self) -> list[V]:
        return [self.m]
class ListItems:
    def __init__(self) -> None:
        self.ws = [tg.Variable.create(scope, np.zeros(3, np.float32)) for _ in range(3)]
        self.m = tg.Variable.create(scope, np.zeros(3, np.float32))
        for w in self.ws:
            self.m = w
        ws = [var(), var()]
        self.m = ws[-1]
    def all(self) -> list[V]:
        return [self.m]
""",
    "operands among them": """
class Mixed:
    def __init__(self, by_name: dict[str, tg.Operand[tg.TFloat32]]) -> None:
        self.h = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.h = by_name["h"]
        self.g = tg.Variable.create(scope, np.zeros(3, np.float32))
        self.g, _ = nn.Relu.create(scope, self.g), 1
        for self.g in by_name.values():
            reveal_type(self.g)  # R: Operand[TFloat32, tuple[Any, ...]]
""",
    "other sizes from outside the class": """
class Model:
    def __init__(self) -> None:
        self.w = tg.Variable.create(scope, np.zeros((4, 4), np.float32))
        self.b = tg.Variable.create(scope, np.zeros(4, np.float32))
    def of(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
        return x @ self.w + self.b
class Wider(Model):
    def __init__(self) -> None:
        super().__init__()
        self.w = tg.Variable.create(scope, np.zeros((5, 4), np.float32))
def widen(model: Model) -> None:
    model.w = tg.Variable.create(scope, np.zeros((3, 4), np.float32))
model, x = Model(), tg.Variable.create(scope, np.zeros((2, 3), np.float32))
widen(model)
y = linalg.MatMul.create(scope, x, model.w), model.of(x), Wider().w
model.w = tg.Variable.create(scope, np.zeros((2, 4), np.float32))
linalg.MatMul.create(scope, x, model.w)  # E: MatMul: inner dimensions differ: a is [2, 3], b is [2, 4]; linalg.MatMul with transpose_a=True would fit  [typegrad-shape]
model.w = tg.Variable.create(scope, np.zeros(4, np.float32))  # E: Incompatible types in assignment (expression has type "Variable[TFloat32, tuple[Literal[4]]]", variable has type "Variable[TFloat32, tuple[int, int]]")  [assignment]
model.b = tg.Variable.create(scope, np.zeros(4))  # E: Incompatible types in assignment (expression has type "Variable[TFloat64, tuple[Literal[4]]]", variable has type "Variable[TFloat32, tuple[int]]")  [assignment]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


def test_another_file_assigns_other_sizes(tmp_path: Path) -> None:
    library = """
class Model:
    def __init__(self) -> None:
        self.w = tg.Variable.create(scope, np.zeros((4, 4), np.float32))
"""
    main = """
from library import Model
model, x = Model(), tg.Variable.create(scope, np.zeros((2, 3), np.float32))
model.w = tg.Variable.create(scope, np.zeros((3, 4), np.float32))
linalg.MatMul.create(scope, x, model.w)
linalg.MatMul.create(scope, model.w, x)
"""
    main = HEADER.replace("scope = tg.Scope(tg.Graph())\n", "from library import scope\n") + main
    report = check(tmp_path, {"library.py": HEADER + library, "main.py": main})
    assert [(each.file, each.line) for each in report.errors()] == [("main.py", main.count("\n"))]
