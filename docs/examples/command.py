"""The command line of the examples."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt

__all__ = ["arguments", "save"]


def arguments(text: str | None, *, stops: bool = True) -> argparse.Namespace:
    """The options of an example; `text` is its docstring, `stops` whether it shows what StopGradient does."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    if stops:
        parser.add_argument("--without-stop-gradient", action="store_true", help="omit StopGradient, to see its effect")
    parser.add_argument("--output", type=Path, default=Path("example-output"), help="folder of the picture")
    return parser.parse_args()


def save(figure: Any, folder: Path, name: str) -> None:
    """Write the picture, and print its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.png"
    figure.savefig(path, dpi=120, bbox_inches="tight")
    plt.close(figure)
    print(f"picture in {path}")


mpl.use("Agg")
