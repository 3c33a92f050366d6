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
from typegrad_codegen.schema import Entry, EntryAttr, EntryInput, EntryType
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


def overloads(op: Entry) -> list[str]:
    """The forms of `create` that `declaration.signatures` leaves out, because they are many."""
    signature = _create(op)
    shown = declaration.signatures(op)
    return (
        []
        if len(signature.overloads) in (0, len(shown))
        else [declaration.Form(op.class_name, each).text(_LIMIT) for each in signature.overloads]
    )


def _create(op: Entry) -> Create:
    return create(op).mapped(_names(op))


def _names(op: Entry) -> Names:
    return Names(variable_names([each.name for each in op.types], [op.class_name]))


def rows(op: Entry) -> list[Row]:
    """The parameters of `create` with their types, defaults and meanings."""
    signature = _create(op).implementation
    docs = {
        **{each.name: _input_doc(op, each) for each in op.inputs},
        **{each.name: _type_doc(op, each) for each in op.explicit_types},
        **{each.name: _attr_doc(each) for each in op.attrs},
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


def _tf(op: Entry, name: str) -> str:
    return f" TensorFlow's name: `{op.tf_names[name]}`." if name in op.tf_names else ""


def _shown_default(op: Entry, name: str, default: str | None) -> str:
    """The default; for an optional input, the value that replaces it."""
    stated = next((each.default for each in op.inputs if each.name == name), None)
    return default or "" if stated is None or isinstance(stated, str) else str(stated)


def _input_doc(op: Entry, input_: EntryInput) -> str:
    parts = [accessor_doc(input_.doc)]
    if input_.integers:
        parts.append("Plain Python integers become a constant.")
    if isinstance(input_.default, str):
        parts.append(f"If left out: {_summary(resolve(op.functions.defaults[input_.name]))}")
    return " ".join(parts)


def _type_doc(op: Entry, type_: EntryType) -> str:
    outputs = [output.name for output in op.outputs if output.type == type_.name]
    return f"The element type of `{'`, `'.join(outputs)}`." if outputs else "An element type."


def _attr_doc(attr: EntryAttr) -> str:
    least = "" if attr.minimum is None else f" At least {attr.minimum}."
    return accessor_doc(attr.doc) + least


# Members


def methods(op: Entry) -> list[Method]:
    """The members that the class itself defines, the most useful first."""
    return list(_methods(op))


def _methods(op: Entry) -> Iterator[Method]:
    names = _names(op)
    implementation = _create(op).implementation
    parameters = [item.name for item in implementation.parameters]
    yield Method(f"create({', '.join(['scope', *parameters])}) -> {implementation.returns}", op.summary, "static")
    wrapped = f"Wrap an existing {op.name} node; raise a `GraphError` for any other operation."
    yield Method(f"of(operation: Operation) -> {op.class_name}", wrapped, "static")
    if op.is_operand:
        yield Method(f"as_output() -> Output[{_element(op, 0, names)}, S]", "The only output.", "")
    for index, output in enumerate(op.outputs):
        single = f"Output[{_element(op, index, names)}" + (", S]" if op.is_operand else "]")
        annotation = f"list[{single}]" if op.is_list(output) else single
        yield Method(f"{output.name} -> {annotation}", accessor_doc(output.doc), "property")
    arguments = [*(each.name for each in op.inputs), *(each.name for each in op.attrs)]
    listed = ", ".join(f"`{name}`" for name in arguments) or "none"
    yield Method(f"inputs -> {op.class_name}Inputs", f"Typed access to inputs and attributes: {listed}.", "property")
    yield Method("op -> Operation", "The node in the graph.", "property")
    yield Method(f'OP_NAME = "{op.name}"', "TensorFlow's name of the operation.", "constant")


def _element(op: Entry, index: int, names: Names) -> str:
    kind = op.outputs[index].type
    if kind in BY_NAME:
        return BY_NAME[kind].__name__
    return names(f"«T:{kind}»") if kind not in op.mixed_types else "Any"


def inherited(op: Entry) -> list[tuple[str, list[tuple[str, str]]]]:
    """The public members that come from base classes: per class, names with the first line of their docstrings."""
    bases = (Operand,) if op.is_operand else ()
    return [(base.__name__, list(_public(base))) for base in (*bases, Wrapper)]


def _public(cls: type) -> Iterator[tuple[str, str]]:
    for name, member in sorted(vars(cls).items()):
        if not name.startswith("_") and name not in ("op", "OP_NAME", "as_output"):
            yield name, _summary(member)


def _summary(member: object) -> str:
    return " ".join((inspect.getdoc(member) or "").partition("\n\n")[0].split())
