"""Files that are cut, damaged or made to harm: a clear error, nothing changed, and little memory."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import typegrad as tg
from typegrad.files.checkpoint.safetensors import CODES, HEADER_LIMIT, Entry, Header, read_array, read_header

MEGABYTE: Final = 2**20
LITTLE: Final = 8 * MEGABYTE
"""More than what is imported on first use takes, and far less than what a damaged header may ask for."""
FUZZ: Final = settings(deadline=None, max_examples=300)


def session() -> tg.Session:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    tg.Variable.create(scope.with_name("a"), np.arange(6, dtype=np.float32).reshape(2, 3))
    tg.Variable.create(scope.with_name("b"), np.array([True, False]))
    tg.Variable.create(scope.with_name("c"), 1 + 2j, tg.TComplex128)
    return tg.Session(graph)


@cache
def sound() -> bytes:
    with TemporaryDirectory() as folder:
        session().save(Path(folder) / "m")
        return (Path(folder) / "m").read_bytes()


def file_of(header: object, data: bytes = b"", *, length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def state(of: tg.Session) -> tuple[object, ...]:
    return (of.random_state, *(of.value(variable).tobytes() for variable in of.graph.variables))


@contextmanager
def at_most(size: int) -> Generator[None]:
    """Little memory is allocated meanwhile."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= size, f"{peak} bytes"


def restore(content: bytes, **how: Any) -> str | None:
    """The error, after which nothing has changed; None if the file was restored."""
    target = session()
    before = state(target)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m"
        path.write_bytes(content)
        try:
            target.restore(path, **how)
        except tg.CheckpointError as error:
            assert state(target) == before
            return str(error)
    return None


def parts() -> tuple[dict[str, Any], bytes]:
    length = int.from_bytes(sound()[:8], "little")
    return json.loads(sound()[8 : 8 + length]), sound()[8 + length :]


def test_the_sound_file_is_restored() -> None:
    header, data = parts()
    assert restore(sound()) is None and restore(file_of(header, data)) is None


# Damage


@FUZZ
@given(st.integers(0, 10**6))
def test_a_cut_file_is_refused(size: int) -> None:
    assert restore(sound()[: size % len(sound())]) is not None


@FUZZ
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 255)), min_size=1, max_size=4))
def test_a_damaged_file_is_restored_or_refused(damage: list[tuple[int, int]]) -> None:
    content = bytearray(sound())
    for position, change in damage:
        content[position % len(content)] ^= change
    with at_most(LITTLE):
        restore(bytes(content))


@FUZZ
@given(st.binary(max_size=300))
def test_noise_is_refused(content: bytes) -> None:
    with at_most(LITTLE):
        assert restore(content) is not None


def test_more_than_the_header_says_is_refused() -> None:
    assert "the arrays take 42 bytes, but 43 follow the header" in str(restore(sound() + b"\0"))


# Headers of any content

JSON: Final = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.sampled_from(["F32", "BOOL", "F64", "a", "dtype", "shape", "data_offsets", "\ud800"])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["dtype", "shape", "data_offsets", "a", "__metadata__"]) | st.text(), inner)
    ),
    max_leaves=12,
)
SIZE: Final = st.integers(-2, 30) | st.sampled_from([2**31, 2**62, 2**63, 2**64, 10**30, True, 1.0, None, "1"])
ENTRY: Final = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from(["F32", "BOOL", "F64", "C64", "F4", "F6_E2M3", "x", 1]),
        "shape": st.lists(SIZE, max_size=3) | JSON,
        "data_offsets": st.lists(SIZE, min_size=2, max_size=2) | JSON,
    }
)


@FUZZ
@given(st.dictionaries(st.sampled_from(["a", "b", "c", "__metadata__", "x"]), ENTRY | JSON), st.integers(0, 60))
@example({"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}, 24)
def test_a_header_is_sound_or_refused(header: dict[str, Any], size: int) -> None:
    """If it passes, every array can be read, has the size it says, and all of them fill the file."""
    file = io.BytesIO(file_of(header, bytes(size)))
    try:
        result = read_header(file)
    except tg.CheckpointError:
        return
    assert sum(entry.stop - entry.start for entry in result.entries.values()) == size
    for name, entry in result.entries.items():
        if entry.code in CODES.values():
            array = read_array(file, result, name)
            assert (array.shape, array.nbytes) == (entry.shape, entry.stop - entry.start)


@FUZZ
@given(JSON)
def test_any_random_state_is_sound_or_refused(value: object) -> None:
    header, data = parts()
    for random in (value, {"version": 1, "random": value}):
        header["__metadata__"]["typegrad"] = json.dumps(random)
        assert "random state" in str(restore(file_of(header, data)))


COUNTS: Final = {"x": [1, 2]}
WRONG: Final[list[object]] = [
    [], *({"x": count} for count in (1, [1], [1, -1], [1, 2**53], [2**63 - 1, 0], [1, True], [1, 2, 3])),
]  # fmt: skip
SEED: Final = "the seed of the random state is not an integer of 128 bits"
ENTROPY: Final = "the entropy of the random state is not an integer from 0 to 2**128 - 1"
EACH: Final = "the counts of the random state are not two integers from 0 to 2**53 - 1 for each name"


@pytest.mark.parametrize(
    ("message", "change"),
    [
        *((SEED, {"seed": seed}) for seed in (1.0, True, "1", 2**128, -(2**128))),
        *((ENTROPY, {"entropy": entropy}) for entropy in (None, -1, 2**128)),
        *((EACH, {"counts": counts}) for counts in WRONG),
        ("the random state needs `seed`, `entropy` and `counts`, and nothing else", {"more": 1}),
    ],
)
def test_a_random_state_is_checked(message: str, change: dict[str, Any]) -> None:
    header, data = parts()
    good = {"seed": 1, "entropy": 0, "counts": COUNTS}
    header["__metadata__"]["typegrad"] = json.dumps({"version": 1, "random": good})
    assert restore(file_of(header, data)) is None
    header["__metadata__"]["typegrad"] = json.dumps({"version": 1, "random": {**good, **change}})
    assert message in str(restore(file_of(header, data)))


def test_a_random_state_of_another_version_or_format_is_refused() -> None:
    header, data = parts()
    random = {"seed": 1, "entropy": 0, "counts": COUNTS}
    header["__metadata__"]["typegrad"] = json.dumps({"version": 2, "random": random})
    assert "the random state is not of version 1" in str(restore(file_of(header, data)))
    header["__metadata__"]["typegrad"] = "{'seed': 1}"
    assert "the random state is not JSON (" in str(restore(file_of(header, data)))


# One attack each


def entry(**change: Any) -> dict[str, Any]:
    return {"a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24], **change}}


ONE: Final = entry()["a"]
TOO_LONG: Final = f"its header takes {2**64 - 1} bytes, but at most {HEADER_LIMIT} are allowed"
HOSTILE: Final[dict[str, tuple[bytes, str]]] = {
    "empty": (b"", "it has 0 bytes, but the format needs at least 8"),
    "no header": (b"\0" * 8, "does not begin with '{'"),
    "header longer than the file": (file_of({}, length=100), "its header takes 100 bytes, but only 2 follow"),
    "header of 2^64 bytes": (file_of({}, length=2**64 - 1), TOO_LONG),
    "not JSON": (file_of(b"{'a': 1}"), "its header is not JSON ("),
    "a list": (file_of([]), "does not begin with '{'"),
    "not UTF-8": (file_of(b'{"\xff": 1}'), "not JSON"),
    "UTF-16": (file_of('{"a": 1}'.encode("utf-16-le")), "not JSON"),
    "nested": (file_of(b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}"), "not JSON"),
    "nested objects": (file_of(b'{"a":' * 100_000 + b"1" + b"}" * 100_000), "not JSON"),
    "endless number": (file_of(b'{"a":' + b"9" * MEGABYTE + b"}"), "not JSON"),
    "metadata that is not text": (file_of({"__metadata__": {"a": 1}}), "does not map names to text"),
    "metadata that is not an object": (file_of({"__metadata__": []}), "does not map names to text"),
    "the same name twice": (file_of(b'{"a":1,"a":1}'), "its header has 'a' twice"),
    "the same key twice": (file_of(b'{"a":{"dtype":"F32","dtype":"F64"}}'), "has 'dtype' twice"),
    "no entry": (file_of({"a": 1}), "needs `dtype`, `shape` and `data_offsets`"),
    "a key more": (file_of(entry(run="os.system")), "and nothing else"),
    "unknown type": (file_of(entry(dtype="O")), "has a type that the format does not know"),
    "type of no text": (file_of(entry(dtype=["F32"])), "has a type that the format does not know"),
    "negative size": (file_of(entry(shape=[-2, -3])), "the shape of 'a' is not a list of"),
    "size of a fraction": (file_of(entry(shape=[2.0, 3])), "the shape of 'a' is not a list of"),
    "size of true": (file_of(entry(shape=[True, 6])), "the shape of 'a' is not a list of"),
    "huge size": (file_of(entry(shape=[2**63])), "the shape of 'a' is not a list of"),
    "huge product": (file_of(entry(shape=[2**40, 2**40])), "too large for any memory"),
    "huge product with zero": (file_of(entry(shape=[0, 2**40, 2**40], data_offsets=[0, 0])), "too large"),
    "product that wraps to 24 bytes": (file_of(entry(shape=[2**62 + 6], data_offsets=[0, 24])), "too large"),
    "more than there is": (file_of(entry(shape=[2**40], data_offsets=[0, 2**42])), "take 4398046511104 bytes, but 0"),
    "many dimensions": (file_of(entry(shape=[1] * 65, data_offsets=[0, 4]), bytes(4)), "at most 64 integers"),
    "shape of no list": (file_of(entry(shape={"0": 1})), "the shape of 'a'"),
    "backward extent": (file_of(entry(data_offsets=[24, 0]), bytes(24)), "the extent of 'a' is not two ascending"),
    "negative extent": (file_of(entry(data_offsets=[-24, 0]), bytes(24)), "the extent of 'a'"),
    "three offsets": (file_of(entry(data_offsets=[0, 24, 24]), bytes(24)), "the extent of 'a'"),
    "wrong length": (file_of(entry(data_offsets=[0, 23]), bytes(23)), "takes 23 bytes, which is not"),
    "half a byte": (
        file_of(entry(dtype="F4", shape=[3], data_offsets=[0, 1]), bytes(1)),
        "takes 1 bytes, which is not",
    ),
    "into the header": (file_of(entry(data_offsets=[2**63 - 24, 2**63]), bytes(24)), "the extent of 'a'"),
    "gap": (file_of(entry(data_offsets=[8, 32]), bytes(32)), "'a' leaves a gap of 8 bytes"),
    "overlap": (file_of({"a": ONE, "b": {**ONE, "data_offsets": [20, 44]}}, bytes(44)), "'b' overlaps another array"),
    "the same place twice": (file_of({"a": ONE, "b": ONE}, bytes(24)), "'b' overlaps another array"),
    "name for a terminal": (file_of({"\x1b[2J": 1}), r"'\x1b[2J' needs"),
    "lone surrogate": (file_of(b'{"\\ud800": 1}'), r"'\ud800' needs"),
    "long name": (file_of({"x" * MEGABYTE: 1}), "x...' needs"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_an_attack_is_refused_in_clear_words(name: str) -> None:
    content, expected = HOSTILE[name]
    with at_most(10 * MEGABYTE):
        message = restore(content)
    assert message is not None and expected in message and "is not a sound checkpoint: " in message
    assert len(message) < 500 and message.isascii() and message.isprintable()


def test_booleans_are_0_or_1() -> None:
    header, data = parts()
    start = header["b"]["data_offsets"][0]
    assert "'b' has booleans that are neither" in str(
        restore(file_of(header, data[:start] + b"\2" + data[start + 1 :]))
    )


BOMBS: Final[dict[str, Callable[[int], bytes]]] = {
    "lists": lambda size: b'{"a":[' + b"[]," * (size // 3 - 4) + b"0]}",
    "objects": lambda size: b'{"a":[' + b"{}," * (size // 3 - 4) + b"0]}",
    "numbers": lambda size: b'{"a":[' + b"1000," * (size // 5 - 4) + b"0]}",
    "names": lambda size: b"{" + b",".join(b'"%06x":{}' % i for i in range(size // 12)) + b"}",
    "metadata": lambda size: b'{"__metadata__":{' + b",".join(b'"%06x":""' % i for i in range(size // 12)) + b"}}",
    "escapes": lambda size: b'{"' + b"\\u00e9" * (size // 6 - 2) + b'":1}',
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_header_takes_bounded_memory(name: str) -> None:
    content = file_of(BOMBS[name](MEGABYTE))
    with at_most(32 * MEGABYTE):
        restore(content)


def test_an_array_of_more_than_the_memory_is_refused() -> None:
    """A sparse file may say so and take no room on the disk."""
    header = Header({"a": Entry("F32", (2**58,), 0, 2**60)}, {}, 0)
    with pytest.raises(tg.CheckpointError, match=f"'a' takes {2**60} bytes, more than there is memory"):
        read_array(io.BytesIO(), header, "a")


def test_values_are_read_only_once_everything_fits(tmp_path: Path) -> None:
    size = 64 * MEGABYTE
    header = {"a": {"dtype": "F32", "shape": [size // 4], "data_offsets": [0, size]}}
    with (tmp_path / "sparse").open("wb") as file:
        file.write(file_of(header))
        file.truncate(8 + len(json.dumps(header)) + size)
    target = session()
    with at_most(LITTLE), pytest.raises(tg.CheckpointError, match=r"'a' is \[16777216\] in the file, but \[2, 3\]"):
        target.restore(tmp_path / "sparse")
