"""What the search field of the site looks in: a script that hands over its data when the field is first used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from typegrad_codegen.schema import OpSpec
from typegrad_reference.entries.subjects import Missing
from typegrad_reference.entries.texts import Text
from typegrad_reference.guides.listed import address

__all__ = ["script"]


def script(operations: Sequence[OpSpec], texts: Sequence[Text], missing: Iterable[Missing]) -> str:
    """The index. A page may not read files, but it may load a script, also where the site lies in a folder."""
    places = {address(op): number for number, op in enumerate(operations)}
    places |= {text.address: number for number, text in enumerate(texts, len(places))}
    data = {
        "operations": [_operation(op) for op in operations],
        "others": [
            [each.title, each.address, each.where, each.summary, each.name, each.known, each.words] for each in texts
        ],
        "missing": [_missing(item, places) for item in missing],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f'"use strict";document.currentScript.dispatchEvent(new CustomEvent("index",{{detail:{text}}}));\n'


def _missing(item: Missing, places: Mapping[str, int]) -> list[Any]:
    """What is said of an operation of TensorFlow follows from its name; TensorFlow Java's stands beside it where it is another."""
    instead = [places[address(each) if isinstance(each, OpSpec) else each.address] for each in item.instead]
    if not item.is_operation:
        return [item.title, instead, item.names, item.why]
    others = [name for name in item.names if not name.endswith(f".{item.title}")]
    return [item.title, instead, *([others] if others else [])]


def _operation(op: OpSpec) -> list[Any]:
    text = " ".join(f"{op.description} {op.differences}".split())
    return [op.class_name, op.group, op.name, address(op), op.summary, list(op.known_as), text]
