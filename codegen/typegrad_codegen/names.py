"""How names are written: TensorFlow's CamelCase, Python's snake_case, the names of type variables."""

from __future__ import annotations

import keyword
from typing import Final

__all__ = ["identifier", "is_name", "pascal", "snake"]

_LONGEST: Final = 100


def is_name(text: str) -> bool:
    """Whether generated code can have this name, and files can.

    Only ASCII letters are allowed: Python normalizes others (NFKC).
    """
    return len(text) <= _LONGEST and text.isascii() and text.isidentifier() and not keyword.iskeyword(text)


def snake(name: str) -> str:
    """`name` in snake case, by TensorFlow's rule: MatMul is mat_mul, Conv2D conv2d, AddV2 add_v2, TopKV2 top_kv2."""
    result = ""
    for i, char in enumerate(name):
        after_lower = i > 0 and name[i - 1].islower()
        before_lower = 0 < i < len(name) - 1 and name[i + 1].islower()
        result += "_" if char.isupper() and (after_lower or before_lower) else ""
        result += char.lower()
    return result


def identifier(name: str) -> str:
    """`name` in snake case as a Python name: a keyword gets a trailing underscore."""
    result = snake(name)
    return result + "_" if keyword.iskeyword(result) else result


def pascal(name: str) -> str:
    """`name` in CamelCase: out_type is OutType, T stays T."""
    return "".join(part[0].upper() + part[1:] for part in name.split("_") if part)
