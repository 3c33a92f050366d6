"""Which operations of TensorFlow are here, by the groups of TensorFlow Java, and why others are not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from typegrad.arguments.tensorflow_ops import TensorFlowOp, tensorflow_ops, why_not
from typegrad_codegen.schema import Entry

__all__ = ["GroupCoverage", "coverage"]


@frozen
class GroupCoverage:
    """The operations of one group of TensorFlow Java."""

    group: str
    here: Sequence[tuple[TensorFlowOp, Entry]]
    missing: Sequence[tuple[str, Sequence[TensorFlowOp]]]
    """Why operations are not here, and which."""

    @property
    def size(self) -> int:
        """How many operations the group has."""
        return len(self.here) + sum(len(ops) for _, ops in self.missing)

    @property
    def java_here(self) -> int:
        """How many classes of TensorFlow Java are here."""
        return sum(bool(op.java) for op, _ in self.here)

    @property
    def java_size(self) -> int:
        """How many classes TensorFlow Java has in the group."""
        return self.java_here + sum(bool(op.java) for _, ops in self.missing for op in ops)


def coverage(operations: Iterable[Entry]) -> list[GroupCoverage]:
    """What is here and what is not, group by group."""
    here = {op.name: op for op in operations}
    groups: dict[str, list[TensorFlowOp]] = {}
    for op in tensorflow_ops():
        groups.setdefault(op.group, []).append(op)
    return [_of_group(group, ops, here) for group, ops in sorted(groups.items())]


def _of_group(group: str, ops: Sequence[TensorFlowOp], here: dict[str, Entry]) -> GroupCoverage:
    missing: dict[str, list[TensorFlowOp]] = {}
    for op in ops:
        if op.name not in here:
            missing.setdefault(why_not(op), []).append(op)
    return GroupCoverage(group, [(op, here[op.name]) for op in ops if op.name in here], list(missing.items()))
