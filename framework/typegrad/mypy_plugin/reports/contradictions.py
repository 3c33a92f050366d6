"""Where a program that is followed makes operands that do not fit the types that it declares.

mypy compares types, which may leave a size open: what a function of arrays returns, a file, an `Any`. The program has
the size, and what declares another one is wrong: results of functions, parameters, annotated names, fields. The same
holds for the element type of a value that is declared `float`, but is an `int`, as mypy allows it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from mypy.checker import TypeChecker
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    MypyFile,
    ReturnStmt,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from typegrad.base.errors import DTypeError, ShapeError, TypegradError
from typegrad.base.shape import Shape
from typegrad.base.size import Dim, Name
from typegrad.base.size_ranges import differ
from typegrad.dry_run.known.values import OperandValue, Value
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.dtypes import leaf_of
from typegrad.mypy_plugin.base.expected import is_expected
from typegrad.mypy_plugin.base.operands import OPERAND, StaticOperand, base_of
from typegrad.mypy_plugin.base.syntax import nodes_of, statements_of

if TYPE_CHECKING:
    from typegrad.dry_run.source.declared import Declared
    from typegrad.dry_run.tracking.core import Failure
    from typegrad.graph.operand import AnyOperand
    from typegrad.graph.operation import Operation

__all__ = ["contradictions", "other_operand", "other_value"]

_MAIN: Final = "__main__"
_ITEMS: Final = frozenset({"builtins.list", "builtins.tuple", "typing.Sequence"})
_VALUES: Final = frozenset({"builtins.dict", "typing.Mapping"})
_REMEDY: Final = "pass the element type as `dtype`, or convert the value"
_Places: TypeAlias = Mapping[tuple[int, ...], Type]
"""The declared types by the line and column of statements and parameters, and the types of calls by their places."""


def contradictions(checker: TypeChecker, declared: Collection[Declared]) -> Iterator[Failure]:
    """The errors of a program whose values do not fit their declarations, without what follows from one of them."""
    from typegrad.dry_run.tracking.core import Failure

    places = _places(checker) if declared else {}
    wrong: set[Operation] = set()
    named = _Named()
    for each in declared:
        type_ = _declared_type(checker, places, each)
        if type_ is not None and each.kind == "parameter":
            named.pass_(each, type_)
        other = None if type_ is None else other_value(type_, each.value, named.of(each))
        if other is not None and (each.kind != "call" or _is_int_for_float(*other)):
            follows = any(_depends(operand, wrong) for operand in each.operands)
            wrong |= {operand.as_reference().op for operand in each.operands}
            if not follows and not _is_expected(checker, each):
                yield Failure(_error(each, *other), each.frames, {})


class _Named:
    """The names of sizes in the parameters of functions, and the sizes that these have in calls."""

    def __init__(self) -> None:
        self._sizes: dict[tuple[str, str], dict[str, set[Dim | None]]] = {}

    def pass_(self, parameter: Declared, type_: Type) -> None:
        """Note the sizes of an operand that is passed."""
        base = base_of(type_, OPERAND)
        if base is None or not isinstance(parameter.value, OperandValue):
            return
        function = parameter.name.rpartition(" of ")[2]
        sizes = self._sizes.setdefault((parameter.module, function), {})
        for name, size in zip(shape_of(base.args[1]).shape.dims or (), parameter.value.shape.dims or (), strict=False):
            if isinstance(name, str):
                sizes.setdefault(str(name), set()).add(size)

    def of(self, declared: Declared) -> Collection[str]:
        """The names that mean themselves in what a function returns, as its parameters have sizes of these names."""
        sizes = self._sizes.get((declared.module, declared.name), {}) if declared.kind == "result" else {}
        return [name for name, passed in sizes.items() if passed == {name}]


def _is_expected(checker: TypeChecker, declared: Declared) -> bool:
    """Whether a test expects an error of what is running, in which the wrong value may be what it tests."""
    lines = [each.line for each in declared.frames if each.file == checker.path]
    return any(is_expected(checker.tree, Context(line, 0)) for line in lines)


def other_value(type_: Type, value: Value, named: Collection[str] = ()) -> tuple[str, str] | None:
    """An element type or a shape that a type declares, and the one of a value, if these are certain to differ.

    `named` are names of sizes that are no others.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, UnionType):
        others = [each for each in map(get_proper_type, proper.items) if not isinstance(each, NoneType)]
        differing = [other for each in others if (other := other_value(each, value, named)) is not None]
        return differing[0] if differing and len(differing) == len(others) else None
    if isinstance(value, OperandValue):
        base = base_of(proper, OPERAND)
        return (
            None if base is None else other_operand(StaticOperand(base.args[0], shape_of(base.args[1])), value, named)
        )
    if isinstance(proper, TupleType):
        types = proper.items if len(proper.items) == len(value) else []
    else:
        types = [_item_type(proper)] * len(value)
    pairs = ((each, part) for each, part in zip(types, value, strict=False) if part is not None)
    return next((found for each, part in pairs if (found := other_value(each, part, named)) is not None), None)


def other_operand(declared: StaticOperand, value: OperandValue, named: Collection[str] = ()) -> tuple[str, str] | None:
    """The same for an operand."""
    leaf, shape = leaf_of(declared.dtype), declared.static.shape
    if leaf is not None and leaf.name != value.dtype:
        return leaf.name, value.dtype
    return (str(shape), str(value.shape)) if _differ(shape, value.shape, named) else None


def _is_int_for_float(stated: str, made: str) -> bool:
    """Whether a number has the type `float`, but is an `int`, which mypy allows everywhere."""
    return stated.startswith("float") and made.startswith("int")


def _differ(first: Shape, second: Shape, named: Collection[str]) -> bool:
    """Whether two shapes never fit. A name that is not among `named` may be any size: the program gives it one."""
    if first.dims is None or second.dims is None:
        return False
    pairs = zip(first.dims, second.dims, strict=False)
    return len(first.dims) != len(second.dims) or any(_are_other(a, b, named) for a, b in pairs)


def _are_other(first: Dim | None, second: Dim | None, named: Collection[str]) -> bool:
    """Whether two sizes are certain to differ."""
    if isinstance(first, str):
        return str(first) in named and second is not None and differ(Name(first), second)
    return isinstance(first, int) and isinstance(second, int) and first != second


def _item_type(type_: Type) -> Type:
    """The type of what a list or a dict holds; `Any` for other types."""
    proper = get_proper_type(type_)
    name = proper.type.fullname if isinstance(proper, Instance) else ""
    if isinstance(proper, Instance) and name in _ITEMS | _VALUES:
        return proper.args[-1]
    return AnyType(0)


def _places(checker: TypeChecker) -> _Places:
    """The declared types of the checked file."""
    result: dict[tuple[int, ...], Type] = {}
    for node in nodes_of(checker.tree):
        if isinstance(node, AssignmentStmt) and node.unanalyzed_type is not None and node.type is not None:
            result[node.line, node.column] = node.type
        elif isinstance(node, CallExpr) and checker.has_type(node):
            result[_place(node)] = checker.lookup_type(node)
        elif isinstance(node, FuncDef) and isinstance(node.type, CallableType):
            pairs = zip(node.arguments, node.type.arg_types, strict=True)
            result.update({(each.line, each.column): type_ for each, type_ in pairs if each.type_annotation})
            returns = [each for each in statements_of(node) if isinstance(each, ReturnStmt)]
            result.update({(each.line, each.column): node.type.ret_type for each in returns})
    return result


def _place(expr: Expression) -> tuple[int, ...]:
    return expr.line, expr.column, expr.end_line or 0, expr.end_column or 0


def _declared_type(checker: TypeChecker, places: _Places, declared: Declared) -> Type | None:
    """The type that a program declares; None if it declares none."""
    if declared.kind != "field" and declared.module == _MAIN:
        place = declared.place or ()
        return places.get(place if declared.kind == "call" else place[:2])
    tree = checker.tree if declared.module == _MAIN else checker.modules.get(declared.module)
    node = None if tree is None else _node(tree, declared.name)
    if declared.kind == "field":
        return node.type if isinstance(node, Var) and not node.is_inferred else None
    function = get_proper_type(node.type) if declared.kind == "result" and isinstance(node, FuncDef) else None
    return function.ret_type if isinstance(function, CallableType) else None


def _node(tree: MypyFile, name: str) -> SymbolNode | None:
    """What a name of a module is, or of a class in it; None if it is in a function."""
    first, *rest = name.split(".")
    symbol = tree.names.get(first)
    for each in rest:
        owner = None if symbol is None else symbol.node
        symbol = owner.get(each) if isinstance(owner, TypeInfo) else None
    node = None if symbol is None else symbol.node
    return node.func if isinstance(node, Decorator) else node


def _error(declared: Declared, stated: str, made: str) -> TypegradError:
    """What an error says of a value that is not what is stated."""
    kind, what = (ShapeError, "shape ") if stated.startswith("[") else (DTypeError, "")
    name = declared.name.replace("<locals>.", "")
    if declared.kind == "result":
        return kind(f"{name} returns an operand of {what}{made}, but is declared to return {stated}")
    if declared.kind == "call":
        return kind(f"{name}: the type of the value means {stated}, but the value makes {made}; {_REMEDY}")
    return kind(f"{name} is declared as an operand of {what}{stated}, but is one of {what}{made}")


def _depends(operand: AnyOperand, wrong: set[Operation]) -> bool:
    """Whether an operand is made of one of these."""
    stack = [operand.as_reference().op]
    seen: set[Operation] = set()
    while stack and wrong:
        operation = stack.pop()
        if operation in wrong:
            return True
        if operation not in seen:
            seen.add(operation)
            stack += [each.op for each in operation.inputs]
    return False
