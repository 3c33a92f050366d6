"""What functions of NumPy return, as the plugin finds it by calling them."""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final

import numpy as np
import pytest
from mypy.types import NoneType

from typegrad.base.shape import SCALAR, UNKNOWN, Dim, Shape
from typegrad.dry_run.known.unknown import UNKNOWN as UNKNOWN_VALUE
from typegrad.mypy_plugin.arrays.numpy_results import SHAPES, AnyOf, method_of, of_numpy, result_of, results_of
from typegrad.mypy_plugin.arrays.numpy_rules import Array
from typegrad.mypy_plugin.base.dims import Name
from typegrad.mypy_plugin.values.static_values import NotStatic

VECTOR: Final = np.arange(1, 4, dtype=np.float32)
MATRIX: Final = np.array([[2, 1], [1, 3]], np.float32)
CUBE: Final = np.ones((2, 3, 4), np.float32)
WIDE: Final = np.ones((2, 5), np.float64)
ROWS: Final = np.array([1, 0, 1])

CALLS: Final[dict[str, list[tuple[list[Any], dict[str, Any]]]]] = {
    "all": [([CUBE], {"axis": 0}), ([MATRIX], {})],
    "amax": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "amin": [([CUBE], {"axis": 1})],
    "angle": [([MATRIX.astype(np.complex64)], {})],
    "any": [([CUBE, (0, 1)], {})],
    "append": [([MATRIX, MATRIX], {"axis": 0}), ([MATRIX, MATRIX], {})],
    "argpartition": [([VECTOR, 1], {}), ([CUBE, 0], {"axis": 1})],
    "argsort": [([CUBE], {}), ([CUBE], {"axis": None})],
    "atleast_1d": [([VECTOR], {})],
    "atleast_2d": [([VECTOR], {})],
    "atleast_3d": [([MATRIX], {})],
    "average": [([CUBE], {"axis": 1})],
    "clip": [([MATRIX, 0, 2], {}), ([ROWS, 0.5, None], {})],
    "column_stack": [([[VECTOR, VECTOR]], {})],
    "corrcoef": [([MATRIX], {})],
    "count_nonzero": [([CUBE], {"axis": 0}), ([CUBE, (0, 1)], {})],
    "cov": [([CUBE[0]], {}), ([VECTOR], {})],
    "cross": [([VECTOR, VECTOR], {})],
    "cumprod": [([CUBE], {})],
    "cumsum": [([ROWS], {}), ([CUBE], {"axis": 1})],
    "cumulative_prod": [([ROWS], {})],
    "cumulative_sum": [([ROWS], {}), ([CUBE], {"axis": 1, "include_initial": True})],
    "delete": [([VECTOR, [0, 1]], {}), ([CUBE, 0, 1], {})],
    "diag": [([VECTOR], {}), ([MATRIX, 1], {})],
    "diagflat": [([VECTOR], {})],
    "diagonal": [([CUBE], {"axis1": 0, "axis2": 2})],
    "diff": [([CUBE], {"axis": 1}), ([VECTOR, 2], {})],
    "digitize": [([VECTOR, [0.0, 2.0]], {})],
    "dot": [([MATRIX, CUBE[:, :2, 0]], {}), ([VECTOR, VECTOR], {})],
    "dstack": [([[VECTOR, VECTOR]], {})],
    "ediff1d": [([CUBE], {})],
    "einsum": [(["ij,jk->k", MATRIX, WIDE], {})],
    "fft.fft": [([VECTOR], {}), ([CUBE, 8], {"axis": 1})],
    "fft.fft2": [([CUBE], {})],
    "fft.fftfreq": [([8], {})],
    "fft.fftn": [([CUBE], {})],
    "fft.fftshift": [([CUBE], {})],
    "fft.ifft": [([VECTOR], {})],
    "fft.ifft2": [([CUBE], {})],
    "fft.ifftn": [([CUBE], {})],
    "fft.ifftshift": [([CUBE], {})],
    "fft.irfft": [([VECTOR], {})],
    "fft.rfft": [([VECTOR], {}), ([WIDE], {})],
    "fft.rfft2": [([CUBE], {})],
    "fft.rfftfreq": [([9, 0.5], {})],
    "fft.rfftn": [([CUBE], {})],
    "fliplr": [([MATRIX], {})],
    "flipud": [([MATRIX], {})],
    "hstack": [([[VECTOR, VECTOR]], {}), ([[MATRIX, WIDE]], {})],
    "i0": [([VECTOR], {})],
    "inner": [([VECTOR, VECTOR], {})],
    "interp": [([VECTOR, VECTOR, VECTOR], {})],
    "isclose": [([CUBE, 1.0], {})],
    "kron": [([MATRIX, WIDE], {})],
    "linalg.cholesky": [([MATRIX], {})],
    "linalg.cond": [([MATRIX], {})],
    "linalg.det": [([MATRIX], {})],
    "linalg.eigvalsh": [([MATRIX], {})],
    "linalg.inv": [([MATRIX], {})],
    "linalg.matrix_norm": [([MATRIX], {}), ([CUBE], {"keepdims": True})],
    "linalg.matrix_power": [([MATRIX, 3], {})],
    "linalg.multi_dot": [([[MATRIX, MATRIX, WIDE]], {})],
    "linalg.norm": [([MATRIX], {}), ([CUBE], {"axis": 1, "keepdims": True})],
    "linalg.pinv": [([WIDE], {}), ([CUBE], {})],
    "linalg.solve": [([MATRIX, WIDE], {})],
    "linalg.svdvals": [([CUBE], {})],
    "linalg.vector_norm": [([CUBE], {"axis": 0})],
    "linspace": [([0, np.ones((), np.float32), 5], {}), ([0, 1, 5], {}), ([VECTOR, VECTOR, 3], {"axis": 1})],
    "logspace": [([0, 2, 5], {})],
    "moveaxis": [([CUBE, 0, -1], {})],
    "nan_to_num": [([WIDE], {})],
    "nancumprod": [([ROWS], {})],
    "nancumsum": [([ROWS], {}), ([CUBE], {})],
    "nanmax": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "nanmean": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "nanmedian": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "nanmin": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "nanpercentile": [([CUBE, 50], {"axis": 1}), ([VECTOR, [50, 50]], {})],
    "nanprod": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "nanquantile": [([CUBE, 0.5], {"axis": 1}), ([VECTOR, [0.5, 0.5]], {})],
    "nanstd": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "nansum": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "nanvar": [([CUBE], {"axis": 1}), ([MATRIX], {})],
    "outer": [([VECTOR, WIDE[0]], {})],
    "partition": [([VECTOR, 1], {})],
    "percentile": [([CUBE, 50], {"axis": 1}), ([VECTOR, [50, 50]], {})],
    "permute_dims": [([CUBE, (2, 0, 1)], {})],
    "polyval": [([VECTOR, MATRIX], {})],
    "quantile": [([CUBE, 0.5], {"axis": 1}), ([VECTOR, [0.5, 0.5]], {})],
    "repeat": [([CUBE, 2], {}), ([MATRIX, [1, 2], 0], {})],
    "rollaxis": [([CUBE, 2], {})],
    "rot90": [([CUBE], {})],
    "round": [([CUBE, 2], {}), ([ROWS > 0], {})],
    "searchsorted": [([VECTOR, VECTOR], {}), ([VECTOR, 2.0], {})],
    "sinc": [([VECTOR], {})],
    "sort": [([CUBE], {})],
    "take": [([VECTOR, ROWS], {}), ([CUBE, 0], {"axis": 1}), ([CUBE, ROWS, 2], {})],
    "take_along_axis": [([CUBE, np.zeros((2, 1, 4), np.int64), 1], {})],
    "tensordot": [([CUBE, CUBE, 3], {}), ([MATRIX, WIDE, 1], {})],
    "trace": [([MATRIX], {}), ([CUBE], {})],
    "trapezoid": [([CUBE], {})],
    "tri": [([3, 4], {})],
    "tril": [([CUBE], {})],
    "triu": [([MATRIX, 1], {})],
    "unwrap": [([VECTOR], {})],
    "vander": [([VECTOR], {}), ([ROWS, 5], {})],
    "vdot": [([VECTOR, VECTOR], {})],
    "vecdot": [([CUBE, CUBE], {})],
    "vstack": [([[VECTOR, VECTOR]], {})],
}


SPLITS: Final[dict[str, list[tuple[list[Any], dict[str, Any]]]]] = {
    "array_split": [([VECTOR, 2], {})],
    "broadcast_arrays": [([MATRIX, CUBE[:, :1, :1]], {})],
    "divmod": [([CUBE, 2], {})],
    "dsplit": [([CUBE, 2], {})],
    "frexp": [([CUBE], {})],
    "gradient": [([MATRIX], {})],
    "hsplit": [([WIDE, [1, 2]], {})],
    "histogram": [([VECTOR, 4], {})],
    "linalg.eigh": [([MATRIX], {})],
    "linalg.qr": [([WIDE], {}), ([CUBE], {})],
    "linalg.slogdet": [([CUBE[:, :, :3]], {})],
    "linalg.svd": [([CUBE], {}), ([CUBE], {"full_matrices": False})],
    "meshgrid": [([VECTOR, ROWS], {}), ([VECTOR, VECTOR, ROWS], {"indexing": "ij"})],
    "modf": [([CUBE], {})],
    "split": [([CUBE, 2], {"axis": 2}), ([VECTOR, [1]], {})],
    "vsplit": [([CUBE, 2], {})],
}


def _known(argument: Any, dims: tuple[Dim, ...] | None = None) -> Any:
    if isinstance(argument, list):
        return [_known(each) for each in argument]  # of arrays or of numbers
    return Array(Shape(dims or argument.shape), argument.dtype) if isinstance(argument, np.ndarray) else argument


METHODS: Final = (
    "all", "any", "argpartition", "argsort", "clip", "cumprod", "cumsum", "diagonal", "dot", "repeat", "round",
    "searchsorted", "take", "trace",
)  # fmt: skip


def _result(name: str, args: list[Any], keywords: dict[str, Any] | None = None) -> Array:
    return result_of(of_numpy(attrgetter(name)(np)), (args, keywords or {}))


def _results(name: str, args: list[Any], keywords: dict[str, Any] | None = None) -> list[Array]:
    return results_of(of_numpy(attrgetter(name)(np)), (args, keywords or {}))


@pytest.mark.parametrize("name", CALLS)
def test_shapes_and_dtypes_are_those_of_numpy(name: str) -> None:
    for args, keywords in CALLS[name]:
        expected = attrgetter(name)(np)(*args, **keywords)
        assert _result(name, [_known(each) for each in args], keywords) == _known(np.asarray(expected))


@pytest.mark.parametrize("name", METHODS)
def test_methods_return_the_same(name: str) -> None:
    for args, keywords in CALLS[name]:
        found = result_of(method_of(name), ([_known(each) for each in args], keywords))
        assert found == _known(np.asarray(getattr(np, name)(*args, **keywords)))


@pytest.mark.parametrize("name", SPLITS)
def test_parts_are_those_of_numpy(name: str) -> None:
    for args, keywords in SPLITS[name]:
        found = _results(name, [_known(each) for each in args], keywords)
        assert found == [_known(part) for part in attrgetter(name)(np)(*args, **keywords)]


def test_an_unknown_number_of_parts() -> None:
    with pytest.raises(NotStatic):
        _results("split", [_known(VECTOR), AnyOf()])
    with pytest.raises(NotStatic):
        _results("gradient", [_known(VECTOR)])
    assert [part.shape for part in _results("split", [_known(WIDE, (None, 5)), [1], 1])] == [
        Shape((None, 1)),
        Shape((None, 4)),
    ]


BATCH: Final = Name("model.Batch", NoneType())
OF_BATCH: Final = (BATCH, 5)
UNSIZED: Final[list[tuple[str, list[Any], dict[str, Any], tuple[Dim, ...] | None]]] = [
    ("vstack", [[Array(Shape((None, 5)), WIDE.dtype), _known(WIDE)]], {}, (None, 5)),
    ("sort", [_known(WIDE, (None, 5))], {}, (None, 5)),
    ("take", [_known(WIDE, (None, 5)), 0], {"axis": 0}, (5,)),
    ("take", [_known(WIDE, (None, 5)), 4, 0], {}, (5,)),
    ("diag", [_known(WIDE, (None, 2))], {}, (None,)),
    ("diff", [_known(VECTOR, (None,)), 10], {}, (None,)),
    ("reshape", [_known(WIDE, (None, 4)), (-1, AnyOf())], {}, (None, None)),
    ("reshape", [_known(WIDE, (None, 28, 28)), (-1, 784)], {}, (None, 784)),
    ("reshape", [_known(WIDE, (None,)), (-1, 28, 28)], {}, (None, 28, 28)),
    ("reshape", [Array(UNKNOWN, WIDE.dtype), (-1, 3)], {}, (None, 3)),
    ("convolve", [_known(VECTOR, (None,)), _known(VECTOR, (None,)), "valid"], {}, (None,)),
    ("sum", [Array(UNKNOWN, WIDE.dtype)], {}, ()),
    ("sum", [Array(UNKNOWN, WIDE.dtype)], {"axis": 0}, None),
    ("sum", [_known(CUBE)], {"axis": AnyOf()}, (None, None)),
    ("sum", [_known(CUBE)], {"axis": 0, "keepdims": AnyOf((False, True))}, None),
    ("zeros", [(AnyOf(), 3)], {}, (None, 3)),
    ("zeros", [AnyOf(SHAPES)], {}, None),
    ("zeros", [(BATCH, 3)], {}, (BATCH, 3)),
    ("unique", [_known(CUBE)], {}, (None,)),
    ("sort", [_known(WIDE, OF_BATCH)], {}, OF_BATCH),
    ("mean", [_known(WIDE, OF_BATCH)], {"axis": 1}, (BATCH,)),
    ("concatenate", [[_known(WIDE, OF_BATCH), _known(WIDE, OF_BATCH)]], {"axis": 1}, (BATCH, 10)),
    ("concatenate", [[_known(WIDE, OF_BATCH), _known(WIDE, OF_BATCH)]], {}, (None, 5)),
    ("concatenate", [[_known(WIDE, (60_000, 784)), _known(WIDE, (10_000, 784))]], {}, (70_000, 784)),
    ("pad", [_known(WIDE, (60_000, 784)), 1], {}, (60_002, 786)),
    ("reshape", [_known(WIDE, (60_000, 28, 28)), (600, 100, 784)], {}, (600, 100, 784)),
    ("sort", [_known(WIDE, (10_000, 10_000))], {}, (10_000, 10_000)),
    ("outer", [_known(VECTOR, (50_000,)), _known(VECTOR, (50_000,))], {}, (50_000, 50_000)),
    ("diag", [_known(VECTOR, (50_000,))], {}, (50_000, 50_000)),
    ("kron", [_known(WIDE, (200, 200)), _known(WIDE, (300, 300))], {}, (None, None)),
    ("fft.rfft", [_known(VECTOR, (600_000,))], {}, (300_001,)),
    ("fft.rfft", [_known(VECTOR, (600_001,))], {}, (None,)),
    ("take", [_known(WIDE, (60_000, 784)), 5000], {"axis": 0}, (784,)),
    ("eye", [5000], {}, (5000, 5000)),
    ("arange", [1000, 3000], {}, (2000,)),
    ("linspace", [0, 1, 10**8], {}, (10**8,)),
]


@pytest.mark.parametrize(("name", "args", "keywords", "dims"), UNSIZED)
def test_sizes_that_are_not_known_or_large(
    name: str, args: list[Any], keywords: dict[str, Any], dims: tuple[Dim, ...] | None
) -> None:
    assert _result(name, args, keywords).shape == Shape(dims)


def test_a_dtype_that_is_not_known() -> None:
    assert _result("outer", [Array(Shape((2,))), Array(Shape((3,)))]) == Array(Shape((2, 3)))
    assert _result("argmax", [Array(Shape((2,)))]) == Array(SCALAR, np.dtype(np.int64))
    assert _result("sum", [Array(Shape((2,)), is_doubtful=True)]) == Array(SCALAR, is_doubtful=True)
    assert result_of(method_of("astype"), ([Array(Shape((2,))), np.float32], {})) == _known(VECTOR, (2,))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("dot", [_known(CUBE), _known(VECTOR)]),
        ("linalg.inv", [_known(VECTOR)]),
        ("take", [_known(VECTOR), UNKNOWN_VALUE]),
        ("ndim", [_known(VECTOR)]),
        ("split", [_known(VECTOR), 3]),
    ],
)
def test_what_is_not_known_or_wrong_is_left_to_others(name: str, args: list[Any]) -> None:
    with pytest.raises(NotStatic):
        _result(name, args)
