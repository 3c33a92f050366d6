"""Checking the attributes of an entry."""

from __future__ import annotations

from typing import Final

from attrs import NOTHING

from typegrad_codegen.problems import Notes, choices
from typegrad_codegen.schema import EntryAttr

__all__ = ["check_attr"]

_EXPECTED: Final = {
    "int": "an integer",
    "float": "a number",
    "bool": "true or false",
    "string": "text",
    "shape": "a list of sizes, or null for an unknown rank",
    "tensor": "no default",
}


def check_attr(attr: EntryAttr, note: Notes) -> None:
    """Note the errors of an attribute: its default, allowed values and minimum."""
    where = f"attrs.{attr.name}"
    element = attr.type[5:-1] if attr.type.startswith("list(") else attr.type
    if attr.allowed and element != "string":
        note.add(attr.line, where, f"allowed is for strings, but the type is {attr.type}; expected no allowed")
        return
    if attr.minimum is not None and not (attr.type in ("int", "float") or attr.type.startswith("list(")):
        note.add(
            attr.line, where, f"minimum is for numbers and lists, but the type is {attr.type}; expected no minimum"
        )
    if attr.default is not NOTHING and attr.type:
        _check_default(attr, element, note)


def _check_default(attr: EntryAttr, element: str, note: Notes) -> None:
    where, default = f"attrs.{attr.name}", attr.default
    many = ", in a list" if element != attr.type else ""
    if not _fits(attr.type, default):
        note.add(
            attr.line, where, f"default {default!r} is not of type {attr.type}; expected {_EXPECTED[element]}{many}"
        )
        return
    wrong = [value for value in (default if many else [default]) if attr.allowed and value not in attr.allowed]
    if wrong:
        note.add(attr.line, where, f"default {wrong[0]!r} is not allowed; expected {choices(attr.allowed)}")
    size = len(default) if many else default
    if attr.minimum is not None and (many or element in ("int", "float")) and size < attr.minimum:
        note.add(attr.line, where, f"default {default!r} is below the minimum; expected at least {attr.minimum}")


def _fits(kind: str, value: object) -> bool:
    if kind.startswith("list("):
        return isinstance(value, list) and all(_fits(kind[5:-1], item) for item in value)
    if kind == "shape":
        return value is None or (isinstance(value, list) and all(item is None or _fits("int", item) for item in value))
    types: dict[str, tuple[type, ...]] = {
        "int": (int,),
        "float": (int, float),
        "bool": (bool,),
        "string": (str,),
        "tensor": (),
    }
    return isinstance(value, types[kind]) and (kind == "bool" or not isinstance(value, bool))
