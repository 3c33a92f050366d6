"""The reference in a terminal: an operation's page, and lists of operations.

On a plain console, lists have one operation a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from inspect import getdoc
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from typegrad.graph.definition import resolve
from typegrad_codegen.dtypes import ordered
from typegrad_codegen.raised import raises
from typegrad_codegen.schema import Entry
from typegrad_codegen.unicode_math import formulas
from typegrad_reference.entries import texts
from typegrad_reference.entries.declaration import declaration, facade, signatures
from typegrad_reference.entries.examples import programs
from typegrad_reference.entries.facts import places
from typegrad_reference.entries.gradient_rules import Rule, rules
from typegrad_reference.entries.neighbours import elsewhere, neighbours
from typegrad_reference.entries.running import run
from typegrad_reference.entries.search import Hit, Kind
from typegrad_reference.entries.signatures import Row, rows
from typegrad_reference.entries.subjects import Missing
from typegrad_reference.guides.listed import of_operation
from typegrad_reference.terminal.style import INDENT, Style, put_sections

__all__ = ["describe", "show_hits", "show_list"]

_LEGEND: Final = (
    "x̄ is the gradient with respect to x, ∇loss with respect to loss; x* is the complex conjugate of x. "
    "The gradient of an input that was broadcast is summed."
)


# Lists


def show_list(console: Console, operations: Iterable[Entry]) -> None:
    """Print each operation with its summary."""
    _rows(console, [(f"{op.group}.{op.class_name}", "", op.summary) for op in operations])


def show_hits(console: Console, hits: Iterable[Hit]) -> None:
    """Print the hits of a search; a hit by another name than its own shows that name, too."""
    _rows(console, list(map(_hit, hits)))


def _hit(hit: Hit) -> tuple[str, str, str]:
    target = hit.target
    if isinstance(target, Missing):
        return "not here:", f"{hit.name} ", target.why
    if isinstance(target, texts.Text):
        name = target.name or target.page
        return name, "" if target.name else f"{target.title}. ", target.summary
    own = hit.name == target.class_name or hit.kind in (Kind.WORDS, Kind.TEXT)
    return f"{target.group}.{target.class_name}", "" if own else f"({hit.name}) ", target.summary


def _rows(console: Console, rows: Sequence[tuple[str, str, str]]) -> None:
    width = max((len(name) for name, _, _ in rows), default=0)
    if not console.is_terminal:
        for name, also, summary in rows:
            console.out(f"{name:{width}}  {also}{formulas(summary)}", highlight=False)
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="bold cyan")
    table.add_column()
    for name, also, summary in rows:
        table.add_row(name, Text.assemble((also, "dim"), formulas(summary)))
    console.print(table)


# The page of an operation


def describe(console: Console, op: Entry, operations: Iterable[Entry]) -> None:
    """Print everything about an operation, its neighbours among `operations` included.

    Its examples are run for that.
    """
    put_sections(console, _Page(console, op, operations).sections())


class _Page:
    """The parts of an operation's page, for one console."""

    def __init__(self, console: Console, op: Entry, operations: Iterable[Entry]) -> None:
        self._neighbours = neighbours(operations)[op.name]
        self._style = Style(console)
        self._op = op

    def sections(self) -> Iterator[tuple[str, RenderableType]]:
        """Title and body of each section that has something to say; the first has no title."""
        op = self._op
        text = "\n\n".join(part for part in (op.summary, op.description) if part)
        yield "", Group(self._style.code(declaration(op)), "", self._style.prose(text, self._style.width + INDENT))
        listed = {
            "Create": self._create(),
            "Types": self._style.table(
                [(each.name, ", ".join(leaf.name for leaf in ordered(each.allowed))) for each in op.types]
            ),
            "Parameters": self._style.table([(row.name, _parameter(row)) for row in rows(op)]),
            "Outputs": self._style.table([(each.name, each.doc) for each in op.outputs]),
            "Errors": self._style.table(raises(op)),
            "Shape": self._shape(),
            "Gradient": self._gradient(),
            "Differences from TensorFlow": self._style.prose(op.differences) if op.differences else None,
            "Example" if len(op.examples) == 1 else "Examples": self._examples(),
            **self._own(),
            "Names": self._style.table(_names(op)),
            "See also": self._style.table(
                [(f"{near.group}.{near.class_name}", near.summary) for near in self._neighbours]
            ),
            "Source": self._style.table([(what, f"{place.file}:{place.first}") for what, place in places(op).items()]),
        }
        yield from ((title, body) for title, body in listed.items() if body is not None)

    # Sections

    def _create(self) -> RenderableType:
        parameters = ", ".join(row.name for row in rows(self._op)[1:])
        return self._style.code(
            "\n".join(
                [*(form.text(self._style.width) for form in signatures(self._op)), f"{facade(self._op)}({parameters})"]
            )
        )

    def _shape(self) -> RenderableType:
        op = self._op
        call = (
            f"`{op.shape.function}({', '.join(op.shape.arguments)})`"
            if op.shape.arguments
            else f"`{op.shape.function}`"
        )
        rule = (getdoc(resolve(op.functions.shape)) or "").partition("\n\n")[0]
        return self._style.prose(f"{call}: {' '.join(rule.split())}" if rule else call)

    def _gradient(self) -> RenderableType | None:
        listed = rules(self._op)
        table = self._style.table([row for rule in listed for row in _rows_of(rule)])
        if table is None or not any(rule.formula for rule in listed):
            return table
        return Group(table, Text(_LEGEND, style="dim"))

    def _examples(self) -> RenderableType:
        parts: list[RenderableType] = []
        for number, example in enumerate(self._op.examples):
            program = programs(self._op, example)[0]
            shown = run(program, f"{self._op.module}_{number}.py")
            parts += [""] if parts else []
            parts += [self._style.prose(example.doc), ""] if example.doc else []
            parts += [self._style.code(program.text.rstrip()), "", Text(shown.failure or shown.text, style="green")]
        return Group(*parts)

    def _own(self) -> dict[str, RenderableType]:
        """The page that the entry names, without its pictures."""
        own = of_operation(self._op)
        if own is None:
            return {}
        return {own.page.title: self._style.prose(own.page.readable().partition("\n")[2].strip())}


def _parameter(row: Row) -> str:
    default = f" Default: `{row.default}`." if row.default else ""
    return f"`{row.type}`. {row.doc}{default}"


def _rows_of(rule: Rule) -> Iterator[tuple[str, str]]:
    """The gradient of an input, a row for each case."""
    if rule.formula is None:
        yield rule.input, rule.words
        return
    yield rule.input, f"${rule.formula.latex}$"
    for when, latex in rule.formula.others:
        yield "", f"With {when}: ${latex}$"


def _names(op: Entry) -> list[tuple[str, str]]:
    own = f"`{op.package}.{op.group}.{op.class_name}`, `{facade(op)}`"
    others = [(library.title, ", ".join(f"`{name}`" for name in names)) for library, names in elsewhere(op).items()]
    return [("typegrad", own), *others]
