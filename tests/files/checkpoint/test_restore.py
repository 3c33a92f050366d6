"""What `Session.restore` sets, what it refuses, and that a refusal changes nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import safetensors.numpy

import typegrad as tg
from typegrad.files.checkpoint import read_values
from typegrad.op import core, random, train
from typegrad.session.state import Resources

Sizes = tuple[int, ...]

BOTH: Final = {"a": (2, 3), "b": (4,)}


def model(shapes: dict[str, Sizes] = BOTH, *, seed: int | None = None, dtype: type[Any] = tg.TFloat32) -> tg.Graph:
    """A variable of each name, filled at random, and a noise operation."""
    graph = tg.Graph(seed=seed)
    scope = tg.Scope(graph)
    for name, sizes in shapes.items():
        initial = random.RandomUniform.create(scope.with_name(f"{name}/initial"), sizes, dtype)
        tg.Variable.create(scope.with_name(name), initial)
    random.RandomUniform.create(scope.with_name("noise"), [3], tg.TFloat32)
    return graph


def noise(session: tg.Session) -> bytes:
    value: bytes = session.run(session.graph.operation("noise").outputs[0]).tobytes()
    return value


def values(session: tg.Session) -> dict[str, bytes]:
    return {variable.name: session.value(variable).tobytes() for variable in session.graph.variables}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    tg.Session(model()).save(path)
    return path


# What is set


def test_the_values_and_the_random_numbers_go_on(tmp_path: Path) -> None:
    first = tg.Session(model())
    noise(first)
    first.save(tmp_path / "m")
    second = tg.Session(model())
    second.restore(tmp_path / "m")
    assert values(second) == values(first)
    assert [noise(second) for _ in range(3)] == [noise(first) for _ in range(3)]


def test_saving_what_was_restored_gives_the_same_file(saved: Path, tmp_path: Path) -> None:
    session = tg.Session(model())
    session.restore(saved)
    session.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == saved.read_bytes()


def test_saving_changes_no_numbers(tmp_path: Path) -> None:
    def drawn(*, save: bool) -> list[bytes]:
        session = tg.Session(model(seed=1))
        result = []
        for _ in range(3):
            result.append(noise(session))
            if save:
                session.save(tmp_path / "m")
        return result

    assert drawn(save=True) == drawn(save=False)


@pytest.mark.parametrize("auto_init", [True, False])
def test_a_restored_variable_is_initialized(saved: Path, *, auto_init: bool) -> None:
    session = tg.Session(model(), auto_init=auto_init)
    session.restore(saved)
    before = values(session)
    session.initialize()
    assert values(session) == before


def test_a_variable_that_is_made_later_is_initialized_alone(saved: Path) -> None:
    session = tg.Session(model())
    session.restore(saved)
    before = values(session)
    tg.Variable.create(tg.Scope(session.graph).with_name("c"), 7.0)
    assert values(session) == {**before, "c": np.float32(7).tobytes()}


def test_a_variable_that_the_file_lacks_gets_its_initial_value_from_the_restored_ones(saved: Path) -> None:
    graph = model()
    tg.Variable.create(tg.Scope(graph).with_name("copy"), graph.variables[0].read(tg.Scope(graph)))
    session = tg.Session(graph)
    session.restore(saved, strict=False)
    result = values(session)
    assert result["copy"] == result["a"] == safetensors.numpy.load_file(saved)["a"].tobytes()


def test_what_an_init_scope_adds_to_a_restored_variable_counts_as_done(tmp_path: Path) -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    w = tg.Variable.create(scope, 1.0)
    w.assign_add(scope.with_init_scope(), 1.0)
    tg.Session(graph).save(tmp_path / "m")
    session = tg.Session(graph)
    session.restore(tmp_path / "m")
    assert session.value(w) == 2


def test_an_initializer_of_two_variables_is_done_only_if_both_are_restored(tmp_path: Path) -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    one, two = (tg.Variable.create(scope.with_name(name), 1.0) for name in ("one", "two"))
    start = scope.with_init_scope()
    train.ResourceApplyMomentum.create(
        start, one.handle, two.handle, *(core.Constant.create(start, 1.0) for _ in "123")
    )
    first = tg.Session(graph)
    expected = [first.value(variable) for variable in (one, two)]
    first.run([one.assign(scope, 10.0), two.assign(scope, 20.0)])
    first.save(tmp_path / "m")
    both, part = tg.Session(graph), tg.Session(graph)
    both.restore(tmp_path / "m")
    assert [both.value(variable) for variable in (one, two)] == [10, 20]
    part.restore(tmp_path / "m", names=["one"])
    momentum = expected[1]
    assert [part.value(variable) for variable in (one, two)] == [10 - momentum, momentum]


def test_a_restored_value_can_be_updated_in_place(saved: Path) -> None:
    graph = model()
    scope, (a, _) = tg.Scope(graph), graph.variables
    add = core.ResourceScatterAdd.create(
        scope, a.handle, core.Constant.create(scope, [1]), core.Constant.create(scope, np.ones((1, 3), np.float32))
    )
    session = tg.Session(graph)
    session.restore(saved)
    before = session.value(a)
    session.run([add, add])
    np.testing.assert_array_equal(session.value(a), before + np.array([[0], [1]], np.float32))


def test_a_named_size_takes_any(saved: Path) -> None:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    handle = core.VarHandleOp.create(scope, tg.TFloat32, shape=(None, 3), shared_name="a")
    session = tg.Session(graph)
    session.restore(saved, names=["a"])
    assert session.run(core.ReadVariableOp.create(scope, handle, tg.TFloat32)).shape == (2, 3)


def test_containers_keep_variables_of_one_name_apart(tmp_path: Path) -> None:
    def build() -> tuple[tg.Graph, list[Any], list[Any]]:
        graph = tg.Graph()
        scope = tg.Scope(graph)
        handles = [
            core.VarHandleOp.create(scope, tg.TInt32, shape=(), shared_name="v", container=container)
            for container in ("", "c")
        ]
        reads = [core.ReadVariableOp.create(scope, handle, tg.TInt32) for handle in handles]
        return graph, handles, reads

    graph, handles, _ = build()
    with tg.Session(graph) as session:
        scope = tg.Scope(graph)
        for handle, value in zip(handles, (1, 2), strict=True):
            session.run(core.AssignVariableOp.create(scope, handle, core.Constant.create(scope, value)))
        session.save(tmp_path / "m")
    assert safetensors.numpy.load_file(tmp_path / "m").keys() == {"v", "c:v"}
    graph, _, reads = build()
    session = tg.Session(graph)
    session.restore(tmp_path / "m")
    assert session.run(reads) == [1, 2]


# Parts


def test_names_chooses_what_to_restore_and_leaves_random_numbers_alone(saved: Path) -> None:
    session, other = (tg.Session(model({"a": (2, 3), "z": (1,)}, seed=3)) for _ in range(2))
    expected = {**values(other), "a": safetensors.numpy.load_file(saved)["a"].tobytes()}
    session.restore(saved, names=["a"])
    assert values(session) == expected and noise(session) == noise(other)


def test_one_name_is_not_a_list_of_letters(saved: Path) -> None:
    session = tg.Session(model({"a": (2, 3), "z": (1,)}))
    session.restore(saved, names="a")
    assert values(session)["a"] == safetensors.numpy.load_file(saved)["a"].tobytes()


def test_a_file_that_is_not_strictly_the_same_restores_what_both_have(saved: Path) -> None:
    session = tg.Session(model({"b": (4,), "z": (1,)}))
    z = session.value(session.graph.variables[1]).tobytes()
    session.restore(saved, strict=False)
    assert values(session) == {"b": safetensors.numpy.load_file(saved)["b"].tobytes(), "z": z}


def test_a_variable_of_another_name_in_the_file(saved: Path) -> None:
    session = tg.Session(model({"b": (4,), "c": (2, 3)}))
    session.restore(saved, names={"c": "a", "b": "b"})
    expected = safetensors.numpy.load_file(saved)
    assert values(session) == {"b": expected["b"].tobytes(), "c": expected["a"].tobytes()}
    message = refusal(session, saved, names={"b": "a", "c": "z"})
    assert "'b' is [2, 3] in the file, but [4] in the graph" in message and "missing from the file: 'z'\n" in message


def test_a_file_is_read_without_a_graph(saved: Path) -> None:
    arrays = read_values(saved)
    assert {name: array.tobytes() for name, array in arrays.items()} == {
        name: array.tobytes() for name, array in safetensors.numpy.load_file(saved).items()
    }


def test_random_numbers_are_restored_on_demand(saved: Path) -> None:
    first, second, third = (tg.Session(model()) for _ in range(3))
    first.restore(saved)
    second.restore(saved, names=["a"], random=True)
    third.restore(saved, random=False)
    assert noise(first) == noise(second) != noise(third)


# What is refused


def refusal(session: tg.Session, path: Path, **how: Any) -> str:
    """The error, after which nothing has changed."""
    with pytest.raises(tg.CheckpointError) as excinfo:
        session.restore(path, **how)
    return str(excinfo.value)


def test_one_error_says_all_that_does_not_fit(saved: Path) -> None:
    session = tg.Session(model({"a": (3, 3), "c": (1,), "d": ()}, dtype=tg.TFloat64))
    before = values(session)
    assert refusal(session, saved).splitlines() == [
        f"'{saved}' does not fit the graph; nothing was restored:",
        "  of another type: 'a' is float32 in the file, but float64 in the graph",
        "  of another shape: 'a' is [2, 3] in the file, but [3, 3] in the graph",
        "  missing from the file: 'c', 'd'",
        "  in the file, but not in the graph: 'b'",
        "`names` chooses what to restore: leave these out, and they keep their values",
        "`names` chooses what to restore; strict=False leaves out what is missing",
        "strict=False leaves the rest of the file alone",
    ]
    assert values(session) == before


def test_types_and_shapes_must_fit_also_in_parts(saved: Path) -> None:
    message = refusal(tg.Session(model({"a": (3, 3), "b": (4,)})), saved, strict=False)
    assert "'a' is [2, 3] in the file, but [3, 3] in the graph" in message and "'b'" not in message


def test_names_must_be_in_the_graph_and_in_the_file(saved: Path) -> None:
    message = refusal(tg.Session(model({"a": (2, 3), "c": (1,)})), saved, names=["a", "b", "c", "c", "b"])
    assert "no variable of the graph: 'b'\n" in message and "missing from the file: 'c'\n" in message


def test_a_file_with_nothing_to_restore_is_refused(saved: Path) -> None:
    assert "holds none of the variables" in refusal(tg.Session(model({"z": (1,)})), saved, strict=False)


def test_complex_values_are_no_pairs_of_any_type(tmp_path: Path) -> None:
    safetensors.numpy.save_file({"a": np.zeros((2, 3), np.float64)}, tmp_path / "m")
    graph = tg.Graph()
    tg.Variable.create(tg.Scope(graph).with_name("a"), np.zeros((2, 3), np.complex128))
    assert "'a' is float64 in the file, but complex128 in the graph" in refusal(tg.Session(graph), tmp_path / "m")


def test_a_long_list_is_cut(tmp_path: Path) -> None:
    safetensors.numpy.save_file({"x" * 1000: np.zeros(1)} | {f"y{i}": np.zeros(1) for i in range(100)}, tmp_path / "m")
    message = refusal(tg.Session(model()), tmp_path / "m")
    assert "and 81 more" in message and "y98" not in message and len(message) < 2000


def test_random_numbers_of_another_seed_are_refused(tmp_path: Path) -> None:
    tg.Session(model(seed=1)).save(tmp_path / "m")
    for seed in (2, 0):
        session, other = (tg.Session(model(seed=seed)) for _ in range(2))
        message = refusal(session, tmp_path / "m")
        assert f"the random state is of seed 1 in the file, but of seed {seed} in the graph" in message
        assert values(session) == values(other) and noise(session) == noise(other)
        session.restore(tmp_path / "m", random=False)
        assert noise(session) == noise(other)


def test_a_graph_without_a_seed_takes_the_files(tmp_path: Path) -> None:
    seeded = tg.Session(model(seed=1))
    seeded.save(tmp_path / "m")
    session = tg.Session(model())
    session.restore(tmp_path / "m")
    assert noise(session) == noise(seeded)


def test_a_seed_for_a_file_without_one_is_refused(saved: Path) -> None:
    assert "of seed None in the file, but of seed 1 in the graph" in refusal(tg.Session(model(seed=1)), saved)


def test_a_folder_and_a_pipe_are_no_checkpoints(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        assert "is not a file" in refusal(tg.Session(model()), path)


@pytest.mark.parametrize("path", ["a\0b", "\ud800\0"])
def test_what_no_file_system_takes_is_no_checkpoint(path: str) -> None:
    assert "cannot be the path of a file" in refusal(tg.Session(model()), Path(path))


def test_a_missing_file_is_an_ordinary_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tg.Session(model()).restore(tmp_path / "m")


def test_a_closed_session_neither_saves_nor_restores(saved: Path) -> None:
    session = tg.Session(model())
    session.close()
    with pytest.raises(tg.SessionClosedError):
        session.save(saved)
    with pytest.raises(tg.SessionClosedError):
        session.restore(saved)


def test_a_variable_without_a_value_cannot_be_saved(saved: Path) -> None:
    before = saved.read_bytes()
    with pytest.raises(tg.CheckpointError, match="variables without a value cannot be saved: 'a', 'b'"):
        tg.Session(model(), auto_init=False).save(saved)
    assert saved.read_bytes() == before


def test_a_failure_while_values_are_set_puts_all_back(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = tg.Session(model())
    before, draws = values(session), session.random_state
    tg.Variable.create(tg.Scope(session.graph).with_name("d"), 1.0)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Resources, "written_by", interrupt)
        with pytest.raises(KeyboardInterrupt):
            session.restore(saved, strict=False)
    assert session.random_state == draws
    assert values(session) == {**before, "d": np.float32(1).tobytes()}


def test_a_name_that_no_variable_has_is_told_with_what_was_meant(tmp_path: Path) -> None:
    scope = tg.Scope(tg.Graph())
    tg.Variable.create(scope.with_name("weights"), 1.0)
    with tg.Session(scope.graph) as session:
        session.save(tmp_path / "a")
        with pytest.raises(
            tg.CheckpointError, match=r"no variable of the graph: 'weigths' \(did you mean 'weights'\?\)"
        ):
            session.restore(tmp_path / "a", names=["weigths"])
        says = r"'old' \(the keys are the graph's names: write \{'weights': 'old'\}\)"
        with pytest.raises(tg.CheckpointError, match=says):
            session.restore(tmp_path / "a", names={"old": "weights"})
