"""`typegrad codegen`, `typegrad demo` and `typegrad docs`: the arguments they pass on, and messages for missing
libraries.
"""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import Any

import pytest

from support.commands import Run
from typegrad.tools.cli import features

ROOT = Path(__file__).parents[3]


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    monkeypatch.setattr(features, "find_spec", lambda name: None if name in modules else util.find_spec(name))


# codegen


def test_the_generated_code_is_up_to_date(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = run("codegen", "--check")
    assert (done.status, done.out + done.err) == (0, "")


def test_codegen_has_options_of_its_own(run: Run) -> None:
    done = run("codegen", "--help")
    assert done.status == 0 and all(option in done.out for option in ("--registry", "--out", "--package", "--check"))


def test_codegen_in_a_folder_that_is_no_checkout(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "geometry.yaml").write_text("Hypot: {}\n")
    for arguments in ((), ("--check",)):
        done = run("codegen", *arguments)
        assert (done.status, done.out) == (2, "")
        assert done.err.splitlines()[-1] == (
            "typegrad codegen: error: this folder is not a checkout of typegrad; for operations of your own, say "
            "where all is: typegrad codegen --registry DIR --out acme/op --package acme.op"
        )
    assert [path.name for path in tmp_path.iterdir()] == ["ops"]


@pytest.mark.parametrize(
    "options", [("--registry", "ops"), ("--out", "there"), ("--registry", "ops", "--out", "there")]
)
def test_codegen_asks_for_all_or_nothing(run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]) -> None:
    monkeypatch.chdir(ROOT)
    done = run("codegen", *options)
    assert done.status == 2 and "--registry, --out and --package go together" in done.err


@pytest.mark.parametrize("out", [".", "acme", "op", "acme/op/demo", "macme/op"])
def test_codegen_writes_only_where_the_package_is_imported_from(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("codegen", "--registry", "registry", "--out", out, "--package", "acme.op")
    assert done.status == 2
    assert done.err.splitlines()[-1] == (
        f"typegrad codegen: error: --out {out} is not where acme.op is imported from; expected a folder that ends "
        "in acme/op"
    )
    assert not list(tmp_path.iterdir())


# demo


def test_the_demo_without_its_libraries(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "sklearn", "tqdm")
    done = run("demo")
    message = "typegrad: typegrad demo needs scikit-learn, tqdm: run pip install 'typegrad[demo]'\n"
    assert (done.status, done.out, done.err) == (1, "", message)


def test_a_folder_that_cannot_be_made(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    file = tmp_path / "file"
    file.write_text("")
    done = run("demo", "--output", str(file))
    assert done.status == 1 and done.err.startswith("typegrad: [Errno 17] File exists")


# docs


@pytest.mark.parametrize("command", ["build", "serve"])
def test_the_site_without_its_libraries(run: Run, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    without(monkeypatch, "jinja2", "latex2mathml")
    done = run("docs", command)
    message = "typegrad: typegrad docs needs jinja2, latex2mathml: run pip install 'typegrad[docs]'\n"
    assert (done.status, done.out, done.err) == (1, "", message)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is asked of the site's generator and server, which do nothing here."""
    from typegrad_reference.site import build as site
    from typegrad_reference.site import serve

    results: list[Any] = []

    def build(output: Path, own: object) -> str:
        assert own is None
        results.append(("build", output))
        return f"3 pages in {output}"

    monkeypatch.setattr(site, "build", build)
    monkeypatch.setattr(serve, "serve", lambda folder, port: results.append(("serve", folder, port)))
    return results


def test_building_the_site(run: Run, calls: list[Any]) -> None:
    done = run("docs", "build", "--output", "there")
    assert (done.status, done.out, calls) == (0, "3 pages in there\n", [("build", Path("there"))])


def test_serving_the_site(run: Run, calls: list[Any]) -> None:
    assert run("docs", "serve", "--port", "0").status == 0
    assert calls == [("build", Path("site")), ("serve", Path("site"), 0)]
    calls.clear()
    assert run("docs", "serve", "--no-build", "-o", "there").status == 0
    assert calls == [("serve", Path("there"), 8000)]


def test_a_port_that_does_not_exist(run: Run, calls: list[Any]) -> None:
    done = run("docs", "serve", "--port", "65536")
    assert (done.status, calls) == (2, []) and "expected between 0 and 65535, got 65536" in done.err


def test_a_site_that_is_not_there(run: Run, tmp_path: Path) -> None:
    done = run("docs", "serve", "--no-build", "--output", str(tmp_path))
    assert done.status == 1 and done.err.startswith(f"typegrad: there is no site in {tmp_path}: build one with")


def test_a_site_that_is_wrong(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from typegrad_reference.site import build as site

    def build(output: Path, own: object) -> str:
        raise site.SiteError(["index.html: the link 'nowhere.html' leads nowhere"])

    monkeypatch.setattr(site, "build", build)
    done = run("docs", "build")
    assert done.status == 1
    assert done.err == "typegrad: index.html: the link 'nowhere.html' leads nowhere\n1 problem; no site was written\n"
