"""Cases of `ops/rmsprop.yaml`."""

from __future__ import annotations

from support.case import Case
from support.updates import Update, row_updates, updates

UPDATES = (
    Update("ResourceApplyRMSProp", ("var", "ms", "mom", "lr", "rho", "momentum", "epsilon", "grad")),
    Update("ResourceApplyCenteredRMSProp", ("var", "mg", "ms", "mom", "lr", "rho", "momentum", "epsilon", "grad")),
    Update("ResourceApplyAdadelta", ("var", "accum", "accum_update", "lr", "rho", "epsilon", "grad")),
)

CASES: list[Case] = [*updates(UPDATES), *row_updates(update.of_rows() for update in UPDATES)]
