"""Arrays that are made of another dtype or rank than is declared where they are made, which mypy alone allows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import check

SOURCE: Final = """\
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
import numpy as np
import numpy.typing as npt
import typegrad as tg
Ints = np.ndarray[tuple[int], np.dtype[np.int32]]
Floats = npt.NDArray[np.float32]
T = TypeVar("T", bound=np.generic)
rng = np.random.default_rng(0)
@dataclass
class Minibatch:
    labels: Ints
class Step(NamedTuple):
    reward: Floats
def same(array: npt.NDArray[T]) -> npt.NDArray[T]:
    return array
def collate(values: list[float]) -> Minibatch:
    return Minibatch(np.array(values, np.float32))  # E
def zeros() -> Ints:
    return np.zeros(3, np.float32)  # E
def rank() -> Ints:
    return np.zeros((3, 2), np.int32)  # E
Step(np.ones(2, np.int32))  # E
halves: Ints = np.full(3, 0.5, np.float32)  # E
doubles: Floats | None = halves.astype(np.float64)  # E
same(np.zeros(3, np.float32))
copies: tuple[Ints, ...] = (halves.copy(), np.stack([halves]), np.asarray(halves))
either: Floats | Ints = np.zeros(3, np.int32)
some: npt.NDArray[np.floating[Any]] = np.zeros(3, "float32")
indices: npt.NDArray[np.intp] = np.array([1, 2], np.int64)
default: npt.NDArray[np.int_] = np.array([1, 2], int)
of_any_rank: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = np.zeros((3, 2), np.float32)
converted: Floats = np.asarray(halves, np.float32)
drawn: Floats = rng.random(3, np.float32)
anything: object = np.zeros(3, np.float64)
"""


def test_an_array_must_be_of_the_declared_type_where_it_is_made(tmp_path: Path) -> None:
    report = check(tmp_path, {"program.py": SOURCE})
    wrong = [number for number, line in enumerate(SOURCE.splitlines(), 1) if line.endswith("# E")]
    assert [each.line for each in report.errors("program.py")] == wrong
    assert all("has incompatible type" in each.text or "Incompatible" in each.text for each in report.errors())


def test_a_program_without_the_library_is_left_to_mypy(tmp_path: Path) -> None:
    source = SOURCE.replace("import typegrad as tg\n", "")
    assert check(tmp_path, {"program.py": source}).errors("program.py") == []
