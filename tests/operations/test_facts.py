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
from typegrad_codegen.schema import Entry, EntryAttr, EntryInput, EntryOutput, EntryType

NARROWER: Final[Mapping[tuple[str, str], str]] = {
    ("Einsum", "T"): "TensorFlow states any type, but multiplies and adds numbers only",
    ("LowerBound", "T"): "TensorFlow states any type, but compares real numbers only",
    ("UpperBound", "T"): "TensorFlow states any type, but compares real numbers only",
    ("MirrorPadGrad", "T"): "TensorFlow states any type, but adds numbers only",
    **dict.fromkeys(
        (("TensorScatterAdd", "T"), ("TensorScatterSub", "T")),
        "TensorFlow states any type, but adds and subtracts numbers only",
    ),
    **dict.fromkeys(
        (("TensorScatterMax", "T"), ("TensorScatterMin", "T")),
        "TensorFlow states any type, but compares real numbers only",
    ),
    **dict.fromkeys(
        (("InplaceAdd", "T"), ("InplaceSub", "T"), ("AssignAddVariableOp", "dtype"), ("AssignSubVariableOp", "dtype")),
        "TensorFlow states any type, but adds and subtracts numbers only",
    ),
    **dict.fromkeys(
        (("ResourceScatterMax", "dtype"), ("ResourceScatterMin", "dtype")),
        "TensorFlow states all numbers, but compares real ones only",
    ),
    **dict.fromkeys(
        (
            (f"Resource{name}", "T")
            for name in (
                "ApplyAdadelta",
                "ApplyAdagrad",
                "ApplyAdagradV2",
                "ApplyAdam",
                "ApplyCenteredRMSProp",
                "ApplyRMSProp",
                "SparseApplyAdadelta",
                "SparseApplyAdagrad",
                "SparseApplyAdagradV2",
                "SparseApplyCenteredRMSProp",
                "SparseApplyRMSProp",
            )
        ),
        "TensorFlow states all numbers, but has no kernel for integers",
    ),
    **dict.fromkeys(
        (
            (f"Resource{name}", "T")
            for name in (
                "ApplyAdaMax",
                "ApplyAdagradDA",
                "ApplyAdamWithAmsgrad",
                "ApplyAddSign",
                "ApplyFtrl",
                "ApplyFtrlV2",
                "ApplyPowerSign",
                "ApplyProximalAdagrad",
                "ApplyProximalGradientDescent",
                "SparseApplyAdagradDA",
                "SparseApplyFtrl",
                "SparseApplyFtrlV2",
                "SparseApplyProximalAdagrad",
                "SparseApplyProximalGradientDescent",
            )
        ),
        "TensorFlow states all numbers, but has kernels for floats only",
    ),
    **dict.fromkeys(
        (("StatefulUniform", "dtype"), ("StatefulStandardNormalV2", "dtype"), ("StatefulTruncatedNormal", "dtype")),
        "TensorFlow states any type, but draws floats only",
    ),
    **dict.fromkeys(
        (("StatefulUniformInt", "dtype"), ("StatefulUniformFullInt", "dtype"), ("NonDeterministicInts", "dtype")),
        "TensorFlow states any type, but draws integers only",
    ),
    **dict.fromkeys(
        (
            (name, "shape_dtype")
            for name in (
                "StatefulUniform",
                "StatefulStandardNormalV2",
                "StatefulTruncatedNormal",
                "StatefulUniformInt",
                "StatefulUniformFullInt",
                "NonDeterministicInts",
            )
        ),
        "TensorFlow states any type, but a shape is int32 or int64",
    ),
}
"""Type attributes that allow fewer types than the facts state, and why."""

CLOSED: Final = frozenset({"bad_indices_policy", "fill", "fill_mode", "interpolation", "kernel_type", "noise"})
"""Attributes for which TensorFlow states any string, but whose kernels refuse all others than a few."""

WITHOUT_GRADIENT: Final[Mapping[str, str]] = {}
"""Operations that have a gradient in TensorFlow, but not here, and why."""

STATELESS: Final = frozenset(
    {"Assert", "CheckNumericsV2", "DeepCopy", "Empty", "GuaranteeConst", "StatelessRandomGetAlg"}
)
"""Operations that TensorFlow marks as stateful although nothing distinguishes two runs of them."""

STATEFUL: Final = frozenset({"ExtractGlimpseV2", "FractionalAvgPool", "FractionalMaxPool"})
"""Operations that TensorFlow does not mark as stateful although they draw random numbers."""


@pytest.mark.parametrize("name", sorted(entries()))
def test_entry_states_the_facts(name: str) -> None:
    assert name in facts(), f"TensorFlow has no operation {name}"
    problems = list(_problems(entries()[name], facts()[name]))
    assert not problems, "\n".join(problems)


def _problems(entry: Entry, fact: Mapping[str, Any]) -> Iterator[str]:
    yield from _differ("input names", [each.tf for each in entry.inputs], [each["name"] for each in fact["inputs"]])
    yield from _differ("output names", [each.tf for each in entry.outputs], [each["name"] for each in fact["outputs"]])
    for our, their in zip(entry.inputs, fact["inputs"], strict=False):
        yield from _differ(f"input {our.name}", _input(our, entry), _fact(their))
    for output, their in zip(entry.outputs, fact["outputs"], strict=False):
        yield from _differ(f"output {output.name}", _output(output, entry), _fact(their))
    yield from _attributes(entry, fact)
    stateful = (fact.get("stateful", False) and entry.name not in STATELESS) or entry.name in STATEFUL
    yield from _differ("whether two runs may differ (effect)", entry.effect not in ("", "feed"), stateful)
    yield from _gradients(entry, fact)


def _differ(what: str, ours: Any, theirs: Any) -> Iterator[str]:
    if ours != theirs:
        yield f"{what}: {ours!r}, but TensorFlow has {theirs!r}"


# Inputs and outputs, as (type, kind of list)


def _fact(argument: Mapping[str, Any]) -> tuple[str, str]:
    if "type_list_attr" in argument:
        return argument["type_list_attr"], "mixed"
    return argument.get("type_attr") or argument["type"], argument.get("number_attr", "")


def _their_type(entry: Entry, name: str) -> str:
    """A type attribute or an element type by TensorFlow's name."""
    return BY_NAME[name].tf_name if name in BY_NAME else entry.tf_names.get(name, name)


def _input(input_: EntryInput, entry: Entry) -> tuple[str, str]:
    return _their_type(entry, input_.type), {"one": "", "many": "N", "mixed": "mixed"}[input_.kind]


def _output(output: EntryOutput, entry: Entry) -> tuple[str, str]:
    kind, count = _their_type(entry, output.type), entry.tf_names.get(output.count, output.count)
    return kind, "mixed" if output.type in entry.mixed_types else count


# Attributes


def _attributes(entry: Entry, fact: Mapping[str, Any]) -> Iterator[str]:
    lengths = {each.get("number_attr") for each in fact["inputs"]} - {None}
    theirs = {name: each for name, each in fact["attrs"].items() if name not in lengths}
    ours: dict[str, EntryType | EntryAttr] = {each.tf: each for each in entry.types}
    ours.update({each.tf: each for each in entry.attrs})
    yield from _differ("attributes", sorted(ours), sorted(theirs))
    for name in sorted(ours.keys() & theirs.keys()):
        our, their = ours[name], theirs[name]
        problems = _type(our, their, entry) if isinstance(our, EntryType) else _attribute(our, their)
        yield from (f"attribute {name}, {problem}" for problem in problems)


def _type(type_: EntryType, fact: Mapping[str, Any], entry: Entry) -> Iterator[str]:
    yield from _differ("kind", "list(type)" if type_.name in entry.mixed_types else "type", fact["type"])
    ours, theirs = sorted(leaf.tf_name for leaf in type_.allowed), _allowed(fact)
    if (entry.name, type_.name) not in NARROWER or not set(ours) < set(theirs):
        yield from _differ("types", ours, theirs)
    if type_ in entry.explicit_types:
        yield from _differ("default", type_.default and type_.default.tf_name, fact.get("default"))


def _allowed(fact: Mapping[str, Any]) -> Sequence[str]:
    """The types among ours: typegrad has no quantized types or variants, and "any type" does not include handles."""
    return sorted(set(fact.get("allowed", set(BY_TF_NAME) - {"resource"})) & set(BY_TF_NAME))


def _attribute(attr: EntryAttr, fact: Mapping[str, Any]) -> Iterator[str]:
    yield from _differ("kind", attr.type, fact["type"])
    yield from _differ("default", _default(attr.default), _default(fact.get("default", NOTHING)))
    yield from _differ("allowed", [] if attr.name in CLOSED else sorted(attr.allowed), sorted(fact.get("allowed", ())))
    yield from _differ("minimum", attr.minimum, fact.get("minimum"))


def _default(value: Any) -> Any:
    """A default in one form: floats have single precision, as in TensorFlow's protocol buffer."""
    if isinstance(value, float):
        return float(np.float32(value))
    return list(map(_default, value)) if isinstance(value, (list, tuple)) else value


# Gradients


def _gradients(entry: Entry, fact: Mapping[str, Any]) -> Iterator[str]:
    known = set(fact.get("gradient", {}).values())
    kinds = set(entry.gradient.values())
    differs = "gradient" in entry.differences
    if known == {"not differentiable"} and kinds & {Flow.RULE, Flow.PASS, Flow.ZERO} and not differs:
        yield "gradient: has one, but TensorFlow registers it as not differentiable"
    is_missing = "function" in known and not kinds & {*Flow}
    if is_missing and entry.name not in WITHOUT_GRADIENT:
        yield f"gradient: {dict(entry.gradient)}, but TensorFlow has one"


def test_exceptions_are_needed() -> None:
    assert not [name for name in WITHOUT_GRADIENT if Flow.RULE in entries()[name].gradient.values()]
    allowed = {key: entries()[key[0]].types_by_name[key[1]].allowed for key in NARROWER if key[0] in entries()}
    assert not [key for key, types in allowed.items() if len(types) == len(_allowed(facts()[key[0]]["attrs"][key[1]]))]
    assert not [name for name, _ in NARROWER if "definition also lists" not in entries()[name].differences]
    closed = {attr.name for entry in entries().values() for attr in entry.attrs if attr.name in CLOSED and attr.allowed}
    assert closed == CLOSED
    assert not [name for name in STATELESS if not facts()[name].get("stateful")]
    assert not [name for name in STATEFUL if facts()[name].get("stateful")]
