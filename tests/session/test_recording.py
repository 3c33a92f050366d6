"""Runs are recorded within the block that asks for it, and no longer."""

from __future__ import annotations

import pytest

import typegrad as tg
from typegrad.op import core, math
from typegrad.session.executor import Executor
from typegrad.session.recording import RECORDER, recording


def test_recording_ends_with_the_block() -> None:
    scope = tg.Scope(tg.Graph())
    y = math.Neg.create(scope, core.Placeholder.create(scope, tg.TFloat32, shape=()))
    executor = Executor(scope.graph, (), auto_init=True)
    with recording(executor) as recorder:
        assert RECORDER.get() is recorder
        with pytest.raises(tg.FeedError):
            executor.run(y, None)
    assert RECORDER.get() is None
