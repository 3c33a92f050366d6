"""Context managers that a program enters by another one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
from contextlib import ExitStack, closing, contextmanager, suppress
def wrong(n=7):
    return x @ np.zeros((n, 1), np.float32)
"""
PROGRAMS: Final = {
    "a session": """
with ExitStack() as stack:
    session = stack.enter_context(tg.Session(scope.graph))
    session.run(x, {x: np.zeros((2, 7), np.float32)})  # E: [2, 7]
""",
    "a picture with values of a session that is closed": """
with tg.Session(scope.graph) as session:
    scope.graph.to_text(session=session)
scope.graph.to_mermaid(), scope.graph.to_dot(y=x)
scope.graph.to_text(session=session)  # E: this session is closed; open another one
""",
    "a session that code closes which may not run": """
session, fed = tg.Session(scope.graph), {x: np.zeros((2, 8), np.float32)}
def close_late():
    if unknown.flag:
        return
    session.close()
def use_late():
    if unknown.flag:
        return
    with session:
        session.run(x, fed)
close_late()
use_late()
for _ in range(unknown.number):
    session.close()
while unknown.flag:
    session.close()
    break
[session.close() for _ in range(unknown.number)]
for each in (session, tg.Session(scope.graph)):
    if unknown.flag:
        break
    each.close()
session.run(x, fed)
""",
    "a session that a loop closes": """
session, fed = tg.Session(scope.graph), {x: np.zeros((2, 8), np.float32)}
for each in (session, tg.Session(scope.graph)):
    each.close()
    if unknown.flag:
        break
session.run(x, fed)  # E: this session is closed; open another one
""",
    "a picture with feeds of a session": """
session = tg.Session(scope.graph)
scope.graph.to_text(session=session, feed_dict={x: np.zeros((2, 8), np.float32)})
scope.graph.to_text(session=session, feed_dict={x: np.zeros((2, 7), np.float32)})  # E: [2, 7]
""",
    "a graph that is shown": """
session = tg.Session(scope.graph)
scope.graph.show("page.html", y=x, title="x", session=session, feed_dict={x: np.zeros((2, 8), np.float32)})
for show in (scope.graph.show, print):
    show("page.html")
tg.Graph.show(scope.graph, "page.html")
def of_any_graph(graph: tg.Graph) -> None:
    graph.show(scope="layer")
session.run(x, {x: np.zeros((2, 7), np.float32)})  # E: [2, 7]
""",
    "a scope that is shown": """
scope.graph.show(scope="layer")  # E: no scope is called 'layer'
""",
    "the page of a graph that is shown": """
scope.graph.show("page.png")  # E: show writes a page; call it 'page.html'
""",
    "an operand of another graph that is shown": """
scope.graph.show(y=core.Constant.create(tg.Scope(tg.Graph()), 1.0))  # E: belongs to another graph than the picture's
""",
    "feeds of a graph that is shown": """
session = tg.Session(scope.graph)
scope.graph.show(session=session, feed_dict={x: np.zeros((2, 7), np.float32)})  # E: [2, 7]
""",
    "feeds of a graph that is shown without a session": """
scope.graph.show(feed_dict={x: np.zeros((2, 8), np.float32)})  # E: there are feeds, but no session
""",
    "a session that is closed": """
with closing(tg.Session(scope.graph)) as session:
    pass
session.run(x, {x: np.zeros((2, 8), np.float32)})  # E: closed
""",
    "a session that a stack has closed": """
with ExitStack() as stack:
    session = stack.enter_context(tg.Session(scope.graph))
session.run(x, {x: np.zeros((2, 8), np.float32)})  # E: closed
""",
    "a context manager of the program": """
@contextmanager
def named(name):
    yield scope.with_sub_scope(name)
with ExitStack() as stack:
    h = core.Identity.create(stack.enter_context(named("a")), x)
    h @ np.zeros((7, 1), np.float32)  # E: inner dimensions
""",
    "a class with an end of no statements": """
class Sized:
    def __init__(self, n):
        self.n = n
    def __enter__(self):
        return self
    def __exit__(self, *args): ...
with Sized(7) as sized:
    x @ np.zeros((sized.n, 1), np.float32)  # E: inner dimensions
""",
    "a function that is called at the end": """
def at_the_end():
    x @ np.zeros((7, 1), np.float32)  # E: inner dimensions
with ExitStack() as stack:
    stack.callback(at_the_end)
""",
    "control dependencies": """
with ExitStack() as stack:
    after = stack.enter_context(scope.with_control_dependencies([core.Identity.create(scope, x)]))
    core.Identity.create(after, x)
""",
    "a scope that is entered by hand": """
scope.__enter__()
x @ np.zeros((7, 1), np.float32)  # E: inner dimensions
""",
    "the scope that this returns": """
named = scope.with_sub_scope("a").__enter__()
h = core.Identity.create(named, x)
h @ np.zeros((7, 1), np.float32)  # E: inner dimensions
""",
    "a session that is entered by hand": """
session = tg.Session(scope.graph).__enter__()
session.run(x, {x: np.zeros((2, 7), np.float32)})  # E: [2, 7]
""",
    "what is entered by hand where that may not run": """
if unknown.flag:
    scope.__enter__()
def begin(flag: bool) -> None:
    scope.__enter__()
    scope.__exit__(None, None, None)
scope.__enter__()
h = x + 1.0
scope.__exit__(None, None, None)
with scope:
    h + x[:, :1]
""",
    "a writer of event files": """
from typegrad.files.tensorboard import EventWriter
with tg.Session(scope.graph) as session, EventWriter("logs") as writer:
    writer.scalar("loss", 1.0, 0)
    session.run(x, {x: np.zeros((2, 7), np.float32)})  # E: [2, 7]
""",
    "a writer of event files, and a lock, that have a name": """
import threading
from typegrad.files.tensorboard import EventWriter
class Model:
    def __init__(self):
        self.lock, self.writer = threading.RLock(), EventWriter("logs")
    def step(self, n):
        with self.lock, self.writer as writer:
            writer.histogram("x", np.ones(n), 0)
            x @ np.zeros((n, 1), np.float32)  # E: inner dimensions
Model().step(8)
Model().step(7)
""",
    "archives and files of arrays": """
import zipfile
with zipfile.ZipFile("data.zip") as archive, np.load(archive.open("rows.npz")) as data:
    x @ data["rows"]
    x @ np.zeros((7, 1), np.float32)  # E: inner dimensions
""",
    "what changes within a block": """
import threading
from typegrad.files.tensorboard import EventWriter
sizes, changed = [7], threading.Condition(threading.Lock())
with EventWriter("logs") as writer, changed:
    sizes[0] = 8
    writer.scalar("size", sizes[0], 1)
x @ np.zeros((sizes[0], 1), np.float32)
with changed:
    changed.wait_for(lambda: unknown.done(sizes))
    x @ np.zeros((sizes[0] - 1, 1), np.float32)
try:
    with EventWriter("logs"):
        wrong()
except tg.TypegradError:
    pass
""",
    "what is replaced within a block": """
from unittest import mock
class Sized:
    def size(self):
        return 7
with mock.patch.object(Sized, "size", return_value=8):
    x @ np.zeros((Sized().size(), 1), np.float32)
""",
    "what catches errors": """
@contextmanager
def catching():
    try:
        yield
    except tg.TypegradError:
        pass
with ExitStack() as stack:
    stack.enter_context(catching())
    wrong()
""",
    "what catches groups of errors": """
@contextmanager
def catching():
    try:
        yield
    except* tg.TypegradError:
        pass
with catching():
    wrong()
""",
    "what may catch errors": """
with ExitStack() as stack:
    stack.enter_context(suppress(ValueError))
    wrong()
with ExitStack() as stack:
    stack.push(unknown.catch)
    wrong()
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_entered(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + PROGRAMS[name]) == []
