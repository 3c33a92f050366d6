"""Reading of a file: the names and attributes that each of its statements binds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from attrs import define, field
from mypy.literals import literal_hash
from mypy.nodes import (
    ARG_POS,
    ARG_STAR,
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
    FuncItem,
    GeneratorExpr,
    GlobalDecl,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    NonlocalDecl,
    OpExpr,
    RefExpr,
    ReturnStmt,
    RevealExpr,
    StarExpr,
    Statement,
    StrExpr,
    TempNode,
    TupleExpr,
    TypeInfo,
    UnaryExpr,
    Var,
    WithStmt,
)
from mypy.types import Instance, get_proper_type

from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.base.syntax import (
    children,
    imported_names,
    is_plain,
    nodes_of,
    statements_of,
    unknown_targets,
)
from typegrad.mypy_plugin.values.assigning import assigned_by
from typegrad.mypy_plugin.values.bindings import Addition, Bindings, Bound, Maker, has_fields, holds_mutable
from typegrad.mypy_plugin.values.elsewhere import ANY, assigned_elsewhere
from typegrad.mypy_plugin.values.guards import guards_in

__all__ = ["bindings_of", "defines"]

_READING: Final = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})
"""The methods of lists and dicts that change nothing."""
_RESHAPING: Final = frozenset({"resize", "shape", "dtype", "strides"})
"""What changes the shape or the dtype of an array in place: `a.resize(...)`, `a.shape = ...`."""
_OPAQUE: Final = frozenset({"builtins.setattr", "builtins.delattr", "builtins.vars"})
_HIDING: Final = frozenset({"builtins.exec", "builtins.globals", "builtins.vars", "sys.modules"})
"""What assigns the names of a module otherwise than by statements."""
_OF_ANY_KIND: Final = frozenset({"builtins.object", "numpy.ndarray", "types.ModuleType"})
"""The classes of what may be a module or an array."""
_DEFAULTS: Final = frozenset({"default", "default_factory", "factory"})
"""The arguments of `field` that give each new object a value."""
_OWN: Final = ("typegrad.", "numpy.")
_PYTHON: Final = ("builtins.", "itertools.")


def _is_set_later(default: Expression) -> bool:
    """Whether the constructor neither takes a value for a field nor gives it one: `field(init=False)`."""
    options = dict(zip(default.arg_names, default.args, strict=True)) if isinstance(default, CallExpr) else {}
    init = options.get("init")
    return isinstance(init, NameExpr) and init.fullname == "builtins.False" and options.keys().isdisjoint(_DEFAULTS)


def _is_field(info: TypeInfo, statement: AssignmentStmt) -> bool:
    """Whether a statement in the body of a class declares a field, for which the constructor has a parameter."""
    return statement.unanalyzed_type is not None and has_fields(info)


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
        self._settle()
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
                self.reads.append(node.base)
        elif isinstance(node, OpExpr) and node.op not in ("and", "or"):
            self.reads += (node.left, node.right)
        elif isinstance(node, ComparisonExpr):
            self.reads += node.operands
        elif isinstance(node, DictExpr):
            self.reads += (value for key, value in node.items if key is None)
        elif isinstance(node, StarExpr):
            if node not in self.item_stores:
                self.reads.append(node.expr)
        elif isinstance(node, (DictionaryComprehension, GeneratorExpr)):
            self.reads += node.sequences
        else:
            self._visit_statement(node)

    def _visit_call(self, call: CallExpr) -> None:
        self.passed.extend((arg.expr if isinstance(arg, StarExpr) else arg, call.callee) for arg in call.args)
        self.accesses.append(call.callee)
        self.arguments.extend(_passed_arguments(call))
        self.by_name.extend(assigned_by(call))
        if isinstance(call.analyzed, RevealExpr):
            self.reads += call.args
        info = call.callee.node if isinstance(call.callee, RefExpr) else None
        if isinstance(info, TypeInfo) and has_fields(info):
            self.bindings.constructed[info].append(call)

    def _visit_member(self, member: MemberExpr) -> None:
        self.members.append(member)
        self.accesses.append(member.expr)
        if member.name in _READING:
            self.reads.append(member.expr)
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
                if isinstance(each, AssignmentStmt) and _is_field(node.info, each):
                    self._declare(node.info, each)
        elif isinstance(node, ForStmt):
            self.reads.append(node.expr)
            self._bind(node.index, None)
            names = (each.node for each in nodes_of(node.index) if isinstance(each, NameExpr))
            self.bindings.loops.update((each, node) for each in names if isinstance(each, Var))
        elif isinstance(node, WithStmt):
            for target, made in zip(node.target, node.expr, strict=True):
                self._bind(target, None)
                if target is not None:
                    self.made.append((target, made))
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
                self.additions += ((owner, Addition(block, item, None)) for owner, item in _appended(statement))

    def _visit_pairs(self, statements: Sequence[Statement]) -> None:
        for before, statement in pairwise(statements):
            for owner, item in _appended(before):
                nodes = list(nodes_of(statement)) if isinstance(statement, (AssignmentStmt, ExpressionStmt)) else []
                calls = [each for each in nodes if isinstance(each, CallExpr)]
                items = [each for each in nodes if isinstance(each, IndexExpr) and _is_last(each, owner)]
                self.following += ((each, item, calls) for each in items)

    def _visit_assignment(self, block: Node, target: Expression, value: Expression) -> None:
        if isinstance(target, IndexExpr):
            self.additions.append((target.base, Addition(block, value, target.index)))
        else:
            self.beside.append((target, block, value))

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
            self.owners[function.arguments[0].variable] = function.info
        self.bindings.returns.update(_handed_out(function))

    def _assign(self, statement: AssignmentStmt) -> None:
        is_field = statement in self.fields
        if isinstance(statement.rvalue, TempNode) or (is_field and _is_set_later(statement.rvalue)):  # no value yet
            return
        if all(isinstance(target, (TupleExpr, ListExpr)) for target in statement.lvalues):
            self.reads.append(statement.rvalue)
        for target in statement.lvalues:
            member = target.node if isinstance(target, NameExpr) and isinstance(target.node, Var) else None
            is_member = member is not None and bool(member.info)
            is_known = not is_field and (not is_member or statement in self.direct)
            self._bind(target, Bound(statement.rvalue) if is_known else None)
        if len(statement.lvalues) > 1 and holds_mutable(statement.rvalue):  # one list with two names
            targets = [each.node for each in statement.lvalues if isinstance(each, NameExpr)]
            self.bindings.uses.update(each for each in targets if isinstance(each, Var))
            self.members += (each for each in statement.lvalues if isinstance(each, MemberExpr))

    def _bind(self, target: Expression | None, bound: Bound | None) -> None:
        if target is not None and bound is not None:
            self.made.append((target, bound.expr))
        if isinstance(target, NameExpr):
            self._bind_name(target, bound)
        elif isinstance(target, MemberExpr):
            self.attribute_stores.append((target, bound))
        elif isinstance(target, IndexExpr):
            self.item_stores.add(target)
        elif isinstance(target, StarExpr):
            self.item_stores.add(target)
            self._bind(target.expr, None)
        elif isinstance(target, (TupleExpr, ListExpr)):
            for item, part in zip(target.items, _parts(target, bound), strict=True):
                self._bind(item, part)

    def _bind_name(self, target: NameExpr, bound: Bound | None) -> None:
        self.bindings.targets.append((target, bound))
        if isinstance(target.node, Var):
            self.bindings.stores.setdefault(target.node, []).append(bound)
        else:
            self.bindings.unclear.add(target.name)

    # Attributes

    def _settle(self) -> None:
        """Look up the attributes that were met, and put what was noted of expressions with the names they mean."""
        bindings = self.bindings
        for member, bound in self.attribute_stores:
            variable = self._variable(member)
            bindings.may_reshape |= member.name in _RESHAPING
            if variable is None:
                bindings.assigned_abroad.add(member.name)
            else:  # other subclasses, which this file may not know, assign what a base class declares
                is_own = not variable.info or self._owner(member.expr) is variable.info
                bindings.stores.setdefault(variable, []).append(bound if is_own else None)
        for owner, name in self.by_name:
            self._settle_assigned(owner, name)
        elsewhere = assigned_elsewhere(bindings.module)
        bindings.hides_names |= ANY in elsewhere
        bindings.assigned_abroad |= elsewhere
        bindings.hidden |= elsewhere
        for member in self.members:
            variable = self._variable(member)
            if variable is None:
                bindings.foreign.add(member.name)
            else:
                bindings.uses[variable] += 1
        for counter, exprs in ((bindings.reads, self.reads), (bindings.accesses, self.accesses)):
            variables = map(self._variable, exprs)
            counter.update(variable for variable in variables if variable is not None)
        for links, pairs in ((bindings.passed, self.passed), (bindings.makers, self.made)):
            for expr, source in pairs:
                variable = self._variable(expr)
                if variable is not None:
                    links[variable].append(self._maker(source))
        self._settle_lists()

    def _settle_assigned(self, owner: Expression, name: str) -> None:
        """Note that a call assigns an attribute; without a name, any one."""
        info, bindings = self._owner(owner), self.bindings
        is_any_kind = info is None or info.fullname in _OF_ANY_KIND
        bindings.may_reshape |= is_any_kind and (not name or name in _RESHAPING)
        if name:
            bindings.assigned_abroad.add(name)
            bindings.hidden.add(name)
        else:
            bindings.is_opaque = True
            bindings.hides_names |= is_any_kind

    def _settle_lists(self) -> None:
        bindings = self.bindings
        for expr, parameter in self.arguments:
            variable = self._variable(expr)
            if variable is not None:
                bindings.parameters[variable].append(parameter)
        for target, block, value in self.beside:
            variable = self._variable(target)
            if variable is not None:
                bindings.made[variable] = block, value
        for owner, addition in self.additions:
            variable = self._variable(owner)
            if variable is not None:
                bindings.added[variable].append(addition)
                parts = (addition.expr, addition.key)
                bindings.added_in[self._innermost(addition.block)] += (each for each in parts if each is not None)
        for item, value, calls in self.following:
            if all(isinstance(each, str) and each.startswith(_OWN) for each in map(self._maker, calls)):
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
            elif expr.fullname.startswith((*_OWN, *_PYTHON)):
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
        if node in self.owners or declared is None:
            bound = self.bindings.only(node)
            made = bound.expr.callee if bound is not None and isinstance(bound.expr, CallExpr) else None
            info = made.node if isinstance(made, RefExpr) else None
            return self.owners.get(node) or (info if isinstance(info, TypeInfo) else None)
        return declared.type if isinstance(declared, Instance) else None


def _passed_arguments(call: CallExpr) -> Iterator[tuple[Expression, Var]]:
    """The arguments that a call of a function by its name passes to single parameters."""
    function = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not isinstance(function, FuncDef) or ARG_STAR in call.arg_kinds:
        return
    arguments = getattr(function, "arguments", ())  # mypy's cache holds none
    by_name = {each.variable.name: each.variable for each in arguments if not each.kind.is_star()}
    by_position = [each.variable for each in arguments if each.kind.is_positional()]
    for position, (expr, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
        if name is not None and name in by_name:
            yield expr, by_name[name]
        elif call.arg_kinds[position] is ARG_POS and position < len(by_position):
            yield expr, by_position[position]


def _handed_out(function: FuncDef) -> Iterator[Var]:
    """The lists that a function makes and returns, by their names, which no function inside it uses."""
    statements = list(statements_of(function))
    exprs = [each.expr for each in statements if isinstance(each, ReturnStmt)]
    results = [each.node for each in exprs if isinstance(each, NameExpr)]
    made = {
        target.node
        for each in statements
        if results and isinstance(each, AssignmentStmt) and holds_mutable(each.rvalue)
        for target in each.lvalues
        if isinstance(target, NameExpr)
    }
    if made.isdisjoint(results):
        return
    foreign = {name for each in statements if isinstance(each, (GlobalDecl, NonlocalDecl)) for name in each.names}
    inner = [each for each in nodes_of(function.body) if isinstance(each, FuncItem)]
    used = {name.node for each in inner for name in nodes_of(each) if isinstance(name, NameExpr)}
    for each in results:
        if isinstance(each, Var) and each in made - used and each.name not in foreign:
            yield each


def _appended(statement: Statement) -> Iterator[tuple[Expression, Expression]]:
    """The list that a statement appends to, and the item."""
    call = statement.expr if isinstance(statement, ExpressionStmt) else None
    callee = call.callee if isinstance(call, CallExpr) else None
    if isinstance(call, CallExpr) and isinstance(callee, MemberExpr) and callee.name == "append":
        yield from ((callee.expr, item) for item in call.args[: len(call.args) == 1])


def _is_last(item: IndexExpr, owner: Expression) -> bool:
    """Whether an expression is the last item of a list."""
    index, same = item.index, literal_hash(item.base)
    number = index.expr if isinstance(index, UnaryExpr) and index.op == "-" else None
    return isinstance(number, IntExpr) and number.value == 1 and same is not None and same == literal_hash(owner)


def _parts(target: TupleExpr | ListExpr, bound: Bound | None) -> list[Bound | None]:
    """The part of a value for each target: `c, h = zeros, ones` is two assignments."""
    if bound is None or any(isinstance(item, StarExpr) for item in target.items):
        return [None] * len(target.items)
    value = bound.expr
    if not bound.path and is_plain(value) and len(value.items) == len(target.items):
        return [Bound(item) for item in value.items]
    return [Bound(value, (*bound.path, position)) for position in range(len(target.items))]
