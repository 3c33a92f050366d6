"""Values in pictures: computed once, summarized, and without side effects on the session."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import typegrad as tg
from tools.pictures.examples import masked
from typegrad import pictures
from typegrad.op import core, linalg, math, nn, random
from typegrad.tools.pictures.summary import summary


def values(graph: tg.Graph, session: tg.Session, feeds: tg.Feeds | None = None, **options: Any) -> dict[str, str]:
    """The values in a picture, by the names of the outputs."""
    document = pictures.document(graph, session=session, feed_dict=feeds or {}, **options)
    return {
        f"{node['name']}:{index}": output["value"]
        for node in document["nodes"]
        for index, output in enumerate(node["outputs"])
        if "value" in output
    }


def test_every_value_that_follows_from_feeds_and_variables() -> None:
    example = masked()
    with tg.Session(example.graph) as session:
        session.initialize()
        actual = values(example.graph, session, {example.x: [[1, 2], [3, 4]]})
    assert actual == {
        "x:0": "float32 [2, 2]: [[1, 2], [3, 4]]",
        "w1/initial_value:0": "float32 [2, 1]: [[0], [0]]",
        "w1/handle:0": "float32 [2, 1]: [[0], [0]]",
        "w2/initial_value:0": "float32 [2, 1]: [[1], [1]]",
        "w2/handle:0": "float32 [2, 1]: [[1], [1]]",
        "student/ReadVariableOp:0": "float32 [2, 1]: [[0], [0]]",
        "student/MatMul:0": "float32 [2, 1]: [[0], [0]]",
        "teacher/ReadVariableOp:0": "float32 [2, 1]: [[1], [1]]",
        "teacher/MatMul:0": "float32 [2, 1]: [[3], [7]]",
        "teacher/StopGradient:0": "float32 [2, 1]: [[3], [7]]",
        "Sub:0": "float32 [2, 1]: [[-3], [-7]]",
        "square:0": "float32 [2, 1]: [[9], [49]]",
        "loss/axis:0": "int32 [2]: [0, 1]",
        "loss:0": "float32 []: 29",
    }


def test_what_is_not_fed_has_no_value_and_nothing_that_needs_it() -> None:
    example = masked()
    with tg.Session(example.graph) as session:
        session.initialize()
        actual = values(example.graph, session)
    assert "teacher/ReadVariableOp:0" in actual
    assert not {"x:0", "teacher/MatMul:0", "Sub:0", "loss:0"} & actual.keys()


def test_a_fed_value_replaces_what_would_be_computed() -> None:
    scope = tg.Scope(tg.Graph())
    a = core.Constant.create(scope.with_name("a"), 2.0)
    b = math.Exp.create(scope.with_name("b"), random.RandomStandardNormal.create(scope, (), tg.TFloat32))
    math.Mul.create(scope.with_name("c"), a, b)
    with tg.Session(scope.graph) as session:
        actual = values(scope.graph, session, {b: 3})
    assert actual["c:0"] == "float32 []: 6" and "RandomStandardNormal:0" not in actual


def test_variables_are_not_initialized_by_looking() -> None:
    example = masked()
    with tg.Session(example.graph, auto_init=False) as session:
        actual = values(example.graph, session, {example.x: [[1, 2]]})
        assert not {"w1/handle:0", "student/ReadVariableOp:0", "loss:0"} & actual.keys()
        with pytest.raises(tg.FailedPreconditionError):
            session.run(example.w1.read(example.scope))


def test_looking_writes_nothing_and_draws_nothing() -> None:
    scope = tg.Scope(tg.Graph(seed=7))
    v = tg.Variable.create(scope, 1.0)
    noise = random.RandomUniform.create(scope.with_name("noise"), (), tg.TFloat32)
    noisy = math.Add.create(scope.with_name("noisy"), noise, v.read(scope))
    change = v.assign_add(scope, 1.0)
    after = scope.with_control_dependencies([change])
    core.Identity.create(after.with_name("after"), core.Constant.create(scope, 5.0))
    math.Neg.create(scope.with_name("later"), scope.graph.operation("after").outputs[0])

    def trace(look: bool) -> list[float]:
        seen = []
        with tg.Session(scope.graph) as session:
            for _ in range(3):
                session.run(change)
                if look:
                    actual = values(scope.graph, session)
                    assert not {"noise:0", "noisy:0", "after:0", "later:0"} & actual.keys()
                seen += [float(session.run(noisy)), float(session.value(v))]
        return seen

    assert trace(look=True) == trace(look=False)


def test_an_operation_that_fails_shows_its_error_and_the_rest_goes_on() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope.with_name("x"), tg.TInt32, shape=(None,))
    gathered = core.Gather.create(scope.with_name("taken"), core.Constant.create(scope, [1.0, 2.0]), x, 0)
    math.Exp.create(scope.with_name("after"), gathered)
    math.Neg.create(scope.with_name("other"), x)
    with tg.Session(scope.graph) as session:
        actual = values(scope.graph, session, {x: [5]})
    assert actual["taken:0"].startswith("InvalidArgumentError: GatherV2 'taken' (created at ")
    assert "\n" not in actual["taken:0"]
    assert actual["other:0"] == "int32 [1]: [-5]" and "after:0" not in actual


def test_only_what_is_shown_is_computed_and_what_it_needs() -> None:
    scope = tg.Scope(tg.Graph())
    a = core.Constant.create(scope.with_name("a"), 2.0)
    b = math.Square.create(scope.with_name("b"), a)
    math.Neg.create(scope.with_sub_scope("inner").with_name("c"), b)
    with tg.Session(scope.graph) as session:
        assert values(scope.graph, session, scope="inner") == {"b:0": "float32 []: 4", "inner/c:0": "float32 []: -4"}


def test_several_outputs_have_a_value_each() -> None:
    scope = tg.Scope(tg.Graph())
    nn.TopK.create(scope.with_name("top"), core.Constant.create(scope, [1.0, 3.0, 2.0]), 2)
    core.NoOp.create(scope)
    with tg.Session(scope.graph) as session:
        actual = values(scope.graph, session)
    assert actual["top:0"] == "float32 [2]: [3, 2]" and actual["top:1"] == "int32 [2]: [1, 2]"


SUMMARIES: list[tuple[Any, str]] = [
    (np.float32(0.1), "float32 []: 0.1"),
    (np.array([], np.int32), "int32 [0]: empty"),
    (np.array([[True], [False]]), "bool [2, 1]: [[True], [False]]"),
    (np.array([b"a", b"\xff"], object), r"string [2]: [b'a', b'\xff']"),
    (np.array([b"x" * 61], object), f"string [1]: [b'{'x' * 60}'...]"),
    (np.array([1 + 2j]), "complex128 [1]: [1+2j]"),
    (np.array([np.nan, np.inf]), "float64 [2]: [nan, inf]"),
    (np.arange(20), "int64 [20]: min 0, mean 9.5, max 19; first 0, 1, 2, 3, 4, 5, ..."),
    (np.arange(20) < 5, "bool [20]: 5 of 20 true; first True, True, True, True, True, False, ..."),
    (np.full(17, 3 + 4j), f"complex128 [17]: magnitude min 5, mean 5, max 5; first {', '.join(['3+4j'] * 6)}, ..."),
    (np.array([b"a"] * 17, object), f"string [17]: first {', '.join([repr(b'a')] * 6)}, ..."),
    (
        np.array([1.0] * 16 + [np.inf]),
        f"float64 [17]: min 1, mean 1, max 1; 1 of 17 infinite or NaN; first {', '.join('111111')}, ...",
    ),
    (np.full(17, np.nan), f"float64 [17]: 17 NaN of 17; first {', '.join(['nan'] * 6)}, ..."),
    (np.ones(17, tg.TBfloat16.numpy), f"bfloat16 [17]: min 1, mean 1, max 1; first {', '.join('111111')}, ..."),
]


@pytest.mark.parametrize(("value", "expected"), SUMMARIES, ids=lambda case: case if isinstance(case, str) else "")
def test_an_array_in_short(value: Any, expected: str) -> None:
    assert summary(value) == expected


def test_a_large_mean_is_not_that_of_the_small_type() -> None:
    assert "mean 60000," in summary(np.full(100, 60000, np.float16))
    assert "mean 100," in summary(np.full(1000, 100, np.int8))


ERRORS = [
    ({"feed_dict": {}}, tg.FeedError, "there are feeds, but no session to compute values in: pass `session`, too"),
    ({"session": 3}, tg.GraphError, "`session` must be a Session, not int 3"),
    ({"session": tg.Session(tg.Graph())}, tg.GraphError, "the session belongs to another graph than the picture's"),
]


@pytest.mark.parametrize(("options", "error", "message"), ERRORS, ids=["feeds", "no session", "other graph"])
def test_options_that_do_not_fit(options: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tg.Graph().to_text(**options)


def test_a_closed_session_has_no_values() -> None:
    graph = tg.Graph()
    session = tg.Session(graph)
    session.close()
    with pytest.raises(tg.SessionClosedError):
        graph.to_text(session=session)


def test_feeds_that_do_not_fit_are_refused_as_by_a_run() -> None:
    scope = tg.Scope(tg.Graph())
    a, b = (core.Placeholder.create(scope.with_name(name), tg.TFloat32) for name in "ab")
    linalg.MatMul.create(scope, a, b)
    with tg.Session(scope.graph) as session:
        with pytest.raises(tg.ShapeError, match="inner dimensions differ"):
            scope.graph.to_text(session=session, feed_dict={a: [[1, 2, 3]], b: [[1, 2, 3]]})
        with pytest.raises(tg.FeedError, match="the feed of 'a:0' .* does not fit"):
            scope.graph.to_text(session=session, feed_dict={a: ["text"]})
