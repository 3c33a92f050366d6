"""The names and attributes of a file: what each is bound to, and whether a mutable value may change.

A file is read once. A name that is bound exactly once means the expression that it is bound to: reading the name gives
that value, or fails with `NameError`. Loops, `with`, `except`, `import`, `del`, `:=` and augmented assignments bind a
name to something unknown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final, TypeAlias

from attrs import define, field, frozen
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    Block,
    CallExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    ListComprehension,
    ListExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    Statement,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import CallableType, Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.syntax import split_text

__all__ = ["Bindings", "Bound", "Maker", "has_fields", "holds_mutable"]

_MUTABLE: Final = frozenset({"builtins.list", "builtins.set", "builtins.sorted"})
"""Python's functions that make a list or a set."""
_DEEPEST: Final = 3
"""How many names lead from a method to the function that made its object, or functions pass a value on."""
_OWN: Final = ("typegrad.", "numpy.")
_PYTHON: Final = ("builtins.", "itertools.")
_FIELDS: Final = frozenset({"dataclass", "attrs"})

Maker: TypeAlias = "str | Var"
"""A function by its full name, or the object whose method it is; "" if unknown."""


@frozen
class Bound:
    """An expression that a name is bound to, or the element of its value at `path`: `a, (b, c) = pair`."""

    expr: Expression
    path: tuple[int, ...] = ()


@define
class Bindings:
    """The bindings of a file."""

    module: str
    stores: dict[Var, list[Bound | None]] = field(factory=dict)
    """What each name or attribute is bound to, in any order; None for something unknown."""
    targets: list[tuple[NameExpr, Bound | None]] = field(factory=list)
    """The names on the left of assignments, each with its value."""
    defaults: dict[tuple[str, str], Expression] = field(factory=dict)
    """The defaults of the fields of dataclasses and named tuples, by the names of the class and of the field."""
    classes: list[TypeInfo] = field(factory=list)
    uses: Counter[Var] = field(factory=Counter)
    reads: Counter[Var] = field(factory=Counter)
    """Uses that cannot change a list or a dict, though they may hand out its items."""
    accesses: Counter[Var] = field(factory=Counter)
    """Uses as the object of an attribute, or of a call."""
    makers: defaultdict[Var, list[Maker]] = field(factory=lambda: defaultdict(list))
    """The functions that made the values of names, also of the names of `with`."""
    passed: defaultdict[Var, list[Maker]] = field(factory=lambda: defaultdict(list))
    """The functions to which a name is passed; functions of typegrad and NumPy change no list and no dict."""
    given: defaultdict[Var, list[Var]] = field(factory=lambda: defaultdict(list))
    """The parameters of this file's functions that a name is passed to."""
    appended: defaultdict[Var, list[tuple[Node, Expression]]] = field(factory=lambda: defaultdict(list))
    """What each list is made as, and then what statements append to it, with their blocks."""
    loops: dict[Node, ForStmt] = field(factory=dict)
    """The `for` statement of each body."""
    unclear: set[str] = field(factory=set)
    """Names that are also bound where mypy does not tell it: by imports, and in code that it does not read."""
    foreign: set[str] = field(factory=set)
    """The attributes of objects of unknown classes that the file uses."""
    assigned_abroad: set[str] = field(factory=set)
    """The attributes of objects of unknown classes that the file assigns."""
    is_opaque: bool = False
    """Whether attributes may be assigned where no statement shows it."""
    may_reshape: bool = False
    """Whether an array may change its shape or dtype."""

    def only(self, variable: Var) -> Bound | None:
        """The value of a name or attribute that is bound once."""
        stores = self.stores.get(variable, ())
        if len(stores) != 1 or variable.name in self.unclear or not self._defines(variable):
            return None
        (bound,) = stores
        if bound is None or not holds_mutable(bound.expr):
            return bound
        return bound if self.keeps(variable, _is_nested(bound.expr)) else None

    def _defines(self, variable: Var) -> bool:
        """Whether a name is one of this file, and not of a module that it imports."""
        if variable.info:
            return variable.info.module_name == self.module
        is_global = "." in variable.fullname
        return not is_global or ("*" not in self.unclear and variable.fullname == f"{self.module}.{variable.name}")

    def keeps(self, variable: Var, is_nested: bool = False) -> bool:
        """Whether nothing in the file can change the mutable value of a name or attribute."""
        is_private = not variable.info or variable.name not in self.foreign
        return is_private and self.uses[variable] <= self._unchanging(variable, is_nested)

    def _unchanging(self, variable: Var, is_nested: bool = False, depth: int = 0) -> int:
        """How many uses of a mutable value do not change it, its assignments included."""
        reads = 0 if is_nested else self.reads[variable]
        own = sum(self._is_own(callee, is_nested) for callee in self.passed[variable])
        given = () if depth == _DEEPEST else self.given.get(variable, ())
        kept = sum(self.keeps_parameter(each, is_nested, depth + 1) for each in given)
        return len(self.stores[variable]) + reads + own + kept

    def grown(self, variable: Var) -> list[Expression]:
        """The display that a list is made as, and what is then appended to it, unless something else changes it."""
        statements = self.appended.get(variable, [])
        blocks, exprs = {block for block, _ in statements}, [expr for _, expr in statements]
        is_one = len(self.stores.get(variable, ())) == 1 and variable.name not in self.unclear
        if len(blocks) != 1 or not is_one or not self._defines(variable):
            return []
        appended = len(exprs) - 1
        return exprs if self.uses[variable] - appended <= self._unchanging(variable) else []

    def grown_in_loop(self, variable: Var) -> tuple[Expression, ForStmt] | None:
        """The display that a list is made as, and the loop beside it whose passes append an item each."""
        statements = self.appended.get(variable, [])
        if len(statements) != 2 or len(self.stores.get(variable, ())) != 1 or not self._defines(variable):
            return None
        (outer, made), (inner, _) = statements
        loop = self.loops.get(inner)
        is_beside = loop is not None and loop in (outer.defs if isinstance(outer, MypyFile) else _body(outer))
        is_kept = variable.name not in self.unclear and self.uses[variable] - 1 <= self._unchanging(variable)
        return (made, loop) if loop is not None and is_beside and is_kept else None

    def keeps_parameter(self, variable: Var, is_nested: bool = False, depth: int = 0) -> bool:
        """Whether a function cannot change the mutable value of a parameter."""
        if self.stores.get(variable) != [None]:
            return False
        return self.uses[variable] < self._unchanging(variable, is_nested, depth)

    def keeps_fields(self, variable: Var) -> bool:
        """Whether the file only calls an object and uses its attributes, so that no other file can assign them."""
        return self.uses[variable] <= len(self.stores[variable]) + self.accesses[variable]

    def value_of_field(self, info: TypeInfo, variable: Var, made: CallExpr) -> Expression | None:
        """The value of a field of the object that a call of the class `info` made, if nothing assigns it."""
        if self.is_opaque or variable.name in self.assigned_abroad or not self._defines(variable):
            return None
        if self.stores.get(variable, [None]) != [None]:
            return None
        default = self.defaults.get((variable.info.fullname, variable.name))
        if isinstance(default, CallExpr):  # `field(default=3)`; a converter changes what is passed
            options = dict(zip(default.arg_names, default.args, strict=True))
            if options.keys() != {"default"}:
                return None
            default = options["default"]
        if any(kind not in (ARG_POS, ARG_NAMED) for kind in made.arg_kinds):
            return None
        names = _parameters(info)[: made.arg_names.count(None)]
        passed = dict(zip([*names, *filter(None, made.arg_names)], made.args, strict=False))
        return passed.get(variable.name, default)

    def attribute(self, info: TypeInfo, variable: Var, *, is_class: bool) -> Bound | None:
        """The value of an attribute of an instance of `info`, or of the class itself, if it is bound once."""
        if self.is_opaque or variable.name in self.assigned_abroad or not _is_simple(info):
            return None
        is_overridden = not is_class and any(
            variable.name in each.names and each is not variable.info and info in each.mro for each in self.classes
        )
        return None if is_overridden else self.only(variable)

    def _is_own(self, maker: Maker, is_nested: bool, depth: int = 0) -> bool:
        """Whether a function is of typegrad or NumPy: by its name, or as a method of an object that they made.

        Functions of Python may hand out the items of a list.
        """
        if isinstance(maker, str):
            return maker.startswith(_OWN) or (not is_nested and maker.startswith(_PYTHON))
        makers = self.makers.get(maker, ())
        return _is_own_type(maker.type) or (
            depth < _DEEPEST
            and len(makers) == len(self.stores.get(maker, ())) > 0
            and all(self._is_own(each, is_nested, depth + 1) for each in makers)
        )


def _body(node: Node) -> list[Statement]:
    return node.body if isinstance(node, Block) else []


def _parameters(info: TypeInfo) -> list[str]:
    """The parameters of the constructor of a dataclass or named tuple."""
    symbol = info.get("__new__" if info.is_named_tuple else "__init__")
    signature = None if symbol is None else get_proper_type(symbol.type)
    return [name or "" for name in signature.arg_names[1:]] if isinstance(signature, CallableType) else []


def has_fields(info: TypeInfo) -> bool:
    """Whether a class is a dataclass, a named tuple or a class of attrs."""
    return info.is_named_tuple or not _FIELDS.isdisjoint(info.metadata)


def _is_own_type(type_: Type | None) -> bool:
    proper = get_proper_type(type_)
    return isinstance(proper, Instance) and proper.type.fullname.startswith(_OWN)


def _is_nested(expr: Expression) -> bool:
    """Whether a mutable value holds another one."""
    if isinstance(expr, DictExpr):
        return any(holds_mutable(value) for _, value in expr.items)
    return isinstance(expr, (ListExpr, TupleExpr)) and any(map(holds_mutable, expr.items))


def holds_mutable(expr: Expression) -> bool:
    """Whether a value is, or contains, a list, set or dict that a statement could change."""
    if isinstance(expr, TupleExpr):
        return any(map(holds_mutable, expr.items))
    if isinstance(expr, CallExpr):
        is_list = isinstance(expr.callee, RefExpr) and expr.callee.fullname in _MUTABLE
        return is_list or split_text(expr) is not None
    return isinstance(expr, (DictExpr, DictionaryComprehension, ListComprehension, ListExpr))


def _is_simple(info: TypeInfo) -> bool:
    """Whether mypy knows how a class sets its attributes: nothing but statements does."""
    return not (info.fallback_to_any or info.is_enum or info.is_protocol or info.typeddict_type is not None)
