"""A call that creates an operation, in the form that shape functions and dtype checks take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field, frozen
from mypy.nodes import Expression, MemberExpr, NameExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, NoneType, Type, get_proper_type

from typegrad.base.errors import AttributeValueError, DTypeError, TypegradError
from typegrad.base.shape import UNKNOWN, Shape
from typegrad.base.types import ALL_TYPES, TFloat32, TInt32, TResource, TType
from typegrad.graph.attributes import check_minimum
from typegrad.graph.definition import AttrDef, InputDef, resolve
from typegrad.mypy_plugin.arrays.conversion import (
    InputValue,
    array_element,
    misfit,
    no_value,
    numpy_leaf,
    own_type,
    wrong_constant,
)
from typegrad.mypy_plugin.arrays.feeds import source_of
from typegrad.mypy_plugin.arrays.ndarrays import array_shape, type_beyond_any, type_of_array
from typegrad.mypy_plugin.base.dims import StaticShape, has_fetched, numbered, shape_of
from typegrad.mypy_plugin.base.dtypes import InputType, class_argument, leaf_of, type_name
from typegrad.mypy_plugin.base.operands import ARRAY, StaticOperand, operand_of
from typegrad.mypy_plugin.base.registry import Definition
from typegrad.mypy_plugin.calls.ranks import Pattern, Ranked, pattern_of
from typegrad.mypy_plugin.calls.shape_variables import shape_variable
from typegrad.mypy_plugin.calls.stand_ins import stand_in
from typegrad.mypy_plugin.types.declared import declared, is_accepted, is_relaxed
from typegrad.mypy_plugin.types.joins import options_of
from typegrad.mypy_plugin.types.symbols import element_type
from typegrad.mypy_plugin.values.arguments import Argument, listed
from typegrad.mypy_plugin.values.constants import value_of, with_operands
from typegrad.mypy_plugin.values.evaluation import evaluate, shape_value
from typegrad.mypy_plugin.values.expression_types import unexpected_type, written_type
from typegrad.mypy_plugin.values.scalars import is_scalar
from typegrad.mypy_plugin.values.static_values import (
    MISSING,
    NotStatic,
    as_value,
    has_fractions,
    is_known,
    nested_shape,
)
from typegrad.shapes.values import MAX_VALUE
from typegrad.shapes.view import OpView

__all__ = ["Call", "KnownAttributes"]

_Items: TypeAlias = Sequence[tuple[Argument, StaticOperand | None]]
"""The items of a list, each with what it is as an operand; None for a value in the place of one."""
_SCALAR_KINDS: Final = ("builtins.int", "builtins.float", "numpy.integer")


@frozen
class Options:
    """The shapes that an input may have, or an operand in a list of operands."""

    name: str
    position: int | None
    source: str
    """The expression, in the user's words. The same one has the same shape everywhere in the call."""
    shapes: tuple[Shape, ...]

    def __str__(self) -> str:
        *others, last = map(str, self.shapes)
        return f"{self.source} is {', '.join(others)} or {last}"


class KnownAttributes(dict[str, Any]):
    """The known attributes; reading any other one raises `NotStatic`."""

    def __missing__(self, key: str) -> Any:
        raise NotStatic


@define
class Call:
    """The inputs and attributes of an operation to create, added one by one."""

    definition: Definition
    api: CheckerPluginInterface
    called: str = ""
    """What the program calls, where it is not `create` of the operation's class."""
    shapes: dict[str, Shape | tuple[Shape, ...]] = field(factory=dict)
    patterns: dict[str, Pattern | tuple[Pattern, ...]] = field(factory=dict)
    """The inputs among `shapes`, and the attributes that are shapes, with parts that are any number of dimensions."""
    outputs: tuple[Shape, ...] = ()
    """The shapes of all outputs, once they are known."""
    ranked: Ranked | None = None
    """The shape of the only output for each number of dimensions, where some of the inputs have any number."""
    by_rank: list[InputDef] = field(factory=list)
    """The inputs whose defaults depend on a rank that is not known."""
    values: dict[str, Any] = field(factory=dict)
    attrs: dict[str, Any] = field(factory=KnownAttributes)
    input_types: list[InputType] = field(factory=list)
    input_values: list[InputValue] = field(factory=list)
    """The values passed in place of operands."""
    accepted: Sequence[Type] = ()
    """The types that values may have, where they differ from the signature of `create`."""
    element: Type | None = None
    """The element type of the array that a constant is made from."""
    is_untyped: bool = False
    """Whether what the shape of the result is made from, a constant's value or an attribute, is of type `Any`."""
    problem: TypegradError | None = None
    """The error of an attribute or a value."""
    of_integers: dict[str, type[TType]] = field(factory=dict)
    """The element types of NumPy's integers, for type attributes that no operand determines."""
    is_gradual: bool = False
    exprs: dict[tuple[str, int | None], Expression] = field(factory=dict)
    """What the inputs that are operands are in the program, and the operands in lists by their positions."""
    options: list[Options] = field(factory=list)
    """The inputs that come from branches and loops, for which `shapes` has what their possible shapes share."""
    many: dict[str, tuple[bool, ...]] = field(factory=dict)
    """For list inputs with an unknown number of operands: which of the shapes are repeated any number of times."""
    has_values: bool = False
    """Whether the result depends on values of operands, which their types do not contain."""

    def take(self, args: Mapping[str, Argument]) -> None:
        """Read all arguments of a call of `create`."""
        for input_def in self.definition.op.inputs:
            with suppress(NotStatic):
                self.take_input(input_def, args.get(input_def.name))
        self.take_rest(args)

    def take_rest(self, args: Mapping[str, Argument]) -> None:
        """Read the types and attributes, once the inputs are known."""
        self._settle_types(args)
        for attr in self.definition.op.attrs:
            with suppress(NotStatic):
                try:
                    self.attrs[attr.name] = self._attribute(attr, args.get(attr.name))
                except AttributeValueError as error:
                    self.problem = error
            if attr.kind == "tensor" and attr.name in args:
                wrong = wrong_constant(self.api, args[attr.name], args.get("dtype"))
                self.problem = type(wrong)(f"attribute `{attr.name}`: {wrong}") if wrong else self.problem

    # Inputs

    def take_input(self, input_def: InputDef, argument: Argument | None) -> None:
        """Read one input: an operand, a list of operands, or a value in place of an operand."""
        if input_def.kind != "one":
            self._take_list(input_def, argument)
        elif argument is None or (
            input_def.default is not None and isinstance(get_proper_type(argument.type), NoneType)
        ):
            self._take_default(input_def)
        else:
            type_ = type_beyond_any(self.api, argument.expr, argument.type)
            operand = operand_of(type_)
            if operand is None:
                self._take_python_value(
                    input_def, evolve(argument, type=unexpected_type(self.api, argument.expr, type_))
                )
            elif isinstance(get_proper_type(type_), AnyType) and is_scalar(self.api, argument.expr):
                self.take_operand(input_def, evolve(operand, static=StaticShape(Shape(()), is_gradual=False)))
            else:
                self.take_operand(input_def, operand, value_of(self.api, argument.expr), argument.expr)
                self.take_options(input_def.name, None, argument.expr, type_)

    def take_operand(
        self, input_def: InputDef, operand: StaticOperand, value: Any = None, expr: Expression | None = None
    ) -> None:
        """Read an input that is an operand, of this value or made by this expression if either is known."""
        if value is not None:
            self.values[input_def.name] = value
            self.has_values = True
        self.shapes[input_def.name] = self._shape(operand.static)
        pattern = self._pattern(operand, expr)
        if pattern is not None:
            self.patterns[input_def.name] = pattern
        self.input_types.append(InputType(input_def.name, operand.dtype, input_def.type))

    def take_options(self, name: str, position: int | None, expr: Expression | None, type_: Type) -> None:
        """Note what an input, or an operand in a list of operands, is, and the shapes that it may have, if several."""
        if expr is not None:
            self.exprs[name, position] = expr
        shapes = options_of(self.api, expr, type_)
        if shapes and isinstance(expr, (MemberExpr, NameExpr)):
            self.options.append(Options(name, position, source_of(expr), shapes))

    def _pattern(self, operand: StaticOperand, expr: Expression | None) -> Pattern | None:
        pattern = pattern_of(self.api, operand, expr)
        self.has_values |= isinstance(pattern, Ranked)
        return pattern

    def _shape(self, static: StaticShape) -> Shape:
        self.is_gradual |= static.is_gradual
        return static.shape

    def _take_list(self, input_def: InputDef, argument: Argument | None) -> None:
        """Read an input that is a list: operands, and values in their place."""
        items = [] if argument is None else listed(self.api, argument)
        pairs = [(item, operand_of(item.type)) for item in items]
        self.shapes[input_def.name] = tuple(
            self._value_shape(item) if operand is None else self._shape(operand.static) for item, operand in pairs
        )
        for position, item in enumerate(items):
            self.take_options(input_def.name, position, item.expr, item.type)
        self._take_patterns(input_def.name, pairs)
        if any(item.is_many for item in items):
            self.many[input_def.name] = tuple(item.is_many for item in items)
        self.values[input_def.name] = self._listed_values(items)
        self.attrs["N"] = len(items)
        if input_def.kind == "many":
            self._take_item_types(input_def, pairs)
        elif isinstance(input_def.type, str):
            leaves = [None if operand is None else leaf_of(operand.dtype) for _, operand in pairs]
            if None not in leaves:
                self.attrs[input_def.type] = tuple(leaves)

    def _take_patterns(self, name: str, pairs: _Items) -> None:
        """Note the shapes of a list's items where one of them has parts that are any number of dimensions."""
        patterns = [None if operand is None else self._pattern(operand, item.expr) for item, operand in pairs]
        if any(pattern is not None for pattern in patterns):
            shapes = self.shapes[name]
            assert isinstance(shapes, tuple)
            known = zip(patterns, shapes, strict=True)
            self.patterns[name] = tuple(shape if pattern is None else pattern for pattern, shape in known)

    def _take_item_types(self, input_def: InputDef, pairs: _Items) -> None:
        """Note the element types of a list's items, which are of one type, or the values in their place."""
        for position, (item, operand) in enumerate(pairs):
            name = input_def.name if item.is_many else f"{input_def.name}[{position}]"
            if operand is None:
                self._note_value(input_def, item, name)
            else:
                self.input_types.append(InputType(name, operand.dtype, input_def.type))

    def _listed_values(self, items: Sequence[Argument]) -> tuple[Any, ...]:
        self.has_values = True
        return tuple(None if item.is_many else self._listed_value(item) for item in items)

    def _listed_value(self, item: Argument) -> Any:
        """The value of an operand, or of Python integers, in a list."""
        if operand_of(item.type) is not None:
            return value_of(self.api, item.expr)
        value = evaluate(self.api, item.expr, item.type)
        return as_value(value) if _are_ints(value) else None

    def _take_python_value(self, input_def: InputDef, argument: Argument) -> None:
        """Read an input that is a value."""
        value = evaluate(self.api, argument.expr, argument.type)
        if input_def.integers in ("ints", "indices"):
            value = with_operands(self.api, argument.expr, value)
            self.has_values |= not is_known(value)
        sizes = self._stated_pattern(argument) if value is MISSING and input_def.integers else None
        if sizes is not None:
            self.shapes[input_def.name], self.values[input_def.name] = Shape((None,)), sizes.dims
            return
        takes_fractions = TFloat32 in self.definition.op.types.get(str(input_def.type), ())
        if input_def.integers and not takes_fractions:
            self._take_integers(input_def, argument, value)
            return
        if input_def.type is TResource:  # mypy itself reports a value in its place
            raise NotStatic
        self._note_value(input_def, argument)
        if input_def.integers and value is not MISSING and not has_fractions(value):
            self.take_value(input_def, value)
            return
        self.shapes[input_def.name] = self._value_shape(argument)
        if _are_ints(value) or isinstance(value, float):
            self.values[input_def.name] = as_value(value)

    def _take_integers(self, input_def: InputDef, argument: Argument, value: Any) -> None:
        """Read a value where only integers are taken."""
        leaf = numpy_leaf(self.api, argument.type) if isinstance(input_def.type, str) else None
        if leaf is not None:
            self.of_integers.setdefault(str(input_def.type), leaf)
        is_wrong = value is not MISSING and has_fractions(value)
        if input_def.integers == "indices" and (is_wrong or value is MISSING):
            self._note_value(input_def, argument)
        elif is_wrong:  # mypy itself reports it
            raise NotStatic
        if value is MISSING:
            self.shapes[input_def.name] = self._shape_of_unknown(input_def, argument)
        elif not is_wrong:
            self.take_value(input_def, value)

    def _value_shape(self, argument: Argument) -> Shape:
        """The shape of the operand that a value becomes."""
        with suppress(NotStatic):
            shape = array_shape(self.api, argument.expr, argument.type)
            self.is_gradual |= has_fetched(shape)
            return numbered(shape)
        return UNKNOWN

    def _shape_of_unknown(self, input_def: InputDef, argument: Argument) -> Shape:
        """The shape of integers, from their type alone."""
        proper = get_proper_type(argument.type)
        if isinstance(proper, Instance) and proper.type.fullname == ARRAY:
            return self._value_shape(argument)
        if isinstance(proper, Instance):
            if any(proper.type.has_base(name) for name in _SCALAR_KINDS):
                return Shape(())
            if input_def.integers in ("ints", "axes") and proper.type.has_base("typing.Sequence"):
                return Shape((None,))
        return UNKNOWN

    def _note_value(self, input_def: InputDef, argument: Argument, name: str = "") -> None:
        """Note a value whose element type is checked; `name` is the item's name in a list."""
        type_ = written_type(self.api, argument.expr, argument.type)
        value = InputValue(name or input_def.name, input_def.name, input_def.type, argument.expr, type_)
        self.input_values.append(value)

    def take_value(self, input_def: InputDef, value: Any) -> None:
        """Read an input that consists of Python integers."""
        self.is_gradual |= has_fetched(value)
        shape = self.shapes[input_def.name] = nested_shape(value)
        if (shape.size or 0) <= MAX_VALUE:
            self.values[input_def.name] = as_value(value)

    def _take_default(self, input_def: InputDef) -> None:
        default = input_def.default
        if isinstance(default, str):
            first = next(
                (self.shapes[each.name] for each in self.definition.op.inputs if each.name in self.shapes), None
            )
            if not isinstance(first, Shape) or first.rank is None:
                self.shapes[input_def.name] = Shape((None,)) if input_def.integers in ("ints", "axes") else UNKNOWN
                self.by_rank.append(input_def)
                return
            default = self.default_of(input_def, self.shapes)
        if default is not None:
            self.take_value(input_def, default)

    def default_of(self, input_def: InputDef, shapes: Mapping[str, Shape | tuple[Shape, ...]]) -> Any:
        """The default of an input that depends on the ranks of those before it, which are known."""
        ranks = [_InputShape(shapes[other.name]) for other in self.definition.op.inputs if other.name in shapes]
        return resolve(str(input_def.default))(None, ranks)

    # Types

    def _settle_types(self, args: Mapping[str, Argument]) -> None:
        """Determine the leaf type of each type attribute, from the inputs or from its own argument."""
        for input_type in self.input_types:
            leaf = leaf_of(input_type.dtype)
            if isinstance(input_type.declared, str) and leaf is not None:
                self.attrs.setdefault(input_type.declared, leaf)
        self._settle_values()
        for name, leaf in self.of_integers.items():
            self.attrs.setdefault(name, leaf)
        fixed = self.definition.fixed_types
        lists = [item.type for item in self.definition.op.inputs if item.kind == "many"]  # their items may be unknown
        for name, allowed in self.definition.op.types.items():
            if name in self.attrs:
                continue
            leaf = _integer_type(allowed) if name in fixed else self._stated_type(name, args.get(name))
            places = (
                [input_type.declared for input_type in self.input_types]
                + [value.declared for value in self.input_values]
                + lists
            )
            if leaf is not None and name not in places:
                self.attrs[name] = leaf

    def _settle_values(self) -> None:
        """Check the values against the types of the operands; without operands, infer the type from the values."""
        fixed = {each.declared: each for each in reversed(self.input_types)}
        alone: dict[str, list[InputValue]] = {}
        for each in self.input_values:
            beside = fixed.get(each.declared)
            if beside is not None:
                wrong = misfit(self.api, beside.dtype, each.expr, each.type)
                self._check(each, wrong.beside(each.name, beside.name, type_name(beside.dtype)) if wrong else None)
            elif isinstance(each.declared, str):
                alone.setdefault(each.declared, []).append(each)
            else:
                dtype = element_type(self.api, each.declared)
                wrong = misfit(self.api, dtype, each.expr, each.type)
                self._check(each, wrong.alone(each.name, type_name(dtype)) if wrong else None)
        for name, values in alone.items():
            own = own_type(self.api, values, self.definition.op.types[name])
            for each in values:
                self._check(each, own if isinstance(own, str) else None)
            if own is not None and not isinstance(own, str):
                self.attrs.setdefault(name, own)

    def _check(self, value: InputValue, problem: str | None) -> None:
        """Record the problem of a value; if it has none, check the declared types, since mypy sees relaxed ones."""
        types = self.accepted or declared(self.api, self.definition, value.input)
        array = None if value.expr is None else type_of_array(self.api, value.expr)
        known = array or value.type  # NumPy's types may say another dtype
        if problem is None and is_relaxed(self.api, value.type) and not is_accepted(known, types):
            problem = f"{value.name} {no_value(evaluate(self.api, value.expr, value.type), value.type)}"
        if problem is not None:
            self.problem = DTypeError(problem)

    def _stated_type(self, name: str, argument: Argument | None) -> type[TType] | None:
        if argument is None:
            default = self.definition.defaults.get(name)
            return default if default in ALL_TYPES else None
        stated = class_argument(argument.type)
        return None if stated is None else leaf_of(stated)

    # Attributes

    def _attribute(self, attr_def: AttrDef, argument: Argument | None) -> Any:
        if argument is None:
            return self._checked(attr_def, self.definition.defaults.get(attr_def.name, MISSING))
        self.is_untyped |= attr_def.kind in ("shape", "tensor") and isinstance(get_proper_type(argument.type), AnyType)
        if attr_def.kind == "tensor":
            self.element = array_element(self.api, argument.expr, argument.type)
            shape = numbered(array_shape(self.api, argument.expr, argument.type))
            return stand_in(shape, evaluate(self.api, argument.expr, argument.type))
        pattern = self._stated_pattern(argument) if attr_def.kind == "shape" else None
        if pattern is not None:
            self.patterns[attr_def.name] = pattern
            return UNKNOWN
        return self._checked(attr_def, evaluate(self.api, argument.expr, argument.type))

    def _stated_pattern(self, argument: Argument) -> Shape | None:
        """The shape that `x.shape` is for an operand with any number of dimensions; None for any other value."""
        variable = shape_variable(self.api, argument.expr)
        return None if variable is None else shape_of(variable).pattern

    def _checked(self, attr_def: AttrDef, value: Any) -> Any:
        if attr_def.kind == "shape":
            self.is_gradual |= has_fetched(value)
            return shape_value(self.api, value)
        if isinstance(value, tuple) and attr_def.kind == "list(int)":
            value = tuple(each if type(each) is int else None for each in value)
        elif not is_known(value):
            raise NotStatic
        if isinstance(value, tuple if attr_def.kind.startswith("list(") else (int, float)):  # mypy reports other types
            check_minimum(attr_def, value)
        return value

    # The view of shape functions

    def view(self) -> OpView:
        """The operation for shape functions; `NotStatic` if the shape or the number of an input is missing."""
        if self.many or any(item.name not in self.shapes for item in self.definition.op.inputs):
            raise NotStatic
        return OpView(self.shapes, self.values, self.attrs)


@frozen
class _InputShape:
    """An input in the form that functions of defaults take."""

    shape: Shape | tuple[Shape, ...]

    @property
    def rank(self) -> int | None:
        return None if isinstance(self.shape, tuple) else self.shape.rank


def _are_ints(value: Any) -> bool:
    """Whether a value consists of integers, few enough for shape functions."""
    if isinstance(value, tuple):
        return len(value) <= MAX_VALUE and all(map(_are_ints, value))
    return type(value) is int


def _integer_type(allowed: frozenset[type[TType]]) -> type[TType]:
    """The element type of Python integers where no operand determines it."""
    return TInt32 if TInt32 in allowed else min(allowed, key=lambda leaf: leaf.enum)
