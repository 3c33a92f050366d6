"""The derivatives of special functions in their parameters, which TensorFlow lacks, are what mpmath computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, math

Make: TypeAlias = Callable[..., tg.Operand[tg.TFloat64]]
Orders: TypeAlias = Sequence[tuple[int, ...]]

BETAS: Final = (
    (
        (0.1, 0.1, 0.6),
        (
            -2.4514177091034104,
            2.610004076698135,
            23.768950043057988,
            0.8210611732880492,
            -25.75309445560687,
            0.8472829792289065,
        ),
    ),
    (
        (0.5, 2.0, 0.01),
        (
            -0.5894729428052197,
            0.04141716326462905,
            2.25871137324044,
            -0.09066433413083258,
            -0.011633697506188942,
            -14.393388630961578,
        ),
    ),
    (
        (2.0, 3.0, 0.3),
        (
            -0.2460937277467235,
            0.1295450609648719,
            0.1318018671727777,
            -0.030286638966075346,
            -0.009503625625889786,
            -0.21280802683095115,
        ),
    ),
    (
        (2.0, 3.0, 0.9),
        (
            -0.0037206817498923414,
            0.007619564844077965,
            -0.002175739262587591,
            0.006868545849221845,
            -0.015472369841380784,
            0.10562106430895472,
        ),
    ),
    (
        (0.05, 40.0, 0.6),
        (
            -7.06971799065743e-18,
            2.8053446290801386e-19,
            -4.754497974504731e-17,
            6.635731624548186e-18,
            -2.6378036764599067e-19,
            7.172518444673996e-16,
        ),
    ),
    (
        (40.0, 0.05, 0.999),
        (
            -0.001062716029228725,
            2.414236648102168,
            2.660323199586768e-05,
            -0.01833720826540919,
            -5.423946142302102,
            0.01111427998531165,
        ),
    ),
    (
        (100.0, 250.0, 0.2),
        (
            -2.6181965233338345e-05,
            8.311626813585422e-06,
            9.41915232167229e-06,
            -2.9469166669760295e-06,
            9.182456651327637e-07,
            -0.004847581178559306,
        ),
    ),
    (
        (100.0, 250.0, 0.4),
        (
            -1.368131120247023e-06,
            7.081469884823707e-07,
            -4.566843139459449e-07,
            2.3982270174721106e-07,
            -1.2550631957718993e-07,
            0.00022982701689744912,
        ),
    ),
    (
        (1000.0, 3.0, 0.99),
        (
            -2.173771617643642e-05,
            0.003924611662097534,
            1.7503936979946974e-07,
            -3.003716563169304e-05,
            0.0048301675197631455,
            -0.015425010303582377,
        ),
    ),
    (
        (1.0, 1.0, 0.001),
        (
            -0.0069077552789821375,
            0.00099949983324995,
            0.04771708299430558,
            -0.006259616293799532,
            -9.99999916583261e-07,
            -5.907755278982137,
        ),
    ),
)
"""Of `Betainc`: points, and derivatives in a, b, a twice, a and b, b twice, a and x, computed with 80 digits."""
ZETAS: Final = (
    ((1.01, 1.0), (-9999.927281160435, 1999999.9902892092, -0.7085260346873371)),
    ((2.0, 1.0), (-0.9375482543158438, 1.989280234298901, -0.8058044173883205)),
    ((2.0, 0.001), (6907754.340630572, 47717084.983503506, -14815510558.765093)),
    ((3.5, 2.5), (-0.07473078610885922, 0.09511803513945634, 0.05834940479020515)),
    ((10.0, 0.3), (203893.83236115132, 245482.65746946365, -7360964.555632138)),
    ((60.0, 12.0), (-4.447790945275411e-65, 1.1055407326341168e-64, 2.2075228989067493e-64)),
    ((1.5, 1000000.0), (-0.03163102802368547, 0.5082608438523464, 1.3815520419601177e-08)),
)
"""Of `Zeta`: points, and derivatives in x, x twice, x and q."""


@pytest.mark.parametrize(("point", "expected"), BETAS)
def test_betainc(point: Sequence[float], expected: Sequence[float]) -> None:
    orders = (0,), (1,), (0, 0), (0, 1), (1, 1), (0, 2)
    np.testing.assert_allclose(derivatives(math.Betainc.create, point, orders), expected, 1e-11)
    turned = (1, 0), (2, 0)
    np.testing.assert_allclose(derivatives(math.Betainc.create, point, turned), [expected[3], expected[5]], 1e-11)


@pytest.mark.parametrize(("point", "expected"), ZETAS)
def test_zeta(point: Sequence[float], expected: Sequence[float]) -> None:
    slopes = derivatives(math.Zeta.create, point, ((0,), (0, 0), (1, 0)))
    np.testing.assert_allclose(slopes, expected, 1e-12)


def test_betainc_in_float32_is_the_rounded_derivative() -> None:
    wide = [derivatives(math.Betainc.create, (2.0, 30.0, 0.125), ((place,),))[0] for place in (0, 1)]
    narrow = derivatives(math.Betainc.create, np.array([2, 30, 0.125], np.float32), ((0,), (1,)))
    np.testing.assert_allclose(narrow, wide, 1e-7)


def test_betainc_at_the_ends_depends_on_no_parameter() -> None:
    for x in (0.0, 1.0):
        assert derivatives(math.Betainc.create, (2.0, 3.0, x), ((0,), (1,), (0, 0), (0, 1), (1, 1))) == [0] * 5


def derivatives(make: Make, point: Sequence[float] | NDArray[Any], orders: Orders) -> list[Any]:
    """For each of the `orders` the derivative in these inputs, one after the other."""
    scope = tg.Scope(tg.Graph())
    xs = [core.Constant.create(scope, np.asarray(each)) for each in point]
    with scope, tg.Session(scope.graph) as session:
        results = []
        for places in orders:
            y = make(scope, *xs)
            for place in places:
                y = tg.grad(scope, y, xs[place])
            results.append(session.run(y).item())
    return results
