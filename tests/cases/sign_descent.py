"""Cases of `ops/sign_descent.yaml`."""

from __future__ import annotations

from support.case import Case
from support.updates import Update, updates

UPDATES = (
    Update("ResourceApplyAddSign", ("var", "m", "lr", "alpha", "sign_decay", "beta", "grad"), is_real=True),
    Update("ResourceApplyPowerSign", ("var", "m", "lr", "logbase", "sign_decay", "beta", "grad"), is_real=True),
)

CASES: list[Case] = [*updates(UPDATES)]
