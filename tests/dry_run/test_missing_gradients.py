"""A gradient is None where none flows, and nothing that a run returns."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dry_run.following import differences

FETCHED: Final = """
w = tg.Variable.create(scope.with_name("w"), np.ones((2, 3), np.float32))
v = tg.Variable.create(scope.with_name("v"), np.ones((2, 3), np.float32))
loss = w * w
with tg.Session(scope.graph) as session:
    session.run(tg.gradients(scope, loss, [w, v], unconnected_gradients="zero"))
    session.run([each for each in tg.gradients(scope, loss, [w, v]) if each is not None])
    session.run([loss, tg.gradients(scope, loss, [w, v])[0]])
    try:
        session.run(tg.gradients(scope, loss, [w, v]))
    except tg.FeedError:
        pass
    session.run({"grads": tg.gradients(scope, loss, [w, v])})  # E: fetches['grads'][1] is None, which
"""


def test_a_gradient_that_is_none_is_fetched(tmp_path: Path) -> None:
    assert differences(tmp_path, FETCHED) == []
