"""The value of a structure of fetches has the same structure."""

from __future__ import annotations

import dataclasses
import re
from collections import OrderedDict, deque
from types import MappingProxyType
from typing import Any, NamedTuple

import attrs
import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, nn


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: Any
    b: Any = None


@dataclasses.dataclass(slots=True)
class Checked:
    a: Any
    count: Any = dataclasses.field(init=False, default=None)

    def __post_init__(self) -> None:
        assert isinstance(self.a, tg.Operand)


@attrs.frozen
class Attrs:
    a: Any = attrs.field(validator=attrs.validators.instance_of(core.Constant))
    b: Any = attrs.field(kw_only=True)


@pytest.fixture
def x(scope: tg.Scope) -> core.Constant[tg.TInt32]:
    return core.Constant.create(scope.with_name("x"), 1)


@pytest.fixture
def y(scope: tg.Scope) -> core.Constant[tg.TInt32]:
    return core.Constant.create(scope.with_name("y"), 2)


def test_structures(scope: tg.Scope, x: tg.Operand[tg.TInt32], y: tg.Operand[tg.TInt32]) -> None:
    done = core.NoOp.create(scope)
    cases: list[tuple[Any, Any]] = [
        ([], []),
        ((), ()),
        ({}, {}),
        ([x, [y, (x, done)], done], [1, [2, (1, None)], None]),
        ({"a": {"b": [x]}, 3: y}, {"a": {"b": [1]}, 3: 2}),
        (Pair(x, Pair(y, None)), Pair(1, Pair(2, None))),
        (OrderedDict(a=x), {"a": 1}),
        (MappingProxyType({"a": x}), {"a": 1}),
        (deque([x, y]), [1, 2]),
        (Frozen(x, [y]), Frozen(1, [2])),
    ]
    with tg.Session(scope.graph) as session:
        for fetches, expected in cases:
            result = session.run(fetches)
            assert result == expected and type(result) is type(expected)
        record = session.run(Attrs(x, b={"y": y}))
        assert type(record) is Attrs and record.a == 1 and record.b == {"y": 2}
        checked = session.run(Checked(x))
        assert type(checked) is Checked and checked.a == 1 and checked.count is None


@pytest.mark.parametrize(
    ("fetches", "name"),
    [
        (lambda _: None, "fetches"),
        (lambda x: [x, None], "fetches[1]"),
        (lambda x: (x, [x, (None, None)]), "fetches[1][1][0]"),
        (lambda x: {"loss": x, "grads": deque([None])}, "fetches['grads'][0]"),
        (lambda x: {3: None}, "fetches[3]"),
        (lambda x: [Pair(x, [None])], "fetches[0].second[0]"),
        (lambda x: Frozen(x, {"w": None}), "fetches.b['w']"),
        (lambda x: Attrs(x, b=(None,)), "fetches.b[0]"),
    ],
)
def test_none_has_no_value(scope: tg.Scope, x: tg.Operand[tg.TInt32], fetches: Any, name: str) -> None:
    message = f"^{re.escape(name)} is None, which has no value; a gradient is None where none flows, and zeros with "
    session = tg.Session(scope.graph)
    for run in (session.run, session.run, session.callable, session.explain):
        with pytest.raises(tg.FeedError, match=message):
            run(fetches(x))


def test_a_field_without_a_value_is_told_by_its_place(scope: tg.Scope, x: tg.Operand[tg.TInt32]) -> None:
    message = r"a fetch is an operand, .*, not float 1.0, which is fetches\['losses'\]\[1\].second$"
    with tg.Session(scope.graph) as session, pytest.raises(tg.FeedError, match=message):
        session.run({"losses": [x, Pair(x, 1.0)]})


def test_the_structure_that_was_fetched_stays_as_it_is(scope: tg.Scope, x: tg.Operand[tg.TInt32]) -> None:
    record, pair = Frozen(x), Pair(x, x)
    tg.Session(scope.graph).run([record, pair])
    assert record.a is x and pair.first is x


def test_all_outputs_of_an_operation(scope: tg.Scope) -> None:
    values = core.Constant.create(scope, [3.0, 1.0, 2.0])
    top, split = nn.TopK.create(scope, values, 2), core.Split.create(scope, 0, values, num_split=3)
    with tg.Session(scope.graph) as session:
        best, where = session.run(top)
        assert best.tolist() == [3, 2] and where.tolist() == [0, 2]
        parts = session.run({"split": split})["split"]
        assert type(parts) is list and [part.tolist() for part in parts] == [[3], [1], [2]]
        assert session.run(top.op) is None


def test_names(scope: tg.Scope, x: tg.Operand[tg.TInt32]) -> None:
    values = core.Constant.create(scope, [3, 4])
    core.Split.create(scope, 0, values, num_split=2)
    placeholder = core.Placeholder.create(scope.with_name("in"), tg.TInt32)
    core.Identity.create(scope.with_name("out"), placeholder + x)
    v = tg.Variable.create(scope.with_name("v"), 5)
    v.assign(scope.with_name("train"), 6)
    with tg.Session(scope.graph) as session:
        assert session.run(["Split:1", "x:0", "x", "v", "v:0"]) == [[4], 1, None, 5, 5]
        assert session.run("out:0", {"in": 2}) == session.run("out:0", {"in:0": 2}) == 3
        assert session.run({"done": "train", "v": "v"}) == {"done": None, "v": 6}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("loos", r"no operation is called 'loos'; did you mean 'loss'\?"),
        ("LOSS", r"no operation is called 'LOSS'; did you mean 'loss'\?"),
        ("loos:0", r"no operation is called 'loos'; did you mean 'loss'\?"),
        ("zzz", "no operation is called 'zzz'; the graph has 1 operation"),
        ("loss:1", r"Const 'loss' \(created at .*\) has 1 output, counted from 0; 1 is none of them"),
        ("loss:1234567890", "'loss:1234567890' is not a name of an output, such as 'y:0'"),
        ("loss:123456789", "output, counted from 0; 123456789 is none of them"),
        ("loss:a", "'loss:a' is not a name of an output, such as 'y:0'"),
        ("loss:-1", "'loss:-1' is not a name of an output, such as 'y:0'"),
        ("", "no operation is called ''"),
    ],
)
def test_names_of_nothing(scope: tg.Scope, name: str, message: str) -> None:
    loss = core.Constant.create(scope.with_name("loss"), 1)
    session = tg.Session(scope.graph)
    with pytest.raises(tg.GraphError, match=message):
        session.run([name])
    if name != "zzz":
        with pytest.raises(tg.GraphError, match=message):
            session.run(loss, {name: 1})


@pytest.mark.parametrize(
    ("sizes", "order"),
    [((300, 250), (1, 0)), ((2, 300, 250), (0, 2, 1)), ((300, 2, 250), (1, 2, 0)), ((1, 70_000), (1, 0))],
)
def test_what_lies_column_by_column_is_returned_row_by_row(
    scope: tg.Scope, sizes: tuple[int, ...], order: tuple[int, ...]
) -> None:
    x = np.arange(np.prod(sizes), dtype=np.int32).reshape(sizes)
    turned = linalg.Transpose.create(scope, core.Constant.create(scope, x), order)
    with tg.Session(scope.graph) as session:
        for _ in range(2):
            result = session.run(turned)
            np.testing.assert_array_equal(result, x.transpose(order))
            assert result.flags.c_contiguous
            assert result.flags.writeable
            result[...] = 0


def test_a_variable_is_its_value_at_the_end_of_the_run(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope, np.array([1, 2], np.float32))
    step = v.assign_add(scope, [1, 1])
    operations = len(scope.graph)
    with tg.Session(scope.graph) as session:
        before, after = session.run(v), session.run([v, step, v, {"v": v}])
        assert before.tolist() == [1, 2] and after[0].tolist() == [2, 3]
        for value in (before, after[0], after[2], after[3]["v"]):
            value[...] = 9
        assert session.run((v, v.handle))[1].tolist() == [2, 3] == session.value(v).tolist()
    assert len(scope.graph) == operations


def test_a_variable_that_is_fetched_is_still_updated_in_place(scope: tg.Scope) -> None:
    table = tg.Variable.create(scope, np.zeros((3, 1), np.float32))
    with tg.Session(scope.graph) as session:
        session.run(table)
        state = session.inspect(lambda resources: resources.state(table.handle.op))
        state.rows_to_write(np.array([0]))
        held = state.current
        session.run(table)
        assert state.rows_to_write(np.array([1])) is held


def test_a_failed_run_returns_no_value_of_a_variable_and_changes_none(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope.with_name("v"), 1.0)
    unset = tg.Variable.create(scope.with_name("unset"), shape=(), dtype=tg.TFloat32)
    step = v.assign_add(scope, 1.0)
    with tg.Session(scope.graph) as session:
        with pytest.raises(tg.FailedPreconditionError, match="variable 'unset' has no value yet; .*session.assign"):
            session.run([step, v, unset])
        assert session.run(v) == 1.0


def test_a_variable_cannot_be_fed(scope: tg.Scope) -> None:
    v = tg.Variable.create(scope.with_name("v"), 1.0)
    read = v.read(scope)
    with tg.Session(scope.graph) as session:
        for key in (v, "v", "v:0"):
            feeds: dict[Any, float] = {key: 2.0}
            with pytest.raises(
                tg.FeedError, match="variable 'v' cannot be fed; give it a value with session.assign, or"
            ):
                session.run(read, feeds)
        assert session.run(read, {read: 3.0}) == 3.0


def test_an_operand_and_its_name_are_fed_once(scope: tg.Scope, x: tg.Operand[tg.TInt32]) -> None:
    with pytest.raises(tg.FeedError, match="'x:0' .* is fed twice"):
        tg.Session(scope.graph).run(x, {x: 1, "x": 1})
