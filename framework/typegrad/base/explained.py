"""The metaclass of classes whose own attributes users look for: `tg.TFloat32.tensorOf`, `tg.Shape.unknown()`."""

from __future__ import annotations

__all__ = ["Explained"]


class Explained(type):
    """Says what to write instead of an attribute that a class lacks, once the package guards what it offers."""
