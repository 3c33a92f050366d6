"""An entry of the registry as JSON, for programs: what `typegrad ops show --json` prints.

Everything that the entry says is there, under the entry's own keys; what follows from it (names, places in the source,
the functions that do the work) besides. Values that JSON has no number for are strings: "inf", "-inf", "nan".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from typegrad.base.types import TType
from typegrad_codegen.dtypes import ordered
from typegrad_codegen.schema import Entry, EntryAttr, EntryInput, EntryOutput, EntryType
from typegrad_reference.entries import api
from typegrad_reference.entries.declaration import declaration, facade, signatures
from typegrad_reference.entries.formulas import Formula
from typegrad_reference.entries.gradient_rules import rules
from typegrad_reference.entries.search import Hit
from typegrad_reference.entries.sources import Place, Sources
from typegrad_reference.entries.subjects import Missing
from typegrad_reference.entries.texts import Text

__all__ = ["api_facts", "brief", "facts", "places", "search_result"]

_NO_LIMIT: Final = 10**6
"""Signatures are on one line."""


def brief(op: Entry) -> dict[str, object]:
    """An operation's line in a list."""
    return {"class": f"{op.group}.{op.class_name}", "operation": op.name, "summary": op.summary}


def search_result(hit: Hit) -> dict[str, object]:
    """A hit of a search: an operation, a page of the site or a section of one, or something missing."""
    return {**_target(hit.target), "found": hit.name, "by": hit.kind.name.lower()}


def _target(target: Entry | Text | Missing) -> dict[str, object]:
    if isinstance(target, Entry):
        return brief(target)
    if isinstance(target, Text):
        return {"page": target.address, "title": target.title, "summary": target.summary}
    return {"missing": target.title, "summary": target.why}


def facts(op: Entry) -> dict[str, object]:
    """Everything about an operation."""
    names = {
        "class": f"{op.package}.{op.group}.{op.class_name}",
        "facade": facade(op),
        "tensorflow": op.raw_name,
        "java": op.java_class,
        "elsewhere": list(op.known_as),
    }
    return {
        **brief(op),
        "names": names,
        "declaration": declaration(op),
        "create": [form.text(_NO_LIMIT) for form in signatures(op)],
        "description": op.description,
        "types": {each.name: _tf(each) | _type(each) for each in op.types},
        "inputs": {each.name: _tf(each) | _input(each) for each in op.inputs},
        "attrs": {each.name: _tf(each) | _attr(each) for each in op.attrs},
        "outputs": {each.name: _tf(each) | _output(each) for each in op.outputs},
        "shape": {"function": op.shape.function, "arguments": list(op.shape.arguments)},
        "gradient": {
            rule.input: {"kind": rule.kind, **(_formula(rule.formula) if rule.formula else {"words": rule.words})}
            for rule in rules(op)
        },
        "effect": op.effect,
        "differences": op.differences,
        "examples": [
            {
                "doc": each.doc,
                **{key: _plain(getattr(each, key)) for key in ("inputs", "attrs", "outputs", "gradients", "after")},
            }
            for each in op.examples
        ],
        "see_also": list(op.see_also),
        "sources": {what: {"file": place.file, "line": place.first} for what, place in places(op).items()},
    }


def api_facts(name: str, described: api.Described) -> dict[str, object]:
    """Everything about a class, a function or a method, as data for JSON."""
    doc = described.doc
    members = described.members if isinstance(described, api.Entry) else ()
    return {
        "name": name,
        "signatures": list(described.signatures),
        "summary": doc.summary,
        "description": doc.body,
        "parameters": {item.name: item.doc for item in doc.parameters},
        "returns": doc.returns,
        "errors": {item.name: item.doc for item in doc.errors},
        "members": {member.name: member.doc.summary for member in members},
    }


def places(op: Entry) -> dict[str, Place]:
    """Where the operation's entry and functions are."""
    sources = Sources()
    functions = {
        "shape": op.functions.shape,
        "value": op.functions.value,
        "kernel": op.functions.kernel,
        "gradient": op.functions.gradient,
    }
    defined = {what: sources.function(path) for what, path in functions.items() if path}
    return {"entry": sources.entry(op, max(op.lines.values())), **defined}


def _tf(part: EntryType | EntryInput | EntryAttr | EntryOutput) -> dict[str, object]:
    """TensorFlow's name, where it is another."""
    return {} if part.tf == part.name else {"tf": part.tf}


def _formula(formula: Formula) -> dict[str, object]:
    """The formula, and what it is for other element types and attributes."""
    others = [{"for": when, "formula": latex} for when, latex in formula.others]
    return {"formula": formula.latex, **({"others": others} if others else {})}


def _type(type_: EntryType) -> dict[str, object]:
    default = {} if type_.default is None else {"default": type_.default.name}
    return {"allowed": [leaf.name for leaf in ordered(type_.allowed)], **default}


def _input(input_: EntryInput) -> dict[str, object]:
    kind = {"kind": input_.kind, "integers": input_.integers} if input_.integers else {"kind": input_.kind}
    default = {} if input_.default is None else {"default": input_.default}
    return {"type": input_.type, "doc": input_.doc, **kind, **default}


def _attr(attr: EntryAttr) -> dict[str, object]:
    attribute: dict[str, object] = {"type": attr.type, "doc": attr.doc, "required": attr.required}
    if not attr.required:
        attribute["default"] = _plain(attr.default)
    if attr.allowed:
        attribute["allowed"] = list(attr.allowed)
    if attr.minimum is not None:
        attribute["minimum"] = attr.minimum
    return attribute


def _output(output: EntryOutput) -> dict[str, object]:
    return {"type": output.type, "doc": output.doc, **({"count": output.count} if output.count else {})}


def _plain(value: object) -> object:
    """`value` in what JSON has."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    if isinstance(value, type) and issubclass(value, TType):
        return value.name
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
