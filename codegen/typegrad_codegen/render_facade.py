"""The facade: a method per operation, with the signature and the docs of its `create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from typegrad_codegen.docs import create_doc, docstring
from typegrad_codegen.module import call, header, imports_of, indent, resolve, variable_names
from typegrad_codegen.names import pascal
from typegrad_codegen.render_op import OVERLAPS, signature_text
from typegrad_codegen.schema import OpSpec
from typegrad_codegen.signature import Create, create

__all__ = ["CORE", "render_facade", "render_ops"]

CORE: Final = "core"
"""The group whose operations are methods of `Ops` itself."""


def facade_class(group: str) -> str:
    """The facade class of a group."""
    return f"{pascal(group)}Ops"


def render_facade(package: str, operations: Sequence[OpSpec], source: str) -> str:
    """`linalg/_facade.py`."""
    group = operations[0].group
    bounds: dict[str, str] = {}
    used: set[tuple[str, str]] = {("GroupOps", "GroupOps"), ("TYPE_CHECKING", "TYPE_CHECKING")}
    methods = []
    overlaps = False
    for op in operations:
        form = create(op)
        overlaps |= form.overlaps
        variables = _declare(form.variables, bounds)
        text, names = resolve(_method(op, form, group), variables, lambda name: f"_{group}.{name}", ())
        methods.append(text)
        used |= names
    declarations, names = resolve(_declarations(bounds, "".join(methods)), {}, str, ())
    used |= names
    doc = docstring(f"The operations of group `{group}` as methods; each adds one operation to the scope's graph.", 1)
    own = f"from {package} import {group} as _{group}"
    parts = [
        header(source),
        OVERLAPS if overlaps else "",
        docstring(f"The operations of group `{group}` as methods.", 0),
        "\nfrom __future__ import annotations\n\n",
        imports_of(used, [own]),
        f'\n__all__ = ["{facade_class(group)}"]\n\n__typegrad_generated__ = True\n\n',
        declarations,
        f"\n\nclass {facade_class(group)}(GroupOps):\n",
        indent("\n".join([doc, *methods])),
    ]
    return "".join(parts)


def _declare(variables: Mapping[str, str], bounds: dict[str, str]) -> dict[str, str]:
    """Names for the variables of one method; methods share a variable of the same name and bound. `bounds` collects them."""
    names: dict[str, str] = {}
    for attribute, bound in variables.items():
        base = variable_names([attribute])[attribute]
        name, number = base, 1
        while bounds.get(name, bound) != bound or name in names.values():
            number += 1
            name = f"{base}_{number}"
        bounds[name] = bound
        names[attribute] = name
    return names


def _declarations(bounds: Mapping[str, str], methods: str) -> str:
    lines = [f'{name} = «TypeVar»("{name}", bound={bound})\n' for name, bound in bounds.items()]
    if "[S]" in methods or ", S]" in methods or "[S," in methods or ": S" in methods:
        lines.append('S = «TypeVar»("S", bound=tuple[int, ...])\n')
    return "if TYPE_CHECKING:\n" + indent("".join(lines)) if lines else ""


def _method(op: OpSpec, form: Create, group: str) -> str:
    overloads = [signature_text(op.module, signature, "self", "...", ["@«overload»"]) for signature in form.overloads]
    parameters = form.implementation.parameters
    passed = [item.name for item in parameters if not item.keyword]
    passed += [f"{item.name}={item.name}" for item in parameters if item.keyword]
    doc = docstring(create_doc(op, scope=False), 2)
    body = f"{doc}return {call(f'_{group}.{op.class_name}.create', ['self._scope', *passed], '', 2)}\n"
    return "\n".join([*overloads, signature_text(op.module, form.implementation, "self", body, [])])


def render_ops(package: str, groups: Sequence[str], source: str) -> str:
    """`_ops.py`: the class `Ops`."""
    others = [group for group in groups if group != CORE]
    bases = ([facade_class(CORE)] if CORE in groups else []) + ["Facade"]
    imports = [f"from {package}.{group}._facade import {facade_class(group)}" for group in groups]
    used = {("Facade", "Facade"), ("final", "final")}
    used |= {("cached_property", "cached_property")} if others else set()
    doc = docstring("Every operation as a method: `tf = Ops.create(graph)`, then `tf.linalg.mat_mul(a, b)`.", 1)
    members = [doc, *(_group_property(group) for group in others)]
    return (
        f'{header(source)}"""`Ops`, the facade of all operations."""\n\nfrom __future__ import annotations\n\n'
        f'{imports_of(used, imports)}\n__all__ = ["Ops"]\n\n__typegrad_generated__ = True\n\n\n'
        f"@final\nclass Ops({', '.join(bases)}):\n{indent(chr(10).join(members))}"
    )


def _group_property(group: str) -> str:
    doc = docstring(f"The operations of group `{group}`.", 2)
    body = f"{doc}return {facade_class(group)}(self._scope)\n"
    return f"@cached_property\ndef {group}(self) -> {facade_class(group)}:\n{indent(body)}"
