"""`typegrad graph show`: graphs that functions build."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from support.commands import Run

MODEL: Final = '''
from __future__ import annotations

from typing import NamedTuple

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math


def build(scope: tg.Scope) -> dict[str, object]:
    """w1 learns w2, which stays."""
    print("building")
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(None, 2))
    w1, w2 = (tg.Variable.create(scope.with_name(name), np.ones((2, 1), np.float32)) for name in ("w1", "w2"))
    layer = scope.with_sub_scope("layer")
    target = core.StopGradient.create(scope, linalg.MatMul.create(layer, x, w2.read(layer)))
    loss = math.Mean.create(scope, math.Square.create(scope, linalg.MatMul.create(layer, x, w1.read(layer)) - target))
    return {"loss": loss, "first": w1, "second": w2}


class Pair(NamedTuple):
    one: object
    two: object


def small(scope):
    return core.Constant.create(scope.with_name("small"), 1.0)


def of_graph(graph):
    small(tg.Scope(graph))


def of_annotated(anything: "tg.Graph", more: int = 3):
    small(tg.Scope(anything))


def of_facade(tf: tg.Ops):
    return tf.constant(1.0) + tf.constant(2.0)


def of_nothing():
    graph = tg.Graph()
    small(tg.Scope(graph))
    return graph


def of_several(scope):
    return small(scope), small(scope).op


def of_pair(scope):
    return Pair(small(scope), small(scope))


def of_no_output(scope):
    return core.NoOp.create(scope)


def returns_none():
    return None


def returns_number(scope):
    return [small(scope), 3]


def two_graphs():
    return [small(tg.Scope(tg.Graph())), small(tg.Scope(tg.Graph()))]


def empty(scope):
    pass


def takes_much(scope, width, *, depth):
    pass


def wrong_shapes(scope):
    a = core.Constant.create(scope, [[1.0, 2.0, 3.0]])
    return linalg.MatMul.create(scope, a, a)


def divides(scope):
    return helper(0)


def helper(number):
    return 1 / number


def exits(scope):
    raise SystemExit("enough")


NUMBER = 3
'''


@pytest.fixture(autouse=True)
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder has a module `model_of_test`; what is imported is forgotten again."""
    (tmp_path / "model_of_test.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in ("model_of_test", "broken", "missing_import"):
        sys.modules.pop(name, None)


BUILD: Final = "model_of_test:build"


@pytest.mark.parametrize("target", [BUILD, "model_of_test.py:build", "./model_of_test.py:build"])
def test_text_of_a_graph(run: Run, target: str) -> None:
    done = run("graph", "show", target)
    assert (done.status, done.err) == (0, "building\n")
    lines = done.out.splitlines()
    assert "layer/MatMul = MatMul(a=x, b=layer/ReadVariableOp) -> float32 [?, 1]" in lines
    assert not any("gradient" in line for line in lines if "StopGradient" not in line)


def test_a_file_with_the_name_of_a_library(run: Run, model: Path) -> None:
    (model / "math.py").write_text(MODEL)
    before = sys.modules["math"]
    assert run("graph", "show", "math.py:small").out == run("graph", "show", "model_of_test:small").out
    assert sys.modules["math"] is before


@pytest.mark.parametrize(
    "function",
    ["small", "of_graph", "of_annotated", "of_facade", "of_nothing", "of_several", "of_pair", "of_no_output"],
)
def test_what_a_function_may_take_and_return(run: Run, function: str) -> None:
    done = run("graph", "show", f"model_of_test:{function}")
    assert (done.status, done.err) == (0, "") and ("Const" in done.out or "NoOp" in done.out)


def test_the_gradient_is_added_and_what_it_does_not_reach_is_told(run: Run) -> None:
    done = run("graph", "show", BUILD, "--grad", "loss", "first,second")
    assert (done.status, done.err) == (0, "building\ntypegrad: no gradient flows from loss to second\n")
    lines = done.out.splitlines()
    assert any(line.startswith("gradients/") and "[added by a gradient]" in line for line in lines)
    assert next(line for line in lines if line.startswith("w1/handle")).endswith("[x, gradient path, state]")
    assert next(line for line in lines if line.startswith("w2/handle")).endswith("[x, masked, state]")


def test_marks_without_a_gradient(run: Run) -> None:
    done = run("graph", "show", BUILD, "--y", "Mean", "--x", "w1", "--x", "layer/ReadVariableOp:0")
    lines = done.out.splitlines()
    assert done.status == 0 and not any(line.startswith("gradients/") for line in lines)
    assert next(line for line in lines if line.startswith("Mean = ")).endswith("[y, gradient path]")
    assert next(line for line in lines if line.startswith("w1/handle")).endswith("[x, gradient path, state]")


def test_the_trainable_variables_are_the_default(run: Run) -> None:
    marked = run("graph", "show", BUILD, "--y", "loss").out
    assert marked == run("graph", "show", BUILD, "--y", "loss", "--x", "first", "--x", "second").out


@pytest.mark.parametrize(
    ("format_", "beginning"),
    [("text", "Graph of"), ("dot", "digraph"), ("mermaid", "flowchart"), ("html", "<!DOCTYPE html>"), ("json", "{")],
)
def test_formats(run: Run, format_: str, beginning: str) -> None:
    done = run("graph", "show", BUILD, "--format", format_)
    assert done.status == 0 and done.out.lower().startswith(beginning.lower())


def test_json_is_what_the_viewer_reads(run: Run) -> None:
    nodes = run("graph", "show", BUILD, "--format", "json", "--y", "loss").json["nodes"]
    assert {"name", "type", "inputs", "outputs", "marks", "where"} <= set(nodes[0])
    assert next(node for node in nodes if node["name"] == "StopGradient")["marks"]


@pytest.mark.parametrize(
    ("name", "beginning"),
    [
        ("g.dot", "digraph"),
        ("g.gv", "digraph"),
        ("g.mmd", "flowchart"),
        ("g.html", "<!DOCTYPE html>"),
        ("g.json", "{"),
        ("g.txt", "Graph"),
    ],
)
def test_the_ending_of_a_file_says_what_is_written(run: Run, model: Path, name: str, beginning: str) -> None:
    done = run("graph", "show", BUILD, "--output", name)
    assert done.status == 0 and done.out.endswith(f" in {name}\n")
    text = (model / name).read_text()
    assert text.lower().startswith(beginning.lower()) and text.endswith("\n")


def test_scope_and_depth(run: Run) -> None:
    inside = run("graph", "show", BUILD, "--scope", "layer").out
    assert "layer/MatMul = " in inside and "Mean = " not in inside
    folded = run("graph", "show", BUILD, "--depth", "0").out
    assert "layer/MatMul = " not in folded and len(folded) < len(run("graph", "show", BUILD).out)


def test_open_shows_a_page_in_the_browser(run: Run, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    done = run("graph", "show", BUILD, "--open")
    assert done.status == 0 and done.out.startswith("html in ")
    assert opened[0].startswith("file://") and opened[0].endswith("graph.html")
    assert run("graph", "show", BUILD, "--open", "--output", "mine.html").status == 0
    assert opened[1] == (model / "mine.html").as_uri()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--open", "--format", "dot"), "--open: the browser shows html, not dot"),
        (("--depth", "1", "--format", "html"), "--depth: html always has all scopes; leave it out"),
        (("--depth", "1", "-o", "x.json"), "--depth: json always has all scopes; leave it out"),
        (("--depth", "-1"), "expected at least 0, got -1"),
        (("--grad", "loss", "w1", "--y", "loss"), "--grad: it includes --y and --x; leave them out"),
        (("--format", "pdf"), "'--format' / '-f': 'pdf' is none of text, html, dot, mermaid, json"),
    ],
)
def test_options_that_do_not_go_together(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run("graph", "show", BUILD, *arguments)
    assert done.status == 2 and message in " ".join(done.err.split())


def test_a_page_is_not_written_to_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    done = run("graph", "show", BUILD, "--format", "html")
    assert done.status == 2 and "a page cannot be shown in a terminal; add --output FILE or --open" in " ".join(
        done.err.split()
    )


EXPECTED: Final = (
    "expected a Graph, an operand, a sequence or mapping of operands, or, from a function of a scope or graph, None"
)
TAKES: Final = "expected a function of a Scope, a Graph, a tg.Ops or of nothing"


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("model", "expected MODULE:FUNCTION or FILE.py:FUNCTION, such as model:build, got 'model'"),
        (":build", "expected MODULE:FUNCTION or FILE.py:FUNCTION, such as model:build, got ':build'"),
        ("nowhere.py:build", "there is no file nowhere.py"),
        (
            "nowhere.inside:build",
            "there is no module 'nowhere', here or installed; a file is named with its ending: model.py:build",
        ),
        ("model_of_test:biuld", "model_of_test has no 'biuld'; its functions are build, small, of_graph, "),
        ("types:build", "types has no 'build'; its functions are "),
        ("keyword:build", "keyword has no functions; write one that builds the graph"),
        ("model_of_test:NUMBER", f"model_of_test:NUMBER is 3; {TAKES}"),
        (
            "model_of_test:takes_much",
            f"model_of_test:takes_much takes 'width', 'depth'; {TAKES}, all other parameters having defaults",
        ),
        ("builtins:dict", f"the parameters of builtins:dict are not known; {TAKES}"),
        ("model_of_test:helper", f"model_of_test:helper takes 'number'; {TAKES}"),
        ("model_of_test:returns_none", f"model_of_test:returns_none returned None; {EXPECTED}"),
        ("model_of_test:returns_number", "model_of_test:returns_number returned ["),
        (
            "model_of_test:two_graphs",
            "model_of_test:two_graphs returned operands of 2 graphs; expected operands of one",
        ),
        ("model_of_test:empty", "model_of_test:empty built a graph without operations"),
    ],
)
def test_functions_that_cannot_be_used(run: Run, target: str, message: str) -> None:
    done = run("graph", "show", target)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"typegrad: {message}")


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(MODEL.splitlines(), 1) if line == text)


@pytest.mark.parametrize(
    ("function", "line", "name", "message"),
    [
        ("wrong_shapes", "    return linalg.MatMul.create(scope, a, a)", "wrong_shapes", "ShapeError: MatMul 'MatMul'"),
        ("divides", "    return 1 / number", "helper", "ZeroDivisionError: division by zero"),
        ("exits", '    raise SystemExit("enough")', "exits", "SystemExit: enough"),
    ],
)
def test_an_error_in_the_function_is_shown_with_its_line(
    run: Run, model: Path, function: str, line: str, name: str, message: str
) -> None:
    done = run("graph", "show", f"model_of_test.py:{function}")
    first, second, third, *_ = done.err.splitlines()
    assert (done.status, done.out) == (1, "")
    assert first.startswith(f"typegrad: model_of_test.py:{function} failed at ")
    assert first.endswith(f"model_of_test.py:{line_of(line)}, in {name}:") and second == line
    assert message in third


def test_a_module_that_does_not_import(run: Run, model: Path) -> None:
    (model / "broken.py").write_text("def build(:\n    pass\n")
    done = run("graph", "show", "broken.py:build")
    assert done.status == 1 and done.err.startswith("typegrad: broken.py cannot be imported:\n")
    assert 'broken.py", line 1' in done.err and "SyntaxError: invalid syntax" in done.err
    (model / "missing_import.py").write_text("import no_such_library\n")
    done = run("graph", "show", "missing_import:build")
    assert done.err.splitlines()[0].endswith("missing_import.py:1, in <module>:")
    assert done.err.endswith("ModuleNotFoundError: No module named 'no_such_library'\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--y", "losss"), "nothing in the graph is called 'losss'; did you mean loss?"),
        (("--y", "zzzzzzzz"), "nothing in the graph is called 'zzzzzzzz'; it has "),
        (("--y", "Mean:1"), "'Mean' (Mean) has 1 output; there is no Mean:1"),
        (("--y", "loss", "--x", "w3/handel"), "nothing in the graph is called 'w3/handel'; did you mean w"),
        (("--scope", "layre"), "no scope is called 'layre'"),
    ],
)
def test_names_that_do_not_fit(run: Run, arguments: tuple[str, ...], message: str) -> None:
    done = run("graph", "show", BUILD, *arguments)
    assert (done.status, done.out) == (1, "") and done.err.startswith(f"building\ntypegrad: {message}")


def test_a_gradient_of_what_does_not_depend_on_it(run: Run) -> None:
    done = run("graph", "show", BUILD, "--grad", "x", "loss")
    assert done.status == 0 and "typegrad: no gradient flows from x to loss\n" in done.err


def test_a_file_that_cannot_be_written(run: Run) -> None:
    Path("file").touch()
    done = run("graph", "show", BUILD, "--output", "file/graph.dot")
    assert done.status == 1 and "typegrad: [Errno " in done.err


def test_a_missing_folder_is_made(run: Run) -> None:
    assert run("graph", "show", BUILD, "--output", "no/such/folder.dot").status == 0
    assert Path("no/such/folder.dot").read_text().startswith("digraph")


@pytest.mark.parametrize("name", ["graph.svg", "graph.png", "graph.PDF"])
def test_a_file_with_the_extension_of_no_format(run: Run, name: str) -> None:
    done = run("graph", "show", BUILD, "--output", name)
    assert done.status == 2 and f"no format has the extension .{name[-3:].lower()}" in done.err
    assert not Path(name).exists()


def test_capitals_in_an_extension(run: Run) -> None:
    assert run("graph", "show", BUILD, "--output", "G.HTML").status == 0
    assert Path("G.HTML").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
