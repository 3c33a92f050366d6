"""YAML as a tree of nodes that know their line, which is what error messages need and PyYAML's `safe_load` forgets."""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

import yaml
from attrs import frozen

from typegrad_codegen.problems import Problems

__all__ = ["Node", "plain", "read"]

Value: TypeAlias = "dict[str, Node] | list[Node] | str | int | float | bool | None"


@frozen
class Node:
    """A mapping, a list or a scalar, and its line (that of its key, in a mapping)."""

    value: Value
    line: int


_FLOAT: Final = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+")


def _loader(base: Any) -> Any:
    """A safe loader, which also reads `1e-4` as a number (YAML 1.1 takes it for text)."""
    loader: Any = type("Loader", (base,), {})
    loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789"))
    return loader


_Loader: Final = _loader(yaml.SafeLoader)
_FastLoader: Final = _loader(yaml.CSafeLoader) if yaml.__with_libyaml__ else _Loader


def read(text: str, problems: Problems) -> Node | None:
    """The document in `text`; None if it is empty or not YAML at all."""
    try:
        loader, root = _compose(text)
        return None if root is None else _convert(loader, root, root.start_mark.line + 1, problems)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problems.add(mark.line + 1 if mark else 0, "", f"not valid YAML: {error.problem or error.context}")
    except yaml.YAMLError as error:
        problems.add(0, "", f"not valid YAML: {error}")
    return None


def _compose(text: str) -> tuple[Any, yaml.Node | None]:
    """The document's root and its loader: that of libyaml, eight times as fast, unless there is an error, for which it has other words."""
    try:
        loader = _FastLoader(text)
        return loader, loader.get_single_node()
    except yaml.YAMLError:
        loader = _Loader(text)
        return loader, loader.get_single_node()


def plain(node: Node) -> Any:
    """The value without lines: dicts, lists and scalars."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return node.value


def _convert(loader: Any, node: yaml.Node, line: int, problems: Problems) -> Node:
    if isinstance(node, yaml.MappingNode):
        return Node(_mapping(loader, node, problems), line)
    if isinstance(node, yaml.SequenceNode):
        return Node([_convert(loader, item, item.start_mark.line + 1, problems) for item in node.value], line)
    return Node(_scalar(loader, node, problems), line)


def _scalar(loader: Any, node: yaml.Node, problems: Problems) -> Any:
    try:
        return loader.construct_object(node)
    except ValueError as error:
        problems.add(node.start_mark.line + 1, "", f"not valid YAML: {error}")
        return None


def _mapping(loader: Any, node: yaml.MappingNode, problems: Problems) -> dict[str, Node]:
    result: dict[str, Node] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        key = _scalar(loader, key_node, problems)
        if not isinstance(key, str):
            problems.add(
                line, "", f"key {key_node.value!r} reads as {key!r} in YAML; expected a name: write it in quotes"
            )
            key = str(key_node.value)
        if key in result:
            problems.add(line, "", f"duplicate key {key!r}; the first is in line {result[key].line}")
        result[key] = _convert(loader, value_node, line, problems)
    return result
