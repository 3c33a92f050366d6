"""Changes of a program by rule, such as a number that is one more, or two arguments in each other's place.

Each change replaces parts of lines, so that all lines keep their numbers.
"""

from __future__ import annotations

import ast
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

Replacement: TypeAlias = tuple[ast.AST, str]
"""A node, and the text in its place."""
Changes: TypeAlias = Iterator[Sequence[Replacement]]

_DTYPES: Final = {"TFloat32": "TInt32", "TInt32": "TFloat32", "float32": "float64", "int32": "int64"}
_OPERATIONS: Final = {
    "ArgMax": "Max", "Concat": "Stack", "ExpandDims": "Squeeze", "MatMul": "Mul", "Max": "ArgMax", "Mul": "MatMul",
    "Reshape": "BroadcastTo", "Squeeze": "ExpandDims", "Stack": "Concat", "Sum": "Cumsum",
}  # fmt: skip
_OPERATORS: Final = {ast.Add: "@", ast.MatMult: "*", ast.Mult: "@", ast.Sub: "@"}
_SCOPES: Final = ("scope", "self.scope")


class Mutant(NamedTuple):
    """A changed program."""

    kind: str
    line: int
    text: str


class Program:
    """A program, by the nodes of its syntax tree."""

    def __init__(self, text: str) -> None:
        self.bytes: Final = text.encode()
        self.tree: Final = ast.parse(text)
        lengths = (len(line) for line in self.bytes.splitlines(keepends=True))
        self._starts: Final = [0, *itertools.accumulate(lengths)]

    def span(self, node: ast.AST) -> slice:
        """The place of a node."""
        start, end = (
            self._starts[getattr(node, f"{prefix}lineno") - 1] + getattr(node, f"{prefix}col_offset")
            for prefix in ("", "end_")
        )
        return slice(start, end)

    def line(self, node: ast.AST) -> int:
        """The line in which a node begins."""
        return 1 + self.bytes.count(b"\n", 0, self.span(node).start)

    def source(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.bytes[self.span(node)].decode()

    def changed(self, replacements: Sequence[Replacement]) -> str | None:
        """The program with other texts in the place of nodes; None if that changes nothing, or the lines."""
        text = self.bytes
        for node, new in sorted(replacements, key=lambda each: self.span(each[0]).start, reverse=True):
            where = self.span(node)
            text = text[: where.start] + new.encode() + text[where.stop :]
        if text == self.bytes or text.count(b"\n") != self.bytes.count(b"\n"):
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of `1if`, which is legal
            try:
                ast.parse(text)
            except SyntaxError:
                return None
        return text.decode()


def _number(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield [(node, str(node.value + 1))]
        yield [(node, str(max(0, node.value - 1)))]


def _flag(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield [(node, str(not node.value))]


def _swapped_arguments(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Call):
        args = [each for each in node.args if program.source(each) not in _SCOPES]
        for left, right in itertools.pairwise(args):
            yield [(left, program.source(right)), (right, program.source(left))]


def _missing_argument(program: Program, node: ast.AST) -> Changes:
    if not isinstance(node, ast.Call):
        return
    args = [*node.args, *(each for each in node.keywords)]
    for position in range(1, len(args)):
        rest = [program.source(each) for each in args if each is not args[position]]
        yield [(node, f"{program.source(node.func)}({', '.join(rest)})")]


def _missing_call(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
        yield [(node, program.source(node.func.value))]
    elif isinstance(node, ast.Call) and node.args:
        operands = [each for each in node.args if program.source(each) not in _SCOPES]
        yield [(node, program.source(each)) for each in operands[:1]]


def _other_operation(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Attribute) and node.attr in _OPERATIONS:
        yield [(node, f"{program.source(node.value)}.{_OPERATIONS[node.attr]}")]


def _other_operator(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = program.source(node.left), program.source(node.right)
        yield [(node, f"{left} {_OPERATORS[type(node.op)]} {right}")]
        yield [(node, left)]
        yield [(node, right)]


def _other_dtype(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Attribute) and node.attr in _DTYPES:
        yield [(node, f"{program.source(node.value)}.{_DTYPES[node.attr]}")]


def _other_items(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) > 1 and program.source(node)[0] in "([":
        items = [program.source(each) for each in node.elts]
        brackets = "()" if isinstance(node, ast.Tuple) else "[]"
        for others in (items[:-1], [*items, items[-1]], items[::-1]):
            end = "," if len(others) == 1 else ""
            yield [(node, f"{brackets[0]}{', '.join(others)}{end}{brackets[1]}")]


def _other_values(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Dict):
        for left, right in itertools.pairwise(node.values):
            yield [(left, program.source(right)), (right, program.source(left))]


def _other_targets(program: Program, node: ast.AST) -> Changes:
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store) and program.source(node)[0] != "(":
        names = [program.source(each) for each in node.elts]
        yield [(node, ", ".join([*names[1::-1], *names[2:]]))]
        yield [(node, ", ".join(names[:-1]) + ("," if len(names) == 2 else ""))]


def _other_name(program: Program, node: ast.AST) -> Changes:
    if not isinstance(node, ast.FunctionDef):
        return
    inside = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
    bound = {each.arg: node.lineno for each in node.args.args if each.arg not in ("self", *_SCOPES)}
    for each in inside:
        if isinstance(each.ctx, ast.Store) and each.id != "_":  # which is Any to mypy
            bound.setdefault(each.id, each.lineno)
    for each in inside:
        if isinstance(each.ctx, ast.Load) and each.id in bound:
            yield from ([(each, other)] for other, line in bound.items() if other != each.id and line < each.lineno)


KINDS: Final[dict[str, Callable[[Program, ast.AST], Changes]]] = {
    "another number": _number,
    "another flag": _flag,
    "arguments swapped": _swapped_arguments,
    "an argument missing": _missing_argument,
    "a call missing": _missing_call,
    "another operation": _other_operation,
    "another operator": _other_operator,
    "another element type": _other_dtype,
    "other items": _other_items,
    "values swapped": _other_values,
    "other targets": _other_targets,
    "another name": _other_name,
}
"""The kinds of changes."""


def mutants(text: str) -> Iterator[Mutant]:
    """A program with one change each, in all ways."""
    program = Program(text)
    for node in ast.walk(program.tree):
        for kind, rule in KINDS.items():
            for replacements in rule(program, node):
                changed = program.changed(replacements) if replacements else None
                if changed is not None:
                    yield Mutant(kind, min(program.line(each) for each, _ in replacements), changed)
