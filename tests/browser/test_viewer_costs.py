"""Pictures with costs in a browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import typegrad as tg
from support.browser import Browser, Scheme
from support.picture import Picture, open_page
from typegrad.op import core, math
from typegrad.session.profile import Cost, Profile


@pytest.fixture(params=["light", "dark"])
def picture(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> Picture:
    scope = tg.Scope(tg.Graph())
    scheme: Scheme = request.param
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (2,))
    slow = math.Exp.create(scope.with_name("slow"), x)
    layer = scope.with_sub_scope("layer")
    costs = [Cost(slow.op, "Exp", 5e-3, 0.5, "[2]", 16, 2)]
    for name in ("first", "second"):
        op = math.Neg.create(layer.with_name(name), slow).op
        costs.append(Cost(op, "Neg", 2.5e-3, 0.25, "[2]", 16, None))
    shown = open_page(browser, tmp_path, scope.graph, costs=Profile(1, 1e-2, costs), scheme=scheme)
    shown.read("viewer.showScopes(new Set())")
    browser.settle()
    return shown


def test_the_most_expensive_operation_has_the_hottest_colour(picture: Picture) -> None:
    assert picture.pixel("slow", dx=-24) == picture.colour("heat")
    assert picture.pixel("x", dx=-24) == picture.colour("node")


def test_a_collapsed_scope_has_the_sum_of_its_costs(picture: Picture) -> None:
    assert picture.pixel("layer", dx=-24) == picture.colour("heat")
    picture.read("viewer.showScopes(new Set(['layer']))")
    picture.browser.settle()
    share = np.sqrt(0.5)
    mixed = share * np.array(picture.colour("heat")) + (1 - share) * np.array(picture.colour("node"))
    np.testing.assert_allclose(picture.pixel("layer/first", dx=-24), mixed, atol=2)


def test_the_details_tell_the_cost(picture: Picture) -> None:
    picture.click("slow")
    assert "5.00 ms, 4e-07 GFLOP/s, 50.0% of the time" in picture.details()
    picture.click("layer")
    assert "50.0% of the time" in picture.details()
