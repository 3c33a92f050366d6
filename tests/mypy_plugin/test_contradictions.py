"""What a program that is followed makes must fit what it declares; types alone leave the sizes open here."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check, disagreements

HEADER: Final = """\
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, NewType, TypeVar, cast
import attrs
import numpy as np
import typegrad as tg
from typegrad.op import core, math
Rays = NewType("Rays", int)
One = tg.Operand[tg.TFloat32, tuple[Rays, Literal[1]]]
Three = tg.Operand[tg.TFloat32, tuple[Rays, Literal[3]]]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (Rays, 6))
def ones(*sizes: int) -> Any:
    return np.ones(sizes, np.float32)
def rows(columns: int) -> tg.Operand[tg.TFloat32]:
    return x @ ones(6, columns)
"""
CLASSES: Final = """
@dataclass
class Colors:
    color: Three
    name: str = ""
@attrs.frozen
class Frozen:
    color: Three | None
class Pair(NamedTuple):
    first: tuple[int, Three]
    second: dict[str, Three]
class Plain:
    color: Three
    def __init__(self, color: Any) -> None:
        self.color = color
        self.other = color
"""
SHAPE: Final = "{} is declared as an operand of shape [Rays, 3], but is one of shape [Rays, 1]{}  [typegrad-shape]"
IS_INT: Final = (
    "{}: the type of the value means float32, but the value makes int32; pass the element type as `dtype`, or convert "
    "the value{}  [typegrad-dtype]"
)
PROGRAMS: Final = {
    "a result": """
def made(columns: int) -> Three:
    h = rows(columns)
    return h * 2.0  # E: made returns an operand of shape [Rays, 1], but is declared to return [Rays, 3]; called in line 21  [typegrad-shape]
made(1)
made(3)
""",
    "what follows from it": """
def made() -> Three:
    return rows(1)  # E: made returns an operand of shape [Rays, 1], but is declared to return [Rays, 3]; called in line 23  [typegrad-shape]
def doubled(h: Three) -> Three:
    named: Three = h * 2.0
    return named
doubled(made()) @ ones(3, 2)
""",
    "a rank, an element type and a tuple": """
def scalar() -> tg.Operand[tg.TFloat32, tuple[()]]:
    return rows(1)  # E: scalar returns an operand of shape [Rays, 1], but is declared to return []; called in line 25  [typegrad-shape]
def counts() -> tg.Operand[tg.TInt32]:
    value = cast(tg.Operand[Any], rows(1))
    return value  # E: counts returns an operand of float32, but is declared to return int32; called in line 25  [typegrad-dtype]
def both() -> tuple[int, Three] | None:
    return 1, rows(1)  # E: both returns an operand of shape [Rays, 1], but is declared to return [Rays, 3]; called in line 25  [typegrad-shape]
print(scalar(), counts(), both())
""",
    "a method and a function in a function": """
class Layer:
    @property
    def color(self) -> Three:
        def inner() -> Three:
            return rows(1)  # E: Layer.color.inner returns an operand of shape [Rays, 1], but is declared to return [Rays, 3]; called in lines 23, 24  [typegrad-shape]
        return inner()
print(Layer().color)
""",
    "fields": f"""{CLASSES}
Colors(rows(1))  # E: {SHAPE.format("Colors.color", "")}
Frozen(rows(1))  # E: {SHAPE.format("Frozen.color", "")}
Pair((1, rows(1)), {{}})  # E: {SHAPE.format("Pair.first", "")}
Pair((1, rows(3)), {{"a": rows(1)}})  # E: {SHAPE.format("Pair.second", "")}
Plain(rows(1))  # E: {SHAPE.format("Plain.color", "")}
""",
    "a name that a parameter has, too": """
Points = NewType("Points", int)
Square = tg.Operand[tg.TFloat32, tuple[Rays, Points]]
s = tg.Operand[tg.TFloat32]
def over_rays(scale: s, a: Square) -> tg.Operand[tg.TFloat32, tuple[Rays]]:
    return scale - core.Sum.create(scope, a, 0)  # E: over_rays returns an operand of shape [Points], but is declared to return [Rays]; called in line 33  [typegrad-shape]
def both(scale: s, a: Square) -> tuple[int, tg.Operand[tg.TFloat32, tuple[Rays]]]:
    return 1, scale * np.ones(4, np.float32)  # E: both returns an operand of shape [4], but is declared to return [Rays]; called in line 34  [typegrad-shape]
def right(scale: s, a: Square) -> tg.Operand[tg.TFloat32, tuple[Rays]]:
    return scale - core.Sum.create(scope, a, 1)
def of_others(scale: s, a: tg.Operand[tg.TFloat32, tuple[Rays]]) -> tg.Operand[tg.TFloat32, tuple[Rays]]:
    return scale * a
def no_parameter(scale: s) -> tg.Operand[tg.TFloat32, tuple[Rays]]:
    return scale * np.ones(4, np.float32)
square = core.Placeholder.create(scope, tg.TFloat32, (Rays, Points))
one = core.Constant.create(scope, 1.0)
print(over_rays(one, square))
print(both(one, square))
print(right(one, square), no_parameter(one))
four: Any = core.Constant.create(scope, np.ones(4, np.float32))
print(of_others(one, four), of_others(one, core.Placeholder.create(scope, tg.TFloat32, (Rays,))))
""",
    "names and parameters": f"""
h: Three = rows(1)  # E: {SHAPE.format("`h`", "")}
class Layer:
    def __init__(self, size: int) -> None:
        self.h: Three = rows(size)  # E: {SHAPE.format("`self.h`", "; called in line 24")}
def doubled(scale: float, h: Three, *others: Three) -> tg.Operand[tg.TFloat32]:
    return h * scale
Layer(1)
doubled(2.0, rows(1))  # E: {SHAPE.format("`h` of doubled", "")}
doubled(2.0, rows(3), rows(1))
""",
    "ints for floats": f"""
def rate(start: float) -> tg.Variable[tg.TFloat32]:
    return tg.Variable.create(scope, start)  # E: {IS_INT.format("Variable.create", "; called in line 23")}
def scaled(factor: float) -> tg.Operand[tg.TFloat32]:
    return x * core.Constant.create(scope, factor)  # E: {IS_INT.format("Constant.create", "; called in line 26")}
print(rate(0.5))
print(rate(1))
print(scaled(0.5))
core.Constant.create(scope, max(1.5, 2))  # E: {IS_INT.format("Constant.create", "")}
print(scaled(2))
""",
    "floats and stated element types": """
def rate(start: float) -> tg.Variable[tg.TFloat32]:
    return tg.Variable.create(scope, start, tg.TFloat32)
def half(n: int) -> tg.Operand[tg.TInt32]:
    return core.Constant.create(scope, n // 2)
print(rate(1), rate(0.5), half(3))
""",
    "what fits": f"""{CLASSES}
N = TypeVar("N", bound=int)
def same(h: tg.Operand[tg.TFloat32, tuple[N, Literal[3]]]) -> tg.Operand[tg.TFloat32, tuple[N, Literal[3]]]:
    return h * ones(3)
def named() -> Three:
    return cast(Three, core.Constant.create(scope, ones(5, 3)))
def either(columns: int) -> One | Three | list[Three]:
    return rows(columns)
def several() -> Iterator[Three]:
    yield rows(3)
    return
async def later() -> Three:
    return rows(3)
def listed(hs: Sequence[Three]) -> list[Three]:
    return [*hs]
Colors(rows(3)); Frozen(None); Plain(rows(3)).other
print(same(rows(3)), named(), either(1), either(3), list(several()), later(), listed([rows(3)]))
""",
    "what is expected, or caught": """
import pytest
def model(h: Three, size: int) -> tg.Operand[tg.TFloat32]:
    named: Three = rows(size)
    return h @ ones(3, 2) + named @ ones(3, 2)
def test_rows() -> None:
    with pytest.raises(tg.ShapeError):
        model(rows(1), 3)
    with pytest.raises(tg.ShapeError):
        model(rows(3), 1)
try:
    model(rows(1), 3)
    model(rows(3), 1)
except tg.ShapeError:
    print("wrong")
""",
    "arithmetic with a name that a parameter has, too": """
Line = tg.Operand[tg.TFloat32, tuple[Rays]]
s = tg.Operand[tg.TFloat32]
def twice(scale: s, a: Line) -> Line:
    b = scale * a
    return core.Concat.create(scope, [b, b], 0)  # E: twice returns an operand of shape [2*Rays], but is declared to return [Rays]; called in line 35  [typegrad-shape]
def shorter(scale: s, a: Line) -> Line:
    return (scale * a)[1:]  # E: shorter returns an operand of shape [Rays - 1], but is declared to return [Rays]; called in line 36  [typegrad-shape]
def of_even_sizes(scale: s, a: Line) -> Line:
    half = (scale * a)[::2]
    return core.Concat.create(scope, [half, half], 0)
def of_pairs(scale: s, a: Line) -> Line:
    return core.Reshape.create(scope, core.Reshape.create(scope, scale * a, (-1, 2)), (-1,))
def moved(scale: s, a: Line) -> Line:
    b = scale * a
    return core.Concat.create(scope, [b[1:], b[:1]], 0)
line = core.Placeholder.create(scope, tg.TFloat32, (Rays,))
one: s = core.Constant.create(scope, np.float32(1.0))
print(twice(one, line))
print(shorter(one, line))
print(of_even_sizes(one, line), of_pairs(one, line), moved(one, line))
""",
    "what is ignored, or may not run": """
import somewhere  # type: ignore
def ignored() -> Three:
    return rows(1)  # type: ignore[typegrad-shape]
def perhaps() -> Three:
    if somewhere.flag:
        return rows(3)
    return rows(1)
print(ignored(), perhaps())
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


def test_another_module(tmp_path: Path) -> None:
    helpers = """
import typegrad as tg
def rate(scope: tg.Scope, start: float) -> tg.Variable[tg.TFloat32]:
    return tg.Variable.create(scope, start)
class Made:
    @staticmethod
    def rate(scope: tg.Scope, start: float) -> tg.Operand[tg.TFloat32]:
        def rate(start: float) -> tg.Variable[tg.TFloat32]:
            return tg.Variable.create(scope, start)
        return rate(start) * 2
"""
    program = """
import typegrad as tg
from helpers import Made, rate
scope = tg.Scope(tg.Graph())
print(rate(scope, 0.5))
print(rate(scope, 1))
print(Made.rate(scope, 1))
"""
    report = check(tmp_path, {"helpers.py": helpers, "program.py": program})
    assert [(each.line, each.text) for each in report.errors()] == [
        (
            6,
            "rate returns an operand of int32, but is declared to return float32; in rate, line 4 of helpers.py",
        ),
        (
            7,
            "Made.rate returns an operand of int32, but is declared to return float32; in rate, line 10 of helpers.py",
        ),
    ]
