"""The package of a group, and the package above the groups: names are imported when they are first used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from typegrad_codegen.docs import docstring
from typegrad_codegen.module import LIMIT, header, layout
from typegrad_codegen.schema import Entry, Group
from typegrad_codegen.signature import quoted
from typegrad_codegen.template import fill

__all__ = ["exported", "render_group", "render_known", "render_package", "render_table"]

_PACKAGE: Final = """\
A package for each group of operations, and `Ops`, which has them all as methods.

Arguments that do not fit an operation raise a `DTypeError`, `ShapeError` or `AttributeValueError`, and an operand of
another graph raises a `GraphError`. The docstring of each `create` lists the conditions that are particular to its
operation.
"""

_LAZY: Final = """\
$header
$doc

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = [
    $exported
]

__typegrad_generated__ = True

if TYPE_CHECKING:
    $hints
else:
    from typegrad.arguments.lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            $names
        },
    )
"""
"""A package whose names are imported on first use; type checkers and editors see ordinary imports."""

_TABLE: Final = '''\
$header
"""The import path of each operation's wrapper class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["TABLE"]

__typegrad_generated__ = True

TABLE: Final[Mapping[str, str]] = {
    $rows
}
'''

_KNOWN: Final = '''\
$header
"""The names of the operations in other libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["KNOWN"]

__typegrad_generated__ = True

KNOWN: Final[Mapping[str, Sequence[str]]] = {
    $rows
}
'''


def render_group(package: str, operations: Sequence[Entry], described: Group, source: str) -> str:
    """Write `linalg/__init__.py`."""
    group = operations[0].group
    names = {op.class_name: op.module for op in operations} | exported(described)
    doc = docstring(described.summary or f"The operations of group `{group}`.", 0)
    inputs = {f"{op.class_name}Inputs": op.module for op in operations}
    return _lazy(f"{package}.{group}", doc, names, source, inputs)


def exported(described: Group) -> dict[str, str]:
    """The module of each name that a group has from elsewhere."""
    return {name: module for module, _, name in (path.partition(":") for path in described.exports)}


def render_package(package: str, groups: Sequence[str], source: str) -> str:
    """Write the `__init__.py` above the groups."""
    names = {"Ops": "_ops", **dict.fromkeys(groups, "")}
    return _lazy(package, docstring(_PACKAGE, 0), names, source)


def render_table(package: str, operations: Sequence[Entry], source: str) -> str:
    """Write `_table.py`: the import path of each wrapper class."""
    rows = (
        _row(op.name, f"{package}.{op.group}.{op.module}:{op.class_name}")
        for op in sorted(operations, key=lambda op: op.name)
    )
    return fill(_TABLE, header=header(source), rows="\n".join(rows))


def render_known(operations: Sequence[Entry], source: str) -> str:
    """Write `_known.py`: the operations' names elsewhere, for messages about names that do not exist here."""
    rows = []
    for op in sorted(operations, key=lambda op: (op.group, op.class_name)):
        known = [f"tf.raw_ops.{op.name}", *([op.java_class] if op.java_class else []), *op.known_as]
        rows.append(layout(f'"{op.group}.{op.class_name}": [', map(quoted, dict.fromkeys(known)), "],", 1))
    return fill(_KNOWN, header=header(source), rows="\n".join(rows))


def _row(key: str, value: str) -> str:
    row = f'"{key}": "{value}",'
    return row if len(row) + 4 <= LIMIT else f'"{key}": (\n    "{value}"\n),'


def _lazy(package: str, doc: str, names: Mapping[str, str], source: str, hidden: Mapping[str, str] = {}) -> str:
    """Write a package; `names` and `hidden`, which are not for `import *`, map names to the modules that define them.

    A module with dots is an absolute path; "" means that the name is itself a module.
    """
    known = {**names, **hidden}
    return fill(
        _LAZY,
        header=header(source),
        doc=doc,
        exported="\n".join(f'"{name}",' for name in sorted(names, key=lambda name: (name[0].islower(), name))),
        hints="\n".join(sorted(_hint(package, name, module) for name, module in known.items())),
        names="\n".join(f'"{name}": "{module}",' for name, module in sorted(known.items())),
    )


def _hint(package: str, name: str, module: str) -> str:
    home = module if "." in module else f"{package}.{module}" if module else package
    line = f"from {home} import {name} as {name}"
    return line if len(line) + 4 <= LIMIT else f"from {home} import (\n    {name} as {name},\n)"
