"""The operations and their cases, as the tests go through them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from support.case import Case
from support.recording import Recorded, identity, load
from typegrad.graph.definition import OpDef
from typegrad.op._table import TABLE

CASES: Final = Path(__file__).parent.parent / "cases"


@cache
def definition(name: str) -> OpDef:
    """The definition of an operation."""
    module, _, _ = TABLE[name].partition(":")
    found: OpDef = import_module(module).DEF
    return found


def stated(case: Case) -> dict[str, Any]:
    """What a case states of the arguments of `create` beside the operands, by their names there."""
    spec = definition(case.op)
    ours = {theirs: name for name, theirs in spec.tf_names.items()}
    known = {*spec.types, *(item.name for item in spec.attrs)} - {item.type for item in spec.inputs}
    found = {ours.get(name, name): value for name, value in case.attrs.items()}
    return {name: value for name, value in found.items() if name in known}


def names() -> list[str]:
    """All operations of the registry."""
    return sorted(TABLE)


def files() -> list[str]:
    """The files of cases."""
    return sorted(path.stem for path in CASES.glob("*.py") if path.stem != "__init__")


@cache
def cases_in(stem: str) -> tuple[Case, ...]:
    """The cases of one file."""
    return tuple(import_module(f"cases.{stem}").CASES)


@cache
def by_op() -> dict[str, list[tuple[str, Case]]]:
    """The cases of each operation, each with the file it stands in."""
    found: dict[str, list[tuple[str, Case]]] = {}
    for stem in files():
        for case in cases_in(stem):
            found.setdefault(case.op, []).append((stem, case))
    return found


@cache
def _recorded(stem: str) -> dict[str, Recorded]:
    return load(stem)


def recorded(stem: str, case: Case) -> Recorded | None:
    """What TensorFlow answered to a case, or None if that was not recorded."""
    return _recorded(stem).get(identity(case))
