"""`typegrad doctor`: its findings on a working machine and on others."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib import util
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.commands import Run
from typegrad.base import threads
from typegrad.tools.cli import diagnosis, features
from typegrad.tools.cli.features import FEATURES
from typegrad_codegen import bundled, write

ROOT: Final = Path(__file__).parents[3]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


REGISTRY: Final = bundled.registry


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in an installed package, where there is no generated code to compare: that takes most of the time."""
    monkeypatch.setattr(bundled, "registry", lambda: tmp_path / "registry")


def finding(run: Run, name: str) -> tuple[int, dict[str, str]]:
    done = run("doctor", "--json")
    assert not done.err
    return done.status, next(each for each in done.json["findings"] if each["name"] == name)


def test_all_is_well_here(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "registry", REGISTRY)
    done = run("doctor", "--json")
    findings = {each["name"]: each for each in done.json["findings"]}
    assert done.status == 0 and done.json["healthy"] is True
    assert findings["numpy"]["value"] == np.__version__
    assert findings["typegrad"]["value"].startswith(version("typegrad"))
    assert findings["building, differentiating, running"] == {
        "section": "Working", "name": "building, differentiating, running", "value": "yes", "state": "ok", "advice": "",
    }  # fmt: skip
    assert findings["generated code"]["value"] == "up to date"
    assert findings["backends"]["value"] == f"numpy {np.__version__}"
    assert int(findings["cores"]["value"].split()[0]) >= 1
    assert {each["section"] for each in findings.values()} == {"Versions", "Machine", "Working", "Features"}
    assert {each["state"] for each in findings.values()} <= {"ok", "missing"}


def test_every_library_that_typegrad_needs_is_looked_at(run: Run) -> None:
    names = {each["name"].lower().replace("-", "_") for each in run("doctor", "--json").json["findings"]}
    assert {requirement.partition(">=")[0].lower() for requirement in PROJECT["dependencies"]} <= names


def test_as_text(run: Run) -> None:
    done = run("doctor")
    lines = done.out.splitlines()
    assert [line for line in lines if line and line[0].isupper()] == ["Versions", "Machine", "Working", "Features"]
    assert any(line.split()[:2] == ["ok", "numpy"] for line in lines)


def test_features_are_the_extras_with_the_libraries_that_these_name() -> None:
    extras = PROJECT["optional-dependencies"]
    for name, feature in FEATURES.items():
        if name in extras:
            libraries = {requirement.partition(">=")[0] for requirement in extras[name]}
            assert set(feature.libraries.values()) <= libraries and name in feature.command
    assert set(extras) - {"dev"} <= set(FEATURES)


def test_the_command_line_needs_no_extra() -> None:
    needed = {requirement.partition(">=")[0] for requirement in PROJECT["dependencies"]}
    assert {"typer", "rich", "pylatexenc"} <= needed and "cli" not in PROJECT["optional-dependencies"]


@pytest.mark.parametrize(
    ("module", "name", "value", "advice"),
    [
        ("jinja2", "docs", "typegrad docs: needs jinja2", "pip install 'typegrad[docs]'"),
        ("mypy", "check", "typegrad check: needs mypy", "pip install mypy"),
        ("tensorboard", "tensorboard", "event files: needs tensorboard", "pip install 'typegrad[tensorboard]'"),
    ],
)
def test_what_is_optional_may_be_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch, module: str, name: str, value: str, advice: str
) -> None:
    monkeypatch.setattr(features, "find_spec", lambda asked: None if asked == module else util.find_spec(asked))
    status, result = finding(run, name)
    assert status == 0 and (result["state"], result["value"], result["advice"]) == ("missing", value, advice)


def test_the_text_says_what_installs_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "find_spec", lambda asked: None if asked == "jinja2" else util.find_spec(asked))
    assert "pip install 'typegrad[docs]'" in run("doctor").out


def test_a_library_that_is_needed_and_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def installed(name: str) -> str:
        if name == "scipy":
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(diagnosis, "version", installed)
    status, scipy = finding(run, "scipy")
    assert status == 1 and (scipy["state"], scipy["value"]) == ("broken", "not installed")
    assert scipy["advice"].startswith("pip install 'scipy>=")


def test_a_library_that_is_too_old(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "version", lambda name: "1.26.4" if name == "numpy" else version(name))
    status, numpy = finding(run, "numpy")
    assert status == 1 and numpy["value"].startswith("1.26.4, older than 2.") and numpy["state"] == "broken"


def test_a_python_that_is_too_old(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 2, "final", 0))
    status, python = finding(run, "Python")
    assert (status, python["state"], python["advice"]) == (1, "broken", "install Python 3.11 or later")


@pytest.mark.parametrize(("release", "state"), [("1.18.2", "missing"), ("1.19.0", "ok"), ("9.0", "missing")])
def test_the_plugin_and_the_version_of_mypy(
    run: Run, monkeypatch: pytest.MonkeyPatch, release: str, state: str
) -> None:
    monkeypatch.setattr(diagnosis, "version", lambda name: release if name == "mypy" else version(name))
    status, plugin = finding(run, "mypy plugin")
    assert (status, plugin["state"]) == (0, state)
    assert ("pip install 'mypy>=1.19,<" in plugin["advice"]) == (state == "missing")


def test_code_that_is_stale(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "registry", REGISTRY)
    monkeypatch.setattr(write, "compare", lambda files, out: ["stale: abs.py", "extra: old.py"])
    status, code = finding(run, "generated code")
    assert (status, code["state"], code["value"], code["advice"]) == (
        1,
        "broken",
        "2 stale files",
        "typegrad codegen",
    )


def test_a_registry_with_errors(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "bad.yaml").write_text("Abs: {}\n")
    monkeypatch.setattr(bundled, "registry", lambda: tmp_path / "ops")
    status, code = finding(run, "generated code")
    assert status == 1 and code["value"].startswith("the registry has ")


def test_an_installed_package_has_no_code_to_compare(run: Run) -> None:
    assert "generated code" not in {each["name"] for each in run("doctor", "--json").json["findings"]}


def test_a_machine_on_which_nothing_computes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ImportError("libopenblas.so: cannot open shared object file")

    monkeypatch.setattr(tg.Session, "run", broken)
    status, result = finding(run, "building, differentiating, running")
    assert (status, result["state"]) == (1, "broken")
    assert result["value"] == "ImportError: libopenblas.so: cannot open shared object file"
    assert result["advice"].endswith("pip install --force-reinstall typegrad")


def test_a_machine_that_computes_something_else(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tg.Session, "run", lambda *_: np.float32(7.0))
    status, result = finding(run, "building, differentiating, running")
    assert (status, result["value"]) == (1, "ArithmeticError: the derivative of x² at 3 is 6, not 7.0")


@pytest.fixture
def first_choice() -> Iterator[None]:
    """The choice of threads as in a new process."""
    threads.chosen.cache_clear()
    yield
    threads.chosen.cache_clear()


@pytest.mark.usefixtures("first_choice")
def test_the_number_of_threads_and_its_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    assert finding(run, "BLAS threads")[1]["value"] == f"{threads.count()}: OPENBLAS_NUM_THREADS=3"


@pytest.mark.usefixtures("first_choice")
def test_threads_without_threadpoolctl(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_controller", lambda: None)
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    status, result = finding(run, "BLAS threads")
    assert (status, result["state"], result["advice"]) == (0, "missing", "pip install 'typegrad[threads]'")
    assert result["value"] == "one for each core, as threadpoolctl is not installed"
