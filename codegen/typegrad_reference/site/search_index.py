"""What the search field of the site looks in: a script that hands over its data when the field is first used."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from typegrad_codegen.schema import OpSpec
from typegrad_reference.site.operations import address

__all__ = ["Found", "script"]


@frozen
class Found:
    """Something else than an operation: a guide, a heading, a class."""

    title: str
    address: str
    where: str
    summary: str = ""
    name: str = ""
    """The dotted name of a class or function."""


def script(operations: Iterable[OpSpec], others: Sequence[Found]) -> str:
    """The index. A page may not read files, but it may load a script, also where the site lies in a folder."""
    data = {
        "operations": [_operation(op) for op in operations],
        "others": [[each.title, each.address, each.where, each.summary, each.name] for each in others],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f'"use strict";document.currentScript.dispatchEvent(new CustomEvent("index",{{detail:{text}}}));\n'


def _operation(op: OpSpec) -> list[Any]:
    text = " ".join(f"{op.description} {op.differences}".split())
    return [op.class_name, op.group, op.name, address(op), op.summary, list(op.known_as), text]
