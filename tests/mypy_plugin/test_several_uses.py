"""One statement gives a name a value that no use of it takes: the uses are one error, which tells of that statement."""

from __future__ import annotations

from typing import Final

import pytest

from mypy_plugin.checking import disagreements

HEADER: Final = """\
import numpy as np
import typegrad as tg
from typegrad import initializers
from typegrad.op import core, math
scope = tg.Scope(tg.Graph())
session = tg.Session(scope.graph)
x = core.Placeholder.create(scope, tg.TFloat32, (None, 6))
Floats = tg.Operand[tg.TFloat32]
def both() -> tuple[Floats, Floats]:
    return x, x * 2.0
def takes(v: Floats) -> None: ...
def dense(v: Floats, size: int) -> None:
    tg.Variable.create(scope, np.zeros((6, size), np.float32))
"""
FLOAT: Final = (
    'Argument 1 to "float" has incompatible type "list[ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]]"; expected '
    '"str | Buffer | SupportsFloat | SupportsIndex"{}  [arg-type]'
)
PAIR: Final = (
    'Argument 1 to "takes" has incompatible type "tuple[{0}, {0}]"; expected "Operand[TFloat32, tuple[Any, ...]]"{1}'
    "  [arg-type]"
)
BOTH: Final = PAIR.format("Operand[TFloat32, tuple[Any, Literal[6]]]", "{}")
DECLARED: Final = PAIR.format("Operand[TFloat32, tuple[Any, ...]]", "{}")
SIZE: Final = 'Argument 2 to "dense" has incompatible type "float"; expected "int"{}  [arg-type]'
NO_INTEGERS: Final = "`shape` must hold integers, not a Python float{}  [typegrad-call]"
PROGRAMS: Final = {
    "the values of a run in one name": f"""
loss, double = core.Sum.create(scope, x), x * 2.0
value = session.run([loss, double], {{x: np.zeros((2, 6), np.float32)}})
print(float(value))  # E: {FLOAT.format("; line 16 gives one name to 2 results")}
print("%f" % value)
print(float(session.run([loss, double], {{x: np.zeros((2, 6), np.float32)}})))  # E: {FLOAT.format("")}
""",
    "the results of a function in one name": f"""
pair = both()
takes(pair)  # E: {BOTH.format("; line 15 gives one name to 2 results")}
print(second)
other = both()
takes(other)  # E: {BOTH.format("")}
""",
    "more names than a function has results": f"""
pair = both()
takes(pair)  # E: {BOTH.format("; line 15 gives one name to 2 results")}
print(second, third)  # E: Name "third" is not defined  [name-defined]
""",
    "the results of a function in one attribute": f"""
class Model:
    def __init__(self) -> None:
        self.output = both()
        takes(self.output)  # E: {BOTH.format("; line 17 gives one name to 2 results")}
    def table(self) -> Floats:
        return self.double * 2.0
    def other(self) -> Floats:
        return self.third  # E: "Model" has no attribute "third"  [attr-defined]
Model().table()
""",
    "attributes that an unpacking lacks": """
class Model:
    def __init__(self) -> None:
        (self.output,) = both()  # E: Too many values to unpack (1 expected, 2 provided)  [misc]
    def table(self) -> Floats:
        return self.double * 2.0
class Other:
    def __init__(self) -> None:
        self.output, self.double = both()
    def table(self) -> Floats:
        return self.third * 2.0  # E: "Other" has no attribute "third"  [attr-defined]
""",
    "a quotient as an attribute": f"""
class Network:
    def __init__(self, width: int, height: int) -> None:
        self.flat = width * height / 2
        self.half = width // 2
        self.dense = tg.Variable.create(scope, initializers.HeNormal()(scope, (self.flat, 32), tg.TFloat32))  # E: HeNormal(): {NO_INTEGERS.format("; line 17 divides integers with /, // makes an integer")}
    def __call__(self) -> Floats:
        return core.Reshape.create(scope, x, (-1, self.flat)) + core.Reshape.create(scope, x, (-1, self.half))
Network(2, 3)()
""",
    "quotients in names": f"""
def build(width: int, height: int) -> None:
    half = width / 2
    dense(x, half)  # E: {SIZE.format("; line 16 divides integers with /, // makes an integer")}
    core.Reshape.create(scope, x, (-1, half))
    first, second = width / 2, height / 2
    dense(x, first)  # E: {SIZE.format("")}
    dense(x, second)  # E: {SIZE.format("")}
    third = width * 2.0
    dense(x, third)  # E: {SIZE.format("")}
    dense(x, third)  # E: {SIZE.format("")}
""",
}


@pytest.fixture(scope="module")
def different(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return disagreements(tmp_path_factory.mktemp("programs"), PROGRAMS, HEADER)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
