"""Properties of an operation's shape that hold for all inputs, determined by calling its shape function.

Only typegrad's own shape functions are called: a user's module may import code that is not generated yet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Final

from typegrad.base.errors import ShapeError, TypegradError
from typegrad.base.shape import Shape
from typegrad.graph.definition import resolve
from typegrad.shapes.view import OpView
from typegrad_codegen.dtypes import ordered
from typegrad_codegen.schema import Entry

__all__ = ["PROBED_RANKS", "accepted_ranks", "conflict", "joins_shapes", "mistake", "passed_input", "rank"]

_OWN: Final = "typegrad.shapes."
_SETTINGS: Final = 1024
"""The most settings of flags and types that are tried."""
_UNFIT: Final = (ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, TypeError, ValueError)
"""Errors of a shape function for an entry that it was not written for."""
_UNKNOWN: Final = Shape(None)
_COUNTS: Final = 2, 1
"""The numbers of operands in a list that are tried."""
_PROBES: Final = (_UNKNOWN, Shape.of(), Shape.of("A", "B"), Shape.of(3), Shape.of(1, "A", 1), Shape.of("A", None, 2, 5))
"""Shapes of an input. If the output has the same shape for each accepted one, the shape passes through."""

PROBED_RANKS: Final = range(8)
"""The ranks of an input that are tried."""


@cache
def passed_input(op: Entry) -> str:
    """The first input whose shape the only output always has; "" if there is none."""
    if not op.is_operand:
        return ""
    candidates = [
        each.name for each in op.inputs if each.kind == "one" and not each.integers and each.type != "resource"
    ]
    return next((name for name in candidates if _passes(op, name)), "")


@cache
def joins_shapes(op: Entry) -> bool:
    """Whether the only output has the shape of the inputs where they have the same, as after broadcasting."""
    operands = [each.name for each in op.inputs if not each.integers and each.type != "resource"]
    if not op.is_operand:
        return False
    answers = {probe: set(_answers(op, dict.fromkeys(operands, probe))) for probe in _PROBES}
    return all(probe in shapes <= {probe, _UNKNOWN, None} for probe, shapes in answers.items())


@cache
def rank(op: Entry) -> int | None:
    """The rank that the only output always has; None if it varies."""
    if not op.is_operand:
        return None
    answers = (outcome for outcome in _outcomes(op, {}) if not isinstance(outcome, TypegradError))
    ranks = {None if shape is None or shape.dims is None else len(shape.dims) for shape in answers}
    return ranks.pop() if len(ranks) == 1 else None


def accepted_ranks(op: Entry, name: str) -> frozenset[int]:
    """The ranks of `PROBED_RANKS` that input `name` can have."""
    shapes = {rank: Shape((None,) * rank) for rank in PROBED_RANKS}
    return frozenset(rank for rank, shape in shapes.items() if not _refused(op, {name: shape}))


def conflict(op: Entry, ranks: Mapping[str, frozenset[int]]) -> bool:
    """Whether two inputs of accepted ranks are refused when their sizes differ."""
    lowest = {name: min((rank for rank in accepted if rank), default=0) for name, accepted in ranks.items()}
    sizes = dict(zip(ranks, (5, 7), strict=True))
    unknown = {name: Shape((None,) * rank) for name, rank in lowest.items()}
    known = {name: Shape((sizes[name],) * rank) for name, rank in lowest.items()}
    alone = any(_refused(op, {name: shape}) for name, shape in known.items())
    return not alone and not _refused(op, unknown) and _refused(op, known)


def _refused(op: Entry, shapes: Mapping[str, Shape]) -> bool:
    """Whether the shape function refuses these shapes, in each setting."""
    outcome: object = None
    for outcome in _outcomes(op, shapes):
        if not isinstance(outcome, ShapeError):
            return False
    return outcome is not None


def mistake(op: Entry) -> str:
    """Why the shape function does not work for this entry; "" if it does."""
    expected = Shape if op.is_operand else (Shape, tuple)
    known: list[dict[str, Shape]] = [{each.name: probe} for each in op.inputs for probe in _PROBES if probe != _UNKNOWN]
    try:
        for shapes in ({}, *known):
            for answer in _answers(op, shapes):
                if answer is not None and not isinstance(answer, expected):
                    return f"it gives {answer!r} for {len(op.outputs)} outputs"
    except _UNFIT as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _passes(op: Entry, name: str) -> bool:
    """Whether the output has the shape of every accepted probe, and not only because both are unknown."""
    answers = [(probe, answer) for probe in _PROBES for answer in _answers(op, {name: probe}) if answer is not None]
    return all(answer == probe for probe, answer in answers) and any(answer != _UNKNOWN for _, answer in answers)


def _answers(op: Entry, shapes: Mapping[str, Shape]) -> Iterator[Shape | None]:
    """The outcomes, with None for an error."""
    return (None if isinstance(outcome, TypegradError) else outcome for outcome in _outcomes(op, shapes))


def _outcomes(op: Entry, shapes: Mapping[str, Shape]) -> Iterator[Shape | TypegradError | None]:
    """Yield the output's shape, all else being unknown, for each setting of flags and each first or last allowed type.

    Lists have two operands, and then one.

    Yield the error if the shapes are refused, and None if the result depends on a required attribute or there are too
    many settings.
    """
    if not op.functions.shape.startswith(_OWN):
        return
    function = resolve(op.functions.shape)
    attrs: dict[str, object] = {each.name: each.default for each in op.attrs if not each.required}
    choices: dict[str, Sequence[object]] = {each.name: (False, True) for each in op.attrs if each.type == "bool"}
    choices |= {each.name: ordered(each.allowed)[:: max(len(each.allowed) - 1, 1)] for each in op.types}
    missing = {each.name for each in op.attrs if each.required} | {"N"}
    if math.prod(map(len, choices.values())) > _SETTINGS:
        yield None
        return
    counts = _COUNTS if any(each.kind != "one" for each in op.inputs) else _COUNTS[:1]
    for count, *setting in product(counts, *choices.values()):
        inputs: dict[str, Shape | tuple[Shape, ...]] = {
            each.name: probe if each.kind == "one" else (probe,) * count
            for each in op.inputs
            for probe in [shapes.get(each.name, _UNKNOWN)]
        }
        view = OpView(inputs, {}, {**attrs, **dict(zip(choices, setting, strict=True))})
        try:
            yield function(view, *op.shape.arguments)
        except TypegradError as error:
            yield error
        except KeyError as error:
            if error.args[0] not in missing:
                raise
            yield None
