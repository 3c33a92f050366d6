"""All files that follow from a registry."""

from __future__ import annotations

from typegrad_codegen.render_facade import render_facade, render_ops
from typegrad_codegen.render_group import render_group, render_known, render_package, render_table
from typegrad_codegen.render_op import render_op
from typegrad_codegen.render_stub import render_stub
from typegrad_codegen.schema import Group, Registry

__all__ = ["render"]


def render(registry: Registry, package: str) -> dict[str, str]:
    """The text of every generated file, by its path below the package's folder."""
    groups = registry.groups
    everything = f"{registry.folder}/*.yaml"
    files = {
        "__init__.py": render_package(package, list(groups), everything),
        "_ops.py": render_ops(package, list(groups), everything),
        "_known.py": render_known(registry.operations, everything),
        "_table.py": render_table(package, registry.operations, everything),
    }
    for group, operations in groups.items():
        described = registry.described.get(group, Group())
        files[f"{group}/__init__.py"] = render_group(package, operations, described, everything)
        files[f"{group}/__init__.pyi"] = render_stub(operations, described, everything)
        files[f"{group}/_facade.py"] = render_facade(package, operations, described.functions, everything)
        for op in operations:
            files[f"{group}/{op.module}.py"] = render_op(op, registry.folder)
    return files
