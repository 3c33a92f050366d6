# pyright: reportPrivateUsage=false
# mypy has no public way to check an expression once more.
"""An operand that is declared with another shape or element type than it is fed and used with: one mistake."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Final

from mypy import errorcodes as codes
from mypy.binder import ConditionalTypeBinder
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import Block, CallExpr, Expression, ExpressionStmt, MemberExpr, NameExpr, OpExpr, SymbolNode, Var
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, Type, get_proper_type

from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.arrays.conversion import array_element
from typegrad.mypy_plugin.arrays.feeds import fitting_feeds, misfits_of, source_of
from typegrad.mypy_plugin.arrays.ndarrays import array_shape
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import shape_type
from typegrad.mypy_plugin.base.dtypes import type_name
from typegrad.mypy_plugin.base.memory import forget_types, rechecking, restore_types
from typegrad.mypy_plugin.base.operands import VARIABLE, base_of, operand_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, found_in
from typegrad.mypy_plugin.base.syntax import is_plain, nodes_of
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["DECLARED", "as_fed", "join_misdeclared", "shown", "variable_of"]

_ARGUMENT: Final = re.compile(r'has incompatible type "\w+\[(.+)\]"; expected "\w+\[(.+)\]"$')
"""What mypy says of an operand that is an argument: the parameters of its type, and of the one that is expected."""

DECLARED: Final = ("Operand", "Output", "Placeholder", "Variable")
"""The classes of operands whose element type and shape a program states. These are the parameters of the class."""


def join_misdeclared(api: CheckerPluginInterface) -> None:
    """Keep the first error about an operand whose declaration is the mistake.

    That is so where the operand fits if it is declared as it is fed; and where calls expect the same of it.
    """
    checker = checker_of(api)
    errors = errors_of(checker)
    places = {_place(each) for each in errors if each.severity == "error"}
    misfits = [each for each in misfits_of(checker.tree) if _place(each[1]) in places]
    if not misfits and len(places) < 2:
        return
    uses = list(_uses(checker))
    joined = set[tuple[SymbolNode | None, Type]]()
    for key, value in misfits:
        _join_feed(api, errors, key, value, uses, joined)
    drop(errors, list(_again(checker, errors, uses)))


_Use = tuple[Expression, Expression]
"""An argument or an operand, and the expression that it is in."""


def _uses(checker: TypeChecker) -> Iterator[_Use]:
    for node in nodes_of(checker.tree):
        inputs = (
            node.args if isinstance(node, CallExpr) else [node.left, node.right] if isinstance(node, OpExpr) else ()
        )
        for each in inputs:
            for operand in each.items if is_plain(each) else [each]:
                if isinstance(operand, (NameExpr, MemberExpr)) and isinstance(node, Expression):
                    yield operand, node


def variable_of(checker: TypeChecker, expr: Expression) -> SymbolNode | None:
    """The variable of a name, or the attribute of an object of a class."""
    if isinstance(expr, NameExpr):
        return expr.node
    if not isinstance(expr, MemberExpr) or not checker.has_type(expr.expr):
        return None
    owner = get_proper_type(checker.lookup_type(expr.expr))
    symbol = owner.type.get(expr.name) if isinstance(owner, Instance) else None
    return symbol.node if symbol is not None and isinstance(symbol.node, Var) else None


def _join_feed(
    api: CheckerPluginInterface,
    errors: list[ErrorInfo],
    key: Expression,
    value: Expression,
    uses: Sequence[_Use],
    joined: set[tuple[SymbolNode | None, Type]],
) -> None:
    """Say in the error about the first use of an operand how to declare it, if it fits everywhere as it is fed.

    `joined` has the operands of which this was said, and their types.
    """
    checker = checker_of(api)
    variable, made = variable_of(checker, key), as_fed(api, key, value)
    feeds = [each for each in errors if _place(each) == _place(value) and each.code in (DTYPE, SHAPE)]
    is_fed = any(variable_of(checker, each) is variable for each in fitting_feeds(checker.tree))
    if variable is None or made is None or is_fed or not feeds:
        return
    if (variable, made) in joined:
        drop(errors, feeds)
        return
    told = _mended(checker, made, [use for use in uses if variable_of(checker, use[0]) is variable])
    mended = [each for each in errors if (each.line, each.message) in told]
    if mended:
        first = min(mended, key=lambda each: each.line)
        verb = "feeds" if feeds[0].message.startswith("run:") else "assigns"
        what = "create" if _is_created(checker, key, variable) else "declare"
        cure = f"{what} {source_of(key)} as {shown(made)}, which line {feeds[0].line} {verb}"
        first.message = f"{first.message}; {cure}"
        drop(errors, [*feeds, *(each for each in mended if each is not first)])
        joined.add((variable, made))


def _is_created(checker: TypeChecker, key: Expression, variable: SymbolNode) -> bool:
    """Whether it is a variable that the program creates, which no declaration makes one of another element type."""
    is_variable = base_of(checker.lookup_type(key), VARIABLE) is not None
    return is_variable and isinstance(variable, Var) and variable.is_inferred


def _mended(checker: TypeChecker, made: Type, uses: Sequence[_Use]) -> set[tuple[int, str]]:
    """The lines and texts of errors that an operand of another type does not cause; none if it causes others."""
    mended = set[tuple[int, str]]()
    for operand, around in uses:
        before, after = (_found(checker, operand, each, around) for each in (checker.lookup_type(operand), made))
        if after and not before:
            return set()
        if not after:
            mended |= before
    return {(line, text) for line, text in mended if not text.startswith(("run:", "assign:"))}


def shown(made: Type) -> str:
    """The element type and the shape of an operand, if that is known."""
    operand = operand_of(made)
    if operand is None:
        return ""
    shape = operand.static.shape
    return type_name(operand.dtype) if shape.dims is None else f"{type_name(operand.dtype)} {shape}"


def as_fed(api: CheckerPluginInterface, key: Expression, value: Expression) -> Type | None:
    """The type of an operand with the element type and the sizes of its feed, but with its own names of sizes."""
    with checker_of(api).msg.filter_errors():
        type_, given = get_proper_type(expression_type(api, key)), expression_type(api, value)
    operand = operand_of(type_)
    if operand is None or not isinstance(type_, Instance) or type_.type.name not in DECLARED:
        return None
    shape = operand.static.shape
    with suppress(NotStatic):
        shape = _merged(shape, array_shape(api, value, given))
    dims = shape_type(api, shape, is_gradual=False)
    return None if dims is None else type_.copy_modified(args=[array_element(api, value, given) or operand.dtype, dims])


def _merged(declared: Shape, fed: Shape) -> Shape:
    if declared.dims is None or fed.dims is None or declared.rank != fed.rank:
        return fed
    return Shape(tuple(map(_size, declared.dims, fed.dims)))


def _size(declared: Dim, fed: Dim) -> Dim:
    return fed if isinstance(declared, int) and isinstance(fed, int) else declared


def _found(checker: TypeChecker, operand: Expression, type_: Type, around: Expression) -> set[tuple[int, str]]:
    """What mypy says, and in which lines, of an expression if an operand in it has a type."""
    statement = ExpressionStmt(around)
    statement.set_line(around)
    with _anew(checker, around), rechecking():
        checker.binder.put(operand, type_)
        return {(each.line, each.message) for each in found_in(checker, Block([statement]))}


@contextmanager
def _anew(checker: TypeChecker, around: Expression) -> Generator[None]:
    """Have nothing known of an expression, and no error told, which would not be told again; afterwards as before."""
    told, binder = checker.errors.error_info_map.pop(checker.path, []), checker.binder
    known = forget_types(checker, around)
    checker.binder = ConditionalTypeBinder(checker.options)
    checker._type_maps.append({})
    try:
        with checker.binder.top_frame_context():
            yield
    finally:
        checker._type_maps.pop()
        checker.binder = binder
        restore_types(known)
        checker.errors.error_info_map[checker.path] = told


def _again(checker: TypeChecker, errors: Sequence[ErrorInfo], uses: Sequence[_Use]) -> Iterator[ErrorInfo]:
    """What mypy says again of an operand that is the argument of another call, which expects the same."""
    operands = {_place(operand): variable_of(checker, operand) for operand, _ in uses}
    told = set[tuple[object, ...]]()
    for each in errors:
        found = _ARGUMENT.search(each.message) if each.code is codes.ARG_TYPE else None
        variable = operands.get(_place(each))
        if found is not None and variable is not None:
            mistake = variable, *found.groups()
            if mistake in told:
                yield each
            told.add(mistake)


def _place(each: ErrorInfo | Expression) -> tuple[int, int]:
    return each.line, each.column
