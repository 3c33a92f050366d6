"""What the code of functions reads and assigns outside it, as it was compiled."""

from __future__ import annotations

import dis
import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from typegrad.dry_run.source.expressions import MACHINE

__all__ = ["assigned_outside", "cells_of", "codes_in", "names_of", "read_by", "reshapes", "texts_in", "used_by"]


@functools.lru_cache(maxsize=1000)  # which keeps the code of programs
def reshapes(code: CodeType) -> bool:
    """Whether a function may give an array another shape."""
    for inner in codes_in(code):
        names = {*inner.co_names, *texts_in(inner)}
        stored = {each.argval for each in dis.get_instructions(inner) if each.opname == "STORE_ATTR"}
        if "resize" in names or not (names if "store_attribute" in names else stored).isdisjoint(("dtype", "shape")):
            return True
    return False


def assigned_outside(function: FunctionType) -> tuple[frozenset[str], list[CellType]]:
    """The global names, and the cells of others, that a function assigns, or one inside it."""
    code = function.__code__
    names, outer = _assigned_outside(code)
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    return names, [cell for name, cell in cells if name in outer]


@functools.lru_cache(maxsize=1000)  # which keeps the code of programs
def _assigned_outside(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """The global names and the names of cells that a function assigns, or one inside it."""
    stores: dict[str, set[str]] = {"STORE_GLOBAL": set(), "STORE_DEREF": set()}
    numbers = {dis.opmap[each] for each in stores}
    storing = (each for each in codes_in(code) if not numbers.isdisjoint(each.co_code[::2]))
    for each in (instruction for inner in storing for instruction in dis.get_instructions(inner)):
        if each.opname in stores:
            stores[each.opname].add(each.argval)
    return frozenset(stores["STORE_GLOBAL"]), frozenset(stores["STORE_DEREF"])


@functools.lru_cache(maxsize=1000)  # which keeps the code of programs
def _loaded_by(code: CodeType) -> Sequence[str]:
    return [each.argval for each in dis.get_instructions(code) if each.opname.startswith("LOAD_")]


def names_of(path: Callable[[], Any]) -> Sequence[str]:
    """The names of a path that a function reads: `a` and `b` of `lambda: a.b`."""
    return _loaded_by(path.__code__) if isinstance(path, FunctionType) else ()


def read_by(function: FunctionType) -> set[str]:
    """The names outside a function, and of attributes, that are read in it."""
    return {name for inner in codes_in(function.__code__) for name in (*inner.co_names, *texts_in(inner))}


def used_by(function: FunctionType, read: Collection[str]) -> list[tuple[str, Any]]:
    """What names have that are read in a function, in its own module and in modules of the program that it reads."""
    names = function.__globals__
    modules = [each for each in map(names.get, read) if isinstance(each, ModuleType) and MACHINE in vars(each)]
    return [(name, owner.get(name)) for owner in (names, *map(vars, modules)) for name in read]


def cells_of(function: FunctionType) -> dict[str, Any]:
    """The values of the names of functions around it that a function has."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells if cell != CellType()}


def texts_in(code: CodeType) -> Iterator[str]:
    """The texts in a code; in a rewritten one, the names of attributes are among them."""
    return (each for each in code.co_consts if isinstance(each, str))


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of the functions and comprehensions in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes_in(each)
