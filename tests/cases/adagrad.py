"""Cases of `ops/adagrad.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case, Var
from support.samples import sample, values
from support.updates import Update, changed_rows, row_updates, updates

ADAGRAD = (
    Update("ResourceApplyAdagrad", ("var", "accum", "lr", "grad")),
    Update("ResourceApplyAdagradV2", ("var", "accum", "lr", "epsilon", "grad")),
)
AVERAGING = Update(
    "ResourceApplyAdagradDA", ("var", "total", "accum", "grad", "lr", "l1", "l2", "global_step"), is_real=True
)
PROXIMAL = Update("ResourceApplyProximalAdagrad", ("var", "accum", "lr", "l1", "l2", "grad"), is_real=True)
UPDATES = (*ADAGRAD, AVERAGING, PROXIMAL)


def sums() -> Iterator[Case]:
    """Sums of squares that stay as they are, or are zero."""
    for update in ADAGRAD:
        yield update.case(attrs={"update_slots": False})
        yield update.case(change={"accum": Var(sample("float", (2, 3)) * np.float32(0))})
        yield changed_rows(update.of_rows(), "lr", 0.25, fails=False, update_slots=False)


def penalties() -> Iterator[Case]:
    """Penalties and learning rates at and beyond the ends of their ranges."""
    for number in (0, -1, 9):
        yield AVERAGING.case(change={"l1": np.float32(number)})
        yield changed_rows(AVERAGING.of_rows(), "l1", number, fails=False)
        yield PROXIMAL.case(change={"l1": np.float32(number)}, fails=number < 0)
        yield changed_rows(PROXIMAL.of_rows(), "l1", number, fails=number < 0)
    for name, number in (("lr", -1), ("lr", 0), ("l2", -1)):
        yield changed_rows(PROXIMAL.of_rows(), name, number, fails=True)


def counts() -> Iterator[Case]:
    """The number of the step: zero, and not a scalar."""
    yield AVERAGING.case(change={"global_step": np.int64(0)})
    yield AVERAGING.case(change={"global_step": values("int64", 3)}, fails=True)


CASES: list[Case] = [
    *updates(UPDATES),
    *row_updates(update.of_rows() for update in UPDATES),
    *sums(),
    *penalties(),
    *counts(),
]
