"""A graph and what belongs to it are neither pickled nor copied, and the message says what to do instead."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math, nn

COPIES: Final[dict[str, Callable[[Any], Any]]] = {
    "pickle": pickle.dumps,
    "the first protocol": lambda each: pickle.dumps(each, protocol=0),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "within a container": lambda each: copy.deepcopy({"held": [each]}),
}


def everything() -> dict[str, Any]:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(2,))
    table = tg.Variable.create(scope.with_name("table"), np.ones((3, 2), np.float32))
    rows = core.Gather.create(scope, table, [0, 2], 0)
    return {
        "Graph": scope.graph,
        "Scope": scope,
        "Operation": x.op,
        "Output": x.as_output(),
        "Variable": table,
        "operand": math.Neg.create(scope, x),
        "several outputs": nn.TopK.create(scope, x, 1),
        "no output": core.NoOp.create(scope),
        "rows": tg.grad(scope, rows, table),
        "Session": tg.Session(scope.graph),
    }


@pytest.mark.parametrize("copy_of", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("name", everything())
def test_it_is_refused(name: str, copy_of: Callable[[Any], Any]) -> None:
    it = everything()[name]
    with pytest.raises(tg.PicklingError, match="can be neither pickled nor copied") as caught:
        copy_of(it)
    assert isinstance(caught.value, TypeError) and str(caught.value).startswith(repr(it))


def test_the_message_says_what_to_do() -> None:
    graph = tg.Graph()
    core.NoOp.create(tg.Scope(graph))
    with pytest.raises(tg.PicklingError) as caught:
        pickle.dumps(tg.Session(graph))
    assert str(caught.value) == (
        "<Session of <Graph of 1 operation>> can be neither pickled nor copied. Keep the function that builds the "
        "graph, call it where the graph is needed, and take the variables there in a file: session.save(path), "
        "then session.restore(path)"
    )
