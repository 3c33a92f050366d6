"""`build`: the whole site, from the registry, the modules and the Markdown of the project."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, final

from attrs import evolve, frozen
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from typegrad import __version__
from typegrad.base.brief import counted
from typegrad.base.errors import TypegradError
from typegrad.tools.pictures import assets as picture_assets
from typegrad_codegen.bundled import registry as bundled_registry
from typegrad_codegen.load import load
from typegrad_codegen.schema import Entry, Registry
from typegrad_reference.entries import api
from typegrad_reference.entries.sources import Sources
from typegrad_reference.entries.subjects import subjects
from typegrad_reference.entries.texts import Text, with_known
from typegrad_reference.guides.listed import address, of_operation
from typegrad_reference.site import checking, search_index
from typegrad_reference.site.context import Context, Links
from typegrad_reference.site.documents import Document, document, documents
from typegrad_reference.site.plan import Page, Tree, plan

__all__ = ["Report", "SiteError", "build", "render"]

_HERE: Final = Path(__file__).parent
_POLICY: Final = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' 'unsafe-inline' file:; img-src 'self' data: file:; "
    "base-uri 'none'; form-action 'none'"
)
"""No requests to others. Files beside a page have no origin in some browsers, hence `file:`."""
_LONG: Final = 22
_MARK: Final = ".typegrad-site"
"""A file that says that a folder holds a site, so that it may be replaced."""
_HEADING: Final = re.compile(r'<h([23]) id="([^"]+)">((?:(?!</h[23]>).)*?) ?<a class="anchor"', re.DOTALL)


class SiteError(TypegradError):
    """The site cannot be built: everything that is wrong, a line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join([*problems, f"{counted(len(problems), 'problem')}; no site was written"]))
        self.problems = tuple(problems)


@frozen
class Report:
    """What was built."""

    output: Path
    pages: int
    bytes: int
    heaviest: tuple[str, int]
    """The page that weighs most with what it loads at once, and how much."""

    def __str__(self) -> str:
        name, weight = self.heaviest
        size = f"{self.bytes / 1e6:.1f} MB"
        return f"{self.pages} pages, {size}, in {self.output}; the heaviest is {name} with {weight / 1000:.0f} kB"


def build(output: Path = Path("site"), own: Registry | None = None) -> Report:
    """Write the site into a folder, in the place of one that is there.

    Args:
        output: The folder.
        own: A user's registry, whose operations get pages among typegrad's. Its package can be imported.

    Raises:
        SiteError: A link leads nowhere, an example gives other values than its entry says, a page is too heavy, a guide
            does not run.
        FileExistsError: The folder holds something else than a site.
    """
    if output.exists() and not (output / _MARK).is_file() and any(output.iterdir()):
        raise FileExistsError(f"{output} holds something else than a site; give an empty folder, or remove it")
    files = render(own)
    if output.exists():
        shutil.rmtree(output)
    for name, content in files.items():
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (output / _MARK).write_text("Written by `typegrad docs build`, which may replace this folder.\n", encoding="utf-8")
    weights = {name: checking.weight(name, page, files) for name, page in _parsed(files).items()}
    heaviest = max(weights.items(), key=lambda item: item[1])
    return Report(output, len(weights), sum(map(len, files.values())), heaviest)


def render(own: Registry | None = None) -> dict[str, bytes]:
    """All files of the site by name; a `SiteError` if anything is wrong."""
    registry = load(bundled_registry())
    site = Site(registry if own is None else joined(registry, own))
    files = site.files()
    pages = _parsed(files)
    problems = [*site.problems, *checking.problems(files, pages), *checking.lost(site.searched, files, pages)]
    if problems:
        raise SiteError(problems)
    return files


def joined(registry: Registry, own: Registry) -> Registry:
    """Both registries; the names of their operations, and the addresses of their pages, must differ."""
    names = {op.name for op in registry.operations}
    classes = {address(op) for op in registry.operations}
    problems = [
        f"{op.file}:{op.line}: {op.name}: typegrad has an operation or class of that name; expected another name, "
        "or another group"
        for op in own.operations
        if op.name in names or address(op) in classes
    ]
    if problems:
        raise SiteError(problems)
    return evolve(
        registry,
        operations=(*registry.operations, *own.operations),
        described={**own.described, **registry.described},
    )


def _parsed(files: Mapping[str, bytes]) -> dict[str, checking.ParsedPage]:
    return {name: checking.parse(content.decode()) for name, content in files.items() if name.endswith(".html")}


@frozen
class Heading:
    """A heading that can be linked to."""

    level: int
    text: Markup
    anchor: str


@final
class Site:
    """The site while it is made."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.problems: list[str] = []
        self.searched: list[str] = []
        """The addresses to which the search leads, besides operations."""
        self.sources = Sources()
        self.links = Links()
        self._environment = Environment(
            loader=PackageLoader("typegrad_reference.site"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["breakable"] = _breakable

    @cached_property
    def modules(self) -> list[api.Module]:
        """The hand-written API."""
        return [api.module(name, self.sources) for name in api.MODULES]

    @cached_property
    def documents(self) -> list[Document]:
        """What is written in Markdown: pages of their own, and parts of the pages of operations."""
        own = filter(None, map(of_operation, self._operations()))
        return [*documents(self.problems), *(document(each, self.problems) for each in own)]

    def files(self, is_chosen: Callable[[str], bool] = lambda _: True) -> dict[str, bytes]:
        """Every file of the site, except pages whose addresses are not chosen. Pages of sources are always included."""
        self._name_everything()
        pages = plan(self.registry, self.modules, self.documents)
        tree = Tree.of(pages)
        texts = {page.address: self._page(page, tree) for page in pages if is_chosen(page.address)}
        texts |= dict(self._source_pages())
        texts["assets/index.js"] = self._index()
        texts |= {f"assets/{path.name}": path.read_text("utf-8") for path in sorted((_HERE / "assets").iterdir())}
        texts |= {f"assets/{name}": text for name, text in _pictures().items()}
        files = {name: text.encode() for name, text in texts.items()}
        files |= {name: path.read_bytes() for name, path in self.links.copied.items() if path.is_file()}
        return dict(sorted(files.items()))

    def _operations(self) -> list[Entry]:
        return [op for group in self.registry.groups.values() for op in group]

    # Names

    def _name_everything(self) -> None:
        """Register the pages that names in texts and code link to: operations first, then the API."""
        for op in self._operations():
            self.links.add(address(op), f"{op.group}.{op.class_name}", f"{op.group}.{op.module}")
        for op in self._operations():
            self.links.add(address(op), op.class_name, op.name)
        for module in self.modules:
            self._name_module(module)
        self.links.files.update({document.file: document.address for document in self.documents if document.file})

    def _name_module(self, module: api.Module) -> None:
        short = module.name.partition(".")[2]
        for entry in module.entries:
            target = f"{module.address}#{entry.name}"
            self.links.add(target, f"{module.name}.{entry.name}", f"tg.{entry.name}", f"{short}.{entry.name}")
            self.links.add(target, entry.name)
            for member in entry.members:
                self.links.add(f"{module.address}#{entry.name}.{member.name}", f"{entry.name}.{member.name}")

    # Pages

    def _context(self, page: str) -> Context:
        return Context(page, self.links, self.sources, self.problems)

    def _page(self, page: Page, tree: Tree) -> str:
        context = self._context(page.address)
        values = {"title": page.title, **page.values(context)}
        content = self._environment.get_template(page.template).render(page=context, address=address, **values)
        headings = [Heading(int(level), Markup(text), anchor) for level, anchor, text in _HEADING.findall(content)]
        shown = [heading for heading in headings if heading.level <= page.depth]
        return self._frame(page, context, Markup(content), shown, tree)

    def _frame(self, page: Page, context: Context, content: Markup, headings: Sequence[Heading], tree: Tree) -> str:
        before, after = tree.around(page)
        return self._environment.get_template("base.html").render(
            page=context,
            title=page.title,
            summary=page.summary or page.title,
            section=page.section,
            sections=tree.sections,
            tree=tree.items(page),
            trail=page.trail,
            before=before,
            after=after,
            toc=headings if len(headings) > 1 else [],
            content=content,
            pictures="typegrad-graph" in content,
            policy=_POLICY,
            logo=_LOGO,
            version=__version__,
            count=len(self.registry.operations),
        )

    def _source_pages(self) -> Iterator[tuple[str, str]]:
        from typegrad_reference.site.highlighting import lines

        for file, path in self.sources.linked().items():
            page = Page(
                self.sources.page(file), file, "source.html", "", lambda _: {}, trail=(("Source", ""), (file, ""))
            )
            rows = lines(path.read_text(encoding="utf-8"), "python" if path.suffix == ".py" else "yaml")
            context = self._context(page.address)
            content = self._environment.get_template("source.html").render(page=context, file=file, rows=rows)
            yield page.address, self._frame(page, context, Markup(content), [], Tree((), {}))

    # Search

    def _index(self) -> str:
        known_subjects = subjects(self.registry.operations)
        modules = {text.address: text for module in self.modules for text in _of_module(module)}
        known = {text.address: text.known for text in known_subjects.texts if text.known}
        texts = {text.address: text for text in known_subjects.texts if not text.name} | modules
        self.problems.extend(f"subjects.yaml: {place} has no page" for place in known if place not in texts)
        self.searched = list(texts)
        return search_index.script(self.registry.operations, with_known(texts.values(), known), known_subjects.missing)


def _breakable(name: str) -> Markup:
    """A long name, which may be broken before its capitals and after its slashes, dots and underscores."""
    return (
        Markup("<wbr>").join(re.split(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[/._])", name))
        if len(name) > _LONG and " " not in name
        else escape(name)
    )


def _of_module(module: api.Module) -> Iterator[Text]:
    for entry in module.entries:
        target = f"{module.address}#{entry.name}"
        yield Text(entry.name, target, module.name, entry.doc.summary, f"{module.name}.{entry.name}")
        for member in entry.members:
            if member.name != entry.name:
                dotted = f"{entry.name}.{member.name}"
                yield Text(dotted, f"{module.address}#{dotted}", module.name, member.doc.summary, dotted)


def _pictures() -> Mapping[str, str]:
    """The scripts and the style sheet of pictures of graphs, each kind in one file."""
    assets = picture_assets()
    return {
        "viewer.css": "\n".join(text for name, text in assets.items() if name.endswith(".css")),
        "viewer.js": "\n".join(text for name, text in assets.items() if name.endswith(".js")),
    }


_LOGO: Final = Markup((_HERE / "assets" / "icon.svg").read_text("utf-8").strip())
