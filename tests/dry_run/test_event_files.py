"""Writers of event files: what they refuse, and when they are closed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
from typegrad.files.tensorboard import EventWriter
w = tg.Variable.create(scope, np.ones(3, np.float32))
loss = core.Sum.create(scope, w * w)
session = tg.Session(scope.graph)
writer = EventWriter("logs")
step = unknown.step
"""
PROGRAMS: Final = {
    "an operand": """
def train(writer):
    for step in range(3):
        session.run(loss)
        writer.scalar("loss", loss, step)  # E: 'loss' takes real numbers: <Sum 'Sum' TFloat32 []> is not a value
train(writer)
""",
    "an operand for a tag and a step that are not known": """
writer.scalar(f"loss{step}", loss, step)  # E: '...' takes real numbers: <Sum 'Sum' TFloat32 []> is not a value
""",
    "a variable": """
writer.histogram("w", w, step)  # E: 'w' takes real numbers: <Variable 'Variable' TFloat32 [3]> is not a value
""",
    "several numbers": """
writer.scalar("w", [1.0, 2.0], 0)  # E: scalar 'w' is one number, but the value has shape [2]
""",
    "several numbers of a run": """
if step % 10 == 0:
    writer.scalar("w", session.run(w), step)  # E: scalar 'w' is one number, but the value has shape [3]
""",
    "the results of a run": """
writer.scalar("loss", session.run([loss, w]), 0)  # E: is not a rectangular array
""",
    "a step that is no integer": """
writer.scalar("loss", session.run(loss), 0.5)  # E: `step` must be an int, not float 0.5
""",
    "no values": """
writer.histogram("w", [], step)  # E: there are no `values`
""",
    "a name elsewhere": """
writer.add_summary(session.run(loss), step)  # E: no attribute 'add_summary'; did you mean `.scalar`?
""",
    "a writer that is closed": """
writer.flush()
writer.close()
writer.scalar("loss", 0.1, 1)  # E: this EventWriter is closed; open another one
""",
    "a writer whose block has ended": """
with writer:
    writer.graph(scope.graph)
writer.graph(scope.graph)  # E: this EventWriter is closed; open another one
""",
    "what is right": """
writer.graph(scope.graph)
for step in range(3):
    writer.scalar("loss", session.run(loss), step)
    writer.scalar("loss", float(session.run(loss)), np.int64(step))
    writer.scalar("first", session.run(w)[:1], step)
    writer.histogram("w", session.value(w), step, buckets=unknown.buckets)
    writer.histogram("random", np.random.default_rng(0).normal(size=10**7), step)
    writer.scalar(unknown.tag, unknown.value, unknown.step)
    writer.histogram("w", unknown.value, 0)
    writer.scalar("chosen", session.run(w)[unknown.mask], 0)
try:
    writer.scalar("loss", loss, 0)
except tg.DTypeError:
    writer.flush()
writer.close()
writer.close()
""",
    "a writer that may be closed": """
if unknown.flag:
    writer.close()
    x @ np.zeros((7, 1), np.float32)  # E: inner dimensions
""",
    "a writer that may have been closed": """
def close_late():
    if unknown.flag:
        return
    writer.close()
if unknown.flag:
    writer.close()
for _ in range(unknown.number):
    writer.close()
close_late()
writer.scalar("loss", 0.1, 1)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_writers(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
