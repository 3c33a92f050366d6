"""One call that makes an operation, as the shape functions and the dtype rules see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from attrs import define, field, frozen
from mypy.nodes import ARG_NAMED, ARG_POS, Expression, ListExpr, StarExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface, FunctionContext, MethodContext
from mypy.types import Instance, NoneType, TupleType, Type, get_proper_type

from typegrad.base.errors import AttributeValueError, DTypeError, TypegradError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.types import ALL_TYPES, TInt32, TResource, TType
from typegrad.graph.construction import check_minimum
from typegrad.graph.definition import AttrDef, InputDef, resolve
from typegrad.mypy_plugin.arrays import ARRAY
from typegrad.mypy_plugin.conversion import Written, described, misfit, own_type
from typegrad.mypy_plugin.declared import declared, is_accepted, is_relaxed
from typegrad.mypy_plugin.dims import StaticShape
from typegrad.mypy_plugin.dtypes import Held, class_argument, leaf_of, type_name
from typegrad.mypy_plugin.literals import (
    MISSING,
    NotStatic,
    array_shape,
    as_value,
    evaluate,
    expression_type,
    is_known,
    nested_shape,
    shape_value,
    stand_in,
    written_type,
)
from typegrad.mypy_plugin.operands import StaticOperand, base_of, operand_of
from typegrad.mypy_plugin.registry import Definition
from typegrad.mypy_plugin.symbols import element_type
from typegrad.mypy_plugin.values import value_of
from typegrad.shapes.values import MAX_VALUE
from typegrad.shapes.view import OpView

__all__ = ["Argument", "Call", "arguments"]


@frozen
class Argument:
    """An argument of a call. `expr` is None where only the type is known."""

    expr: Expression | None
    type: Type


def arguments(ctx: FunctionContext | MethodContext) -> dict[str, Argument]:
    """The arguments of a call by name; `NotStatic` if some come from `*args` or `**kwargs`."""
    found: dict[str, Argument] = {}
    for name, exprs, types, kinds in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, strict=True):
        if not types:
            continue
        if len(types) > 1 or kinds[0] not in (ARG_POS, ARG_NAMED):
            raise NotStatic
        if name is not None:
            found[name] = Argument(exprs[0], types[0])
    return found


class _Known(dict[str, Any]):
    """Attributes that are known; a shape function that asks for another one gets no answer."""

    def __missing__(self, key: str) -> Any:
        raise NotStatic


@define
class Call:
    """Inputs and attributes of an operation that is being made, filled in input by input."""

    definition: Definition
    api: CheckerPluginInterface
    shapes: dict[str, Shape | tuple[Shape, ...]] = field(factory=dict)
    values: dict[str, Any] = field(factory=dict)
    attrs: dict[str, Any] = field(factory=_Known)
    held: list[Held] = field(factory=list)
    written: list[Written] = field(factory=list)
    """The values that stand in place of operands."""
    accepted: Sequence[Type] = ()
    """What values may be, if it is not what `create` says."""
    problem: TypegradError | None = None
    """What is wrong with an attribute or a value."""
    is_reflected: bool = False
    """Whether it is made by an operator whose left side is no operand."""
    is_gradual: bool = False
    has_values: bool = False
    """Whether something depends on the values of operands, which their types do not tell."""

    def take(self, given: Mapping[str, Argument]) -> None:
        """Read all arguments of a call of `create`."""
        for spec in self.definition.op.inputs:
            with suppress(NotStatic):
                self.take_input(spec, given.get(spec.name))
        self.take_rest(given)

    def take_rest(self, given: Mapping[str, Argument]) -> None:
        """Read the types and attributes, once the inputs are known."""
        self._settle_types(given)
        for attr in self.definition.op.attrs:
            with suppress(NotStatic):
                try:
                    self.attrs[attr.name] = self._attribute(attr, given.get(attr.name))
                except AttributeValueError as error:
                    self.problem = error

    # Inputs

    def take_input(self, spec: InputDef, argument: Argument | None) -> None:
        """Read one input: an operand, a list of operands, or what may stand for an operand."""
        if spec.kind != "one":
            self._take_list(spec, argument)
        elif argument is None or (spec.default is not None and isinstance(get_proper_type(argument.type), NoneType)):
            self._take_default(spec)
        else:
            operand = operand_of(argument.type)
            if operand is None:
                self._take_literal(spec, argument)
            else:
                self.take_operand(spec, operand, value_of(self.api, argument.expr))

    def take_operand(self, spec: InputDef, operand: StaticOperand, value: Any = None) -> None:
        """Read an input that is an operand."""
        if value is not None:
            self.values[spec.name] = value
            self.has_values = True
        self.shapes[spec.name] = self._shape(operand.static)
        self.held.append(Held(spec.name, operand.dtype, spec.type))

    def _shape(self, static: StaticShape) -> Shape:
        self.is_gradual |= static.is_gradual
        return static.shape

    def _take_list(self, spec: InputDef, argument: Argument | None) -> None:
        items = None if argument is None else _listed(self.api, argument)
        if items is None or argument is None:
            self._take_sequence(spec, argument)
            return
        operands = [operand_of(item.type) for item in items]
        self.shapes[spec.name] = tuple(
            _value_shape(self.api, item) if operand is None else self._shape(operand.static)
            for operand, item in zip(operands, items, strict=True)
        )
        self.values[spec.name] = self._listed_values(argument.expr, len(items))
        self.attrs["N"] = len(items)
        if spec.kind == "many":
            for i, (operand, item) in enumerate(zip(operands, items, strict=True)):
                name = f"{spec.name}[{i}]"
                if operand is None:
                    self.written.append(
                        Written(name, spec.name, spec.type, item.expr, written_type(self.api, item.expr, item.type))
                    )
                else:
                    self.held.append(Held(name, operand.dtype, spec.type))
        elif isinstance(spec.type, str):
            leaves = [None if operand is None else leaf_of(operand.dtype) for operand in operands]
            if None not in leaves:
                self.attrs[spec.type] = tuple(leaves)

    def _take_sequence(self, spec: InputDef, argument: Argument | None) -> None:
        """Read a list of which only the type is known."""
        sequence = None if argument is None else base_of(argument.type, "typing.Sequence")
        item = None if sequence is None else operand_of(sequence.args[0])
        if item is not None and spec.kind == "many":
            self.held.append(Held(spec.name, item.dtype, spec.type))

    def _listed_values(self, expr: Expression | None, count: int) -> tuple[Any, ...]:
        if not isinstance(expr, (ListExpr, TupleExpr)):
            return (None,) * count
        self.has_values = True
        return tuple(value_of(self.api, item) for item in expr.items)

    def _take_literal(self, spec: InputDef, argument: Argument) -> None:
        """Read an input that is a value."""
        value = evaluate(self.api, argument.expr, argument.type)
        if not spec.literal:
            if spec.type is TResource:  # of a value in its place mypy speaks
                raise NotStatic
            self.written.append(
                Written(
                    spec.name, spec.name, spec.type, argument.expr, written_type(self.api, argument.expr, argument.type)
                )
            )
            self.shapes[spec.name] = _value_shape(self.api, argument)
            if _are_ints(value):
                self.values[spec.name] = as_value(value)
        elif value is MISSING:
            self.shapes[spec.name] = _shape_of_unknown(self.api, spec, argument)
        else:
            self.take_value(spec, value)

    def take_value(self, spec: InputDef, value: Any) -> None:
        """Read an input that is made of Python integers."""
        shape = self.shapes[spec.name] = nested_shape(value)
        if (shape.size or 0) <= MAX_VALUE:
            self.values[spec.name] = as_value(value)

    def _take_default(self, spec: InputDef) -> None:
        default = spec.default
        if isinstance(default, str):
            ranks = [
                _Ranked(self.shapes[other.name]) for other in self.definition.op.inputs if other.name in self.shapes
            ]
            if not ranks or ranks[0].rank is None:
                self.shapes[spec.name] = Shape((None,)) if spec.literal in ("ints", "axes") else UNKNOWN
                return
            default = resolve(default)(None, ranks)
        if default is not None:
            self.take_value(spec, default)

    # Types

    def _settle_types(self, given: Mapping[str, Argument]) -> None:
        """Find the leaf type of each type attribute, from the inputs or from the argument that states it."""
        for held in self.held:
            leaf = leaf_of(held.dtype)
            if isinstance(held.spec, str) and leaf is not None:
                self.attrs.setdefault(held.spec, leaf)
        self._settle_values()
        fixed = self.definition.fixed_types
        lists = [spec.type for spec in self.definition.op.inputs if spec.kind == "many"]  # their items may be unknown
        for name, allowed in self.definition.op.types.items():
            if name in self.attrs:
                continue
            leaf = _literal_type(allowed) if name in fixed else self._stated_type(name, given.get(name))
            places = [held.spec for held in self.held] + [value.spec for value in self.written] + lists
            if leaf is not None and name not in places:
                self.attrs[name] = leaf

    def _settle_values(self) -> None:
        """Check the values against the types that operands fix; values alone have a type of their own."""
        held = {each.spec: each for each in reversed(self.held)}
        alone: dict[str, list[Written]] = {}
        for each in self.written:
            beside = held.get(each.spec)
            if beside is not None:
                wrong = misfit(self.api, beside.dtype, each.expr, each.type)
                self._check(each, wrong.beside(each.name, beside.name, type_name(beside.dtype)) if wrong else None)
            elif isinstance(each.spec, str):
                alone.setdefault(each.spec, []).append(each)
            else:
                dtype = element_type(self.api, each.spec)
                wrong = misfit(self.api, dtype, each.expr, each.type)
                self._check(each, wrong.alone(each.name, type_name(dtype)) if wrong else None)
        for name, values in alone.items():
            own = own_type(self.api, values, self.definition.op.types[name])
            for each in values:
                self._check(each, own if isinstance(own, str) else None)
            if own is not None and not isinstance(own, str):
                self.attrs.setdefault(name, own)

    def _check(self, value: Written, problem: str | None) -> None:
        """Keep the problem of a value; without one, refuse what mypy alone refuses, for the signature that it sees is relaxed."""
        types = self.accepted or declared(self.api, self.definition, value.input)
        if problem is None and is_relaxed(self.api, value.type) and not is_accepted(value.type, types):
            found = described(evaluate(self.api, value.expr, value.type), value.type)
            problem = f"{value.name} {found}, but must be an operand or a value that the operation takes"
        if problem is not None:
            self.problem = DTypeError(problem)

    def _stated_type(self, name: str, argument: Argument | None) -> type[TType] | None:
        if argument is None:
            default = self.definition.defaults.get(name)
            return default if default in ALL_TYPES else None
        stated = class_argument(argument.type)
        return None if stated is None else leaf_of(stated)

    # Attributes

    def _attribute(self, spec: AttrDef, argument: Argument | None) -> Any:
        if argument is None:
            return self._checked(spec, self.definition.defaults.get(spec.name, MISSING))
        if spec.kind == "tensor":
            shape = array_shape(self.api, argument.expr, argument.type)
            return stand_in(shape, evaluate(self.api, argument.expr, argument.type))
        return self._checked(spec, evaluate(self.api, argument.expr, argument.type))

    def _checked(self, spec: AttrDef, value: Any) -> Any:
        if spec.kind == "shape":
            return shape_value(self.api, value)
        if not is_known(value):
            raise NotStatic
        if isinstance(value, tuple if spec.kind.startswith("list(") else (int, float)):  # of other types mypy speaks
            check_minimum(spec, value)
        return value

    # What shape functions see

    def view(self) -> OpView:
        """The operation, if enough of it is known."""
        if any(spec.name not in self.shapes for spec in self.definition.op.inputs):
            raise NotStatic
        return OpView(self.shapes, self.values, self.attrs)


@frozen
class _Ranked:
    """An input as the functions for defaults see it."""

    shape: Shape | tuple[Shape, ...]

    @property
    def rank(self) -> int | None:
        return None if isinstance(self.shape, tuple) else self.shape.rank


def _listed(api: CheckerPluginInterface, argument: Argument) -> list[Argument] | None:
    """The items of a list input, if their number is known."""
    expr, proper = argument.expr, get_proper_type(argument.type)
    if isinstance(expr, (ListExpr, TupleExpr)) and not any(isinstance(item, StarExpr) for item in expr.items):
        return [Argument(item, expression_type(api, item)) for item in expr.items]
    return [Argument(None, item) for item in proper.items] if isinstance(proper, TupleType) else None


def _value_shape(api: CheckerPluginInterface, argument: Argument) -> Shape:
    with suppress(NotStatic):
        return array_shape(api, argument.expr, argument.type)
    return UNKNOWN


def _are_ints(value: Any) -> bool:
    """Whether a value is made of integers, few enough for shape functions."""
    if isinstance(value, tuple):
        return len(value) <= MAX_VALUE and all(map(_are_ints, value))
    return type(value) is int


_SCALAR_KINDS: Final = ("builtins.int", "builtins.float")


def _shape_of_unknown(api: CheckerPluginInterface, spec: InputDef, argument: Argument) -> Shape:
    """The shape of integers of which only the type is known."""
    proper = get_proper_type(argument.type)
    if isinstance(proper, Instance) and proper.type.fullname == ARRAY:
        return _value_shape(api, argument)
    if isinstance(proper, Instance):
        if any(proper.type.has_base(name) for name in _SCALAR_KINDS):
            return Shape(())
        if spec.literal in ("ints", "axes") and proper.type.has_base("typing.Sequence"):
            return Shape((None,))
    return UNKNOWN


def _literal_type(allowed: frozenset[type[TType]]) -> type[TType]:
    """The type of Python integers where no operand says it."""
    return TInt32 if TInt32 in allowed else min(allowed, key=lambda leaf: leaf.enum)
