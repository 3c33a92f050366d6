"""Values in place of operands, as `typegrad.conversion` takes them: whether one fits an element type, or which it has by itself."""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen
from mypy.nodes import Expression
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, LiteralType, TupleType, Type, get_proper_type

from typegrad.errors import TypegradError
from typegrad.mypy_plugin.arrays import ARRAY, dtypes, scalars
from typegrad.mypy_plugin.dtypes import leaf_of, leaves_below, leaves_of, type_name
from typegrad.mypy_plugin.literals import evaluate, is_known
from typegrad.tensors import common_type, convert
from typegrad.types import TBool, TComplex, TComplex128, TFloat32, TFloating, TInt32, TIntegral, TString, TType
from typegrad.wrapper import ElementType

__all__ = ["Written", "is_refused", "own_type", "value_problem"]


@frozen
class Written:
    """A value in place of an operand: `x`, or `values[1]`; `spec` is what the definition says about that place."""

    name: str
    spec: ElementType | str
    expr: Expression | None
    type: Type


_KINDS: Final[dict[str, tuple[tuple[type[TType], ...], type[TType]]]] = {
    "builtins.bool": ((TBool,), TBool),
    "builtins.int": ((TIntegral, TFloating, TComplex), TInt32),
    "builtins.float": ((TFloating, TComplex), TFloat32),
    "builtins.complex": ((TComplex,), TComplex128),
    "builtins.str": ((TString,), TString),
    "builtins.bytes": ((TString,), TString),
}
"""Which element types a Python value may become, and which it has by itself."""


def value_problem(api: CheckerPluginInterface, dtype: Type, expr: Expression | None, type_: Type) -> str | None:
    """Why a value can't become an element type, as what is said of it: "is a Python float, which is not int32"."""
    found, proper = leaves_of(dtype), get_proper_type(type_)
    if found is None:
        return None
    leaf = leaf_of(dtype)
    if isinstance(proper, Instance) and proper.type.fullname == ARRAY:
        return None if leaf is None else _array_problem(api, leaf, dtype, proper)
    known = evaluate(api, expr, type_)
    if leaf is not None and is_known(known) and known is not None:
        try:
            convert(_listed(known), leaf, exact=True)
        except TypegradError as error:
            return f"does not fit: {error}"
        return None
    kind = _kind(type_)
    if kind is None or found <= leaves_below(*_KINDS[kind][0]):
        return None
    return f"is a Python {kind.removeprefix('builtins.')}, which is not {type_name(dtype)}; convert it first, or cast the operand"


def is_refused(allowed: frozenset[type[TType]], type_: Type) -> bool:
    """Whether mypy itself refuses a value of this type: no element type that the operation allows can hold it."""
    kind = _kind(type_)
    return kind not in (None, "builtins.bool") and not allowed & leaves_below(*_KINDS[kind][0])


def _array_problem(api: CheckerPluginInterface, leaf: type[TType], dtype: Type, array: Instance) -> str | None:
    table = dtypes(api)
    given, expected = scalars(array.args[1]), scalars(table[leaf]) if leaf in table else None
    if given is None or expected is None or given & expected:
        return None
    named = next((other.numpy.name for other, each in table.items() if scalars(each) == given), "of another type")
    return f"is {named}, which is not {type_name(dtype)}; convert it with astype"


def own_type(
    api: CheckerPluginInterface, values: list[Written], allowed: frozenset[type[TType]]
) -> type[TType] | str | None:
    """The element type of values that no operand fixes; a text that says why they have none; None if it is not known."""
    arrays = [get_proper_type(each.type) for each in values]
    for array in arrays:
        if isinstance(array, Instance) and array.type.fullname == ARRAY:
            given = scalars(array.args[1])
            return next(
                (leaf for leaf, each in dtypes(api).items() if given is not None and scalars(each) == given), None
            )
    known = [evaluate(api, each.expr, each.type) for each in values]
    if is_known(tuple(known)):
        try:
            return common_type([_listed(each) for each in known], allowed)
        except TypegradError as error:
            return str(error)
    kinds = [_kind(each.type) for each in values]
    if len(values) == 1 and kinds[0] is not None:
        own = _KINDS[kinds[0]][1]
        return own if own in allowed else None
    return None


def _kind(type_: Type) -> str | None:
    """The class of a Python number or string, or of the elements of a nested list of such."""
    proper = get_proper_type(type_)
    if isinstance(proper, LiteralType):
        return _kind(proper.fallback)
    if isinstance(proper, TupleType):
        kinds = {_kind(item) for item in proper.items}
        return kinds.pop() if len(kinds) == 1 else None
    if not isinstance(proper, Instance):
        return None
    if proper.type.fullname in _KINDS:
        return proper.type.fullname
    return _kind(proper.args[0]) if proper.args and proper.type.has_base("typing.Sequence") else None


def _listed(value: Any) -> Any:
    """Nested lists, as values are mostly written."""
    return [_listed(element) for element in value] if isinstance(value, tuple) else value
