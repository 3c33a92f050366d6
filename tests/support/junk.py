"""Values that a user may pass by mistake or with intent."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import count
from typing import Any, Final

import numpy as np

import typegrad as tg

__all__ = ["HOSTILE", "Unrelated", "cyclic", "deep", "refusal"]


class Unrelated:
    """An object of a type that nothing accepts."""


class Raising:
    """A tensor of another library that cannot be converted to an array."""

    def __array__(self, *args: Any, **keywords: Any) -> Any:
        raise RuntimeError("it requires grad")


class Unshowable:
    """An object whose `repr` fails."""

    def __repr__(self) -> str:
        raise ValueError("no repr")


def cyclic() -> list[Any]:
    """A list that contains itself, after a number."""
    value: list[Any] = [1.0]
    value.append(value)
    return value


def deep() -> list[Any]:
    """A list in a list in a list."""
    value: list[Any] = []
    for _ in range(3000):
        value = [value]
    return value


def refusal(call: Callable[..., object], *args: Any, **keywords: Any) -> str:
    """The message of typegrad's error for a call; "" if there is none. Any other error is a failure."""
    try:
        call(*args, **keywords)
    except tg.TypegradError as error:
        return str(error)
    return ""


HOSTILE: Final[dict[str, Any]] = {
    "None": None,
    "True": True,
    "an int beyond 64 bits": 2**63,
    "a negative int beyond 64 bits": -(2**63) - 1,
    "an int beyond a float": 10**400,
    "an int beyond printing": 10**5000,
    "nan": float("nan"),
    "a complex number": 1j,
    "text": "a",
    "long text": "x" * 5000,
    "a surrogate": "\ud800",
    "bytes": b"ab",
    "a memoryview": memoryview(b"ab"),
    "an empty list": [],
    "a ragged list": [[1, 2], [3]],
    "numbers and text": [1, "a"],
    "a long list of text": ["x" * 100] * 100,
    "a cyclic list": cyclic(),
    "a deep list": deep(),
    "a deep mapping": {"a": deep()},
    "a set": {1},
    "a deque": deque([1, 2]),
    "an ordered mapping": OrderedDict(),
    "an iterator": iter([1, 2]),
    "an endless iterator": count(),
    "a slice": slice(1, 2),
    "an ellipsis": ...,
    "a function": len,
    "a module": np,
    "a type": int,
    "a class of operands": tg.Operand,
    "an element type": tg.TFloat32,
    "an abstract element type": tg.TFloating,
    "a NumPy dtype": np.dtype("f4"),
    "a decimal": Decimal("1.5"),
    "a fraction": Fraction(1, 3),
    "a date": np.datetime64("2020"),
    "an array of rank 0": np.array(1),
    "an array of text": np.array(["a"]),
    "an array of objects": np.array([object()]),
    "an array of records": np.zeros(2, "i4,f4"),
    "an array of durations": np.zeros(3, "m8[s]"),
    "an array of long doubles": np.array([1, 2], np.longdouble),
    "an array of rank 40": np.zeros((1,) * 40),
    "a masked array": np.ma.masked_array([1.0, 2.0], [False, True]),
    "an array beyond memory": np.broadcast_to(np.float32(1), (2**20, 2**20)),
    "a shape beyond memory": (2**40, 2**40),
    "a shape beyond addresses": (2**62, 2**62),
    "an empty array": np.array([]),
    "an array that raises": Raising(),
    "what cannot be shown": Unshowable(),
    "a graph": tg.Graph(),
    "an exception": ValueError("x"),
    "anything else": Unrelated(),
}
"""By what they are."""
