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
from typegrad_codegen.schema import AttrSpec, InputSpec, OpSpec, OutputSpec, TypeSpec
from typegrad_reference.entries.declaration import declaration, facade, signatures
from typegrad_reference.entries.formulas import Formula
from typegrad_reference.entries.gradient_rules import rules
from typegrad_reference.entries.search import Hit
from typegrad_reference.entries.sources import Place, Sources
from typegrad_reference.entries.subjects import Missing
from typegrad_reference.entries.texts import Text

__all__ = ["brief", "facts", "places", "search_result"]

_NO_LIMIT: Final = 10**6
"""Signatures are on one line."""


def brief(op: OpSpec) -> dict[str, object]:
    """What a list says of an operation."""
    return {"class": f"{op.group}.{op.class_name}", "operation": op.name, "summary": op.summary}


def search_result(hit: Hit) -> dict[str, object]:
    """A hit of a search: an operation, a page of the site or a section of one, or something missing."""
    return {**_target(hit.target), "found": hit.name, "by": hit.kind.name.lower()}


def _target(target: OpSpec | Text | Missing) -> dict[str, object]:
    if isinstance(target, OpSpec):
        return brief(target)
    if isinstance(target, Text):
        return {"page": target.address, "title": target.title, "summary": target.summary}
    return {"missing": target.title, "summary": target.why}


def facts(op: OpSpec) -> dict[str, object]:
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
        "types": {spec.name: _tf(spec) | _type(spec) for spec in op.types},
        "inputs": {spec.name: _tf(spec) | _input(spec) for spec in op.inputs},
        "attrs": {spec.name: _tf(spec) | _attr(spec) for spec in op.attrs},
        "outputs": {spec.name: _tf(spec) | _output(spec) for spec in op.outputs},
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


def places(op: OpSpec) -> dict[str, Place]:
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


def _tf(spec: TypeSpec | InputSpec | AttrSpec | OutputSpec) -> dict[str, object]:
    """TensorFlow's name, where it is another."""
    return {} if spec.tf == spec.name else {"tf": spec.tf}


def _formula(formula: Formula) -> dict[str, object]:
    """The formula, and what it is for other element types and attributes."""
    others = [{"for": when, "formula": latex} for when, latex in formula.others]
    return {"formula": formula.latex, **({"others": others} if others else {})}


def _type(spec: TypeSpec) -> dict[str, object]:
    default = {} if spec.default is None else {"default": spec.default.name}
    return {"allowed": [leaf.name for leaf in ordered(spec.allowed)], **default}


def _input(spec: InputSpec) -> dict[str, object]:
    kind = {"kind": spec.kind, "integers": spec.integers} if spec.integers else {"kind": spec.kind}
    return {"type": spec.type, "doc": spec.doc, **kind, **({} if spec.default is None else {"default": spec.default})}


def _attr(spec: AttrSpec) -> dict[str, object]:
    attribute: dict[str, object] = {"type": spec.type, "doc": spec.doc, "required": spec.required}
    if not spec.required:
        attribute["default"] = _plain(spec.default)
    if spec.allowed:
        attribute["allowed"] = list(spec.allowed)
    if spec.minimum is not None:
        attribute["minimum"] = spec.minimum
    return attribute


def _output(spec: OutputSpec) -> dict[str, object]:
    return {"type": spec.type, "doc": spec.doc, **({"count": spec.count} if spec.count else {})}


def _plain(value: object) -> object:
    """`value` in what JSON has."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    if isinstance(value, type) and issubclass(value, TType):
        return value.name
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
