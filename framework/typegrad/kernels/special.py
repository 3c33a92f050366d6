"""Special functions, apart from the other kernels because SciPy takes its time to load."""

from __future__ import annotations

from typing import Any

from scipy import special

from typegrad.kernels.precision import widened


def erf(xp: Any, x: Any) -> Any:
    """The Gauss error function."""
    return widened(xp, special.erf, x)
