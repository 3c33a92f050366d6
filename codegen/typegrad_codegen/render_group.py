"""The package of a group, and the package above the groups: names are imported when they are first used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from typegrad_codegen.module import header
from typegrad_codegen.schema import OpSpec

__all__ = ["render_group", "render_package", "render_table"]


def render_group(package: str, operations: Sequence[OpSpec], source: str) -> str:
    """`linalg/__init__.py`."""
    group = operations[0].group
    names = {op.class_name: f"{package}.{group}.{op.module}:{op.class_name}" for op in operations}
    return _lazy(f"The operations of group `{group}`.", names, source)


def render_package(package: str, groups: Sequence[str], source: str) -> str:
    """The `__init__.py` above the groups."""
    names = {group: f"{package}.{group}" for group in groups}
    names["Ops"] = f"{package}._ops:Ops"
    return _lazy("A package per group of operations, and `Ops`, which has them all as methods.", names, source)


def render_table(package: str, operations: Sequence[OpSpec], source: str) -> str:
    """`_table.py`: where the wrapper class of each operation is."""
    rows = "".join(
        f'    "{op.name}": "{package}.{op.group}.{op.module}:{op.class_name}",\n'
        for op in sorted(operations, key=lambda op: op.name)
    )
    return (
        f'{header(source)}"""Where the wrapper class of each operation is."""\n\n'
        "from __future__ import annotations\n\nfrom collections.abc import Mapping\nfrom typing import Final\n\n"
        f'__all__ = ["TABLE"]\n\n__typegrad_generated__ = True\n\nTABLE: Final[Mapping[str, str]] = {{\n{rows}}}\n'
    )


def _lazy(doc: str, names: Mapping[str, str], source: str) -> str:
    """A module whose `names` are imported on first use; type checkers and editors see ordinary imports."""
    hints = sorted(_hint(name, target) for name, target in names.items())
    rows = [f'"{name}": "{target}",' for name, target in sorted(names.items())]
    exported = [f'"{name}",' for name in sorted(names, key=lambda name: (name[0].islower(), name))]
    return (
        f'{header(source)}"""{doc}"""\n\n'
        "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\n"
        f"__all__ = [\n{_rows(exported, 1)}]\n\n__typegrad_generated__ = True\n\n"
        f"if TYPE_CHECKING:\n{_rows(hints, 1)}else:\n    from typegrad.lazy import lazy\n\n"
        f"    __getattr__, __dir__ = lazy(\n        __name__,\n        {{\n{_rows(rows, 3)}        }},\n    )\n"
    )


def _hint(name: str, target: str) -> str:
    module, _, attribute = target.partition(":")
    home = module if attribute else module.rpartition(".")[0]
    return f"from {home} import {name} as {name}"


def _rows(lines: Iterable[str], depth: int) -> str:
    return "".join(f"{'    ' * depth}{line}\n" for line in lines)
