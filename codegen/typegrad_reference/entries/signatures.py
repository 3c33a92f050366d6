"""The members of a wrapper class and the parameters of its `create`, as the page of an operation shows them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from typegrad.base.types import BY_NAME
from typegrad.graph.definition import resolve
from typegrad.graph.operand import Operand
from typegrad.graph.wrapper import Wrapper
from typegrad_codegen.docs import accessor_doc
from typegrad_codegen.module import Names, variable_names
from typegrad_codegen.schema import AttrSpec, InputSpec, OpSpec, TypeSpec
from typegrad_codegen.signature import Create, create
from typegrad_reference.entries import declaration

__all__ = ["Method", "Row", "inherited", "methods", "overloads", "rows"]

_LIMIT: Final = 84


@frozen
class Row:
    """A parameter of `create`."""

    name: str
    type: str
    default: str
    doc: str


@frozen
class Method:
    """A member of the wrapper class: its signature and, in a sentence, what it is."""

    signature: str
    doc: str
    kind: str
    """"static", "property", "constant" or ""."""


def overloads(op: OpSpec) -> list[str]:
    """The forms of `create` that `declaration.signatures` leaves out, because they are many."""
    made = _create(op)
    shown = declaration.signatures(op)
    return (
        []
        if len(made.overloads) in (0, len(shown))
        else [declaration.Form(op.class_name, each).text(_LIMIT) for each in made.overloads]
    )


def _create(op: OpSpec) -> Create:
    return create(op).mapped(_names(op))


def _names(op: OpSpec) -> Names:
    return Names(variable_names([spec.name for spec in op.types], [op.class_name]))


def rows(op: OpSpec) -> list[Row]:
    """The parameters of `create` with their types, defaults and meanings."""
    signature = _create(op).implementation
    docs = {
        **{spec.name: _input_doc(op, spec) for spec in op.inputs},
        **{spec.name: _type_doc(op, spec) for spec in op.explicit_types},
        **{spec.name: _attr_doc(spec) for spec in op.attrs},
    }
    first = [Row("scope", "Scope", "", "The scope in which to add the operation.")]
    return first + [
        Row(
            item.name,
            item.annotation,
            _shown_default(op, item.name, item.default),
            docs[item.name] + _tf(op, item.name),
        )
        for item in signature.parameters
    ]


def _tf(op: OpSpec, name: str) -> str:
    return f" TensorFlow's name: `{op.tf_names[name]}`." if name in op.tf_names else ""


def _shown_default(op: OpSpec, name: str, default: str | None) -> str:
    """The default; for an optional input, the value that replaces it."""
    stated = next((spec.default for spec in op.inputs if spec.name == name), None)
    return default or "" if stated is None or isinstance(stated, str) else str(stated)


def _input_doc(op: OpSpec, spec: InputSpec) -> str:
    parts = [accessor_doc(spec.doc)]
    if spec.integers:
        parts.append("Plain Python integers become a constant.")
    if isinstance(spec.default, str):
        parts.append(f"If left out: {_summary(resolve(op.functions.defaults[spec.name]))}")
    return " ".join(parts)


def _type_doc(op: OpSpec, spec: TypeSpec) -> str:
    outputs = [output.name for output in op.outputs if output.type == spec.name]
    return f"The element type of `{'`, `'.join(outputs)}`." if outputs else "An element type."


def _attr_doc(spec: AttrSpec) -> str:
    least = "" if spec.minimum is None else f" At least {spec.minimum}."
    return accessor_doc(spec.doc) + least


# Members


def methods(op: OpSpec) -> list[Method]:
    """The members that the class itself defines, the most needed first."""
    return list(_methods(op))


def _methods(op: OpSpec) -> Iterator[Method]:
    names = _names(op)
    made = _create(op).implementation
    parameters = [item.name for item in made.parameters]
    yield Method(f"create({', '.join(['scope', *parameters])}) -> {made.returns}", op.summary, "static")
    wrapped = f"Wrap an existing {op.name} node; raise a `GraphError` for any other operation."
    yield Method(f"of(operation: Operation) -> {op.class_name}", wrapped, "static")
    if op.is_operand:
        yield Method(f"as_output() -> Output[{_element(op, 0, names)}, S]", "The only output.", "")
    for index, spec in enumerate(op.outputs):
        output = f"Output[{_element(op, index, names)}" + (", S]" if op.is_operand else "]")
        shown = f"list[{output}]" if op.is_list(spec) else output
        yield Method(f"{spec.name} -> {shown}", accessor_doc(spec.doc), "property")
    arguments = [*(spec.name for spec in op.inputs), *(spec.name for spec in op.attrs)]
    listed = ", ".join(f"`{name}`" for name in arguments) or "none"
    yield Method(f"inputs -> {op.class_name}Inputs", f"Typed access to inputs and attributes: {listed}.", "property")
    yield Method("op -> Operation", "The node in the graph.", "property")
    yield Method(f'OP_NAME = "{op.name}"', "TensorFlow's name of the operation.", "constant")


def _element(op: OpSpec, index: int, names: Names) -> str:
    kind = op.outputs[index].type
    if kind in BY_NAME:
        return BY_NAME[kind].__name__
    return names(f"«T:{kind}»") if kind not in op.mixed_types else "Any"


def inherited(op: OpSpec) -> list[tuple[str, list[tuple[str, str]]]]:
    """The public members that come from base classes: per class, names with the first line of their docstrings."""
    bases = (Operand,) if op.is_operand else ()
    return [(base.__name__, list(_public(base))) for base in (*bases, Wrapper)]


def _public(cls: type) -> Iterator[tuple[str, str]]:
    for name, member in sorted(vars(cls).items()):
        if not name.startswith("_") and name not in ("op", "OP_NAME", "as_output"):
            yield name, _summary(member)


def _summary(member: object) -> str:
    return " ".join((inspect.getdoc(member) or "").partition("\n\n")[0].split())
