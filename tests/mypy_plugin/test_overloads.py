"""Overloads that the arguments of a call do not fit are not tried, and what mypy says of the call is the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from mypy_plugin.checking import check
from typegrad.mypy_plugin.arrays.numpy_refusals import check_array_use

HEADER: Final = """\
from typing import Any
import numpy as np
from numpy.typing import NDArray
import typegrad as tg
from typegrad.op import core, random
scope = tg.Scope(tg.Graph())
n = 3
fraction: float = 2.5
anything: Any = (2, 3)
kind = np.dtype("float32")
either: NDArray[np.float32] | NDArray[np.int32] = np.zeros(3, np.float32)
of_any_type: NDArray[Any] = np.zeros(3)
"""
FLOATS: Final = "Variable[TFloat32, tuple[Literal[8], Literal[4]]]"

PROGRAMS: Final = {
    "variables of arrays": f"""
reveal_type(tg.Variable.create(scope, np.zeros((8, 4), np.float32)))  # R: {FLOATS}
reveal_type(tg.Variable.create(scope, initial_value=np.ones((8, 4), dtype=np.float32)))  # R: {FLOATS}
reveal_type(tg.Variable.create(scope, np.empty((8, 4), np.float32), tg.TFloat32, trainable=False))  # R: {FLOATS}
reveal_type(tg.Variable.create(scope, np.zeros([8, 4], "float32")))  # R: {FLOATS}
reveal_type(tg.Variable.create(scope, np.zeros((8, 4), np.float32, order="F")))  # R: {FLOATS}
reveal_type(tg.Variable.create(scope, np.zeros((8, 4), kind)))  # R: {FLOATS}
reveal_type(tg.Variable.create(scope, np.zeros((n, 4))))  # R: Variable[TFloat64, tuple[Literal[3], Literal[4]]]
reveal_type(tg.Variable.create(scope, np.zeros(n, bool)))  # R: Variable[TBool, tuple[Literal[3]]]
reveal_type(tg.Variable.create(scope, np.zeros(anything, np.int32)))  # R: Variable[TInt32, tuple[Literal[2], Literal[3]]]
reveal_type(tg.Variable.create(scope, random.TruncatedNormal.create(scope, (8, 4), tg.TFloat32)))  # R: {FLOATS}
""",
    "constants of arrays": """
reveal_type(core.Constant.create(scope, np.ones(8, np.float32)))  # R: Constant[TFloat32, tuple[Literal[8]]]
reveal_type(core.Constant.create(scope, np.zeros((2, n), np.uint8)))  # R: Constant[TUint8, tuple[Literal[2], Literal[3]]]
reveal_type(core.Constant.create(scope, either).shape)  # R: Shape
reveal_type(core.Constant.create(scope, of_any_type).shape)  # R: Shape
""",
    "arrays of another type in the next pass": """
changing: NDArray[np.float32] | NDArray[np.int32] = np.zeros(3, np.float32)
made: list[tg.Variable[Any]] = []
for _ in range(3):
    made.append(tg.Variable.create(scope, changing))
    changing = np.zeros(3, np.int32)
""",
    "arrays": """
reveal_type(np.zeros((3, n), np.float32))  # R: ndarray[tuple[int, int], dtype[floating[_32Bit]]]
reveal_type(np.zeros(n))  # R: ndarray[tuple[int], dtype[float64]]
np.zeros(fraction, np.float32)  # E: No overload variant of "__call__" of "_ConstructorEmpty" matches argument types "float", "type[floating[_32Bit]]"  [call-overload]
np.zeros(scope)  # E: No overload variant of "__call__" of "_ConstructorEmpty" matches argument type "Scope"  [call-overload]
np.zeros(8, n)  # E: No overload variant of "__call__" of "_ConstructorEmpty" matches argument types "int", "int"  [call-overload]
""",
}
CALL: Final = "tg.Variable.create(scope, np.zeros((8, 4), np.float32))"


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])


def test_an_error_lists_all_overloads(tmp_path: Path) -> None:
    report = check(tmp_path, {"program.py": f"{HEADER}np.zeros(fraction, np.float32)\n"})
    assert "def __call__(self)" not in report.output
    assert report.output.count("shape: SupportsIndex, dtype:") > 1


def test_one_overload_of_an_array_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = tmp_path / "asked"

    def noting(ctx: Any) -> None:
        with asked.open("a") as file:  # as mypy runs in another process
            file.write("x")
        check_array_use(ctx)

    monkeypatch.setattr("typegrad.mypy_plugin.safety.check_array_use", noting)
    report = check(tmp_path, {"program.py": f"{HEADER}{CALL}\n"})
    assert not report.errors()
    before = len(asked.read_text())
    asked.unlink()
    check(tmp_path, {"program.py": f"{HEADER}{CALL}\n{CALL}\n"})
    assert len(asked.read_text()) - before < 5
