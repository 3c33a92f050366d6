"""What operations cost, in pictures."""

from __future__ import annotations

import pytest

import typegrad as tg
from typegrad import pictures
from typegrad.op import core, math
from typegrad.session.profile import Cost, Profile


def profiled() -> tuple[tg.Graph, Profile]:
    """A graph of two operations in a scope, and a third that no run has needed."""
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, (10,))
    inner = scope.with_sub_scope("layer")
    slow = math.Exp.create(inner.with_name("slow"), x).op
    quick = math.Abs.create(inner.with_name("quick"), x).op
    math.Neg.create(scope.with_name("unused"), x)
    costs = [Cost(slow, "Exp", 3e-3, 0.75, "[10]", 80, 6_000_000), Cost(quick, "Abs", 1e-3, 0.25, "[10]", 80, None)]
    return scope.graph, Profile(5, 4e-3, costs)


def test_nodes_that_ran_have_their_costs() -> None:
    graph, profile = profiled()
    nodes = {node["name"]: node.get("cost") for node in pictures.document(graph, costs=profile)["nodes"]}
    assert nodes == {
        "x": None,
        "layer/slow": {"share": 0.75, "text": "3.00 ms, 2 GFLOP/s, 75.0% of the time"},
        "layer/quick": {"share": 0.25, "text": "1.00 ms, 25.0% of the time"},
        "unused": None,
    }


def test_text_has_costs_below_operations_and_folded_scopes() -> None:
    graph, profile = profiled()
    lines = graph.to_text(costs=profile).splitlines()
    assert lines[3] == "    3.00 ms, 2 GFLOP/s, 75.0% of the time"
    assert graph.to_text(costs=profile, depth=0).splitlines()[2:4] == [
        "layer/ = 2 operations of x",
        "    100.0% of the time",
    ]


def test_no_costs_by_default() -> None:
    graph, _ = profiled()
    assert "of the time" not in graph.to_text()


def test_a_profile_of_another_graph_is_refused() -> None:
    _, profile = profiled()
    with pytest.raises(tg.GraphError, match=r"given as costs belongs to another graph than the picture's: Exp 'layer"):
        tg.Graph().to_text(costs=profile)
