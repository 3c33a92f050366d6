"""NumPy's functions with memory of earlier results: the bits and the layout are NumPy's, whatever lies in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

from support.blocks import small_blocks
from typegrad.session.arrays import Arrays
from typegrad.session.large import large_numpy, large_ufunc, select

RANDOM: Final = np.random.default_rng(1)


def _full(*shape: int) -> Any:
    return RANDOM.standard_normal(shape).astype(np.float32)


X: Final = _full(6, 4, 5)
IN_OTHER_ORDER: Final = np.asfortranarray(X)
MASK: Final = X > 0

CALLS: Final[dict[str, Callable[[Any], Any]]] = {
    "zeros": lambda xp: xp.zeros((3, 4), np.dtype(np.int32)),
    "a product": lambda xp: xp.matmul(_fixed(4, 3), _fixed(3, 5)),
    "a transposed product": lambda xp: xp.matmul(_fixed(3, 4).T, _fixed(5, 3).T),
    "products": lambda xp: xp.matmul(X, _fixed(6, 5, 2)),
    "products that repeat a matrix": lambda xp: xp.matmul(_fixed(2, 1, 4, 5), _fixed(6, 5, 2)),
    "products in another order": lambda xp: xp.matmul(
        _fixed(3, 2, 4, 5).transpose(1, 0, 2, 3), _fixed(3, 2, 5, 4).transpose(1, 0, 2, 3)
    ),
    "products in other directions": lambda xp: xp.matmul(
        _fixed(3, 2, 4, 5).transpose(1, 0, 2, 3)[:, ::-1], _fixed(3, 2, 5, 4).transpose(1, 0, 2, 3)[:, ::-1]
    ),
    "a choice": lambda xp: xp.where(MASK, X, -X),
    "a choice of numbers": lambda xp: xp.where(MASK, 0, X),
    "a choice of a column": lambda xp: xp.where(MASK[:, :1], X, X[0]),
    "a choice in another order": lambda xp: xp.where(IN_OTHER_ORDER > 0, IN_OTHER_ORDER, 1),
    "a choice of strings": lambda xp: xp.where(MASK[0, 0], np.array([b"a"] * 5, object), b"b"),
    "a stack": lambda xp: xp.stack([X, -X], axis=0),
    "a stack along a later axis": lambda xp: xp.stack([X, -X], axis=2),
    "a stack along the last axis": lambda xp: xp.stack([X, -X], axis=-1),
    "a stack in another order": lambda xp: xp.stack([IN_OTHER_ORDER, IN_OTHER_ORDER]),
    "a stack of strings": lambda xp: xp.stack([np.array([b"a"], object)] * 2),
    "another shape": lambda xp: xp.reshape(X, (24, 5)),
    "another shape of another order": lambda xp: xp.reshape(IN_OTHER_ORDER, (24, 5)),
    "another shape of a part": lambda xp: xp.reshape(X[:, :, :4], (6, 16)),
    "another shape that a view has": lambda xp: xp.reshape(X[:, :, :4], (6, 2, 2, 4)),
}


def _fixed(*shape: int) -> Any:
    return np.random.default_rng(2).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("what", CALLS)
def test_results_are_those_of_numpy(what: str) -> None:
    call, xp = CALLS[what], large_numpy(Arrays())
    expected = call(np)
    with small_blocks():
        for _ in range(3):  # from the second time on, what is in memory is not zero
            result = call(xp)
            np.testing.assert_array_equal(result, expected, strict=True)
            assert result.strides == expected.strides
            if not result.dtype.hasobject and result.base is None:
                result.fill(7)
            del result


def test_memory_is_used_again() -> None:
    arrays = Arrays()
    xp = large_numpy(arrays)
    with small_blocks():
        for _ in range(3):
            xp.matmul(X, _fixed(6, 5, 2))
            xp.where(MASK, X, 0)
            xp.stack([X, X])
            xp.reshape(IN_OTHER_ORDER, (24, 5))
            xp.empty((2, 3), np.dtype(np.float32))
            xp.zeros((3, 2), np.dtype(np.float32))
    assert len(arrays) == 5  # the choice and the new shape take the same


def test_small_results_are_not_kept() -> None:
    arrays = Arrays()
    xp = large_numpy(arrays)
    for call in CALLS.values():
        call(xp)
    assert not len(arrays)


@pytest.mark.parametrize(
    "inputs", [(X, X), (X, X[0]), (X, np.float32(2)), (IN_OTHER_ORDER, X), (X[:, ::2], X[0, 0, 0])]
)
def test_a_ufunc_takes_the_same_memory(inputs: tuple[Any, ...]) -> None:
    arrays = Arrays()
    multiply = large_ufunc(np.multiply, np.dtype(np.float32), arrays)
    with small_blocks():
        for _ in range(3):
            result, expected = multiply(*inputs), np.multiply(*inputs)
            np.testing.assert_array_equal(result, expected, strict=True)
            assert result.strides == expected.strides
            del result
    assert len(arrays) == all(np.asarray(each).flags.c_contiguous for each in inputs)


TYPES: Final = [np.bool_, np.int8, np.uint16, np.float16, ml_dtypes.bfloat16, np.float32, np.int64, np.complex64]


@pytest.mark.parametrize("dtype", [*TYPES, np.float64, np.complex128])
def test_a_choice_keeps_every_bit(dtype: Any) -> None:
    """Of nan, too, whose bits may say something."""
    bits = RANDOM.integers(0, 256, (2, 100 * np.dtype(dtype).itemsize), np.uint8)
    x, y = (bits % 2 if dtype is np.bool_ else bits).view(dtype)
    mask = RANDOM.integers(0, 2, 100).astype(bool)
    out = np.empty(100, dtype)
    assert select(mask, x, y, out) is out
    assert out.tobytes() == np.where(mask, x, y).tobytes()
