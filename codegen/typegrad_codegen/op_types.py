"""The types in the classes of one operation: type variables, and annotations of inputs and outputs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Final

from attrs import frozen

from typegrad.base.types import BY_NAME
from typegrad_codegen.module import variable_names
from typegrad_codegen.schema import Entry, EntryOutput
from typegrad_codegen.signature import Create, leaf

__all__ = ["SHAPE", "OpTypes", "declare", "generic", "type_variable"]

SHAPE: Final = "tuple[«Any», ...]"
"""The bound of a variable for a shape."""


def type_variable(name: str, bound: str) -> str:
    """Declare a type variable. By default it is Any: a call with plain values alone does not determine it."""
    default = SHAPE if bound == SHAPE else "«Any»"
    return f'{name} = «TypeVar»("{name}", bound={bound}, default={default})\n'


def declare(variables: Mapping[str, str], bounds: dict[str, str], reserved: Collection[str] = ()) -> dict[str, str]:
    """Name the variables of one signature in a module with several.

    Signatures share a variable of the same name and bound; `bounds` collects them all.
    """
    names: dict[str, str] = {}
    for attribute, bound in variables.items():
        base = variable_names([attribute], reserved)[attribute]
        name, number = base, 1
        while bounds.get(name, bound) != bound or name in names.values():
            number += 1
            name = f"{base}_{number}"
        bounds[name] = bound
        names[attribute] = name
    return names


@frozen(slots=False)
class OpTypes:
    """The type variables and annotations of an operation's module, in the notation of `Names`."""

    op: Entry

    @cached_property
    def own(self) -> list[str]:
        """The classes of the module."""
        return [self.op.class_name, f"{self.op.class_name}Inputs"]

    @cached_property
    def variables(self) -> dict[str, str]:
        """The variable of each type attribute in `create`; in the classes, an underscore precedes it."""
        return variable_names([each.name for each in self.op.types], self.own)

    @cached_property
    def _shapes(self) -> dict[str, str]:
        """The variable for the static shape of each of several outputs. The elements of a list output share one."""
        if self.op.is_operand:
            return {}
        shaped = [each.name for each in self.op.outputs if each.type not in self.op.mixed_types]
        names = variable_names([f"{name}_shape" for name in shaped], self.variables.values())
        return {name: f"_{names[f'{name}_shape']}" for name in shaped}

    def declarations(self, form: Create) -> str:
        """Declare the variables of `create`, with exact bounds, and of the classes, which accept any type."""
        bounds = {self.variables[name]: bound for name, bound in form.variables.items()}
        if form.has_shape:
            bounds["S"] = SHAPE
        return "".join([*(type_variable(name, bound) for name, bound in bounds.items()), *self.parameters])

    @property
    def parameters(self) -> list[str]:
        """The declarations of the classes' parameters.

        They have defaults, because Pyright tries every overload of a static method of a class whose parameter is
        unknown.
        """
        shape = f"bound={SHAPE}, default={SHAPE}, covariant=True"
        return [
            *(f'{name} = «TypeVar»("{name}", bound=«TType», default=«TType»)\n' for name in self._outputs),
            *(f'{name} = «TypeVar»("{name}", {shape})\n' for name in self._shapes.values()),
        ]

    @property
    def _outputs(self) -> list[str]:
        """The variables of the wrapper class for element types."""
        return [f"_{self.variables[each.name]}" for each in self.op.output_types]

    def inputs(self) -> str:
        """The type parameters of the class of inputs, in brackets; "" if there are none."""
        fixed = {each.type for each in self.op.inputs}
        return _bracketed([f"_{self.variables[each.name]}" for each in self.op.output_types if each.name in fixed])

    def bases(self) -> str:
        """The base classes of the wrapper class."""
        op = self.op
        if op.is_operand:
            return f"«OperandOp»[{self.element(op.outputs[0].type)}, «S_co»]"
        if len(op.outputs) == 1 and op.is_list(op.outputs[0]):
            # Not of outputs: `list(unstacked)` shall be a list of operands, which takes others.
            return f"«ListOp»[{self.output(op.outputs[0]).replace('«Output»', '«Operand»', 1)}]"
        return "«Op»" + generic(_bracketed([*self._outputs, *self._shapes.values()]))

    def wrapper(self) -> str:
        """The wrapper class of a node whose types are not known."""
        return self.op.class_name + _bracketed(["«Any»" for _ in self.op.output_types])

    def element(self, name: str) -> str:
        """The element type `name`, a type or a type attribute, in the classes."""
        if name in BY_NAME:
            return leaf(BY_NAME[name])
        known = any(each.name == name for each in self.op.output_types)
        return f"_{self.variables[name]}" if known else "«Any»"

    def output(self, output: EntryOutput) -> str:
        """The type of an output; of each, if it is a list."""
        shape = "«S_co»" if self.op.is_operand else self._shapes.get(output.name)
        return f"«Output»[{', '.join([self.element(output.type), *([shape] if shape else [])])}]"


def generic(parameters: str) -> str:
    """The base class that has these parameters, after a comma."""
    return f", «Generic»{parameters}" if parameters else ""


def _bracketed(parameters: list[str]) -> str:
    return f"[{', '.join(parameters)}]" if parameters else ""
