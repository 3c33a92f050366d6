"""Every class is called as in TensorFlow Java, takes the same arguments in the same order, and has the same accessors.

Names that are words of Java in camel case (`keepDims`) are recorded in snake case (`keep_dims`). Where ours differ, the
table says why, and the guide for those who come from TensorFlow Java shows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from support.entries import entries
from support.facts import facts
from typegrad_codegen.schema import Entry
from typegrad_codegen.signature import create


class Difference(NamedTuple):
    """A name that is not TensorFlow Java's; "none" where it has none."""

    operation: str
    java: str
    ours: str
    reason: str


DIFFERENCES: Final = [
    Difference("AddV2", "none", "math.AddV2", "Graphs of today add with it; Java builds `Add`."),
    Difference("Const", "none", "core.Constant", "Java's class of this name is written by hand."),
    Difference("Bincount", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("DenseBincount", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("Erfinv", "math.erfinv", "math.Erfinv", "Classes begin with a capital letter."),
    Difference("FusedResizeAndPadConv2D", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("Inv", "none", "math.ElementwiseInv", "Java's class of this name is `MatrixInverse`."),
    Difference("LeakyReluGrad", "data.LeakyReluGrad", "nn.LeakyReluGrad", "It belongs beside `LeakyRelu`."),
    Difference("MaxPoolWithArgmax", "ksize", "targmax", "Types follow the inputs."),
    Difference("MaxPoolWithArgmax", "strides", "ksize", "Types follow the inputs."),
    Difference("MaxPoolWithArgmax", "targmax", "strides", "Types follow the inputs."),
    Difference("ResizeArea", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("ResizeBicubic", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("ResizeBilinear", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("ResizeNearestNeighbor", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("ResizeNearestNeighborGrad", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference(
        "ResourceApplyAdagrad", "none", "train.ResourceApplyAdagradV1", "Java has version 2 only, without the number."
    ),
    Difference(
        "ResourceApplyFtrl", "none", "train.ResourceApplyFtrlV1", "Java has version 2 only, without the number."
    ),
    Difference(
        "ResourceSparseApplyFtrl",
        "none",
        "train.ResourceSparseApplyFtrlV1",
        "Java has version 2 only, without the number.",
    ),
    Difference("ResourceCountUpTo", "limit", "t", "Types follow the inputs."),
    Difference("ResourceCountUpTo", "t", "limit", "Types follow the inputs."),
    Difference("ScaleAndTranslate", "size_output", "size", "In Java, `size()` is a method of every operand."),
    Difference("Slice", "size_output", "size", "In Java, `size()` is a method of every operand."),
]
"""Where a class, argument, option or accessor is not called as in TensorFlow Java, and why."""

GUIDE: Final = Path(__file__).parents[2] / "docs" / "guides" / "from-tensorflow-java.md"


def test_names_are_those_of_tensorflow_java() -> None:
    problems = {(name, *pair) for name, entry in entries().items() for pair in _differing(entry, facts()[name]["java"])}
    assert problems == {(operation, java, ours) for operation, java, ours, _ in DIFFERENCES}


def _differing(entry: Entry, java: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names that are not Java's: pairs of Java's and ours."""
    has_class = _has_class(java)
    group, _, _ = java["group"].partition(".")  # groups have no groups within them
    theirs = f"{group}.{java['class']}" if has_class else "none"
    yield from _unequal([theirs], [f"{entry.group}.{entry.class_name}"])
    if has_class:
        options = {each.name for each in entry.attrs if not each.required}
        arguments = [item.name for item in create(entry).implementation.parameters]
        yield from _unequal(java["args"], [name for name in arguments if name not in options])
        yield from _unequal(sorted(java["options"]), sorted(options))
        yield from _unequal(java["outputs"], [each.name for each in entry.outputs])


def _has_class(java: dict[str, Any]) -> bool:
    """Whether Java has a class of this operation; two operations may have asked for one name."""
    return java["visibility"] != "skip" and "args" in java


def _unequal(theirs: list[str], ours: list[str]) -> Iterator[tuple[str, str]]:
    assert len(theirs) == len(ours), f"{ours}, but TensorFlow Java has {theirs}"
    return ((java, name) for java, name in zip(theirs, ours, strict=True) if java != name)


def test_arguments_are_positional_and_options_are_keywords() -> None:
    for name, entry in entries().items():
        inputs = {each.name for each in entry.inputs}
        options = {each.name for each in entry.attrs if not each.required and not each.positional}
        may_be_left_out = False
        for parameter in create(entry).implementation.parameters:
            is_named = parameter.name in options or (may_be_left_out and parameter.name not in inputs)
            assert parameter.keyword == is_named, f"{name}: {parameter}"
            may_be_left_out = may_be_left_out or parameter.default is not None


def test_a_shape_or_an_axis_that_comes_first_is_positional() -> None:
    for name, entry in entries().items():
        first = next((each for each in entry.attrs if not each.required), None)
        is_first = first is not None and all(each.default is None for each in entry.inputs)
        expected = [first.name] if first is not None and is_first and first.name in ("shape", "axis") else []
        assert [each.name for each in entry.attrs if each.positional] == expected, name


def test_pages_name_the_classes_of_tensorflow_java() -> None:
    written_by_hand = {"Const": "org.tensorflow.op.core.Constant"}
    for name, entry in entries().items():
        java = facts()[name]["java"]
        generated = f"org.tensorflow.op.{java['group']}.{java['class']}" if _has_class(java) else ""
        assert entry.java_class == written_by_hand.get(name, generated), name


def test_guide_lists_the_differences() -> None:
    _, _, rest = GUIDE.read_text(encoding="utf-8").partition("| Operation | TensorFlow Java | typegrad | Why |\n")
    table, _, _ = rest.partition("\n\n")
    shown = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[1:]]
    code = "`{}`".format
    assert shown == [
        [code(operation), java if java == "none" else code(java), code(ours), reason]
        for operation, java, ours, reason in DIFFERENCES
    ]
