"""What a module keeps to itself, no other one uses: private names, and what it does not offer in `__all__`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import typegrad

PACKAGE: Final = Path(typegrad.__file__).parent
GENERATED: Final = PACKAGE / "op"


@cache
def trees() -> dict[str, ast.Module]:
    """Every module of the package that people write, by its full name."""
    result = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
        if GENERATED not in file.parents:
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            result[name] = ast.parse(file.read_text(encoding="utf-8"))
    return result


@cache
def offered(module: str) -> frozenset[str] | None:
    """The names in a module's `__all__`; None if it has none, or one that is computed."""
    for statement in trees()[module].body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(statement.value)) if isinstance(statement.value, ast.List) else None
    return None


def used(module: str) -> Iterator[tuple[str, str, int]]:
    """The names that a module takes from others: `from other import name`, or `other.name` behind an import."""
    imported = {}
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.ImportFrom) and node.module in trees():
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                if whole in trees():
                    imported[alias.asname or alias.name] = whole
                else:
                    yield node.module, alias.name, node.lineno
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
            yield imported[node.value.id], node.attr, node.lineno


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def bound(module: str) -> set[str]:
    """The names that a module binds."""
    names = set()
    for node in ast.walk(trees()[module]):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
    return names


def test_no_module_uses_a_private_name_of_another() -> None:
    assert [(module, *each) for module in trees() for each in used(module) if is_private(each[1])] == []


@pytest.mark.parametrize("package", ["typegrad.dry_run", "typegrad.mypy_plugin"])
def test_a_module_uses_what_another_one_offers(package: str) -> None:
    """Where `__all__` is for the other modules; elsewhere, it is for users."""
    uses = [each for module in trees() for each in used(module) if each[0].startswith(f"{package}.")]
    assert [each for each in uses if each[1] not in (offered(each[0]) or {each[1]})] == []


def test_a_module_has_what_it_offers() -> None:
    """Unless it imports that when it is first used."""
    missing = {module: (offered(module) or frozenset()) - bound(module) for module in trees()}
    assert {module: names for module, names in missing.items() if names and "__getattr__" not in bound(module)} == {}
