"""The package of a group, and the package above the groups: names are imported when they are first used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from typegrad_codegen.module import header
from typegrad_codegen.schema import OpSpec

__all__ = ["render_group", "render_package", "render_table"]


def render_group(package: str, operations: Sequence[OpSpec], source: str) -> str:
    """`linalg/__init__.py`."""
    group = operations[0].group
    names = {op.class_name: f"{package}.{group}.{op.module}" for op in operations}
    return _lazy(f"The operations of group `{group}`.", names, source)


def render_package(package: str, groups: Sequence[str], source: str) -> str:
    """The `__init__.py` above the groups."""
    names = {"Ops": f"{package}._ops"}
    return _lazy("The generated operations, a package per group, and `Ops`, which has them all as methods.", names, source, groups)


def _lazy(doc: str, names: Mapping[str, str], source: str, packages: Sequence[str] = ()) -> str:
    hints = "".join(f"    from {module} import {name} as {name}\n" for name, module in sorted(names.items(), key=lambda item: item[1]))
    rows = "".join(f'            "{name}": "{module}",\n' for name, module in sorted(names.items()))
    exported = "".join(f'    "{name}",\n' for name in sorted([*names, *packages], key=lambda name: (name[0].islower(), name)))
    return (
        f'{header(source)}"""{doc}"""\n\nfrom __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\n'
        + (_hints(packages) if packages else "")
        + f"if TYPE_CHECKING:\n{hints}"
        f"else:\n    from typegrad.lazy import lazy\n\n    __getattr__, __dir__ = lazy(\n        __name__,\n        {{\n{rows}        }},\n    )\n"
        f"\n__all__ = [\n{exported}]\n\n__typegrad_generated__ = True\n"
    )
