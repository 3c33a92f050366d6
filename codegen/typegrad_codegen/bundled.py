"""Where typegrad's own registry is."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["registry"]

_HERE: Final = Path(__file__).parent


def registry() -> Path:
    """The folder of typegrad's own registry: in an installed package beside this file, in a checkout at the root."""
    installed = _HERE / "registry"
    return installed if installed.is_dir() else _HERE.parents[1] / "ops"
