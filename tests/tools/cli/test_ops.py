"""The reference in the terminal."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from support.commands import Run
from support.entries import entries
from typegrad.op._table import TABLE
from typegrad_reference.entries.facts import facts
from typegrad_reference.guides.listed import of_operation
from typegrad_reference.terminal.pages import describe

SECTIONS = (
    "Create",
    "Types",
    "Parameters",
    "Outputs",
    "Errors",
    "Shape",
    "Gradient",
    "Examples",
    "Names",
    "See also",
    "Source",
)


def section(text: str, title: str) -> list[str]:
    """The lines of one section of a page, without those that are empty."""
    lines = text.splitlines()
    start = lines.index(title) + 1
    end = next((i for i, line in enumerate(lines[start:], start) if line and not line.startswith(" ")), len(lines))
    return [line.strip() for line in lines[start:end] if line.strip()]


def test_show_says_everything_about_an_operation(run: Run) -> None:
    done = run("ops", "show", "MatMul")
    assert done.status == 0 and not done.err
    lines = done.out.splitlines()
    assert lines[0] == "final class MatMul[T, S](Operand[T, S])"
    assert [line for line in lines if line in SECTIONS] == list(SECTIONS)
    assert "Compute the matrix product of `a` and `b`: multiply two matrices." in lines
    assert section(done.out, "Create")[0] == "MatMul.create("
    assert "transpose_a  `bool`. Whether to transpose `a` first. Default: `False`." in section(done.out, "Parameters")
    assert section(done.out, "Gradient")[:2] == ["a  ā = ∇product bᵀ", "With complex numbers: ā = ∇product b†"]
    examples = section(done.out, "Examples")
    assert "product = linalg.MatMul.create(scope, a, b)" in examples and "[[11.]]" in examples
    assert any("`np.matmul`" in line for line in section(done.out, "Names"))
    sources = dict(line.split() for line in section(done.out, "Source"))
    assert set(sources) == {"entry", "shape", "kernel", "gradient"}
    assert sources["entry"].startswith("ops/matmul.yaml:") and "kernels/matmul.py:" in sources["kernel"]


def test_what_an_example_prints_is_shown_below_it(run: Run) -> None:
    lines = section(run("ops", "show", "TopK").out, "Example")
    assert lines[-2:] == ["[[4. 4. 2.]]", "[[1 3 2]]"]


def test_differences_from_tensorflow_and_missing_gradients_are_told(run: Run) -> None:
    done = run("ops", "show", "TopKV2")
    assert section(done.out, "Differences from TensorFlow")
    assert "The path ends here" in " ".join(section(done.out, "Gradient"))


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("name", ["Sum", "Constant", "ResourceApplyFtrl"])
def test_a_page_fits_into_its_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, name: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(cell_len, run("ops", "show", name).out.splitlines())) <= min(width, 110)


def test_every_operation_has_a_page_whose_examples_run() -> None:
    operations = tuple(entries().values())
    for op in operations:
        written = io.StringIO()
        describe(Console(file=written, width=80, highlight=False), op, operations)
        page = written.getvalue()
        programs = page.count("import typegrad as tg")
        own = of_operation(op)
        by_hand = own.page.source if own else ""
        assert programs == len(op.examples) + by_hand.count("import typegrad as tg"), op.name
        assert page.count("\n  scope = ") >= programs, op.name
        assert page.count("Error: ") == by_hand.count("Error: ") and "$" not in page, op.name


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("MatMul", "MatMul"), ("matmul", "MatMul"), ("mat_mul", "MatMul"), ("linalg.MatMul", "MatMul"),
        ("tf.linalg.mat_mul", "MatMul"),
        ("Gather", "GatherV2"), ("GatherV2", "GatherV2"), ("tf.raw_ops.GatherV2", "GatherV2"),
        ("core.gather", "GatherV2"),
        ("org.tensorflow.op.core.Gather", "GatherV2"), ("tf.reduce_sum", "Sum"), ("np.sum", "Sum"),
        ("numpy.add", "Add"),
        ("jax.numpy.concatenate", "ConcatV2"), ("ResourceApplyAdagrad", "ResourceApplyAdagradV2"),
    ],
)  # fmt: skip
def test_an_operation_by_any_of_its_names(run: Run, name: str, operation: str) -> None:
    assert run("ops", "show", name, "--json").json["operation"] == operation


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("MatMull", "no operation is called 'MatMull'; the nearest are linalg.MatMul"),
        ("tf.estimator", "no operation is called 'tf.estimator'; see typegrad ops list"),
        ("softma", "no operation is called 'softma'; the nearest are nn.Softmax, "),
        ("quaternion", "no operation is called 'quaternion'; see typegrad ops list"),
        (
            "jax.jvp",
            "jax.jvp is a subject of the guides: see typegrad docs show gradients-and-stop-gradient#jacobian-v",
        ),
        ("jvp", "jvp is a subject of the guides: see typegrad docs show gradients-and-stop-gradient#jacobian-vector-"),
        (
            "MeanSquaredError",
            "'MeanSquaredError' may mean typegrad.training.losses.MeanSquaredError or typegrad.training.",
        ),
        ("np.where", "'np.where' may mean core.Select or core.Where; ask for one of them"),
        (
            "tf.random.uniform",
            "'tf.random.uniform' may mean random.RandomUniform or random.RandomUniformInt; ask for one of them",
        ),
    ],
)
def test_an_unknown_or_ambiguous_name(run: Run, name: str, message: str) -> None:
    done = run("ops", "show", name)
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"typegrad: {message}")


@pytest.mark.parametrize(
    ("name", "full"),
    [
        ("functions.stft", "typegrad.functions.stft"),
        ("functions.softmax", "typegrad.functions.softmax"),
        ("Variable", "typegrad.Variable"),
        ("Adam", "typegrad.training.optimizers.Adam"),
        ("tg.optimizers.Adam", "typegrad.training.optimizers.Adam"),
        ("losses.MeanSquaredError", "typegrad.training.losses.MeanSquaredError"),
        ("mean_squared_error", "typegrad.training.losses.mean_squared_error"),
        ("tg.Session.run", "typegrad.Session.run"),
        ("Session.Run", "typegrad.Session.run"),
        ("tf.gradients", "typegrad.gradients"),
        ("custom_vjp", "typegrad.custom_gradient"),
        ("np.linalg.norm", "typegrad.functions.norm"),
        ("tf.nn.l2_normalize", "typegrad.functions.l2_normalize"),
        ("TFloat32", "typegrad.base.types.TFloat32"),
        ("Saver", "typegrad.Saver"),
        ("tf.train.Saver", "typegrad.Saver"),
        ("checkpoint.Saver", "typegrad.files.checkpoint.Saver"),
        ("tf.train.GradientDescentOptimizer", "typegrad.training.optimizers.GradientDescent"),
        ("tf.compat.v1.train.MomentumOptimizer", "typegrad.training.optimizers.Momentum"),
        ("FtrlOptimizer", "typegrad.training.optimizers.Ftrl"),
        ("tf.random_uniform", "typegrad.functions.uniform"),
        ("tf.layers.dropout", "typegrad.functions.dropout"),
        ("tf.losses.log_loss", "typegrad.training.losses.BinaryCrossentropy"),
        ("tf.contrib.layers.l1_regularizer", "typegrad.training.regularizers.L1"),
        ("tf.constant_initializer", "typegrad.training.initializers.Constant"),
    ],
)
def test_a_class_or_a_function_by_any_of_its_names(run: Run, name: str, full: str) -> None:
    shown = run("ops", "show", name, "--json").json
    assert shown["name"] == full and shown["summary"]
    assert run("ops", "show", name).out.startswith(f"# {full}\n")


def test_show_says_everything_about_a_function(run: Run) -> None:
    done = run("ops", "show", "functions.dropout")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[1] == "dropout(" and ") -> Operand[F, S]" in lines
    assert section(done.out, "Parameters")[0].startswith("scope        Where in the graph ")
    assert {"Returns", "Errors"} <= set(lines)
    data = run("ops", "show", "functions.dropout", "--json").json
    assert data["parameters"].keys() == {"scope", "x", "rate", "noise_shape", "seed"}


def test_mypy_is_not_needed() -> None:
    program = """
import sys
sys.modules["mypy"] = None
from typegrad.tools.cli import main
sys.exit(main(["ops", "show", "Session"]) or main(["docs", "show", "training"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("# typegrad.Session\n")


def test_show_says_everything_about_a_class(run: Run) -> None:
    done = run("ops", "show", "Session")
    assert done.out.splitlines()[1].startswith("final class Session(")
    assert any(line.startswith("initialize") for line in section(done.out, "Members"))
    assert "numpy  `np.dtype[np.float32]`." in section(run("ops", "show", "TFloat32").out, "Attributes")


def test_the_facts_of_every_operation_are_json_and_complete() -> None:
    for op in entries().values():
        data = json.loads(json.dumps(facts(op), allow_nan=False))
        assert set(data["gradient"]) == set(data["inputs"]) == {item.name for item in op.inputs}
        assert data["names"]["elsewhere"] == list(op.known_as)
        assert data["create"] and all(
            form.startswith(f"{op.class_name}.create(scope: Scope") for form in data["create"]
        )
        assert {"entry", "shape", "kernel"} <= set(data["sources"]) | ({"kernel"} if not op.functions.kernel else set())
        assert all(place["line"] > 0 for place in data["sources"].values())


def test_facts_say_what_tensorflow_calls_an_argument() -> None:
    data: dict[str, Any] = facts(entries()["Sum"])
    assert data["inputs"]["axis"]["tf"] == "reduction_indices"
    assert "tf" not in data["inputs"]["input"]
    cast: dict[str, Any] = facts(entries()["Cast"])
    assert (cast["types"]["dst_t"]["tf"], cast["attrs"]["truncate"]["tf"]) == ("DstT", "Truncate")


def test_element_types_have_the_name_that_errors_say() -> None:
    places = {"Cast": "attrs", "Tanh": "types", "ArgMax": "types"}
    data: dict[str, dict[str, Any]] = {}
    for name, key in places.items():
        entry: dict[str, Any] = facts(entries()[name])
        data |= entry[key]
    names = {name for each in data.values() for name in (*each.get("allowed", ()), each.get("default"))}
    assert {"float16", "float32", "float64"} <= names and not {"half", "float", "double"} & names


def test_numbers_that_json_does_not_have_are_texts() -> None:
    texts = {name: json.dumps(facts(op)["examples"]) for name, op in entries().items()}
    assert '"nan"' in texts["IsNan"] and '"-inf"' in texts["IsInf"]


def test_list_shows_each_operation_with_its_summary_on_a_line(run: Run) -> None:
    done = run("ops", "list")
    lines = done.out.splitlines()
    assert done.status == 0 and len(lines) == len(TABLE) == len(run("ops", "list", "--json").json)
    names = [line.split()[0] for line in lines]
    assert names == sorted(names, key=lambda name: tuple(name.split(".")))
    assert next(line for line in lines if line.startswith("nn.Relu ")).split(maxsplit=1)[1] == entries()["Relu"].summary


def test_list_of_one_group(run: Run) -> None:
    done = run("ops", "list", "--group", "linalg", "--json")
    assert {"class": "linalg.MatMul", "operation": "MatMul", "summary": entries()["MatMul"].summary} in done.json
    assert {each["class"].partition(".")[0] for each in done.json} == {"linalg"}


def test_list_of_an_unknown_group(run: Run) -> None:
    done = run("ops", "list", "--group", "nope")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("typegrad: there is no group 'nope'; the groups are bitwise, cluster, core, ")


def test_search_shows_the_name_that_was_found(run: Run) -> None:
    done = run("ops", "search", "tf.reduce_sum", "--limit", "1")
    assert (done.status, done.out) == (0, "core.Sum  (tf.reduce_sum) Sum the elements along the given axes.\n")


def test_search_in_json(run: Run) -> None:
    first, *others = run("ops", "search", "np.cumsum", "--limit", "3", "--json").json
    assert first == {
        "class": "math.Cumsum",
        "operation": "Cumsum",
        "summary": entries()["Cumsum"].summary,
        "found": "Cumsum" if first["by"] == "class" else "np.cumsum",
        "by": "elsewhere",
    }
    assert len(others) <= 2


def test_search_finds_guides_and_says_what_is_not_here(run: Run) -> None:
    done = run("ops", "search", "gradient", "clipping", "--limit", "1", "--json")
    (hit,) = done.json
    assert hit["page"] == "guides/training.html#optimizers-schedules-clipping" and hit["by"] == "elsewhere"
    done = run("ops", "search", "tf.nn.conv1d", "--limit", "2")
    assert done.status == 0
    first, second = done.out.splitlines()
    assert first.startswith("not here:") and "tf.nn.conv1d Convolutions are over two or three dimensions." in first
    assert second.startswith("nn.Conv2d")
    missing = run("ops", "search", "tf.nn.conv1d", "--limit", "1", "--json").json[0]
    assert (missing["missing"], missing["by"]) == ("tf.nn.conv1d", "absent")


def test_show_says_what_is_not_here(run: Run) -> None:
    done = run("ops", "show", "tf.nn.conv1d")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(
        "typegrad: tf.nn.conv1d is not available: Convolutions are over two or three dimensions."
    )
    for name in (
        "tf.nn.xw_plus_b",
        "tf.nn.rnn_cell.BasicRNNCell",
        "tf.layers.batch_normalization",
        "tf.nn.dynamic_rnn",
    ):
        assert run("ops", "show", name).err.startswith(f"typegrad: {name} is not available: ")
    done = run(
        "ops", "show", "tf.matrix_set_diag"
    )  # TensorFlow has an older form of it, and a newer one, which is here
    assert done.err.startswith(
        "typegrad: no operation is called 'tf.matrix_set_diag'; the nearest are linalg.MatrixSetDiag"
    )


def test_search_without_a_find(run: Run) -> None:
    done = run("ops", "search", "quaternion", "slerp")
    assert (done.status, done.out) == (1, "")
    assert done.err == "typegrad: no results for 'quaternion slerp'; see typegrad ops list\n"
    done = run("ops", "search", "quaternion", "--json")
    assert (done.status, done.json) == (1, [])


def test_lists_on_a_terminal_are_tables(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("ops", "search", "cross_entropy").out.splitlines()
    assert len(lines) > 2 and "\x1b[" in lines[0]
