"""The hand-written API, read from the modules: public names, signatures, docstrings."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, TypeAlias, get_overloads

from attrs import field, frozen

from typegrad.base.misspelt import plain
from typegrad_reference.entries.docstrings import Docstring, parse
from typegrad_reference.entries.sources import Place, Sources

__all__ = ["ELSEWHERE", "MODULES", "Described", "Entry", "Member", "Module", "module", "named", "public"]

MODULES: Final = (
    "typegrad",
    "typegrad.base.types",
    "typegrad.base.shape",
    "typegrad.base.errors",
    "typegrad.graph.wrapper",
    "typegrad.functions.facade",
    "typegrad.functions",
    "typegrad.functions.random",
    "typegrad.training.optimizers",
    "typegrad.training.losses",
    "typegrad.training.metrics",
    "typegrad.training.activations",
    "typegrad.training.initializers",
    "typegrad.training.regularizers",
    "typegrad.training.constraints",
    "typegrad.training.data",
    "typegrad.training",
    "typegrad.files.checkpoint",
    "typegrad.files.tensorboard",
    "typegrad.tools.pictures",
    "typegrad.mypy_plugin",
)
"""The modules that have a page, in this order."""

_FOR_PROGRAMS: Final = tuple(name for name in MODULES if name != "typegrad.mypy_plugin")
"""Those that programs import. The plugin is imported by mypy, which need not be installed."""

ELSEWHERE: Final = ("typegrad.base.types", "typegrad.base.errors")
"""Modules whose names `typegrad` offers, too; they have a page of their own."""

_FEW: Final = 4
"""Of a function with more overloads only the general signature is shown."""
_WIDTH: Final = 84


@frozen
class Member:
    """A method or property of a class."""

    name: str
    kind: str
    """"method", "static", "class" or "property"."""
    signatures: Sequence[str]
    doc: Docstring
    owner: str = ""
    """The base class that it comes from, "" if it is the class's own."""


@frozen
class Entry:
    """A class, function or value that a module offers."""

    name: str
    kind: str
    """"class", "function" or "value"."""
    signatures: Sequence[str]
    doc: Docstring
    place: Place | None
    fields: Sequence[tuple[str, str, str]] = ()
    """Annotated attributes of a class: name, type, doc."""
    members: Sequence[Member] = field(factory=tuple)


Described: TypeAlias = Entry | Member


@frozen
class Module:
    """A module's page."""

    name: str
    doc: Docstring
    entries: Sequence[Entry]

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"api/{self.name}.html"


@cache
def public(name: str) -> dict[str, object]:
    """The public names of a module except modules: those in `__all__`, or imported in the form "X as X" or "*"."""
    imported = import_module(name)
    listed = vars(imported).get("__all__")  # a lazy package makes one for star imports
    names = list(listed) if listed is not None else _reexported(Path(str(imported.__file__)))
    offered = {item: getattr(imported, item) for item in names}
    return {item: value for item, value in offered.items() if not inspect.ismodule(value)}


def _reexported(file: Path) -> list[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name or alias.name == "*"
        for name in (public(str(node.module)) if alias.name == "*" else [alias.name])
    ]


def module(name: str, sources: Sources) -> Module:
    """Everything about a module."""
    entries = [_entry(name, key, value, sources) for key, value in _own(name).items()]
    return Module(name, parse(import_module(name).__doc__), sorted(entries, key=_order))


def _own(name: str) -> dict[str, object]:
    """The public names of a module but for those that have a page of their own."""
    elsewhere = {item for other in ELSEWHERE for item in public(other)} if name not in ELSEWHERE else set[str]()
    return {key: value for key, value in public(name).items() if key not in elsewhere}


def _order(entry: Entry) -> tuple[int, str]:
    return ("class", "function", "value").index(entry.kind), entry.name.lower()


def _entry(home: str, name: str, value: object, sources: Sources) -> Entry:
    if inspect.isclass(value):
        place = sources.function(f"{value.__module__}:{value.__name__}")
        return Entry(
            name, "class", [_class(value)], parse(value.__doc__), place, list(_fields(value)), list(_members(value))
        )
    if inspect.isfunction(value):
        place = sources.function(f"{value.__module__}:{value.__name__}")
        return Entry(name, "function", _signatures(name, value), parse(value.__doc__), place)
    place = sources.function(f"{home}:{name}")
    text = sources.text(place).partition('\n"""')[0].strip()
    return Entry(
        name, "value", [text if len(text) < 400 else f"{name} = ..."], parse(_value_doc(sources, place)), place
    )


def _value_doc(sources: Sources, place: Place) -> str:
    """The string below a constant or type alias."""
    lines = sources.text(Place(place.file, place.name, place.last + 1, place.last + 12)).lstrip()
    if not lines.startswith('"""'):
        return ""
    return lines[3:].partition('"""')[0]


# Classes


def _class(cls: type) -> str:
    bases = [_name(base) for base in getattr(cls, "__orig_bases__", cls.__bases__) if base is not object]
    final = "final " if getattr(cls, "__final__", False) else ""
    return f"{final}class {cls.__name__}" + (f"({', '.join(bases)})" if bases else "")


def _name(base: type) -> str:
    arguments: tuple[object, ...] = getattr(base, "__args__", ())
    name: str = getattr(base, "__origin__", base).__name__
    return f"{name}[{', '.join(map(_argument, arguments))}]" if arguments else name


def _argument(argument: object) -> str:
    return str(getattr(argument, "__name__", argument)).lstrip("_").removesuffix("_co")


def _fields(cls: type) -> Iterator[tuple[str, str, str]]:
    """Annotated attributes with the strings below them."""
    try:
        tree = ast.parse(inspect.cleandoc(inspect.getsource(cls)))
    except (OSError, SyntaxError):
        return
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and not node.target.id.startswith("_"):
            doc = ""
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                doc = str(following.value.value)
            yield node.target.id, ast.unparse(node.annotation), doc


def _members(cls: type) -> Iterator[Member]:
    """The constructor, then methods and properties, including inherited ones if the base class has no page.

    The methods of generated classes are on the operations' pages.
    """
    if hasattr(import_module(cls.__module__), "__typegrad_generated__"):
        return
    constructor = getattr(cls, "__init__", None)
    if inspect.isfunction(constructor) and not issubclass(cls, BaseException):
        text = constructor.__doc__ or ""
        doc = parse("" if text.startswith("Method generated by attrs") else text)
        yield Member(cls.__name__, "method", _signatures(cls.__name__, constructor), doc)
    shown = [base for base in reversed(cls.__mro__) if base is cls or _has_no_page(base)]
    own = vars(cls)
    for base in shown:
        names = [name for name in vars(base) if not name.startswith("_") and (base is cls or name not in own)]
        yield from filter(None, (_member(name, vars(base)[name]) for name in names))


def _has_no_page(base: type) -> bool:
    """Whether a class is typegrad's, and its members are shown with the classes that inherit them."""
    is_documented = any(base in public(name).values() for name in _FOR_PROGRAMS)
    return base.__module__.startswith("typegrad.") and not is_documented


def _member(name: str, value: object) -> Member | None:
    if isinstance(value, property):
        annotation = inspect.signature(value.fget).return_annotation if value.fget else ""
        return Member(name, "property", [f"{name}: {_text(annotation)}"], parse(value.__doc__))
    kinds: dict[type, str] = {staticmethod: "static", classmethod: "class"}
    kind = kinds.get(type(value), "method")
    function = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    if not inspect.isfunction(function):
        return None
    return Member(name, kind, _signatures(name, function), parse(function.__doc__))


# Signatures


def _signatures(name: str, function: Callable[..., object]) -> list[str]:
    overloads = get_overloads(function)
    return [_signature(name, item) for item in (overloads if 0 < len(overloads) <= _FEW else [function])]


def _signature(name: str, function: Callable[..., object]) -> str:
    signature = inspect.signature(function)
    parts: list[str] = []
    star = False
    for item in signature.parameters.values():
        if item.name in ("self", "cls"):
            continue
        if item.kind is item.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or item.kind in (item.KEYWORD_ONLY, item.VAR_POSITIONAL)
        parts.append(_parameter(item))
    result = (
        "" if signature.return_annotation in (signature.empty, None, "None") else _text(signature.return_annotation)
    )
    arrow = f" -> {result}" if result else ""
    line = f"{name}({', '.join(parts)}){arrow}"
    if len(line) <= _WIDTH:
        return line
    return f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){arrow}"


def _parameter(item: inspect.Parameter) -> str:
    prefix = "*" if item.kind is item.VAR_POSITIONAL else "**" if item.kind is item.VAR_KEYWORD else ""
    text = f"{prefix}{item.name}"
    if item.annotation is not item.empty:
        text += f": {_text(item.annotation)}"
    if item.default is not item.empty:
        text += f" = {_default(item.default)}"
    return text


def _default(value: object) -> str:
    if inspect.isclass(value) or inspect.isfunction(value):
        return str(value.__name__)
    return repr(value) if not repr(value).startswith("<") else "..."


def _text(annotation: object) -> str:
    text = annotation if isinstance(annotation, str) else str(getattr(annotation, "__name__", annotation))
    return text.strip("'\"").replace("typing.", "")


# Looking up


def named(name: str) -> dict[str, Described]:
    """What a dotted name, or the end of one, may mean: "Session.run", "tg.optimizers.Adam". The keys are full names.

    Case and underscores count only where several names differ in nothing else. What several modules offer has its name
    in the first of them.
    """
    end = name.removeprefix("typegrad.").removeprefix("tg.")
    alike = {full: entry for home in _FOR_PROGRAMS for full, entry in _alike(home, end)}
    fitting = {full: entry for full, entry in alike.items() if f".{full}".endswith(f".{end}")} or alike
    names = list(fitting)
    return {full: fitting[full] for at, full in enumerate(names) if fitting[full] not in map(fitting.get, names[:at])}


def _alike(home: str, end: str) -> Iterator[tuple[str, Described]]:
    """What a module offers whose name ends so, and the members of its classes."""
    sources = Sources()
    owner = end.rpartition(".")[0]
    for name, value in _own(home).items():
        full = f"{home}.{name}"
        if _ends_with(full, end):
            yield full, _entry(home, name, value, sources)
        if owner and inspect.isclass(value) and _ends_with(full, owner):
            members = [(f"{full}.{member.name}", member) for member in _members(value)]
            yield from (each for each in members if _ends_with(each[0], end))


def _ends_with(full: str, end: str) -> bool:
    parts = [plain(part) for part in end.split(".")]
    return [plain(part) for part in full.split(".")[-len(parts) :]] == parts
