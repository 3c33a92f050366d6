"""What a constant holds: a plain array of its own, whatever it was made of; and what arrays are fed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.junk import Raising, cyclic, deep
from typegrad.op import core, linalg

BASE: Final = np.array([[1, 2, 3], [4, 5, 6]], np.float32)


class Sub(np.ndarray[Any, Any]):
    """A subclass of NumPy's arrays."""


class Owner:
    """Has an array that it hands out itself."""

    def __init__(self) -> None:
        self.array = BASE.copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.array


def _every_other() -> Any:
    wide = np.zeros((4, 6), np.float32)
    wide[::2, ::2] = BASE
    return wide[::2, ::2]


ARRAYS: Final[dict[str, Any]] = {
    "an array": BASE.copy(),
    "Fortran's order": np.asfortranarray(BASE),
    "strided": _every_other(),
    "backwards": BASE[::-1, ::-1].copy()[::-1, ::-1],
    "another byte order": BASE.astype(">f4"),
    "unaligned": np.frombuffer(b"x" + BASE.tobytes(), np.uint8)[1:].view(np.float32).reshape(2, 3),
    "a matrix": BASE.copy().view(np.matrix),
    "masked nowhere": np.ma.masked_array(BASE.copy(), np.zeros((2, 3), bool)),
    "a subclass": BASE.copy().view(Sub),
    "records": np.rec.array(BASE),
    "repeated": np.broadcast_to(BASE, (1, 2, 3))[0],
    "its own __array__": Owner(),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_a_constant_holds_a_plain_array_of_its_own(what: str) -> None:
    value = ARRAYS[what]
    scope = tg.Scope(tg.Graph())
    operation = core.Constant.create(scope, value)
    for held in (
        operation.inputs.value,
        tg.Variable.create(scope, value).handle.op.consumers[0].inputs[1].op.attrs["value"],
    ):
        assert type(held) is np.ndarray and held.dtype == np.float32 and held.dtype.isnative
        assert held.flags.c_contiguous and held.flags.owndata and not held.flags.writeable
        assert np.array_equal(held, BASE) and not np.shares_memory(held, np.asarray(value))


def test_a_constant_of_another_type_than_its_array_is_in_the_order_of_c() -> None:
    operation = core.Constant.create(tg.Scope(tg.Graph()), np.asfortranarray(BASE), tg.TFloat64)
    assert operation.inputs.value.flags.c_contiguous and np.array_equal(operation.inputs.value, BASE)


@pytest.mark.parametrize("what", [what for what in ARRAYS if what != "its own __array__"])
def test_a_fed_array_is_a_plain_one(what: str) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    flat = core.Reshape.create(scope, x, [6])
    product = linalg.MatMul.create(scope, x, linalg.Transpose.create(scope, x, [1, 0]))
    with tg.Session(scope.graph) as session:
        values = session.run([x, flat, product], {x: ARRAYS[what]})
    assert [type(value) for value in values] == [np.ndarray] * 3
    assert np.array_equal(values[1], BASE.ravel()) and np.array_equal(values[2], BASE @ BASE.T)


def test_an_array_of_objects_holds_strings() -> None:
    value = np.array([["ä"], [b"b"]], object)
    held = core.Constant.create(tg.Scope(tg.Graph()), value, tg.TString).inputs.value
    assert held.tolist() == [["ä".encode()], [b"b"]]


@pytest.mark.parametrize("dtype", [object, "S", "U", "T"])
def test_an_array_of_strings_is_no_number(dtype: Any) -> None:
    with pytest.raises(tg.DTypeError, match="is not float32"):
        core.Constant.create(tg.Scope(tg.Graph()), np.array(["1.5"], dtype), tg.TFloat32)


def test_an_empty_array_of_integers_fits_any() -> None:
    assert core.Constant.create(tg.Scope(tg.Graph()), np.zeros(0, np.int64), tg.TInt8).dtype is tg.TInt8


def test_a_constant_of_a_memory_map_does_not_follow_the_file(tmp_path: Path) -> None:
    mapped = np.memmap(tmp_path / "w", np.float32, "w+", shape=(2,))
    operation = core.Constant.create(tg.Scope(tg.Graph()), mapped)
    mapped[:] = 7
    assert type(operation.inputs.value) is np.ndarray and operation.inputs.value.tolist() == [0, 0]


MASKED: Final = np.ma.masked_array([1.0, 2.0], [False, True])


@pytest.mark.parametrize("value", [MASKED, [MASKED, MASKED], [1.0, np.ma.masked]], ids=["array", "list", "element"])
def test_masked_elements_have_no_value(value: Any) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat64)
    message = r"elements of a masked array are masked, .* `filled` what they are, as in array.filled\(0\)"
    with pytest.raises(tg.DTypeError, match=message):
        core.Constant.create(scope, value, tg.TFloat64)
    with pytest.raises(tg.DTypeError, match=message):
        tg.Variable.create(scope, value)
    with tg.Session(scope.graph) as session, pytest.raises(tg.FeedError, match=message):
        session.run(x, {x: value})


REFUSED: Final[dict[str, tuple[Any, str]]] = {
    "records": (np.zeros(2, "i4,f4"), "no element type holds NumPy's .*; convert it with astype"),
    "long doubles": (np.ones(2, np.longdouble), "no element type holds NumPy's .*; convert it with astype"),
    "durations": (np.zeros(2, "m8[s]"), "no element type holds NumPy's timedelta64"),
    "a list that contains itself": (cyclic(), "a list that is nested more than 64 deep, or contains itself"),
    "a deep list": (deep(), "a list that is nested more than 64 deep, or contains itself"),
    "a huge int": (10**400, "an integer of 1329 bits is beyond int32"),
    "a list of text and a number": (np.array(["a", 2.5], object), "a string is str or bytes, not float 2.5"),
    "half of a character": ("\ud800", "half of a character, which UTF-8 cannot hold; pass bytes"),
    "an array that raises": (Raising(), "Raising does not become an array: RuntimeError: it requires grad"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_value(what: str) -> None:
    value, message = REFUSED[what]
    with pytest.raises(tg.DTypeError, match=message) as caught:
        core.Constant.create(tg.Scope(tg.Graph()), value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("dtype", [None, tg.TFloat32])
def test_a_value_has_at_most_64_dimensions(dtype: Any) -> None:
    value: Any = 1.0
    for _ in range(64):
        value = [value]
    scope = tg.Scope(tg.Graph())
    assert core.Constant.create(scope, value, dtype).rank == 64
    with pytest.raises(tg.DTypeError, match="a list that is nested more than 64 deep"):
        core.Constant.create(scope, [value], dtype)


def test_running_out_of_memory_names_the_node() -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(
        tg.ResourceExhaustedError,
        match=r"Const 'big' \(.*\): .*: there is no memory for an array of shape \[1048576, 1048576\] and type ",
    ):
        core.Constant.create(scope.with_name("big"), np.broadcast_to(np.float32(1), (2**20, 2**20)))
    n = core.Placeholder.create(scope, tg.TInt32, shape=(2,))
    filled = core.Fill.create(scope.with_name("filled"), n, core.Constant.create(scope, 1.0))
    with tg.Session(scope.graph) as session:
        for size in (2**28, 2**31 - 1):  # NumPy refuses the second one as more than addresses can tell
            with pytest.raises(
                tg.ResourceExhaustedError, match=r"Fill 'filled' \(created at .*\): there is not enough memory"
            ):
                session.run(filled, {n: [size, size]})
        assert session.run(filled, {n: [1, 1]}).tolist() == [[1]]


def test_element_types_of_dtypes() -> None:
    assert tg.from_numpy(np.dtype("<f4")) is tg.TFloat32
    assert tg.from_numpy(np.dtype("U3")) is tg.TString
    for name in ("m8[s]", "i4,f4", np.longdouble):
        with pytest.raises(tg.DTypeError, match="no element type holds NumPy's .*; convert it with astype"):
            tg.from_numpy(np.dtype(name))
