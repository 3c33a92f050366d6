"""The properties of the generated classes: typed access to inputs, attributes and outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from typegrad_codegen.docs import accessor_doc, docstring
from typegrad_codegen.module import layout
from typegrad_codegen.op_types import OpTypes
from typegrad_codegen.schema import EntryAttr, EntryInput
from typegrad_codegen.signature import python_type
from typegrad_codegen.template import fill
from typegrad_codegen.unicode_math import formulas

__all__ = ["Accessor", "input_accessors", "output_accessors"]

_PROPERTY: Final = """\
@property
def $name(self) -> $type:
    $doc
    return $value
"""


@frozen
class Accessor:
    """A property: its name, its type, the expression that it returns, and its text in the entry."""

    name: str
    type: str
    value: str
    doc: str

    def render(self) -> str:
        """Write the property."""
        return fill(
            _PROPERTY,
            name=self.name,
            type=self.type,
            doc=docstring(formulas(accessor_doc(self.doc)), 2),
            value=self.value,
        )

    def stub(self) -> str:
        """Write what type checkers need of the property."""
        return f"@property\ndef {self.name}(self) -> {self.type}: ..."


def input_accessors(types: OpTypes) -> Iterator[Accessor]:
    """The properties of the class of inputs: inputs, types that the caller states, attributes."""
    op = types.op
    is_list = [each.kind != "one" for each in op.inputs]
    for index, input_ in enumerate(op.inputs):
        output = f"«Output»[{types.element(input_.type)}]"
        annotation = f"list[{output}]" if is_list[index] else output
        yield Accessor(input_.name, annotation, _input(op.inputs, index), input_.doc)
    for type_ in op.explicit_types:
        yield Accessor(
            type_.name, "«ElementType»", _attr(type_.name, "«ElementType»"), f"The element type `{type_.name}`."
        )
    for attr in op.attrs:
        yield Accessor(attr.name, _attr_type(attr), _attr(attr.name, _attr_type(attr)), attr.doc)


def output_accessors(types: OpTypes) -> Iterator[Accessor]:
    """The properties of the wrapper class: its outputs."""
    op = types.op
    is_list = [op.is_list(each) for each in op.outputs]
    for index, output in enumerate(op.outputs):
        annotation = types.output(output)
        if is_list[index]:
            yield Accessor(output.name, f"list[{annotation}]", f'self.op.output_list("{output.name}")', output.doc)
        else:
            position = index - len(op.outputs) if any(is_list[:index]) else index
            yield Accessor(output.name, annotation, f"self.op.outputs[{position}]", output.doc)


def _input(inputs: Sequence[EntryInput], index: int) -> str:
    """The input at `index`; list inputs are of any length, so what follows them is counted from the end."""
    lists = [position for position, each in enumerate(inputs) if each.kind != "one"]
    if not lists or index < lists[0]:
        return f"self._op.inputs[{index}]"
    if index > lists[-1]:
        return f"self._op.inputs[{index - len(inputs)}]"
    return f"«list_input»(self._op, {index})" + ("" if index in lists else "[0]")


def _attr(name: str, annotation: str) -> str:
    """The attribute `name`; the attributes of a node are of any type."""
    value = f'self._op.attrs["{name}"]'
    escaped = annotation.replace("\\", "\\\\").replace("'", "\\'")
    text = f"'{escaped}'" if '"' in annotation else f'"{annotation}"'
    return value if annotation == "«Any»" else layout("«_cast»(", [text, value], ")", 2)


def _attr_type(attr: EntryAttr) -> str:
    """The type of a checked attribute: lists are tuples, shapes are `Shape`."""
    passed = python_type(attr).replace("«ShapeLike»", "«Shape»")
    return passed.replace("«Sequence»[", "tuple[")[:-1] + ", ...]" if attr.type.startswith("list(") else passed
