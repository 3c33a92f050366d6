"""How an operation is declared and called, as readers see it: short names, no imports."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from typegrad.base.types import BY_NAME
from typegrad_codegen.module import Names, variable_names
from typegrad_codegen.names import pascal
from typegrad_codegen.schema import CORE, Entry
from typegrad_codegen.signature import Signature, create

__all__ = ["Form", "declaration", "facade", "facade_name", "shape_parameters", "signatures"]

_READABLE: Final = 4
"""A list of more overloads than this says less than the general form."""


@frozen
class Form:
    """One form of `create`."""

    class_name: str
    signature: Signature

    def text(self, width: int) -> str:
        """As it is called: on one line if it fits, else an argument a line."""
        positional = [item.render() for item in self.signature.parameters if not item.keyword]
        keywords = [item.render() for item in self.signature.parameters if item.keyword]
        arguments = ["scope: Scope", *positional, *(["*", *keywords] if keywords else [])]
        start, end = f"{self.class_name}.create(", f") -> {self.signature.returns}"
        line = f"{start}{', '.join(arguments)}{end}"
        rows = "".join(f"    {argument},\n" for argument in arguments)
        return line if len(line) <= width else f"{start}\n{rows}{end}"


def declaration(op: Entry) -> str:
    """The head of the class: "final class MatMul[T, S](Operand[T, S])"."""
    variables = _variables(op)
    types = [variables[each.name] for each in op.output_types]
    if op.is_operand:
        element = op.outputs[0].type
        operand = variables.get(element) or BY_NAME[element].__name__
        return f"final class {op.class_name}[{', '.join([*types, 'S'])}](Operand[{operand}, S])"
    parameters = ", ".join([*types, *shape_parameters(op)])
    return f"final class {op.class_name}{f'[{parameters}]' if parameters else ''}(Op)"


def shape_parameters(op: Entry) -> dict[str, str]:
    """The type parameters that are shapes, each with the output that has it."""
    if op.is_operand:
        return {"S": op.outputs[0].name}
    return {f"{pascal(each.name)}Shape": each.name for each in op.outputs if each.type not in op.mixed_types}


def facade_name(op: Entry) -> str:
    """The variable that a facade is shown as."""
    return "tf" if op.is_typegrad else op.package.partition(".")[0]


def facade(op: Entry) -> str:
    """The method of the facade, "tf.linalg.mat_mul"; for a user's package, the method of its `Ops`."""
    return f"{facade_name(op)}.{'' if op.group == CORE else f'{op.group}.'}{op.module}"


def signatures(op: Entry) -> list[Form]:
    """The forms of `create`: its overloads, or where they are too many to read, the one behind them."""
    form = create(op).mapped(Names(_variables(op)))
    shown = form.overloads if 0 < len(form.overloads) <= _READABLE else [form.implementation]
    return [Form(op.class_name, signature) for signature in shown]


def _variables(op: Entry) -> dict[str, str]:
    return variable_names([each.name for each in op.types], [op.class_name])
