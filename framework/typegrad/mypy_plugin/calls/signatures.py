"""Signatures that accept any element type, so that the plugin can report which one does not fit, in the user's terms.

For `create(scope, a: Operand[T], b: Operand[T])` with float32 and int32, mypy can only report that it "cannot infer" T.
With a type variable for each input, mypy accepts the call, and `dtypes.find_problem` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import define, field
from mypy.expandtype import expand_type
from mypy.nodes import CallExpr, ConditionalExpr, Expression, NameExpr, StrExpr, SymbolNode, Var
from mypy.plugin import CheckerPluginInterface, FunctionSigContext, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeType,
    TypeVarId,
    TypeVarLikeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.base.types import TResource
from typegrad.graph.definition import InputDef
from typegrad.mypy_plugin.arguments.passed import type_of_argument
from typegrad.mypy_plugin.arrays.ndarrays import states_sizes
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dtypes import class_argument, leaf_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, union_items
from typegrad.mypy_plugin.base.registry import definition_of
from typegrad.mypy_plugin.base.syntax import is_plain_call
from typegrad.mypy_plugin.types.declared import any_values
from typegrad.mypy_plugin.types.not_operands import is_operand
from typegrad.mypy_plugin.types.open_shapes import in_generic_shape
from typegrad.mypy_plugin.types.symbols import any_tuple
from typegrad.mypy_plugin.values.following import bound_values, only_value

__all__ = [
    "index_signature",
    "input_signature",
    "of_any_rank",
    "of_stated_type",
    "operation_signature",
    "operator_signature",
    "value_signature",
]

_FIRST_ID: Final = -1000
"""Below the ids of the type variables that a signature already has."""

_relaxed_forms: Final = Memory[tuple[SymbolNode | None, frozenset[str | None]], CallableType]()
_relaxed_operators: Final = Memory[tuple[SymbolNode | None, Type, bool], CallableType]()


def of_any_rank(ctx: MethodSigContext) -> MethodSigContext:
    """The signature with tuples of Any for results of shape Any, which is needed in generic functions alone."""
    signature = ctx.default_signature
    items = union_items(signature.ret_type)
    if not any(map(_is_of_any_shape, items)) or (in_generic_shape(ctx.api) and _may_keep_shape(ctx)):
        return ctx
    shaped = [_of_any_rank(ctx.api, item) for item in items]
    return ctx._replace(default_signature=signature.copy_modified(ret_type=UnionType.make_union(shaped)))


def _may_keep_shape(ctx: MethodSigContext) -> bool:
    """Whether the result may have a generic shape: not with operands alone, none of `Any`, as `y - Mean(y, -1)`."""
    types = [type_of_argument(ctx.api, expr) for exprs in ctx.args for expr in exprs]
    return _is_of_any_shape(ctx.type) or any(map(_may_be_anything, types))


def _may_be_anything(type_: Type) -> bool:
    """Whether an argument is not certain to be an operand, or comes from an `Any`."""
    operand = base_of(type_, OPERAND)
    return operand is None or any(isinstance(get_proper_type(each), AnyType) for each in operand.args)


def _is_of_any_shape(type_: Type) -> bool:
    result = get_proper_type(type_)
    is_any = isinstance(result, Instance) and result.args and isinstance(get_proper_type(result.args[-1]), AnyType)
    return bool(is_any) and base_of(result, OPERAND) is not None


def _of_any_rank(api: CheckerPluginInterface, result: ProperType) -> ProperType:
    if not isinstance(result, Instance) or not _is_of_any_shape(result):
        return result
    return result.copy_modified(args=[*result.args[:-1], any_tuple(api)])


def operation_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of `create`, or of a method of the facade, for inputs of any element types and named options."""
    if not _is_plain(ctx):
        return ctx.default_signature
    return _of_several_types(ctx, _with_named_options(ctx, _operation_signature(ctx)))


def _of_several_types(ctx: MethodSigContext, signature: CallableType) -> CallableType:
    """The signature for a name that may be one of several operands, as in `for column in (prices, counts)`.

    No element type fits all of them; the plugin computes the result, and mypy has nothing to infer.
    """
    if not any(_is_one_of_several(ctx.api, expr) for exprs in ctx.args for expr in exprs):
        return signature
    anything = {
        each.id: AnyType(TypeOfAny.special_form)
        for each in signature.variables
        if each.id.raw_id <= _FIRST_ID or each.name == "S"
    }
    return expand_type(signature, anything).copy_modified(
        variables=[each for each in signature.variables if each.id not in anything]
    )


def _is_one_of_several(api: CheckerPluginInterface, expr: Expression) -> bool:
    if not isinstance(expr, NameExpr) or not isinstance(expr.node, Var):
        return False
    known = get_proper_type(checker_of(api).binder.get(expr) or expr.node.type)
    return isinstance(known, UnionType) and all(base_of(item, OPERAND) is not None for item in known.items)


def _with_named_options(ctx: MethodSigContext, signature: CallableType) -> CallableType:
    """The signature for options such as `padding`, a name that is bound to "SAME": mypy infers `str` for it."""
    types = list(signature.arg_types)
    for position, accepted in _options_of(signature).items():
        option = ctx.args[position][0] if ctx.args[position] else None
        values = [] if option is None or isinstance(option, StrExpr) else _alternatives(ctx.api, option)
        strings = {value.value for value in values if isinstance(value, StrExpr)}
        if values and all(isinstance(value, StrExpr) for value in values) and strings <= accepted:
            types[position] = ctx.api.named_generic_type("builtins.str", [])
    return signature if types == signature.arg_types else signature.copy_modified(arg_types=types)


def _alternatives(api: CheckerPluginInterface, option: Expression) -> list[Expression | None]:
    """The values that an option may have, as they are written; None for one that is not known."""
    value = only_value(api, option)
    if isinstance(value, ConditionalExpr):
        return [value.if_expr, value.else_expr]
    if value is None and isinstance(option, NameExpr):
        return [None if each is None or each.path else each.expr for each in bound_values(api, option)]
    return [value]


_options: Final = Memory[SymbolNode, dict[int, set[object]]]()


def _options_of(signature: CallableType) -> dict[int, set[object]]:
    """The parameters that are one of several strings, by position."""
    node = signature.definition
    if node is not None and node in _options:
        return _options[node]
    choices = map(_choices, signature.arg_types)
    options = {position: each for position, each in enumerate(choices) if each}
    if node is not None:
        _options[node] = options
    return options


def _choices(type_: Type) -> set[object]:
    """The strings of a type `Literal["SAME", "VALID"]`."""
    items = union_items(type_)
    return {item.value for item in items if isinstance(item, LiteralType) and isinstance(item.value, str)}


def _operation_signature(ctx: MethodSigContext) -> CallableType:
    signature = ctx.default_signature
    # A generated method does not use the type parameters of its class: the relaxed signature depends on the definition,
    # and on the arguments that are certainly operands, for which mypy need not try all that may be in their place.
    arguments = zip(signature.arg_names, ctx.args, strict=True)
    operands = frozenset(name for name, exprs in arguments if exprs and is_operand(ctx.api, exprs[0]))
    key = signature.definition, operands
    if key in _relaxed_forms:
        return _unexpected(ctx.api, _relaxed_forms[key])
    definition = definition_of(ctx.api, signature.ret_type)
    if definition is None:
        return signature
    value = next((attr.name for attr in definition.op.attrs if attr.kind == "tensor"), None)
    if value is not None and value in signature.arg_names:
        return value_signature(ctx, value)
    inputs: dict[str | None, list[Type] | None] = {
        item.name: [] if item.kind == "one" and item.name in operands else _values(ctx.api, item)
        for item in definition.op.inputs
    }
    relaxed = _relaxed(signature, inputs)
    if signature.definition is not None:
        _relaxed_forms[key] = relaxed
    return _unexpected(ctx.api, relaxed)


def _unexpected(api: CheckerPluginInterface, signature: CallableType) -> CallableType:
    """The signature without the shape of the result, where one is expected.

    mypy would expect it of the input as well, and report both.
    """
    expected = api.type_context[-1]
    operand = None if expected is None else base_of(expected, OPERAND)
    if operand is None or not isinstance(get_proper_type(operand.args[1]), TupleType):
        return signature
    shapes = {item.id: AnyType(TypeOfAny.special_form) for item in signature.variables if item.name == "S"}
    return signature.copy_modified(ret_type=expand_type(signature.ret_type, shapes))


def of_stated_type(ctx: MethodSigContext | FunctionSigContext, signature: CallableType) -> CallableType:
    """The signature with the element type that a call states, where another one may be expected of the result.

    mypy would expect that one of the argument, and blame the argument, or the one for the shape.
    """
    expected = ctx.api.type_context[-1]
    if expected is None or base_of(expected, OPERAND) is None:
        return signature
    for position, type_ in enumerate(signature.arg_types):
        parameter = get_proper_type(type_)
        variable = parameter.item if isinstance(parameter, TypeType) else None
        args = ctx.args[position] if isinstance(variable, TypeVarType) and position < len(ctx.args) else []
        stated = class_argument(type_of_argument(ctx.api, args[0])) if args else None
        if isinstance(variable, TypeVarType) and stated is not None and leaf_of(stated) is not None:
            expanded = expand_type(signature, {variable.id: stated})
            return expanded if is_subtype(stated, variable.upper_bound) else signature
    return signature


def operator_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of `__add__` and the like, for an operand of any element type and for any value."""
    signature = ctx.default_signature
    are_operands = all(is_operand(ctx.api, expr) for exprs in ctx.args for expr in exprs)
    key = signature.definition, ctx.type, are_operands  # the overload, and what mypy binds its `self` to
    if signature.definition is None or key not in _relaxed_operators:
        values = [] if are_operands else any_values(ctx.api)
        _relaxed_operators[key] = _relaxed(signature, dict.fromkeys(signature.arg_names, values))
    return _relaxed_operators[key]


def index_signature(ctx: MethodSigContext) -> CallableType:
    """The signature of `__getitem__` for any index: `index_hook` reports wrong ones."""
    anything = ctx.api.named_generic_type("builtins.object", [])
    return ctx.default_signature.copy_modified(arg_types=[*ctx.default_signature.arg_types[:-1], anything])


def input_signature(ctx: MethodSigContext, name: str, *, takes_values: bool = True) -> CallableType:
    """The signature of a method, for an input of any element type; also for any value, if it takes values."""
    values = any_values(ctx.api) if takes_values else None
    return _relaxed(ctx.default_signature, {name: values}) if _is_plain(ctx) else ctx.default_signature


def value_signature(ctx: MethodSigContext, name: str) -> CallableType:
    """The signature of a method that creates a constant or variable from a value with its shape in the source.

    NumPy's types have no sizes. Where exact sizes are expected of the result, they must not be expected of the value.
    """
    signature = ctx.default_signature
    shapes = {item.id: AnyType(TypeOfAny.special_form) for item in signature.variables if item.name == "S"}
    values = ctx.args[signature.arg_names.index(name)]
    if not shapes or not values or not states_sizes(ctx.api, values[0]):
        return signature
    return signature.copy_modified(ret_type=expand_type(signature.ret_type, shapes))


def _values(api: CheckerPluginInterface, input_def: InputDef) -> list[Type] | None:
    """The types accepted in place of an operand; None where the signature stays as it is."""
    is_list = input_def.integers not in ("", "indices")  # of integers and scalar operands
    is_fixed = is_list or input_def.kind == "mixed" or input_def.type is TResource
    return None if is_fixed else any_values(api)


def _is_plain(ctx: MethodSigContext) -> bool:
    """Whether no argument comes from `*args` or `**kwargs`, so that the plugin knows them all."""
    return not isinstance(ctx.context, CallExpr) or is_plain_call(ctx.context)


def _relaxed(signature: CallableType, inputs: Mapping[str | None, list[Type] | None]) -> CallableType:
    relaxing = _Relaxing()
    types = [
        relaxing.input_type(type_, inputs[name]) if name in inputs else type_
        for name, type_ in zip(signature.arg_names, signature.arg_types, strict=True)
    ]
    kept: list[TypeVarLikeType] = [item for item in signature.variables if item.id not in relaxing.linked]
    return signature.copy_modified(
        arg_types=types,
        ret_type=expand_type(signature.ret_type, relaxing.linked),
        variables=[*kept, *relaxing.fresh],
    )


@define
class _Relaxing:
    """The type variables of a signature that is being relaxed."""

    fresh: list[TypeVarLikeType] = field(factory=list)
    linked: dict[TypeVarId, Type] = field(factory=dict)
    """The type variables shared by inputs. In the result type, the plugin replaces them by the element type."""

    def input_type(self, type_: Type, values: list[Type] | None) -> Type:
        """The type of an input: an operand, a sequence of operands, or a union of operands and values.

        `values` replace the types of values in the signature, if it has any.
        """
        proper = get_proper_type(type_)
        if isinstance(proper, Instance) and proper.type.fullname == "typing.Sequence":
            return proper.copy_modified(args=[self._union(proper.args[0], values, AnyType(TypeOfAny.special_form))])
        return self._union(type_, values, None)

    def _union(self, type_: Type, values: list[Type] | None, element: Type | None) -> Type:
        """The union of the first operand, with `element` as its element type if given, and the types of values."""
        items = union_items(type_)
        operands = [item for item in items if isinstance(item, Instance) and item.type.fullname == OPERAND]
        if not operands:
            return UnionType.make_union(values) if values else type_
        self._link(operands[0].args[0])
        others: list[Type] = [item for item in items if item not in operands]
        element = element or self._new_variable(operands[0])
        operand = operands[0].copy_modified(args=[element, operands[0].args[1]])
        return UnionType.make_union([operand, *(others if values is None else values)])

    def _link(self, element: Type) -> None:
        proper = get_proper_type(element)
        if isinstance(proper, TypeVarType):
            self.linked[proper.id] = AnyType(TypeOfAny.special_form)

    def _new_variable(self, operand: Instance) -> TypeVarLikeType:
        own = operand.type.defn.type_vars[0]
        variable = own.copy_modified(
            id=TypeVarId(_FIRST_ID - len(self.fresh), namespace=own.id.namespace),
            default=AnyType(TypeOfAny.special_form),
        )
        self.fresh.append(variable)
        return variable
