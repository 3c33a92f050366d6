"""Reading one mapping of the registry: the keys it may have, and the kinds of their values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from typegrad_codegen.problems import Problems, choices
from typegrad_codegen.tree import Node, plain

__all__ = ["Reader"]

_CONTROL: Final = re.compile(r"[^\S\n\t ]|[\x00-\x08\x0e-\x1f\x7f-\x9f]")


@frozen
class Reader:
    """A mapping at a path such as "MatMul.inputs.a".

    Each method notes what is wrong and returns something to continue with.
    """

    node: Node
    where: str
    problems: Problems

    def fields(self, keys: Sequence[str], required: Sequence[str] = ()) -> None:
        """Check the keys: no unknown one, none of the required ones missing."""
        if not isinstance(self.node.value, dict):
            return
        for key, child in self.mapping().items():
            if key not in keys:
                self.problems.add(child.line, self.where, f"unknown key {key!r}; expected {choices(keys)}")
        for key in required:
            if key not in self.mapping():
                self.problems.add(self.node.line, self.where, f"missing key {key!r}")

    def mapping(self) -> Mapping[str, Node]:
        """The children by name; empty if this is not a mapping, which `child` and `children` have noted then."""
        return self.node.value if isinstance(self.node.value, dict) else {}

    def child(self, key: str) -> Reader | None:
        """The mapping at `key`, if it is there."""
        node = self.mapping().get(key)
        return None if node is None else self._reader(node, key)

    def children(self, key: str) -> list[tuple[str, Reader]]:
        """The mappings in the mapping at `key`, by name."""
        parent = self.child(key)
        return [] if parent is None else [(name, parent._reader(node, name)) for name, node in parent.mapping().items()]

    def items(self, key: str) -> list[Reader]:
        """The mappings in the list at `key`."""
        node = self.mapping().get(key)
        if node is None:
            return []
        if not isinstance(node.value, list):
            self.wrong(key, "a list")
            return []
        return [self._reader(item, f"{key}[{index}]") for index, item in enumerate(node.value)]

    def text(self, key: str) -> str:
        """The text at `key`; "" if it is not there. Empty text is an error."""
        node = self.mapping().get(key)
        if node is None:
            return ""
        if not isinstance(node.value, str) or not node.value.strip():
            self.wrong(key, "text")
            return ""
        if control := _CONTROL.search(node.value):
            self.problems.add(node.line, self.path(key), f"found the control character {control[0]!r}; expected text")
            return ""
        return node.value.strip()

    def choice(self, key: str, allowed: Sequence[str], default: str = "") -> str:
        """The text at `key`, which must be one of `allowed`."""
        node = self.mapping().get(key)
        if node is None:
            return default
        if node.value not in allowed or not isinstance(node.value, str):
            self.wrong(key, choices(allowed))
            return default
        return node.value

    def names(self, key: str) -> list[str]:
        """The text, or list of texts, at `key`."""
        node = self.mapping().get(key)
        if node is None:
            return []
        names = [item.value for item in node.value] if isinstance(node.value, list) else [node.value]
        if not names or not all(isinstance(item, str) for item in names):
            self.wrong(key, "a name or a list of names")
        return [item for item in names if isinstance(item, str)]

    def plain(self, key: str) -> object:
        """The value at `key` as a plain Python object; {} if it is not there."""
        node = self.mapping().get(key)
        return {} if node is None else plain(node)

    def line(self, key: str) -> int:
        """The line of `key`."""
        return self.mapping().get(key, self.node).line

    def wrong(self, key: str, expected: str) -> None:
        """Note that the value at `key` is not what it should be."""
        node = self.mapping()[key]
        self.problems.add(node.line, self.path(key), f"found {_show(plain(node))}; expected {expected}")

    def _reader(self, node: Node, key: str) -> Reader:
        where = self.path(key)
        if not isinstance(node.value, dict):
            self.problems.add(node.line, where, f"found {_show(plain(node))}; expected a mapping")
        return Reader(node, where, self.problems)

    def path(self, key: str) -> str:
        """The path of `key`."""
        return f"{self.where}.{key}" if self.where else key


def _show(value: object) -> str:
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
