"""The logarithm of the gamma function near its negative zeros, to the last digits."""

from __future__ import annotations

from typing import Final

import numpy as np

import typegrad as tg
from typegrad.op import math

NEAR_ZEROS: Final = (
    (-2.4570247382208006, 5.619192358950097e-17),
    (-2.4570247382208, 7.292550612674704e-16),
    (-2.45656771348258, 0.0006936831695059617),
    (-2.7476826467274127, 1.733509244024501e-16),
    (-2.7476826467274122, -6.767913369021244e-16),
    (-2.74743032937414, -0.0004824144993053315),
    (-3.14358088834998, 1.6978655906121085e-15),
    (-3.1435808883499794, 5.153716599585995e-15),
    (-3.14343730746163, 0.0011178627700377272),
    (-3.955294284858598, -4.14382750757705e-16),
    (-3.9552942848585975, -9.618158645865089e-15),
    (-3.9552495791434565, -0.0009260259223281708),
    (-4.039361839740537, -5.664578074060335e-15),
    (-4.039361839740536, 1.8130148902398562e-14),
    (-4.039322477900797, 0.0010550253352040668),
    (-5.99174, -1.7673443297512001),
    (-5.991739999999999, -1.7673443297513058),
    (-5.99173174, -1.7683281467914969),
    (-5.998607480080875, -2.3721063667118474e-13),
    (-5.998607480080874, -8.733643711854045e-13),
    (-5.998606087560956, -0.0009968863589929124),
    (-10.000000275573013, 1.2668051387565237e-09),
    (-10.000000275573012, 7.712857221613694e-09),
    (-10.00000027529744, 0.001000503442181322),
    (-12.99999999983941, 4.201542925270726e-06),
    (-12.999999999839408, -6.8598533502707775e-06),
    (-12.99999999983925, -0.000990834415328388),
    (-16.000000000000046, 0.03425520333503583),
    (-16.000000000000043, 0.11429791100858222),
    (-16.000000000000046, 0.03425520333503583),
)
"""Numbers, and what mpmath computed with 60 digits."""


def test_near_negative_zeros(scope: tg.Scope) -> None:
    x, expected = np.array(NEAR_ZEROS).T
    with tg.Session(scope.graph) as session:
        np.testing.assert_allclose(session.run(math.Lgamma.create(scope, x)), expected, rtol=1e-14)


def test_far_from_them(scope: tg.Scope) -> None:
    """Poles, numbers between two zeros, and numbers so large that all of them are integers."""
    x = np.array([-2.0, -3.0, -16.0, -2.5, -20.5, -1e300, -np.inf, np.nan])
    with tg.Session(scope.graph) as session:
        result = session.run(math.Lgamma.create(scope, x))
    between = [-0.05624371649767405, -42.70719597482576]
    np.testing.assert_allclose(result, [np.inf, np.inf, np.inf, *between, np.inf, np.inf, np.nan], rtol=1e-14)
