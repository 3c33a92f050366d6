"""What a look draws depends on the steps before it, and on the looks since the last one."""

from __future__ import annotations

import typegrad as tg
from typegrad.op import core, random


def test_looks_before_a_step_change_no_look_after_it() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = random.RandomUniform.create(scope, [4], tg.TFloat32)
    v = tg.Variable.create(scope, [0.0] * 4)
    step = v.assign_add(scope, x)
    drawn: list[bytes] = []
    for looks in (0, 2):
        with tg.Session(scope.graph) as session:
            session.initialize()
            for _ in range(looks):
                session.run(x)
            session.run(step)
            drawn.append(session.run(core.Identity.create(scope, x)).tobytes())
    assert drawn[0] == drawn[1]
