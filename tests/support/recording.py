"""The recorded answers of TensorFlow: the identities of cases, and the file format of `tests/recorded/NAME.npz`.

A file has two byte arrays: `index`, a JSON object from case identity to answer, and `data`, the contents of all arrays
one after the other, at the offsets in the index. (One array per value would be mostly headers.)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import ml_dtypes
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from support.case import Accumulator, Case, Var

Array: TypeAlias = NDArray[Any]

FOLDER: Final = Path(__file__).parent.parent / "recorded"
BFLOAT16: Final = np.dtype(ml_dtypes.bfloat16)


@frozen(eq=False)
class Recorded:
    """TensorFlow's answer to a case."""

    outputs: tuple[Array | None, ...] = ()
    """Every output; None for a resource."""
    random: bool = False
    """Whether only dtype and shape of the outputs are comparable."""
    after: tuple[Array | None, ...] = ()
    """The value of each variable among the inputs after the run; None for no value."""
    error: str = ""
    """The class of the error and its message."""
    unsupported: bool = False
    """Whether the error only says that TensorFlow's CPU build has no kernel for these dtypes."""
    gradients: tuple[Array | None, ...] | None = None
    """The gradient of each operand for `cotangent`, with list inputs flattened; None if there is nothing to compare."""


def as_array(value: Any) -> Array:
    """An input as an array: Python integers are int32, floats float32, strings UTF-8 bytes."""
    array = np.asarray(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        array = array.astype({"i": np.int32, "f": np.float32}.get(array.dtype.kind, array.dtype))
    if array.dtype.kind in "OSU":
        items = [item.encode() if isinstance(item, str) else bytes(item) for item in array.ravel().tolist()]
        strings = np.empty(len(items), object)
        strings[:] = items
        return strings.reshape(array.shape)
    return array


def operands(case: Case) -> list[Array | Var]:
    """The operands of a case, with list inputs flattened."""
    flat: list[Array | Var] = []
    for value in case.inputs:
        flat += [operand(item) for item in value] if isinstance(value, tuple) else [operand(value)]
    return flat


def operand(value: Any) -> Array | Var:
    """An operand as an array, or the variable that it is."""
    return value if isinstance(value, Var) else as_array(value)


def identity(case: Case) -> str:
    """The operation and a hash of everything that TensorFlow's answer depends on."""
    inputs = [
        [_digestible(item) for item in value] if isinstance(value, tuple) else _digestible(value)
        for value in case.inputs
    ]
    attrs = {name: _digestible(value) for name, value in case.attrs.items()}
    text = json.dumps([case.op, inputs, attrs], sort_keys=True)
    return f"{case.op}:{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def describe(case: Case) -> str:
    """A case in one line."""
    shown = ", ".join(_brief(value) for value in operands(case))
    return f"{case.op}({shown}; {dict(case.attrs)})"


def _brief(value: Array | Var) -> str:
    if isinstance(value, Accumulator):
        return f"accumulator {value.reduction} {_brief(as_array(value.value))}"
    if isinstance(value, Var):
        return "variable" if value.value is None else f"variable {_brief(as_array(value.value))}"
    return f"{value.dtype}{list(value.shape)}" + (f"={value.tolist()}" if value.size <= 4 else "")


def cotangent(shape: tuple[int, ...], dtype: np.dtype[Any], index: int) -> Array:
    """The gradient of output `index` that gradients are recorded for: a fixed pattern, exact in every dtype, without
    zeros.
    """
    steps = np.arange(int(np.prod(shape)), dtype=np.int64) * 5 + index * 3
    values = (2 * (steps % 8) - 7) / 8 + (0j if dtype.kind != "c" else 1j * (2 * ((steps + 3) % 7) - 5) / 8)
    return (values if dtype.kind == "c" else values.real).astype(dtype).reshape(shape)


def load(stem: str) -> dict[str, Recorded]:
    """The recorded answers to the cases of `tests/cases/STEM.py`, by identity."""
    path = FOLDER / f"{stem}.npz"
    if not path.exists():
        return {}
    with np.load(path, allow_pickle=False) as file:
        index: dict[str, dict[str, Any]] = json.loads(file["index"].tobytes())
        data = file["data"].tobytes()
    return {
        key: Recorded(**{name: _decoded(value, data) for name, value in entry.items()}) for key, entry in index.items()
    }


def save(stem: str, recorded: Mapping[str, Recorded]) -> None:
    """Write recorded answers. An unchanged file is not written."""
    data = bytearray()
    index = {key: _encoded(recorded[key], data) for key in sorted(recorded)}
    text = json.dumps(index, separators=(",", ":")).encode()
    path = FOLDER / f"{stem}.npz"
    if path.exists():
        with np.load(path, allow_pickle=False) as file:
            if file["index"].tobytes() == text and file["data"].tobytes() == bytes(data):
                return
    FOLDER.mkdir(exist_ok=True)
    np.savez_compressed(path, index=np.frombuffer(text, np.uint8), data=np.frombuffer(bytes(data), np.uint8))


def _digestible(value: Any) -> Any:
    if isinstance(value, Accumulator):
        return ["accumulator", value.reduction, _digestible(value.value)]
    if isinstance(value, Var):
        return ["variable", None if value.value is None else _digestible(value.value)]
    if isinstance(value, (np.ndarray, np.generic)):
        array = as_array(value)
        return [array.dtype.name, list(array.shape), _content(array).decode("latin-1")]
    if isinstance(value, (list, tuple)):
        return [_digestible(item) for item in value]
    return repr(value)


def _content(array: Array) -> bytes:
    if array.dtype == object:
        return json.dumps([item.decode("latin-1") for item in array.ravel().tolist()]).encode()
    return np.ascontiguousarray(array).tobytes()


def _encoded(recorded: Recorded, data: bytearray) -> dict[str, Any]:
    """The fields without default values, with arrays replaced by their places in `data`."""
    fields = {
        name: getattr(recorded, name) for name in ("outputs", "random", "after", "error", "unsupported", "gradients")
    }
    plain = Recorded()
    return {
        name: [None if array is None else _placed(array, data) for array in value]
        if isinstance(value, tuple)
        else value
        for name, value in fields.items()
        if value != getattr(plain, name)
    }


def _placed(array: Array, data: bytearray) -> list[Any]:
    content = _content(array)
    place = [array.dtype.name, list(array.shape), len(data), len(content)]
    data += content
    return place


def _decoded(value: Any, data: bytes) -> Any:
    return (
        tuple(None if place is None else _array(place, data) for place in value) if isinstance(value, list) else value
    )


def _array(place: list[Any], data: bytes) -> Array:
    name, shape, start, length = place
    content = data[start : start + length]
    if name == "object":
        return as_array(np.array([item.encode("latin-1") for item in json.loads(content)], object)).reshape(shape)
    return np.frombuffer(content, BFLOAT16 if name == "bfloat16" else np.dtype(name)).reshape(shape)
