"""The files of an installed package, without building a wheel."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Final

__all__ = ["lay_out"]

_ROOT: Final = Path(__file__).parents[2]


def lay_out(folder: Path) -> None:
    """Copy into `folder` what pyproject.toml puts into the wheel, and where it puts it."""
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    places = {package: Path(package).name for package in wheel["packages"]} | wheel["force-include"]
    for source, target in places.items():
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        if (_ROOT / source).is_dir():
            shutil.copytree(_ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(_ROOT / source, folder / target)
