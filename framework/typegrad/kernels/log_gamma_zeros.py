"""The logarithm of |gamma| near its negative zeros, where the terms of the reflection formula cancel."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from scipy import special

from typegrad.kernels.namespace import Array

__all__ = ["near_zeros"]

_ORDERS: Final = 14
_RADIUS: Final = 1 / 16
"""How far the series go, as a part of the distance of the zero to the nearest pole."""
_ZEROS: Final = np.array(
    (
        (-16.000000000000046, 0.03425520333503583),
        (-15.999999999999952, -0.0034851246475472554),
        (-15.000000000000764, 0.0011552549067268103),
        (-14.999999999999236, 0.0011552549109141656),
        (-14.00000000001147, 7.057204149708364e-05),
        (-13.99999999998853, 7.057210284625434e-05),
        (-13.00000000016059, 4.200706921268597e-06),
        (-12.99999999983941, 4.201542925270726e-06),
        (-12.000000002087676, -5.854619992113373e-08),
        (-11.999999997912324, -4.799928255018621e-08),
        (-11.000000025052106, 2.734640389948086e-08),
        (-10.99999997494789, 7.92108817813105e-09),
        (-10.000000275573013, 1.2668051387565237e-09),
        (-9.99999972442663, 1.7719543958825935e-09),
        (-9.000002755714823, 3.444263328391509e-11),
        (-8.999997244250977, -8.050618056741812e-11),
        (-8.000024800270682, 1.75595561986039e-11),
        (-7.999975197095821, -2.1213071311827735e-12),
        (-7.000198333407325, -1.263203743493977e-12),
        (-6.999801507890638, 5.313011065735902e-14),
        (-6.001385294453155, -4.6433836942838004e-14),
        (-5.998607480080875, -2.3721063667118474e-13),
        (-5.0082181683225935, 5.4188509265538106e-15),
        (-4.991544640560048, 1.7683619350849613e-14),
        (-4.039361839740537, -5.664578074060335e-15),
        (-3.955294284858598, -4.14382750757705e-16),
        (-3.14358088834998, 1.6978655906121085e-15),
        (-2.7476826467274127, 1.733509244024501e-16),
        (-2.4570247382208006, 5.619192358950097e-17),
    )
)
"""The numbers next to the zeros, and the function there, of which mpmath computed 60 digits. No number is near the
zeros further left, which are as near to poles as numbers are to each other.
"""


def near_zeros(x: Array) -> tuple[Array, Array]:
    """Which elements are near a zero, and the function there, by Taylor series."""
    zeros, poles = _ZEROS[:, 0], np.rint(_ZEROS[:, 0])
    number = np.searchsorted((zeros[1:] + zeros[:-1]) / 2, x)
    distance = x - zeros[number]
    is_near = np.abs(distance) < _RADIUS * np.abs(zeros - poles)[number]
    distance, number = distance[is_near], number[is_near]
    result = np.zeros_like(distance)
    for coefficients in _series()[::-1]:
        result = result * distance + coefficients[number]
    return is_near, result


@cache
def _series() -> Array:
    """The coefficients of the series, a row for each order.

    gamma(x) is gamma(1 + e) by the product of e - k for k from 0 to n, where x is e - n; of log gamma(1 + e), the
    coefficient of order m is (-1)^m zeta(m, 1 + e) / m from the second one on.
    """
    pole = np.rint(_ZEROS[:, 0])
    e = _ZEROS[:, 0] - pole
    k = np.arange(1 - pole.min())
    factors = np.where(k <= -pole[:, None], e[:, None] - k, np.inf)
    orders = np.arange(2, _ORDERS)[:, None]
    higher = special.zeta(orders, 1 + e) + (1 / factors ** orders[..., None]).sum(axis=-1)
    slope = special.digamma(1 + e) - (1 / factors).sum(axis=-1)
    return np.stack([_ZEROS[:, 1], slope, *((-1.0) ** orders * higher / orders)])
