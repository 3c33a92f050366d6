"""Where the files of the project are: in a checkout, or in an installed package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["project_file", "registry"]

_HERE: Final = Path(__file__).parent
_INSTALLED: Final = (_HERE / "registry").is_dir()
_PACKAGED: Final = ("framework", "codegen")
"""The source roots. The packages in them are side by side once they are installed."""


def registry() -> Path:
    """The folder of typegrad's own registry: in an installed package beside this file, in a checkout at the root."""
    return _HERE / "registry" if _INSTALLED else _HERE.parents[1] / "ops"


def project_file(file: str) -> Path:
    """Where a file of the project is, by its path in the project: "docs/static-shapes.md". It need not exist."""
    if not _INSTALLED:
        return _HERE.parents[1] / file
    top, _, rest = file.partition("/")
    if top == "ops":
        return registry() / rest
    if top in _PACKAGED and (_HERE.parent / rest).exists():
        return _HERE.parent / rest
    return _HERE.parent / "typegrad_reference" / "project" / file
