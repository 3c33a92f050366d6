"""The safetensors format: eight bytes with the length of a header, the header as JSON, the arrays' bytes.

Reading trusts nothing. The header is capped, its JSON must have exactly the form of the format, and the extents of the
arrays must fill the file without gap or overlap; so no array is ever allocated that the file does not hold.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections import Counter
from collections.abc import Mapping
from io import BufferedIOBase
from typing import BinaryIO, Final, TypeGuard

import numpy as np
from attrs import frozen

from typegrad.base.array import Array, DType
from typegrad.base.brief import quoted
from typegrad.base.errors import CheckpointError
from typegrad.base.types import BY_NAME

__all__ = ["CODES", "Entry", "Header", "read_array", "read_header", "write"]

HEADER_LIMIT: Final = 8 * 2**20
"""The longest header read or written, in bytes: over 80,000 arrays. Parsing takes some 25 times as much memory at
worst."""

METADATA: Final = "__metadata__"
_ALIGNMENT: Final = 8
_RANK_LIMIT: Final = 64
"""NumPy's."""
_SIZE_LIMIT: Final = 2**63

_BITS: Final = {
    "BOOL": 8, "U8": 8, "I8": 8, "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
    "I64": 64, "U64": 64, "F64": 64, "C64": 64, "F4": 4, "F6_E2M3": 6, "F6_E3M2": 6, "F8_E5M2": 8, "F8_E4M3": 8,
    "F8_E8M0": 8, "F8_E4M3FNUZ": 8, "F8_E5M2FNUZ": 8,
}  # fmt: skip
"""The bits of an element of each type of the format."""

CODES: Final[Mapping[DType, str]] = {
    BY_NAME[name].numpy: code
    for name, code in {
        "bool": "BOOL",
        "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
        "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
        "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64",
        "complex64": "C64",
    }.items()
}  # fmt: skip
"""The format's name of each NumPy type that it has."""

_NUMPY: Final = {code: dtype for dtype, code in CODES.items()}


@frozen
class Entry:
    """One array of a file: its type, shape, and the bytes it takes, counted from the end of the header."""

    code: str
    shape: tuple[int, ...]
    start: int
    stop: int


@frozen
class Header:
    """The bytes before the arrays."""

    entries: Mapping[str, Entry]
    metadata: Mapping[str, str]
    data_start: int


# Writing


def write(file: BinaryIO, arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Write a whole file.

    Wide types come first, so every array is aligned, then names in order: equal contents, equal bytes.
    """
    ordered = sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))
    header = _encode_header(dict(ordered), metadata)
    file.write(len(header).to_bytes(8, "little"))
    file.write(header)
    file.writelines(_bytes(_little_endian(np.ascontiguousarray(array))) for _, array in ordered)


def _encode_header(arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> bytes:
    header: dict[str, object] = {METADATA: dict(metadata)} if metadata else {}
    start = 0
    for name, array in arrays.items():
        if name == METADATA:
            raise CheckpointError(f"a variable cannot be saved under the name {METADATA!r}, which the format needs")
        stop = start + array.nbytes
        header[name] = {"dtype": CODES[array.dtype], "shape": array.shape, "data_offsets": (start, stop)}
        start = stop
    try:
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError as error:
        raise CheckpointError(f"a name or the metadata is not valid Unicode: {quoted(error.object)}") from None
    text += b" " * (-len(text) % _ALIGNMENT)
    if len(text) > HEADER_LIMIT:
        raise CheckpointError(
            f"the header would take {len(text)} bytes, but at most {HEADER_LIMIT} are allowed: "
            f"{len(arrays)} variables, and {sum(map(len, metadata.values()))} characters of metadata and random state"
        )
    return text


# Reading the header


_NO_SAFETENSORS: Final = "; this is no safetensors file, or a damaged one"


def read_header(file: BufferedIOBase) -> Header:
    """Read and check everything but the arrays' contents; a `CheckpointError` says what is wrong."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    first = file.read(8)
    if len(first) < 8:
        raise CheckpointError(f"it has {size} bytes, but the format needs at least 8")
    length = int.from_bytes(first, "little")
    if length > HEADER_LIMIT:
        raise CheckpointError(
            f"its header takes {length} bytes, but at most {HEADER_LIMIT} are allowed{_NO_SAFETENSORS}"
        )
    if 8 + length > size:
        raise CheckpointError(f"its header takes {length} bytes, but only {size - 8} follow{_NO_SAFETENSORS}")
    entries, metadata = _parse(file.read(length))
    _check_extents(entries, size - 8 - length)
    return Header(entries, metadata, 8 + length)


def _parse(text: bytes) -> tuple[dict[str, Entry], dict[str, str]]:
    if text[:1] != b"{":
        raise CheckpointError("its header does not begin with '{'")
    try:
        entries: dict[str, object] = json.loads(text.decode(), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"its header is not JSON ({error})") from None
    metadata = entries.pop(METADATA, {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise CheckpointError(f"{METADATA} does not map names to text")
    return {name: _entry(name, value) for name, value in entries.items()}, metadata


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, _ in pairs if counts[name] > 1)
        raise CheckpointError(f"its header has {quoted(twice)} twice")
    return mapping


def _entry(name: str, value: object) -> Entry:
    if not isinstance(value, dict) or value.keys() != {"dtype", "shape", "data_offsets"}:
        raise CheckpointError(f"{quoted(name)} needs `dtype`, `shape` and `data_offsets`, and nothing else")
    code, shape, extent = value["dtype"], value["shape"], value["data_offsets"]
    if not isinstance(code, str) or code not in _BITS:
        raise CheckpointError(f"{quoted(name)} has a type that the format does not know")
    if not _are_sizes(shape) or len(shape) > _RANK_LIMIT:
        raise CheckpointError(
            f"the shape of {quoted(name)} is not a list of at most {_RANK_LIMIT} integers from 0 to 2**63 - 1"
        )
    if not _are_sizes(extent) or len(extent) != 2 or extent[0] > extent[1]:
        raise CheckpointError(f"the extent of {quoted(name)} is not two ascending integers from 0 to 2**63 - 1")
    # NumPy refuses a shape whose sizes other than 0 multiply to too much, even if the array is empty.
    if math.prod(size for size in shape if size) * _BITS[code] >= _SIZE_LIMIT:
        raise CheckpointError(f"the shape of {quoted(name)} is too large for any memory")
    if math.prod(shape) * _BITS[code] != 8 * (extent[1] - extent[0]):
        raise CheckpointError(f"{quoted(name)} takes {extent[1] - extent[0]} bytes, which is not what its shape needs")
    return Entry(code, tuple(shape), *extent)


def _are_sizes(value: object) -> TypeGuard[list[int]]:
    return isinstance(value, list) and all(type(size) is int and 0 <= size < _SIZE_LIMIT for size in value)


def _check_extents(entries: Mapping[str, Entry], available: int) -> None:
    """The arrays fill the rest of the file: no gap, no overlap, nothing after them."""
    end = 0
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].start, item[1].stop)):
        if entry.start != end:
            problem = "overlaps another array" if entry.start < end else f"leaves a gap of {entry.start - end} bytes"
            raise CheckpointError(f"{quoted(name)} {problem}")
        end = entry.stop
    if end != available:
        raise CheckpointError(f"the arrays take {end} bytes, but {available} follow the header")


# Reading arrays


def read_array(file: BufferedIOBase, header: Header, name: str) -> Array:
    """One array of a checked header, of a type in `CODES`."""
    entry = header.entries[name]
    try:
        array = np.empty(entry.shape, _NUMPY[entry.code])
    except MemoryError:
        raise CheckpointError(
            f"{quoted(name)} takes {entry.stop - entry.start} bytes, more than there is memory"
        ) from None
    waiting = _bytes(array)
    file.seek(header.data_start + entry.start)
    while waiting:
        count = file.readinto(waiting)
        if not count:
            raise CheckpointError(f"it ends within {quoted(name)}")
        waiting = waiting[count:]
    if entry.code == "BOOL" and (array.view(np.uint8) > 1).any():
        raise CheckpointError(f"{quoted(name)} has booleans that are neither 0 nor 1")
    return _little_endian(array)


def _bytes(array: Array) -> memoryview:
    """The memory of a contiguous array, also of a type that has no buffer of its own."""
    return array.reshape(-1).view(np.uint8).data


def _little_endian(array: Array) -> Array:
    """Swap the bytes on a machine that needs it: from its own order to the format's, or back."""
    return array if sys.byteorder == "little" else array.byteswap()
