"""The type of a variable that holds the results of several operations in turn, and its type at one point.

A variable is declared with the type of an operand of any operation and any shape; so are the items of a list. At each
point, a variable has the exact type of its value, and a list holds what the shapes of its items have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    ListComprehension,
    ListExpr,
    NameExpr,
    StarExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import is_same_type, is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarLikeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.dims import rest_of, shape_of, shape_type, united
from typegrad.mypy_plugin.base.operands import (
    ARRAY,
    OP,
    OPERAND,
    VARIABLE,
    are_of_several_elements,
    base_of,
    maps_operands,
    operand_of,
    union_items,
)
from typegrad.mypy_plugin.types.symbols import any_tuple

__all__ = [
    "CONTAINERS",
    "any_of",
    "functions_around",
    "holds_operands",
    "joined",
    "narrow_declared",
    "narrowed",
    "of_any_shape",
    "of_any_value",
    "of_its_rank",
    "of_no_function",
    "of_no_variable",
    "of_one_element",
    "widened",
]

CONTAINERS: Final = frozenset(f"builtins.{name}" for name in ("dict", "list", "set", "tuple")) | frozenset(
    f"collections.{name}" for name in ("OrderedDict", "defaultdict", "deque")
)


def widened(type_: Type, value: Expression | None = None, *, keeps_variables: bool = False) -> Type:
    """The type of a variable with this value: exact shapes and operations are replaced by any, also in containers.

    What holds variables may hold other operands next, unless it `keeps_variables`.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return make_simplified_union([widened(item, keeps_variables=keeps_variables) for item in proper.items])
    if isinstance(proper, TupleType):
        items = [widened(item, keeps_variables=keeps_variables) for item in proper.items]
        # For a list of fetches or of xs, mypy alone knows a list of arrays or of gradients, of any length.
        is_list = isinstance(value, CallExpr) and items != proper.items
        return _any_tuple(proper) if is_list else proper.copy_modified(items=items)
    whole = (base_of(proper, VARIABLE) if keeps_variables else None) or base_of(proper, OPERAND) or proper
    if not isinstance(whole, Instance):
        return type_
    if whole.type.fullname in CONTAINERS:
        return whole.copy_modified(args=[widened(arg, keeps_variables=keeps_variables) for arg in whole.args])
    if whole.type.fullname != ARRAY and not whole.type.fullname.startswith(OWN):
        return type_
    args = [_any_tuple(arg) if isinstance(arg, TupleType) else arg for arg in map(get_proper_type, whole.args)]
    dtype = args[-1] if whole.type.fullname == ARRAY else None
    if isinstance(dtype, Instance):
        args[-1] = dtype.copy_modified(args=[AnyType(TypeOfAny.special_form)] * len(dtype.args))
    return whole.copy_modified(args=args)


def of_any_shape(type_: Type) -> Type:
    """The type of an operand, an array or what holds such, whose shapes may be any; any other type as it is."""
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return proper.copy_modified(items=list(map(of_any_shape, proper.items)))
    if isinstance(proper, UnionType):
        return make_simplified_union(list(map(of_any_shape, proper.items)))
    if not isinstance(proper, Instance) or not proper.args:
        return type_
    args = list(proper.args)
    if base_of(proper, OPERAND) is None and proper.type.fullname != ARRAY:
        shapes = [_is_shape(variable) for variable in proper.type.defn.type_vars]
        if len(shapes) != len(args):  # of a class with any number of type variables
            shapes = [False] * len(args)
        pairs = zip(map(get_proper_type, args), shapes, strict=True)
        opened = [
            _any_tuple(arg) if shape and isinstance(arg, TupleType) else of_any_shape(arg) for arg, shape in pairs
        ]
        return proper.copy_modified(args=opened)
    position = 0 if proper.type.fullname == ARRAY else -1
    shape = get_proper_type(args[position])
    whole = shape.partial_fallback if isinstance(shape, TupleType) else shape
    if isinstance(whole, Instance):
        args[position] = whole.copy_modified(args=[AnyType(TypeOfAny.special_form)])
    return proper.copy_modified(args=args)


def of_its_rank(type_: Type) -> Type | None:
    """The type of a variable with any sizes in the place of numbers; None for anything else."""
    whole = base_of(type_, VARIABLE)
    shape = get_proper_type(whole.args[-1]) if whole is not None else None
    if whole is None or not isinstance(shape, TupleType):
        return None
    sizes = map(get_proper_type, shape.items)
    items: list[Type] = [each.fallback if isinstance(each, LiteralType) else each for each in sizes]
    return whole.copy_modified(args=[*whole.args[:-1], shape.copy_modified(items=items)])


def functions_around(api: CheckerPluginInterface) -> set[str]:
    """The names of the functions and classes around what is checked, whose type variables have a value there."""
    return {each.fullname for each in checker_of(api).scope.stack[1:]}


def of_no_function(type_: Type, functions: Container[str] = ()) -> Type:
    """The type of what an attribute holds, with operands of any shape where that is a type variable of a function.

    An attribute lives longer than the call that has assigned it. The variables of some `functions` stay.
    """
    return _opened(type_, lambda variable: variable.id.raw_id > 0 or variable.id.namespace in functions)


def of_no_variable(type_: Type) -> Type:
    """The type of what a name holds, with operands of any shape where that is a type variable: the next has another."""
    return _opened(type_, lambda _: False)


def _opened(type_: Type, keeps: Callable[[TypeVarType], bool]) -> Type:
    """A type with any shape in the place of those type variables that are not kept."""
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        return make_simplified_union([_opened(each, keeps) for each in proper.items])
    if isinstance(proper, TupleType):
        return proper.copy_modified(items=[_opened(each, keeps) for each in proper.items])
    if not isinstance(proper, Instance) or not proper.args:
        return type_
    if proper.type.fullname in CONTAINERS:
        return proper.copy_modified(args=[_opened(each, keeps) for each in proper.args])
    shape = get_proper_type(proper.args[-1])
    if base_of(proper, OPERAND) is None or not isinstance(shape, TypeVarType) or keeps(shape):
        return type_
    # `tuple[Any, ...]` could not be narrowed to the variable.
    return proper.copy_modified(args=[*proper.args[:-1], AnyType(TypeOfAny.special_form)])


def _is_shape(variable: TypeVarLikeType) -> bool:
    """Whether a type variable of a class is for shapes: `S = TypeVar("S", bound=tuple[int, ...])`."""
    bound = get_proper_type(variable.upper_bound)
    sizes = get_proper_type(bound.args[0]) if isinstance(bound, Instance) and bound.args else None
    is_tuple = isinstance(bound, Instance) and bound.type.fullname == "builtins.tuple"
    return is_tuple and isinstance(sizes, Instance) and sizes.type.fullname == "builtins.int"


def _any_tuple(tuple_: TupleType) -> Instance:
    return tuple_.partial_fallback.copy_modified(args=[AnyType(TypeOfAny.special_form)])


def of_any_value(type_: Type) -> Type:
    """The type of a variable whose first value is a number that is known, but whose next one may be another."""
    literals = union_items(type_)
    known = [
        each for each in literals if isinstance(each, LiteralType) and each.fallback.type.fullname == "builtins.int"
    ]
    return known[0].fallback if known and len(known) == len(literals) else type_


def narrowed(api: CheckerPluginInterface, type_: Type, value: Expression | None) -> Type:
    """The type of a variable that has just been assigned: exact, except for the operations in a list.

    What is in a container within another one may change there.
    """
    proper = get_proper_type(type_)
    if not isinstance(proper, Instance) or proper.type.fullname not in CONTAINERS:
        return type_
    inner = get_proper_type(proper.args[-1])
    if isinstance(inner, Instance) and inner.type.fullname in CONTAINERS:
        return widened(type_)
    item = joined(api, _items(api, value) or proper.args[-1:]) if holds_operands(proper.args[-1]) else None
    return type_ if item is None else proper.copy_modified(args=[*proper.args[:-1], item])


def narrow_declared(api: CheckerPluginInterface, statement: AssignmentStmt) -> None:
    """Narrow a name that is declared as an operand to the shape of its value: `h: tg.Operand[tg.TFloat32] = x`.

    mypy does so in later assignments. The class stays, as lists are invariant in it. A name for feeds is narrowed to
    the dict that it is made as, which takes more feeds: `feeds: tg.Feeds = {x: data}`.
    """
    checker, (target, *_) = checker_of(api), statement.lvalues
    variable = target.node if isinstance(target, NameExpr) else None
    declared = get_proper_type(variable.type) if isinstance(variable, Var) else None
    if isinstance(declared, UnionType) and isinstance(statement.rvalue, DictExpr):
        feeds = _fed(api, declared, statement.rvalue)
        if feeds is not None:
            checker.binder.put(target, feeds)
    if not isinstance(declared, Instance) or declared.type.fullname != OPERAND:
        return
    type_ = checker.lookup_type(statement.rvalue) if checker.has_type(statement.rvalue) else declared
    value = operand_of(type_)
    if value is not None and value.static.shape.dims is not None and is_subtype(type_, declared):
        shape = shape_type(api, value.static.shape, is_gradual=value.static.is_gradual)
        if shape is not None:
            checker.binder.put(target, declared.copy_modified(args=[declared.args[0], shape]))


def _fed(api: CheckerPluginInterface, declared: UnionType, display: DictExpr) -> Type | None:
    """The dict that a display makes of feeds, by the declared mapping with operands as keys."""
    checker = checker_of(api)
    mapping = next((each for each in map(get_proper_type, declared.items) if maps_operands(each)), None)
    keys = [key for key, _ in display.items if key is not None]
    if not isinstance(mapping, Instance) or not all(
        checker.has_type(key) and base_of(checker.lookup_type(key), OPERAND) for key in keys
    ):
        return None
    return api.named_generic_type("builtins.dict", list(mapping.args))


def _items(api: CheckerPluginInterface, value: Expression | None) -> list[Type]:
    """The types of what a display or a comprehension holds, as they are; mypy's own depend on the expected type."""
    exprs: Sequence[Expression] = ()
    if isinstance(value, ListExpr):
        exprs = value.items
    elif isinstance(value, DictExpr):
        exprs = [item for key, item in value.items if key is not None]
    elif isinstance(value, ListComprehension):
        exprs = [value.generator.left_expr]
    checker = checker_of(api)
    known = [each for each in exprs if not isinstance(each, StarExpr) and checker.has_type(each)]
    return [checker.lookup_type(each) for each in known] if len(known) == len(exprs) else []


def joined(api: CheckerPluginInterface, types: Sequence[Type]) -> Type | None:
    """The operand, the operation or the tuple with operands that several types have in common; None if none."""
    items = [item for type_ in types for item in union_items(type_)]
    tuples = [item for item in items if isinstance(item, TupleType)]
    if tuples and len(tuples) == len(items) and len({len(each.items) for each in tuples}) == 1:
        columns = [joined(api, column) for column in zip(*(each.items for each in tuples), strict=True)]
        known = [column for column in columns if column is not None]
        return tuples[0].copy_modified(items=known) if len(known) == len(columns) else None
    operands = [base_of(item, VARIABLE) for item in items]
    if None in operands:
        operands = [base_of(item, OPERAND) for item in items]
    first = operands[0] if operands else None
    if first is None:
        if items and all(is_same_type(item, items[0]) for item in items):
            return items[0]
        operations = [base_of(item, OP) for item in items]
        return operations[0] if operations and None not in operations else None
    if any(each is None or not is_same_type(each.args[0], first.args[0]) for each in operands):
        return None
    if rest_of(first.args[1]) and all(each and is_same_type(each.args[1], first.args[1]) for each in operands):
        return first  # of the shape S
    common = united([shape_of(each.args[1]) for each in operands if each is not None])
    shape = shape_type(api, common.shape, is_gradual=common.is_gradual)
    return first.copy_modified(args=[first.args[0], shape or any_tuple(api)])


def any_of(types: Sequence[Type], *, replaces: bool = False) -> Type | None:
    """The item of a container of operands, or of variables, of several element types, or of fetches such as updates.

    None if it holds anything else. Those of one element type may all be gone if others `replace` them one by one.
    """
    parts = [part for type_ in types for part in union_items(type_)]
    class_ = VARIABLE if all(base_of(part, VARIABLE) for part in parts) else OPERAND
    operands = [each for each in (base_of(part, class_) for part in parts) if each is not None]
    operations = [each for each in (base_of(part, OP) for part in parts) if each is not None]
    if len(operands) + len(operations) < len(parts):
        return None
    if operations or replaces:
        operands = [_of_any_element(each) for each in operands[:1]]
    return make_simplified_union([*map(of_any_shape, operands), *operations[:1]])


def of_one_element(type_: Type) -> Type:
    """The type of an item of a container that holds operands of several element types: the program knows which."""
    first = base_of(union_items(type_)[0], OPERAND) if are_of_several_elements(type_) else None
    return type_ if first is None else of_any_shape(_of_any_element(first))


def _of_any_element(operand: Instance) -> Instance:
    return operand.copy_modified(args=[AnyType(TypeOfAny.special_form), *operand.args[1:]])


def holds_operands(type_: Type) -> bool:
    """Whether a type is an operand or a tuple with an operand."""
    return any(
        any(map(holds_operands, item.items)) if isinstance(item, TupleType) else base_of(item, OPERAND) is not None
        for item in union_items(type_)
    )
