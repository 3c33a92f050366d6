"""`RandomState`: the state from which a session continues with the same random numbers, and its form as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, TypeGuard

from attrs import frozen

from typegrad.base.errors import CheckpointError

__all__ = ["COUNT_LIMIT", "RandomState"]

COUNT_LIMIT: Final = 2**53
"""Counts start again at 0 here: up to this size, every reader of JSON reads integers exactly."""

_VERSION: Final = 1
_SEED_LIMIT: Final = 2**128


@frozen
class RandomState:
    """The seed of the streams, and the number of draws of each random operation."""

    seed: int | None
    """The graph's seed; None if it has none."""
    entropy: int
    """The replacement of the seed if there is none; else 0."""
    counts: Mapping[str, tuple[int, int]]
    """For each operation, by name: the steps it has taken part in, and the looks since."""

    def to_text(self) -> str:
        """The state as JSON, for the key "typegrad" of a checkpoint's metadata."""
        random = {"seed": self.seed, "entropy": self.entropy, "counts": self.counts}
        return json.dumps({"version": _VERSION, "random": random}, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> RandomState:
        """The state that `to_text` wrote; a `CheckpointError` for any other text."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise CheckpointError(f"the random state is not JSON ({error})") from None
        if not isinstance(document, dict) or document.get("version") != _VERSION:
            raise CheckpointError(f"the random state is not of version {_VERSION}")
        random = document.get("random")
        if not isinstance(random, dict) or random.keys() != {"seed", "entropy", "counts"}:
            raise CheckpointError("the random state needs `seed`, `entropy` and `counts`, and nothing else")
        return _checked(**random)


def _checked(seed: object, entropy: object, counts: object) -> RandomState:
    if seed is not None and not (_is_int(seed) and abs(seed) < _SEED_LIMIT):
        raise CheckpointError("the seed of the random state is not an integer of 128 bits")
    if not _is_int(entropy) or not 0 <= entropy < _SEED_LIMIT:
        raise CheckpointError("the entropy of the random state is not an integer from 0 to 2**128 - 1")
    if not isinstance(counts, dict) or not all(_is_count(count) for count in counts.values()):
        raise CheckpointError("the counts of the random state are not two integers from 0 to 2**53 - 1 for each name")
    return RandomState(seed, entropy, {name: (steps, looks) for name, (steps, looks) in counts.items()})


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(_is_int(number) and 0 <= number < COUNT_LIMIT for number in value)
    )
