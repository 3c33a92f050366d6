"""TensorFlow's operations, and why some are not here.

`tensorflow_ops.txt` lists the operations, `coverage.yaml` the reasons.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

import yaml
from attrs import frozen

__all__ = ["NOT_YET", "Reason", "TensorFlowOp", "reasons", "tensorflow_ops", "why_not"]

NOT_YET: Final = "They are not written yet."
_HERE: Final = files("typegrad.arguments")


@frozen
class TensorFlowOp:
    """An operation of TensorFlow, with the group and class of TensorFlow Java; `java` is "" where that has no class."""

    name: str
    group: str
    java: str

    @property
    def why_not(self) -> str:
        """That it is not here, and why."""
        return f"TensorFlow's operation {self.name} is not here, nor are others of its kind. {why_not(self)}"


@frozen
class Reason:
    """Why operations are not here."""

    why: str
    groups: tuple[str, ...]
    names: tuple[re.Pattern[str], ...]

    def applies(self, op: TensorFlowOp) -> bool:
        """Whether it is the reason for an operation."""
        return op.group in self.groups or any(pattern.fullmatch(op.name) for pattern in self.names)


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


def why_not(op: TensorFlowOp) -> str:
    """Why an operation, and others of its kind, are not here."""
    return next((reason.why for reason in reasons() if reason.applies(op)), NOT_YET)
