"""The functions of typegrad that calls call, read from mypy's symbols.

To import a module takes longer than to check the calls of its functions, so it is imported only for a message.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, Final, cast

from attrs import frozen
from mypy.erasetype import erase_typevars
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ARG_STAR,
    ARG_STAR2,
    ArgKind,
    CallExpr,
    Decorator,
    FuncDef,
    MemberExpr,
    OverloadedFuncDef,
    SymbolNode,
    TypeInfo,
)
from mypy.plugin import CheckerPluginInterface, MethodContext, MethodSigContext
from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    LiteralType,
    NoneType,
    Overloaded,
    TupleType,
    Type,
    TypeAliasType,
    TypedDictType,
    TypeOfAny,
    TypeType,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from typegrad.arguments.calls import mistake
from typegrad.base.types import TType
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dtypes import leaves_of
from typegrad.mypy_plugin.base.memory import Memory
from typegrad.mypy_plugin.values.expression_types import expression_type
from typegrad.mypy_plugin.values.static_values import NotStatic

__all__ = ["Callee", "callee_of", "takes_object"]

_RUN: Final = "Session.run"
_OF_SEVERAL: Final = "typegrad.graph.wrapper.OperandOp.create"
"""What type checkers alone see: the method of one of several classes."""
_ANY_SHAPE: Final = "tuple[Any, ...]"


@frozen(slots=False, eq=False)
class Callee:
    """A function, a method, or a class that is called."""

    module: str
    names: Sequence[str]
    definition: FuncDef
    overloads: Sequence[CallableType] = ()

    @cached_property
    def name(self) -> str:
        """Its name in errors: "Session.run"."""
        name = ".".join(self.names)
        return {"TypedRun.run": _RUN}.get(name, name.replace("CoreOps.", "Ops."))

    @cached_property
    def function(self) -> Callable[..., object]:
        """The function itself."""
        value: Any = import_module(self.module)
        for name in self.names:
            value = getattr(value, name)
        return cast("Callable[..., object]", value)

    @cached_property
    def by_position(self) -> Sequence[str]:
        """The parameters that take the arguments by position, besides `self`."""
        return [each.name for each in self._parameters if each.kind.is_positional()]

    @cached_property
    def rest(self) -> str:
        """The parameter that takes all further arguments by position; "" if there is none."""
        return next((each.name for each in self._parameters if each.kind is ARG_STAR), "")

    @cached_property
    def by_name(self) -> set[str]:
        """The parameters that take the arguments by name, besides `self`."""
        return {each.name for each in self._parameters if each.takes_name}

    @cached_property
    def annotations(self) -> Mapping[str, str]:
        """The annotations of the parameters, as they are written."""
        return {each.name: _written(each.type) for each in self._parameters}

    def takes(self, name: str, type_: Type) -> bool:
        """Whether a parameter, or an option, may take a value of this type."""
        declared = self._types.get(name)
        return declared is None or is_subtype(type_, declared)

    def element_types(self, name: str) -> frozenset[type[TType]] | None:
        """The element types that a parameter, `dtype: type[F]`, may be; None for another parameter."""
        parameters = [[(each.name, each.type) for each in self._parameters]]
        overloads = [zip(each.arg_names, each.arg_types, strict=True) for each in self.overloads]
        types = [type_ for each in overloads or parameters for parameter, type_ in each if parameter == name]
        found = [leaves_of(each.item) for each in types if isinstance(each, TypeType)]
        variables = [each for each in types if isinstance(each, TypeType) and isinstance(each.item, TypeVarType)]
        return frozenset[type[TType]]().union(*filter(None, found)) if variables else None

    @cached_property
    def _types(self) -> Mapping[str, Type]:
        """The types of the parameters and of the options, with Any for type variables."""
        types = {each.name: each.type for each in self._parameters if not each.kind.is_star()}
        for each in self._parameters:
            options = get_proper_type(each.type) if each.kind is ARG_STAR2 else None
            types |= options.items if isinstance(options, TypedDictType) else {}
        return {name: erase_typevars(type_) for name, type_ in types.items()}

    @cached_property
    def accepted(self) -> Mapping[str, str]:
        """The annotations; of a parameter that takes anything behind overloads, the annotations of all overloads."""
        types: dict[str, list[Type]] = {each.name: [] for each in self._parameters if _is_open(each.type)}
        for overload in self.overloads:
            for name, type_ in zip(overload.arg_names, overload.arg_types, strict=True):
                if name in types:
                    types[name] += type_.items if isinstance(type_, UnionType) else [type_]
        overloaded = {name: " | ".join(dict.fromkeys(map(_written, each))) for name, each in types.items() if each}
        return {**self.annotations, **overloaded}

    def mistake(self, called: str, by_position: int, by_name: Mapping[str, object]) -> str:
        """What is wrong with the number of the arguments and with their names; "" if nothing is."""
        key = self, by_position, tuple(by_name)
        if key not in _taken:
            _taken[key] = self._takes(by_position, key[-1])
        return "" if _taken[key] else mistake(self.function, called, by_position, by_name)

    def _takes(self, by_position: int, by_name: tuple[str, ...]) -> bool:
        kinds = {each.kind for each in self._parameters}
        first = self.by_position[:by_position]
        if len(first) < by_position and ARG_STAR not in kinds:
            return False
        if not set(first).isdisjoint(by_name) or not (ARG_STAR2 in kinds or self.by_name.issuperset(by_name)):
            return False
        return all(each.name in first or each.name in by_name for each in self._parameters if each.is_required)

    @cached_property
    def _parameters(self) -> Sequence[_Parameter]:
        """The parameters besides `self`."""
        names, kinds, type_ = self.definition.arg_names, self.definition.arg_kinds, self.definition.type
        types = type_.arg_types if isinstance(type_, CallableType) else [AnyType(TypeOfAny.unannotated)] * len(names)
        known: Sequence[str | None] = names
        if None in names:  # mypy forgets the names of parameters without a name for callers
            known = list(inspect.signature(self.function).parameters)
        parameters = [
            _Parameter(name or "", kind, type_, takes_name=written is not None and not kind.is_star())
            for name, written, kind, type_ in zip(known, names, kinds, types, strict=True)
        ]
        return parameters[bool(parameters) and parameters[0].name in ("self", "cls", "_cls") :]


@frozen
class _Parameter:
    name: str
    kind: ArgKind
    type: Type
    takes_name: bool

    @property
    def is_required(self) -> bool:
        return self.kind in (ARG_POS, ARG_NAMED)


_callees: Final = Memory[str, "Callee | None"]()
_taken: Final = Memory[tuple[Callee, int, tuple[str, ...]], bool]()


def takes_object(ctx: MethodContext | MethodSigContext) -> bool:
    """Whether a method is called by its class, with the object first: `Variable.assign(v, scope, x)`."""
    class_ = get_proper_type(ctx.type)
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    if not isinstance(class_, (FunctionLike, TypeType)) or not isinstance(callee, MemberExpr):
        return False
    made = get_proper_type(class_.item if isinstance(class_, TypeType) else class_.items[0].ret_type)
    info = made.type if isinstance(made, Instance) else None
    node = getattr(None if info is None else info.get(callee.name), "node", None)
    function = node.func if isinstance(node, Decorator) else node
    is_method = isinstance(function, (FuncDef, OverloadedFuncDef)) and not (function.is_class or function.is_static)
    if info is None or not is_method or not ctx.args or not ctx.args[0]:
        return False
    with checker_of(ctx.api).msg.filter_errors():
        given = get_proper_type(expression_type(ctx.api, ctx.args[0][0]))
    return not isinstance(given, Instance) or given.type.has_base(info.fullname) or given.type.fallback_to_any


def callee_of(api: CheckerPluginInterface, fullname: str) -> Callee:
    """What a call calls, by the name of its hook; `NotStatic` for an attribute that holds a function."""
    if fullname not in _callees:
        _callees[fullname] = _callee(api, fullname)
    callee = _callees[fullname]
    if callee is None:
        raise NotStatic
    return callee


def _callee(api: CheckerPluginInterface, fullname: str) -> Callee | None:
    if fullname == _OF_SEVERAL:
        return None
    modules = checker_of(api).modules
    module, *names = fullname.rsplit(".", 1)
    if module not in modules:
        module, *names = fullname.rsplit(".", 2)
    symbol = modules[module].names.get(names[0]) if module in modules else None
    node = None if symbol is None else symbol.node
    if isinstance(node, TypeInfo):
        member = node.get(names[1] if len(names) > 1 else "__new__" if node.is_named_tuple else "__init__")
        node = None if member is None else member.node
    definition = _definition(node)
    if definition is not None and len(names) > 1:  # maybe of a base class
        module, names[0] = definition.info.module_name, definition.info.name
    overloads = node.type.items if isinstance(node, OverloadedFuncDef) and isinstance(node.type, Overloaded) else ()
    return None if definition is None else Callee(module, names, definition, overloads)


def _definition(node: SymbolNode | None) -> FuncDef | None:
    """The function itself, without its overloads and decorators."""
    if isinstance(node, OverloadedFuncDef):
        return _definition(node.impl or _behind(node))
    function = node.func if isinstance(node, Decorator) else node
    return function if isinstance(function, FuncDef) and not function.is_property else None


def _behind(node: OverloadedFuncDef) -> SymbolNode | None:
    """What generated stubs have for the function behind overloads: a method `_create`, next to `create`."""
    symbol = node.info.names.get(f"_{node.name}") if node.info else None
    return None if symbol is None else symbol.node


def _is_open(type_: Type) -> bool:
    """Whether a parameter takes anything, or any operand, as parameters of functions behind overloads do."""
    if isinstance(type_, UnionType):
        return any(map(_is_open, type_.items))
    return isinstance(type_, AnyType) or (isinstance(type_, TypeAliasType) and _written(type_) == "AnyOperand")


def _written(type_: Type) -> str:
    """A type as it is written in annotations; of a callable, not its parameters."""
    if isinstance(type_, UnionType):
        literals = [item for item in type_.items if isinstance(item, LiteralType)]
        texts = [_literal(literals)] if literals else []
        return " | ".join(texts + [_written(item) for item in type_.items if not isinstance(item, LiteralType)])
    if isinstance(type_, TypeAliasType) and type_.alias is not None:
        of = ", ".join(map(_written, type_.args))
        return f"{type_.alias.name}[{of}]" if of else type_.alias.name
    if isinstance(type_, LiteralType):
        return _literal([type_])
    if isinstance(type_, TypeType):
        return f"type[{_written(type_.item)}]"
    if isinstance(type_, Instance):
        name = f"{'np.' if type_.type.fullname.startswith('numpy.') else ''}{type_.type.name}"
        args = [text for text in map(_written, type_.args) if text != _ANY_SHAPE]
        if type_.type.fullname == "builtins.tuple":
            args.append("...")
        return f"{name}[{', '.join(args)}]" if args else name
    if isinstance(type_, TupleType):
        return f"tuple[{', '.join(map(_written, type_.items)) or '()'}]"
    if isinstance(type_, TypeVarType):
        return type_.name
    return "None" if isinstance(type_, NoneType) else "Any" if isinstance(type_, AnyType) else "Callable"


def _literal(items: Sequence[LiteralType]) -> str:
    return f"Literal[{', '.join(repr(item.value) for item in items)}]"
