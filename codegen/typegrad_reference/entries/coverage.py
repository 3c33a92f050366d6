"""Which operations of TensorFlow are here, by the groups of TensorFlow Java, and why others are not.

`tensorflow_ops.txt` lists the operations, `coverage.yaml` the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import yaml
from attrs import frozen

from typegrad_codegen.schema import Entry

__all__ = ["NOT_YET", "GroupCoverage", "Reason", "TensorFlowOp", "coverage", "reasons", "tensorflow_ops", "why_not"]

_HERE: Final = Path(__file__).parent

NOT_YET: Final = "They are not written yet."


@frozen
class TensorFlowOp:
    """An operation of TensorFlow, with the group and class of TensorFlow Java; `java` is "" where that has no class."""

    name: str
    group: str
    java: str


@frozen
class Reason:
    """Why operations are not here."""

    why: str
    groups: tuple[str, ...]
    names: tuple[re.Pattern[str], ...]

    def applies(self, op: TensorFlowOp) -> bool:
        """Whether it is the reason for an operation."""
        return op.group in self.groups or any(pattern.fullmatch(op.name) for pattern in self.names)


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


@cache
def tensorflow_ops() -> tuple[TensorFlowOp, ...]:
    """TensorFlow's operations by name."""
    lines = (_HERE / "tensorflow_ops.txt").read_text(encoding="utf-8").splitlines()
    return tuple(TensorFlowOp(name, group, "".join(java)) for name, group, *java in map(str.split, lines))


@cache
def reasons() -> tuple[Reason, ...]:
    """The reasons of `coverage.yaml`."""
    written = yaml.safe_load((_HERE / "coverage.yaml").read_text(encoding="utf-8"))
    return tuple(
        Reason(each["why"], tuple(each.get("groups", ())), tuple(map(re.compile, each["names"]))) for each in written
    )


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


def why_not(op: TensorFlowOp) -> str:
    """Why an operation, and others of its kind, are not here."""
    return next((reason.why for reason in reasons() if reason.applies(op)), NOT_YET)
