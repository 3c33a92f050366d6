"""List TensorFlow's operations for the search, from the facts in `tests/data/tf_ops.jsonl`: a line for each, with
TensorFlow Java's class.

    python tests/record_names.py

The search says of those that the registry lacks that they are not here. Operations that only compilers and the inside
of TensorFlow use are left out.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

FACTS: Final = Path(__file__).parent / "data" / "tf_ops.jsonl"
LIST: Final = Path(__file__).parents[1] / "codegen" / "typegrad_reference" / "entries" / "tensorflow_ops.txt"
INSIDE: Final = frozenset(
    ("cluster", "collective", "data.experimental", "estimator", "random.experimental", "risc", "tpu", "xla")
)
"""Groups that no model names."""


def listed() -> str:
    """The list."""
    facts = map(json.loads, FACTS.read_text(encoding="utf-8").splitlines())
    java = ((fact["op"], fact["java"]) for fact in facts if "java" in fact)
    names = [(op, f"{names['group']}.{names['class']}") for op, names in java if names["group"] not in INSIDE]
    return "".join(f"{name} {op}\n" for op, name in sorted(names))


if __name__ == "__main__":
    LIST.write_text(listed(), encoding="utf-8")
