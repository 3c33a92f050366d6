"""Values in the texts of errors."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.base.brief import brief, described


class Shouting(type):
    """A metaclass with a representation of its own."""

    def __repr__(cls) -> str:
        raise RuntimeError


class Loud(metaclass=Shouting):
    """A class that cannot be shown by `repr`."""


class Plain:
    """A class without words of its own, with a method and words that fail."""

    def method(self) -> None: ...


class Failing:
    """A class whose objects cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError


WRITTEN: Final[dict[str, object]] = {
    "float": float,
    "np.float32": np.float32,
    "tg.TFloat32": tg.TFloat32,
    "Variable": tg.Variable,
    "[int, np.int32]": [int, np.int32],
    f"{__name__}.Loud": Loud,
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_class_is_written_as_in_programs(text: str) -> None:
    assert brief(WRITTEN[text]) == text


def test_a_class_is_described_as_one() -> None:
    value: Any = tg.TFloat32
    assert described(value) == "type tg.TFloat32"


def test_a_member_of_an_enumeration_is_written_as_in_programs() -> None:
    class Color(Enum):
        RED = "red"

    assert brief(Color.RED) == "Color.RED"
    assert brief([Color.RED]) == "[Color.RED]"


@pytest.mark.parametrize("value", [Plain(), [Plain()], Plain().method, {"key": (Plain(),)}, lambda: None, Failing])
def test_no_address_is_in_a_message(value: object) -> None:
    assert " at 0x" not in brief(value) + described(value)


def test_an_object_without_words_of_its_own_is_its_class() -> None:
    assert described(Plain()) == "Plain"
    assert brief(Plain()) == f"<{__name__}.Plain object>"


def test_what_a_text_says_of_an_address_is_kept() -> None:
    assert brief("stopped at 0x10") == "'stopped at 0x10'"
