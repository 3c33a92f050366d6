"""What a file does with attributes. It is noted while the file is read, and settled when all names are known.

The class of an object, and so the attribute that `layer.w` is, follows from what the name `layer` is bound to.
"""

from __future__ import annotations

from typing import Final

from attrs import define, field, frozen
from mypy.nodes import (
    CallExpr,
    Expression,
    ForStmt,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    StrExpr,
    TypeInfo,
    Var,
)
from mypy.types import Instance, get_proper_type

from typegrad.mypy_plugin.values.bindings import OF_LIBRARIES, OF_PYTHON, Addition, Bindings, Bound, Maker
from typegrad.mypy_plugin.values.elsewhere import ANY, assigned_elsewhere

__all__ = ["Notes", "settle"]

_RESHAPING: Final = frozenset({"resize", "shape", "dtype", "strides"})
"""What changes the shape or the dtype of an array in place: `a.resize(...)`, `a.shape = ...`."""
_OF_ANY_KIND: Final = frozenset({"builtins.object", "numpy.ndarray", "types.ModuleType"})
"""The classes of what may be a module or an array."""


@define
class Notes:
    """What was noted of expressions in a file, whose names and attributes are not all known yet."""

    owners: dict[Var, TypeInfo] = field(factory=dict)
    """The class of each `self`."""
    members: list[MemberExpr] = field(factory=list)
    attribute_stores: list[tuple[MemberExpr, Bound | None]] = field(factory=list)
    reads: list[Expression] = field(factory=list)
    accesses: list[Expression] = field(factory=list)
    by_name: list[tuple[Expression, str]] = field(factory=list)
    """Whose attributes calls assign, with their names."""
    passed: list[tuple[Expression, Expression]] = field(factory=list)
    arguments: list[tuple[Expression, Var]] = field(factory=list)
    """Each argument of a function of this file, with its parameter."""
    made: list[tuple[Expression, Expression]] = field(factory=list)
    """Each target with its value, targets of `with` included."""
    beside: list[tuple[Expression, Node, Expression]] = field(factory=list)
    """The target of each assignment with a single one, with its block and its value."""
    additions: list[tuple[Expression, Addition]] = field(factory=list)
    """Each list or dict that a statement adds to."""
    following: list[tuple[IndexExpr, Expression, list[CallExpr]]] = field(factory=list)
    """Each `hs[-1]` behind `hs.append(h)`, with `h` and all calls of the statement."""


def settle(bindings: Bindings, notes: Notes) -> None:
    """Add to the bindings of a file what was noted in it."""
    _Settling(bindings, notes).settle()


@frozen
class _Settling:
    """Puts what was noted of expressions with the names and attributes that they mean."""

    bindings: Bindings
    notes: Notes

    def settle(self) -> None:
        """Settle what attributes are bound to first, as what they mean depends on it."""
        self._settle_stores()
        for owner, name in self.notes.by_name:
            self._settle_assigned(owner, name)
        self._settle_elsewhere()
        self._settle_uses()
        self._settle_links()
        self._settle_lists()

    def _settle_stores(self) -> None:
        """Note what attributes are bound to."""
        bindings = self.bindings
        for member, bound in self.notes.attribute_stores:
            variable = self._variable(member)
            bindings.may_reshape |= member.name in _RESHAPING
            if isinstance(member.expr, RefExpr) and isinstance(member.expr.node, MypyFile):
                bindings.hidden.add(member.name)
            if variable is None:
                bindings.assigned_abroad.add(member.name)
            else:  # other subclasses, which this file may not know, assign what a base class declares
                is_own = not variable.info or self._owner(member.expr) is variable.info
                bindings.stores.setdefault(variable, []).append(bound if is_own else None)

    def _settle_elsewhere(self) -> None:
        """Note what other files assign."""
        bindings = self.bindings
        elsewhere = assigned_elsewhere(bindings.module)
        bindings.hides_names |= ANY in elsewhere
        bindings.assigned_abroad |= elsewhere
        bindings.hidden |= elsewhere

    def _settle_uses(self) -> None:
        """Count the uses of attributes, and which of them change nothing."""
        bindings = self.bindings
        for member in self.notes.members:
            variable = self._variable(member)
            if variable is None:
                bindings.foreign.add(member.name)
            else:
                bindings.uses[variable] += 1
        for counter, exprs in ((bindings.reads, self.notes.reads), (bindings.accesses, self.notes.accesses)):
            variables = map(self._variable, exprs)
            counter.update(variable for variable in variables if variable is not None)

    def _settle_links(self) -> None:
        """Note the functions that make what a name is bound to, and those that it is passed to."""
        bindings = self.bindings
        for links, pairs in ((bindings.passed, self.notes.passed), (bindings.makers, self.notes.made)):
            for expr, source in pairs:
                variable = self._variable(expr)
                if variable is not None:
                    links[variable].append(self._maker(source))

    def _settle_assigned(self, owner: Expression, name: str) -> None:
        """Note that a call assigns an attribute; without a name, any one."""
        info, bindings = self._owner(owner), self.bindings
        is_any_kind = info is None or info.fullname in _OF_ANY_KIND
        bindings.may_reshape |= is_any_kind and (not name or name in _RESHAPING)
        if name:
            bindings.assigned_abroad.add(name)
            bindings.hidden.add(name)
            if isinstance(owner, StrExpr) or (isinstance(owner, RefExpr) and owner.fullname.startswith(OF_LIBRARIES)):
                bindings.replaced.add(name)
        else:
            bindings.is_opaque = True
            bindings.hides_names |= is_any_kind

    def _settle_lists(self) -> None:
        """Note how lists and dicts are made, what is added to them, and which parameters take them."""
        bindings = self.bindings
        for expr, parameter in self.notes.arguments:
            variable = self._variable(expr)
            if variable is not None:
                bindings.parameters[variable].append(parameter)
        for target, block, value in self.notes.beside:
            variable = self._variable(target)
            if variable is not None:
                bindings.made[variable] = block, value
        for owner, addition in self.notes.additions:
            variable = self._variable(owner)
            if variable is not None:
                bindings.added[variable].append(addition)
                parts = (addition.expr, addition.key)
                bindings.added_in[self._innermost(addition.block)] += (each for each in parts if each is not None)
        for item, value, calls in self.notes.following:
            if all(isinstance(each, str) and each.startswith(OF_LIBRARIES) for each in map(self._maker, calls)):
                bindings.last[item] = value

    def _innermost(self, block: Node) -> Node:
        """The innermost loop around a block, as far as blocks of loops and `with` statements lead; else a block."""
        while block in self.bindings.around:
            block, statement = self.bindings.around[block]
            if isinstance(statement, ForStmt):
                return statement
        return block

    def _maker(self, expr: Expression) -> Maker:
        """The function that an expression calls, or the object whose method it calls."""
        while isinstance(expr, (CallExpr, MemberExpr)):
            if isinstance(expr, CallExpr):
                expr = expr.callee
            elif expr.fullname.startswith((*OF_LIBRARIES, *OF_PYTHON)):
                return expr.fullname
            else:
                variable = self._variable(expr)
                if variable is not None:
                    return variable
                owner = expr.expr
                if isinstance(owner, NameExpr) and isinstance(owner.node, TypeInfo):
                    return f"{owner.fullname}.{expr.name}"
                expr = owner
        if isinstance(expr, NameExpr):
            return expr.node if isinstance(expr.node, Var) else expr.fullname
        return ""

    def _variable(self, expr: Expression) -> Var | None:
        """The variable of a name, or of an attribute of `self`, of a class or of a module."""
        if isinstance(expr, NameExpr):
            return expr.node if isinstance(expr.node, Var) else None
        if not isinstance(expr, MemberExpr):
            return None
        if isinstance(expr.node, Var):
            return expr.node
        owner = self._owner(expr.expr)
        symbol = None if owner is None else owner.get(expr.name)
        return symbol.node if symbol is not None and isinstance(symbol.node, Var) else None

    def _owner(self, expr: Expression) -> TypeInfo | None:
        node = expr.node if isinstance(expr, NameExpr) else None
        if isinstance(node, TypeInfo):
            return node
        if not isinstance(node, Var):
            return None
        declared = None if node.type is None else get_proper_type(node.type)
        if node in self.notes.owners or declared is None:
            bound = self.bindings.only(node)
            made = bound.expr.callee if bound is not None and isinstance(bound.expr, CallExpr) else None
            info = made.node if isinstance(made, RefExpr) else None
            return self.notes.owners.get(node) or (info if isinstance(info, TypeInfo) else None)
        return declared.type if isinstance(declared, Instance) else None
