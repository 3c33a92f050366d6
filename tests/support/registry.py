"""The operations and their cases, for tests of all operations."""

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
    op_def: OpDef = import_module(module).DEF
    return op_def


def stated(case: Case) -> dict[str, Any]:
    """The arguments of `create` in a case, without the operands, by name."""
    op_def = definition(case.op)
    ours = {theirs: name for name, theirs in op_def.tf_names.items()}
    known = {*op_def.types, *(item.name for item in op_def.attrs)} - {item.type for item in op_def.inputs}
    attrs = {ours.get(name, name): value for name, value in case.attrs.items()}
    return {name: value for name, value in attrs.items() if name in known}


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
    """The cases of each operation, each with its file."""
    cases: dict[str, list[tuple[str, Case]]] = {}
    for stem in files():
        for case in cases_in(stem):
            cases.setdefault(case.op, []).append((stem, case))
    return cases


@cache
def _recorded(stem: str) -> dict[str, Recorded]:
    return load(stem)


def recorded(stem: str, case: Case) -> Recorded | None:
    """TensorFlow's recorded answer to a case; None if there is none."""
    return _recorded(stem).get(identity(case))
