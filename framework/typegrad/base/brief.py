"""Values in the texts of errors: short, on one line, whatever they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from reprlib import Repr
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Final, final

from typegrad.base.sameness import Sameness

__all__ = ["brief", "counted", "described", "either", "is_text", "quoted", "shortened", "without_addresses"]

_FUNCTIONS: Final = (BuiltinFunctionType, FunctionType, MethodType)
_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
_BITS: Final = 128
"""Integers of more bits are described, not written out: Python itself refuses to write very long ones."""


@final
class _Brief(Repr):
    """Survives values that are deep, contain themselves, or cannot be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxstring = self.maxother = 100

    def repr1(self, x: Any, level: int) -> str:
        """A class or a member of an enumeration as it is written in programs: "float", "np.float32", "tg.TFloat32"."""
        if isinstance(x, Enum):
            return f"{type(x).__name__}.{x.name}"
        return _written(x) if isinstance(x, type) else super().repr1(x, level)

    def repr_instance(self, x: Any, level: int) -> str:
        """Any other value, without its address in memory, which each run has another one of."""
        try:
            text = repr(x)
        except Exception:  # noqa: BLE001
            return super().repr_instance(x, level)
        return shortened(without_addresses(text), self.maxother)

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002
        """An integer, or how many bits it has."""
        return repr(x) if x.bit_length() <= _BITS else f"an integer of {x.bit_length()} bits"


_PREFIXES: Final = ((r"numpy\.", "np."), (r"typegrad\.base\.types\.", "tg."), (r"typegrad\.(\w+\.)*", ""))


def _written(kind: type) -> str:
    name = type.__repr__(kind).removeprefix("<class '").removesuffix("'>")  # no metaclass has a say
    for prefix, short in _PREFIXES:
        name = re.sub(f"^{prefix}", short, name)
    return name


_BRIEF: Final = _Brief()


def brief(value: Any, limit: int = 80) -> str:
    """What `repr` says of `value`, in at most `limit` characters."""
    return shortened(" ".join(_BRIEF.repr(value).split()), limit)


def counted(number: object, noun: str) -> str:
    """A number of things, which may be a size with a name: "1 operation", "2 boxes", "Batch rows"."""
    ending = "es" if noun.endswith(("s", "x")) else "s"
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{ending}"


def either(things: Sequence[object]) -> str:
    """A list of alternatives: "PNG", "1, 3 or 4"."""
    *others, last = map(str, things)
    return f"{', '.join(others)} or {last}" if others else last


def described(value: Any) -> str:
    """The type of `value` and what it is: "list [1, 2]"; of a dict, the number of its items, of an array, its shape.

    Of an object that has no words of its own, the name of its class.
    """
    if value is None:
        return "None"
    if isinstance(value, dict):
        return f"dict of {counted(len(value), 'item')}"
    if type(value).__name__ == "ndarray":
        return f"an array of {value.dtype} {list(value.shape)}"
    if isinstance(value, _FUNCTIONS):
        return "a function"
    kind = bool if isinstance(value, Sameness) else type(value)
    if kind.__repr__ is object.__repr__:
        return kind.__name__
    name, text = "type" if isinstance(value, type) else kind.__name__, brief(value)
    return text if text.startswith(f"{name}(") else f"{name} {text}"


def without_addresses(text: str) -> str:
    """A text without what Python says of where objects are in memory."""
    return _ADDRESS.sub("", text)


def quoted(text: str) -> str:
    """A name of a file, or from one, for a message: short, and without control characters."""
    return ascii(text if len(text) <= 100 else text[:100] + "...")


def is_text(value: object) -> bool:
    """Whether a value is a string that can be written to a file: Python's may contain surrogates."""
    if not isinstance(value, str):
        return False
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


def shortened(text: str, limit: int) -> str:
    """`text`, without its middle if it is longer than `limit`."""
    if len(text) <= limit:
        return text
    end = (limit - 5) // 3
    return f"{text[: limit - 5 - end]} ... {text[len(text) - end :]}"
