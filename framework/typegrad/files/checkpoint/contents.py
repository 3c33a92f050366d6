"""The contents of a checkpoint: how a session writes and reads them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from io import BufferedReader
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import numpy as np
from attrs import frozen

from typegrad.arguments.paths import as_path
from typegrad.base.array import Array
from typegrad.base.brief import quoted
from typegrad.base.errors import CheckpointError
from typegrad.base.misspelt import nearest
from typegrad.base.types import TComplex128, TType
from typegrad.files.checkpoint.atomic import replace
from typegrad.files.checkpoint.random_state import RandomState
from typegrad.files.checkpoint.safetensors import CODES, Entry, Header, read_array, read_header, write

if TYPE_CHECKING:
    from typegrad.base.variable_state import VariableState

__all__ = ["Contents", "read_checkpoint", "read_metadata", "read_values", "write_checkpoint"]

KEY: Final = "typegrad"
"""The metadata key of the random state."""

_LISTED: Final = 20
"""How many names a message lists of each kind of problem."""

_OTHERS: Final = "`names` chooses what to restore: leave these out, and they keep their values"
_ADVICE: Final = {
    "of another type": _OTHERS,
    "of another shape": _OTHERS,
    "missing from the file": "`names` chooses what to restore; strict=False leaves out what is missing",
    "in the file, but not in the graph": "strict=False leaves the rest of the file alone",
    "of another seed": "random=False keeps the random numbers of this session",
}

_TYPES: Final = {code: dtype.name for dtype, code in CODES.items()}
"""The names, as elsewhere in messages, of the format's types."""

_Problems: TypeAlias = dict[str, list[str]]
"""For each kind of problem, what has it."""


@frozen
class Contents:
    """What was read: values by the variables' names, and the random state, if the file has one."""

    values: Mapping[str, Array]
    random: RandomState | None


def _file(path: str | PathLike[str]) -> Path:
    """`path`, if it is a file or does not exist; otherwise, as for a folder or device, a `CheckpointError`."""
    file = as_path(path, "path", CheckpointError)
    if file.exists() and not file.is_file():
        raise CheckpointError(f"{quoted(str(file))} is not a file")
    return file


def write_checkpoint(
    path: str | PathLike[str], values: Mapping[str, Array], random: RandomState, metadata: Mapping[str, str]
) -> None:
    """Write a checkpoint in the place of `path`, all of it or nothing."""
    target = _file(path)
    _check_metadata(metadata)
    strings = [quoted(name) for name, value in values.items() if value.dtype == np.dtype(object)]
    if strings:
        raise CheckpointError(f"strings cannot be saved: the safetensors format has no type for {_listed(strings)}")
    arrays = {name: _as_stored(value) for name, value in values.items()}
    state = {**metadata, KEY: random.to_text()}
    replace(target, lambda file: write(file, arrays, state))


def _check_metadata(metadata: Mapping[str, str]) -> None:
    wrong = [key for key, text in metadata.items() if not isinstance(key, str) or not isinstance(text, str)]
    if wrong:
        raise CheckpointError(f"metadata maps text to text, but this does not: {', '.join(map(repr, wrong))}")
    if KEY in metadata:
        raise CheckpointError(f"the key {KEY!r} of the metadata holds the random state; use another")


def _as_stored(value: Array) -> Array:
    if value.dtype != TComplex128.numpy:
        return value
    return np.ascontiguousarray(value).view(np.float64).reshape(*value.shape, 2)


def read_metadata(path: str | PathLike[str]) -> dict[str, str]:
    """The metadata of a safetensors file: what was passed to `Session.save`, and the random state under "typegrad".

    Raises:
        CheckpointError: The file is not in the safetensors format.
    """
    with _opened(_file(path)) as (_, header):
        return dict(header.metadata)


def read_values(path: str | PathLike[str]) -> dict[str, Array]:
    """The arrays in a safetensors file, by name, without a graph or a session.

    A complex128 variable is saved as float64 of shape [..., 2].

    Raises:
        CheckpointError: The file is not sound.
    """
    path = _file(path)
    with _opened(path) as (file, header), _explained(path):
        return {name: read_array(file, header, name) for name in header.entries}


def read_checkpoint(
    path: str | PathLike[str],
    variables: Mapping[str, VariableState],
    seed: int | None,
    *,
    names: Iterable[str] | Mapping[str, str] | None,
    strict: bool,
    random: bool,
) -> Contents:
    """Read values of `variables`.

    A mapping has their names in the file. All mismatches are reported in one error, before any value is read.
    """
    path = _file(path)
    with _opened(path) as (file, header):
        state = _random_state(path, header) if random else None
        requested = _requested(variables if names is None else [names] if isinstance(names, str) else names)
        problems = _differences(header.entries, variables, requested)
        if strict:
            problems |= _missing(header.entries, requested)
        if strict and names is None:
            problems |= _unexpected(header.entries, variables)
        if state is not None and seed not in (None, state.seed):
            seeds = f"of seed {state.seed} in the file, but of seed {seed} in the graph"
            problems["of another seed"] = [f"the random state is {seeds}"]
        _refuse(path, problems)
        chosen = {name: source for name, source in requested.items() if source in header.entries}
        if variables and not chosen:
            raise CheckpointError(f"{quoted(str(path))} holds none of the variables to restore; nothing was restored")
        with _explained(path):
            values = {
                name: _as_variable(read_array(file, header, source), variables[name].dtype)
                for name, source in chosen.items()
            }
    return Contents(values, state)


def _requested(names: Iterable[str]) -> Mapping[str, str]:
    """The name in the file of each variable to restore."""
    own = isinstance(names, Mapping) and all(isinstance(source, str) for source in names.values())
    return dict(cast("Mapping[str, str]", names)) if own else {name: name for name in names}


def _random_state(path: Path, header: Header) -> RandomState | None:
    with _explained(path):
        return RandomState.from_text(header.metadata[KEY]) if KEY in header.metadata else None


@contextmanager
def _opened(path: Path) -> Generator[tuple[BufferedReader, Header]]:
    with path.open("rb") as file:
        with _explained(path):
            header = read_header(file)
        yield file, header


@contextmanager
def _explained(path: Path) -> Generator[None]:
    """Say which file an error is about."""
    try:
        yield
    except CheckpointError as error:
        raise CheckpointError(f"{quoted(str(path))} is not a sound checkpoint: {error}") from None


def _as_variable(array: Array, dtype: type[TType]) -> Array:
    return array.view(np.complex128).reshape(array.shape[:-1]) if dtype is TComplex128 else array


# What fits


def _missing(entries: Mapping[str, Entry], requested: Mapping[str, str]) -> _Problems:
    return {"missing from the file": [quoted(source) for source in requested.values() if source not in entries]}


def _unexpected(entries: Mapping[str, Entry], variables: Mapping[str, VariableState]) -> _Problems:
    return {"in the file, but not in the graph": [quoted(name) for name in entries if name not in variables]}


def _differences(
    entries: Mapping[str, Entry], variables: Mapping[str, VariableState], requested: Mapping[str, str]
) -> _Problems:
    both = [
        (name, entries[source], variables[name])
        for name, source in requested.items()
        if source in entries and name in variables
    ]
    return {
        "no variable of the graph": [
            _unknown(name, source, variables) for name, source in requested.items() if name not in variables
        ],
        "of another type": [
            f"{quoted(name)} is {_type(entry)} in the file, but {variable.dtype.name} in the graph"
            for name, entry, variable in both
            if not _type_fits(entry, variable.dtype)
        ],
        "of another shape": [
            f"{quoted(name)} is {list(_shape(entry, variable.dtype))} in the file, but {variable.shape} in the graph"
            for name, entry, variable in both
            if not variable.shape.accepts(_shape(entry, variable.dtype))
        ],
    }


def _unknown(name: str, source: str, variables: Mapping[str, VariableState]) -> str:
    """A name that is no variable's, and what may have been meant."""
    if source != name and source in variables:
        return f"{quoted(name)} (the keys are the graph's names: write {{{quoted(source)}: {quoted(name)}}})"
    near = nearest(name, variables)
    return quoted(name) if near is None else f"{quoted(name)} (did you mean {quoted(near)}?)"


def _refuse(path: Path, problems: _Problems) -> None:
    """Raise one error with all of the problems, if there are any."""
    if any(problems.values()):
        listed = "".join(f"\n  {kind}: {_listed(details)}" for kind, details in problems.items() if details)
        remedies = dict.fromkeys(_ADVICE[kind] for kind, details in problems.items() if details and kind in _ADVICE)
        advice = "".join(f"\n{remedy}" for remedy in remedies)
        raise CheckpointError(f"{quoted(str(path))} does not fit the graph; nothing was restored:{listed}{advice}")


def _type(entry: Entry) -> str:
    return _TYPES.get(entry.code, entry.code)


def _type_fits(entry: Entry, dtype: type[TType]) -> bool:
    if dtype is TComplex128:
        return entry.code == "F64" and entry.shape[-1:] == (2,)
    return entry.code == CODES.get(dtype.numpy)


def _shape(entry: Entry, dtype: type[TType]) -> tuple[int, ...]:
    return entry.shape[:-1] if dtype is TComplex128 and _type_fits(entry, dtype) else entry.shape


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
