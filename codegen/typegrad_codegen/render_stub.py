"""The stub of a group: what type checkers read in place of a file for each operation.

It has the signatures of these files and nothing else, which makes the check of a program that imports typegrad faster:
a checker reads the operations of all groups, since the facade has them, and `Ops` is exported by typegrad.

Stubs have no functions behind overloads: mypy's plugin reads the parameters of `_create`, which only stubs have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typegrad_codegen.accessors import input_accessors, output_accessors
from typegrad_codegen.module import Names, header, imports
from typegrad_codegen.op_types import SHAPE, OpTypes, declare, generic, type_variable
from typegrad_codegen.render_group import exported
from typegrad_codegen.render_op import OVERLAPS
from typegrad_codegen.schema import Entry, Group
from typegrad_codegen.signature import Create, create
from typegrad_codegen.template import fill

__all__ = ["render_stub"]

_STUB: Final = """\
$header
$overlaps
$imports

__all__ = [
    $exported
]

__typegrad_generated__ = True

$variables

$classes
"""

_CLASSES: Final = """\
@«final»
class ${Class}Inputs(«OpInputs»$generic):
    $inputs

@«final»
class $Class($bases):
    OP_NAME: «ClassVar»[str]
    @property
    def inputs(self) -> ${Class}Inputs$parameters: ...
    $outputs
    $create
    $general
    @staticmethod
    def of(operation: «Operation») -> $wrapper: ...
"""


def render_stub(operations: Sequence[Entry], described: Group, source: str) -> str:
    """Write `linalg/__init__.pyi`."""
    forms = [(OpTypes(op), create(op)) for op in operations]
    more = exported(described)
    own = {*more, *(name for types, _ in forms for name in types.own)}
    bounds = {"S": SHAPE} if any(form.has_shape for _, form in forms) else {}
    shared = Names({}, own=own)
    classes = []
    for types, form in forms:
        names = Names(declare(form.variables, bounds, own), own=own)
        classes.append(names(_classes(types, form.mapped(names))))
        shared.used |= names.used
    parameters = dict.fromkeys(line for types, _ in forms for line in types.parameters)
    variables = shared("".join([*(type_variable(*item) for item in bounds.items()), *parameters]))
    return fill(
        _STUB,
        header=header(source),
        overlaps=OVERLAPS if any(form.overlaps for _, form in forms) else "",
        imports=imports(shared.used, (f"from {module} import {name} as {name}" for name, module in more.items())),
        exported="\n".join(f'"{name}",' for name in sorted({*more, *(op.class_name for op in operations)})),
        variables=variables,
        classes="\n".join(classes),
    )


def _classes(types: OpTypes, named: Create) -> str:
    """The classes of an operation; `named` is its signature without marks."""
    scope = "scope: «Scope»"
    overload = "@«overload»\n" if named.overloads else ""
    signatures = named.overloads or [named.implementation]
    return fill(
        _CLASSES,
        Class=types.op.class_name,
        generic=generic(types.inputs()),
        inputs="\n".join(each.stub() for each in input_accessors(types)) or "...",
        bases=types.bases(),
        parameters=types.inputs(),
        outputs="\n".join(each.stub() for each in output_accessors(types)),
        create="\n".join(f"{overload}@staticmethod\n{each.render('create', scope, ' ...')}" for each in signatures),
        general=f"@staticmethod\n{named.implementation.render('_create', scope, ' ...')}" if named.overloads else "",
        wrapper=types.wrapper(),
    )
