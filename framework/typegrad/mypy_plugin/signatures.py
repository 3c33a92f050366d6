"""Signatures that accept any element type, so that the plugin can say in the user's terms which one does not fit.

mypy knows that in `create(scope, a: Operand[T], b: Operand[T])` no T fits float32 and int32, but can only say that it
"cannot infer" T. With a variable of its own for each input the call passes, and `dtypes.find_problem` checks it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from attrs import define, field
from mypy.expandtype import expand_type
from mypy.nodes import ARG_NAMED, ARG_POS, CallExpr, SymbolNode
from mypy.plugin import MethodSigContext
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarLikeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.literals import states_sizes
from typegrad.mypy_plugin.memory import Memory
from typegrad.mypy_plugin.operands import OPERAND
from typegrad.mypy_plugin.registry import definition_of

__all__ = ["input_signature", "operation_signature", "operator_signature", "value_signature"]

_FIRST_ID: Final = -1000
"""Below the ids of the variables that a signature has already."""

_relaxed_forms: Final = Memory[SymbolNode, CallableType]()


def operation_signature(ctx: MethodSigContext) -> CallableType:
    """`create`, or a method of the facade, for inputs of any element types."""
    signature = ctx.default_signature
    if not _is_plain(ctx):
        return signature
    # What the generator writes depends on no type parameter of its class: the definition alone says what the relaxed form is.
    node = signature.definition
    if node is not None and node in _relaxed_forms:
        return _relaxed_forms[node]
    definition = definition_of(ctx.api, signature.ret_type)
    if definition is None:
        return signature
    value = next((attr.name for attr in definition.op.attrs if attr.kind == "tensor"), None)
    if value is not None and value in signature.arg_names:
        return value_signature(ctx, value)
    relaxed = _relaxed(signature, {spec.name for spec in definition.op.inputs})
    if node is not None:
        _relaxed_forms[node] = relaxed
    return relaxed


def operator_signature(ctx: MethodSigContext) -> CallableType:
    """`__add__` and its like, for another operand of any element type and for any value."""
    signature = _relaxed(ctx.default_signature, set(ctx.default_signature.arg_names))
    number = ctx.api.named_generic_type("builtins.complex", [])
    return signature.copy_modified(arg_types=[_with_numbers(item, number) for item in signature.arg_types])


def input_signature(ctx: MethodSigContext, inputs: Collection[str]) -> CallableType:
    """Any method, for inputs of any element types."""
    return _relaxed(ctx.default_signature, inputs) if _is_plain(ctx) else ctx.default_signature


def value_signature(ctx: MethodSigContext, name: str) -> CallableType:
    """A method that makes a constant or a variable of a value whose shape the plugin reads from the source.

    NumPy's types know no sizes. So where exact ones are expected of the result, the value must not have to have them, too.
    """
    signature = ctx.default_signature
    position = signature.arg_names.index(name)
    if not ctx.args[position] or not states_sizes(ctx.api, ctx.args[position][0]):
        return signature
    shapes = {item.id: AnyType(TypeOfAny.special_form) for item in signature.variables if item.name == "S"}
    return signature.copy_modified(ret_type=expand_type(signature.ret_type, shapes))


def _with_numbers(type_: Type, number: Instance) -> Type:
    """Widen int to complex, for which float and int pass, too."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return UnionType.make_union([_with_numbers(item, number) for item in proper.items])
    is_number = isinstance(proper, Instance) and proper.type.fullname in ("builtins.int", "builtins.float")
    return number if is_number else type_


def _is_plain(ctx: MethodSigContext) -> bool:
    """Whether every argument is written out, so that the plugin sees them all."""
    return not isinstance(ctx.context, CallExpr) or all(kind in (ARG_POS, ARG_NAMED) for kind in ctx.context.arg_kinds)


def _relaxed(signature: CallableType, inputs: Collection[str] | Collection[str | None]) -> CallableType:
    relaxing = _Relaxing()
    types = [
        relaxing.input_type(type_) if name in inputs else type_
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
    """The variables of a signature that is being relaxed."""

    fresh: list[TypeVarLikeType] = field(factory=list)
    linked: dict[TypeVarId, Type] = field(factory=dict)
    """The variables that inputs had in common. In the result, the plugin puts the element type in their place."""

    def input_type(self, type_: Type) -> Type:
        """The type of an input: an operand, a sequence of operands, or a union of operands and Python integers."""
        proper = get_proper_type(type_)
        if isinstance(proper, UnionType):
            return self._union(proper)
        if not isinstance(proper, Instance):
            return type_
        if proper.type.fullname == OPERAND:
            self._link(proper.args[0])
            return proper.copy_modified(args=[self._new_variable(proper), proper.args[1]])
        if proper.type.fullname == "typing.Sequence":
            return proper.copy_modified(args=[self._item_type(proper.args[0])])
        return type_

    def _item_type(self, type_: Type) -> Type:
        """The type of an item of a list of operands."""
        proper = get_proper_type(type_)
        if isinstance(proper, UnionType):
            return UnionType.make_union([self._item_type(item) for item in proper.items])
        if isinstance(proper, Instance) and proper.type.fullname == OPERAND:
            self._link(proper.args[0])
            return proper.copy_modified(args=[AnyType(TypeOfAny.special_form), proper.args[1]])
        return type_

    def _union(self, union: UnionType) -> Type:
        items = [get_proper_type(item) for item in union.items]
        operands = [item for item in items if isinstance(item, Instance) and item.type.fullname == OPERAND]
        others = [item for item in items if item not in operands]
        return UnionType.make_union([*map(self.input_type, operands[:1]), *others])

    def _link(self, element: Type) -> None:
        proper = get_proper_type(element)
        if isinstance(proper, TypeVarType):
            self.linked[proper.id] = AnyType(TypeOfAny.special_form)

    def _new_variable(self, operand: Instance) -> TypeVarLikeType:
        own = operand.type.defn.type_vars[0]
        variable = own.copy_modified(id=TypeVarId(_FIRST_ID - len(self.fresh), namespace=own.id.namespace))
        self.fresh.append(variable)
        return variable
