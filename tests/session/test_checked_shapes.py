"""A plan remembers a limited number of the feed shapes that it has checked."""

from __future__ import annotations

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math
from typegrad.session import plan as plans
from typegrad.session.state import Resources


def test_more_shapes_are_checked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "_CHECKED_SHAPES", 2)
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    y = math.Neg.create(scope, x).as_output()
    plan = plans.Plan([y], [], [x.as_output()], Resources())
    for size in range(5):
        (value,) = plan.run(plan.program(((size,),)), [np.ones(size, np.float32)], [])
        assert isinstance(value, np.ndarray) and value.tolist() == [-1.0] * size
    assert len(plan.programs) == 2
