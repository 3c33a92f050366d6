"""Between what ends random numbers of NumPy lie, by the arguments of the methods of generators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

__all__ = ["BELOW_ONE", "ENDS", "MOST", "Ends"]

Ends = tuple[Any, Any]
BELOW_ONE: Final = 1 - 2**-53
"""The largest number that `random()` draws."""
MOST: Final = 2.0**1000
"""What no fraction that is drawn exceeds."""
_FARTHEST: Final = 100
"""How many times its scale no normal number is away from its mean: generators draw from numbers of 64 bits."""
_MOST_COUNTED: Final = 2**62
"""What no count that is drawn exceeds."""
_MOST_ITEMS: Final = 4096
"""Of how many items it is looked at which may be chosen."""


def _fractions(dtype: Any = np.float64, **_: Any) -> Ends:
    return 0.0, np.nextafter(np.dtype(dtype).type(1), 0)


def _whole(low: Any, high: Any = None, *, endpoint: bool = False, **_: Any) -> Ends:
    least, end = (0, low) if high is None else (low, high)
    return np.min(least), int(np.max(end)) - (not endpoint)


def _uniform(low: Any = 0.0, high: Any = 1.0, **_: Any) -> Ends:
    last = np.add(low, np.subtract(high, low))  # which may be rounded up
    return np.min([np.min(low), np.min(high)]), np.max([np.max(low), np.max(high), np.max(last)])


def _around(loc: Any = 0.0, scale: Any = 1.0, **_: Any) -> Ends:
    """What lies on both sides of a number, unless it has no scale."""
    return (np.min(loc), np.max(loc)) if np.all(np.equal(scale, 0)) else (-MOST, MOST)


def _above(scale: Any = 1.0, **_: Any) -> Ends:
    return 0.0, 0.0 if np.all(np.equal(scale, 0)) else MOST


def _gamma(shape: Any, scale: Any = 1.0, **_: Any) -> Ends:
    return _above(np.multiply(shape, scale))


def _normal(loc: Any = 0.0, scale: Any = 1.0, **_: Any) -> Ends:
    distance = np.multiply(scale, _FARTHEST)
    return np.min(np.subtract(loc, distance)), np.max(np.add(loc, distance))


def _standard_normal(**_: Any) -> Ends:
    return -_FARTHEST, _FARTHEST


def _positive(**_: Any) -> Ends:
    return 0.0, MOST


def _root(a: Any, **_: Any) -> Ends | None:
    """What is about as large as e ** (100 / a) at most."""
    return (0.0, MOST) if np.min(a) > 0.2 else None


def _share(**_: Any) -> Ends:
    return 0.0, 1.0


def _lognormal(mean: Any = 0.0, sigma: Any = 1.0, **_: Any) -> Ends | None:
    if not np.any(mean) and not np.any(sigma):
        return 1.0, 1.0
    _, exponent = _normal(mean, sigma)
    return (0.0, MOST) if exponent <= np.log(MOST) else None


def _triangular(left: Any, mode: Any, right: Any, **_: Any) -> Ends:
    del mode
    return np.nextafter(np.min(left), -np.inf), np.nextafter(np.max(right), np.inf)  # which may be rounded


def _multinomial(n: Any, **_: Any) -> Ends:
    return 0, np.max(n)


def _hypergeometric(ngood: Any, nbad: Any, nsample: Any, **_: Any) -> Ends:
    return np.min(np.maximum(np.subtract(nsample, nbad), 0)), np.max(np.minimum(nsample, ngood))


def _binomial(n: Any, p: Any, **_: Any) -> Ends:
    is_sure = np.equal(p, 1)
    return np.min(np.where(is_sure, n, 0)), np.max(np.where(np.equal(p, 0), 0, n))


def _poisson(lam: Any = 1.0, **_: Any) -> Ends:
    return 0, 0 if np.all(np.equal(lam, 0)) else _MOST_COUNTED


def _geometric(p: Any, **_: Any) -> Ends:
    return 1, 1 if np.all(np.equal(p, 1)) else _MOST_COUNTED


def _choice(a: Any, p: Any = None, axis: int = 0, **_: Any) -> Ends | None:
    """The first and the last of the items in order whose chance is not 0."""
    is_number = isinstance(a, (int, np.integer))
    if is_number and p is None:
        return 0, a - 1
    if (a if is_number else np.size(a)) > _MOST_ITEMS or (p is not None and np.ndim(a) > 1):
        return None
    items = np.arange(a) if is_number else np.asarray(a)
    if items.dtype.kind not in "biufU":
        return None
    found = np.unique(items if p is None else items[np.greater(p, 0)])
    return (found[0], found[-1]) if found[-1] == found[-1] else None  # NaN is behind all others


def _permutation(x: Any, **_: Any) -> Ends | None:
    return (0, x - 1) if isinstance(x, (int, np.integer)) else None


ENDS: Final[Mapping[str, Callable[..., Ends | None]]] = {
    **dict.fromkeys(("rand", "random", "random_sample"), _fractions),
    **dict.fromkeys(("integers", "randint"), _whole),
    **dict.fromkeys(("gumbel", "laplace", "logistic"), _around),
    **dict.fromkeys(("exponential", "rayleigh"), _above),
    **dict.fromkeys(("randn", "standard_normal"), _standard_normal),
    **dict.fromkeys(("beta", "dirichlet", "power"), _share),
    **dict.fromkeys(("chisquare", "f", "standard_exponential", "standard_gamma", "wald"), _positive),
    **dict.fromkeys(("pareto", "weibull"), _root),
    "binomial": _binomial,
    "choice": _choice,
    "gamma": _gamma,
    "geometric": _geometric,
    "hypergeometric": _hypergeometric,
    "lognormal": _lognormal,
    "multinomial": _multinomial,
    "normal": _normal,
    "permutation": _permutation,
    "poisson": _poisson,
    "triangular": _triangular,
    "uniform": _uniform,
}
"""The least and the largest number that a method draws; None if that is not known."""
