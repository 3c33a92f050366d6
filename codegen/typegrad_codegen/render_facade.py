"""The facade: a method per operation, with the signature and the docs of its `create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from typegrad_codegen.docs import create_doc, docstring
from typegrad_codegen.methods import Method, import_of, method
from typegrad_codegen.module import Names, header, imports, indent, layout, variable_names
from typegrad_codegen.names import pascal
from typegrad_codegen.render_op import OVERLAPS, signature_text, type_variable
from typegrad_codegen.schema import CORE, OpSpec
from typegrad_codegen.signature import Create, create

__all__ = ["facade_class", "render_facade", "render_ops"]

_OVERLAPS: Final = (
    f"{OVERLAPS}# The method behind them passes arguments of any type on, for which Pyright finds no single overload.\n"
    "# pyright: reportUnknownVariableType=false\n"
)


def facade_class(group: str) -> str:
    """Name the facade class of a group."""
    return f"{pascal(group)}Ops"


def render_facade(package: str, operations: Sequence[OpSpec], functions: Sequence[str], source: str) -> str:
    """Write `linalg/_facade.py`. A function takes the place of an operation of its name."""
    group = operations[0].group
    added = [method(path) for path in functions]
    hidden = {each.name for each in added}
    forms = [(op, create(op)) for op in operations if op.module not in hidden]
    bounds: dict[str, str] = {"S": "tuple[int, ...]"} if any(form.has_shape for _, form in forms) else {}
    shared = Names({})
    methods: dict[str, str] = {}
    for op, form in forms:
        names = Names(_declare(form.variables, bounds), wrappers=f"_{group}.")
        methods[op.module] = names(_method(op, form.mapped(names), group))
        shared.used |= names.used
    methods |= {each.name: shared(each.text) for each in added}
    doc = docstring(f"The operations of group `{group}` as methods; each adds one operation to the scope's graph.", 1)
    for_checkers = sorted(frozenset[str]().union(*(each.for_checkers for each in added)))
    body = shared(_declarations(bounds, for_checkers) + f"\n\nclass {facade_class(group)}(«GroupOps»):\n") + indent(
        "\n".join([doc, *(text for _, text in sorted(methods.items()))])
    )
    homes = {each.path.partition(":")[0] for each in added}
    parts = [
        header(source),
        _OVERLAPS if added or any(form.overlaps for _, form in forms) else "",
        docstring(f"The operations of group `{group}` as methods.", 0),
        "\nfrom __future__ import annotations\n\n",
        imports(shared.used, [f"from {package} import {group} as _{group}", *map(import_of, homes)]),
        f'\n__all__ = ["{facade_class(group)}"]\n\n__typegrad_generated__ = True\n',
        _table(added),
        body,
    ]
    return "".join(parts)


def _table(added: Sequence[Method]) -> str:
    """What the type checker's plugin reads."""
    rows = "".join(f'    "{each.name}": "{each.path}",\n' for each in sorted(added, key=lambda each: each.name))
    return f"\n_FUNCTIONS = {{\n{rows}}}\n" if added else ""


def _declare(variables: Mapping[str, str], bounds: dict[str, str]) -> dict[str, str]:
    """Name the variables of one method. Methods share a variable of the same name and bound; `bounds` collects them all."""
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


def _declarations(bounds: Mapping[str, str], statements: Sequence[str]) -> str:
    """Declare the variables, and import what functions' annotations name: all in annotations alone, which are never evaluated."""
    lines = "".join(f"{line}\n" for line in statements) + "\n" * bool(statements and bounds)
    lines += "".join(type_variable(name, bound) for name, bound in bounds.items())
    return f"\nif «TYPE_CHECKING»:\n{indent(lines)}" if lines else ""


def _method(op: OpSpec, form: Create, group: str) -> str:
    overloads = [signature_text(op.module, signature, "self", "...", ["@«overload»"]) for signature in form.overloads]
    parameters = form.implementation.parameters
    passed = [f"{item.name}={item.name}" if item.keyword else item.name for item in parameters]
    doc = docstring(create_doc(op, scope=False), 2)
    body = f"{doc}{layout(f'return _{group}.{op.class_name}.create(', ['self._scope', *passed], ')', 2)}\n"
    return "\n".join([*overloads, signature_text(op.module, form.implementation, "self", body, [])])


def render_ops(package: str, groups: Sequence[str], source: str) -> str:
    """Write `_ops.py`: the class `Ops`."""
    names = Names({})
    others = [group for group in groups if group != CORE]
    bases = ([facade_class(CORE)] if CORE in groups else []) + ["«Facade»"]
    doc = docstring("Every operation as a method: `tf = Ops.create(graph)`, then `tf.linalg.mat_mul(a, b)`.", 1)
    members = "\n".join([doc, *(_group_property(group) for group in others)])
    body = names(f"@«final»\nclass Ops({', '.join(bases)}):\n{indent(members)}")
    facades = [f"from {package}.{group}._facade import {facade_class(group)}" for group in groups]
    return (
        f'{header(source)}"""`Ops`, the facade of all operations."""\n\nfrom __future__ import annotations\n\n'
        f'{imports(names.used, facades)}\n__all__ = ["Ops"]\n\n__typegrad_generated__ = True\n\n\n{body}'
    )


def _group_property(group: str) -> str:
    doc = docstring(f"The operations of group `{group}`.", 2)
    body = f"{doc}return {facade_class(group)}(self._scope)\n"
    return f"@«cached_property»\ndef {group}(self) -> {facade_class(group)}:\n{indent(body)}"
