"""The names and attributes of a file: what each is bound to, and whether a mutable value may change.

A file is read once. A name that is bound exactly once means the expression that it is bound to: reading the name gives
that value, or fails with `NameError`. Loops, `with`, `except`, `import`, `del`, `:=` and augmented assignments bind a
name to something unknown.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import define, field, frozen
from mypy.nodes import (
    CallExpr,
    Context,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    IndexExpr,
    ListComprehension,
    ListExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    TupleExpr,
    TypeInfo,
    Var,
    WithStmt,
)
from mypy.types import CallableType, Instance, Type, get_proper_type

from typegrad.mypy_plugin.base.classes import OWN
from typegrad.mypy_plugin.base.syntax import is_plain_call, runs_through, split_text
from typegrad.mypy_plugin.values.guards import Guard

__all__ = [
    "OF_LIBRARIES",
    "OF_PYTHON",
    "Added",
    "Addition",
    "Bindings",
    "Bound",
    "Growth",
    "Maker",
    "has_fields",
    "holds_mutable",
]

_MUTABLE: Final = frozenset({"builtins.list", "builtins.set", "builtins.sorted"})
"""Python's functions that make a list or a set."""
_DEEPEST: Final = 3
"""How many names lead from a method to the function that made its object, or functions pass a value on."""
OF_LIBRARIES: Final = (OWN, "numpy.")
"""How the names of functions begin that change nothing that they are given, and keep none of it."""
OF_PYTHON: Final = ("builtins.", "itertools.")
"""How those of Python begin, most of which change nothing."""
_METHODS: Final = ("builtins.dict.", "builtins.list.")
_FROM_KEYS: Final = "builtins.dict.fromkeys"
_FIELDS: Final = frozenset({"dataclass", "attrs"})
_FACTORIES: Final = (["default_factory"], ["factory"])
"""The arguments of `field` that make a new value for each object."""

Maker: TypeAlias = "str | Var"
"""A function by its full name, or the object whose method it is; "" if unknown."""


@frozen
class Bound:
    """An expression that a name is bound to, or the element of its value at `path`: `a, (b, c) = pair`."""

    expr: Expression
    path: tuple[int, ...] = ()


@frozen
class Addition:
    """A statement that adds to a list or dict: `hs.append(h)` or `weights["w"] = w`."""

    block: Node
    expr: Expression
    key: Expression | None


@frozen
class Added:
    """What a statement adds to a list or dict, in each pass of a loop if there is one."""

    addition: Addition
    loop: ForStmt | None
    managers: Sequence[Expression]
    """The context managers around the statement, in which it may fail without consequences."""

    @property
    def statement(self) -> Context:
        """The loop, or what is added."""
        return self.loop or self.addition.expr


@frozen
class Growth:
    """A list or dict that grows."""

    made: Expression | None
    """What it is made as; None for an empty list."""
    block: Node
    """The block in which it is made, or in which it begins to grow."""
    added: Sequence[Added]


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
    returns: Counter[Var] = field(factory=Counter)
    """How many `return` statements end the function that made a list, which only this function uses."""
    parameters: defaultdict[Var, list[Var]] = field(factory=lambda: defaultdict(list))
    """The parameters of this file's functions that a name is passed to."""
    made: dict[Var, tuple[Node, Expression]] = field(factory=dict)
    """What a statement makes each name or attribute as, with its block."""
    added: defaultdict[Var, list[Addition]] = field(factory=lambda: defaultdict(list))
    """What statements add to each list or dict."""
    added_in: defaultdict[Node, list[Expression]] = field(factory=lambda: defaultdict(list))
    """The same by the innermost loop around the statements, with the keys."""
    last: dict[IndexExpr, Expression] = field(factory=dict)
    """What the statement directly before has appended to a list: the value of `hs[-1]`."""
    named: dict[Var, Expression] = field(factory=dict)
    """What `:=` names, which is also the value of a part of an expression and may change there."""
    loops: dict[Var, ForStmt] = field(factory=dict)
    """The loop that binds each name."""
    around: dict[Node, tuple[Node, ForStmt | WithStmt]] = field(factory=dict)
    """The block around the body of each loop and `with` statement, and the statement itself."""
    guards: defaultdict[Var, list[Guard]] = field(factory=lambda: defaultdict(list))
    """What conditions tell of names."""
    constructed: defaultdict[TypeInfo, list[CallExpr]] = field(factory=lambda: defaultdict(list))
    """The calls of each class with fields."""
    unclear: set[str] = field(factory=set)
    """Names that are also bound where mypy does not tell it: by imports, and in code that it does not read."""
    foreign: set[str] = field(factory=set)
    """The attributes of objects of unknown classes that the file uses."""
    assigned_abroad: set[str] = field(factory=set)
    """The attributes of objects of unknown classes that the file assigns."""
    is_opaque: bool = False
    """Whether attributes may be assigned where no statement shows it."""
    hidden: set[str] = field(factory=set)
    """Names of the module that may be assigned where no statement shows it."""
    hides_names: bool = False
    """Whether any name of the module may be."""
    replaced: set[str] = field(factory=set)
    """Functions and methods of libraries that calls replace, as `mock.patch.object(tg.Session, "run")` does."""
    may_reshape: bool = False
    """Whether an array may change its shape or dtype."""

    def only(self, variable: Var) -> Bound | None:
        """The value of a name or attribute that is bound once."""
        if not self._is_bound_once(variable):
            return None
        (bound,) = self.stores[variable]
        if bound is None or not holds_mutable(bound.expr):
            return bound
        return bound if self.keeps(variable, _is_nested(bound.expr)) else None

    def _is_bound_once(self, variable: Var) -> bool:
        is_single = len(self.stores.get(variable, ())) == 1
        return is_single and variable.name not in self.unclear and self._defines(variable)

    def equal_at(self, variable: Var, line: int) -> Expression | None:
        """What a condition tells that a name equals in a line, if the name is bound once."""
        guards = (each.value for each in self.guards.get(variable, ()) if each.first <= line <= each.last)
        return next(guards, None) if self._is_bound_once(variable) else None

    def named_once(self, variable: Var) -> Expression | None:
        """What `:=` names, if the name is bound once."""
        return self.named.get(variable) if self.stores.get(variable) == [None] and self._defines(variable) else None

    def _defines(self, variable: Var) -> bool:
        """Whether a name is one of this file, and not of a module that it imports."""
        if variable.info:
            return variable.info.module_name == self.module
        is_global = "." in variable.fullname
        if is_global and (self.hides_names or variable.name in self.hidden):
            return False
        return not is_global or ("*" not in self.unclear and variable.fullname == f"{self.module}.{variable.name}")

    def keeps(self, variable: Var, is_nested: bool = False) -> bool:
        """Whether nothing in the file can change the mutable value of a name or attribute."""
        is_private = not variable.info or variable.name not in self.foreign
        return is_private and self.uses[variable] <= self._unchanging(variable, is_nested)

    def may_change_elsewhere(self, variable: Var, changes: int, is_kept: Callable[[Var], bool]) -> bool:
        """Whether something may change the mutable value of a name or attribute besides `changes` uses that do.

        Parameters that are `is_kept` take it, too, without harm.
        """
        kept = sum(is_kept(each) and not self.keeps_parameter(each) for each in self.parameters.get(variable, ()))
        return self.uses[variable] - changes - kept > self._unchanging(variable)

    def _unchanging(self, variable: Var, is_nested: bool = False, depth: int = 0) -> int:
        """How many uses of a mutable value do not change it, its assignments included."""
        reads = 0 if is_nested else self.reads[variable]
        own = sum(self._is_own(callee, is_nested) for callee in self.passed[variable])
        parameters = () if depth == _DEEPEST else self.parameters.get(variable, ())
        kept = sum(self.keeps_parameter(each, is_nested, depth + 1) for each in parameters)
        return len(self.stores.get(variable, ())) + reads + own + kept + self.returns[variable]

    def growth(self, variable: Var) -> Growth | None:
        """How a list or dict grows: by statements beside the one that makes it and in loops there, and by no others."""
        block, made = self.made.get(variable, (None, None))
        if block is None or made is None or len(self.stores.get(variable, ())) != 1:
            return None
        return self._growth(variable, block, made)

    def growth_of_attribute(self, info: TypeInfo, variable: Var, block: Node) -> Growth | None:
        """The same for an attribute that a constructor with this body fills."""
        if variable not in self.added or self._may_differ(info, variable, is_class=False):
            return None
        if self._is_new_list(info, variable):
            return self._growth(variable, block, None)
        growth = self.growth(variable)
        return growth if growth is not None and growth.block is block else None

    def _growth(self, variable: Var, block: Node, made: Expression | None) -> Growth | None:
        added = [self._added(each, block) for each in self.added.get(variable, ())]
        known = sorted((each for each in added if each is not None), key=_line)
        is_private = not variable.info or variable.name not in self.foreign
        is_kept = is_private and self.uses[variable] - len(added) <= self._unchanging(variable)
        is_known = is_kept and variable.name not in self.unclear and self._defines(variable)
        return Growth(made, block, known) if is_known and known and len(known) == len(added) else None

    def _added(self, addition: Addition, block: Node) -> Added | None:
        """What a statement adds to a list or dict that is made in `block`."""
        managers, loop, inner = list[Expression](), None, addition.block
        while inner is not block and inner in self.around:
            inner, statement = self.around[inner]
            if isinstance(statement, WithStmt):
                managers += statement.expr
            elif loop is not None or not runs_through(statement):
                return None
            else:
                loop = statement
        return Added(addition, loop, managers) if inner is block else None

    def _is_new_list(self, info: TypeInfo, variable: Var) -> bool:
        """Whether a field is an empty list in each new object: `field(default_factory=list)`."""
        default = self.defaults.get((variable.info.fullname, variable.name))
        values = default.args if isinstance(default, CallExpr) and default.arg_names in _FACTORIES else ()
        if not all(isinstance(each, RefExpr) and each.fullname == "builtins.list" for each in values):
            return False
        arguments = [
            _arguments(each, made) for each, calls in self.constructed.items() for made in calls if info in each.mro
        ]
        is_passed = any(each is None or variable.name in each for each in arguments)
        return bool(values) and not is_passed and self.stores.get(variable) == [None]

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
        arguments = _arguments(info, made)
        value = None if arguments is None else arguments.get(variable.name, default)
        return None if holds_mutable(value) and not self.keeps(variable) else value

    def attribute(self, info: TypeInfo, variable: Var, *, is_class: bool) -> Bound | None:
        """The value of an attribute of an instance of `info`, or of the class itself, if it is bound once."""
        return None if self._may_differ(info, variable, is_class=is_class) else self.only(variable)

    def _may_differ(self, info: TypeInfo, variable: Var, *, is_class: bool) -> bool:
        """Whether an object may have an attribute of another class, or that another file assigns."""
        if self.is_opaque or variable.name in self.assigned_abroad or not _is_simple(info):
            return True
        return not is_class and any(
            variable.name in each.names and each is not variable.info and info in each.mro for each in self.classes
        )

    def _is_own(self, maker: Maker, is_nested: bool, depth: int = 0) -> bool:
        """Whether a function is of typegrad or NumPy: by its name, or as a method of an object that they made.

        Functions of Python may hand out the items of a list, and `list.append(sizes, 3)` changes it.
        """
        if isinstance(maker, str):
            is_pythons = maker.startswith(OF_PYTHON) and (maker == _FROM_KEYS or not maker.startswith(_METHODS))
            return maker.startswith(OF_LIBRARIES) or (not is_nested and is_pythons)
        makers = self.makers.get(maker, ())
        return _is_own_type(maker.type) or (
            depth < _DEEPEST
            and len(makers) == len(self.stores.get(maker, ())) > 0
            and all(self._is_own(each, is_nested, depth + 1) for each in makers)
        )


def _line(added: Added) -> int:
    return added.addition.expr.line


def _arguments(info: TypeInfo, made: CallExpr) -> dict[str, Expression] | None:
    """The arguments of a call of the constructor of a class with fields; None if they are not known."""
    if not is_plain_call(made):
        return None
    names = _parameters(info)[: made.arg_names.count(None)]
    return dict(zip([*names, *filter(None, made.arg_names)], made.args, strict=False))


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
    return isinstance(proper, Instance) and proper.type.fullname.startswith(OF_LIBRARIES)


def _is_nested(expr: Expression) -> bool:
    """Whether a mutable value holds another one."""
    if isinstance(expr, DictExpr):
        return any(holds_mutable(value) for _, value in expr.items)
    if isinstance(expr, OpExpr):  # whose parts are the same ones: `[[0]] * 2`
        return _is_nested(expr.left) or _is_nested(expr.right)
    return isinstance(expr, (ListExpr, TupleExpr)) and any(map(holds_mutable, expr.items))


def holds_mutable(expr: Expression | None) -> bool:
    """Whether a value is, or contains, a list, set or dict that a statement could change."""
    if isinstance(expr, TupleExpr):
        return any(map(holds_mutable, expr.items))
    if isinstance(expr, OpExpr):
        return expr.op in ("*", "+") and (holds_mutable(expr.left) or holds_mutable(expr.right))
    if isinstance(expr, CallExpr):
        is_list = isinstance(expr.callee, RefExpr) and expr.callee.fullname in _MUTABLE
        return is_list or split_text(expr) is not None
    return isinstance(expr, (DictExpr, DictionaryComprehension, ListComprehension, ListExpr))


def _is_simple(info: TypeInfo) -> bool:
    """Whether mypy knows how a class sets its attributes: nothing but statements does."""
    reading = info.get_containing_type_info("__getattribute__")
    is_own = reading is not None and reading.fullname != "builtins.object"
    return not (info.fallback_to_any or info.is_enum or info.is_protocol or info.typeddict_type is not None or is_own)
