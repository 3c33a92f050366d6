"""Values in place of operands: whether they fit an element type, and their own one. See `typegrad.graph.conversion`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any, Final

from attrs import frozen
from mypy.nodes import Expression, ListExpr, TupleExpr
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from typegrad.arguments.instead import of_tuple
from typegrad.base.errors import TypegradError
from typegrad.base.types import (
    TBool,
    TComplex,
    TComplex128,
    TFloat32,
    TFloating,
    TInt32,
    TNumber,
    TString,
    TType,
    allowed_names,
    element_type_of,
)
from typegrad.graph.definition import leaves
from typegrad.graph.tensors import WHY_NONE, advice, array_cure, as_tensor, common_type, convert, is_allowed, value_cure
from typegrad.graph.wrapper import ElementType
from typegrad.mypy_plugin.arrays.ndarrays import array_of, type_of_array
from typegrad.mypy_plugin.base.dtypes import THE_VARIABLE, class_argument, leaf_of, leaves_of
from typegrad.mypy_plugin.base.operands import ARRAY, OPERAND, are_operands, base_of, in_tuple, union_items
from typegrad.mypy_plugin.types.array_types import dtype_of, dtypes, scalars
from typegrad.mypy_plugin.types.symbols import element_type, short_name
from typegrad.mypy_plugin.values.arguments import Argument
from typegrad.mypy_plugin.values.evaluation import evaluate
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.static_values import MISSING, is_known

__all__ = [
    "InputValue",
    "Misfit",
    "array_element",
    "described",
    "is_number",
    "misfit",
    "no_value",
    "numpy_leaf",
    "own_type",
    "wrong_constant",
]


@frozen
class InputValue:
    """A value in place of an operand; `name` is `x`, or `values[1]` in a list."""

    name: str
    input: str
    declared: ElementType | str
    """The element type in the definition, or the name of a type attribute."""
    expr: Expression | None
    type: Type


@frozen
class Misfit:
    """A value that cannot be converted to an element type: a description, "is the Python float 1.5", and what to do.

    `actual` is empty where the kind fits but the value does not; `cure` is then the whole message.
    """

    actual: str
    cure: str
    may_cast: bool = False
    """Whether a cast of the operand beside it would help."""

    def beside(self, name: str, other: str, dtype: str) -> str:
        """The message for the value `name`, which must have the type of the operand `other`."""
        if not self.actual:
            return f"{name} does not fit: {self.cure}"
        cast = other if self.may_cast and other != THE_VARIABLE else ""
        return f"{other} is {dtype} but {name} {self.actual}; {advice(self.cure, cast)}"

    def alone(self, name: str, dtype: str) -> str:
        """The message for the value `name`, which must have the type `dtype`."""
        return (
            f"{name} {self.actual}, but must be {dtype}; {self.cure}"
            if self.actual
            else f"{name} does not fit: {self.cure}"
        )


@frozen
class _Kind:
    """A kind of Python or NumPy values: the element types it converts to, and its own one."""

    fits: frozenset[type[TType]]
    own: type[TType]


_KINDS: Final = {
    "bool": _Kind(leaves(TBool), TBool),
    "int": _Kind(leaves(TNumber), TInt32),
    "float": _Kind(leaves(TFloating, TComplex), TFloat32),
    "complex": _Kind(leaves(TComplex), TComplex128),
    "str": _Kind(leaves(TString), TString),
    "bytes": _Kind(leaves(TString), TString),
}
"""The kinds of values, the more general ones of numbers later."""
_CLASSES: Final = {
    **{f"builtins.{kind}": kind for kind in _KINDS},
    "numpy.bool": "bool",
    "numpy.bool_": "bool",
    "numpy.integer": "int",
    "numpy.floating": "float",
    "numpy.complexfloating": "complex",
    "numpy.str_": "str",
    "numpy.bytes_": "bytes",
}


def misfit(api: CheckerPluginInterface, dtype: Type, expr: Expression | None, type_: Type) -> Misfit | None:
    """Why a value cannot be converted to an element type; None if it can, or if too little is known."""
    allowed, proper = leaves_of(dtype), get_proper_type(type_)
    if allowed is None:
        return None
    array = array_of(api, expr, proper)
    if array is not None and not array.is_number:
        is_doubtful = isinstance(proper, AnyType) and array.may_be_number
        return None if is_doubtful else _array_misfit(api, allowed, expr, proper)
    if array is not None and expr is not None:
        type_ = type_of_array(api, expr) or type_
    value = evaluate(api, expr, type_)
    kind = _kind(value, type_)
    if kind is None:
        return None
    if not allowed <= _KINDS[kind].fits:
        may_cast = allowed | {_KINDS[kind].own} <= leaves(TNumber)
        return Misfit(described(value, type_), value_cure(allowed), may_cast)
    leaf = leaf_of(dtype)
    if leaf is not None and is_known(value):
        try:
            convert(_listed(value), leaf, exact=True)
        except TypegradError as error:
            return Misfit("", str(error))
    return None


def _array_misfit(
    api: CheckerPluginInterface, allowed: frozenset[type[TType]], expr: Expression | None, array: ProperType
) -> Misfit | None:
    table, (actual, leaf) = dtypes(api), _array_leaf(api, expr, array)
    expected = [scalars(table[leaf]) for leaf in allowed if leaf in table]
    if actual is None or any(each is None or each & actual for each in expected):
        return None
    return Misfit(described(MISSING, array, leaf), array_cure(allowed))


def _array_leaf(
    api: CheckerPluginInterface, expr: Expression | None, array: ProperType
) -> tuple[frozenset[str] | None, type[TType] | None]:
    """The scalar types and the element type of an array, each None if it is not known.

    What the expression says is more exact than NumPy's types, and right where they are not.
    """
    known = array_of(api, expr, array)
    table = dtypes(api)
    if known is not None and known.is_doubtful:
        return None, None
    if known is not None and known.dtype is None and known.dtypes:
        leaves = [leaf for each in known.dtypes if (leaf := element_type_of(each)) is not None]
        return frozenset[str]().union(*(scalars(table[leaf]) or () for leaf in leaves)), leaves[0]
    leaf = None if known is None or known.dtype is None else element_type_of(known.dtype)
    stated = array.args[1] if isinstance(array, Instance) else array
    return scalars(table[leaf] if leaf in table else stated), leaf


def _typed_leaf(
    api: CheckerPluginInterface, expr: Expression | None, value: ProperType
) -> tuple[bool, type[TType] | None]:
    """Whether a value has an element type of its own, as NumPy's values have, and that type (None if unknown)."""
    if not isinstance(value, Instance):
        return False, None
    if value.type.fullname == ARRAY:
        return True, _array_leaf(api, expr, value)[1]
    dtype = dtype_of(api, value) if value.type.has_base("numpy.generic") else None
    return value.type.has_base("numpy.generic"), None if dtype is None else element_type_of(dtype)


def numpy_leaf(api: CheckerPluginInterface, type_: Type) -> type[TType] | None:
    """The element type of a number of NumPy; None for any other value."""
    return _typed_leaf(api, None, get_proper_type(type_))[1]


def array_element(api: CheckerPluginInterface, expr: Expression | None, type_: Type) -> Type | None:
    """The element type of an array, of a number of NumPy or of `[[]]`; `Any` if nothing says it; None for other values.

    mypy takes the first overload for an array of `floating[Any]`, all of them for `Any`, and the last one for `[[]]`.
    """
    proper = get_proper_type(type_)
    known = array_of(api, expr, proper)
    if known is None and (types := _leaf_types(api, expr, proper)) and _typed_leaf(api, None, types[0])[0]:
        leaves = {_typed_leaf(api, None, each)[1] for each in types}
        only = leaves.pop() if len(leaves) == 1 else None
        return AnyType(TypeOfAny.special_form) if only is None else element_type(api, only)
    if known is None:
        leaf = TFloat32 if _is_empty(expr) else _typed_leaf(api, expr, proper)[1]
        return None if leaf is None else element_type(api, leaf)
    leaf = None if known.dtype is None else element_type_of(known.dtype)
    if leaf is not None:
        return element_type(api, leaf)
    is_known = isinstance(proper, Instance) and not known.is_doubtful and scalars(proper.args[1]) is not None
    return None if is_known else AnyType(TypeOfAny.special_form)


def _leaf_types(api: CheckerPluginInterface, expr: Expression | None, type_: ProperType) -> list[ProperType]:
    """The types of the numbers in a nested list, of which the first one decides; none for any other value."""
    if isinstance(expr, (ListExpr, TupleExpr)):
        items = [(item, get_proper_type(expression_type(api, item))) for item in expr.items]
        return [leaf for item, each in items for leaf in _leaf_types(api, item, each) or [each]]
    while isinstance(type_, Instance) and type_.type.fullname == "builtins.list":
        type_ = get_proper_type(type_.args[0])
        if isinstance(type_, Instance) and type_.type.fullname != "builtins.list":
            return [type_]
    return []


def _is_empty(expr: Expression | None) -> bool:
    """Whether an expression is a display without a number, `[[], []]`, which is an array of float32."""
    return isinstance(expr, (ListExpr, TupleExpr)) and all(map(_is_empty, expr.items))


def own_type(
    api: CheckerPluginInterface, values: Sequence[InputValue], allowed: frozenset[type[TType]]
) -> type[TType] | str | None:
    """The common element type of values without operands, an error message, or None if it is not known."""
    known = [evaluate(api, each.expr, each.type) for each in values]
    kinds = [_kind(value, each.type) for value, each in zip(known, values, strict=True)]
    for value, each, kind in zip(known, values, kinds, strict=True):
        if kind is not None and not allowed & _KINDS[kind].fits:
            return f"{each.name} {described(value, each.type)}, but must be {allowed_names(allowed)}"
    for each in values:
        is_typed, leaf = _typed_leaf(api, each.expr, get_proper_type(each.type))
        if leaf is not None and leaf not in allowed:
            what = described(MISSING, each.type, leaf)
            remedy = "; convert it with astype" if "an array" in what else ""
            return f"{each.name} {what}, but must be {allowed_names(allowed)}{remedy}"
        if is_typed:
            return leaf
    if is_known(tuple(known)) and None not in known:
        try:
            common = common_type([_listed(each) for each in known], allowed)
        except TypegradError as error:
            wrong = [each for each, value in zip(values, known, strict=True) if not is_allowed(_listed(value), allowed)]
            if 0 < len(wrong) < len(values):
                return own_type(api, wrong, allowed)
            return f"{' and '.join(each.name for each in values)}: {error}"
        return next(filter(None, map(_beyond, values, known, repeat(common))), common)
    general = _most_general(kinds)
    own = None if general is None else _KINDS[general].own
    return own if own in allowed else None


def _beyond(value: InputValue, known: Any, leaf: type[TType]) -> str:
    """What is wrong with a value that the element type does not hold; "" if it does."""
    try:
        convert(_listed(known), leaf)
    except TypegradError as error:
        return f"{value.name}: {error}"
    return ""


def wrong_constant(api: CheckerPluginInterface, value: Argument, stated: Argument | None) -> TypegradError | None:
    """Why a value of Python makes no array of the stated element type; None if nothing is known to be wrong."""
    leaf = None if stated is None else leaf_of(class_argument(stated.type) or stated.type)
    known = evaluate(api, value.expr, value.type)
    is_typed = (
        isinstance(get_proper_type(value.type), AnyType) or array_element(api, value.expr, value.type) is not None
    )
    if is_typed or known is None or not is_known(known) or (stated is not None and leaf is None):
        return None
    try:
        as_tensor(_listed(known), leaf)
    except TypegradError as error:
        return error
    return None


_OPTIONAL: Final = "may be None"
_UNORDERED: Final = ("builtins.dict", "builtins.set")


def described(value: Any, type_: Type, leaf: type[TType] | None = None) -> str:
    """A description of a value: "is the Python float 1.5", "holds a Python float", "may be None"."""
    proper = get_proper_type(type_)
    if isinstance(proper, NoneType):
        return "is None"
    if isinstance(proper, UnionType) and any(isinstance(get_proper_type(item), NoneType) for item in proper.items):
        return _OPTIONAL
    is_array = isinstance(proper, Instance) and proper.type.fullname == ARRAY
    if is_array or (isinstance(proper, AnyType) and leaf is not None):
        return "is an array of another type" if leaf is None else f"is an array of {leaf.name}"
    if isinstance(proper, Instance) and proper.type.fullname in _UNORDERED:
        return f"is a {proper.type.name}"
    kind = _kind(value, type_)
    if kind is None:
        return f"is of type {short_name(type_)}"
    is_scalar = isinstance(proper, LiteralType) or (isinstance(proper, Instance) and _class_kind(proper) is not None)
    if is_scalar and is_known(value):
        return f"is the Python {kind} {value!r}"
    owner = "NumPy" if isinstance(proper, Instance) and proper.type.has_base("numpy.generic") else "Python"
    return f"{'is' if is_scalar else 'holds'} a {owner} {kind}"


def is_number(type_: Type) -> bool:
    """Whether values of a type are numbers of Python or NumPy, or bools."""
    proper = get_proper_type(type_)
    class_ = proper.fallback if isinstance(proper, LiteralType) else proper
    return isinstance(class_, Instance) and _class_kind(class_) not in (None, "str", "bytes")


def no_value(value: Any, type_: Type) -> str:
    """A description of a value that no operation takes in place of an operand, and what to do."""
    count = in_tuple(type_)
    if count > 1:
        return f"is a tuple of operands; {of_tuple(count)}"
    items = _items(get_proper_type(type_))
    if items and all(base_of(item, OPERAND) is not None for item in items):
        return "is a list of operands; core.Stack makes one operand of several"
    what = described(value, type_)
    if what == _OPTIONAL:
        return f"{what}; check that it is not None first"
    why = f"; {WHY_NONE}" if isinstance(get_proper_type(type_), NoneType) else _of_tuple(type_)
    return f"{what}, but must be an operand or a value that the operation takes{why}"


def _of_tuple(type_: Type) -> str:
    """What to write instead of a tuple of gradients, which may be None, or of one operand; "" for other types."""
    proper = get_proper_type(type_)
    items = proper.items if isinstance(proper, TupleType) else []
    if not items or not all(map(are_operands, items)):
        return ""
    if any(isinstance(get_proper_type(item), UnionType) for item in items):
        return "; take one gradient with [0], or write tg.grad for one x"
    return f"; {of_tuple(1)}" if len(items) == 1 else ""


def _items(proper: ProperType) -> list[ProperType]:
    """The types of the items of a sequence."""
    sequence = base_of(proper, "typing.Sequence")
    return [] if sequence is None else union_items(sequence.args[0])


def _kind(value: Any, type_: Type) -> str | None:
    """The most general kind of the elements of a value."""
    if is_known(value) and value is not None:
        return _most_general(
            [next((kind for kind in _KINDS if type(each).__name__ == kind), None) for each in _leaves(value)]
        )
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return _most_general([_kind(MISSING, item) for item in proper.items])
    if not isinstance(proper, Instance):
        return None
    own = _class_kind(proper)
    if own is not None or not proper.args or not proper.type.has_base("typing.Sequence"):
        return own
    return _most_general([_kind(MISSING, item) for item in union_items(proper.args[0])])


def _class_kind(proper: Instance) -> str | None:
    return next((_CLASSES[base.fullname] for base in proper.type.mro if base.fullname in _CLASSES), None)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for element in value:
            yield from _leaves(element)
    else:
        yield value


def _most_general(kinds: Sequence[str | None]) -> str | None:
    known = [kind for kind in kinds if kind is not None]
    return max(known, key=list(_KINDS).index) if known and len(known) == len(kinds) else None


def _listed(value: Any) -> Any:
    """The value with tuples as lists, the usual form in messages."""
    return [_listed(element) for element in value] if isinstance(value, tuple) else value
