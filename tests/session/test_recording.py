"""Runs are recorded within the block that asks for it, and no longer."""

from __future__ import annotations

import pytest

import typegrad as tg
from typegrad.op import core, math
from typegrad.session.recording import RECORDER, recording


def test_recording_ends_with_the_block() -> None:
    scope = tg.Scope(tg.Graph())
    y = math.Neg.create(scope, core.Placeholder.create(scope, tg.TFloat32, shape=()))
    with tg.Session(scope.graph) as session:
        with recording(session) as recorder:
            assert RECORDER.get() is recorder
            with pytest.raises(tg.FeedError):
                session.run(y)
        assert RECORDER.get() is None
