"""What functions of NumPy return, as the plugin finds it by calling them."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

import numpy as np
import pytest

from typegrad.base.shape import Shape
from typegrad.mypy_plugin.arrays.numpy_probes import PROBED, SPLITTING, probed, probed_parts
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.values.evaluation import NotStatic

VECTOR: Final = np.arange(1, 4, dtype=np.float32)
MATRIX: Final = np.array([[2, 1], [1, 3]], np.float32)
CUBE: Final = np.ones((2, 3, 4), np.float32)
WIDE: Final = np.ones((2, 5), np.float64)
ROWS: Final = np.array([1, 0, 1])

CALLS: Final[dict[str, list[tuple[list[Any], dict[str, Any]]]]] = {
    "argpartition": [([VECTOR, 1], {}), ([CUBE, 0], {"axis": 1})],
    "argsort": [([CUBE], {}), ([CUBE], {"axis": None})],
    "atleast_1d": [([VECTOR], {})],
    "atleast_2d": [([VECTOR], {})],
    "atleast_3d": [([MATRIX], {})],
    "clip": [([MATRIX, 0, 2], {}), ([ROWS, 0.5, None], {})],
    "column_stack": [([[VECTOR, VECTOR]], {})],
    "cov": [([CUBE[0]], {}), ([VECTOR], {})],
    "cross": [([VECTOR, VECTOR], {})],
    "diag": [([VECTOR], {}), ([MATRIX, 1], {})],
    "diagonal": [([CUBE], {"axis1": 0, "axis2": 2})],
    "diff": [([CUBE], {"axis": 1}), ([VECTOR, 2], {})],
    "dot": [([MATRIX, CUBE[:, :2, 0]], {}), ([VECTOR, VECTOR], {})],
    "dstack": [([[VECTOR, VECTOR]], {})],
    "einsum": [(["ij,jk->k", MATRIX, WIDE], {})],
    "fliplr": [([MATRIX], {})],
    "flipud": [([MATRIX], {})],
    "hstack": [([[VECTOR, VECTOR]], {}), ([[MATRIX, WIDE]], {})],
    "inner": [([VECTOR, VECTOR], {})],
    "interp": [([VECTOR, VECTOR, VECTOR], {})],
    "linalg.cholesky": [([MATRIX], {})],
    "linalg.det": [([MATRIX], {})],
    "linalg.inv": [([MATRIX], {})],
    "linalg.norm": [([MATRIX], {}), ([CUBE], {"axis": 1, "keepdims": True})],
    "linalg.solve": [([MATRIX, WIDE], {})],
    "moveaxis": [([CUBE, 0, -1], {})],
    "outer": [([VECTOR, WIDE[0]], {})],
    "partition": [([VECTOR, 1], {})],
    "rollaxis": [([CUBE, 2], {})],
    "rot90": [([CUBE], {})],
    "searchsorted": [([VECTOR, VECTOR], {}), ([VECTOR, 2.0], {})],
    "sort": [([CUBE], {})],
    "take": [([VECTOR, ROWS], {}), ([CUBE, 0], {"axis": 1}), ([CUBE, ROWS, 2], {})],
    "tensordot": [([CUBE, CUBE, 3], {}), ([MATRIX, WIDE, 1], {})],
    "trace": [([MATRIX], {}), ([CUBE], {})],
    "tri": [([3, 4], {})],
    "vdot": [([VECTOR, VECTOR], {})],
    "vstack": [([[VECTOR, VECTOR]], {})],
}


SPLITS: Final[dict[str, list[tuple[list[Any], dict[str, Any]]]]] = {
    "array_split": [([VECTOR, 2], {})],
    "dsplit": [([CUBE, 2], {})],
    "hsplit": [([WIDE, [1, 2]], {})],
    "split": [([CUBE, 2], {"axis": 2}), ([VECTOR, [1]], {})],
    "vsplit": [([CUBE, 2], {})],
}


def _known(argument: Any, dims: tuple[int | None, ...] | None = None) -> Any:
    if isinstance(argument, list):
        return [_known(each) for each in argument]  # of arrays or of numbers
    return Array(Shape(dims or argument.shape), argument.dtype) if isinstance(argument, np.ndarray) else argument


def test_there_is_a_call_of_each() -> None:
    assert CALLS.keys() == PROBED and SPLITS.keys() == SPLITTING


@pytest.mark.parametrize("name", CALLS)
def test_shapes_and_dtypes_are_those_of_numpy(name: str) -> None:
    for args, keywords in CALLS[name]:
        expected = attrgetter(name)(np)(*args, **keywords)
        found = probed(name, [_known(each) for each in args], keywords)
        assert (found.shape, found.dtype) == (Shape(expected.shape), expected.dtype)
        assert found.is_number == isinstance(expected, np.generic)


@pytest.mark.parametrize("name", SPLITS)
def test_parts_are_those_of_numpy(name: str) -> None:
    for args, keywords in SPLITS[name]:
        found = probed_parts(name, [_known(each) for each in args], keywords)
        assert found == [_known(part) for part in attrgetter(name)(np)(*args, **keywords)]


def test_an_unknown_number_of_parts() -> None:
    with pytest.raises(NotStatic):
        probed_parts("split", [_known(WIDE, (2, None)), 5, 1], {})
    assert [part.shape for part in probed_parts("split", [_known(WIDE, (None, 5)), [1], 1], {})] == [
        Shape((None, 1)),
        Shape((None, 4)),
    ]


def test_a_size_that_is_not_known() -> None:
    rows = _known(WIDE, (None, 5))
    assert probed("vstack", [[rows, _known(WIDE)]], {}).shape == Shape((None, 5))
    assert probed("sort", [rows], {}).shape == Shape((None, 5))
    assert probed("take", [rows, 0], {"axis": 0}).shape == Shape((5,))
    assert probed("diag", [_known(WIDE, (None, 2))], {}).shape == Shape((None,))
    assert probed("diff", [_known(VECTOR, (None,)), 10], {}).shape == Shape((None,))
    assert [part.shape for part in probed_parts("array_split", [rows, 3], {})] == [Shape((None, 5))] * 3
    assert [part.shape for part in probed_parts("split", [rows, [3]], {})] == [Shape((None, 5))] * 2


def test_a_dtype_that_is_not_known() -> None:
    assert probed("outer", [Array(Shape((2,))), Array(Shape((3,)))], {}) == Array(Shape((2, 3)))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("take", [Array(), 0]),
        ("dot", [_known(CUBE), _known(VECTOR)]),
        ("sort", [Array(Shape((10_000, 10_000)), WIDE.dtype)]),
        ("linalg.inv", [_known(VECTOR)]),
        ("take", [_known(WIDE, (None, 5)), 4, 0]),
        ("outer", [Array(Shape((50_000,))), Array(Shape((50_000,)))]),
        ("diag", [Array(Shape((50_000,)))]),
        ("diag", [_known(VECTOR), 10**9]),
        ("diff", [_known(VECTOR), 10**9]),
        ("tri", [100_000]),
        ("hstack", [[Array(Shape((60_000,))), Array(Shape((60_000,)))]]),
    ],
)
def test_what_is_not_known_or_wrong_is_left_to_others(name: str, args: list[Any]) -> None:
    with pytest.raises(NotStatic):
        probed(name, args, {})
