"""The metaclass of classes whose own attributes users look for: `tg.TFloat32.tensorOf`, `tg.Shape.unknown()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # `Shape` is a sequence to type checkers, and the class of sequences is of this kind
    from abc import ABCMeta as _Kind
else:
    _Kind = type

__all__ = ["Explained"]


class Explained(_Kind):
    """Says what to write instead of an attribute that a class lacks, once the package guards what it offers."""
