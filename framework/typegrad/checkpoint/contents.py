"""What a session puts into a checkpoint, and what it takes out of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from typegrad.checkpoint.atomic import replacing
from typegrad.checkpoint.random_state import RandomState
from typegrad.checkpoint.safetensors import CODES, Entry, Header, quoted, read_array, read_header, write
from typegrad.errors import CheckpointError
from typegrad.types import TComplex128, TType

if TYPE_CHECKING:
    from typegrad.session.state import VariableState

__all__ = ["Contents", "read_checkpoint", "read_metadata", "write_checkpoint"]

KEY: Final = "typegrad"
"""Where the random state stands in the metadata."""

_LISTED: Final = 20
"""How many names a message lists of each kind of problem."""


@frozen
class Contents:
    """What was read: values by the variables' names, and the random state, if the file has one."""

    values: Mapping[str, NDArray[Any]]
    random: RandomState | None


def write_checkpoint(
    path: Path, values: Mapping[str, NDArray[Any]], random: RandomState, metadata: Mapping[str, str]
) -> None:
    """Write a checkpoint in the place of `path`, all of it or nothing."""
    _check_metadata(metadata)
    strings = [name for name, value in values.items() if value.dtype == np.dtype(object)]
    if strings:
        raise CheckpointError(f"strings cannot be saved: the safetensors format has no type for {_listed([quoted(name) for name in strings])}")
    arrays = {name: _as_stored(value) for name, value in values.items()}
    with replacing(path) as file:
        write(file, arrays, {**metadata, KEY: random.to_text()})


def _check_metadata(metadata: Mapping[str, str]) -> None:
    wrong = [key for key, text in metadata.items() if not isinstance(key, str) or not isinstance(text, str)]
    if wrong:
        raise CheckpointError(f"metadata maps text to text, but this does not: {', '.join(map(repr, wrong))}")
    if KEY in metadata:
        raise CheckpointError(f"the key {KEY!r} of the metadata holds the random state; use another")


def _as_stored(value: NDArray[Any]) -> NDArray[Any]:
    if value.dtype != TComplex128.numpy:
        return value
    return np.ascontiguousarray(value).view(np.float64).reshape(*value.shape, 2)


def read_metadata(path: str | PathLike[str]) -> dict[str, str]:
    """The metadata of a safetensors file: what was passed to `Session.save`, and the random state under "typegrad".

    Raises:
        CheckpointError: The file is not in the safetensors format.
    """
    with _opened(Path(path)) as (_, header):
        return dict(header.metadata)


def read_checkpoint(
    path: Path, variables: Mapping[str, VariableState], names: Iterable[str] | None, *, strict: bool
) -> Contents:
    """Read values of `variables`. Every mismatch is found, and all are reported in one error, before any value is read."""
    with _opened(path) as (file, header):
        chosen = _choose(path, header, variables, names, strict=strict)
        with _explained(path):
            values = {name: _as_held(read_array(file, header, name), variables[name].dtype) for name in chosen}
            random = RandomState.from_text(header.metadata[KEY]) if KEY in header.metadata else None
    return Contents(values, random)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, Header]]:
    if path.exists() and not path.is_file():
        raise CheckpointError(f"'{path}' is not a file")
    with path.open("rb") as file:
        with _explained(path):
            header = read_header(file)
        yield file, header


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Say which file an error is about."""
    try:
        yield
    except CheckpointError as error:
        raise CheckpointError(f"'{path}' is not a sound checkpoint: {error}") from None


def _as_held(array: NDArray[Any], dtype: type[TType]) -> NDArray[Any]:
    return array.view(np.complex128).reshape(array.shape[:-1]) if dtype is TComplex128 else array


# What fits


def _choose(
    path: Path, header: Header, variables: Mapping[str, VariableState], names: Iterable[str] | None, *, strict: bool
) -> list[str]:
    """The names to read; a `CheckpointError` that lists everything that does not fit."""
    entries = header.entries
    wanted = list(variables if names is None else dict.fromkeys([names] if isinstance(names, str) else names))
    both = [name for name in wanted if name in entries and name in variables]
    problems = {"not a variable of the graph": [quoted(name) for name in wanted if name not in variables]}
    if strict:
        problems["missing from the file"] = [quoted(name) for name in wanted if name not in entries]
    if strict and names is None:
        problems["in the file, but no variable of the graph"] = [quoted(name) for name in entries if name not in variables]
    problems["of another type"] = [
        f"{quoted(name)} is {entries[name].code} in the file, but {variables[name].dtype.tf_name} in the graph"
        for name in both
        if not _type_fits(entries[name], variables[name].dtype)
    ]
    problems["of another shape"] = [
        f"{quoted(name)} is {list(shape)} in the file, but {variables[name].shape} in the graph"
        for name in both
        for shape in [_shape(entries[name], variables[name].dtype)]
        if not variables[name].shape.accepts(shape)
    ]
    if any(problems.values()):
        listed = "".join(f"\n  {kind}: {_listed(found)}" for kind, found in problems.items() if found)
        raise CheckpointError(f"'{path}' does not fit the graph; nothing was restored:{listed}{_advice(problems)}")
    if variables and not both:
        raise CheckpointError(f"'{path}' holds none of the graph's variables; nothing was restored")
    return both


def _type_fits(entry: Entry, dtype: type[TType]) -> bool:
    if dtype is TComplex128:
        return entry.code == "F64" and entry.shape[-1:] == (2,)
    return entry.code == CODES.get(dtype.numpy)


def _shape(entry: Entry, dtype: type[TType]) -> tuple[int, ...]:
    return entry.shape[:-1] if dtype is TComplex128 and _type_fits(entry, dtype) else entry.shape


def _listed(found: list[str]) -> str:
    more = f" and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
    return ", ".join(found[:_LISTED]) + more


def _advice(problems: Mapping[str, list[str]]) -> str:
    if problems.get("missing from the file") or problems.get("in the file, but no variable of the graph"):
        return "\npass strict=False to restore what both have, or `names` to choose"
    return ""
