"""Whatever is handed to `create` of an operation in the place of an argument: it builds, or raises an error of ours
that names it.
"""

from __future__ import annotations

import inspect
from typing import Any, Final

import pytest

import typegrad as tg
from support.building import applied, place_all
from support.junk import HOSTILE, Unrelated, refusal
from support.registry import by_op, definition, names
from typegrad.op import core, math, random

NO_SCOPES: Final[dict[str, Any]] = {
    "graph": tg.Graph(),
    "None": None,
    "set": set(),
    "class": tg.Scope,
    "anything": Unrelated(),
}


def arguments(scope: tg.Scope, name: str) -> dict[str, Any]:
    """Arguments with which an operation builds."""
    if name == "Placeholder":
        return {"dtype": tg.TFloat32, "shape": (2,)}
    case = next(case for _, case in by_op()[name] if not case.fails)
    return applied(case).arguments(place_all(scope, case))


@pytest.mark.parametrize("name", names())
def test_hostile_values(name: str) -> None:
    scope = tg.Scope(tg.Graph())
    create = definition(name).wrapper.create
    sound = arguments(scope, name)
    for parameter in list(inspect.signature(create).parameters)[1:]:
        for what, value in HOSTILE.items():
            assert len(refusal(create, scope, **{**sound, parameter: value})) < 1000, (parameter, what)


@pytest.mark.parametrize("name", names())
def test_an_unrelated_value_is_refused_by_name(name: str) -> None:
    scope = tg.Scope(tg.Graph())
    create = definition(name).wrapper.create
    sound = arguments(scope, name)
    for parameter in list(inspect.signature(create).parameters)[1:]:
        with pytest.raises(tg.TypegradError, match=f"`{parameter}`.*Unrelated"):
            create(scope, **{**sound, parameter: Unrelated()})


@pytest.mark.parametrize("name", names())
def test_what_is_no_scope(name: str) -> None:
    create = definition(name).wrapper.create
    sound = arguments(tg.Scope(tg.Graph()), name)
    for what in NO_SCOPES.values():
        with pytest.raises(
            tg.GraphError, match=r"create\(\): argument `scope` must be a Scope, .*; write tg.Scope\(graph\)"
        ):
            create(what, **sound)


def test_more_outputs_than_any_graph_could_use() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32)
    message = "attribute `num_split` is 2147483648, but an operation has at most 65536 outputs"
    with pytest.raises(tg.AttributeValueError, match=message):
        core.Split.create(scope, 0, x, num_split=2**31)
    with pytest.raises(tg.AttributeValueError, match="attribute `num` is 65537, but an operation has at most 65536"):
        core.Unstack.create(scope, x, num=2**16 + 1)
    assert len(core.Split.create(scope, 0, x, num_split=100).op.outputs) == 100


@pytest.mark.parametrize("seed", [2**63, -(2**63) - 1, 10**5000], ids=["over", "under", "far over"])
def test_an_integer_attribute_has_64_bits(seed: int) -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.AttributeValueError, match="attribute `seed` must be an integer of 64 bits, but is "):
        random.RandomUniform.create(scope, [2], tg.TFloat32, seed=seed)
    assert random.RandomUniform.create(scope, [2], tg.TFloat32, seed=2**63 - 1).inputs.seed == 2**63 - 1


def test_an_error_shows_long_names_and_many_inputs_in_short() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope.with_name("x" * 5000), tg.TFloat32, shape=(2,))
    y = core.Placeholder.create(scope.with_name("y" * 5000), tg.TFloat32, shape=(3,))
    with pytest.raises(tg.ShapeError) as caught:
        math.Add.create(scope.with_name("z" * 5000), x, y)
    assert len(str(caught.value)) < 1000 and "xxx ... xxx" in str(caught.value) and "zzz ... zzz" in str(caught.value)
    with pytest.raises(tg.ShapeError, match=r"and 95 more$") as caught:
        core.Concat.create(scope, [*[x] * 99, y], 1)
    assert len(str(caught.value)) < 1000
