"""The definition of an operation: the compiled form of its registry entry.

Each generated wrapper file holds one `OpDef`. Functions (shape, kernel, gradient, ...) are named by import path and
loaded when they are first needed, so that building a graph loads no kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Literal, TypeAlias

from typegrad.base.shape import Shape
from typegrad.base.types import ALL_TYPES, TType
from typegrad.shapes.view import OpView, Value

__all__ = [
    "AttrDef",
    "Flow",
    "InputDef",
    "InputGradient",
    "NoGradient",
    "OpDef",
    "OutputDef",
    "leaves",
    "resolve",
]

Kind = Literal["one", "many", "mixed"]
"""One operand; a list of operands of one type; a list of operands of any types."""

Effect = Literal["", "feed", "random", "handle", "read", "write", "outside"]
"""Why two runs may differ: the value is fed, the operation draws numbers, makes a handle to state, reads it, writes it,
or deals with something outside of the session, such as a clock or a stream."""


@cache
def resolve(path: str) -> Callable[..., Any]:
    """The function at `path`, such as "typegrad.kernels.matmul:mat_mul"."""
    module, _, name = path.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


@cache
def leaves(*markers: type[TType]) -> frozenset[type[TType]]:
    """The leaf types that are one of `markers` or below one."""
    return frozenset(leaf for leaf in ALL_TYPES if issubclass(leaf, markers))


class Flow(Enum):
    """How the gradients of an operation's outputs reach one of its inputs. The values are the words of the registry."""

    RULE = "rule"
    """The gradient function builds the input's gradient."""
    PASS = "pass"
    """The input's gradient is the output's, unchanged."""
    ZERO = "zero"
    """The gradient is zero wherever it is defined."""
    STOP = "stop"
    """No gradient reaches the input, which is not an error."""


@dataclass(frozen=True, slots=True)
class NoGradient:
    """The operation has no gradient for an input; to ask for one is a `GradientError` with this reason."""

    reason: str


InputGradient: TypeAlias = Flow | NoGradient


@dataclass(frozen=True, slots=True)
class InputDef:
    """One input. `type` is a leaf type or the name of a type attribute."""

    name: str
    type: type[TType] | str
    kind: Kind = "one"
    integers: str = ""
    """"" or which Python integers are accepted in place of an operand: "int", "ints", "axes", "indices"."""
    default: str | float | None = None
    """What the input is when it is left out: a number, or the import path of the function that makes it."""
    otherwise: str = ""
    """What takes operands of another element type in its place."""
    uses: Literal["values", "shape"] = "values"
    """What of the operand counts: its values, or only its shape."""


@dataclass(frozen=True, slots=True)
class OutputDef:
    """One output. `count` names the attribute that holds the length of a list output, or the list of its types."""

    name: str
    type: type[TType] | str
    count: str = ""


@dataclass(frozen=True, slots=True)
class AttrDef:
    """One attribute.

    `kind` is "int", "float", "bool", "string", "type", "shape", "tensor" or "list(...)" of one of these.
    """

    name: str
    kind: str
    allowed: tuple[str, ...] = ()
    minimum: int | None = None


@dataclass(frozen=True, eq=False)
class OpDef:
    """An operation's signature and the functions that implement it."""

    name: str
    """TensorFlow's name of the operation, the node's type in a graph: "AddV2"."""
    class_name: str
    """The wrapper class, and the default name of a node: "Add"."""
    module: str
    """The module of the wrapper class."""
    types: Mapping[str, frozenset[type[TType]]]
    """The leaf types that each type attribute may be."""
    inputs: tuple[InputDef, ...]
    attrs: tuple[AttrDef, ...]
    outputs: tuple[OutputDef, ...]
    shape: str
    """Import path of the shape function."""
    shape_args: tuple[str, ...] = ()
    """The arguments the entry gives to the shape function: `same_as(x)` has ("x",)."""
    kernel: str = ""
    value: str = ""
    """Import path of the function that computes a small integer output from constant inputs while the graph is
    built."""
    gradient: str = ""
    """Import path of the gradient function; "" if no input has a rule."""
    gradients: Mapping[str, InputGradient] = field(default_factory=dict)
    """For each input, how a gradient reaches it, or why none exists."""
    broadcasts: tuple[str, ...] = ()
    """The inputs that the operation broadcasts together."""
    stops_gradients: bool = False
    """Whether the output is the input, but no gradient flows back: the operation is there to stop gradients."""
    effect: Effect = ""
    tf_names: Mapping[str, str] = field(default_factory=dict)
    """TensorFlow's name of each input and attribute that has another name here: {"axis": "reduction_indices"}."""

    @cached_property
    def has_one_output(self) -> bool:
        """Whether there is exactly one output, whatever the attributes are."""
        return len(self.outputs) == 1 and not self.outputs[0].count

    @cached_property
    def input_names(self) -> tuple[str, ...]:
        """The names of the inputs, in order."""
        return tuple(each.name for each in self.inputs)

    @cached_property
    def flows(self) -> tuple[InputGradient, ...]:
        """How a gradient reaches each input, in order."""
        return tuple(self.gradients[name] for name in self.input_names)

    @cached_property
    def ruled(self) -> tuple[str, ...]:
        """The inputs whose gradients the gradient function gives."""
        return tuple(name for name in self.input_names if self.gradients[name] is Flow.RULE)

    @cached_property
    def has_list_inputs(self) -> bool:
        """Whether an input is a list of operands."""
        return any(each.kind != "one" for each in self.inputs)

    @cached_property
    def has_exact_attrs(self) -> bool:
        """Whether equal attributes are the same: 0.0 equals -0.0, and arrays are neither compared nor hashed."""
        return not any("tensor" in each.kind or "float" in each.kind for each in self.attrs)

    @cached_property
    def counts(self) -> tuple[str, ...]:
        """The attributes that say how many outputs there are."""
        return tuple(each.count for each in self.outputs if each.count)

    @cached_property
    def wrapper(self) -> Any:
        """The generated class."""
        return getattr(import_module(self.module), self.class_name)

    def doc_of(self, name: str) -> str:
        """The registry's doc of an input or attribute; "" for an operation that is not generated."""
        inputs = getattr(import_module(self.module), f"{self.class_name}Inputs", None)
        doc = None if inputs is None else getattr(inputs, name).__doc__
        return " ".join((doc or "").split())

    @cached_property
    def _shape_function(self) -> Callable[..., Shape | tuple[Shape, ...]]:
        return resolve(self.shape)

    @cached_property
    def _value_function(self) -> Callable[[OpView], Value | None] | None:
        return resolve(self.value) if self.value else None

    def infer_shapes(self, view: OpView) -> tuple[Shape, ...]:
        """The shapes of the outputs; an error if the inputs do not fit.

        Building, feeds, runs and the type checker all call this.
        """
        shapes = self._shape_function(view, *self.shape_args)
        return (shapes,) if isinstance(shapes, Shape) else shapes

    def infer_values(self, view: OpView) -> tuple[Value | None, ...] | None:
        """The static values of the outputs; None if none is known."""
        function = self._value_function
        value = None if function is None else function(view)
        if value is None:
            return None
        values: tuple[Value | None, ...] = (value,) if self.has_one_output else value
        return values
