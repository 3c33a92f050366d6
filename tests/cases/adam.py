"""Cases of `ops/adam.yaml`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from support.case import Case
from support.updates import Update, updates

RATES = ("lr", "beta1", "beta2", "epsilon", "grad")
ADAM = Update("ResourceApplyAdam", ("var", "m", "v", "beta1_power", "beta2_power", *RATES), "use_nesterov")
AMSGRAD = Update(
    "ResourceApplyAdamWithAmsgrad", ("var", "m", "v", "vhat", "beta1_power", "beta2_power", *RATES), is_real=True
)
ADA_MAX = Update("ResourceApplyAdaMax", ("var", "m", "v", "beta1_power", *RATES), is_real=True)


def special() -> Iterator[Case]:
    """Gradients that are not finite, and rates at the ends of their ranges."""
    for update in (ADA_MAX, AMSGRAD):
        yield update.case(change={"grad": np.array([[np.nan, 1, np.inf], [-np.inf, 0, np.nan]], np.float32)})
    for update in (ADAM, AMSGRAD):
        yield update.case(change={"beta1_power": np.float32(1)})
        yield update.case(change={"beta1": np.float32(0), "beta2": np.float32(0)})


CASES: list[Case] = [*updates((ADAM, AMSGRAD, ADA_MAX)), *special()]
