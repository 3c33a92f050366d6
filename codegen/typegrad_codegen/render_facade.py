"""The facade: a method per operation, with the signature and the docs of its `create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from typegrad_codegen.docs import create_doc, docstring
from typegrad_codegen.methods import Method, import_of, method
from typegrad_codegen.module import Names, header, imports, layout
from typegrad_codegen.names import pascal
from typegrad_codegen.op_types import SHAPE, declare, type_variable
from typegrad_codegen.render_op import OVERLAPS
from typegrad_codegen.schema import CORE, Entry
from typegrad_codegen.signature import Create, create
from typegrad_codegen.template import fill

__all__ = ["facade_class", "render_facade", "render_ops"]

_OVERLAPS: Final = (
    f"{OVERLAPS}# The method behind them passes arguments of any type on, for which Pyright finds no single overload.\n"
    "# pyright: reportUnknownVariableType=false\n"
)

_FACADE: Final = '''\
$header
$overlaps
"""The operations of group `$group` as methods."""

from __future__ import annotations

$imports

__all__ = ["$Class"]

__typegrad_generated__ = True

$functions

$declarations


class $Class($base):
    """The operations of group `$group` as methods; each adds one operation to the scope's graph."""

    $methods
'''

_METHOD: Final = """\
$overloads

$signature
    $doc
    $call
"""

_FUNCTIONS: Final = """\
_FUNCTIONS = {
    $rows
}
"""
"""What the type checker's plugin reads."""

_DECLARATIONS: Final = """\
if «TYPE_CHECKING»:
    $imports

    $variables
"""
"""Only annotations name these, and they are never evaluated."""

_OPS: Final = '''\
$header
"""`Ops`, the facade of all operations."""

from __future__ import annotations

$imports

__all__ = ["Ops"]

__typegrad_generated__ = True


$class_
'''

_OPS_CLASS: Final = '''\
@«final»
class Ops($bases):
    """Every operation as a method: `tf = Ops.create(graph)`, then `tf.linalg.mat_mul(a, b)`."""

    $groups
'''

_GROUP: Final = '''\
@«cached_property»
def $group(self) -> $Class:
    """The operations of group `$group`."""
    return $Class(self._scope)
'''


def facade_class(group: str) -> str:
    """Name the facade class of a group."""
    return f"{pascal(group)}Ops"


def render_facade(package: str, operations: Sequence[Entry], functions: Sequence[str], source: str) -> str:
    """Write `linalg/_facade.py`. A function takes the place of an operation of its name."""
    group = operations[0].group
    added = [method(path) for path in functions]
    hidden = {each.name for each in added}
    forms = [(op, create(op)) for op in operations if op.module not in hidden]
    bounds: dict[str, str] = {"S": SHAPE} if any(form.has_shape for _, form in forms) else {}
    shared = Names({})
    methods: dict[str, str] = {}
    for op, form in forms:
        names = Names(declare(form.variables, bounds), wrappers=f"_{group}.")
        methods[op.module] = names(_method(op, form.mapped(names), group))
        shared.used |= names.used
    methods |= {each.name: shared(each.text) for each in added}
    modules = {import_of(each.path.partition(":")[0]) for each in added}.union(*(each.for_defaults for each in added))
    declarations = shared(_declarations(bounds, added))
    base = shared("«GroupOps»")
    return fill(
        _FACADE,
        header=header(source),
        overlaps=_OVERLAPS if added or any(form.overlaps for _, form in forms) else "",
        group=group,
        imports=imports(shared.used, [f"from {package} import {group} as _{group}", *modules]),
        Class=facade_class(group),
        functions=_functions(added),
        declarations=declarations,
        base=base,
        methods="\n".join(text for _, text in sorted(methods.items())),
    )


def _functions(added: Sequence[Method]) -> str:
    rows = "".join(f'"{each.name}": "{each.path}",\n' for each in sorted(added, key=lambda each: each.name))
    return fill(_FUNCTIONS, rows=rows) if added else ""


def _declarations(bounds: Mapping[str, str], added: Sequence[Method]) -> str:
    """Declare the variables, and import what functions' annotations name."""
    statements = sorted(
        frozenset[str]()
        .union(*(each.for_checkers for each in added))
        .difference(*(each.for_defaults for each in added))
    )
    if not bounds and not statements:
        return ""
    return (
        fill(
            _DECLARATIONS,
            imports="\n".join(statements),
            variables="".join(type_variable(name, bound) for name, bound in bounds.items()),
        ).rstrip()
        + "\n"
    )


def _method(op: Entry, form: Create, group: str) -> str:
    parameters = form.implementation.parameters
    passed = [f"{item.name}={item.name}" if item.keyword else item.name for item in parameters]
    return fill(
        _METHOD,
        overloads="\n".join(f"@«overload»\n{each.render(op.module, 'self', ' ...')}\n" for each in form.overloads),
        signature=form.implementation.render(op.module, "self"),
        doc=docstring(create_doc(op, scope=False), 2),
        call=layout(f"return _{group}.{op.class_name}.create(", ["self._scope", *passed], ")", 2),
    )


def render_ops(package: str, groups: Sequence[str], source: str) -> str:
    """Write `_ops.py`: the class `Ops`."""
    names = Names({})
    bases = ([facade_class(CORE)] if CORE in groups else []) + ["«Facade»"]
    members = [fill(_GROUP, group=group, Class=facade_class(group)) for group in groups if group != CORE]
    text = names(fill(_OPS_CLASS, bases=", ".join(bases), groups="\n".join(members)))
    facades = [f"from {package}.{group}._facade import {facade_class(group)}" for group in groups]
    return fill(_OPS, header=header(source), imports=imports(names.used, facades), class_=text)
