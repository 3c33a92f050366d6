"""Every entry says what TensorFlow 2.21 says of the operation: inputs, attributes, outputs, types, defaults,
gradients.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pytest
from attrs import NOTHING

from support.entries import entries
from support.facts import facts
from typegrad.base.types import BY_NAME, BY_TF_NAME
from typegrad.graph.definition import Flow
from typegrad_codegen.schema import AttrSpec, InputSpec, OpSpec, OutputSpec, TypeSpec

NARROWER: Final[Mapping[tuple[str, str], str]] = {
    ("Einsum", "T"): "TensorFlow states any type, but multiplies and adds numbers only",
}
"""Type attributes that allow fewer types than the facts state, and why."""

WITHOUT_GRADIENT: Final[Mapping[str, str]] = {}
"""Operations that have a gradient in TensorFlow, but not here, and why."""

STATELESS: Final = frozenset[str]()
"""Operations that TensorFlow marks as stateful although nothing distinguishes two runs of them."""


@pytest.mark.parametrize("name", sorted(entries()))
def test_entry_states_the_facts(name: str) -> None:
    assert name in facts(), f"TensorFlow has no operation {name}"
    problems = list(_problems(entries()[name], facts()[name]))
    assert not problems, "\n".join(problems)


def _problems(entry: OpSpec, fact: Mapping[str, Any]) -> Iterator[str]:
    yield from _differ("input names", [spec.tf for spec in entry.inputs], [spec["name"] for spec in fact["inputs"]])
    yield from _differ("output names", [spec.tf for spec in entry.outputs], [spec["name"] for spec in fact["outputs"]])
    for ours, theirs in zip(entry.inputs, fact["inputs"], strict=False):
        yield from _differ(f"input {ours.name}", _input(ours, entry), _fact(theirs))
    for given, wanted in zip(entry.outputs, fact["outputs"], strict=False):
        yield from _differ(f"output {given.name}", _output(given, entry), _fact(wanted))
    yield from _attributes(entry, fact)
    stateful = fact.get("stateful", False) and entry.name not in STATELESS
    yield from _differ("whether two runs may differ (effect)", entry.effect not in ("", "feed"), stateful)
    yield from _gradients(entry, fact)


def _differ(what: str, ours: Any, theirs: Any) -> Iterator[str]:
    if ours != theirs:
        yield f"{what}: {ours!r}, but TensorFlow has {theirs!r}"


# Inputs and outputs, as (type, kind of list)


def _fact(spec: Mapping[str, Any]) -> tuple[str, str]:
    if "type_list_attr" in spec:
        return spec["type_list_attr"], "mixed"
    return spec.get("type_attr") or spec["type"], spec.get("number_attr", "")


def _their_type(entry: OpSpec, name: str) -> str:
    """A type attribute or an element type by TensorFlow's name."""
    return BY_NAME[name].tf_name if name in BY_NAME else entry.tf_names.get(name, name)


def _input(spec: InputSpec, entry: OpSpec) -> tuple[str, str]:
    return _their_type(entry, spec.type), {"one": "", "many": "N", "mixed": "mixed"}[spec.kind]


def _output(spec: OutputSpec, entry: OpSpec) -> tuple[str, str]:
    kind, count = _their_type(entry, spec.type), entry.tf_names.get(spec.count, spec.count)
    return kind, "mixed" if spec.type in entry.mixed_types else count


# Attributes


def _attributes(entry: OpSpec, fact: Mapping[str, Any]) -> Iterator[str]:
    lengths = {spec.get("number_attr") for spec in fact["inputs"]} - {None}
    theirs = {name: spec for name, spec in fact["attrs"].items() if name not in lengths}
    ours: dict[str, TypeSpec | AttrSpec] = {spec.tf: spec for spec in entry.types}
    ours.update({spec.tf: spec for spec in entry.attrs})
    yield from _differ("attributes", sorted(ours), sorted(theirs))
    for name in sorted(ours.keys() & theirs.keys()):
        spec = ours[name]
        problems = _type(spec, theirs[name], entry) if isinstance(spec, TypeSpec) else _attribute(spec, theirs[name])
        yield from (f"attribute {name}, {problem}" for problem in problems)


def _type(spec: TypeSpec, fact: Mapping[str, Any], entry: OpSpec) -> Iterator[str]:
    yield from _differ("kind", "list(type)" if spec.name in entry.mixed_types else "type", fact["type"])
    ours, theirs = sorted(leaf.tf_name for leaf in spec.allowed), _allowed(fact)
    if (entry.name, spec.name) not in NARROWER or not set(ours) < set(theirs):
        yield from _differ("types", ours, theirs)
    if spec in entry.explicit_types:
        yield from _differ("default", spec.default and spec.default.tf_name, fact.get("default"))


def _allowed(fact: Mapping[str, Any]) -> Sequence[str]:
    """The types among ours; quantized types and variants are no element types of typegrad, and a handle is none of "any
    type".
    """
    return sorted(set(fact.get("allowed", set(BY_TF_NAME) - {"resource"})) & set(BY_TF_NAME))


def _attribute(spec: AttrSpec, fact: Mapping[str, Any]) -> Iterator[str]:
    yield from _differ("kind", spec.type, fact["type"])
    yield from _differ("default", _default(spec.default), _default(fact.get("default", NOTHING)))
    yield from _differ("allowed", sorted(spec.allowed), sorted(fact.get("allowed", ())))
    yield from _differ("minimum", spec.minimum, fact.get("minimum"))


def _default(value: Any) -> Any:
    """A default in one form: floats have single precision, as in TensorFlow's protocol buffer."""
    if isinstance(value, float):
        return float(np.float32(value))
    return list(value) if isinstance(value, tuple) else value


# Gradients


def _gradients(entry: OpSpec, fact: Mapping[str, Any]) -> Iterator[str]:
    known = set(fact.get("gradient", {}).values())
    kinds = set(entry.gradient.values())
    if known == {"not differentiable"} and kinds & {Flow.RULE, Flow.PASS, Flow.ZERO}:
        yield "gradient: has one, but TensorFlow registers it as not differentiable"
    is_missing = "function" in known and not kinds & {*Flow}
    if is_missing and entry.name not in WITHOUT_GRADIENT:
        yield f"gradient: {dict(entry.gradient)}, but TensorFlow has one"


def test_exceptions_are_needed() -> None:
    assert not [name for name in WITHOUT_GRADIENT if Flow.RULE in entries()[name].gradient.values()]
    allowed = {key: entries()[key[0]].types_by_name[key[1]].allowed for key in NARROWER if key[0] in entries()}
    assert not [key for key, types in allowed.items() if len(types) == len(_allowed(facts()[key[0]]["attrs"][key[1]]))]
    assert not [name for name in STATELESS if not facts()[name].get("stateful")]
