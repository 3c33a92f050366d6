"""What mypy says of operations, in the words of the run: `core.Sum.create(scope, n) / 2` of integers.

`refusals` looks at names before mypy does. Of other expressions, whose types cost too much before, mypy has told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mypy import errorcodes as codes
from mypy.checker import TypeChecker
from mypy.errors import ErrorInfo
from mypy.nodes import AssignmentStmt, CallExpr, Context, IndexExpr, MemberExpr, NameExpr, OpExpr, UnaryExpr, WithStmt
from mypy.plugin import CheckerPluginInterface

from typegrad.graph.graph import NOT_ENTERED, NOT_INDEXED
from typegrad.graph.refusals import NO_VALUE, NOT_SEARCHED, REFUSED
from typegrad.graph.wrapper import named_outputs
from typegrad.mypy_plugin.arguments.sizes import SHAPE_AS_SIZES
from typegrad.mypy_plugin.arrays.feeds import UNNAMED, source_of
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.classes import GRAPH, OWN
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, CALL, DTYPE, SHAPE
from typegrad.mypy_plugin.base.operands import OPERAND, base_of
from typegrad.mypy_plugin.base.reporting import drop, errors_of, report
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.expressions.formats import may_show_numbers, told_number, told_numbers
from typegrad.mypy_plugin.expressions.refusals import LOGICAL, METHODS, ORDERINGS, refuse_operator, several_outputs
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["reword"]

_UNSUPPORTED: Final = re.compile(r'Unsupported operand types for (?P<operator>\S+) \("')
_SELF: Final = re.compile(r'Invalid self argument "\w+\[.*" to attribute function "__(?P<method>\w+)__"')
_ENTERED: Final = re.compile(r'"Graph" has no attribute "__(?:enter|exit)__"')
_OVERLOADS: Final = re.compile(
    r'No overload variant of "__r?(?P<method>\w+)__" of "Operators" matches argument type '
    r'"(?!\w+\[T\w+, )(?P<type>.+)"$'
)
_OPERATORS: Final = {method: operator for operator, method in (METHODS | LOGICAL | ORDERINGS).items()}
_FORMAT: Final = re.compile(r'Incompatible types in string interpolation \(expression has type "\w+\[T\w+, tuple\[')
_SCALAR: Final = re.compile(
    r'Incompatible types in string interpolation \(expression has type "(?:ndarray\[tuple\[\(\)\], dtype\[)?'
    r'(?:(?:un)?signedinteger\[|u?int\d|(?P<fraction>float(?:ing\[|\d))).*", '
    r'placeholder has type "int(?P<any> \| float)?"'
)
"""What mypy says of the value of a scalar, or of a number of NumPy, which Python formats as a number."""
_OF_ANY_RANK: Final = re.compile(
    r'Incompatible types in string interpolation \(expression has type "ndarray\[tuple\[Any, \.\.\.\], '
)
_NONE: Final = re.compile(
    r'(?:Incompatible types in string interpolation \(expression has|No overload variant of "\w+" matches argument'
    r'|Argument 1 to "\w+" has incompatible) types? "None"|Unsupported (?:left )?operand types? for .*"None"'
)
_LIST_OF_NONE: Final = re.compile(
    r'(?:Argument 1 to "(\w+)" has incompatible type "list\[None\]"'
    r'|Value of type variable "\w+" of "(\w+)" cannot be "None"$)'
)
_SEARCHED: Final = re.compile(r'Unsupported right operand type for in \("\w+\[T\w+, tuple\[')
_DIVMOD: Final = re.compile(r'Unsupported (?:left operand type|operand types) for divmod \(.*"\w+\[T\w+, tuple\[')
_CALLED: Final = re.compile(r'"(?P<name>\w+)\[\w+\]" not callable$')
"""What mypy says of a metric that is called."""
_MADE: Final = re.compile(r"type\[(\w+)\[_?T\w*, ")
"""The type of a class of operations."""
_FUNCTIONS: Final = ("Callable[", "overloaded function")
_INDEXED: Final = re.compile(r'Value of type "(?:\w+\[.*\]|Graph)" is not indexable$')
_SIGNED: Final = re.compile(r'Unsupported operand type for (?:unary )?[-+~] \("\w+\[')
_FUNCTION: Final = re.compile(
    r'Unsupported operand types for (?P<operator>\S+) \("\w+\[T\w+, tuple\[.*" and '
    r'"(?P<type>(?:Callable|overloaded|type)\b.*)"\)$'
)
_OF_FUNCTION: Final = re.compile(
    r'Unsupported operand types for (?P<operator>\S+) \("Callable\[\[.*\], \w+\[T\w+, tuple\[.*" and "'
)
_SHAPED: Final = re.compile(r'No overload variant of "\w+" of "Generator" matches argument types? .*"Shape"')
_BESIDE: Final = "{} takes an operand, a number or an array beside an operand, not {}"
_NODE: Final = re.compile(r'(?:expected|variable has type) "(?:[\w.]+\[)*Operation[\]"]')
"""How mypy ends where the node of an operation is expected."""
_OF_NODE: Final = "; what makes an operation returns a tg.Op: annotate that, or pass its .op"


def reword(api: CheckerPluginInterface) -> None:
    """Replace mypy's errors about operators, formats and metrics, and say what to write for `tg.Operation`."""
    checker = checker_of(api)
    errors = errors_of(checker)
    for each in list(errors):
        if _may_be_number(api, each):
            drop(errors, [each])
            continue
        operator, text = _operator(each), _reworded(each) or _several(api, each) or _entered(api, each)
        text = text or _of_shape(api, each) or _uncalled(api, each) or _of_none(api, each)
        if operator is not None and text is None:
            _reword_operator(api, each, operator)
        elif text is not None:
            drop(errors, [each, *(note for note in errors if note.line == each.line and _lists_overloads(note))])
            report(api, CALL, text, _place_of(each))
        elif _NODE.search(each.message) and _is_own(checker) and not each.message.endswith(_OF_NODE):
            each.message += _OF_NODE


def _place_of(error: ErrorInfo) -> Context:
    """The expression of an error, to its end: of which value it tells is known from there."""
    place = Context(error.line, error.column)
    place.end_line, place.end_column = error.end_line, error.end_column
    return place


def _may_be_number(api: CheckerPluginInterface, error: ErrorInfo) -> bool:
    """Whether an array that mypy refuses in a format for numbers may be the value of a scalar."""
    scalar = _SCALAR.match(error.message)
    if scalar is not None:
        return bool(scalar["any"]) or not scalar["fraction"]
    return _OF_ANY_RANK.match(error.message) is not None and may_show_numbers(api, error.line)


def _reworded(error: ErrorInfo) -> str | None:
    """What the run says in the place of mypy's error; None if it is not about typegrad."""
    overloads, called = _OVERLOADS.match(error.message) or _FUNCTION.match(error.message), _CALLED.match(error.message)
    if overloads is not None:
        named = overloads.groupdict()
        operator = named.get("operator") or _OPERATORS.get(named["method"])
        return operator and _beside(operator, named["type"])
    if called is not None:
        return _not_called(called["name"])
    if _SEARCHED.match(error.message):
        return f"the operand {NOT_SEARCHED}"
    if _DIVMOD.match(error.message):
        return f"the operand {REFUSED['__divmod__']}"
    return f"the operand {NO_VALUE}" if _FORMAT.match(error.message) else None


def _of_none(api: CheckerPluginInterface, error: ErrorInfo) -> str | None:
    """What is said of numbers and texts that are made of what a run returns for an operation."""
    if _NONE.match(error.message):
        return told_number(api, error.line) or None
    found = _LIST_OF_NONE.match(error.message)
    return (told_numbers(api, found[1] or found[2]) or None) if found else None


def _beside(operator: str, type_: str) -> str:
    """What is no operand beside an operator; a function makes one, and so does `create` of a class."""
    made = _MADE.match(type_)
    if made is not None:
        return _BESIDE.format(operator, f"the class {made[1]}; write {made[1]}.create(...)")
    return _BESIDE.format(operator, "a function; call it" if type_.startswith(_FUNCTIONS) else type_)


def _several(api: CheckerPluginInterface, error: ErrorInfo) -> str | None:
    """What the run says of an index into a graph, or an operation with several outputs, or of a sign before one."""
    if not (_INDEXED.match(error.message) or _SIGNED.match(error.message)):
        return None
    checker = checker_of(api)
    for node in nodes_of(checker.tree):
        if isinstance(node, (IndexExpr, UnaryExpr)) and (node.line, node.column) == (error.line, error.column):
            value = node.base if isinstance(node, IndexExpr) else node.expr
            if isinstance(node, IndexExpr) and base_of(expression_type(api, value), GRAPH):
                return NOT_INDEXED
            definition = several_outputs(api, value)
            if definition is not None:
                what = definition.class_name if source_of(value) == UNNAMED else source_of(value)
                return f"{what} is not an operand; {named_outputs(definition)}"
    return None


def _entered(api: CheckerPluginInterface, error: ErrorInfo) -> str | None:
    """What the run says of a graph that is entered where nothing of typegrad has been called before."""
    if not _ENTERED.match(error.message):
        return None
    nodes = nodes_of(checker_of(api).tree)
    entered = (expr for each in nodes if isinstance(each, WithStmt) and each.line == error.line for expr in each.expr)
    return NOT_ENTERED if any(base_of(expression_type(api, each), GRAPH) for each in entered) else None


def _of_shape(api: CheckerPluginInterface, error: ErrorInfo) -> str | None:
    """What is said of the shape of an operand where a generator of random numbers takes a tuple of sizes."""
    if error.severity != "error" or _SHAPED.match(error.message) is None:
        return None
    calls = (each for each in nodes_of(checker_of(api).tree) if isinstance(each, CallExpr))
    args = (arg for each in calls if (each.line, each.column) == (error.line, error.column) for arg in each.args)
    shapes = (arg for arg in args if isinstance(arg, MemberExpr) and arg.name == "shape")
    return next((SHAPE_AS_SIZES.format(source_of(each)) for each in shapes), None)


def _uncalled(api: CheckerPluginInterface, error: ErrorInfo) -> str | None:
    """What is said of a function that makes an operand, on the left of an operator."""
    found = _OF_FUNCTION.match(error.message)
    if found is None:
        return None
    lefts = [each.left for each in _operations(checker_of(api), error, found["operator"])]
    named = next((source_of(each) for each in lefts if isinstance(each, (MemberExpr, NameExpr))), None)
    if named is None:
        return None
    call = "call it" if named.startswith(UNNAMED) else f"call it: {named}(...)"
    return f"{_BESIDE.format(found['operator'], 'a function')}; {call}"


def _not_called(name: str) -> str | None:
    from typegrad.training import metrics  # for few programs
    from typegrad.training.metrics.metric import NOT_CALLED

    return NOT_CALLED.format(name) if hasattr(metrics, name) else None


def _operator(error: ErrorInfo) -> str | None:
    """The operator that mypy says has no operands of these types; None if it says something else."""
    if error.code is codes.OPERATOR:
        found = _UNSUPPORTED.match(error.message)
        return found and found["operator"]
    found = _SELF.match(error.message)
    return found and _OPERATORS.get(found["method"])


def _lists_overloads(note: ErrorInfo) -> bool:
    return note.severity == "note" and note.message.startswith(("Possible overload variant", "    def "))


def _is_own(checker: TypeChecker) -> bool:
    """Whether `Operation` is the one of typegrad."""
    symbol = checker.tree.names.get("Operation")
    return symbol is None or (symbol.fullname or "").startswith(OWN)


def _reword_operator(api: CheckerPluginInterface, error: ErrorInfo, operator: str) -> None:
    errors = errors_of(checker_of(api))
    for operation in _operations(checker_of(api), error, operator):
        for side in ("left", "right"):
            operand = base_of(checker_of(api).lookup_type(getattr(operation, side)), OPERAND)
            if operand is not None and refuse_operator(api, operation, operand, side):
                readers = _readers(checker_of(api), operation)
                of_result = [each for each in errors if each.line in readers and each.code in (ATTRIBUTE, DTYPE, SHAPE)]
                drop(errors, [error, *of_result])
                return


def _readers(checker: TypeChecker, operation: OpExpr) -> set[int]:
    """The lines below that read a name for the result of an operation, for which mypy has taken a number."""
    nodes = list(nodes_of(checker.tree))
    assignments = [each for each in nodes if isinstance(each, AssignmentStmt) and operation in nodes_of(each.rvalue)]
    made = [each.node for statement in assignments for each in statement.lvalues if isinstance(each, NameExpr)]
    reading = [each for each in nodes if isinstance(each, NameExpr) and each.node in made]
    return {each.line for each in reading if each.line > operation.line}


def _operations(checker: TypeChecker, error: ErrorInfo, operator: str) -> Iterator[OpExpr]:
    """The operations at the place of an error."""
    for node in nodes_of(checker.tree):
        if isinstance(node, OpExpr) and node.op == operator:
            places = [(each.line, each.column) for each in (node, node.right)]
            if (error.line, error.column) in places and checker.has_type(node.left) and checker.has_type(node.right):
                yield node
