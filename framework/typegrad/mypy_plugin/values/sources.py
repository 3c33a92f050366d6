"""The constants of a module, read from its source: `BATCH` of a config.py that says `BATCH = 32`.

mypy keeps the types of a module in its cache, not its values. What is read of a module is part of what
`report_config_data` says of it: when a constant changes, mypy checks again what imports it.
"""

from __future__ import annotations

import ast
import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from typegrad.mypy_plugin.values.program_files import changed, is_own, text_of_file

__all__ = ["constants_of"]

_MOST: Final = 1000
"""The length of a tuple up to which it is kept."""
_SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_GLOBAL: Final = b"global"
"""With this statement, a function binds names of its module."""
_WALRUS: Final = b":="
"""With this operator, an expression binds a name."""
_LOAD: Final = ast.Load()
_HIDING: Final = re.compile(rb"\b(?:exec\(|globals\(|vars\(\))|\bsys\.modules\b")
"""What binds names otherwise than by statements."""
_CONTINUED: Final = b"\\\n"
"""A line that the next one continues, which may begin at the left margin."""
_TEXT: Final = re.compile(
    rb"""#[^\n]*|(?P<triple>\"{3}|'{3})(?:\\.|.)*?(?P=triple)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL
)
"""A comment or a string."""
_BODY: Final = re.compile(rb"^(?:async +)?(?:def|class) +([^\s(:\[]+).*\n(?:(?:[ \t\f\r)\]}#].*)?\n)*", re.MULTILINE)
"""A function or class of a module: all lines up to the next statement."""
_BINARY: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Div: operator.truediv,
}  # fmt: skip


class _NotConstant(Exception):  # noqa: N818
    """An expression is not a constant."""


def constants_of(path: str) -> Mapping[str, Any]:
    """The constants of a module: names that are bound once in its file, to numbers, strings and tuples of them."""
    return _constants(path, changed(path)) if is_own(path) else {}


@lru_cache(maxsize=1024)
def _constants(path: str, when: int) -> Mapping[str, Any]:
    del when
    try:
        source = text_of_file(path)
        tree = _parsed(source)
    except (SyntaxError, ValueError):
        return {}
    pairs = [pair for statement in tree.body for pair in _pairs(statement)]
    if not _values(pairs) or _HIDING.search(source):
        return {}
    nodes = ast.walk(tree) if _GLOBAL in source else _nodes_of_scope(tree, all_expressions=_WALRUS in source)
    counts = Counter(name for node in nodes for name in _bound(node))
    return {} if "*" in counts else _values([(name, value) for name, value in pairs if counts[name] == 1])


def _parsed(source: bytes) -> ast.Module:
    """The tree of a module, if possible without the bodies of its functions and classes, most of the text."""
    if _GLOBAL not in source and _CONTINUED not in source:
        with suppress(SyntaxError):  # a body has lines at the left margin
            return ast.parse(_BODY.sub(rb"class \1: ...\n", _TEXT.sub(_indented, source + b"\n")))
    return ast.parse(source)


def _indented(text: re.Match[bytes]) -> bytes:
    """A string whose lines are not taken for statements. Its value is another one, but such a string is no constant."""
    return text[0].replace(b"\n", b"\n ")


def _nodes_of_scope(tree: ast.Module, *, all_expressions: bool) -> Iterator[ast.AST]:
    """The nodes of a module that may bind names, without those inside its functions and classes."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack += [each for each in ast.iter_child_nodes(node) if all_expressions or _may_bind(each)]


def _may_bind(node: ast.AST) -> bool:
    """Whether a node, or one inside it, may bind a name without `:=`."""
    return not isinstance(node, ast.expr) or not isinstance(getattr(node, "ctx", _LOAD), ast.Load)


def _values(pairs: Sequence[tuple[str, ast.expr]]) -> Mapping[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        with suppress(_NotConstant, ArithmeticError, TypeError):
            values[name] = _value(value, values)
    return values


def _pairs(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """The names that a statement assigns, each with its value."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        yield from _parts(statement.targets[0], statement.value)
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        yield from _parts(statement.target, statement.value)


def _parts(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for name, each in zip(target.elts, value.elts, strict=True):
            yield from _parts(name, each)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        yield node.name or ""


def _value(expr: ast.expr, known: Mapping[str, Any]) -> Any:
    if isinstance(expr, ast.Constant) and isinstance(expr.value, (int, float, str)):
        if isinstance(expr.value, str) and "\n" in expr.value:  # see `_indented`
            raise _NotConstant
        return expr.value
    if isinstance(expr, ast.Name) and expr.id in known:
        return known[expr.id]
    if isinstance(expr, ast.Tuple) and len(expr.elts) <= _MOST:
        return tuple(_value(item, known) for item in expr.elts)
    if isinstance(expr, ast.UnaryOp) and isinstance(expr.op, ast.USub):
        return -_value(expr.operand, known)
    if isinstance(expr, ast.BinOp) and type(expr.op) in _BINARY:
        left, right = _value(expr.left, known), _value(expr.right, known)
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            return _BINARY[type(expr.op)](left, right)
    raise _NotConstant
