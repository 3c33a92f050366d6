"""Arguments of a call that are in each other's place, which mypy reports one by one: one sentence for both.

mypy has no hook for a call of what a dict or an attribute holds, and infers `Never` for the type variables of a call
whose arguments do not fit. Once it has checked a file, it checks such a call again here, with the arguments exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from attrs import frozen
from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.checkexpr import has_uninhabited_component
from mypy.errors import ErrorInfo
from mypy.nodes import ARG_NAMED, ARG_POS, ARG_STAR, CallExpr, Expression, TempNode
from mypy.plugin import CheckerPluginInterface
from mypy.subtypes import find_member
from mypy.types import CallableType, Instance, LiteralType, Overloaded, Type, get_proper_type

from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import CALL
from typegrad.mypy_plugin.base.operands import ARRAY, base_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.reports.whole_file import text_of
from typegrad.mypy_plugin.reports.wording import called, described, parameter_names
from typegrad.mypy_plugin.types.array_types import dtype_of
from typegrad.mypy_plugin.types.symbols import short_name
from typegrad.mypy_plugin.values.program_files import is_own

__all__ = ["name_exchanged", "signature_of"]

_Place: TypeAlias = tuple[int, int]
_OWN: Final = ("numpy.", "typegrad.")
_UNSOLVED: Final = "Never"
"""What mypy infers for a type variable of such a call."""


@frozen
class _Call:
    """A call with wrong arguments, as mypy has checked it."""

    node: CallExpr
    callee: CallableType | Overloaded
    types: Sequence[Type]
    """The types of its arguments."""
    wrong: Sequence[int]
    """The positions of the wrong ones, or of all, if no overload takes them."""


def name_exchanged(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors of two arguments by one, if the call is right with the two in each other's place."""
    checker = checker_of(api)
    errors = errors_of(checker)
    wrong = {_place(each) for each in errors if each.code is codes.ARG_TYPE}
    overloaded = {_place(each) for each in errors if each.code is codes.CALL_OVERLOAD and each.severity == "error"}
    calls = _calls(checker, wrong, overloaded) if len(wrong) > 1 or overloaded else ()
    for call in list(calls):
        pair = next((pair for pair in combinations(call.wrong, 2) if _is_right(checker, call, pair)), None)
        if pair is not None:
            drop(errors, _errors_of(call.node, [call.node.args[position] for position in pair], errors))
            report(api, CALL, _told(checker, call, pair), call.node)


def _place(each: ErrorInfo | Expression) -> _Place:
    return each.line, each.column


def _calls(checker: TypeChecker, wrong: set[_Place], overloaded: set[_Place]) -> Iterator[_Call]:
    """The calls with several wrong arguments of the program's functions, or with an array or a class of typegrad.

    Args:
        checker: mypy's.
        wrong: The places of wrong arguments.
        overloaded: Those of calls that no overload takes.

    """
    for node in nodes_of(checker.tree):
        if not isinstance(node, CallExpr):
            continue
        is_overloaded = _place(node) in overloaded
        positions = [each for each in _alone(node) if is_overloaded or _place(node.args[each]) in wrong]
        callee = signature_of(checker, node.callee) if len(positions) > 1 else None
        if callee is not None and all(map(checker.has_type, node.args)):
            types = [checker.lookup_type(each) for each in node.args]
            if _is_of_program(checker, callee) or any(own in str(types[each]) for each in positions for own in _OWN):
                yield _Call(node, callee, types, positions)


def _alone(call: CallExpr) -> Iterator[int]:
    """The positions of the arguments that a call does not unpack, and whose parameter does not depend on these."""
    kinds = call.arg_kinds
    unpacked = kinds.index(ARG_STAR) if ARG_STAR in kinds else len(kinds)
    return (each for each, kind in enumerate(kinds) if kind is ARG_NAMED or (kind is ARG_POS and each < unpacked))


def _is_of_program(checker: TypeChecker, callee: CallableType | Overloaded) -> bool:
    """Whether the program itself defines what is called."""
    definition = _first(callee).definition
    name = "" if definition is None else definition.fullname
    modules = (checker.modules.get(name.rsplit(".", count)[0]) for count in range(1, name.count(".") + 1))
    path = next((each.path for each in modules if each is not None), "")
    return is_own(path)


def signature_of(checker: TypeChecker, callee: Expression) -> CallableType | Overloaded | None:
    """The signature of what is called; None if it is no function."""
    type_ = get_proper_type(checker.lookup_type(callee)) if checker.has_type(callee) else None
    if isinstance(type_, CallableType) and any(map(has_uninhabited_component, type_.arg_types)):
        with checker.msg.filter_errors():  # as it is declared, not as mypy has solved it for the call
            type_ = get_proper_type(checker.expr_checker.accept(callee))
    if isinstance(type_, Instance):
        type_ = get_proper_type(find_member("__call__", type_, type_, is_operator=True))
    return type_ if isinstance(type_, (CallableType, Overloaded)) else None


def _is_right(checker: TypeChecker, call: _Call, pair: tuple[int, int]) -> bool:
    """Whether mypy accepts a call with two of its arguments in each other's place."""
    types = list(call.types)
    for position, other in (pair, pair[::-1]):
        types[position] = call.types[other]
    node = call.node
    args: list[Expression] = [TempNode(type_, context=node) for type_ in types]
    with checker.msg.filter_errors() as found:
        checker.expr_checker.check_call(call.callee, args, node.arg_kinds, node, node.arg_names)
    return not found.has_new_errors()


def _errors_of(call: CallExpr, args: Sequence[Expression], errors: Sequence[ErrorInfo]) -> list[ErrorInfo]:
    """The errors of these arguments, and those that follow from them."""
    places, lines = set(map(_place, args)), range(call.line, (call.end_line or call.line) + 1)
    return [
        each
        for each in errors
        if (each.code is codes.ARG_TYPE and _place(each) in places)
        or ((each.severity == "error" or each.code is codes.CALL_OVERLOAD) and _place(each) == _place(call))
        or (each.line in lines and (each.code is codes.VAR_ANNOTATED or _UNSOLVED in each.message))
    ]


def _told(checker: TypeChecker, call: _Call, pair: tuple[int, int]) -> str:
    names = parameter_names(_first(call.callee))
    written = [call.node.arg_names[each] for each in pair]
    known = [f"`{name}`" if name else names[each] for name, each in zip(written, pair, strict=True)]
    shown = [f"{name} is {_shown(checker, call.types[each])}" for name, each in zip(known, pair, strict=True)]
    return f"{_called(checker, call)}(): {' and '.join(shown)}; swap them"


def _shown(checker: TypeChecker, type_: Type) -> str:
    proper = get_proper_type(type_)
    if isinstance(proper, CallableType):
        return "a class" if proper.is_type_obj() else "a function"
    if isinstance(proper, LiteralType):
        return repr(proper.value)
    array = base_of(proper, ARRAY)
    dtype = None if array is None else dtype_of(checker, array.args[1])
    return described(proper) or (short_name(proper) if dtype is None else f"an array of {dtype}")


def _first(callee: CallableType | Overloaded) -> CallableType:
    """A signature, or the first one of several."""
    return callee if isinstance(callee, CallableType) else callee.items[0]


def _called(checker: TypeChecker, call: _Call) -> str:
    """What is called: `update`, `Critic.value`, the class of an object that is called, or as it is written."""
    callee = _first(call.callee)
    definition = callee.definition
    if callee.is_type_obj():
        return callee.type_object().name
    if definition is None:
        return _written(checker, call.node.callee)
    return called(definition.fullname)


def _written(checker: TypeChecker, expr: Expression) -> str:
    """The text of an expression in one line, or a word for it."""
    lines = text_of(checker).splitlines()
    if expr.line != expr.end_line or expr.end_column is None:
        return "the function"
    return lines[expr.line - 1].encode()[expr.column : expr.end_column].decode()
