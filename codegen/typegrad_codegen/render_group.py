"""The package of a group, and the package above the groups: names are imported when they are first used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from typegrad_codegen.docs import docstring
from typegrad_codegen.module import LIMIT, header, indent, layout
from typegrad_codegen.schema import Group, OpSpec
from typegrad_codegen.signature import quoted

__all__ = ["render_group", "render_known", "render_package", "render_table"]


def render_group(package: str, operations: Sequence[OpSpec], described: Group, source: str) -> str:
    """Write `linalg/__init__.py`."""
    group = operations[0].group
    names = {op.class_name: op.module for op in operations}
    names |= {name: module for module, _, name in (path.partition(":") for path in described.exports)}
    doc = docstring(described.summary or f"The operations of group `{group}`.", 0)
    return _lazy(f"{package}.{group}", doc, names, source)


def render_package(package: str, groups: Sequence[str], source: str) -> str:
    """Write the `__init__.py` above the groups."""
    names = {"Ops": "_ops", **dict.fromkeys(groups, "")}
    doc = docstring("A package per group of operations, and `Ops`, which has them all as methods.", 0)
    return _lazy(package, doc, names, source)


def render_table(package: str, operations: Sequence[OpSpec], source: str) -> str:
    """Write `_table.py`: where the wrapper class of each operation is."""
    rows = (
        _row(op.name, f"{package}.{op.group}.{op.module}:{op.class_name}")
        for op in sorted(operations, key=lambda op: op.name)
    )
    return (
        f'{header(source)}"""Where the wrapper class of each operation is."""\n\n'
        "from __future__ import annotations\n\nfrom collections.abc import Mapping\nfrom typing import Final\n\n"
        '__all__ = ["TABLE"]\n\n__typegrad_generated__ = True\n\n'
        f"TABLE: Final[Mapping[str, str]] = {{\n{_lines(rows, 1)}}}\n"
    )


def render_known(operations: Sequence[OpSpec], source: str) -> str:
    """Write `_known.py`: what the operations are called elsewhere, for the messages about names that are not here."""
    rows = []
    for op in sorted(operations, key=lambda op: (op.group, op.class_name)):
        known = [f"tf.raw_ops.{op.name}", *([op.java_class] if op.java_class else []), *op.known_as]
        names: list[str] = list(dict.fromkeys(known))
        rows.append(layout(f'"{op.group}.{op.class_name}": [', map(quoted, names), "],", 1))
    return (
        f'{header(source)}"""What the operations are called in other libraries."""\n\n'
        "from __future__ import annotations\n\nfrom collections.abc import Mapping, Sequence\nfrom typing import Final\n\n"
        '__all__ = ["KNOWN"]\n\n__typegrad_generated__ = True\n\n'
        f"KNOWN: Final[Mapping[str, Sequence[str]]] = {{\n{_lines(rows, 1)}}}\n"
    )


def _row(key: str, value: str) -> str:
    row = f'"{key}": "{value}",'
    return row if len(row) + 4 <= LIMIT else f'"{key}": (\n    "{value}"\n),'


def _lazy(package: str, doc: str, names: Mapping[str, str], source: str) -> str:
    """Write a package whose names are imported on first use; type checkers and editors see ordinary imports.

    `names` maps each to the module that defines it (with dots: an absolute path), or to "" if it is itself a module.
    """
    hints = sorted(_hint(package, name, module) for name, module in names.items())
    rows = [f'"{name}": "{module}",' for name, module in sorted(names.items())]
    exported = [f'"{name}",' for name in sorted(names, key=lambda name: (name[0].islower(), name))]
    return (
        f"{header(source)}{doc}\n"
        "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\n"
        f"__all__ = [\n{_lines(exported, 1)}]\n\n__typegrad_generated__ = True\n\n"
        f"if TYPE_CHECKING:\n{_lines(hints, 1)}else:\n    from typegrad.arguments.lazy import lazy\n\n"
        f"    __getattr__, __dir__ = lazy(\n        __name__,\n        {{\n{_lines(rows, 3)}        }},\n    )\n"
    )


def _hint(package: str, name: str, module: str) -> str:
    home = module if "." in module else f"{package}.{module}" if module else package
    line = f"from {home} import {name} as {name}"
    return line if len(line) + 4 <= LIMIT else f"from {home} import (\n    {name} as {name},\n)"


def _lines(lines: Iterable[str], depth: int) -> str:
    return indent("".join(f"{line}\n" for line in lines), depth)
