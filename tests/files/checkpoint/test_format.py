"""Checkpoints are safetensors files: the `safetensors` package reads what we write, and we read what it writes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest
import safetensors
import safetensors.numpy

import typegrad as tg
from typegrad.base.array import Array
from typegrad.base.types import ALL_TYPES
from typegrad.files import checkpoint
from typegrad.files.checkpoint import safetensors as safetensors_file
from typegrad.op import core

TYPES: Final = tuple(leaf for leaf in ALL_TYPES if leaf.numpy != np.dtype(object))
deserialize: Callable[[bytes], list[tuple[str, dict[str, Any]]]] = safetensors.deserialize
"""The package has no types for it."""

SHAPES: Final = ((), (3,), (2, 3), (0, 3), (1, 2, 1, 2))


def sample(dtype: type[tg.TType], shape: tuple[int, ...]) -> Array:
    values = np.random.default_rng(len(shape)).integers(0, 2 if dtype is tg.TBool else 100, shape)
    array: Array = np.asarray(values).astype(dtype.numpy)
    return array * dtype.numpy.type(1 + 0.5j) if issubclass(dtype, tg.TComplex) else array


def samples() -> dict[str, tuple[type[tg.TType], Array]]:
    return {f"{leaf.tf_name}/{len(shape)}": (leaf, sample(leaf, shape)) for leaf in TYPES for shape in SHAPES}


def session_of(values: Mapping[str, tuple[type[Any], Array]]) -> tg.Session:
    graph = tg.Graph()
    for name, (dtype, value) in values.items():
        tg.Variable.create(tg.Scope(graph).with_name(name), value, dtype)
    return tg.Session(graph)


def values_of(session: tg.Session) -> dict[str, Array]:
    return {variable.name: session.value(variable) for variable in session.graph.variables}


def assert_same(actual: Mapping[str, Array], expected: Mapping[str, Array]) -> None:
    assert actual.keys() == expected.keys()
    for name, value in expected.items():
        assert (actual[name].dtype, actual[name].shape) == (value.dtype, value.shape), name
        assert actual[name].tobytes() == value.tobytes(), name


def as_stored(value: Array) -> Array:
    """The format has no complex128: pairs of float64 represent it."""
    return np.stack([np.real(value), np.imag(value)], -1) if value.dtype == np.complex128 else value


CODES: Final = {"BF16": ml_dtypes.bfloat16, "BOOL": np.bool_, "C64": np.complex64} | {
    f"{kind}{8 * size}": np.dtype(f"{letter}{size}")
    for kind, letter in (("F", "f"), ("I", "i"), ("U", "u"))
    for size in (1, 2, 4, 8)
    if (kind, size) != ("F", 1)
}


def test_the_safetensors_package_reads_what_a_session_writes(tmp_path: Path) -> None:
    values = samples()
    session_of(values).save(tmp_path / "all.safetensors")
    actual = {
        name: np.frombuffer(entry["data"], CODES[entry["dtype"]]).reshape(entry["shape"])
        for name, entry in deserialize((tmp_path / "all.safetensors").read_bytes())
    }
    assert_same(actual, {name: as_stored(value) for name, (_, value) in values.items()})


def test_its_numpy_interface_reads_what_numpy_has(tmp_path: Path) -> None:
    values = {name: pair for name, pair in samples().items() if pair[0] is not tg.TBfloat16}
    session_of(values).save(tmp_path / "all.safetensors")
    actual = safetensors.numpy.load_file(tmp_path / "all.safetensors")
    assert_same(actual, {name: as_stored(value) for name, (_, value) in values.items()})


def test_a_session_reads_what_the_safetensors_package_writes(tmp_path: Path) -> None:
    values = samples()
    stored = {
        name: np.ascontiguousarray(as_stored(value)).reshape(as_stored(value).shape)
        for name, (_, value) in values.items()
    }
    safetensors.numpy.save_file(stored, tmp_path / "all.safetensors", metadata={"made": "elsewhere"})
    session = session_of({name: (dtype, np.zeros_like(value)) for name, (dtype, value) in values.items()})
    session.restore(tmp_path / "all.safetensors")
    assert_same(values_of(session), {name: value for name, (_, value) in values.items()})
    assert checkpoint.read_metadata(tmp_path / "all.safetensors") == {"made": "elsewhere"}


def test_what_is_saved_is_restored(tmp_path: Path) -> None:
    values = samples()
    session_of(values).save(tmp_path / "all.safetensors")
    session = session_of({name: (dtype, np.zeros_like(value)) for name, (dtype, value) in values.items()})
    session.restore(tmp_path / "all.safetensors")
    assert_same(values_of(session), {name: value for name, (_, value) in values.items()})


def test_equal_states_are_equal_files(tmp_path: Path) -> None:
    values = {"b": (tg.TFloat32, sample(tg.TFloat32, (2, 3))), "a": (tg.TInt8, sample(tg.TInt8, (3,)))}
    for names in ("ab", "ba"):
        graph = tg.Graph(seed=1)
        for name in names:
            tg.Variable.create(tg.Scope(graph).with_name(name), values[name][1])
        tg.Session(graph).save(tmp_path / names)
    assert (tmp_path / "ab").read_bytes() == (tmp_path / "ba").read_bytes()


def test_every_array_is_aligned(tmp_path: Path) -> None:
    session_of(samples()).save(tmp_path / "all.safetensors")
    text = (tmp_path / "all.safetensors").read_bytes()
    length = int.from_bytes(text[:8], "little")
    assert length % 8 == 0
    for name, entry in json.loads(text[8 : 8 + length]).items():
        if name != "__metadata__":
            assert entry["data_offsets"][0] % np.dtype(CODES[entry["dtype"]]).itemsize == 0


def test_metadata_is_saved_along(tmp_path: Path) -> None:
    session = session_of({"w": (tg.TFloat32, np.ones(2, np.float32))})
    session.save(tmp_path / "w.safetensors", metadata={"epoch": "3", "häß": "\u2713\n"})
    with safetensors.safe_open(tmp_path / "w.safetensors", framework="np") as file:
        actual = file.metadata()
    assert actual == checkpoint.read_metadata(tmp_path / "w.safetensors")
    assert {key: actual[key] for key in actual if key != "typegrad"} == {"epoch": "3", "häß": "\u2713\n"}
    assert json.loads(actual["typegrad"])["version"] == 1


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"typegrad": "x"}, "the key 'typegrad' of the metadata holds the random state"),
        ({"epoch": 3}, "metadata maps text to text, but this does not: 'epoch'"),
        ({"a": "\ud800"}, "not valid Unicode"),
        ({"a": "x" * 2**23}, "the header would take 838.... bytes, but at most 8388608 are allowed"),
    ],
)
def test_metadata_that_no_file_can_hold_is_refused(tmp_path: Path, metadata: Any, message: str) -> None:
    with pytest.raises(tg.CheckpointError, match=message):
        session_of({}).save(tmp_path / "w.safetensors", metadata=metadata)
    assert not list(tmp_path.iterdir())


def test_strings_are_refused_by_name(tmp_path: Path) -> None:
    session = session_of({"text": (tg.TString, np.array([b"a"], object)), "w": (tg.TFloat32, np.ones(2, np.float32))})
    with pytest.raises(tg.CheckpointError, match="strings cannot be saved: .* 'text'$"):
        session.save(tmp_path / "w.safetensors")
    assert not list(tmp_path.iterdir())


class Slow(BytesIO):
    """A file whose reads give few bytes, as the system may."""

    def readinto(self, buffer: Any) -> int:
        return super().readinto(memoryview(buffer)[:3])


def test_an_array_is_read_whole_where_each_read_gives_a_part() -> None:
    values = np.arange(10, dtype=np.float32)
    file = BytesIO()
    safetensors_file.write(file, {"v": values}, {})
    file.seek(0)
    header = safetensors_file.read_header(file)
    slow = Slow(file.getvalue())
    assert safetensors_file.read_array(slow, header, "v").tolist() == values.tolist()


def test_a_file_that_shrinks_while_it_is_read_is_refused() -> None:
    file = BytesIO()
    safetensors_file.write(file, {"v": np.arange(10, dtype=np.float32)}, {})
    header = safetensors_file.read_header(file)
    file.truncate(len(file.getvalue()) - 1)
    with pytest.raises(tg.CheckpointError, match="it ends within 'v'"):
        safetensors_file.read_array(file, header, "v")


def test_wide_types_come_first_whatever_the_names() -> None:
    arrays: dict[str, Array] = {"a": np.ones(3, np.uint8), "b": np.ones(2, np.float64), "c": np.ones(1, np.float32)}
    file = BytesIO()
    safetensors_file.write(file, arrays, {})
    header = safetensors_file.read_header(file)
    starts = {
        name: (header.data_start + entry.start) % arrays[name].dtype.itemsize for name, entry in header.entries.items()
    }
    assert starts == {"a": 0, "b": 0, "c": 0}


def test_the_name_of_the_metadata_is_no_name_of_a_variable() -> None:
    with pytest.raises(tg.CheckpointError, match="cannot be saved under the name '__metadata__'"):
        safetensors_file.write(BytesIO(), {"__metadata__": np.ones(1)}, {})


def test_two_variables_of_one_name(tmp_path: Path) -> None:
    """A container is the part before a colon, which a name may have, too."""
    scope = tg.Scope(tg.Graph())
    core.VarHandleOp.create(scope, tg.TFloat32, shape=(), shared_name="a", container="c")
    core.VarHandleOp.create(scope, tg.TFloat32, shape=(), shared_name="c:a")
    message = "two variables would be saved under one name, 'c:a'"
    with tg.Session(scope.graph) as session, pytest.raises(tg.CheckpointError, match=message):
        session.save(tmp_path / "checkpoint.safetensors")
