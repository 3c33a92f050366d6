"""`typegrad graph`: show the graph that a function builds, and what a gradient adds to it."""

from __future__ import annotations

import json
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from typegrad.arguments.paths import made_folder
from typegrad.base.brief import counted
from typegrad.tools.cli.output import between, fail

if TYPE_CHECKING:
    from typegrad.graph.graph import Graph
    from typegrad.graph.operand import AnyOperand, AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.tools.cli.loading import LoadedGraph
    from typegrad.tools.pictures import Options

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)


class Format(StrEnum):
    """The format of the output."""

    TEXT = "text"
    HTML = "html"
    DOT = "dot"
    MERMAID = "mermaid"
    JSON = "json"


_ENDINGS: Final = {
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".dot": Format.DOT,
    ".gv": Format.DOT,
    ".mmd": Format.MERMAID,
    ".json": Format.JSON,
    ".txt": Format.TEXT,
    "": Format.TEXT,
}


def _named_format(name: str) -> Format:
    if name not in list(Format):
        raise typer.BadParameter(f"{name!r} is none of {', '.join(Format)}")
    return Format(name)


@app.callback()
def _group() -> None:
    """Keep `show` a subcommand, although it is the only one."""


@app.command(
    epilog=(
        "\b\nExamples:\n  typegrad graph show model.py:build\n  typegrad graph show model:build --grad loss w1,w2\n"
        "  typegrad graph show model:build --y loss --open\n"
        "  typegrad graph show model:build --output graph.dot --depth 1"
    )
)
def show(
    target: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:FUNCTION",
            help="The function that builds the graph; the module may be a file: model.py:build.",
        ),
    ],
    grad: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="Y X", help="Add the gradient of Y with respect to X (several: w1,w2) and show what it adds."
        ),
    ] = None,
    y: Annotated[
        list[str] | None,
        typer.Option(
            "--y", metavar="NAME", help="Mark the gradient path from NAME, without adding a gradient. May be repeated."
        ),
    ] = None,
    x: Annotated[
        list[str] | None,
        typer.Option(
            "--x",
            metavar="NAME",
            help="Mark the gradient path to NAME, by default to the trainable variables. May be repeated.",
        ),
    ] = None,
    scope: Annotated[str, typer.Option(metavar="NAME", help="Show only the operations of this scope.")] = "",
    depth: Annotated[
        int | None,
        typer.Option(
            callback=between(0), metavar="N", help="Open only this many levels of scopes (text, dot and mermaid)."
        ),
    ] = None,
    format_: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            parser=_named_format,
            metavar=f"[{'|'.join(Format)}]",
            help="The format; by default from FILE's extension, else text.",
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")] = None,
    open_: Annotated[
        bool, typer.Option("--open", help="Show the graph in the browser, to zoom, search and fold.")
    ] = False,
) -> None:
    """Show the graph that a function builds, and with --grad what a gradient adds to it and does not reach.

    The function takes a Scope, a Graph, a tg.Ops or nothing, according to its parameter's annotation or name. It
    returns the Graph, an operand, or a sequence or mapping of operands; a function with a parameter may return None.

    Y and X are names of operations (MatMul, or MatMul:1 for the second output), of variables, or keys of the returned
    mapping.
    """
    chosen = format_ or (Format.HTML if open_ and output is None else _format_of(output))
    _refuse(chosen, output, open_=open_, depth=depth, grad=grad, marks=bool(y or x))
    from typegrad.tools.cli.loading import build

    loaded = build(target)
    names_of_y, names_of_x = ([grad[0]], grad[1].split(",")) if grad else (y or [], x or [])
    ys = [_operand(loaded, name) for name in names_of_y]
    xs = {name: _target(loaded, name) for name in names_of_x}
    if grad:
        _add_gradient(loaded.graph, grad[0], ys, xs)
    options: Options = {"scope": scope, "y": ys}
    if xs:
        options["x"] = list(xs.values())
    _write(_render(loaded.graph, chosen, depth, options), chosen, output, open_=open_)


def _format_of(output: Path | None) -> Format:
    """The format by a file's extension; text without one."""
    ending = output.suffix.lower() if output else ""
    if ending not in _ENDINGS:
        known = ", ".join(filter(None, _ENDINGS))
        raise typer.BadParameter(
            f"no format has the extension {ending}; the extensions are {known}. Of a .dot file, "
            "`dot -Tsvg graph.dot -o graph.svg` makes a picture, and -Tpng one in pixels",
            param_hint="--output",
        )
    return _ENDINGS[ending]


def _refuse(
    chosen: Format, output: Path | None, *, open_: bool, depth: int | None, grad: tuple[str, str] | None, marks: bool
) -> None:
    """Reject options that exclude one another."""
    if open_ and chosen is not Format.HTML:
        raise typer.BadParameter(f"the browser shows html, not {chosen.value}", param_hint="--open")
    if depth is not None and chosen in (Format.HTML, Format.JSON):
        raise typer.BadParameter(f"{chosen.value} always has all scopes; leave it out", param_hint="--depth")
    if grad and marks:
        raise typer.BadParameter("it includes --y and --x; leave them out", param_hint="--grad")
    if chosen is Format.HTML and output is None and not open_ and sys.stdout.isatty():
        raise typer.BadParameter(
            "a page cannot be shown in a terminal; add --output FILE or --open", param_hint="--format"
        )


# Names


def _target(loaded: LoadedGraph, name: str) -> AnyOperand:
    """The operand or variable of this name."""
    from typegrad.graph.variable import Variable

    variables = {variable.name: variable for variable in loaded.graph.variables}
    node = {**variables, **loaded.named}.get(name)
    return node if isinstance(node, Variable) else _operand(loaded, name)


def _operand(loaded: LoadedGraph, name: str) -> AnyOutput:
    """The operand for a key, or for the name of an operation or of one of its outputs."""
    from typegrad.graph.operation import Operation
    from typegrad.graph.variable import Variable

    if name in loaded.named:
        node = loaded.named[name]
        if isinstance(node, Variable):
            return node.as_reference()
        return _output(node, 0) if isinstance(node, Operation) else node.as_output()
    operation, _, index = name.partition(":")
    if operation not in loaded.graph:
        known = list(dict.fromkeys([*loaded.named, *(op.name for op in loaded.graph)]))
        near = get_close_matches(name, known, 3, 0.4)
        hint = (
            f"; did you mean {' or '.join(near)}?"
            if near
            else f"; it has {len(loaded.graph)} operations, which graph show lists"
        )
        fail(f"nothing in the graph is called {name!r}{hint}")
    return _output(loaded.graph.operation(operation), int(index) if index.isdecimal() else 0)


def _output(node: Operation, index: int) -> AnyOutput:
    if index >= len(node.outputs):
        fail(f"{node.name!r} ({node.type}) has {counted(len(node.outputs), 'output')}; there is no {node.name}:{index}")
    return node.outputs[index]


def _add_gradient(graph: Graph, name: str, ys: Sequence[AnyOutput], xs: Mapping[str, AnyOperand]) -> None:
    """Add the gradient, and report the xs that it does not reach."""
    from typegrad.differentiation.api import gradients
    from typegrad.graph.scope import Scope

    results = gradients(Scope(graph), ys, list(xs.values()))
    lost = [x for x, gradient in zip(xs, results, strict=True) if gradient is None]
    if lost:
        typer.echo(f"typegrad: no gradient flows from {name} to {', '.join(lost)}", err=True)


# Output


def _render(graph: Graph, chosen: Format, depth: int | None, options: Options) -> str:
    from typegrad import pictures

    if chosen is Format.JSON:
        return json.dumps(pictures.document(graph, **options), indent=1, ensure_ascii=False)
    if chosen is Format.HTML:
        return pictures.page(graph, **options)
    words: dict[Format, Callable[..., str]] = {
        Format.TEXT: graph.to_text,
        Format.DOT: graph.to_dot,
        Format.MERMAID: graph.to_mermaid,
    }
    return words[chosen](depth=depth, **options)


def _write(text: str, chosen: Format, output: Path | None, *, open_: bool) -> None:
    if output is None and not open_:
        print(text.rstrip("\n"))
        return
    file = output or Path(tempfile.mkdtemp(prefix="typegrad-"), "graph.html")
    made_folder(file).write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
    print(f"{chosen.value} in {file}")
    if open_:
        webbrowser.open(file.resolve().as_uri())
