"""A registry entry as objects. `parse` makes them, `check` checks them, the renderers read them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from attrs import NOTHING, frozen

from typegrad.graph.definition import Flow, InputGradient
from typegrad_codegen.dtypes import Leaf
from typegrad_codegen.names import identifier

__all__ = [
    "ATTR_KINDS",
    "CORE",
    "EFFECTS",
    "INPUT_KINDS",
    "INTEGERS",
    "LIBRARIES",
    "TYPEGRAD",
    "Entry",
    "EntryAttr",
    "EntryInput",
    "EntryOutput",
    "EntryType",
    "Example",
    "Functions",
    "Group",
    "Registry",
    "ShapeCall",
]

TYPEGRAD: Final = "typegrad.op"
"""The package of typegrad's own operations."""
CORE: Final = "core"
"""The group whose operations are methods of the facade itself."""
_BROADCASTING: Final = frozenset({"typegrad.shapes.common:broadcast", "typegrad.shapes.comparison:equality"})
"""The shape functions that broadcast their arguments together."""
_IDENTITY: Final = "typegrad.shapes.graph:identity_value"
"""The function for the static value of an operation whose output is its input."""
INPUT_KINDS: Final = ("one", "many", "mixed")
INTEGERS: Final = ("int", "ints", "axes", "indices")
LIBRARIES: Final = ("tf", "np", "scipy", "jax", "jnp", "torch")
"""Under which names other libraries are imported, in `known_as`."""
EFFECTS: Final = ("feed", "random", "handle", "read", "write", "outside")
_SCALARS: Final = ("int", "float", "bool", "string", "shape", "tensor")
ATTR_KINDS: Final = (*_SCALARS, *(f"list({kind})" for kind in _SCALARS))


@frozen
class EntryType:
    """A type attribute; `tf` is TensorFlow's name of it."""

    name: str
    tf: str
    allowed: frozenset[Leaf]
    default: Leaf | None
    line: int


@frozen
class EntryInput:
    """An input; `tf` is TensorFlow's name of it, `default` None, a number or the name of a function.

    `otherwise` says what takes operands of another element type in its place, for errors; `uses`, whether the values
    count, or only the shape.
    """

    name: str
    tf: str
    type: str
    doc: str
    kind: str
    integers: str
    default: str | int | float | None
    otherwise: str
    uses: str
    line: int


@frozen
class EntryAttr:
    """An attribute; `tf` is TensorFlow's name of it, `default` NOTHING where it is required.

    `positional` says that it may be given by position although it has a default.
    """

    name: str
    tf: str
    type: str
    doc: str
    default: Any
    allowed: tuple[str, ...]
    minimum: int | None
    positional: bool
    line: int

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is NOTHING


@frozen
class EntryOutput:
    """An output; `tf` is TensorFlow's name of it, `count` the attribute with the length of a list output."""

    name: str
    tf: str
    type: str
    doc: str
    count: str
    line: int


@frozen
class ShapeCall:
    """`broadcast(x, y)`: a shape function and its arguments."""

    function: str
    arguments: tuple[str, ...]


@frozen
class Example:
    """An example, its values as plain Python objects."""

    doc: str
    inputs: Mapping[str, Any]
    attrs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    gradients: Mapping[str, Any]
    """The gradients of the sum of the output, by input; None where none flows."""
    after: Mapping[str, Any]
    rough: str
    """Why finite differences do not tell the gradient near it; "" where they do."""
    line: int


@frozen
class Functions:
    """The import paths of an operation's functions, as `check` resolves them."""

    shape: str = ""
    kernel: str = ""
    value: str = ""
    gradient: str = ""
    defaults: Mapping[str, str] = {}


@frozen(slots=False, eq=False)
class Entry:
    """One operation's entry.

    `lines` has the line of each key; `gradient` says for each input how a gradient reaches it, or why none exists,
    `gradient_words` what a rule without a closed form does.
    """

    name: str
    class_name: str
    group: str
    file: str
    stem: str
    line: int
    lines: Mapping[str, int]
    summary: str
    description: str
    types: tuple[EntryType, ...]
    inputs: tuple[EntryInput, ...]
    attrs: tuple[EntryAttr, ...]
    outputs: tuple[EntryOutput, ...]
    shape: ShapeCall
    kernel: str
    value: str
    gradient: Mapping[str, InputGradient]
    gradient_words: Mapping[str, str]
    gradient_function: str
    effect: str
    differences: str
    java: str
    known_as: tuple[str, ...]
    see_also: tuple[str, ...]
    examples: tuple[Example, ...]
    page: str = ""
    """A file of Markdown with programs that run, by its path from the registry's folder; "" if there is none."""
    functions: Functions = Functions()
    package: str = TYPEGRAD
    """The package of the generated classes."""
    path: Path = Path()
    """The file of the entry."""

    @property
    def is_typegrad(self) -> bool:
        """Whether it is one of typegrad's own, not of a user's registry."""
        return self.package == TYPEGRAD

    @property
    def module(self) -> str:
        """The name of the wrapper's module in its group, and of the facade's method."""
        return identifier(self.class_name)

    @property
    def java_class(self) -> str:
        """TensorFlow Java's class, with its package; "" if there is none."""
        name = self.java or (f"{self.group}.{self.class_name}" if self.is_typegrad else "none")
        return "" if name == "none" else f"org.tensorflow.op.{name}"

    @property
    def raw_name(self) -> str:
        """TensorFlow's operation, with its module; "" if it is not one of TensorFlow's."""
        return f"tf.raw_ops.{self.name}" if self.is_typegrad else ""

    @cached_property
    def tf_names(self) -> Mapping[str, str]:
        """TensorFlow's name of each input, type and attribute that has another name here."""
        arguments: tuple[EntryInput | EntryType | EntryAttr, ...] = (*self.inputs, *self.types, *self.attrs)
        return {each.name: each.tf for each in arguments if each.tf != each.name}

    @cached_property
    def types_by_name(self) -> Mapping[str, EntryType]:
        """The type attributes by name."""
        return {each.name: each for each in self.types}

    @cached_property
    def explicit_types(self) -> tuple[EntryType, ...]:
        """The type attributes that no input fixes: the caller states them."""
        fixed = {each.type for each in self.inputs}
        return tuple(each for each in self.types if each.name not in fixed)

    @cached_property
    def mixed_types(self) -> frozenset[str]:
        """The type attributes that are lists of types."""
        return frozenset(each.type for each in self.inputs if each.kind == "mixed")

    @cached_property
    def output_types(self) -> tuple[EntryType, ...]:
        """The type attributes that occur in outputs: the parameters of the wrapper class."""
        used = {each.type for each in self.outputs} - self.mixed_types
        return tuple(each for each in self.types if each.name in used)

    @property
    def broadcasts(self) -> tuple[str, ...]:
        """The inputs that are broadcast together."""
        return self.shape.arguments if self.functions.shape in _BROADCASTING else ()

    @property
    def stops_gradients(self) -> bool:
        """Whether the output is the input, but no gradient flows back."""
        return self.functions.value == _IDENTITY and set(self.gradient.values()) == {Flow.STOP}

    @cached_property
    def is_operand(self) -> bool:
        """Whether there is exactly one output, and it is not a list."""
        return len(self.outputs) == 1 and not self.is_list(self.outputs[0])

    @property
    def has_known_values(self) -> bool:
        """Whether what an example prints is known before it runs."""
        return not self.outputs or self.effect not in ("feed", "handle", "outside")

    def is_list(self, output: EntryOutput) -> bool:
        """Whether an output is a list of outputs."""
        return bool(output.count) or output.type in self.mixed_types

    @cached_property
    def tensor(self) -> EntryAttr | None:
        """The attribute that is a value whose type the caller may state: the first argument of `create`."""
        values = [each for each in self.attrs if each.type == "tensor"]
        types = [each for each in self.explicit_types if each in self.output_types]
        return values[0] if len(values) == len(types) == 1 else None


@frozen
class Group:
    """The description of a group in `groups.yaml`: a sentence, and import paths of what it has besides operations."""

    summary: str = ""
    exports: tuple[str, ...] = ()
    """What its package offers."""
    functions: tuple[str, ...] = ()
    """Functions that its facade has as methods."""


@frozen
class Registry:
    """All operations, in the order of their files and entries."""

    folder: str
    operations: tuple[Entry, ...]
    described: Mapping[str, Group] = {}
    """The descriptions of groups, by name."""
    package: str = TYPEGRAD
    """The package of the generated classes."""

    @property
    def groups(self) -> dict[str, list[Entry]]:
        """The operations of each group, sorted by class."""
        result: dict[str, list[Entry]] = {}
        for op in sorted(self.operations, key=lambda op: (op.group, op.class_name)):
            result.setdefault(op.group, []).append(op)
        return result
