"""The definitions in TensorFlow 2.21 and TensorFlow Java: `tests/data/tf_ops.jsonl`, one operation per line."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

FACTS: Final = Path(__file__).parents[1] / "data" / "tf_ops.jsonl"


@cache
def facts() -> dict[str, dict[str, Any]]:
    """The operations by name."""
    with FACTS.open(encoding="utf-8") as lines:
        return {fact["op"]: fact for fact in map(json.loads, lines)}
