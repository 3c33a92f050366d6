"""Which pages there are, in which order, and what each is filled with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from typegrad.base.types import ALL_TYPES
from typegrad_codegen.schema import TYPEGRAD, Entry, Group, Registry
from typegrad_reference.entries.api import Module
from typegrad_reference.entries.coverage import GroupCoverage, coverage
from typegrad_reference.entries.examples import Program
from typegrad_reference.entries.neighbours import LIBRARIES, elsewhere, neighbours
from typegrad_reference.entries.running import run
from typegrad_reference.guides.listed import address
from typegrad_reference.site import hierarchy, operations
from typegrad_reference.site.context import Context
from typegrad_reference.site.documents import Document, mentions

__all__ = ["Item", "Page", "Tree", "plan"]

Link: TypeAlias = tuple[str, str]
"""A text and the address it leads to; "" leads nowhere."""

_LEAD: Final = (
    "Operations are classes, their element types and shapes are checked before anything runs, and `tg.gradients` "
    "adds a derivative to the same graph. The operations are TensorFlow's; the API is TensorFlow Java's."
)
_COVERAGE: Final = "Coverage of TensorFlow"
_COVERAGE_ADDRESS: Final = "names/coverage.html"
_PROGRAM: Final = """\
import typegrad as tg
from typegrad.op import core, nn

scope = tg.Scope(tg.Graph())
logits = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))
labels = core.Constant.create(scope, [2, 0])
losses = nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels)
gradient = tg.grad(scope, losses.loss, logits)

with tg.Session(scope.graph) as session:
    print(session.run(gradient, {logits: [[0, 0, 0], [1, 0, 0]]}).round(3))
"""


@frozen
class Page:
    """One page of the site."""

    address: str
    title: str
    template: str
    section: str
    values: Callable[[Context], Mapping[str, object]]
    """What the template is filled with, computed when the page is written."""
    branch: str = ""
    """What holds it in the table of contents, within its section."""
    summary: str = ""
    trail: tuple[Link, ...] = ()
    depth: int = 2
    """How deep the headings are that the page lists."""


@frozen
class Item:
    """A branch of the table of contents, or a leaf."""

    text: str
    target: str = ""
    children: Sequence[Link] = ()
    open: bool = False
    count: int = 0
    label: str = ""
    """The title above it, if a section begins here."""


@frozen
class Tree:
    """The order of the pages and the table of contents."""

    pages: Sequence[Page]
    branches: Mapping[str, Sequence[Page]]

    @staticmethod
    def of(pages: Sequence[Page]) -> Tree:
        """The tree of these pages."""
        branches: dict[str, list[Page]] = {}
        for page in pages:
            if page.branch:
                branches.setdefault(page.branch, []).append(page)
        return Tree(pages, branches)

    @property
    def sections(self) -> Sequence[Link]:
        """The links at the top of each page."""
        return (
            ("Guides", "guides/index.html"),
            ("Operations", "ops/index.html"),
            ("Names", "names/index.html"),
            ("Types", "types.html"),
            ("API", "api/index.html"),
        )

    def items(self, page: Page) -> list[Item]:
        """The table of contents, the branch of `page` open. Other groups of operations lead to their own pages."""
        items: list[Item] = []
        section = ""
        for branch, pages in self.branches.items():
            is_group, is_open = pages[0].section == "Operations", page.branch == branch
            label = pages[0].section if is_group and section != "Operations" else ""
            section = pages[0].section
            if is_group and not is_open:
                items.append(Item(branch, f"ops/{branch}/index.html", count=len(pages), label=label))
            else:
                children = [(each.title, each.address) for each in pages]
                items.append(Item(branch, "", children, is_open, len(pages) if is_group else 0, label))
        return items

    def around(self, page: Page) -> tuple[Link | None, Link | None]:
        """The pages before and after, of the same branch."""
        row = list(self.branches.get(page.branch, ()))
        if page not in row:
            return None, None
        index = row.index(page)
        before = row[index - 1] if index else None
        after = row[index + 1] if index + 1 < len(row) else None
        return _link(before), _link(after)


def _link(page: Page | None) -> Link | None:
    return None if page is None else (page.title, page.address)


def plan(registry: Registry, modules: Sequence[Module], documents: Sequence[Document]) -> list[Page]:
    """All pages except the source pages, in order."""
    return [
        _home(registry),
        *_documents("Guides", documents),
        _index("Guides", "guides/index.html", "What to read, in this order.", _about(documents, "Guides")),
        *_operations(registry, documents),
        *_names(registry),
        _types(),
        *_api(modules),
        *_documents("Project", documents),
    ]


def _home(registry: Registry) -> Page:
    groups = registry.groups
    doors = (
        ("Getting started", "guides/getting-started.html", "From nothing to a fitted model in ten minutes"),
        ("Gradients and StopGradient", "guides/gradients-and-stop-gradient.html", "What is learned, and what is given"),
        ("All operations", "ops/index.html", f"{len(registry.operations)} classes in {len(groups)} groups"),
        ("Names elsewhere", "names/index.html", "From reduce_sum, np.take or jnp.where to the class"),
    )

    def values(page: Context) -> Mapping[str, object]:
        ran = run(Program("", _PROGRAM), "example.py")
        if ran.failure:
            page.report(f"the program fails: {ran.failure}")
        return {"lead": _LEAD, "program": _PROGRAM, "printed": ran.text, "doors": doors, "groups": groups}

    return Page("index.html", "Strongly typed computation graphs", "home.html", "", values, summary=_LEAD, depth=0)


def _index(title: str, address: str, lead: str, items: Iterable[tuple[str, str, str]]) -> Page:
    listed = list(items)
    return Page(address, title, "list.html", title, lambda _: {"lead": lead, "items": listed}, summary=lead)


# Markdown


def _about(documents: Iterable[Document], section: str) -> Iterator[tuple[str, str, str]]:
    for document in documents:
        if document.section == section:
            yield document.title, document.address, document.summary


def _documents(section: str, documents: Iterable[Document]) -> Iterator[Page]:
    for document in documents:
        if document.section == section:
            yield _document(document)


def _document(document: Document) -> Page:
    above: Link = (document.section, "guides/index.html" if document.section == "Guides" else "")
    return Page(
        document.address,
        document.title,
        "markdown.html",
        document.section,
        lambda page: {"html": document.html(page)},
        branch=document.section,
        summary=document.summary,
        trail=(above, (document.title, "")),
        depth=3,
    )


# Operations


def _operations(registry: Registry, documents: Sequence[Document]) -> Iterator[Page]:
    groups = registry.groups
    near = neighbours(registry.operations)
    lead = "Each is a class of `typegrad.op`, and a method of the facade `tg.Ops`."
    for package in sorted({op.package for op in registry.operations} - {TYPEGRAD}):
        lead += f" Operations of `{package}` are methods of `{package}.Ops`."
    yield Page("ops/index.html", "Operations", "group.html", "Operations", _groups(groups, lead), summary=lead)
    for group, members in groups.items():
        summary = registry.described.get(group, Group()).summary
        imported = ", ".join(f"`from {package} import {group}`" for package in sorted({op.package for op in members}))
        lead = f"{summary} {imported}" if summary else imported
        trail: tuple[Link, ...] = (("Operations", "ops/index.html"), (group, ""))
        own = _groups({group: members}, lead)
        yield Page(f"ops/{group}/index.html", group, "group.html", "Operations", own, summary=lead, trail=trail)
        for op in members:
            page = next((document for document in documents if document.address == address(op)), None)
            yield _operation(op, near[op.name], mentions(op, documents), page)


def _groups(groups: Mapping[str, Sequence[Entry]], lead: str) -> Callable[[Context], Mapping[str, object]]:
    return lambda _: {"lead": lead, "groups": groups}


def _operation(op: Entry, near: Sequence[Entry], guides: Sequence[Document], own: Document | None) -> Page:
    trail = (("Operations", "ops/index.html"), (op.group, f"ops/{op.group}/index.html"), (op.class_name, ""))
    return Page(
        address(op),
        op.class_name,
        "operation.html",
        "Operations",
        lambda page: operations.values(op, page, near, guides, own),
        branch=op.group,
        summary=op.summary,
        trail=trail,
        depth=3 if own else 2,
    )


# Names and types


def _names(registry: Registry) -> Iterator[Page]:
    lead = "The names of operations elsewhere, and what they are here."
    rows: dict[str, list[tuple[str, Entry]]] = {library.key: [] for library in LIBRARIES}
    for op in registry.operations:
        for library, names in elsewhere(op).items():
            rows[library.key].extend((name, op) for name in names)
    items = [(library.title, f"names/{library.key}.html", f"{len(rows[library.key])} names") for library in LIBRARIES]
    items.append((_COVERAGE, _COVERAGE_ADDRESS, "which operations of TensorFlow are here, and why others are not"))
    yield _index("Names", "names/index.html", lead, items)
    for library in LIBRARIES:
        listed = sorted(rows[library.key], key=lambda item: (item[0].lower(), item[1].class_name))
        title = f"Names in {library.title}"
        about = f"{len(listed)} names of {library.title}, and the operations that do the same for the common call."
        values = _constantly({"lead": about, "names": listed})
        trail: tuple[Link, ...] = (("Names", "names/index.html"), (library.title, ""))
        yield Page(f"names/{library.key}.html", title, "names.html", "Names", values, "Names", about, trail)
    yield _coverage(coverage(registry.operations))


def _coverage(groups: Sequence[GroupCoverage]) -> Page:
    here, size = sum(group.java_here for group in groups), sum(group.java_size for group in groups)
    others = sum(len(group.here) for group in groups) - here
    lead = (
        f"{here} of TensorFlow Java's {size} operations are here, and {others} others; by group, what is not and why."
    )
    values = _constantly({"lead": lead, "coverage": groups})
    trail: tuple[Link, ...] = (("Names", "names/index.html"), (_COVERAGE, ""))
    return Page(_COVERAGE_ADDRESS, _COVERAGE, "coverage.html", "Names", values, "Names", lead, trail)


def _constantly(values: Mapping[str, object]) -> Callable[[Context], Mapping[str, object]]:
    return lambda _: values


def _types() -> Page:
    lead = (
        "Element types are classes: an operand of type `Operand[TFloat32]` has `TFloat32` as its `dtype`. "
        "The classes above them are bounds for type variables: "
        'a function for all floating-point types takes `F = TypeVar("F", bound=TFloating)`.'
    )

    def values(page: Context) -> Mapping[str, object]:
        return {
            "lead": lead,
            "picture": hierarchy.drawn(),
            "words": hierarchy.in_words(page),
            "all_types": ALL_TYPES,
        }

    return Page("types.html", "Element types", "types.html", "Types", values, summary="The classes of element types.")


# API


def _api(modules: Sequence[Module]) -> Iterator[Page]:
    lead = "What surrounds the operations, module by module."
    items = [(module.name, module.address, module.doc.summary) for module in modules]
    yield _index("API", "api/index.html", lead, items)
    for module in modules:
        trail: tuple[Link, ...] = (("API", "api/index.html"), (module.name, ""))
        values = _constantly({"module": module})
        yield Page(module.address, module.name, "api.html", "API", values, "API", module.doc.summary, trail)
