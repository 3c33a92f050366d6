"""What other code contradicts in several places: an annotation, a placeholder, or a value of another class.

That is one mistake where the errors are gone with another declaration, and there are no others: mypy checks what the
declaration affects again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Final, TypeAlias

from attrs import frozen
from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo
from mypy.maptype import map_instance_to_supertype
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DictExpr,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    ReturnStmt,
    TypeInfo,
    Var,
)
from mypy.nodes import TypeAlias as Alias
from mypy.plugin import CheckerPluginInterface
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    get_proper_type,
)
from mypy.typevars import fill_typevars_with_any

from typegrad.base.shape import Dim, Shape
from typegrad.mypy_plugin.arrays.feeds import misfits_of
from typegrad.mypy_plugin.base.casts import as_written
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import ELEMENT_TYPE, GRAPH, SCOPE
from typegrad.mypy_plugin.base.codes import DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import is_variable, shape_type
from typegrad.mypy_plugin.base.dtypes import leaf_of, type_name
from typegrad.mypy_plugin.base.operands import ARRAY, SESSION, base_of, operand_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.mistakes.consequences import is_serious
from typegrad.mypy_plugin.mistakes.declarations import DECLARED, as_fed, shown, variable_of
from typegrad.mypy_plugin.mistakes.names import end_of, nodes_in, parts_of_error, targets_of, type_of
from typegrad.mypy_plugin.mistakes.redeclared import Declaration, affected, is_alias_of, places, redeclared
from typegrad.mypy_plugin.reports.wording import described
from typegrad.mypy_plugin.types.array_types import dtype_of

__all__ = ["join_misannotated"]

_MOST: Final = 6
"""How many other declarations are tried: mypy checks a part of the file with each."""
_VERBS: Final[Mapping[ErrorCode | None, str]] = {
    codes.ARG_TYPE: "passes",
    codes.ASSIGNMENT: "assigns",
    codes.RETURN_VALUE: "returns",
}
"""The codes of what mypy says of a value that does not fit an annotation, and what the line does with it."""
_GENERATOR: Final = "numpy.random._generator.Generator"
_PLACEHOLDER: Final = "typegrad.op.core.Placeholder"
_OF_ALIAS: Final = 3
"""How many errors an alias has to be the mistake of, since it is about much: two may be so by chance."""
_OF_RUN: Final = "run:"
"""How an error begins that is about a feed."""
_LACKS: Final = " has no attribute "
"""What mypy and the run say of what a value lacks."""
_ANY: Final = AnyType(TypeOfAny.special_form)
"""What stands for the type that is meant where it is not known, and for no result of a function."""
_Place: TypeAlias = tuple[int, int]


@frozen
class _Remedy:
    """Another declaration, with which an error is gone."""

    of: Declaration
    type_: Type
    error: ErrorInfo
    verb: str | None
    """What the line of the error does with such a value; None for one that is meant to be of another class."""
    kind: str | None = None
    """What a value is, if no use of it takes such a one, and what to do."""


def join_misannotated(api: CheckerPluginInterface, lines: Sequence[int] = ()) -> None:
    """Keep the first error of those that another declaration mends, and say in it how to declare that.

    Args:
        api: mypy's checker.
        lines: The lines that are running where the program fails: what is there comes first.

    """
    checker = checker_of(api)
    errors = [each for each in errors_of(checker) if is_serious(each)]
    if len({_place(each) for each in errors}) < 2:
        return
    remedies, about = dict[tuple[Declaration, Type], _Remedy](), defaultdict[Declaration, list[ErrorInfo]](list)
    found = (_fed, _taken, _of_annotations, _of_other_kinds, _meant)
    for each in (remedy for remedies_of in found for remedy in remedies_of(api, errors)):
        remedies.setdefault((each.of, each.type_), each)
        about[each.of].append(each.error)
    tried = [each for each in remedies.values() if _may_be_wrong(checker, each, errors, about[each.of])]
    for remedy, mended in _mended(api, tried[:_MOST], errors):
        left = [each for each in mended if each in errors]
        if _may_be_wrong(checker, remedy, left, about[remedy.of]):
            is_made = isinstance(remedy.of.owner, AssignmentStmt)
            first = min(left, key=partial(_order, lines) if is_made else _place)  # runs do not ask for annotations
            told = _told(api, remedy, first.line)
            first.message = first.message if first.message.endswith(told) else f"{first.message}; {told}"
            errors = [each for each in errors if each not in left]
            drop(errors_of(checker), [each for each in left if each is not first])


def _mended(
    api: CheckerPluginInterface, remedies: Sequence[_Remedy], errors: Sequence[ErrorInfo]
) -> list[tuple[_Remedy, list[ErrorInfo]]]:
    """The errors that are gone with each declaration that causes no others; first where these are most."""
    checker = checker_of(api)
    mended = list[tuple[_Remedy, list[ErrorInfo]]]()
    for number, remedy in enumerate(remedies):
        statements = affected(checker, remedy.of)
        if statements is None:
            continue
        before = places(checker, statements, 2 * number)
        with redeclared(remedy.of, remedy.type_, statements):
            after = places(checker, statements, 2 * number + 1)
        if after <= before:
            gone = [each for each in errors if _place(each) not in after]
            gone = [each for each in gone if _place(each) in before or _is_fed_so(api, remedy, each)]
            mended.append((remedy, gone))
    return sorted(mended, key=lambda each: -len(each[1]))


def _told(api: CheckerPluginInterface, remedy: _Remedy, line: int) -> str:
    """What to do, in an error of a line."""
    if remedy.kind is not None and isinstance(remedy.of.owner, AssignmentStmt):
        return f"{remedy.of.name} of line {remedy.of.owner.line} is {remedy.kind}"
    proper = get_proper_type(remedy.type_)
    made = proper.partial_fallback if isinstance(proper, TupleType) else proper
    if remedy.verb is None and isinstance(made, Instance) and isinstance(remedy.of.owner, AssignmentStmt):
        return f"{remedy.of.name} of line {remedy.of.owner.line} is meant to be of class {made.type.name}"
    source = "" if remedy.error.line == line else f", which line {remedy.error.line} {remedy.verb}"
    return f"declare {remedy.of.name} as {_shown(api, remedy.type_)}{source}"


def _order(lines: Sequence[int], error: ErrorInfo) -> tuple[bool, bool, _Place]:
    """What tells which of two errors about a placeholder comes first: where the program fails, and its uses."""
    return error.line not in lines, error.message.startswith(_OF_RUN), _place(error)


def _may_be_wrong(
    checker: TypeChecker, remedy: _Remedy, errors: Sequence[ErrorInfo], about: Sequence[ErrorInfo]
) -> bool:
    """Whether a declaration may cause some errors, which are not about what calls pass alone.

    Some have to be about an annotation, and others have not, as those in a body; what is fed may be wrong alone, too. A
    value of another kind than is meant has no use without an error.
    """
    declaration = remedy.of
    if remedy.kind is not None:
        return len(errors) > 1 and _is_always_wrong(checker, remedy)
    if isinstance(declaration.owner, AssignmentStmt):
        fed = [each for each in errors if each.message.startswith(_OF_RUN)]
        passed = [each for each in errors if each.code is codes.ARG_TYPE]
        return len(errors) > 1 and len(errors) not in (len(fed), len(passed))
    if isinstance(declaration.owner, Alias) and len(errors) < _OF_ALIAS:
        return False
    return any(each in about for each in errors) and any(each not in about for each in errors)


def _is_fed_so(api: CheckerPluginInterface, remedy: _Remedy, error: ErrorInfo) -> bool:
    """Whether an error is about the feed of a placeholder, which fits with another declaration."""
    checker = checker_of(api)
    for key, value in misfits_of(checker.tree) if isinstance(remedy.of.owner, AssignmentStmt) else ():
        if _place(value) == _place(error) and remedy.of in _making(checker, key):
            made = as_fed(api, key, value)
            fed, own = None if made is None else operand_of(made), operand_of(remedy.type_)
            if fed is not None and own is not None and type_name(fed.dtype) == type_name(own.dtype):
                return _fit(own.static.shape, fed.static.shape)
    return False


def _fit(declared: Shape, fed: Shape) -> bool:
    if declared.dims is None or fed.dims is None:
        return True
    pairs = zip(declared.dims, fed.dims, strict=False)
    known = [(own, size) for own, size in pairs if isinstance(own, int) and isinstance(size, int)]
    return declared.rank == fed.rank and all(own == size for own, size in known)


def _shown(api: CheckerPluginInterface, type_: Type) -> str:
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return f"({', '.join(_shown(api, each) for each in proper.items)})"
    if isinstance(proper, Instance) and proper.type.fullname == ARRAY:
        return f"an array of {dtype_of(api, proper.args[1]) or 'another type'}"
    return shown(proper) or described(proper) or "_"


# Other declarations


def _of_annotations(api: CheckerPluginInterface, errors: Sequence[ErrorInfo]) -> Iterator[_Remedy]:
    """Annotations that fit the values that do not fit those of the file."""
    checker = checker_of(api)
    for error in errors:
        for declaration, declared, value in _contradicted(checker, error):
            given, owner = type_of(checker, value), declaration
            if isinstance(declared, TypeAliasType) and (alias := declared.alias) is not None:
                is_own = alias.module == checker.tree.fullname and not alias.alias_tvars
                owner = Declaration(alias) if is_own else declaration
            type_ = None if given is None else _fitted(api, get_proper_type(declared), given)
            if owner is not None and type_ is not None:
                yield _Remedy(owner, type_, error, _VERBS[error.code])


def _fed(api: CheckerPluginInterface, errors: Sequence[ErrorInfo]) -> Iterator[_Remedy]:
    """How placeholders are fed that are declared otherwise."""
    checker = checker_of(api)
    misfits = {_place(value): (key, value) for key, value in misfits_of(checker.tree)}
    for error in errors:
        if _place(error) in misfits and error.code in (DTYPE, SHAPE):
            key, value = misfits[_place(error)]
            own, made = type_of(checker, key), as_fed(api, key, value)
            type_ = None if own is None or made is None else _fitted(api, own, get_proper_type(made))
            if type_ is not None:
                yield from (_Remedy(each, type_, error, "feeds") for each in _making(checker, key))


def _taken(api: CheckerPluginInterface, errors: Sequence[ErrorInfo]) -> Iterator[_Remedy]:
    """What is expected where placeholders are that are declared otherwise."""
    checker = checker_of(api)
    for error in errors:
        for _, declared, value in _contradicted(checker, error) if error.code is not codes.RETURN_VALUE else ():
            given = type_of(checker, value)
            type_ = None if given is None else _fitted(api, given, get_proper_type(declared), keeps_names=False)
            if type_ is not None:
                yield from (_Remedy(each, type_, error, "takes") for each in _making(checker, value))


def _meant(api: CheckerPluginInterface, errors: Sequence[ErrorInfo]) -> Iterator[_Remedy]:
    """The classes of which names may be meant to be: those that take an attribute which the value lacks, or a call."""
    checker = checker_of(api)
    missing = defaultdict[Declaration, list[tuple[str, ErrorInfo]]](list)
    for error in errors:
        whole = next(iter(parts_of_error(checker.tree, error)), None)
        if _LACKS in error.message and isinstance(whole, MemberExpr):
            for each in _binding(checker, as_written(whole.expr)):
                missing[each].append((whole.name, error))
        for _, declared, value in _contradicted(checker, error) if error.code is codes.ARG_TYPE else ():
            proper = get_proper_type(declared)
            if isinstance(proper, Instance) and not proper.args and not proper.type.fullname.startswith("builtins."):
                yield from (_Remedy(each, proper, error, None) for each in _binding(checker, value))
    for declaration, found in missing.items():
        for info in _classes(checker):
            if all(name in info.names for name, _ in found):
                type_ = fill_typevars_with_any(info)
                yield from (_Remedy(declaration, type_, error, None) for _, error in found)


def _of_other_kinds(api: CheckerPluginInterface, errors: Sequence[ErrorInfo]) -> Iterator[_Remedy]:
    """What names may be meant to be that are classes or functions: what these return; and scopes and element types."""
    checker = checker_of(api)
    calls = [each for each in nodes_of(checker.tree) if isinstance(each, CallExpr)]
    for error in errors:
        parts = parts_of_error(checker.tree, error)
        for expr in nodes_in([*parts, *(each.callee for each in calls if parts and parts[0] in each.args)]):
            type_ = type_of(checker, expr) if isinstance(expr, (MemberExpr, NameExpr)) else None
            meant = None if type_ is None else _of_other_kind(type_)
            if meant is not None and isinstance(expr, Expression):
                yield from (_Remedy(each, meant[0], error, None, meant[1]) for each in _binding(checker, expr))


def _of_other_kind(type_: ProperType) -> tuple[Type, str] | None:
    """The type that is meant in the place of another one, and what to say of that; None if it may be meant."""
    if isinstance(type_, CallableType):
        result = get_proper_type(type_.ret_type)
        if isinstance(result, Instance) and result.type.has_base(ELEMENT_TYPE):  # which nothing makes an object of
            return _ANY, f"the element type {result.type.name}, which no use of it takes"
        if type_.is_type_obj() and isinstance(result, Instance):
            return result, f"the class {result.type.name}; call it there"
        function = type_.definition
        return None if function is None else (result, f"the function {function.name}; call it there")
    if isinstance(type_, Instance) and type_.type.fullname in (SCOPE, GRAPH, SESSION):
        return _ANY, f"a {type_.type.name}, which no use of it takes"
    return None


def _is_always_wrong(checker: TypeChecker, remedy: _Remedy) -> bool:
    """Whether nothing reads an attribute of what a statement binds, or takes it in a line without an error.

    Keys tell nothing: a dict has any. Of a class or a function, attributes that are refused may be those of the result.
    """
    owner, of_result = remedy.of.owner, remedy.type_ is not _ANY
    nodes = list(nodes_of(checker.tree))
    told = (each for each in errors_of(checker) if each.severity == "error")
    lines = {line for each in told for line in range(each.line, (each.end_line or each.line) + 1)}
    owners = {each.expr for each in nodes if isinstance(each, MemberExpr)}
    keys = {key for each in nodes if isinstance(each, DictExpr) for key, _ in each.items}
    target = owner.lvalues[0] if isinstance(owner, AssignmentStmt) else None
    variable = None if target is None else variable_of(checker, target)
    read = (each for each in nodes if isinstance(each, (MemberExpr, NameExpr)) and each is not target)
    uses = [each for each in read if is_alias_of(owner, each) or (variable and variable_of(checker, each) is variable)]
    return all(each in keys or (each.line in lines and (of_result or each not in owners)) for each in uses)


def _classes(checker: TypeChecker) -> Iterator[TypeInfo]:
    """The classes of the file, and those of typegrad and NumPy that all programs have."""
    yield from (symbol.node for symbol in checker.tree.names.values() if isinstance(symbol.node, TypeInfo))
    for fullname in (SCOPE, GRAPH, SESSION, _GENERATOR):
        module, _, name = fullname.rpartition(".")
        node = checker.modules[module].names[name].node if module in checker.modules else None
        if isinstance(node, TypeInfo):
            yield node


def _making(checker: TypeChecker, expr: Expression) -> Iterator[Declaration]:
    """The only statement that makes a placeholder."""
    type_ = type_of(checker, expr)
    if type_ is not None and base_of(type_, _PLACEHOLDER) is not None:
        for each in _binding(checker, expr):
            if isinstance(each.owner, AssignmentStmt) and isinstance(each.owner.rvalue, CallExpr):
                yield each


def _binding(checker: TypeChecker, expr: Expression) -> Iterator[Declaration]:
    """The only statement that binds a name or an attribute, and nothing else."""
    variable, made = variable_of(checker, expr), list[AssignmentStmt]()
    for each in nodes_of(checker.tree) if isinstance(variable, (Alias, Var)) else ():
        if isinstance(each, AssignmentStmt):
            bound = (variable_of(checker, target) for target in targets_of(each))
            made += [each] if is_alias_of(each, expr) or variable in bound else []
    if len(made) == 1 and len(made[0].lvalues) == 1 and made[0].unanalyzed_type is None:
        yield from (Declaration(each) for each in made if isinstance(each.lvalues[0], (MemberExpr, NameExpr)))


def _fitted(
    api: CheckerPluginInterface, declared: ProperType, given: ProperType, *, keeps_names: bool = True
) -> Type | None:
    """A declared type with the element types and the sizes of another one; None for values without such."""
    own, other = operand_of(declared), operand_of(given)
    if own is not None and other is not None:
        if not isinstance(declared, Instance) or declared.type.name not in DECLARED:
            return None
        shape = _sizes(own.static.shape, other.static.shape, keeps_names=keeps_names)
        dims = declared.args[1] if shape is None else shape_type(api, shape, is_gradual=False)
        dtype = declared.args[0] if leaf_of(other.dtype) is None else other.dtype
        return None if dims is None else declared.copy_modified(args=[dtype, dims])
    if isinstance(declared, TupleType) and isinstance(given, TupleType) and len(declared.items) == len(given.items):
        pairs = zip(map(get_proper_type, declared.items), map(get_proper_type, given.items), strict=True)
        fitted = [_fitted(api, *pair) or pair[0] for pair in pairs]
        return None if fitted == declared.items else declared.copy_modified(items=fitted)
    if not isinstance(declared, Instance) or not isinstance(given, Instance) or not declared.args:
        return None
    if not given.type.has_base(declared.type.fullname):
        return None
    *kept, last = declared.args
    value = map_instance_to_supertype(given, declared.type).args[-1]
    is_array = declared.type.fullname == ARRAY
    item = value if is_array else _fitted(api, get_proper_type(last), get_proper_type(value))
    return None if item is None else declared.copy_modified(args=[*kept, item])


def _sizes(declared: Shape, given: Shape, *, keeps_names: bool) -> Shape | None:
    """The sizes of another shape, or also its names, where these are known; None if its rank is not.

    In a shape of another rank, a declared size may be that of any dimension.
    """
    if declared.dims is None or given.dims is None:
        return None

    def fitted(own: Dim, other: Dim) -> Dim:
        is_open = other is None or is_variable(other)
        if not isinstance(own, int):
            return own if is_open or keeps_names else other
        return other if not is_open else own if declared.rank == given.rank else None

    pairs = zip_longest(declared.dims[: len(given.dims)], given.dims, fillvalue=0)
    return Shape(tuple(fitted(own, other) for own, other in pairs))


_Found: TypeAlias = Iterator[tuple[Declaration | None, Type, Expression]]


def _contradicted(checker: TypeChecker, error: ErrorInfo) -> _Found:
    """The annotation that an error is about, the declared type, and the value that does not fit."""
    if error.code not in _VERBS:
        return
    nodes, whole = list(nodes_of(checker.tree)), next(iter(parts_of_error(checker.tree, error)), None)
    if error.code is codes.ARG_TYPE:
        for each in nodes:
            if isinstance(each, CallExpr) and whole in each.args:
                yield from _argument(checker, each, whole)
                returned = any(isinstance(node, ReturnStmt) and node.expr is each for node in nodes)
                yield from _returned(nodes, error, whole) if returned else ()  # whose type mypy expects of the call
    else:
        yield from _returned(nodes, error, whole) if error.code is codes.RETURN_VALUE else _assigned(nodes, error)


def _argument(checker: TypeChecker, call: CallExpr, value: Node | None) -> _Found:
    """The parameter that an argument is for, which is an annotation of the file or not."""
    function, callee = _called(checker, call), type_of(checker, call.callee)
    signature = callee if function is None else function.type
    if not isinstance(signature, CallableType) or not isinstance(value, Expression):
        return
    is_bound = function is not None and bool(function.info) and not function.is_static
    named = zip(call.arg_names, signature.arg_names[is_bound:], signature.arg_types[is_bound:], call.args, strict=False)
    types = dict(zip(signature.arg_names, signature.arg_types, strict=True))
    for name, own, type_ in [(name, own, type_) for name, own, type_, each in named if each is value]:
        declaration = None if function is None or (name or own) is None else Declaration(function, name or own)
        yield declaration, types.get(name, type_) if name else type_, value


def _called(checker: TypeChecker, call: CallExpr) -> FuncDef | None:
    """The function of the file that a call calls."""
    callee = type_of(checker, call.callee)
    if isinstance(callee, CallableType) and not callee.is_type_obj():
        node = callee.definition
    else:
        made = callee.type_object().get("__init__") if isinstance(callee, CallableType) else None
        symbol = callee.type.get("__call__") if isinstance(callee, Instance) else made
        node = None if symbol is None else symbol.node
    is_own = isinstance(node, FuncDef) and node.fullname.startswith(f"{checker.tree.fullname}.")
    return node if is_own and isinstance(node, FuncDef) else None


def _returned(nodes: Sequence[Node], error: ErrorInfo, value: Node | None) -> _Found:
    """The result of the function around an error."""
    functions = (each for each in nodes if isinstance(each, FuncDef))
    around = [each for each in functions if each.line <= error.line <= (each.end_line or each.line)]
    function = max(around, key=lambda each: each.line, default=None)
    signature = None if function is None else function.type
    if function is not None and isinstance(signature, CallableType) and isinstance(value, Expression):
        yield Declaration(function), signature.ret_type, value


def _assigned(nodes: Sequence[Node], error: ErrorInfo) -> _Found:
    """The alias that a name is declared as."""
    for each in nodes:
        if isinstance(each, AssignmentStmt) and each.line <= error.line <= end_of(each):
            target = each.lvalues[0]
            variable = target.node if isinstance(target, NameExpr) else None
            if isinstance(variable, Var) and not variable.is_inferred and variable.type is not None:
                yield None, variable.type, each.rvalue


def _place(each: ErrorInfo | Expression) -> _Place:
    return each.line, each.column
