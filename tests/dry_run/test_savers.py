"""Savers, and functions that only look at what they are given: what they refuse, and what is known behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import atexit, csv, json, logging, pickle, pprint, warnings
w = tg.Variable.create(scope, np.ones(3, np.float32))
loss = core.Sum.create(scope.with_name("loss"), w * w)
session = tg.Session(scope.graph)
saver = tg.Saver(session, unknown.folder)
logger = logging.getLogger(__name__)
sizes = [8, 7]
"""
PROGRAMS: Final = {
    "a session that is saved": """
def save(saver):
    saver.save(session, 1)  # E: Saver.save(): argument `step` must be an int, not Session
save(saver)
""",
    "several numbers for the metric": """
saver.save(unknown.step, session.run(w))  # E: argument `metric` must be a number or None, not an array of float32 [3]
""",
    "a closed session": """
with session:
    saver.save(1, session.run(loss))
saver.save(2)  # E: this session is closed
""",
    "a graph that is saved": """
def save(graph):
    return tg.Saver(graph, "folder")  # E: Saver(): argument `session` must be a Session, not Graph
save(scope.graph)
""",
    "no session": """
tg.Saver()  # E: Saver() needs `session`, `folder`
""",
    "a name elsewhere": """
saver.scalar("loss", 0.1)  # E: no attribute 'scalar'
""",
    "a name behind a saver": """
saver.restore()
session.run("los")  # E: no operation is called 'los'; did you mean 'loss'?
""",
    "a restored session": """
other = tg.Session(scope.graph, auto_init=False)
tg.Saver(other, "folder").restore()
other.run(w)
""",
    "a session that unknown code initializes": """
other, third = (tg.Session(scope.graph, auto_init=False) for _ in range(2))
unknown.call(other.initialize)
other.run(w)
third.run(w)  # E: has no value yet
""",
    "what is right": """
saver = tg.Saver(session, "folder", keep=unknown.keep, best=unknown.best)
for step in range(saver.restore() or 0, 9):
    saver.save(step + 1, metric=session.run(loss))
    saver.save(np.int64(step), float(session.run(loss)), metadata={"a": unknown.text})
print(saver.latest(), saver.best(), saver.checkpoints(), saver.folder)
tg.Saver(unknown.session, unknown.folder).save(unknown.step, unknown.metric)
""",
    "what would be fed": """
print(session.explain(loss))
print(session.explain(x * 2.0, [x]))
session.explain(x * 2.0)  # E: must be fed
""",
    "what is measured": """
session.profile(loss, runs=2)
session.profile(x * 2.0)  # E: must be fed
""",
    "functions that look at graphs": """
print(session.explain(loss), session.profile(loss), tg.pictures.text(scope.graph))
tg.files.tensorboard.graph_def(scope.graph)
atexit.register(session.close)
logger.info("%s %s", session, loss)
session.run("los")  # E: no operation is called 'los'; did you mean 'loss'?
""",
    "functions that look at lists": """
with open("file", "w") as file:
    json.dump(sizes, file)
    csv.writer(file).writerow(sizes)
pickle.dump(sizes, file)
pprint.pprint(sizes)
warnings.warn(f"{sizes}")
logger.getChild("child").warning("sizes: %s", sizes)
if logger.isEnabledFor(logging.DEBUG):
    logger.debug("sizes: %s", sizes)
x @ np.zeros((sizes[0], 1), np.float32)
x @ np.zeros((sizes[1], 1), np.float32)  # E: inner dimensions
""",
    "what changes when somebody looks at it": """
class Counter:
    def __init__(self):
        self.sizes = [7]
    def __repr__(self):
        self.sizes[0] = 8
        return "Counter"
class Handler(logging.Handler):
    def __init__(self):
        super().__init__()
        self.sizes = [7]
    def emit(self, record):
        self.sizes[0] = 8
def rows():
    sizes[1] = 8
    yield []
counter, handler = Counter(), Handler()
logger.addHandler(handler)
logger.info("%s", counter)
csv.writer(unknown.file).writerows(rows())
for size in (counter.sizes[0], handler.sizes[0], sizes[1]):
    x @ np.zeros((size, 1), np.float32)
""",
    "a logger as a value": """
if logger.level > 3 or not logger.handlers or logger.handlers[0] is None or 3 - logger.level:
    print(f"{logger}", {logger: 1}, len(logger.handlers))
for handler in logger.handlers:
    handler.flush()
name, *rest = logger.name.split(".")
try:
    logger.info(name)
except OSError:
    rest = []
x @ np.zeros((7, 1), np.float32)  # E: inner dimensions
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_savers_and_onlookers(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
