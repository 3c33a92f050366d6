"""Event files, read back by TensorBoard's own reader."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

import typegrad as tg
from typegrad.files.tensorboard import EventWriter, graph_def
from typegrad.op import core, dtypes, linalg, math


def read(folder: Path) -> Any:
    """What TensorBoard finds in a folder."""
    accumulator = import_module("tensorboard.backend.event_processing.event_accumulator").EventAccumulator
    events = accumulator(str(folder))
    events.Reload()
    return events


def test_scalars(tmp_path: Path) -> None:
    losses: list[ArrayLike] = [4.0, 2.5, np.float32(1.25), np.array([[0.5]]), np.array(True)]
    with EventWriter(tmp_path / "first") as events:
        for step, loss in enumerate(losses):
            events.scalar("loss", loss, step)
        events.scalar("rate", 0.1, 7)
    result = read(tmp_path / "first")
    assert result.Tags()["scalars"] == ["loss", "rate"]
    assert [(e.step, e.value) for e in result.Scalars("loss")] == [(0, 4.0), (1, 2.5), (2, 1.25), (3, 0.5), (4, 1.0)]
    assert result.Scalars("rate")[0].value == pytest.approx(0.1)


def test_histograms(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=(40, 25)).astype(np.float32)
    with EventWriter(tmp_path) as events:
        events.histogram("weights", values, 3)
        events.histogram("same", np.full(5, 2), 0, buckets=4)
    result = read(tmp_path)
    (event,) = result.Histograms("weights")
    histogram = event.histogram_value
    assert event.step == 3
    assert (histogram.num, histogram.min, histogram.max) == (1000, values.min(), values.max())
    assert histogram.sum == pytest.approx(values.sum(dtype=np.float64))
    assert histogram.sum_squares == pytest.approx(np.square(values, dtype=np.float64).sum())
    counts, edges = np.histogram(values.astype(np.float64), 30)
    assert (histogram.bucket, histogram.bucket_limit) == (counts.tolist(), edges[1:].tolist())
    assert sum(result.Histograms("same")[0].histogram_value.bucket) == 5


def test_values_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    ragged: Any = [[1], [2, 3]]
    with EventWriter(tmp_path) as events:
        with pytest.raises(tg.ShapeError, match=r"scalar 'loss' is one number, but the value has shape \[2\]"):
            events.scalar("loss", [1, 2], 0)
        with pytest.raises(tg.DTypeError, match="'loss' takes real numbers, not complex128"):
            events.scalar("loss", 1j, 0)
        with pytest.raises(tg.DTypeError, match=r"'loss' takes real numbers: \[\[1\], \[2, 3\]\] is not a rectangular"):
            events.scalar("loss", ragged, 0)
        with pytest.raises(tg.InvalidArgumentError, match="'w' of step 3: 2 of 4 `values` are infinite or NaN"):
            events.histogram("w", [1.0, np.nan, np.inf, 0.0], 3)
        with pytest.raises(tg.InvalidArgumentError, match="there are no `values`"):
            events.histogram("w", [], 3)
        with pytest.raises(tg.AttributeValueError, match="histogram 'w' has from 1 to 65536 `buckets`, not 0"):
            events.histogram("w", [1.0], 3, buckets=0)
        with pytest.raises(tg.AttributeValueError, match=f"^`step` must be an integer of 64 bits, not {2**63}$"):
            events.scalar("loss", 1.0, 2**63)
    assert read(tmp_path).Tags()["scalars"] == []


@pytest.mark.filterwarnings("error")
def test_extreme_values_are_counted_or_refused(tmp_path: Path) -> None:
    with EventWriter(tmp_path) as events:
        events.histogram("wide", [1e200, -8e300, 8e300], 1, buckets=2)
        with pytest.raises(
            tg.InvalidArgumentError,
            match="'w' of step 1: `values` from -1.7e\\+308 to 1.7e\\+308 span too wide a range for float64",
        ):
            events.histogram("w", [1.7e308, -1.7e308], 1)
        with pytest.raises(
            tg.InvalidArgumentError,
            match="`values` from 1e\\+300 to 1e\\+300 are too close to each other for 30 buckets",
        ):
            events.histogram("w", [1e300], 1)
    histogram = read(tmp_path).Histograms("wide")[0].histogram_value
    assert histogram.bucket == [1, 2] and histogram.sum_squares == np.inf


def test_a_loss_that_is_no_number_is_written(tmp_path: Path) -> None:
    with EventWriter(tmp_path) as events:
        events.scalar("loss", np.float16(np.nan), 0)
    assert np.isnan(read(tmp_path).Scalars("loss")[0].value)


def test_flushed_events_are_in_the_file_and_a_closed_writer_refuses_more(tmp_path: Path) -> None:
    events = EventWriter(tmp_path)
    events.scalar("loss", 1, 0)
    events.flush()
    assert len(read(tmp_path).Scalars("loss")) == 1
    events.close()
    events.close()
    with pytest.raises(tg.FailedPreconditionError, match="this EventWriter is closed; open another one"):
        events.scalar("loss", 1, 1)
    with pytest.raises(tg.FailedPreconditionError, match="closed"):
        events.flush()


def small_graph() -> tg.Graph:
    graph = tg.Graph()
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=("batch", None))
    w = tg.Variable.create(scope.with_sub_scope("model").with_name("w"), np.ones((2, 3), np.float32))
    read_w = w.read(scope)
    after = scope.with_control_dependencies([read_w.as_output().op]).with_device("/cpu:0")
    linalg.MatMul.create(after.with_name("product"), x, read_w, transpose_b=False)
    core.Constant.create(scope.with_name("large"), np.zeros(5000))
    core.Constant.create(scope.with_name("text"), ["a", "b"])
    return graph


def test_the_graph(tmp_path: Path) -> None:
    graph = small_graph()
    with EventWriter(tmp_path) as events:
        events.graph(graph)
    result = read(tmp_path).Graph()
    assert result == graph_def(graph)
    nodes = {node.name: node for node in result.node}
    assert [node.name for node in result.node] == [operation.name for operation in graph]
    assert [node.op for node in result.node] == [operation.type for operation in graph]

    product = nodes["product"]
    reading = graph.operation("product").inputs[1].op.name
    assert list(product.input) == ["x", reading, f"^{reading}"]
    assert (product.device, product.attr["T"].type, product.attr["transpose_a"].b) == ("/cpu:0", 1, False)
    assert [dim.size for dim in product.attr["_output_shapes"].list.shape[0].dim] == [-1, 3]
    assert [(dim.size, dim.name) for dim in nodes["x"].attr["shape"].shape.dim] == [(-1, "batch"), (-1, "")]
    assert "model/w/handle" in nodes

    weights = nodes["model/w/initial_value"].attr["value"].tensor
    assert np.frombuffer(weights.tensor_content, np.float32).tolist() == [1.0] * 6
    large = nodes["large"].attr["value"].tensor
    assert (large.dtype, large.tensor_shape.dim[0].size, large.tensor_content) == (2, 5000, b"")
    assert list(nodes["text"].attr["value"].tensor.string_val) == [b"a", b"b"]


def test_attributes_have_the_names_of_tensorflow() -> None:
    scope = tg.Scope(tg.Graph())
    squeezed = core.Squeeze.create(scope, core.Constant.create(scope, [[1.0]]), axis=(0,))
    cast = dtypes.Cast.create(scope, squeezed, tg.TInt32, truncate=True)
    nodes = {node.name: node for node in graph_def(scope.graph).node}
    assert list(nodes["Squeeze"].attr["squeeze_dims"].list.i) == [0]
    assert (nodes["Cast"].attr["DstT"].type, nodes["Cast"].attr["Truncate"].b) == (3, True)
    assert cast.op.attrs["dst_t"] is tg.TInt32
    assert not {"axis", "dst_t", "truncate"} & {name for node in nodes.values() for name in node.attr}


def test_outputs_after_the_first_are_numbered() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Constant.create(scope, [[1.0, 2.0]])
    parts = core.Unstack.create(scope, x, num=2, axis=1)
    first, second = parts.op.outputs
    math.Add.create(scope.with_name("sum"), second, first)
    (node,) = [node for node in graph_def(scope.graph).node if node.name == "sum"]
    assert list(node.input) == [f"{parts.op.name}:1", parts.op.name]


def test_only_graphs_are_written(tmp_path: Path) -> None:
    wrong: Any = "graph"
    with EventWriter(tmp_path) as events, pytest.raises(tg.GraphError, match="`graph` must be a Graph, not str"):
        events.graph(wrong)


def test_without_tensorboard_the_error_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("typegrad.files.tensorboard.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"need tensorboard: run pip install 'typegrad\[tensorboard\]'"):
        EventWriter(tmp_path)


def test_tensorboard_is_imported_when_it_is_needed_and_tensorflow_never(tmp_path: Path) -> None:
    program = (
        "import json, sys\n"
        "from typegrad.files.tensorboard import EventWriter\n"
        "before = 'tensorboard' in sys.modules\n"
        f"EventWriter({str(tmp_path)!r}).close()\n"
        "print(json.dumps([before, 'tensorboard' in sys.modules, 'tensorflow' in sys.modules]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [False, True, False]
