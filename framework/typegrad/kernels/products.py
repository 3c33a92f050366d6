"""Matrix products in which equal rows give equal results, to the last bit, wherever they are.

BLAS sums the rows and columns left over from its blocks, and products with a single column, in another order. So all
products have the same number of rows, a multiple of `BLOCK`, and zeros fill the last one and its columns.

In OpenBLAS's float32 kernel for processors with AVX2 but not AVX-512, the order depends on the position of a row within
a product, except in a transposed product of 16 rows: `_is_even` measures that.

They write into arrays, so they run on NumPy only.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from typegrad.kernels.namespace import Array, DType
from typegrad.kernels.scratch import scratch

__all__ = ["ROWS", "even_columns", "even_product", "even_rows"]

BLOCK: Final = 16
"""The number of rows in a product is a multiple of this, as are the blocks of rows in which BLAS computes."""

FEW_COLUMNS: Final = 6
COLUMNS: Final = 8
"""The number of columns in a product is a multiple of this, or if there are few, of 2. Threads divide the rows among
them anywhere, and BLAS sums the columns left over from its blocks in an order that depends on the position there.
"""

SMALL: Final = 10**6
"""The number of multiplications up to which OpenBLAS computes a product without rearranging the operands first."""

ROWS: Final = 512
"""The number of rows in a product, unless fewer make it a small one."""


@cache
def _is_even(dtype: DType) -> bool:
    """Whether BLAS computes the rows of whole blocks alike."""
    row, columns = np.random.default_rng(0).random((1, 72)), np.random.default_rng(1).random((72, 64))
    product = np.repeat(row, 96, axis=0).astype(dtype) @ columns.astype(dtype)
    return bool((product == product[0]).all())


def even_columns(filters: Array) -> Array:
    """A matrix for `even_product`: one in C order, if it is small, with columns of zeros after its own."""
    inner, count = filters.shape
    rest = -count % (2 if count <= FEW_COLUMNS else COLUMNS)
    if not rest and filters.size * BLOCK > SMALL:
        return filters
    result = np.zeros((inner, count + rest), filters.dtype)
    result[:, :count] = filters
    return result


def even_rows(count: int, matrix: Array) -> int:
    """The number of rows in each of the products with `matrix` that `count` rows are divided into."""
    if not _is_even(matrix.dtype):
        return BLOCK
    small = SMALL // max(1, matrix.size) // BLOCK * BLOCK
    most = min(small, ROWS) or ROWS
    products = -(-count // most)
    return -(-count // (max(products, 1) * BLOCK)) * BLOCK or BLOCK


def even_product(x: Array, matrix: Array, out: Array, rows: int) -> None:
    """`x @ matrix`, `rows` rows at a time. `out` may have fewer columns than `matrix`, which was made even."""
    inner, columns = matrix.shape
    count, length = out.shape[1], len(x)
    if not count:
        return
    whole = length // rows * rows
    if whole:
        _product(x[:whole].reshape(-1, rows, inner), matrix, out[:whole].reshape(-1, rows, count))
    if length > whole > 0:  # once more the rows before the last ones, with equal results
        _product(x[None, length - rows :], matrix, out[None, length - rows :])
    elif length > whole:
        last, result = _rows_like("last rows", x, rows, inner), _rows_like("last results", out, rows, columns)
        last[:length], last[length:] = x, 0
        _product(last[None], matrix, result[None])
        out[...] = result[:length, :count]


def _rows_like(name: str, x: Array, rows: int, columns: int) -> Array:
    """A matrix in the memory order of `x`, which determines the order in which BLAS accumulates."""
    if x.strides[0] < x.strides[1]:
        return scratch(name, (columns, rows), x.dtype).T
    return scratch(name, (rows, columns), x.dtype)


def _product(x: Array, matrix: Array, out: Array) -> None:
    """A product for each of a stack of matrices."""
    stack, rows, _ = x.shape
    columns = matrix.shape[1]
    if not _is_even(x.dtype):
        result = scratch("transposed", (stack, columns, rows), x.dtype)
        np.matmul(matrix.T, x.transpose(0, 2, 1), out=result)
        out[...] = result[:, : out.shape[2]].transpose(0, 2, 1)
    elif columns > out.shape[2]:
        result = scratch("columns", (stack, rows, columns), x.dtype)
        out[...] = np.matmul(x, matrix, out=result)[:, :, : out.shape[2]]
    else:
        np.matmul(x, matrix, out=out)
