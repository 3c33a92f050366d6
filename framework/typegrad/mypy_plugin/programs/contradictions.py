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
from mypy.types import CallableType, Type, get_proper_type

from typegrad.base.errors import DTypeError, ShapeError, TypegradError
from typegrad.base.size import Dim
from typegrad.dry_run.known.values import OperandValue
from typegrad.mypy_plugin.base.dims import shape_of
from typegrad.mypy_plugin.base.expected import is_expected
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.syntax import nodes_of, statements_of
from typegrad.mypy_plugin.reports.differing import other_value

if TYPE_CHECKING:
    from typegrad.dry_run.source.declared import Declared
    from typegrad.dry_run.tracking.core import Failure
    from typegrad.graph.operand import AnyOperand
    from typegrad.graph.operation import Operation

__all__ = ["contradictions"]

_MAIN: Final = "__main__"
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


def _is_int_for_float(stated: str, made: str) -> bool:
    """Whether a number has the type `float`, but is an `int`, which mypy allows everywhere."""
    return stated.startswith("float") and made.startswith("int")


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
