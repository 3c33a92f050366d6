"""How mypy's errors end, and what they are replaced by, where mypy does not say what to write.

They are about annotations of operands, which no hook sees, and about operands, operations and their classes where
something else is declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    TypeInfo,
    Var,
)
from mypy.plugin import CheckerPluginInterface
from mypy.types import CallableType, Instance, TypeVarType, get_proper_type

from typegrad.arguments.elsewhere import remedy
from typegrad.arguments.missing_modules import module_remedy
from typegrad.arguments.unknown import UnknownNameError
from typegrad.base.types import NO_VALUE
from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import GRAPH, OWN, is_of_typegrad
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, union_items
from typegrad.mypy_plugin.base.reporting import drop, errors_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.calls.counts import LIST_OP
from typegrad.mypy_plugin.calls.dropped import dropped_by
from typegrad.mypy_plugin.expressions.optionals import remedy_of_none
from typegrad.mypy_plugin.expressions.refusals import makes_operation, several_outputs, type_of
from typegrad.mypy_plugin.expressions.unknown_names import told_attribute
from typegrad.mypy_plugin.mistakes.names import Names, nodes_in, parts_of_error, sources_of
from typegrad.mypy_plugin.mistakes.names import type_of as names_type
from typegrad.mypy_plugin.reports.whole_file import text_of
from typegrad.mypy_plugin.values.callees import callee_of
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["add_remedies"]

_HOLDER: Final = "(?:Operand|Output|Variable)"
_ELEMENT: Final = re.compile(rf'Type argument "(?P<given>.+)" of "{_HOLDER}" must be a subtype of "TType"$')
_SHAPE: Final = re.compile(
    rf'Type argument "(?P<given>.+)" of "{_HOLDER}" must be a subtype of "tuple\[Any, \.\.\.\]"$'
)
_COUNT: Final = re.compile(rf'"{_HOLDER}" expects between 0 and 2 type arguments, but \d+ given$')
_BRACKETS: Final = 'Bracketed expression "[...]" is not valid as a type'
_INVALID: Final = "Invalid type comment or annotation"
_ANNOTATION: Final = re.compile(rf"\b{_HOLDER}\[")
_ARITHMETIC: Final = re.compile(r"[\w\])] ?(?:[-+*]|//?) ?[\w(]")
_UNKNOWN: Final = re.compile(r'Name "(?P<module>\w+)\.(?P<name>\w+)" is not defined$')
_NO_MODULE: Final = re.compile(r'Cannot find implementation or library stub for module named "(typegrad\.[\w.]+)"$')
_NO_NAME: Final = re.compile(r'Module "(?P<module>typegrad[\w.]*)" has no attribute "(?P<name>\w+)"$')
"""What mypy says of imports."""
_UNTYPED: Final = "Untyped decorator makes function "
"""What mypy --strict says of a decorator that does not exist."""
_CLASS: Final = re.compile(
    r'(?P<argument>Argument \S+ to .+) has incompatible type "type\[(?P<name>\w+)\[_?T\w*, .*\]\]"; '
    r'expected "(?P<type>.+)"$'
)
_OPERATIONS: Final = "typegrad.op."
_OF_FUNCTION: Final = '"Callable['
_OF_NONE: Final = 'Item "None" of '
_NOT_CALLED: Final = '" not callable'
_OF_CLASS: Final = re.compile(r'Argument 1 to "\w+" of "\w+" has incompatible type')
_OPERAND: Final = r'"\w+\[T\w+, (?:tuple\[.*\]|\w+)\]"'
_EXPECTED: Final = "(?:expected|variable has type)"
_VALUE: Final = "session.run gives its value"
_NUMBER: Final = r'"(?:bool|complex|float|int|str)(?: \| None)?"\)?$'
_INPUTS: Final = ".op.inputs lists them for any operand; they have names where create made it, such as math.Add.create"
_OF_SHAPE: Final = re.compile(
    r'(?:got|expression has type) "\w+\[(\w+), tuple\[Any, \.\.\.\]\]", '
    r'(?:expected|variable has type) "\w+\[\1, (\w+)\]"'
)
"""What mypy says of an operand of unknown shape where one of the shape of a type variable is expected."""
_OF_ELEMENT: Final = re.compile(r'expression has type "\w+\[(T\w+), .*variable has type "Operand\[(T\w+), ')
"""What mypy says of an operand where one of another element type is expected."""
_OF_GRADIENTS: Final = re.compile(r'Unsupported operand types? for .*"tuple\[Operand\[[^"]* \| None')
"""What mypy says of an operator and what `tg.gradients` returns."""
_ENDS: Final[Sequence[tuple[re.Pattern[str], str]]] = (
    (re.compile(rf"(?:got|type) {_OPERAND}[,;] {_EXPECTED} {_NUMBER}"), _VALUE),
    (re.compile(rf'(?:got|type) {_OPERAND}[,;] {_EXPECTED} "ndarray\['), _VALUE),
    (re.compile(rf'got "ndarray\[tuple\[\(\)\], .*", expected {_NUMBER}'), ".item() is its number"),
    (re.compile(rf'(?:got|type) "Output\[TResource, .*\]"[,;] {_EXPECTED} "(?:Operand|Output)\['), NO_VALUE),
    (re.compile(r'"list\[ndarray\[.*" has no attribute "get"$'), "the first item of a list is [0]"),
    (
        re.compile(r'Value of type variable "(\w+)" of .* cannot be "tuple\[[^"]*?(\*\w+)'),
        r"\2 is no tuple[int, ...]; declare \1 with bound=tuple[Any, ...]",
    ),
    (re.compile(r'"(?:Operand|Output)\[.*" has no attribute "inputs"$'), _INPUTS),
    (re.compile(r'"(?:Operand|Output)\[.*" has no attribute "OP_NAME"$'), ".op.type is it for any operand"),
    (_OF_GRADIENTS, "take one gradient with [0], or write tg.grad for one x"),
    (_COUNT, "a shape is one argument, as in tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]"),
)
"""What mypy says, and what to do, with the groups of what it says."""
_OF_GRAPH: Final = re.compile(rf'(?:got|type) "Graph"[,;] {_EXPECTED} "(Scope|Session)"')


def add_remedies(api: CheckerPluginInterface) -> None:
    """Say what to write after errors of mypy that do not, each on one line."""
    checker = checker_of(api)
    errors = errors_of(checker)
    lines = text_of(checker).splitlines() if any(each.code is codes.VALID_TYPE for each in errors) else []
    swapped = {each.line for each in errors if (found := _ELEMENT.match(each.message)) and _is_shape(found["given"])}
    for error in list(errors):
        unknown, made = _unknown(checker, error) or told_attribute(api, error), _CLASS.match(error.message)
        imported = _imported(error.message)
        if unknown:
            error.message = unknown
            drop(errors, [each for each in errors if each.line == error.line and each.message.startswith(_UNTYPED)])
        elif imported:
            error.message += imported
            drop(errors, [each for each in errors if each.line == error.line and each.severity == "note"])
        elif made is not None and _is_operation(checker, made["name"]):
            what = f"{made['name']}.create{'(...)' if 'Operand[' in made['type'] else ''}"
            error.message = f"{made['argument']} is the class {made['name']}; write {what}"
            drop(errors, [each for each in errors if each.line == error.line and each.severity == "note"])
        elif (shape := _SHAPE.match(error.message)) and error.line in swapped:
            drop(errors, [error])
        else:
            line = lines[error.line - 1] if 0 < error.line <= len(lines) else ""
            end = next(_endings(api, error, line, shape["given"] if shape else ""), "")
            if not error.message.endswith(end):
                error.message += f"; {end}"


def _unknown(checker: TypeChecker, error: ErrorInfo) -> str:
    """What the run says of a name that a module of typegrad lacks; "" for other names."""
    found = _UNKNOWN.match(error.message)
    symbol = None if found is None else checker.tree.names.get(found["module"])
    module = None if symbol is None else symbol.node
    if found is None or not isinstance(module, MypyFile) or not f"{module.fullname}.".startswith(OWN):
        return ""
    told = UnknownNameError(module.fullname, found["name"], module.names)
    return str(told) if told.remedy else ""


def _imported(message: str) -> str:
    """What the run says behind an import of what typegrad does not have; "" for other errors."""
    module, name = _NO_MODULE.match(message), _NO_NAME.match(message)
    if name is not None:
        try:
            return remedy(name["module"], name["name"])
        except ImportError:  # of a module that needs an extra
            return ""
    if module is None:
        return ""
    parts = module[1].split(".")
    names = (".".join(parts[:count]) for count in range(2, len(parts) + 1))
    missing = next((each for each in names if find_spec(each) is None), None)
    return "" if missing is None else module_remedy(missing)


def _is_operation(checker: TypeChecker, name: str) -> bool:
    """Whether there is a class of operations of this name."""
    groups = (file for module, file in checker.modules.items() if module.startswith(_OPERATIONS))
    return any(name in group.names for group in groups)


def _is_shape(type_: str) -> bool:
    return type_.startswith("tuple[")


def _endings(api: CheckerPluginInterface, error: ErrorInfo, line: str, given: str) -> Iterator[str]:
    """What to write in the place of what mypy refuses."""
    element = _ELEMENT.match(error.message)
    if element is not None:
        of_any = "an element type is a class of typegrad, such as tg.TFloat32"
        yield "the shape is the second argument" if _is_shape(element["given"]) else of_any
    if given:
        yield f"a shape is a tuple type, such as tuple[{given}]"
    if _ANNOTATION.search(line) and error.message == _BRACKETS:
        yield "a shape is a tuple type, such as tuple[Batch, Literal[10]]"
    if _ANNOTATION.search(line) and error.message == _INVALID and _ARITHMETIC.search(line):
        yield "arithmetic with sizes is a class, as in tg.Times[Batch, Literal[2]]"
    yield from (found.expand(end) for pattern, end in _ENDS if (found := pattern.search(error.message)))
    if (made := _OF_GRAPH.search(error.message)) and _is_about_graph(checker_of(api), error):
        yield f"write tg.{made[1]}(graph)"
    if error.message.endswith(_NOT_CALLED) or _OF_CLASS.match(error.message):
        yield from _attribute(api, error)
    if error.code is codes.ASSIGNMENT:
        yield from _attribute_of_one_type(api, error)
    if re.match(rf"{_OPERAND} not callable$", error.message):
        yield "session.run(y, {x: value}) computes an operand"
    if error.code is codes.ATTR_DEFINED and error.message.startswith(_OF_FUNCTION):
        yield from _uncalled(checker_of(api), error)
    if error.code is codes.UNION_ATTR and error.message.startswith(_OF_NONE):
        yield from _checked(api, error)
    if error.code in (codes.ASSIGNMENT, codes.RETURN_VALUE):
        yield from _outputs(api, error)
        yield from _reduced(api, error)


def _is_about_graph(checker: TypeChecker, error: ErrorInfo) -> bool:
    """Whether an error is about a graph of typegrad, and no other class of this name."""
    parts = (each for each in parts_of_error(checker.tree, error) if isinstance(each, Expression))
    types = (names_type(checker, each) for each in parts)
    return any(type_ is not None and base_of(type_, GRAPH) is not None for type_ in types)


def _uncalled(checker: TypeChecker, error: ErrorInfo) -> Iterator[str]:
    """Where to call a function of which an attribute is read that its result has."""
    whole = next(iter(parts_of_error(checker.tree, error)), None)
    function = names_type(checker, whole.expr) if isinstance(whole, MemberExpr) else None
    result = get_proper_type(function.ret_type) if isinstance(function, CallableType) else None
    if not isinstance(whole, MemberExpr) or not isinstance(function, CallableType):
        return
    if not isinstance(result, Instance) or result.type.get(whole.name) is None:
        return
    name = source_of(whole.expr)
    bound = Names(checker.tree).statement(whole.expr) if isinstance(whole.expr, NameExpr) else None
    if isinstance(bound, AssignmentStmt):
        named = "a function" if function.definition is None else f"the function {function.definition.name}"
        yield f"{name} of line {bound.line} is {named}; call it there"
    else:
        yield f"call it: {name}(...)"


def _checked(api: CheckerPluginInterface, error: ErrorInfo) -> Iterator[str]:
    """What to do with an operand, or another object of typegrad, of which an attribute is read where it may be None."""
    checker = checker_of(api)
    whole = next(iter(parts_of_error(checker.tree, error)), None)
    type_ = names_type(checker, whole.expr) if isinstance(whole, MemberExpr) else None
    if isinstance(whole, MemberExpr) and type_ is not None and any(map(is_of_typegrad, union_items(type_))):
        remedy = remedy_of_none(api, whole.expr)
        yield from [remedy] if UNNAMED not in remedy else []


def _attribute(api: CheckerPluginInterface, error: ErrorInfo) -> Iterator[str]:
    """What to write for an attribute that is called, as in Java: `x.shape()`, `core.Placeholder.shape(...)`."""
    is_argument = error.message.startswith("Argument 1 to ")
    for call in nodes_of(checker_of(api).tree):
        member = call.callee if isinstance(call, CallExpr) and call.line == error.line else None
        if not isinstance(member, MemberExpr):
            continue
        class_ = member.expr.node if isinstance(member.expr, RefExpr) else None
        if isinstance(class_, TypeInfo):
            is_meant = is_argument and class_.fullname.startswith(_OPERATIONS) and f'"{member.name}"' in error.message
            if is_meant and member.name in callee_of(api, f"{class_.fullname}.create").by_name:
                yield f"write {class_.name}.create(scope, ..., {member.name}=...)"
        elif not is_argument and call.column == error.column and is_of_typegrad(expression_type(api, member.expr)):
            name = source_of(member)
            yield f"write {f'.{member.name}' if name.startswith(UNNAMED) else name}, without parentheses"


def _attribute_of_one_type(api: CheckerPluginInterface, error: ErrorInfo) -> Iterator[str]:
    """What to write where an attribute without a declared type is bound to an operand of another element type."""
    found = _OF_ELEMENT.search(error.message)
    nodes = nodes_of(checker_of(api).tree) if found is not None and found[1] != found[2] else ()
    bound = [each for each in nodes if isinstance(each, AssignmentStmt)]
    declared = {_variable(api, each.lvalues[0]) for each in bound if each.unanalyzed_type}
    for each in bound:
        variable = _variable(api, each.lvalues[0]) if each.line == error.line else None
        if variable is not None and variable.is_inferred and variable not in declared:
            first = f"declare {source_of(each.lvalues[0])}: tg.Operand where it is bound first"
            yield f"an attribute keeps its element type; {first}, or bind another name"


def _variable(api: CheckerPluginInterface, target: Expression) -> Var | None:
    """What an attribute is to its class; None for any other target."""
    owner = get_proper_type(expression_type(api, target.expr)) if isinstance(target, MemberExpr) else None
    symbol = owner.type.get(target.name) if isinstance(target, MemberExpr) and isinstance(owner, Instance) else None
    return symbol.node if symbol is not None and isinstance(symbol.node, Var) else None


def _outputs(api: CheckerPluginInterface, error: ErrorInfo) -> Iterator[str]:
    """What to take of an operation with several outputs that is returned or assigned."""
    for node in nodes_of(checker_of(api).tree):
        if isinstance(node, (AssignmentStmt, ReturnStmt)) and node.line == error.line:
            value = node.rvalue if isinstance(node, AssignmentStmt) else node.expr
            definition = None if value is None else several_outputs(api, value)
            if definition is not None and f'"{definition.class_name}[' in error.message:
                yield named_outputs(definition)
            listed = None if value is None else _listing(api, value)
            if listed is not None and f'"{listed}[' in error.message:
                yield "it is a list of outputs; take one, as [0]"


def _reduced(api: CheckerPluginInterface, error: ErrorInfo) -> Iterator[str]:
    """What makes the shape of a result another one: a sum over an axis, beside an operand that keeps its shape."""
    tree, found = checker_of(api).tree, _OF_SHAPE.search(error.message)
    if found is None:
        return
    names = Names(tree)
    for node in nodes_of(tree):
        value = node.expr if isinstance(node, ReturnStmt) and node.line == error.line else None
        bound = names.statement(value) if isinstance(value, NameExpr) else None
        whole = value if bound is None else sources_of(bound)[0]
        if whole is not None and not dropped_by(api, whole):
            bound_to = (source for _, each in names.read([whole]) if each is not None for source in sources_of(each))
            calls = (part for part in nodes_in([whole, *bound_to]) if _takes_shape(api, part, found[2]))
            for name, option in filter(None, (dropped_by(api, each) for each in calls)):
                yield f"{name} drops a dimension of {found[2]}; {option}=True keeps it"


def _takes_shape(api: CheckerPluginInterface, node: Node, variable: str) -> bool:
    """Whether a call takes an operand of the shape of a type variable."""
    types = [expression_type(api, each) for each in node.args] if isinstance(node, CallExpr) else []
    shapes = [
        get_proper_type(each.args[1]) for each in (base_of(type_, OPERAND) for type_ in types) if each is not None
    ]
    return any(isinstance(each, TypeVarType) and each.name == variable for each in shapes)


def _listing(api: CheckerPluginInterface, expr: Expression) -> str | None:
    """The class of an operation whose outputs are a list."""
    type_ = type_of(api, expr) if isinstance(expr, NameExpr) or makes_operation(expr) else None
    is_list = isinstance(type_, Instance) and base_of(type_, LIST_OP) is not None
    return type_.type.name if isinstance(type_, Instance) and is_list else None
