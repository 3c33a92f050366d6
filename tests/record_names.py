"""List TensorFlow's operations for the search and the page of coverage, from the facts in `tests/data/tf_ops.jsonl`: a
line for each, with TensorFlow Java's group, and its class where it is public.

    python tests/record_names.py

The search says of those that the registry lacks that they are not here. Operations without a class that only compilers
and the inside of TensorFlow use are left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

FACTS: Final = Path(__file__).parent / "data" / "tf_ops.jsonl"
LIST: Final = Path(__file__).parents[1] / "framework" / "typegrad" / "arguments" / "tensorflow_ops.txt"
PUBLIC: Final = frozenset(("visible", "default"))
INSIDE: Final = frozenset(("estimator", "risc", "tpu", "xla"))
"""Groups that no model names."""


def listed() -> str:
    """The list."""
    facts = map(json.loads, FACTS.read_text(encoding="utf-8").splitlines())
    java = ((fact["op"], fact["java"]) for fact in facts if "java" in fact)
    return "".join(sorted(_line(op, names) for op, names in java if _is_public(names) or names["group"] not in INSIDE))


def _line(op: str, java: dict[str, Any]) -> str:
    return f"{op} {java['group']} {java['class'] if _is_public(java) else ''}".rstrip() + "\n"


def _is_public(java: dict[str, Any]) -> bool:
    return java["visibility"] in PUBLIC


if __name__ == "__main__":
    LIST.write_text(listed(), encoding="utf-8")
