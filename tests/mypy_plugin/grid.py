"""The cases of all operations as calls for mypy and for the runtime, with different knowledge of their inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Any, Final

import numpy as np
from attrs import frozen

import typegrad as tg
from support.case import Accumulator, Case, Var
from support.recording import Array, as_array
from support.registry import by_op, definition, stated
from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.base.types import BY_TF_NAME, TResource, TType, from_numpy
from typegrad.graph.definition import InputDef
from typegrad.graph.operation import Operation
from typegrad.graph.scope import as_operation

__all__ = ["KNOWLEDGE", "Question", "questions"]

_INTEGERS: Final = ("integers written out", "integers as constants", "integers unknown")
"""The kinds of integer inputs. Constants with only one kind of knowledge: mypy is slow for many overloaded calls."""
_VALUES: Final = ("the last operand a value", "nothing but values")
"""The kinds of operands with known values."""
_DEEPEST: Final = 4
"""The maximum depth of nested lists that type checkers accept."""
LIMIT: Final = 4
"""The maximum number of cases of an operation."""
_SOME: Final = 6
"""Of how many kinds of knowledge a case has one, if not all."""


def _each(dim: Callable[[int, int, int], Dim]) -> Callable[[tuple[int, ...]], Shape]:
    return lambda sizes: Shape(tuple(dim(position, size, len(sizes)) for position, size in enumerate(sizes)))


KNOWLEDGE: Final[dict[str, Callable[[tuple[int, ...]], Shape]]] = {
    "sizes": _each(lambda position, size, rank: size),
    "names": _each(lambda position, size, rank: f"Size{size}" if size > 1 else size),
    "first name": _each(lambda position, size, rank: f"Size{size}" if position == 0 and size > 1 else size),
    "not the first": _each(lambda position, size, rank: None if position == 0 else size),
    "not the last": _each(lambda position, size, rank: None if position == rank - 1 else size),
    "ranks": _each(lambda position, size, rank: None),
    "nothing": lambda sizes: UNKNOWN,
}
"""The kinds of knowledge of an operand's shape."""


@frozen(eq=False)
class Question:
    """One call of `create`."""

    case: Case
    label: str
    parameters: str
    call: str
    build: Callable[[], Operation]


def questions() -> Iterator[Question]:
    """Several cases for every operation: one with all kinds of knowledge, each of the others with some of them."""
    turns = count()
    for name, cases in sorted(by_op().items()):
        for number, case in enumerate(_different([case for _, case in cases])):
            asked = list(_questions_of(name, case))
            yield from asked if number == 0 else asked[next(turns) % _SOME :: _SOME]


def _questions_of(name: str, case: Case) -> Iterator[Question]:
    for label, shape in KNOWLEDGE.items():
        for integers in _INTEGERS if _has_integers(case) else _INTEGERS[:1]:
            if integers == _INTEGERS[1] and label != "first name":
                continue
            yield _question(case, f"{name}, {label}, {integers}", shape, integers)
    for values in _VALUES:
        yield _question(case, f"{name}, sizes, {values}", KNOWLEDGE["sizes"], values)


def _has_integers(case: Case) -> bool:
    return any(item.integers for item in definition(case.op).inputs) or any(
        not isinstance(value, (tuple, Var)) and as_array(value).dtype.kind in "iu" for value in case.inputs
    )


def _different(cases: list[Case]) -> list[Case]:
    """Cases that differ in more than the values of their operands."""
    by_outline: dict[str, Case] = {}
    for case in cases:
        attrs = {name: value for name, value in stated(case).items() if name not in definition(case.op).types}
        by_outline.setdefault(repr(([_outline(case, index) for index in range(len(case.inputs))], attrs)), case)
    chosen = list(by_outline.values())
    return chosen[:: max(1, -(-len(chosen) // LIMIT))]


def _outline(case: Case, index: int) -> Any:
    value = case.inputs[index]
    if isinstance(value, tuple):
        return [as_array(item).shape for item in value]
    if isinstance(value, Var):
        return "variable"
    array = as_array(value)
    return array.tolist() if definition(case.op).inputs[index].integers else array.shape


def _all(made: Sequence[tuple[str, Callable[[tg.Scope], Any]]]) -> Callable[[tg.Scope], Any]:
    return lambda scope: [build(scope) for _, build in made]


def _just(value: object) -> Callable[[tg.Scope], Any]:
    return lambda scope: value


def _question(case: Case, label: str, shape: Callable[[tuple[int, ...]], Shape], integers: str) -> Question:
    op_def = definition(case.op)
    parameters: list[str] = []
    arguments: list[str] = []
    builders: list[Callable[[tg.Scope], Any]] = []
    last = max((position for position, item in enumerate(op_def.inputs) if not item.integers), default=None)
    for position, (item, value) in enumerate(zip(op_def.inputs, case.inputs, strict=True)):
        is_value = not item.integers and (integers == _VALUES[1] or (integers == _VALUES[0] and position == last))
        if is_value and (plain := _plain(value)) is not None:
            arguments.append(repr(plain))
            builders.append(_just(plain))
        elif isinstance(value, tuple):
            names = [f"{item.name}_{i}" for i in range(len(value))]
            made = [_operand(name, element, shape) for name, element in zip(names, value, strict=True)]
            parameters += [text for text, _ in made]
            arguments.append(f"[{', '.join(names)}]")
            builders.append(_all(made))
        elif integers == _INTEGERS[1] and (constant := _constant(value)) is not None:
            arguments.append(constant[0])
            builders.append(constant[1])
        elif integers == _INTEGERS[0] and (written := _as_integers(item, value)) is not None:
            arguments.append(repr(written))
            builders.append(_just(written))
        else:
            text, build = _operand(f"{item.name}_", value, shape)
            parameters.append(text)
            arguments.append(f"{item.name}_")
            builders.append(build)
    attrs = _attrs(case)
    arguments += [f"{name}={text}" for name, (text, _) in attrs.items()]
    group = op_def.module.split(".")[-2]

    def build_all() -> Operation:
        scope = tg.Scope(tg.Graph(seed=1))
        inputs = [builder(scope) for builder in builders]
        return as_operation(
            op_def.wrapper.create(scope, *inputs, **{name: value for name, (_, value) in attrs.items()})
        )

    call = f"{group}.{op_def.class_name}.create({', '.join(['scope', *arguments])})"
    return Question(case, label, ", ".join(["scope: tg.Scope", *parameters]), call, build_all)


def _operand(
    name: str, value: Any, shape: Callable[[tuple[int, ...]], Shape]
) -> tuple[str, Callable[[tg.Scope], tg.Output[Any]]]:
    """An operand as a parameter of a function, and in a graph."""
    from typegrad.op import core, train

    if isinstance(value, Accumulator):
        accumulated = _leaf(as_array(value.value))
        return f"{name}: tg.Operand[tg.TResource]", lambda scope: train.ResourceConditionalAccumulator.create(
            scope, accumulated, shape=None
        ).as_output()
    if isinstance(value, Var):
        dtype = tg.TFloat32 if value.value is None else _leaf(as_array(value.value))
        return f"{name}: tg.Operand[tg.TResource]", lambda scope: core.VarHandleOp.create(
            scope, dtype, shape=None
        ).as_output()
    array = as_array(value)
    known = shape(array.shape)
    annotation = f"{name}: tg.Operand[tg.{_leaf(array).__name__}, {shape_text(known)}]"
    return annotation, lambda scope: core.Placeholder.create(scope, _leaf(array), shape=known).as_output()


def _leaf(array: Array) -> type[Any]:
    leaf = from_numpy(array.dtype)
    assert leaf is not None
    return leaf


def shape_text(shape: Shape) -> str:
    """A shape as a static type."""
    if shape.dims is None:
        return "tuple[Any, ...]"
    items = ["int" if dim is None else dim if isinstance(dim, str) else f"Literal[{dim}]" for dim in shape.dims]
    return f"tuple[{', '.join(items) or '()'}]"


def _as_integers(input_def: InputDef, value: Any) -> Any:
    """An input as Python integers, where they are accepted."""
    if not input_def.integers or isinstance(value, Var):
        return None
    array = as_array(value)
    ranks = {"int": (0,), "ints": (1,), "axes": (0, 1), "indices": (0, 1, 2)}[input_def.integers]
    if (
        array.dtype.kind not in "iu"
        or array.ndim not in ranks
        or array.size > 30
        or np.abs(array.astype(float)).max(initial=0) > 2**31
    ):
        return None
    return array.tolist() if array.ndim != 1 else tuple(array.tolist())


def _plain(value: Any) -> Any:
    """An operand, or a list of them, as Python numbers, where that loses nothing but the element type."""
    if isinstance(value, tuple):
        items = [_plain(item) for item in value]
        return None if None in items else items
    array = None if isinstance(value, Var) else as_array(value)
    if array is None or array.size > 30 or array.ndim > _DEEPEST or array.dtype.kind not in "biufc":
        return None
    if not np.isfinite(array).all():
        return None
    return array.tolist()


def _constant(value: Any) -> tuple[str, Callable[[tg.Scope], Any]] | None:
    """A few integers as a constant."""
    from typegrad.op import core

    array = None if isinstance(value, Var) else as_array(value)
    if array is None or array.dtype.kind not in "iu" or not 0 < array.size <= 30 or float(array.max()) >= 2**63:
        return None
    numbers, leaf = array.tolist(), _leaf(array)
    text = f"core.Constant.create(scope, {numbers!r}, tg.{leaf.__name__})"
    return text, lambda scope: core.Constant.create(scope, numbers, leaf)


def _attrs(case: Case) -> dict[str, tuple[str, Any]]:
    """The attributes as source and as values."""
    op_def = definition(case.op)
    attrs: dict[str, tuple[str, Any]] = {}
    for name, value in stated(case).items():
        if name in op_def.types:
            leaf: type[TType] = BY_TF_NAME[value]
            attrs[name] = f"tg.{leaf.__name__}", leaf
        elif isinstance(value, np.ndarray):
            attrs[name] = (
                (repr(value.tolist()) if 0 < value.size <= 30 else f"np.zeros({value.shape}, np.float32)"),
                value,
            )
        else:
            attrs[name] = _source(value), value
    return attrs


def _source(value: Any) -> str:
    if isinstance(value, float) and (np.isnan(value) or np.isinf(value)):
        return f'float("{value}")'
    return repr(value)


__all__ += ["TResource", "shape_text"]
