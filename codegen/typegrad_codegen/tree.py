"""YAML as a tree of nodes that know their line, which is what error messages need and PyYAML's `safe_load` forgets.

A registry may come from anywhere, so what YAML allows beyond lists, mappings and plain values is bounded or refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias, cast

import yaml
from attrs import frozen
from yaml.composer import ComposerError

from typegrad_codegen.problems import Problems

__all__ = ["Node", "plain", "read"]

Value: TypeAlias = "dict[str, Node] | list[Node] | str | int | float | bool | None"


@frozen
class Node:
    """A mapping, a list or a scalar, and its line; in a mapping, the line of its key."""

    value: Value
    line: int


_DEPTH: Final = 100
"""How deep lists and mappings may be nested: far less than Python's own limit for recursive functions."""
_REPEATED: Final = 10_000
"""How many nodes the aliases of a file may repeat, all together."""
_DIGITS: Final = 100
"""The longest number, as it is written."""
_INTEGERS: Final = range(-(2**63), 2**64)

_STANDARD: Final = "tag:yaml.org,2002:"
_SCALARS: Final = frozenset(_STANDARD + name for name in ("null", "bool", "int", "float", "str"))
_FLOAT: Final = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+")


class _Events(Protocol):
    """The methods of PyYAML's loaders that are used here; its stubs give them no types."""

    def get_event(self) -> yaml.Event: ...
    def peek_event(self) -> yaml.Event: ...
    def check_event(self, *choices: type[yaml.Event]) -> bool: ...
    def resolve(self, kind: type[yaml.Node], value: str, implicit: tuple[bool, bool]) -> str: ...
    def construct_object(self, node: yaml.Node) -> str | float | None: ...


def _loader(base: type) -> Callable[[str], _Events]:
    """A safe loader, which also reads `1e-4` as a number (YAML 1.1 takes it for text)."""
    loader: Any = type("Loader", (base,), {})
    loader.add_implicit_resolver(f"{_STANDARD}float", _FLOAT, list("-+0123456789"))
    return cast("Callable[[str], _Events]", loader)


_Loader: Final = _loader(yaml.SafeLoader)
_FastLoader: Final = _loader(yaml.CSafeLoader) if yaml.__with_libyaml__ else _Loader


def read(text: str, problems: Problems) -> Node | None:
    """The document in `text`; None if it is empty or not YAML at all."""
    try:
        return _parse(text, problems)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problems.add(mark.line + 1 if mark else 0, "", f"not valid YAML: {error.problem or error.context}")
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problems.add(line, "", f"not valid YAML: unacceptable character #x{error.character:04x}: {error.reason}")
    return None


def _parse(text: str, problems: Problems) -> Node | None:
    """Parse with libyaml, which is eight times as fast; on an error, with PyYAML, for its messages."""
    try:
        return _Parser(_FastLoader(text), problems).document()
    except yaml.YAMLError:
        _Parser(_Loader(text), problems).document()
        raise


def plain(node: Node) -> object:
    """The value without lines: dicts, lists and scalars."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return node.value


class _Parser:
    """Makes nodes of a loader's events; a `YAMLError` where it cannot continue."""

    def __init__(self, loader: _Events, problems: Problems) -> None:
        self._loader = loader
        self._problems = problems
        self._anchors: dict[str, Node] = {}
        self._repeated = 0

    def document(self) -> Node | None:
        """The only document."""
        self._loader.get_event()
        if not self._loader.check_event(yaml.DocumentStartEvent):
            return None
        self._loader.get_event()
        root = self._node(0)
        self._loader.get_event()
        if not self._loader.check_event(yaml.StreamEndEvent):
            raise _error("a second document; expected one", self._loader.get_event())
        return root

    def _node(self, depth: int, line: int = 0) -> Node:
        event = cast("yaml.NodeEvent", self._loader.get_event())
        if depth > _DEPTH:
            raise _error(f"lists and mappings are nested more than {_DEPTH} deep", event)
        line = line or _line(event)
        if isinstance(event, yaml.AliasEvent):
            return Node(self._anchored(event, depth).value, line)
        node = Node(self._value(event, depth), line)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _value(self, event: yaml.Event, depth: int) -> Value:
        if isinstance(event, yaml.MappingStartEvent):
            self._check_tag(event, "map")
            return self._mapping(depth)
        if isinstance(event, yaml.SequenceStartEvent):
            self._check_tag(event, "seq")
            return self._list(depth)
        return self._scalar(cast("yaml.ScalarEvent", event))

    def _list(self, depth: int) -> list[Node]:
        result = []
        while not self._loader.check_event(yaml.SequenceEndEvent):
            result.append(self._node(depth + 1))
        self._loader.get_event()
        return result

    def _mapping(self, depth: int) -> dict[str, Node]:
        result: dict[str, Node] = {}
        while not self._loader.check_event(yaml.MappingEndEvent):
            line = _line(self._loader.peek_event())
            key = self._key(depth)
            if key in result:
                self._problems.add(line, "", f"duplicate key {key!r}; the first is in line {result[key].line}")
            result[key] = self._node(depth + 1, line)
        self._loader.get_event()
        return result

    def _key(self, depth: int) -> str:
        written = getattr(self._loader.peek_event(), "value", "")
        node = self._node(depth + 1)
        if isinstance(node.value, str):
            return node.value
        if isinstance(node.value, (dict, list)):
            self._problems.add(node.line, "", "a list or a mapping is a key; expected a name")
        else:
            reads = f"key {written!r} reads as {node.value!r} in YAML"
            self._problems.add(node.line, "", f"{reads}; expected a name: write it in quotes")
        return str(written)

    def _scalar(self, event: yaml.ScalarEvent) -> str | float | None:
        tag = event.tag
        if tag is None or tag == "!":
            tag = self._loader.resolve(yaml.ScalarNode, event.value, event.implicit)
        if tag not in _SCALARS:
            self._add(event, f"found {_short(event.value)} with the tag {_short(tag)}; write text in quotes")
            return None
        kind = tag.removeprefix(_STANDARD)
        try:
            if kind != "str" and len(event.value) > _DIGITS:
                raise ValueError
            value = self._loader.construct_object(yaml.ScalarNode(tag, event.value))
        except (ValueError, LookupError):
            self._add(event, f"not valid YAML: {_short(event.value)} is not of type {kind}")
            return None
        if type(value) is int and value not in _INTEGERS:
            self._add(event, f"{value} is not a 64-bit integer")
            return None
        if isinstance(value, str) and not _is_unicode(value):
            self._add(event, f"{_short(value)} has half a surrogate pair, which is no character")
            return ""
        return value

    def _check_tag(self, event: yaml.CollectionStartEvent, kind: str) -> None:
        if event.tag not in (None, "!", _STANDARD + kind):
            self._add(event, f"found the tag {_short(event.tag)}; expected none")

    def _add(self, event: yaml.Event, message: str) -> None:
        self._problems.add(_line(event), "", message)

    # Aliases

    def _anchored(self, event: yaml.AliasEvent, depth: int) -> Node:
        anchor = event.anchor or ""
        node = self._anchors.get(anchor)
        if node is None:
            raise _error(f"the alias {_short(anchor)} has no anchor before it, or is inside its own value", event)
        self._repeat(node, depth, event)
        return node

    def _repeat(self, node: Node, depth: int, event: yaml.Event) -> None:
        """Count what an alias at this depth repeats."""
        self._repeated += 1
        if self._repeated > _REPEATED:
            raise _error(f"aliases repeat more than {_REPEATED} values", event)
        if depth > _DEPTH:
            raise _error(f"lists and mappings are nested more than {_DEPTH} deep", event)
        children = list(node.value.values()) if isinstance(node.value, dict) else node.value
        for child in children if isinstance(children, list) else ():
            self._repeat(child, depth + 1, event)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0


def _error(problem: str, event: yaml.Event) -> yaml.YAMLError:
    return ComposerError(None, None, problem, cast("yaml.Mark | None", event.start_mark))


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
