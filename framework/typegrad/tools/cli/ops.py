"""`typegrad ops`: the reference of all operations, classes and functions, in the terminal."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, TypeAlias

import typer

from typegrad.base.misspelt import plain
from typegrad.tools.cli.output import between, console, emit, fail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typegrad_codegen.schema import Entry
    from typegrad_reference.entries.api import Described
    from typegrad_reference.entries.search import Index
    from typegrad_reference.entries.subjects import Missing, Subjects

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True)

_Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
_NEAREST: Final = 5


@cache
def _operations() -> Sequence[Entry]:
    from typegrad_codegen.bundled import registry
    from typegrad_codegen.load import parsed

    return parsed(registry())


def _complete(incomplete: str) -> list[str]:
    """Shell completion: class names with this prefix, also in snake case."""
    from typegrad.op._table import TABLE

    places = [place.rpartition(".")[2].split(":") for place in TABLE.values()]
    return [name for names in zip(*places, strict=True) for name in names if name.startswith(incomplete)]


@app.command(
    "list",
    epilog="\b\nExamples:\n  typegrad ops list --group linalg\n  typegrad ops list --json | jq -r '.[].class'",
)
def list_(
    group: Annotated[
        str,
        typer.Option("--group", "-g", metavar="GROUP", help="List only the operations of this group, such as linalg."),
    ] = "",
    as_json: _Json = False,
) -> None:
    """List the operations with their summaries."""
    from typegrad_reference.entries.facts import brief
    from typegrad_reference.terminal.pages import show_list

    operations = _operations()
    groups = sorted({op.group for op in operations})
    if group and group not in groups:
        fail(f"there is no group {group!r}; the groups are {', '.join(groups)}")
    selected = [op for op in operations if group in ("", op.group)]
    shown = sorted(selected, key=lambda op: (op.group, op.class_name))
    if as_json:
        emit([brief(op) for op in shown])
    else:
        show_list(console(), shown)


@app.command(
    epilog=(
        "\b\nExamples:\n  typegrad ops show MatMul\n  typegrad ops show tf.reduce_sum\n"
        "  typegrad ops show optimizers.Adam\n  typegrad ops show nn.softmax --json"
    ),
)
def show(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The name here, or in TensorFlow, NumPy, JAX or PyTorch; MatMul and mat_mul are the same.",
            autocompletion=_complete,
        ),
    ],
    as_json: _Json = False,
) -> None:
    """Show everything about an operation, a class or a function: signatures, parameters, examples with their output."""
    from typegrad_codegen.load import with_functions
    from typegrad_reference.entries.facts import api_facts, facts
    from typegrad_reference.entries.search import Index
    from typegrad_reference.entries.subjects import subjects
    from typegrad_reference.terminal.api import describe_api
    from typegrad_reference.terminal.pages import describe

    operations = _operations()
    known = subjects(operations)
    index = Index(operations, missing=known.missing)
    matches = index.exact(name)
    own = _of_api(name, matches, known)
    names = list(own) or [f"{op.group}.{op.class_name}" for op in matches]
    if len(names) > 1:
        fail(f"{name!r} may mean {_joined(names, 'or')}; ask for one of them")
    absent = () if own or any(name in op.known_as for op in matches) else _absent(name, known)
    if absent or not names:
        _refuse(name, index, known, absent)
    for full, described in own.items():
        if as_json:
            emit(api_facts(full, described))
        else:
            describe_api(console(), full, described)
        return
    op = with_functions(matches[0])
    if as_json:
        emit(facts(op))
    else:
        describe(console(), op, operations)


def _of_api(name: str, matches: Sequence[Entry], known: Subjects) -> Mapping[str, Described]:
    """The classes and functions that are meant: by their subject, unless the class of an operation has this name."""
    from typegrad_reference.entries.api import named

    texts = [text for text in known.texts if text.name]
    asked = name.replace("tf.compat.v1.", "tf.")
    meant = [text.name for text in texts if "." in asked and asked in text.known]
    if not meant and any(plain(op.class_name) == plain(name.rpartition(".")[2]) for op in matches):
        return {}
    if not meant and (own := named(name)):
        return own
    elsewhere = meant or [text.name for text in texts if any(_is_called(name, each) for each in text.known)]
    return {full: described for each in elsewhere for full, described in named(each).items()}


def _absent(name: str, known: Subjects) -> Sequence[Missing]:
    """What has exactly this name, and is not here."""
    return [each for each in known.missing if name in each.names]


def _refuse(name: str, index: Index, known: Subjects, absent: Sequence[Missing]) -> NoReturn:
    """Say what is nearest to a name that nothing here has."""
    from typegrad_codegen.schema import Entry
    from typegrad_reference.entries.search import Kind
    from typegrad_reference.entries.subjects import Missing

    hits = index.search(name, _NEAREST)
    for each in (*absent, *(hit.target for hit in hits[:1])):
        if isinstance(each, Missing):
            fail(f"{name} is not available: {each.why} See typegrad ops search {name}")
    pages = [text.page for text in known.texts if any(_is_called(name, other) for other in text.known)]
    if pages:
        fail(f"{name} is a subject of the guides: see typegrad docs show {pages[0]}")
    named = (hit for hit in hits if hit.kind is not Kind.TEXT)  # a name is in no description
    near = [hit.target for hit in named if isinstance(hit.target, Entry)]
    names = [f"{op.group}.{op.class_name}" for op in near]
    hint = (
        f"the nearest {'is' if len(near) == 1 else 'are'} {_joined(names, 'and')}" if near else "see typegrad ops list"
    )
    fail(f"no operation is called {name!r}; {hint}")


def _is_called(name: str, other: str) -> bool:
    """Whether `name` is the other name, or its last parts: `custom_vjp` of `jax.custom_vjp`."""
    return f".{other}".endswith(f".{name}")


def _joined(names: Sequence[str], last: str) -> str:
    return f" {last} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


@app.command(
    epilog=(
        "\b\nExamples:\n  typegrad ops search jnp.where\n  typegrad ops search cross entropy\n"
        "  typegrad ops search reduce --limit 5 --json"
    ),
)
def search(
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS", help="A name, a part of one, or words of the description.")
    ],
    limit: Annotated[
        int,
        typer.Option("--limit", "-n", callback=between(1), metavar="N", help="The maximum number of results."),
    ] = 20,
    as_json: _Json = False,
) -> None:
    """Search operations and guides by names, here and in other libraries, and by texts; best results first."""
    from typegrad_reference.entries.facts import search_result
    from typegrad_reference.entries.search import Index
    from typegrad_reference.entries.subjects import subjects
    from typegrad_reference.terminal.pages import show_hits

    query = " ".join(words)
    known = subjects(_operations())
    hits = Index(_operations(), known.texts, known.missing).search(query, limit)
    if as_json:
        emit(list(map(search_result, hits)))
    elif hits:
        show_hits(console(), hits)
    if not hits:
        fail(f"no results for {query!r}; see typegrad ops list")
