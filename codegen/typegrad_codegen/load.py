"""Loading a registry: every file of a folder, parsed and checked, all errors at once; or parsed alone, to show it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from attrs import evolve

from typegrad_codegen.check import check, functions
from typegrad_codegen.dtypes import Leaf, marker_sets
from typegrad_codegen.parse import parse_file, parse_groups, parse_sets
from typegrad_codegen.problems import Notes, Problem, Problems, RegistryError
from typegrad_codegen.schema import TYPEGRAD, Entry, Group, Registry
from typegrad_codegen.tree import Node, read

__all__ = ["load", "parsed", "with_functions"]

_SETS: Final = "types.yaml"
_GROUPS: Final = "groups.yaml"
_OWN: Final = "ops"


def load(folder: Path, package: str = TYPEGRAD) -> Registry:
    """The registry in `folder`; a `RegistryError` with everything that is wrong.

    `package` is for the generated classes. The package above it has `kernels`, `shapes` and `rules`, with the
    functions that entries name without a package.
    """
    errors: list[Problem] = []
    operations = _parse(folder, package, errors)
    groups = _load_groups(folder, operations, errors)
    checked = check(operations, package.rpartition(".")[0], errors)
    for op in checked:
        if op.page and not _is_inside(folder, op.page):
            expected = "expected a file of Markdown, by its path from the registry's folder"
            Problems(op.file, errors).add(
                op.lines["page"], f"{op.name}.page", f"there is no file {op.page!r}; {expected}"
            )
    if errors:
        raise RegistryError(errors)
    # In an installed package, the folder of typegrad's own registry has another name.
    return Registry(_OWN if package == TYPEGRAD else folder.name, tuple(checked), groups, package)


def parsed(folder: Path) -> tuple[Entry, ...]:
    """The entries of typegrad's own registry in `folder`, which are not checked again, and lack their functions."""
    errors: list[Problem] = []
    operations = _parse(folder, TYPEGRAD, errors)
    if errors:
        raise RegistryError(errors)
    return tuple(operations)


def with_functions(op: Entry) -> Entry:
    """A parsed entry of typegrad's own registry with its functions."""
    errors: list[Problem] = []
    result = functions(op, TYPEGRAD.rpartition(".")[0], Notes(op, Problems(op.file, errors)))
    if errors:
        raise RegistryError(errors)
    return evolve(op, functions=result)


def _parse(folder: Path, package: str, errors: list[Problem]) -> list[Entry]:
    operations: list[Entry] = []
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise RegistryError([Problem(str(folder), 0, "", "no registry here; expected a folder of .yaml files")])
    sets = _load_sets(folder, errors)
    for file in files:
        if file.name not in (_SETS, _GROUPS):
            problems = Problems(f"{folder.name}/{file.name}", errors)
            node = _read(file, problems)
            if node is not None:
                operations.extend(parse_file(node, sets, problems))
    return [evolve(op, package=package, path=folder / f"{op.stem}.yaml") for op in operations]


def _is_inside(folder: Path, page: str) -> bool:
    """Whether a page is a file in the registry's folder: a registry of somebody else must not publish other files."""
    file = os.path.realpath(folder / page)
    return Path(file).is_relative_to(os.path.realpath(folder)) and os.path.isfile(file)  # noqa: PTH113  # never raises


def _load_sets(folder: Path, errors: list[Problem]) -> dict[str, frozenset[Leaf]]:
    problems = Problems(f"{folder.name}/{_SETS}", errors)
    node = _read(folder / _SETS, problems) if (folder / _SETS).exists() else None
    return marker_sets() if node is None else parse_sets(node, marker_sets(), problems)


def _load_groups(folder: Path, operations: list[Entry], errors: list[Problem]) -> dict[str, Group]:
    problems = Problems(f"{folder.name}/{_GROUPS}", errors)
    node = _read(folder / _GROUPS, problems) if (folder / _GROUPS).exists() else None
    return {} if node is None else parse_groups(node, {op.group for op in operations}, problems)


def _read(file: Path, problems: Problems) -> Node | None:
    try:
        return read(file.read_bytes().decode(), problems)
    except OSError as error:
        problems.add(0, "", f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problems.add(line, "", f"byte {error.object[error.start]:#04x} is not valid UTF-8; save the file as UTF-8")
    return None
