# pyright: reportPrivateUsage=false
# mypy has no public way to check a file once more.
"""A file as mypy finds it with another declaration than it has."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from typing import Final

from attrs import frozen
from mypy.binder import ConditionalTypeBinder
from mypy.checker import TypeChecker
from mypy.checker_shared import CheckerScope
from mypy.nodes import (
    LDEF,
    AssignmentStmt,
    Block,
    ClassDef,
    Decorator,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    Statement,
    TempNode,
    Var,
)
from mypy.nodes import TypeAlias as Alias
from mypy.types import CallableType, Type
from mypy.typestate import type_state

from typegrad.mypy_plugin.arrays.feeds import feeds_apart, source_of
from typegrad.mypy_plugin.base.memory import forget_types, rechecking, restore_types
from typegrad.mypy_plugin.base.reporting import found_in
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.consequences import is_serious
from typegrad.mypy_plugin.reports.whole_file import text_of

__all__ = ["Declaration", "affected", "is_alias_of", "places", "redeclared"]

_LONGEST: Final = 600
"""How many lines are checked once more, at most: mypy takes a second for some hundreds."""
_NAME: Final = re.compile(r"\b[^\W\d]\w*")


@frozen
class Declaration:
    """A declaration that may be wrong, or what binds a name whose value may be."""

    owner: FuncDef | Alias | AssignmentStmt
    """A function of the file, which may be the constructor that mypy makes of the fields of a class; an alias; or the
    only statement that binds a name or an attribute."""
    parameter: str | None = None
    """A parameter of a function; None for its result, and for all else."""

    @property
    def field(self) -> Var | None:
        """The field that a parameter of such a constructor sets."""
        owner = self.owner
        info = owner.info if isinstance(owner, FuncDef) else None
        made = info.names.get(owner.name) if info and isinstance(owner, FuncDef) else None
        symbol = info.names.get(self.parameter or "") if info and made is not None and made.plugin_generated else None
        return symbol.node if symbol is not None and isinstance(symbol.node, Var) else None

    @property
    def variable(self) -> Var | None:
        """The field, or a name whose type mypy does not infer, as it is bound to a number or a string."""
        target = self.owner.lvalues[0] if isinstance(self.owner, AssignmentStmt) else None
        if not isinstance(target, (MemberExpr, NameExpr)):
            return self.field
        return target.node if isinstance(target.node, Var) and not target.is_inferred_def else None

    @property
    def name(self) -> str:
        """What to call it in an error."""
        owner = self.owner
        if isinstance(owner, AssignmentStmt):
            return source_of(owner.lvalues[0])
        if isinstance(owner, Alias):
            return owner.name
        if self.field is not None:
            return f"{owner.info.name}.{self.parameter}"
        function = f"{owner.info.name}.{owner.name}" if owner.info else owner.name
        return f"{self.parameter or 'the result'} of {function}"


@contextmanager
def redeclared(declaration: Declaration, type_: Type, statements: Block) -> Generator[None]:
    """Have some statements of the program as if it had another declaration."""
    owner, variable = declaration.owner, declaration.variable
    with ExitStack() as undone:
        undone.callback(type_state.reset_all_subtype_caches)  # which classes have the methods of a protocol
        if isinstance(owner, AssignmentStmt):
            undone.callback(setattr, owner, "rvalue", owner.rvalue)
            owner.rvalue = TempNode(type_, context=owner.rvalue)
            for each in nodes_of(statements):
                if isinstance(each, NameExpr) and is_alias_of(owner, each):
                    undone.callback(setattr, each, "node", each.node)
                    each.node = Var(each.name, type_)
        elif isinstance(owner, Alias):
            undone.callback(setattr, owner, "target", owner.target)
            owner.target = type_
        elif isinstance(signature := owner.type, CallableType):
            undone.callback(setattr, owner, "type", signature)
            owner.type = _with_type(signature, declaration.parameter, type_)
        if variable is not None:
            undone.callback(setattr, variable, "type", variable.type)
            variable.type = type_
        type_state.reset_all_subtype_caches()
        yield


def is_alias_of(statement: Node, expr: Node) -> bool:
    """Whether it is a name that a statement binds to a class, which mypy takes for the class itself."""
    alias = expr.node if isinstance(expr, NameExpr) else None
    if not isinstance(alias, Alias) or not isinstance(statement, AssignmentStmt):
        return False
    return statement.is_alias_def and (statement.line, statement.column) == (alias.line, alias.column)


def _with_type(signature: CallableType, parameter: str | None, type_: Type) -> CallableType:
    """A signature with another type of a parameter, or of the result."""
    if parameter is None:
        return signature.copy_modified(ret_type=type_)
    types = zip(signature.arg_names, signature.arg_types, strict=True)
    return signature.copy_modified(arg_types=[type_ if name == parameter else each for name, each in types])


def affected(checker: TypeChecker, declaration: Declaration) -> Block | None:
    """The statements of a file whose types may be others with another declaration; None if these are too long.

    They have its name in them, or one that such a statement binds.
    """
    owner, starts = declaration.owner, sorted({each.line for each in checker.tree.defs})
    if isinstance(owner, AssignmentStmt) and isinstance(owner.lvalues[0], NameExpr) and owner.lvalues[0].kind == LDEF:
        around = max(start for start in starts if start <= owner.line)
        return Block([each for each in checker.tree.defs if each.line == around])
    lines = text_of(checker).splitlines()
    parts = {start: lines[start - 1 : end - 1] for start, end in pairwise([*starts, len(lines) + 1])}
    written = {start: set(_NAME.findall("\n".join(part))) for start, part in parts.items()}
    names, chosen = _names(declaration), set[int]()
    while more := [start for start, own in written.items() if start not in chosen and own & names]:
        chosen.update(more)
        for each in checker.tree.defs:
            if each.line in more:
                names |= _bound(each, is_alias=isinstance(owner, Alias))
    if sum(len(parts[start]) for start in chosen) > _LONGEST:
        return None
    return Block([each for each in checker.tree.defs if each.line in chosen])


def _names(declaration: Declaration) -> set[str]:
    owner = declaration.owner
    if isinstance(owner, AssignmentStmt):
        return {each.name for each in owner.lvalues if isinstance(each, (MemberExpr, NameExpr))}
    if isinstance(owner, FuncDef) and owner.info:
        return {owner.name, owner.info.name, declaration.parameter or ""}
    return {owner.name}


def _bound(statement: Statement, *, is_alias: bool) -> set[str]:
    """The names that a statement of a file binds, as far as their types may follow from a declaration."""
    if isinstance(statement, (Decorator, FuncDef)):
        return {statement.name} if is_alias else set()  # its signature has the alias; else, it states its own types
    if isinstance(statement, ClassDef):
        return {statement.name, *statement.info.names}
    return {each.name for each in nodes_of(statement) if isinstance(each, NameExpr) and each.is_inferred_def}


def places(checker: TypeChecker, statements: Block, number: int) -> set[tuple[int, int]]:
    """Where mypy finds errors in statements, which it checks once more. Names get their types at the first check."""
    with _afresh(checker, statements, number):
        found_in(checker, statements)
        found = found_in(checker, statements)
    return {(each.line, each.column) for each in found if is_serious(each)}


@contextmanager
def _afresh(checker: TypeChecker, statements: Block, number: int) -> Generator[None]:
    """Put mypy in the state in which it checks a file, in a pass of its own, with no error told; afterwards back."""
    told, binder, scope = checker.errors.error_info_map.pop(checker.path, []), checker.binder, checker.scope
    is_deferred, deferred, pass_ = checker.current_node_deferred, len(checker.deferred_nodes), checker.pass_num
    is_cached, checker.allow_constructor_cache = checker.allow_constructor_cache, False
    variables = {each: each.type for each in _variables(checker, statements)}
    known = forget_types(checker, statements)
    checker.binder, checker.scope = ConditionalTypeBinder(checker.options), CheckerScope(checker.tree)
    checker._type_maps.append({})
    checker.current_node_deferred = False
    checker.pass_num = checker.last_pass + 1 + number  # what is known of other passes may be of other types
    try:
        with feeds_apart(checker.tree), rechecking(), checker.enter_partial_types(), checker.binder.top_frame_context():
            yield
    finally:
        checker.binder, checker.scope, checker.current_node_deferred = binder, scope, is_deferred
        checker.allow_constructor_cache, checker.pass_num = is_cached, pass_
        del checker.deferred_nodes[deferred:]
        checker._type_maps.pop()
        restore_types(known)
        for variable, type_ in variables.items():
            variable.type = type_
        checker.errors.error_info_map[checker.path] = told


def _variables(checker: TypeChecker, statements: Block) -> set[Var]:
    """The names and attributes of a file, whose types mypy may infer."""
    read = (each.node for each in nodes_of(statements) if isinstance(each, RefExpr))
    symbols = (symbol.node for _, symbol, _ in checker.tree.local_definitions())
    nodes = (each.var if isinstance(each, Decorator) else each for each in (*read, *symbols))
    return {each for each in nodes if isinstance(each, Var)}
