"""`typegrad check-ops` reports the problems of a user's registry, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

import pytest

from support.commands import Done, Run
from support.own_registry import ENTRY, Make
from support.own_registry import own_registry as own_registry

HEAD: Final = "registry/demo.yaml"
SOUND: Final = "1 operation: 2 examples run, the gradients of 2 compared with differences\n"

Check: TypeAlias = Callable[..., Done]


@pytest.fixture
def check(run: Run, own_registry: Make) -> Check:
    """Check the registry, in which a text is replaced by another."""

    def call(old: str = "", new: str = "", *options: str) -> Done:
        own_registry(old, new)
        return run("check-ops", "--registry", "registry", "--package", "solids.op", *options)

    return call


def test_a_sound_registry(check: Check) -> None:
    done = check()
    assert (done.status, done.out, done.err) == (0, SOUND, "")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("y: [1.0, -8.0]", "y: [1.0, 8.0]", f"{HEAD}:15: Cube, example 1: y is wrong: 1 of 2 differ: "),
        ("y: 27.0", "y: [27.0]", f"{HEAD}:18: Cube, example 2: y is wrong: shape is (), not (1,)"),
        ("x: [3.0, 12.0]", "x: [3.0, 4.0]", f"{HEAD}:15: Cube, example 1: the gradient of x is wrong: 1 of 2 differ"),
        ("x: [3.0, 12.0]", "x: null", f"{HEAD}:15: Cube, example 1: the gradient of x is <"),
        ("return x * x * x", "return x[0] * x", f"{HEAD}:18: Cube, example 2: InvalidArgumentError: Cube "),
        ("return x * x * x", "return x.astype('f4')", f"{HEAD}:15: Cube, example 1: y is wrong"),
        ("return 3 *", "return 2 *", f"{HEAD}:18: Cube, example 2: the gradient of x gives slope "),
        ("return 3 * x", "return 3 * tg.Operand.nothing", f"{HEAD}:15: Cube, example 1: UnknownNameError: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(check: Check, old: str, new: str, problem: str) -> None:
    done = check(old, new)
    assert (done.status, done.err) == (1, "")
    assert any(line.startswith(problem) for line in done.out.splitlines()), done.out


def test_a_second_gradient(check: Check) -> None:
    done = check("    x = op.inputs.x\n", "    x = tg.Ops.create(scope).stop_gradient(op.inputs.x)\n")
    assert done.status == 1
    assert f"{HEAD}:18: Cube, example 2: the second gradient, by x, gives slope 0, differences give " in done.out


def test_a_gradient_that_nothing_compares(check: Check) -> None:
    narrow = ENTRY.replace("[float32, float64]", "[float16]")
    for number in ("[1.0, -2.0]", "[1.0, -8.0]", "[3.0, 12.0]", "3.0}", "27.0"):
        value = number.rstrip("}")
        narrow = narrow.replace(f": {number}", f": {{dtype: float16, value: {value}}}{number[len(value) :]}")
    done = check(ENTRY, narrow)
    lines = done.out.splitlines()
    assert done.status == 0
    assert lines[0] == (
        f"{HEAD}:1: Cube: its gradient was not compared: "
        "no example has inputs for it that may be float32, float64 or complex128"
    )
    assert lines[1] == "1 operation: 2 examples run, the gradients of 0 compared with differences"


def test_a_gradient_that_an_example_says_not_to_compare(check: Check) -> None:
    wrong = ENTRY.replace("      outputs:", "      rough: it has a kink\n      outputs:")
    assert check(ENTRY, wrong).out.splitlines() == [
        f"{HEAD}:1: Cube: its gradient was not compared: it has a kink",
        "1 operation: 2 examples run, the gradients of 0 compared with differences",
    ]


def test_outputs_without_elements_to_reduce(check: Check) -> None:
    """As the maximum of none, which is the least number there is."""
    done = check("return x * x * x", "return xp.where(xp.floor(x) == x, x * x * x, 1e31)")
    assert "near the examples, the outputs are not finite, or too large for differences" in done.out


def test_what_an_example_prints_is_no_part_of_the_report(check: Check) -> None:
    done = check("return x * x * x", "return print('computed') or x * x * x")
    assert (done.status, done.out) == (0, SOUND) and "computed" in done.err


def test_typegrads_own_registry(run: Run) -> None:
    done = run("check-ops", "--json")
    assert (done.status, done.json["problems"]) == (0, [])


def test_a_gradient_in_float32_alone(check: Check) -> None:
    done = check("T: [float32, float64]", "T: [float32, float16]")
    assert (done.status, done.out, done.err) == (0, SOUND, "")


def test_a_gradient_that_is_right_at_the_examples_alone(check: Check) -> None:
    """As where a gradient function takes for granted that probabilities sum to 1."""
    done = check("3 * x * x * grad", "(3 * x * x + (x - 1) * (x + 2) * (x - 3)) * grad")
    assert (done.status, done.err) == (0, "")
    assert (
        "Cube: its gradient was not compared: it is right at an example, but not beside it: the gradient of x"
        in done.out
    )


def test_as_json(check: Check) -> None:
    assert check("", "", "--json").json == {
        "operations": 1, "examples": 2, "gradients": 2, "problems": [], "unchecked": [],
    }  # fmt: skip


def test_classes_that_are_stale(check: Check, run: Run, tmp_path: Path) -> None:
    check()
    (tmp_path / "registry" / "demo.yaml").write_text(ENTRY.replace("twice", "two times"))
    done = run("check-ops", "--registry", "registry", "--package", "solids.op")
    assert done.status == 1
    assert done.out.splitlines()[-2] == "the classes of solids.op are not what the registry says: run typegrad codegen"


def test_an_entry_that_is_wrong(check: Check, run: Run, tmp_path: Path) -> None:
    (tmp_path / "registry" / "demo.yaml").write_text("Cube: {}\n")
    done = run("check-ops", "--registry", "registry", "--package", "solids.op")
    assert done.status == 1 and "typegrad: registry/demo.yaml:1: Cube: missing key" in done.err


def test_a_package_that_does_not_exist(check: Check, run: Run, tmp_path: Path) -> None:
    check()
    done = run("check-ops", "--registry", "registry", "--package", "solids.opp")
    assert done.status == 1
    assert done.err == (
        "typegrad: there is no module 'solids.opp', here or installed; "
        "typegrad codegen --registry registry --out solids/opp --package solids.opp makes it\n"
    )


@pytest.mark.parametrize("options", [("--registry", "ops"), ("--package", "solids.op")])
def test_one_without_the_other(run: Run, options: tuple[str, ...]) -> None:
    done = run("check-ops", *options)
    assert done.status == 2 and "--registry and --package go together" in done.err
