"""From YAML nodes to schema objects. Structure is checked here (keys, kinds of values), meaning in `check`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import PurePath
from typing import Final, TypeAlias

from attrs import NOTHING

from typegrad.graph.definition import Flow, InputGradient, NoGradient
from typegrad_codegen.dtypes import Leaf
from typegrad_codegen.functions import find
from typegrad_codegen.methods import method
from typegrad_codegen.names import is_name
from typegrad_codegen.problems import Problems, choices
from typegrad_codegen.reader import Reader
from typegrad_codegen.schema import (
    ATTR_KINDS,
    EFFECTS,
    INPUT_KINDS,
    INTEGERS,
    LIBRARIES,
    Entry,
    EntryAttr,
    EntryInput,
    EntryOutput,
    EntryType,
    Example,
    Group,
    ShapeCall,
)
from typegrad_codegen.tree import Node

__all__ = ["Sets", "parse_file", "parse_groups", "parse_sets"]

Sets: TypeAlias = Mapping[str, frozenset[Leaf]]
"""Sets of element types by name."""

_OP_KEYS: Final = (
    "class", "group", "summary", "description", "types", "inputs", "attrs", "outputs", "shape", "kernel", "value",
    "gradient", "gradient_function", "effect", "differences", "java", "known_as", "see_also", "examples", "page",
)  # fmt: skip
_GROUP_KEYS: Final = ("summary", "exports", "functions")
_EXAMPLE_PARTS: Final = ("inputs", "attrs", "outputs", "gradients", "after")
_GRADIENTS: Final = "`rule`, {rule: words}, `pass`, `zero`, `stop` or {none: reason}"
_SHAPE: Final = re.compile(r"\s*([\w.:]+)\s*(?:\(([\w\s,]*)\))?\s*")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_JAVA: Final = re.compile(r"([a-z]+\.)+[A-Za-z]\w*")
_ELSEWHERE: Final = re.compile(rf"(?:{'|'.join(LIBRARIES)})(?:\.\w+)+")


def parse_sets(root: Node, known: Sets, problems: Problems) -> dict[str, frozenset[Leaf]]:
    """The sets that `types.yaml` defines, on top of those `known`."""
    sets = dict(known)
    if not isinstance(root.value, dict):
        problems.add(root.line, "", "expected a mapping of names to types")
    reader = Reader(root, "", problems)
    for name in reader.mapping():
        types = _types(reader.names(name), sets, reader, name)
        if name in known and known[name] != types:
            reader.problems.add(
                reader.line(name), name, "the marker class of this name contains other types; expected another name"
            )
        sets[name] = types
    return sets


def parse_groups(root: Node, known: Collection[str], problems: Problems) -> dict[str, Group]:
    """The descriptions of groups in `groups.yaml`; `known` are the groups that operations have."""
    if not isinstance(root.value, dict):
        problems.add(root.line, "", "expected a mapping of groups")
    reader = Reader(root, "", problems)
    groups = {name: _group(child) for name in reader.mapping() if (child := reader.child(name)) is not None}
    for name in groups:
        if name not in known:
            problems.add(reader.line(name), name, f"no operation has this group; expected {choices(sorted(known))}")
    return groups


def _group(reader: Reader) -> Group:
    reader.fields(_GROUP_KEYS)
    exports, functions = reader.names("exports"), reader.names("functions")
    if not all(map(_exists, exports)):
        reader.wrong("exports", "import paths of existing classes or functions, such as 'my_package.module:MyClass'")
    if not all(map(_takes_scope, functions)):
        reader.wrong(
            "functions",
            "import paths of existing functions whose first parameter is `scope`, such as 'my_package.module:blend'",
        )
    return Group(reader.text("summary"), tuple(exports), tuple(functions))


def _takes_scope(path: str) -> bool:
    try:
        method(path)
    except (LookupError, SyntaxError):
        return False
    return True


def _exists(path: str) -> bool:
    try:
        return find([path]) is not None
    except SyntaxError:
        return False


def parse_file(root: Node, sets: Sets, problems: Problems) -> list[Entry]:
    """The operations of one file."""
    reader = Reader(root, "", problems)
    if not isinstance(root.value, dict):
        problems.add(root.line, "", "expected a mapping of operations")
        return []
    return [_operation(name, entry, sets) for name in reader.mapping() if (entry := reader.child(name)) is not None]


def _operation(name: str, entry: Reader, sets: Sets) -> Entry:
    if not _NAME.fullmatch(name) or not name[0].isupper():
        entry.problems.add(
            entry.node.line, name, f"found operation name {name!r}; expected CamelCase, such as 'MatMul'"
        )
    entry.fields(_OP_KEYS, ("group", "summary", "shape", "examples"))
    inputs = tuple(_input(key, reader) for key, reader in entry.children("inputs"))
    gradients = _gradients(entry, [each.name for each in inputs])
    return Entry(
        name=name,
        class_name=entry.text("class") or name,
        group=_group_name(entry),
        file=entry.problems.file,
        stem=PurePath(entry.problems.file).stem,
        line=entry.node.line,
        lines={key: node.line for key, node in entry.mapping().items()},
        summary=entry.text("summary"),
        description=entry.text("description"),
        types=_type_attributes(entry, sets),
        inputs=inputs,
        attrs=_attrs(entry),
        outputs=tuple(_output(key, reader) for key, reader in entry.children("outputs")),
        shape=_shape(entry),
        kernel=entry.text("kernel"),
        value=entry.text("value"),
        gradient={key: rule for key, (rule, _) in gradients.items()},
        gradient_words={key: words for key, (_, words) in gradients.items() if words},
        gradient_function=entry.text("gradient_function"),
        effect=entry.choice("effect", EFFECTS),
        differences=entry.text("differences"),
        java=_java(entry),
        known_as=_known_as(entry),
        see_also=tuple(entry.names("see_also")),
        examples=_examples(entry),
        page=entry.text("page"),
    )


def _group_name(entry: Reader) -> str:
    group = entry.text("group")
    if group and not (is_name(group) and group.islower() and group[0] != "_"):
        entry.wrong("group", "a Python name in lower case, of ASCII letters")
    return group


# Types


def _types(names: list[str], sets: Sets, reader: Reader, key: str) -> frozenset[Leaf]:
    result: set[Leaf] = set()
    for name in names:
        if name not in sets:
            reader.problems.add(reader.line(key), reader.path(key), f"unknown type {name!r}; expected {choices(sets)}")
        result |= sets.get(name, frozenset())
    return frozenset(result)


def _type_attributes(entry: Reader, sets: Sets) -> tuple[EntryType, ...]:
    node = entry.mapping().get("types")
    if node is None:
        return ()
    if not isinstance(node.value, dict):
        entry.wrong("types", "a mapping of type attributes")
        return ()
    reader = Reader(node, f"{entry.where}.types", entry.problems)
    return tuple(_type_attribute(reader, name, child, sets) for name, child in node.value.items())


def _type_attribute(parent: Reader, name: str, node: Node, sets: Sets) -> EntryType:
    if not isinstance(node.value, dict):
        return EntryType(name, name, _types(parent.names(name), sets, parent, name), None, node.line)
    reader = Reader(node, f"{parent.where}.{name}", parent.problems)
    reader.fields(("tf", "allowed", "default"), ("allowed",))
    allowed = _types(reader.names("allowed"), sets, reader, "allowed")
    default = _types(reader.names("default"), sets, reader, "default")
    if len(default) > 1 or not default <= allowed:
        reader.wrong("default", "one of the allowed types")
    return EntryType(name, _tf(name, reader), allowed, next(iter(default), None), node.line)


def _tf(name: str, reader: Reader) -> str:
    """TensorFlow's name of an input, type, attribute or output."""
    stated = reader.text("tf")
    if stated and (stated == name or not _NAME.fullmatch(stated)):
        reader.wrong("tf", "TensorFlow's name where it is another than this, such as 'reduction_indices'")
    return stated or name


# Inputs, attributes, outputs


def _input(name: str, reader: Reader) -> EntryInput:
    reader.fields(("tf", "type", "doc", "kind", "integers", "default", "otherwise", "uses"), ("type", "doc"))
    default: str | int | float | None = None
    if "default" in reader.mapping():
        stated = reader.plain("default")
        if isinstance(stated, (int, float, str)) and not isinstance(stated, bool):
            default = stated
        else:
            reader.wrong("default", "a number or the name of a function")
    return EntryInput(
        name,
        _tf(name, reader),
        reader.text("type"),
        reader.text("doc"),
        reader.choice("kind", INPUT_KINDS[1:], "one"),
        reader.choice("integers", INTEGERS),
        default,
        reader.text("otherwise") if "otherwise" in reader.mapping() else "",
        reader.choice("uses", ("shape",), "values"),
        reader.node.line,
    )


def _attrs(entry: Reader) -> tuple[EntryAttr, ...]:
    """The attributes in the order of `create`: what is required comes first."""
    result = [_attr(key, reader) for key, reader in entry.children("attrs")]
    return tuple(sorted(result, key=lambda each: not each.required))


def _attr(name: str, reader: Reader) -> EntryAttr:
    reader.fields(("tf", "type", "doc", "default", "allowed", "minimum", "positional"), ("type", "doc"))
    minimum = reader.plain("minimum") if "minimum" in reader.mapping() else None
    if minimum is not None and (isinstance(minimum, bool) or not isinstance(minimum, int)):
        reader.wrong("minimum", "an integer")
        minimum = None
    positional = reader.plain("positional") if "positional" in reader.mapping() else False
    if positional is not True and positional is not False:
        reader.wrong("positional", "true or false")
    return EntryAttr(
        name,
        _tf(name, reader),
        reader.choice("type", ATTR_KINDS),
        reader.text("doc"),
        reader.plain("default") if "default" in reader.mapping() else NOTHING,
        tuple(reader.names("allowed")),
        minimum,
        positional is True,
        reader.node.line,
    )


def _output(name: str, reader: Reader) -> EntryOutput:
    reader.fields(("tf", "type", "doc", "count"), ("type", "doc"))
    kind, doc, count = (reader.text(key) for key in ("type", "doc", "count"))
    return EntryOutput(name, _tf(name, reader), kind, doc, count, reader.node.line)


# The rest of an entry


def _shape(entry: Reader) -> ShapeCall:
    text = entry.text("shape")
    match = _SHAPE.fullmatch(text)
    if match is None:
        if text:
            entry.wrong("shape", "a function, perhaps with arguments, such as same_as(x)")
        return ShapeCall("", ())
    arguments = tuple(part.strip() for part in (match[2] or "").split(",") if part.strip())
    return ShapeCall(match[1], arguments)


def _gradients(entry: Reader, inputs: list[str]) -> dict[str, tuple[InputGradient, str]]:
    """How a gradient reaches each input, and the words of a rule; an input that is left out is an error."""
    example = "{%s: rule}" % (inputs[0] if inputs else "x")
    if "gradient" not in entry.mapping():
        if inputs:
            entry.problems.add(
                entry.node.line, entry.where, f"missing key 'gradient'; expected an entry per input, such as {example}"
            )
        return {}
    reader = entry.child("gradient")
    assert reader is not None
    for name in inputs:
        if name not in reader.mapping() and isinstance(reader.node.value, dict):
            expected = f"expected {_GRADIENTS}"
            reader.problems.add(reader.node.line, reader.where, f"nothing is said of input {name!r}; {expected}")
    for name, node in reader.mapping().items():
        if name not in inputs:
            reader.problems.add(node.line, reader.where, f"unknown input {name!r}; expected {choices(inputs)}")
    return {name: _gradient_of(reader, name) for name in inputs if name in reader.mapping()}


def _gradient_of(reader: Reader, name: str) -> tuple[InputGradient, str]:
    """How a gradient reaches the input, or why none exists; and the words of a rule."""
    match reader.plain(name):
        case "rule" | "pass" | "zero" | "stop" as rule:
            return Flow(rule), ""
        case {"rule": str(words), **rest} if words.strip() and not rest:
            return Flow.RULE, words.strip()
        case {"none": str(reason), **rest} if reason.strip() and not rest:
            return NoGradient(" ".join(reason.split())), ""
        case _:
            reader.wrong(name, _GRADIENTS)
            return Flow.STOP, ""


def _java(entry: Reader) -> str:
    name = entry.text("java")
    if name and name != "none" and not _JAVA.fullmatch(name):
        entry.wrong("java", "`none`, or a group and a class such as 'math.Add'")
    return name


def _known_as(entry: Reader) -> tuple[str, ...]:
    names = tuple(entry.names("known_as"))
    if not all(_ELSEWHERE.fullmatch(name) for name in names):
        entry.wrong("known_as", f"names in other libraries, such as 'np.sum', that begin with {choices(LIBRARIES)}")
    return names


def _examples(entry: Reader) -> tuple[Example, ...]:
    readers = entry.items("examples")
    if "examples" in entry.mapping() and not readers and entry.plain("examples") == []:
        entry.wrong("examples", "at least one example")
    return tuple(_example(reader) for reader in readers)


def _example(reader: Reader) -> Example:
    reader.fields(("doc", *_EXAMPLE_PARTS, "rough"))
    parts = {key: _by_name(key, reader) for key in _EXAMPLE_PARTS}
    return Example(reader.text("doc"), **parts, rough=reader.text("rough"), line=reader.node.line)


def _by_name(key: str, reader: Reader) -> dict[str, object]:
    value = reader.plain(key)
    if isinstance(value, dict):
        return value
    reader.wrong(key, "a mapping from names to values")
    return {}
