"""How much of what the graph knows of shapes mypy knows, too: `python tests/drafts/parity.py` prints it.

Each program runs with every call, operator and index replaced by one that also notes the shapes of its value. What
all values of an expression have in common is what the graph knows of it.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

sys.path.append(str(Path(__file__).parents[1]))
from attrs import frozen
from mypy.nodes import CastExpr, Expression
from mypy.types import NoneType, ProperType, Type, UnionType, get_proper_type

from drafts.corpus import HERE, Case, cases, sources
from support import mypy_cache, sharing
from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.dry_run.known.values import OperandValue, Value, value_of
from typegrad.dry_run.source.places import Place, place_of
from typegrad.mypy_plugin.base.dims import StaticShape, is_variable, united
from typegrad.mypy_plugin.base.operands import operand_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.programs.followed import made_at
from typegrad.mypy_plugin.reports.wording import parts_of
from typegrad.tools.types.checking import CheckedFile, check

_NOTE: Final = "_note"
_OPERATIONS: Final = (ast.BinOp, ast.Call, ast.Compare, ast.Subscript, ast.UnaryOp)


@frozen
class Difference:
    """An expression whose shape the checker does not know as well as the graph does, or knows otherwise."""

    file: str
    line: int
    source: str
    graph: Shape
    checker: Shape


@frozen
class Parity:
    """The dimensions that the graph knows, and those of them that the checker knows."""

    known: int
    of: int
    unknown: Sequence[Difference]
    contradictions: Sequence[Difference]


# What the graph knows


class _Noting(ast.NodeTransformer):
    """Puts each operation that is evaluated into a call of `_note`, with its place."""

    def visit(self, node: ast.AST) -> Any:
        """Visit a node; annotations stay as they are."""
        if isinstance(node, ast.AnnAssign):
            node.value = self.visit(node.value) if node.value else None
            return node
        if isinstance(node, ast.arg):
            return node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        is_read = not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Load)
        place = place_of(node) if isinstance(node, _OPERATIONS) and is_read else None
        super().generic_visit(node)
        return _noted(node, place) if isinstance(node, _OPERATIONS) and place is not None else node


def _noted(expr: ast.expr, where: Place) -> ast.expr:
    place = ast.Tuple([ast.Constant(each) for each in where], ast.Load())
    call = ast.Call(ast.Name(_NOTE, ast.Load()), [place, expr], [])
    return ast.fix_missing_locations(ast.copy_location(call, expr))


def graph_values(case: Case) -> dict[Place, list[Value]]:
    """The shapes of the values of each expression, from running the program."""
    noted: dict[Place, list[Value]] = defaultdict(list)

    def note(place: Place, value: object) -> object:
        shapes = value_of(value)
        if shapes is not None and shapes not in noted[place]:
            noted[place].append(shapes)
        return value

    tree = ast.fix_missing_locations(_Noting().visit(ast.parse(case.source)))
    sys.modules.pop("prelude", None)
    exec(compile(tree, case.file, "exec", dont_inherit=True), {"__name__": "noted", _NOTE: note})
    return noted


# What the checker knows


def _pairs(values: Sequence[Value | None], types: Sequence[Type]) -> Iterator[tuple[list[Shape], list[Shape]]]:
    """The shapes of each operand in some values, and its static ones."""
    known = [value for value in values if value is not None]
    propers = [_without_none(type_) for type_ in types]
    shapes = [value.shape for value in known if isinstance(value, OperandValue)]
    groups = [value for value in known if not isinstance(value, OperandValue)]
    if shapes:
        operands = [operand_of(proper) for proper in propers]
        yield shapes, [UNKNOWN if operand is None else operand.static.shape for operand in operands]
    parts = [list(parts_of(proper)) for proper in propers]
    count = {len(each) for each in parts}
    if groups and len(count) == 1 and all({len(each)} == count for each in groups) and count != {1}:
        for position in range(len(parts[0])):
            yield from _pairs([each[position] for each in groups], [each[position] for each in parts])
    elif groups:
        items = [part for each in parts for part in each] if count == {1} else []
        yield from _pairs([each for group in groups for each in group], items)


def _leaves(value: Value | None) -> list[Shape]:
    """The shapes of all operands in a value."""
    if isinstance(value, OperandValue):
        return [value.shape]
    return [shape for part in value or () for shape in _leaves(part)]


def _in_program(made: Value | None, count: int) -> list[list[Shape]]:
    """What the dry run knows of each of `count` operands in the results of an operation."""
    leaves = _leaves(made)
    return [leaves] if count == 1 else [[each] for each in leaves] if len(leaves) == count else []


def _without_none(type_: Type) -> ProperType:
    proper = get_proper_type(type_)
    items = [get_proper_type(item) for item in proper.items] if isinstance(proper, UnionType) else []
    items = [item for item in items if not isinstance(item, NoneType)]
    return items[0] if len(items) == 1 else proper


def _operations(file: CheckedFile) -> dict[Place, Expression]:
    """The expressions of a file, by their places."""
    result: dict[Place, Expression] = {}
    for expr in nodes_of(file.tree):
        if not isinstance(expr, Expression) or isinstance(expr, CastExpr) or expr not in file.types:
            continue
        if expr.end_line is not None and expr.end_column is not None:
            result[expr.line, expr.column, expr.end_line, expr.end_column] = expr
    return result


def _differ(graph: Dim, static: Dim) -> bool:
    """Whether two sizes differ. A name may be a number, and a type variable any size."""
    if graph is None or static is None or is_variable(static) or str(graph) == str(static):
        return False
    return isinstance(static, int) or not isinstance(graph, int)


def compared(case: Case, file: CheckedFile) -> Parity:
    """What the checker knows of the shapes in a program."""
    known = total = 0
    unknown, contradictions = [], []
    exprs = _operations(file)
    for place, values in graph_values(case).items():
        expr = exprs.get(place)
        types = [] if expr is None else [file.types[expr]]
        pairs = list(_pairs(values, types))
        made = None if expr is None else made_at(file.tree, expr)
        program = _in_program(made, len(pairs))
        for position, (shapes, stated) in enumerate(pairs):
            line, column, *_ = place
            source = case.source.splitlines()[line - 1][column:]
            graph, static = _common(shapes), _common(stated)
            if graph.dims is None:
                continue
            run = program[position] if len(program) == len(pairs) else []
            both = [_known(graph, each) for each in (static, _common(run))]
            good = sum(map(any, zip(*both, strict=True)))
            total += sum(dim is not None for dim in graph.dims)
            known += good
            if good < sum(dim is not None for dim in graph.dims):
                unknown.append(Difference(case.file, line, source, graph, static))
            if any(_contradict(each, static) for each in shapes):
                contradictions.append(Difference(case.file, line, source, graph, static))
            contradictions += [
                Difference(case.file, line, source, graph, followed)
                for followed in run
                if all(_contradict(each, followed) for each in shapes)
            ]
    return Parity(known, total, unknown, contradictions)


def _common(shapes: Sequence[Shape]) -> Shape:
    return united([StaticShape(shape) for shape in shapes]).shape if shapes else UNKNOWN


def _known(graph: Shape, static: Shape) -> list[bool]:
    dims = graph.known()
    known = [None] * len(dims) if static.dims is None or _contradict(graph, static) else static.dims
    return [a is not None and b is not None for a, b in zip(dims, known, strict=True)]


def _contradict(graph: Shape, static: Shape) -> bool:
    if graph.dims is None or static.dims is None:
        return False
    return len(graph.dims) != len(static.dims) or any(map(_differ, graph.dims, static.dims))


def parities(folder: Path) -> dict[str, Parity]:
    """What the checker knows, by the programs."""
    programs = [case for case in cases() if case.kind in ("draft", "right")]
    for name, text in sources(programs).items():
        (folder / name).write_text(text)
    (folder / "mypy.ini").write_text(mypy_cache.settings(plugin=True))
    cache = mypy_cache.of_process(plugin=True)
    sys.path.insert(0, str(HERE / "idioms"))
    try:
        result = check(
            folder / "mypy.ini", ["--cache-dir", str(cache), *(str(folder / case.file) for case in programs)]
        )
        files = {Path(file.path).name: file for file in result.files}
        with redirect_stdout(StringIO()):
            return {case.file: compared(case, files[case.file]) for case in programs}
    finally:
        sys.path.remove(str(HERE / "idioms"))


if __name__ == "__main__":
    sharing.folder = Path(mkdtemp())
    every = parities(sharing.folder)
    for name, each in every.items():
        for kind, operands in (("CONTRADICTS", each.contradictions), ("unknown", each.unknown)):
            for one in operands:
                print(f"{kind} {name}:{one.line}: {one.graph} is {one.checker}: {one.source}")
    for kind in ("", "right_"):
        chosen = [each for name, each in every.items() if name.startswith("right_") == bool(kind)]
        print(kind or "drafts", sum(each.known for each in chosen), "of", sum(each.of for each in chosen))
