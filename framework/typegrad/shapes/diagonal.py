"""Shape functions of `ops/diagonal.yaml`."""

from __future__ import annotations

from typing import Any

from typegrad.base.errors import ShapeError
from typegrad.base.shape import UNKNOWN, Dim, Shape, merge, merge_dim
from typegrad.base.size import minus, plus
from typegrad.shapes.values import integer, size_of
from typegrad.shapes.view import OpView


def matrix_band_part(op: OpView) -> Shape:
    """The input's shape; more diagonals than there are rows or columns are refused."""
    x = op.at_least("input", 2)
    sizes: tuple[Dim, ...] = (None, None) if x.dims is None else x.dims[-2:]
    for name, size, what in (("num_lower", sizes[0], "rows"), ("num_upper", sizes[1], "columns")):
        number = integer(op, name)
        if number is not None and isinstance(size, int) and number > size:
            raise ShapeError(f"`{name}` is {number}, but `input` of shape {x} has only {size} {what}; -1 means all")
    return x


def matrix_diag(op: OpView) -> Shape:
    """[..., rows, columns]."""
    x, rows, columns = op.at_least("diagonal", 1), size_of(op, "num_rows"), size_of(op, "num_cols")
    op.rank("padding_value", 0)
    ends, is_band = _ends(op)
    if x.dims is None or is_band is None:
        return UNKNOWN
    if is_band:
        assert ends is not None
        _check_count(op.at_least("diagonal", 2), ends)
    stack = x.dims[: -2 if is_band else -1]
    return Shape((*stack, *((None, None) if ends is None else extents(x.dims[-1], ends, rows, columns))))


def extents(length: Dim, ends: tuple[int, int], rows: Dim, columns: Dim) -> tuple[Dim, Dim]:
    """The numbers of rows and columns of a matrix whose longest diagonal has `length` elements.

    -1 asks for as few as possible, None is not known: it may be -1, and asks for a square matrix then.
    """
    low, high = ends
    below, right = max(-high, 0), max(low, 0)
    least = plus((length, below)), plus((length, right))
    if rows == -1 and columns == -1:
        size = plus((length, max(below, right)))
        return size, size
    fewest = (
        None if columns is None and below < right else least[0],
        None if rows is None and right < below else least[1],
    )
    result = fewest[0] if rows == -1 else rows, fewest[1] if columns == -1 else columns
    known = [(a, b) for a, b in zip(result, least, strict=True) if isinstance(a, int) and isinstance(b, int)]
    if any(a < b for a, b in known) or (len(known) == 2 and all(a > b for a, b in known)):
        raise ShapeError(
            f"diagonals {low} to {high} of length {length} need {least[0]} rows and {least[1]} columns, not more "
            f"of both, but `num_rows` is {rows} and `num_cols` is {columns}"
        )
    return result


def matrix_diag_part(op: OpView) -> Shape:
    """[..., l] or [..., d, l]."""
    op.rank("padding_value", 0)
    return _diagonals(op)


def _diagonals(op: OpView) -> Shape:
    """The shape of the diagonals of `input` that `k` chooses."""
    x = op.at_least("input", 2)
    ends, is_band = _ends(op)
    if x.dims is None or is_band is None:
        return UNKNOWN
    *stack, m, n = x.dims
    if ends is None:
        return Shape((*stack, None))
    low, high = ends
    for end in ends:
        if end and ((isinstance(m, int) and end <= -m) or (isinstance(n, int) and end >= n)):
            raise ShapeError(f"`k` chooses diagonal {end}, but `input` of shape {x} has none")
    length = longest(m, n, ends)
    return Shape((*stack, high - low + 1, length) if is_band else (*stack, length))


def longest(m: Dim, n: Dim, ends: tuple[int, int]) -> Dim:
    """The number of elements of the longest of some diagonals of an m by n matrix."""
    low, high = ends
    first, second = minus(m, max(-high, 0)), minus(n, max(low, 0))
    if first == second:
        return first
    return min(first, second) if isinstance(first, int) and isinstance(second, int) else None


def matrix_set_diag(op: OpView) -> Shape:
    """The input's shape; the diagonals must have exactly the shape of those that they replace."""
    x, diagonal, expected = op.at_least("input", 2), op.at_least("diagonal", 1), _diagonals(op)
    try:
        merge(diagonal, expected)
    except ShapeError:
        raise ShapeError(
            f"`diagonal` must have shape {expected}, as the diagonals of `input` {x} that it replaces, but has shape "
            f"{diagonal}"
        ) from None
    if x.dims is None:
        return _around(diagonal, is_band=_ends(op)[1])
    if diagonal.dims is None or expected.dims is None:
        return x
    stack = merge(Shape(x.dims[:-2]), Shape(diagonal.dims[: len(x.dims) - 2]))
    return Shape((*stack.known(), *x.dims[-2:]))


def _around(diagonal: Shape, *, is_band: bool | None) -> Shape:
    """The shape of unknown matrices with these diagonals."""
    if diagonal.dims is None or (is_band is None and len(diagonal.dims) > 1):
        return UNKNOWN
    return Shape((*diagonal.dims[: -2 if is_band else -1], None, None))


def _ends(op: OpView) -> tuple[tuple[int, int] | None, bool | None]:
    """The lowest and the highest diagonal that `k` chooses, if known, and whether they are several, if known."""
    shape, value = op.shape("k"), op.value("k")
    if shape.dims is not None and (len(shape.dims) > 1 or (shape.dims and shape.dims[0] not in (1, 2, None))):
        raise ShapeError(f"`k` must be one diagonal, or the lowest and the highest, but has shape {shape}")
    chosen: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(end, int) for end in chosen):
        return None, False if shape.dims in ((), (1,)) else None
    low, high = chosen[0], chosen[-1]
    if low > high:
        raise ShapeError(f"`k` is [{low}, {high}], but the lowest diagonal comes first")
    return (low, high), low < high


def _check_count(x: Shape, ends: tuple[int, int]) -> None:
    """Refuse an array of diagonals that are not as many as `k` chooses."""
    expected = ends[1] - ends[0] + 1
    try:
        merge_dim(x.known()[-2], expected)
    except ShapeError:
        raise ShapeError(
            f"`k` chooses {expected} diagonals, {ends[0]} to {ends[1]}, but `diagonal` of shape {x} has a row for each "
            f"of {x[-2]}"
        ) from None


def diag(op: OpView) -> Shape:
    """The input's shape twice."""
    x = op.at_least("diagonal", 1)
    return UNKNOWN if x.dims is None else Shape((*x.dims, *x.dims))


def diag_part(op: OpView) -> Shape:
    """Half of a shape whose halves are equal."""
    x = op.shape("input")
    if x.dims is None:
        return UNKNOWN
    half, odd = divmod(len(x.dims), 2)
    try:
        if not half or odd:
            raise ShapeError("the rank is odd or 0")
        return merge(Shape(x.dims[:half]), Shape(x.dims[half:]))
    except ShapeError:
        raise ShapeError(
            f"`input` must have some shape twice, as [2, 3, 2, 3], but has shape {x}; for the diagonals of matrices, "
            "see linalg.MatrixDiagPartV3"
        ) from None
