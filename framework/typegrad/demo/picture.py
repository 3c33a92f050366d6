"""The picture: a digit of each class, what was done to it, and what the network took it for, before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from typegrad.demo.digits import CLASSES, SIDE
from typegrad.demo.experiment import PERTURBATION, Result

__all__ = ["draw"]

_Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

RIGHT: Final = "#1a7f37"
WRONG: Final = "#cf222e"


def draw(before: Result, after: Result, file: Path) -> None:
    """Write the picture as a PNG."""
    columns = _one_of_each(before)
    figure = Figure(figsize=(11, 6.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.subplots(5, len(columns))
    _digits(axes[0], before.digits.images[columns], before.predicted[columns], columns, before)
    figure.savefig(file, dpi=150)


def _one_of_each(result: Result) -> list[int]:
    """For each class, the first digit that the network recognizes (or just the first, if it recognizes none)."""
    recognized = result.predicted == result.digits.labels
    return [int(np.argmax((result.digits.labels == label) * (1.0 + recognized))) for label in range(CLASSES)]
