# mypy has no public way to give a function another name.
"""Names that a later cell of a notebook defines anew: each definition is one of its own, where mypy knows one alone.

The first line of a notebook's text says in which lines its cells begin. Before mypy resolves names, all definitions but
the last one get another name there, and so does what refers to them: `layer·1`. A function refers to what is defined
where it is called. Where that is not certain, and the definitions have other signatures, it refers to anything.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen
from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import (
    ARG_STAR,
    ARG_STAR2,
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    GlobalDecl,
    Import,
    ImportFrom,
    IndexExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    OverloadedFuncDef,
    StarExpr,
    Statement,
    StrExpr,
    TempNode,
    TupleExpr,
    WithStmt,
)
from mypy.types import AnyType, CallableType, Type, TypeOfAny, UnboundType

from typegrad.mypy_plugin.base.syntax import children, imported_names, nodes_of, unknown_targets

__all__ = ["cells_of", "is_of_definitions", "separate"]

_NUMBERED: Final = re.compile(r"([^\W\d]\w*?)(·\d+)?\b(?![\w·])")
_CELLS: Final = re.compile(r".*# typegrad: cells ([\d ]+)")
_LONGEST: Final = 100_000
"""The most characters of a first line."""
_OWN: Final = (ClassDef, Decorator, FuncDef, OverloadedFuncDef)
"""Statements with names of their own."""
_GENERIC: Final = ("dict", "frozenset", "list", "set", "tuple", "type")
_DEFINITION: Final = "definition"
_DECLARATION: Final = "declaration"
"""What mypy takes once for each name, the second one also before other values."""
_OF_NOTHING: Final = "·0"
_OF_TYPE: Final = "0"
"""What is behind the name of what may be any definition, and of a type."""
_VALUE: Final = "value"
_PART: Final = "part"
"""A value that a part of a statement binds, as a loop does: perhaps not."""
_ANYTHING: Final = "__anything__"
"""The module from which a cell that Python cannot read has its names, and others what they make of these."""


def separate(tree: MypyFile, path: str) -> None:
    """Give each definition of a name, but the last one, a name of its own, if the file has the cells of a notebook."""
    with Path(path).open(encoding="utf-8") as file:
        lines = cells_of(file.readline(_LONGEST))
    if lines:
        _separate(tree, lines)


def is_of_definitions(tree: MypyFile, error: ErrorInfo) -> bool:
    """Whether an error may be none: an object is older than its class, or a type may be any definition."""
    if error.code is codes.NO_ANY_RETURN:
        return any(name.endswith(_OF_NOTHING + _OF_TYPE) for name in tree.names)
    return "·" in error.message and _tells_apart(error.message)


def _tells_apart(message: str) -> bool:
    """Whether a message tells one definition of a name from another."""
    found: dict[str, set[str]] = {}
    for name, version in _NUMBERED.findall(message):
        found.setdefault(name, set()).add(version)
    return any(len(each) > 1 for each in found.values())


def cells_of(text: str) -> Sequence[int]:
    """The lines at which the cells of a notebook begin; none in any other text."""
    told = _CELLS.match(text)
    return [] if told is None else [int(each) for each in told[1].split()]


@frozen
class _Binding:
    """A statement of the module that binds a name to something of a kind."""

    index: int
    cell: int
    statement: Statement
    kind: str


@frozen(eq=False)
class _Body:
    """Code that runs when it is called, in a statement of the module: by the function's name alone, if it has one."""

    index: int
    name: str = ""


@frozen(eq=False)
class _Use:
    """A name of the module in one of its statements, where that is in code that runs later in a body."""

    name: str
    node: Node | UnboundType
    index: int
    body: _Body | None
    is_called: bool = False


def _separate(tree: MypyFile, lines: Sequence[int]) -> None:
    _drop_repeated(tree)
    _declare_once(tree)
    _declare_of_functions(tree)
    bindings: dict[str, list[_Binding]] = {}
    for index, statement in enumerate(tree.defs):
        cell = bisect_right(lines, statement.line)
        whole = set(_bound_by(statement))
        for name in whole | _bound_in([statement]):
            kind = _kind(statement, name) if name in whole else _PART
            bindings.setdefault(name, []).append(_Binding(index, cell, statement, kind))
    for name in _bound_elsewhere(tree):
        bindings.pop(name, None)
    starts = {name: _starts(each) for name, each in bindings.items()}
    if all(len(each) == 1 for each in starts.values()):
        return
    reader = _Reader(bindings.keys())
    for index, statement in enumerate(tree.defs):
        reader.read(statement, index)
    versions = _Versions(starts, bindings, reader.uses)
    untold: set[tuple[str, bool]] = set()
    for use in reader.uses:
        version = versions.of_use(use)
        if version is None:
            untold.add((use.name, isinstance(use.node, UnboundType)))
        _rename(use.node, use.name, versions.new_name(use.name, version))
    for name, several in bindings.items():
        for each in several:
            version = versions.at(name, each.index, is_behind=True)
            _rename_bound(each.statement, name, versions.new_name(name, version))
    for name, is_type in sorted(untold):
        new = versions.new_name(name, None)
        tree.defs.insert(0, _any_type(tree, new) if is_type else _declared(tree, new, versions.result(name)))


def _bound_by(statement: Node) -> Iterator[str]:
    """The names that a statement of the module binds itself, without those that statements within it bind."""
    if isinstance(statement, _OWN):
        yield statement.name
    elif isinstance(statement, AssignmentStmt):
        yield from (each.name for target in statement.lvalues for each in _names_in(target))
    elif not (isinstance(statement, Import) and any("." in name and not alias for name, alias in statement.ids)):
        yield from (each for each in imported_names(statement) if each != "*")


def _bound_elsewhere(tree: MypyFile) -> Iterator[str]:
    """The names that functions assign, or that statements within others define."""
    for statement in tree.defs:
        for node in nodes_of(statement):
            if isinstance(node, GlobalDecl):
                yield from node.names
            elif node is not statement and not isinstance(statement, _OWN) and not isinstance(node, AssignmentStmt):
                yield from _bound_by(node)


def _declare_of_functions(tree: MypyFile) -> None:
    """Declare the names of the module that functions alone assign, as cells have them once these were called."""
    nodes = [node for statement in tree.defs if isinstance(statement, _OWN) for node in nodes_of(statement)]
    stated = {name for node in nodes if isinstance(node, GlobalDecl) for name in node.names}
    assigned = {name for node in nodes if isinstance(node, AssignmentStmt) for name in _bound_by(node)}
    bound = {name for each in tree.defs for name in (*_bound_by(each), *_bound_in([each]))}
    for name in sorted((stated & assigned) - bound):
        tree.defs.insert(0, _declared(tree, name, None))


def _names_in(target: Node | None) -> Iterator[NameExpr]:
    """The names that a target binds."""
    if isinstance(target, NameExpr):
        yield target
    elif isinstance(target, StarExpr):
        yield from _names_in(target.expr)
    elif isinstance(target, (ListExpr, TupleExpr)):
        for each in target.items:
            yield from _names_in(each)


def _kind(statement: Statement, name: str) -> str:
    """Whether a statement imports a name, declares it, gives it a value, or defines a function, a class or the like."""
    if isinstance(statement, (Import, ImportFrom)):
        return _ANYTHING if isinstance(statement, ImportFrom) and statement.id == _ANYTHING else "import"
    if not isinstance(statement, AssignmentStmt) or _defines(statement, name):
        return _DEFINITION
    return _VALUE if statement.unanalyzed_type is None else _DECLARATION


def _defines(statement: Statement, name: str) -> bool:
    """Whether an assignment may define a type: `Batch = NewType("Batch", int)`, `Rows = tuple[int, ...]`."""
    value = statement.rvalue if isinstance(statement, AssignmentStmt) else None
    return _named(statement, name) is not None or (name.strip("_")[:1].isupper() and _may_be_type(value))


def _may_be_type(value: Expression | None) -> bool:
    if isinstance(value, OpExpr):
        return value.op == "|" and _may_be_type(value.left) and _may_be_type(value.right)
    if isinstance(value, IndexExpr):
        value = value.base
    return isinstance(value, (MemberExpr, NameExpr)) and (value.name[:1].isupper() or value.name in _GENERIC)


def _named(statement: Statement, name: str) -> StrExpr | None:
    """The name as a text in `Batch = NewType("Batch", int)`; None in any other statement."""
    call = statement.rvalue if isinstance(statement, AssignmentStmt) else None
    first = call.args[0] if isinstance(call, CallExpr) and call.args else None
    return first if isinstance(first, StrExpr) and first.value == name else None


def _drop_repeated(tree: MypyFile) -> None:
    """Drop what the notebook has in the same words before: another `Batch = NewType("Batch", int)` is the same size."""
    known: dict[str, str] = {}
    kept: list[Statement] = []
    for statement in tree.defs:
        names = list(_bound_by(statement))
        is_type = len(names) == 1 and _defines(statement, names[0])
        text = re.sub(r":\d+", "", str(statement)) if is_type else ""
        if is_type and known.get(names[0]) == text:
            continue
        known.update(dict.fromkeys(names, text))
        kept.append(statement)
    tree.defs[:] = kept


def _declare_once(tree: MypyFile) -> None:
    """Take a declaration for an assignment where the notebook has declared the name so before, also in a block."""
    known: dict[str, str] = {}
    left: list[Node] = [*reversed(tree.defs)]
    while left:
        node = left.pop()
        if isinstance(node, AssignmentStmt) and node.unanalyzed_type is not None:
            target = node.lvalues[0]
            name, text = target.name if isinstance(target, NameExpr) else "", str(node.unanalyzed_type)
            if known.get(name) == text and not isinstance(node.rvalue, TempNode):
                node.type = node.unanalyzed_type = None
            known[name] = text
        elif not isinstance(node, (ClassDef, Expression, FuncItem)):
            left += reversed(children(node))


def _starts(bindings: Sequence[_Binding]) -> list[int]:
    """The statements with which the definitions of a name begin: each in another cell than the one before."""
    starts: list[int] = []
    kinds: set[str] = set()
    cell = -1
    for each in bindings:
        is_other = each.kind not in kinds or not kinds.isdisjoint((_ANYTHING, _DEFINITION))
        is_apart = each.cell != cell or _ANYTHING in (each.kind, *kinds)
        if is_apart and is_other and (each.kind != _PART or not starts):
            starts.append(each.index)
            kinds.clear()
        kinds.add(_VALUE if each.kind in (_DECLARATION, _PART) else each.kind)
        cell = each.cell
    return starts


def _declared(tree: MypyFile, name: str, function: CallableType | None) -> AssignmentStmt:
    """A declaration of a name that is anything, or a function of any arguments with the result of another one."""
    anything: Type = AnyType(TypeOfAny.special_form)
    type_ = anything
    if function is not None:
        type_ = function.copy_modified([anything, anything], [ARG_STAR, ARG_STAR2], [None, None])
    statement = AssignmentStmt([NameExpr(name)], TempNode(anything, no_rhs=True), type_)
    for node in (statement, statement.rvalue, *statement.lvalues):
        node.set_line(tree.defs[0])
    return statement


def _any_type(tree: MypyFile, name: str) -> ImportFrom:
    """The statement by which any type has a name."""
    statement = ImportFrom("typing", 0, [("Any", name + _OF_TYPE)])
    statement.set_line(tree.defs[0])
    statement.is_top_level = True
    return statement


class _Reader:
    """What statements of the module use of its names, but for what they bind themselves."""

    def __init__(self, names: Collection[str]) -> None:
        """Look for these names."""
        self.uses: list[_Use] = []
        self._names = names
        self._index = 0

    def read(self, statement: Statement, index: int) -> None:
        """Add the uses in a statement."""
        self._index = index
        bound = [each for each in getattr(statement, "lvalues", ()) for each in _names_in(each)]
        self._bound = {id(each) for each in bound}
        name = statement.name if isinstance(statement, FuncDef) else ""
        self._read(statement, None, frozenset(), frozenset(), name)

    def _read(
        self, node: Node, body: _Body | None, local: frozenset[str], outer: frozenset[str], name: str = ""
    ) -> None:
        """Add the uses in a node with these local names, of which functions within it have the `outer` ones."""
        if isinstance(node, FuncItem):
            self._read_function(node, body, local, outer, name)
            return
        if isinstance(node, ClassDef):
            local |= _bound_in(children(node.defs))
        elif isinstance(node, (DictionaryComprehension, GeneratorExpr)):
            local |= {each.name for target in node.indices for each in _names_in(target)}
            outer |= local
        elif isinstance(node, NameExpr) and id(node) not in self._bound:
            self._add(node.name, node, body, local)
        elif isinstance(node, CallExpr) and isinstance(node.callee, NameExpr):
            self._add(node.callee.name, node.callee, body, local, is_called=True)
        elif isinstance(node, AssignmentStmt):
            self._read_type(node.unanalyzed_type, body, local)
        for each in children(node):
            if not (isinstance(node, CallExpr) and each is node.callee and isinstance(each, NameExpr)):
                self._read(each, body, local, outer)

    def _read_function(
        self, function: FuncItem, body: _Body | None, local: frozenset[str], outer: frozenset[str], name: str
    ) -> None:
        own = _Body(self._index, name)
        for each in function.arguments:
            self._read_type(each.type_annotation, own, local)
            if each.initializer is not None:
                self._read(each.initializer, body, local, outer)
        self._read_type(getattr(function.unanalyzed_type, "ret_type", None), own, local)
        inside = outer | _bound_in(children(function.body)) | {each.variable.name for each in function.arguments}
        self._read(function.body, own, inside, inside)

    def _read_type(self, type_: Type | None, body: _Body | None, local: frozenset[str]) -> None:
        if isinstance(type_, UnboundType):
            self._add(type_.name.partition(".")[0], type_, body, local)
        for each in (part for name in ("args", "arg_types", "items") for part in getattr(type_, name, ())):
            self._read_type(each, body, local)
        if type_ is not None:
            self._read_type(getattr(type_, "ret_type", None), body, local)

    def _add(
        self, name: str, node: Node | UnboundType, body: _Body | None, local: frozenset[str], *, is_called: bool = False
    ) -> None:
        if name in self._names and name not in local:
            self.uses.append(_Use(name, node, self._index, body, is_called))


def _bound_in(nodes: Sequence[Node]) -> frozenset[str]:
    """The names that statements bind, of a function, a class or the module."""
    names: set[str] = set()
    left = [*nodes]
    while left:
        node = left.pop()
        if isinstance(node, (ClassDef, FuncDef)):
            names.add(node.name)
        elif not isinstance(node, (FuncItem, GeneratorExpr, DictionaryComprehension)):
            targets = [*getattr(node, "lvalues", ()), *unknown_targets(node)]
            targets += [node.index] if isinstance(node, ForStmt) else node.target if isinstance(node, WithStmt) else []
            names.update(each.name for target in targets for each in _names_in(target))
            names.update(imported_names(node))
            left += children(node)
    return frozenset(names)


class _Versions:
    """Which definition of a name is meant, from 0."""

    def __init__(
        self, starts: Mapping[str, Sequence[int]], bindings: Mapping[str, Sequence[_Binding]], uses: Sequence[_Use]
    ) -> None:
        """Tell it from where the definitions begin, and where functions are called."""
        self._starts = starts
        self._bindings = bindings
        self._uses: dict[str, list[_Use]] = {}
        for each in uses:
            self._uses.setdefault(each.name, []).append(each)
        self._known: dict[_Body, frozenset[int] | None] = {}

    def new_name(self, name: str, version: int | None) -> str:
        """The name of a definition; the last one has its own."""
        is_last = version == len(self._starts[name]) - 1
        return name if is_last else name + (_OF_NOTHING if version is None else f"·{version + 1}")

    def at(self, name: str, index: int, *, is_behind: bool = False) -> int:
        """The definition that there is where a statement runs, or behind it; the first one before all of them."""
        before = bisect_right(self._starts[name], index if is_behind else index - 1)
        return max(before - 1, 0)

    def of_use(self, use: _Use) -> int | None:
        """The definition that a use means; None if that is not certain."""
        last = len(self._starts[use.name]) - 1
        if use.index > self._starts[use.name][-1] or last == 0:
            return last
        if use.body is None:
            return self.at(use.name, use.index)
        when, first = self._when(use.body), self.at(use.name, use.body.index, is_behind=True)
        if when is not None:
            found = {self.at(use.name, each) for each in when} or {first}
            return None if len(found) > 1 and isinstance(use.node, UnboundType) else max(found)
        return last if first == last or len(self._signatures(use.name, first)) == 1 else None

    def _when(self, body: _Body) -> frozenset[int] | None:
        """The statements that call a function; None if others may."""
        if body not in self._known:
            self._known[body] = frozenset()  # for functions that call each other
            self._known[body] = self._calls(body) if body.name in self._starts else None
        return self._known[body]

    def _calls(self, body: _Body) -> frozenset[int] | None:
        found: set[int] = set()
        for use in self._uses.get(body.name, ()):
            when = frozenset([use.index]) if use.body is None else self._when(use.body)
            if when is None or not use.is_called:
                return None
            found |= when
        own = self.at(body.name, body.index, is_behind=True)
        return frozenset(each for each in found if self.at(body.name, each) == own)

    def result(self, name: str) -> CallableType | None:
        """One of the definitions of a function, if all state the same result."""
        types = [getattr(each.statement, "unanalyzed_type", None) for each in self._bindings[name]]
        functions = [each for each in types if isinstance(each, CallableType)]
        is_same = len({str(each.ret_type) for each in functions}) == 1 and len(functions) == len(types)
        return functions[0] if is_same else None

    def _signatures(self, name: str, first: int) -> set[str]:
        """The signatures of the definitions from one on; what has none counts as one of its own."""
        found: set[str] = set()
        for each in self._bindings[name]:
            if self.at(name, each.index, is_behind=True) >= first:
                function = each.statement if isinstance(each.statement, FuncDef) else None
                told = (function.arg_names, function.arg_kinds, str(function.type)) if function else each.index
                found.add(str(told))
        return found


def _rename(node: Node | UnboundType, name: str, new: str) -> None:
    if isinstance(node, UnboundType):
        is_any = new.endswith(_OF_NOTHING)
        node.name = new + (_OF_TYPE if is_any else node.name[len(name) :])
        node.args = () if is_any else node.args
    elif isinstance(node, NameExpr):
        node.name = new


def _rename_bound(statement: Statement, name: str, new: str) -> None:
    """Give what a statement binds another name."""
    if isinstance(statement, ClassDef):
        statement.name = new
    elif isinstance(statement, Import):
        statement.ids = [(each, new if (alias or each) == name else alias) for each, alias in statement.ids]
    elif isinstance(statement, ImportFrom):
        statement.names = [(each, new if (alias or each) == name else alias) for each, alias in statement.names]
    elif isinstance(statement, AssignmentStmt):
        text = _named(statement, name)
        if text is not None:
            text.value = new
        for each in (each for target in statement.lvalues for each in _names_in(target) if each.name == name):
            each.name = new
    elif isinstance(statement, OverloadedFuncDef):
        for part in statement.items:
            _rename_bound(part, name, new)
    elif isinstance(statement, Decorator):
        statement.var._name = new
        statement.func._name = new
    elif isinstance(statement, FuncDef):
        statement._name = new
