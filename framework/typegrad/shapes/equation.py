"""Einsum equations, such as "bij,bjk->bik": parsing, and the sizes of labels and ellipses.

Shape function, kernel and gradient all work on the same parsed `Equation`. No NumPy here: shape functions import none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from typing import Final

from attrs import frozen

from typegrad.base.brief import counted
from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import SCALAR, UNKNOWN, Dim, Shape, broadcast, merge_dim

__all__ = ["ELLIPSIS", "Equation", "Term", "parse"]

ELLIPSIS: Final = "..."
MAX_OPERANDS: Final = 2


@frozen
class Term:
    """The labels of one operand or of the result, one character per dimension."""

    before: str
    """The labels before the ellipsis; all of them if there is none."""
    after: str
    ellipsis: bool

    @property
    def labels(self) -> str:
        """All labels, without the ellipsis."""
        return self.before + self.after

    @property
    def unique(self) -> str:
        """Each label once, in order."""
        return "".join(dict.fromkeys(self.labels))

    def split(self, shape: tuple[Dim, ...]) -> tuple[tuple[Dim, ...], tuple[Dim, ...]]:
        """The dimensions of `shape` that have labels, and the dimensions of the ellipsis."""
        start, stop = len(self.before), len(shape) - len(self.after)
        return shape[:start] + shape[stop:], shape[start:stop]

    def axis(self, label: str, rank: int) -> int:
        """The first dimension called `label` in an operand of this rank."""
        index = self.labels.index(label)
        return index if index < len(self.before) else index - len(self.labels) + rank

    def __str__(self) -> str:
        return self.before + (ELLIPSIS if self.ellipsis else "") + self.after


@frozen
class Equation:
    """A parsed equation."""

    inputs: tuple[Term, ...]
    output: Term

    def infer(self, shapes: Sequence[Shape]) -> Shape:
        """The shape of the result; a `ShapeError` if operands of these shapes do not fit the equation."""
        if len(shapes) != len(self.inputs):
            raise ShapeError(
                f"equation {str(self)!r} takes {counted(len(self.inputs), 'input')}, but got {len(shapes)}"
            )
        sizes: dict[str, Dim] = {}
        ellipses = [self._match(position, shape, sizes) for position, shape in enumerate(shapes)]
        try:
            batch = reduce(broadcast, ellipses, SCALAR)
        except ShapeError as error:
            raise ShapeError(f"in equation {str(self)!r}, the dimensions of the ellipses do not fit: {error}") from None
        if not self.output.ellipsis and batch.rank:
            raise ShapeError(
                f"equation {str(self)!r} has no ellipsis in its result, but in the inputs it has dimensions {batch}; "
                f"write '->{ELLIPSIS}{self.output}' to keep them"
            )
        known = [tuple(sizes[label] for label in part) for part in (self.output.before, self.output.after)]
        if not self.output.ellipsis:
            return Shape(known[0])
        return UNKNOWN if batch.dims is None else Shape(known[0] + batch.dims + known[1])

    def _match(self, position: int, shape: Shape, sizes: dict[str, Dim]) -> Shape:
        """Record the size of each label of one operand, and return the dimensions of its ellipsis."""
        term = self.inputs[position]
        if shape.dims is None:
            sizes.update({label: sizes.get(label) for label in term.labels})
            return UNKNOWN if term.ellipsis else SCALAR
        rank, least = len(shape.dims), len(term.labels)
        if rank < least or (rank > least and not term.ellipsis):
            needed = f"rank {least} or more" if term.ellipsis else f"rank {least}"
            raise ShapeError(f"inputs[{position}] has shape {shape}, but {str(term)!r} in {str(self)!r} needs {needed}")
        named, ellipsis = term.split(shape.dims)
        for label, dim in zip(term.labels, named, strict=True):
            try:
                sizes[label] = merge_dim(sizes.get(label), dim)
            except ShapeError:
                raise ShapeError(
                    f"label {label!r} of equation {str(self)!r} is {sizes[label]}, "
                    f"but inputs[{position}] of shape {shape} has {dim} there"
                ) from None
        return Shape(ellipsis)

    def __str__(self) -> str:
        return ",".join(map(str, self.inputs)) + f"->{self.output}"


@lru_cache(maxsize=1024)
def parse(equation: str) -> Equation:
    """Parse an equation of one or two operands; an `AttributeValueError` says what is wrong with it."""
    sides = equation.split("->")
    if len(sides) != 2:
        raise AttributeValueError(f"equation {equation!r} must contain '->' exactly once, as in 'ij,jk->ik'")
    terms = sides[0].split(",")
    if len(terms) > MAX_OPERANDS:
        raise AttributeValueError(
            f"equation {equation!r} has {len(terms)} operands, but at most {MAX_OPERANDS} are possible; combine "
            "them in steps"
        )
    inputs = tuple(_term(term, equation) for term in terms)
    output = _term(sides[1], equation)
    for label in output.labels:
        if not any(label in term.labels for term in inputs):
            raise AttributeValueError(f"label {label!r} in the result of equation {equation!r} is in no operand")
    return Equation(inputs, output)


def _term(text: str, equation: str) -> Term:
    before, *rest = text.split(ELLIPSIS)
    if len(rest) > 1:
        raise AttributeValueError(f"{text!r} in equation {equation!r} has more than one ellipsis")
    after = rest[0] if rest else ""
    if "." in before + after or "," in before + after:
        raise AttributeValueError(
            f"{text!r} in equation {equation!r}: a dot is only allowed in an ellipsis ('...'), a comma only "
            "between operands"
        )
    return Term(before, after, bool(rest))
