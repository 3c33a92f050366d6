"""The picture: a digit of each class, its perturbation, and the network's predictions before and after."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from typegrad.base.array import Array
from typegrad.tools.demo.digits import CLASSES, SIDE
from typegrad.tools.demo.experiment import PERTURBATION, Result

__all__ = ["draw"]

RIGHT: Final = "#1a7f37"
WRONG: Final = "#cf222e"

_Row: TypeAlias = "Sequence[Axes]"


def draw(before: Result, after: Result, file: Path) -> None:
    """Write the picture as a PNG; `before` and `after` are results on the same digits."""
    columns = _one_of_each(before)
    figure = Figure(figsize=(12, 7.6), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(
        "Handwritten digits, and what the network takes them for (green is right, red is wrong)", fontsize=14
    )
    rows: Sequence[_Row] = figure.subplots(5, CLASSES)
    _row(rows[0], "digit", before.digits.images[columns])
    _predictions(rows[0], before.predicted[columns])
    for (change, attacked), when, result in ((rows[1:3], "before", before), (rows[3:5], "after", after)):
        changes = result.adversarial[columns] - result.digits.images[columns]
        _row(
            change,
            f"perturbation\n{when} adversarial\ntraining",
            changes,
            "RdBu_r",
            -2 * PERTURBATION,
            2 * PERTURBATION,
        )
        _row(
            attacked,
            f"perturbed digit:\n{result.adversarial_accuracy:.0%} of all\nrecognized",
            result.adversarial[columns],
        )
        _predictions(attacked, result.predicted_adversarial[columns])
    figure.savefig(file, dpi=120)


def _one_of_each(result: Result) -> list[int]:
    """The index of the first recognized digit of each class, or of the first digit if none is recognized."""
    recognized = result.predicted == result.digits.labels
    return [int(np.argmax((result.digits.labels == label) * (1 + recognized))) for label in range(CLASSES)]


def _row(axes: _Row, title: str, images: Array, colors: str = "gray_r", low: float = 0.0, high: float = 1.0) -> None:
    for axis, image in zip(axes, images, strict=True):
        axis.imshow(image.reshape(SIDE, SIDE), cmap=colors, vmin=low, vmax=high)
        axis.set_xticks([])
        axis.set_yticks([])
    axes[0].set_ylabel(title, rotation=0, ha="right", va="center", labelpad=12, fontsize=11)


def _predictions(axes: _Row, predictions: Array) -> None:
    """Write the prediction below each digit; the columns are in the order of the classes."""
    for label, (axis, predicted) in enumerate(zip(axes, predictions, strict=True)):
        axis.set_xlabel(str(predicted), color=RIGHT if predicted == label else WRONG, fontsize=15, fontweight="bold")
