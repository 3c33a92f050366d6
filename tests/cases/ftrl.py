"""Cases of `ops/ftrl.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.updates import Update, changed_rows, row_updates, updates

OPTION = "multiply_linear_by_lr"
SHRINKING = Update(
    "ResourceApplyFtrlV2",
    ("var", "accum", "linear", "grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"),
    OPTION,
    is_real=True,
)
UPDATES = (
    Update(
        "ResourceApplyFtrl",
        ("var", "accum", "linear", "grad", "lr", "l1", "l2", "lr_power"),
        OPTION,
        is_real=True,
    ),
    SHRINKING,
)


def special() -> Iterator[Case]:
    """Numbers at and beyond the ends of their ranges, and gradients that are nan."""
    for update in UPDATES:
        for name, number in (("lr_power", -1), ("lr_power", 0), ("lr_power", 0.5), ("lr", -1), ("l1", -1), ("l1", 9)):
            for by_lr in (False, True):
                yield update.case(change={name: np.float32(number)}, attrs={OPTION: by_lr})
        nowhere = np.full((2, 3), np.nan, np.float32)
        yield update.case(change={"grad": nowhere}, differs="nan is no reason for a variable to be 0")


def special_rows() -> Iterator[Case]:
    """Numbers at and beyond the ends of their ranges, which TensorFlow checks."""
    for update in (one.of_rows() for one in UPDATES):
        for name, number in (("lr", -1), ("lr", 0), ("l1", -1), ("l2", -1), ("lr_power", 0.5)):
            yield changed_rows(update, name, number, fails=True)
        yield changed_rows(update, "lr", 0, fails=False, multiply_linear_by_lr=True)
        yield changed_rows(update, "lr", -1, fails=True, multiply_linear_by_lr=True)
        for name, number in (("l1", 0), ("l1", 9), ("lr_power", 0), ("lr_power", -1)):
            yield from (
                changed_rows(update, name, number, fails=False, multiply_linear_by_lr=by_lr) for by_lr in (False, True)
            )
    yield changed_rows(SHRINKING.of_rows(), "l2_shrinkage", -1, fails=True)


CASES: list[Case] = [
    *updates(UPDATES),
    *row_updates(update.of_rows() for update in UPDATES),
    *special(),
    *special_rows(),
]
