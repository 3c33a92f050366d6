"""Everything that the page of an operation shows, gathered from its entry, its class and its functions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen
from markupsafe import Markup

from typegrad.base.types import ALL_TYPES, BY_NAME, TType
from typegrad.graph.definition import resolve
from typegrad.tools.pictures import figure
from typegrad_codegen.dtypes import cover
from typegrad_codegen.module import variable_names
from typegrad_codegen.raised import raises
from typegrad_codegen.schema import Entry, Example
from typegrad_reference.entries import declaration, examples, gradient_rules, running, shape_rules, signatures
from typegrad_reference.entries.examples import Program
from typegrad_reference.entries.gradient_rules import GradientGraph
from typegrad_reference.entries.neighbours import elsewhere
from typegrad_reference.entries.sources import Place
from typegrad_reference.site.context import Context
from typegrad_reference.site.documents import Document

__all__ = ["ShownExample", "SourceLink", "TypeRow", "shown", "values"]

_WIDTH: Final = 84
BACKENDS: Final = ("NumPy",)
"""What runs graphs. Each runs an operation in every type that its entry allows."""

MOST_DRAWN: Final = 100
"""The most operations of a gradient that a page draws and lists."""

_EFFECTS: Mapping[str, str] = {
    "": "none: the same inputs give the same outputs",
    "feed": "its value is fed with each run",
    "random": "draws random numbers: they follow from the seed and the node's name",
    "handle": "makes a handle to state that the session keeps",
    "read": "reads state that the session keeps",
    "write": "writes state that the session keeps",
    "outside": "reads or writes something outside of the session",
}


@frozen
class ShownExample:
    """An example: its caption, its programs, what they print."""

    doc: str
    programs: Sequence[Program]
    output: str


@frozen
class TypeRow:
    """A type parameter: the classes that bound it, and the types it may be."""

    name: str
    attribute: str
    bound: str
    allowed: frozenset[type[TType]]
    uses: str


@frozen
class SourceLink:
    """A place in the source, and its code."""

    what: str
    place: Place
    text: str = ""


def values(
    op: Entry, page: Context, near: Sequence[Entry], guides: Sequence[Document], own: Document | None
) -> dict[str, object]:
    """The values for the template of an operation's page.

    `near` and `guides` are what to read next, `own` is the entry's page.
    """
    sources = list(_sources(op, page))
    drawn = gradient_rules.draw(op)
    return {
        "op": op,
        "own": own.html(page, shift=1) if own else "",
        "declaration": declaration.declaration(op),
        "facade": declaration.facade(op),
        "operator": examples.operators().get(f"{op.group}.{op.class_name}", "").format("x", "y"),
        "create": [form.text(_WIDTH) for form in declaration.signatures(op)],
        "overloads": signatures.overloads(op),
        "rows": signatures.rows(op),
        "errors": raises(op),
        "methods": signatures.methods(op),
        "inherited": signatures.inherited(op),
        "types": list(_types(op)),
        "shape_parameters": declaration.shape_parameters(op).items(),
        "symbols": [symbol.format("x", "y") for symbol in examples.SYMBOLS.values()],
        "all_types": ALL_TYPES,
        "by_name": BY_NAME,
        "backends": BACKENDS,
        "examples": [shown(op, example, page) for example in op.examples],
        "shape_call": _shape_call(op),
        "shape_doc": _shape_doc(op),
        "instances": shape_rules.instances(op),
        "refusal": shape_rules.refusal(op),
        "rules": gradient_rules.grouped(gradient_rules.rules(op)),
        "drawn": drawn,
        "figure": _figure(op, drawn),
        "gradient_source": next((item for item in sources if item.what == "Gradient"), None),
        "effect": _EFFECTS[op.effect],
        "elsewhere": elsewhere(op),
        "near": near,
        "guides": guides,
        "sources": sources,
    }


def shown(op: Entry, example: Example, page: Context) -> ShownExample:
    """Run an example in every style; what differs from the entry is a problem of the page."""
    programs = examples.programs(op, example)
    outputs = []
    for program in programs:
        ran = running.run(program, f"{op.module}.py")
        for problem in running.problems(op, example, ran):
            page.report(f"{op.file}:{example.line}: the example in style {program.style}: {problem}")
        outputs.append(ran.text)
    if len(set(outputs)) > 1 and op.has_known_values:
        page.report(f"{op.file}:{example.line}: the example prints different things in different styles: {outputs}")
    return ShownExample(example.doc, programs, outputs[0])


def _types(op: Entry) -> Iterator[TypeRow]:
    names = variable_names([each.name for each in op.types], [op.class_name])
    for type_ in op.types:
        inputs = [each.name for each in op.inputs if each.type == type_.name]
        outputs = [each.name for each in op.outputs if each.type == type_.name]
        yield TypeRow(
            names[type_.name],
            type_.name,
            " | ".join(marker.__name__ for marker in cover(type_.allowed)),
            frozenset(type_.allowed),
            ", ".join(f"`{name}`" for name in dict.fromkeys([*inputs, *outputs])),
        )


def _shape_call(op: Entry) -> str:
    arguments = ", ".join(op.shape.arguments)
    return f"{op.shape.function}({arguments})" if arguments else op.shape.function


def _shape_doc(op: Entry) -> str:
    return inspect.getdoc(resolve(op.functions.shape)) or ""


def _sources(op: Entry, page: Context) -> Iterator[SourceLink]:
    last = max([op.line, *op.lines.values(), *(example.line for example in op.examples)])
    entry = page.sources.entry(op, last)
    yield SourceLink("Entry", entry)
    functions = {
        "Kernel": op.functions.kernel,
        "Shape function": op.functions.shape,
        "Value function": op.functions.value,
        "Gradient": op.functions.gradient,
    }
    for what, path in functions.items():
        if path:
            place = page.sources.function(path)
            yield SourceLink(what, place, page.sources.text(place))


def _figure(op: Entry, drawn: GradientGraph | None) -> Markup:
    if drawn is None or not (drawn.added or not drawn.connected) or len(drawn.added) > MOST_DRAWN:
        return Markup("")
    caption = (
        f"{op.class_name} and its gradient" if drawn.connected else f"{op.class_name} ends the path of the gradient"
    )
    return Markup(figure(drawn.graph, y=drawn.y, x=drawn.xs, title=op.class_name, caption=caption))
