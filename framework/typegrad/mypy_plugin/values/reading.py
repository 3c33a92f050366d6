"""Reading of a file: the names and attributes that each of its statements binds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from attrs import define, field
from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    ComparisonExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    FloatExpr,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    RevealExpr,
    StarExpr,
    Statement,
    StrExpr,
    TempNode,
    TupleExpr,
    TypeInfo,
    Var,
    WithStmt,
)

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import children, imported_names, nodes_of, unknown_targets
from typegrad.mypy_plugin.values.assigning import assigned_by
from typegrad.mypy_plugin.values.bindings import Addition, Bindings, Bound, has_fields, holds_mutable
from typegrad.mypy_plugin.values.guards import guards_in
from typegrad.mypy_plugin.values.settling import Notes, settle
from typegrad.mypy_plugin.values.statements import (
    appended,
    handed_out,
    is_field,
    is_last,
    is_set_later,
    parts_of,
    passed_arguments,
)

__all__ = ["bindings_of", "defines"]

_READING: Final = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})
"""The methods of lists and dicts that change nothing."""
_OPAQUE: Final = frozenset({"builtins.setattr", "builtins.delattr", "builtins.vars"})
_HIDING: Final = frozenset({"builtins.exec", "builtins.globals", "builtins.vars", "sys.modules"})
"""What assigns the names of a module otherwise than by statements."""

_files: Final = Memory[MypyFile, Bindings]()


def bindings_of(tree: MypyFile, name: Expression | None = None) -> Bindings:
    """The bindings of a file. It is read again where `name` is newer, as in mypy's daemon."""
    known = _files.get(tree)
    node = name.node if isinstance(name, NameExpr) else None
    if known is None or (isinstance(node, Var) and node not in known.uses):
        known = _files[tree] = _Reader(Bindings(tree.fullname)).read(tree)
    return known


def defines(tree: MypyFile, function: FuncDef) -> bool:
    """Whether a function is one of this file.

    The name of a function inside another one does not tell it: it is without module, or the one of a class around it.
    """
    home = function.info.module_name if function.info else function.fullname.rpartition(".")[0]
    if home == tree.fullname or function.info:
        return home == tree.fullname
    if home and not home.startswith(f"{tree.fullname}."):
        return False
    arguments = getattr(function, "arguments", ())  # mypy's cache holds none
    return any(argument.variable in bindings_of(tree).stores for argument in arguments)


@define
class _Reader:
    """Reads a file. Attributes are looked up at the end, when all names are known."""

    bindings: Bindings
    notes: Notes = field(factory=Notes)
    direct: set[Node] = field(factory=set)
    """The assignments in the bodies of classes, outside other statements."""
    fields: set[Node] = field(factory=set)
    item_stores: set[Node] = field(factory=set)
    """The expressions `a[i]` that are assigned or deleted, and `*a` that are assigned."""

    def read(self, tree: MypyFile) -> Bindings:
        """Read every node, then settle attributes."""
        stack: list[Node] = [tree]
        seen: set[Node] = set()  # an overloaded function may hold its implementation twice
        while stack:
            node = stack.pop()
            if isinstance(node, FuncDef):
                if node in seen:
                    continue
                seen.add(node)
            self._visit(node)
            stack.extend(children(node))
        settle(self.bindings, self.notes)
        return self.bindings

    def _visit(self, node: Node) -> None:
        """Note what a node does with the names in it; its parts are visited by themselves."""
        if isinstance(node, NameExpr):
            if isinstance(node.node, Var):
                self.bindings.uses[node.node] += 1
            elif node.fullname in _OPAQUE:
                self.bindings.is_opaque = True
            self.bindings.hides_names |= node.fullname in _HIDING
        elif isinstance(node, (FloatExpr, IntExpr, StrExpr)):
            return
        elif isinstance(node, MemberExpr):
            self._visit_member(node)
        elif isinstance(node, CallExpr):
            self._visit_call(node)
        elif isinstance(node, IndexExpr):
            if node not in self.item_stores:
                self.notes.reads.append(node.base)
        elif isinstance(node, OpExpr) and node.op not in ("and", "or"):
            self.notes.reads += (node.left, node.right)
        elif isinstance(node, ComparisonExpr):
            self.notes.reads += node.operands
        elif isinstance(node, DictExpr):
            self.notes.reads += (value for key, value in node.items if key is None)
        elif isinstance(node, StarExpr):
            if node not in self.item_stores:
                self.notes.reads.append(node.expr)
        elif isinstance(node, (DictionaryComprehension, GeneratorExpr)):
            self.notes.reads += node.sequences
        else:
            self._visit_statement(node)

    def _visit_call(self, call: CallExpr) -> None:
        self.notes.passed.extend((arg.expr if isinstance(arg, StarExpr) else arg, call.callee) for arg in call.args)
        self.notes.accesses.append(call.callee)
        self.notes.arguments.extend(passed_arguments(call))
        self.notes.by_name.extend(assigned_by(call))
        if isinstance(call.analyzed, RevealExpr):
            self.notes.reads += call.args
        info = call.callee.node if isinstance(call.callee, RefExpr) else None
        if isinstance(info, TypeInfo) and has_fields(info):
            self.bindings.constructed[info].append(call)

    def _visit_member(self, member: MemberExpr) -> None:
        self.notes.members.append(member)
        self.notes.accesses.append(member.expr)
        if member.name in _READING:
            self.notes.reads.append(member.expr)
        self.bindings.may_reshape |= member.name == "resize"
        self.bindings.hides_names |= member.fullname in _HIDING
        self.bindings.is_opaque |= member.name in ("__dict__", "__setattr__")

    def _visit_statement(self, node: Node) -> None:
        if isinstance(node, AssignmentStmt):
            self._assign(node)
        elif isinstance(node, (Block, MypyFile)):
            self._visit_block(node)
        elif isinstance(node, FuncDef):
            self._visit_function(node)
        elif isinstance(node, ClassDef):
            self.bindings.classes.append(node.info)
            self.direct.update(node.defs.body)
            for each in node.defs.body:
                if isinstance(each, AssignmentStmt) and is_field(node.info, each):
                    self._declare(node.info, each)
        elif isinstance(node, ForStmt):
            self.notes.reads.append(node.expr)
            self._bind(node.index, None)
            names = (each.node for each in nodes_of(node.index) if isinstance(each, NameExpr))
            self.bindings.loops.update((each, node) for each in names if isinstance(each, Var))
        elif isinstance(node, WithStmt):
            for target, made in zip(node.target, node.expr, strict=True):
                self._bind(target, None)
                if target is not None:
                    self.notes.made.append((target, made))
        else:
            if isinstance(node, AssignmentExpr) and isinstance(node.target.node, Var):
                self.bindings.named[node.target.node] = node.value
            for target in unknown_targets(node):
                self._bind(target, None)
            self.bindings.unclear.update(imported_names(node))

    def _visit_block(self, block: Block | MypyFile) -> None:
        statements = block.defs if isinstance(block, MypyFile) else block.body
        self._visit_pairs([each for each in statements if each.end_line is not None])
        for guard in guards_in(statements):
            self.bindings.guards[guard.variable].append(guard)
        for statement in statements:
            if isinstance(statement, (ForStmt, WithStmt)):
                self.bindings.around[statement.body] = block, statement
            elif isinstance(statement, AssignmentStmt) and len(statement.lvalues) == 1:
                self._visit_assignment(block, statement.lvalues[0], statement.rvalue)
            elif isinstance(statement, ExpressionStmt):
                self.notes.additions += ((owner, Addition(block, item, None)) for owner, item in appended(statement))

    def _visit_pairs(self, statements: Sequence[Statement]) -> None:
        for before, statement in pairwise(statements):
            for owner, item in appended(before):
                nodes = list(nodes_of(statement)) if isinstance(statement, (AssignmentStmt, ExpressionStmt)) else []
                calls = [each for each in nodes if isinstance(each, CallExpr)]
                items = [each for each in nodes if isinstance(each, IndexExpr) and is_last(each, owner)]
                self.notes.following += ((each, item, calls) for each in items)

    def _visit_assignment(self, block: Node, target: Expression, value: Expression) -> None:
        if isinstance(target, IndexExpr):
            self.notes.additions.append((target.base, Addition(block, value, target.index)))
        else:
            self.notes.beside.append((target, block, value))

    def _declare(self, info: TypeInfo, statement: AssignmentStmt) -> None:
        """Read a field of a class."""
        self.fields.add(statement)
        for target in statement.lvalues:
            if isinstance(target, NameExpr) and not isinstance(statement.rvalue, TempNode):
                self.bindings.defaults[info.fullname, target.name] = statement.rvalue

    def _visit_function(self, function: FuncDef) -> None:
        for argument in function.arguments:
            self.bindings.stores.setdefault(argument.variable, []).append(None)
        if function.info and function.arguments and not function.is_static:
            self.notes.owners[function.arguments[0].variable] = function.info
        self.bindings.returns.update(handed_out(function))

    def _assign(self, statement: AssignmentStmt) -> None:
        is_declared = statement in self.fields
        if isinstance(statement.rvalue, TempNode) or (is_declared and is_set_later(statement.rvalue)):  # no value yet
            return
        if all(isinstance(target, (TupleExpr, ListExpr)) for target in statement.lvalues):
            self.notes.reads.append(statement.rvalue)
        for target in statement.lvalues:
            member = target.node if isinstance(target, NameExpr) and isinstance(target.node, Var) else None
            is_member = member is not None and bool(member.info)
            is_known = not is_declared and (not is_member or statement in self.direct)
            self._bind(target, Bound(statement.rvalue) if is_known else None)
        if len(statement.lvalues) > 1 and holds_mutable(statement.rvalue):  # one list with two names
            targets = [each.node for each in statement.lvalues if isinstance(each, NameExpr)]
            self.bindings.uses.update(each for each in targets if isinstance(each, Var))
            self.notes.members += (each for each in statement.lvalues if isinstance(each, MemberExpr))

    def _bind(self, target: Expression | None, bound: Bound | None) -> None:
        if target is not None and bound is not None:
            self.notes.made.append((target, bound.expr))
        if isinstance(target, NameExpr):
            self._bind_name(target, bound)
        elif isinstance(target, MemberExpr):
            self.notes.attribute_stores.append((target, bound))
        elif isinstance(target, IndexExpr):
            self.item_stores.add(target)
        elif isinstance(target, StarExpr):
            self.item_stores.add(target)
            self._bind(target.expr, None)
        elif isinstance(target, (TupleExpr, ListExpr)):
            for item, part in zip(target.items, parts_of(target, bound), strict=True):
                self._bind(item, part)

    def _bind_name(self, target: NameExpr, bound: Bound | None) -> None:
        self.bindings.targets.append((target, bound))
        if isinstance(target.node, Var):
            self.bindings.stores.setdefault(target.node, []).append(bound)
        else:
            self.bindings.unclear.add(target.name)
