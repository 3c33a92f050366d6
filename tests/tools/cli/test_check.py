"""`typegrad check`: mypy with the plugin, and with the project's settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import util
from pathlib import Path
from typing import Final

import pytest

from support import mypy_cache
from support.commands import Run
from typegrad.tools.cli import features
from typegrad.tools.cli.mypy_settings import PLUGIN, find_settings, read_settings
from typegrad.tools.cli.output import CommandError

ALWAYS: Final = {"check_untyped_defs": "True", **dict.fromkeys(mypy_cache.REDEFINITION, "True")}
"""What is set unless the file says otherwise."""
PROGRAM: Final = """\
import typegrad as tg
from typegrad.op import core, linalg

scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))
w = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 1))
y = linalg.MatMul.create(scope, x, w)


def loss(prediction):
    return prediction
"""
REBOUND: Final = """\
import typegrad as tg
from typegrad.op import core, math

scope = tg.Scope(tg.Graph())


def pooled(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TInt64]:
    x = core.Reshape.create(scope, x, (-1, 4))
    x = math.ArgMax.create(scope, x, 1)
    return x


x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 8))
pooled(x)
x = core.Placeholder.create(scope, tg.TInt32, shape=(3,))
"""
SHAPE: Final = "program.py:7: error: MatMul: inner dimensions differ: a is [?, 2], b is [3, 1]  [typegrad-shape]"
STRICT: Final = "program.py:10: error: Function is missing a type annotation  [no-untyped-def]"


@pytest.fixture(scope="module")
def caches(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """mypy's caches, by whether it is strict: with other settings, mypy would check NumPy and typegrad again."""
    folder = tmp_path_factory.mktemp("caches")
    return {False: folder / "plain", True: mypy_cache.copy(folder / "strict", plugin=True, redefined=True)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def check(project: Path, caches: dict[bool, Path], *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MYPY_CACHE_DIR": str(caches["--strict" in arguments])}
    command = [sys.executable, "-m", "typegrad", "check", *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("options", "expected"), [((), [SHAPE]), (("--strict",), [SHAPE, STRICT])])
def test_a_program_is_checked_with_the_plugin_and_strictly_if_that_is_asked_for(
    project: Path, caches: dict[bool, Path], options: tuple[str, ...], expected: list[str]
) -> None:
    done = check(project, caches, "program.py", *options, "--", "--no-error-summary")
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (1, expected, "")


def test_a_name_may_hold_operands_of_several_types(project: Path, caches: dict[bool, Path]) -> None:
    (project / "program.py").write_text(REBOUND)
    done = check(project, caches, "program.py")
    assert done.returncode == 0, done.stdout


def test_the_project_s_settings_stay(project: Path, caches: dict[bool, Path]) -> None:
    overrides = '[[tool.mypy.overrides]]\nmodule = "program"\ndisallow_untyped_defs = true\n'
    text = f'[tool.mypy]\nfiles = ["program.py"]\n{overrides}'
    (project / "pyproject.toml").write_text(text)
    done = check(project, caches, "--json")
    messages = [(message["line"], message["code"]) for message in map(json.loads, done.stdout.splitlines())]
    assert (done.returncode, messages) == (1, [(7, "typegrad-shape"), (10, "no-untyped-def")])
    assert (project / "pyproject.toml").read_text() == text


def test_the_project_s_settings_hold_where_strictness_is_asked_for(project: Path, caches: dict[bool, Path]) -> None:
    (project / "setup.cfg").write_text("[mypy]\n[mypy-program]\ndisallow_untyped_defs = false\n")
    done = check(project, caches, "--strict", "program.py", "--", "--no-error-summary")
    assert done.stdout.splitlines() == [SHAPE]


def test_a_file_of_settings_may_be_given(project: Path, caches: dict[bool, Path]) -> None:
    (project / "other.ini").write_text("[mypy-program]\ndisable_error_code = typegrad-shape, no-untyped-def\n")
    assert check(project, caches, "program.py", "--", "--config-file=other.ini").returncode == 0
    done = check(project, caches, "program.py", "--", "--config-file", "nowhere.ini")
    assert (done.returncode, done.stderr) == (2, "typegrad: there is no file nowhere.ini\n")


def test_without_messages_there_is_no_line_of_json(project: Path, caches: dict[bool, Path]) -> None:
    (project / "program.py").write_text(REBOUND)
    done = check(project, caches, "program.py", "--json")
    assert (done.returncode, done.stdout) == (0, "")


def test_what_cannot_be_checked(project: Path, caches: dict[bool, Path]) -> None:
    done, annotated = (check(project, caches, *options, "nowhere.py") for options in ((), ("--annotate",)))
    assert (done.returncode, annotated.returncode) == (2, 2)
    assert done.stderr.splitlines()[0] == annotated.stderr.splitlines()[0]


@pytest.mark.parametrize("options", [(), ("--annotate",), ("--coverage",), ("--", "--strict")])
@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("model.txt", "x = 1\n", "model.txt is not checked: names of Python's files end in .py, not .txt"),
        ("data.bin", "\xff\n", "data.bin is not checked: names of Python's files end in .py, not .bin"),
    ],
)
def test_other_files_are_not_checked(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, why: str, options: tuple[str, ...]
) -> None:
    monkeypatch.chdir(project)
    (project / name).write_text(text, encoding="latin-1")
    done = run("check", "program.py", name, *options)
    assert (done.status, done.out, done.err) == (2, "", f"typegrad: {why}\n")


@pytest.mark.parametrize(
    ("name", "text"), [("script", "x = 1\n"), ("tool.cgi", "#!/usr/bin/env python3\nx = 1\n"), ("stub.pyi", "x: int\n")]
)
def test_scripts_and_stubs_are_checked(project: Path, caches: dict[bool, Path], name: str, text: str) -> None:
    (project / name).write_text(text)
    done = check(project, caches, name, "--", "--junit-xml", "out.xml")
    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n")


SUMMARY: Final = ("--", "--no-error-summary")


@pytest.mark.parametrize("files", [("a", "b"), ("a/train.py", "b/train.py"), (".",), ("b", "package", "a")])
def test_modules_of_one_name_are_of_several_programs(
    project: Path, caches: dict[bool, Path], files: tuple[str, ...]
) -> None:
    (project / "program.py").unlink()
    for folder, size in (("a", 3), ("b", 2), ("package/one", 3), ("package/other", 3)):
        (project / folder).mkdir(parents=True)
        dot = "." if "/" in folder else ""
        (project / folder / "train.py").write_text(
            f"from {dot}data import SIZE\n{PROGRAM.replace('(None, 2', '(None, SIZE')}"
        )
        (project / folder / "data.py").write_text(f"SIZE = {size}\n")
        if dot:
            (project / folder / "__init__.py").touch()
            (project / "package" / "__init__.py").touch()
    done = check(project, caches, *files, *SUMMARY)
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (
        1,
        [SHAPE.replace("program.py:7", "b/train.py:8")],
        "",
    )


def test_modules_of_one_name_that_settings_take(project: Path, caches: dict[bool, Path]) -> None:
    for folder in ("a", "b"):
        (project / folder).mkdir()
        (project / folder / "train.py").write_text(f"from {folder} import train\nreveal_type(train.SIZE)\nSIZE = 3\n")
    (project / "mypy.ini").write_text("[mypy]\nexplicit_package_bases = true\n")
    done = check(project, caches, "a", "b")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Success: no issues found in 2 source files")


def test_without_files(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    done = run("check")
    assert done.status == 2 and "name a file or a folder: typegrad check model.py" in done.err


def test_without_mypy(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "find_spec", lambda name: None if name == "mypy" else util.find_spec(name))
    done = run("check", "program.py")
    assert (done.status, done.out, done.err) == (1, "", "typegrad: typegrad check needs mypy: run pip install mypy\n")


# Finding the settings


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with no settings in it."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return folder


def test_the_first_of_mypy_s_files_is_taken(project: Path) -> None:
    assert find_settings(project) is None
    for name, text in (
        ("setup.cfg", "[mypy]\n"),
        ("pyproject.toml", "[tool.mypy]\n"),
        (".mypy.ini", ""),
        ("mypy.ini", ""),
    ):
        (project / name).write_text(text)
        assert find_settings(project) == project / name


def test_shared_files_without_a_section_are_passed_over(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.ruff]\nline-length = 120\n")
    (project / "setup.cfg").write_text("[flake8]\n")
    assert find_settings(project) is None


def test_folders_above_up_to_the_repository_s(project: Path) -> None:
    inner = project / "a" / "b"
    inner.mkdir(parents=True)
    (project / "mypy.ini").write_text("[mypy]\n")
    assert find_settings(inner) == project / "mypy.ini"
    (inner / ".git").mkdir()
    assert find_settings(inner) is None


def test_the_user_s_own_files_come_last(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".mypy.ini").write_text("[mypy]\n")
    assert find_settings(project) == home / ".mypy.ini"
    (home / ".config" / "mypy").mkdir(parents=True)
    (home / ".config" / "mypy" / "config").write_text("[mypy]\n")
    assert find_settings(project) == home / ".config" / "mypy" / "config"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    (home / "xdg" / "mypy").mkdir(parents=True)
    (home / "xdg" / "mypy" / "config").write_text("[mypy]\n")
    assert find_settings(project) == home / "xdg" / "mypy" / "config"


# Merging


def settings(file: Path | None, *, strict: bool = True) -> dict[str, dict[str, str]]:
    result = read_settings(file, strict=strict)
    return {name: dict(result[name]) for name in result.sections()}


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def test_without_a_file() -> None:
    always = {"plugins": PLUGIN, **ALWAYS}
    assert settings(None, strict=False) == {"mypy": always}
    assert settings(None) == {"mypy": {**always, "strict": "True", "cache_dir": ".mypy_cache/strict"}}


def test_strict_checks_have_a_cache_of_their_own(tmp_path: Path) -> None:
    file = written(tmp_path, "mypy.ini", "[mypy]\ncache_dir = kept\n")
    assert [settings(file, strict=each)["mypy"]["cache_dir"] for each in (False, True)] == ["kept", "kept/strict"]
    file = written(tmp_path, "mypy.ini", "[mypy]\nstrict = true\n")
    assert settings(file) == settings(file, strict=False)


@pytest.mark.parametrize("option", ["allow_redefinition", "allow_redefinition_new", "allow_redefinition_old"])
def test_names_hold_several_types_unless_the_file_says_otherwise(tmp_path: Path, option: str) -> None:
    file = written(tmp_path, "mypy.ini", f"[mypy]\n{option} = false\n")
    stated = {key: value for key, value in settings(file)["mypy"].items() if "redefinition" in key}
    assert stated == {option: "false"}


def test_functions_without_annotations_are_checked_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    file = written(tmp_path, "mypy.ini", "[mypy]\ncheck_untyped_defs = false\n")
    assert settings(file)["mypy"]["check_untyped_defs"] == "false"


def test_an_ini_file(tmp_path: Path) -> None:
    lines = [
        "[mypy]",
        "strict = false",
        "plugins = pydantic.mypy,",
        "    local.py:entry",
        "mypy_path = $MYPY_CONFIG_FILE_DIR/src:${MYPY_CONFIG_FILE_DIR}/more",
        "[mypy-a.*,b]",
        "ignore_missing_imports = True",
        "[other]",
        "x = 1",
    ]
    file = written(tmp_path, "mypy.ini", "\n".join(lines))
    assert settings(file) == {
        "mypy": {
            "strict": "false",
            "plugins": f"pydantic.mypy, {tmp_path}/local.py:entry, {PLUGIN}",
            "mypy_path": f"{tmp_path}/src:{tmp_path}/more",
            **ALWAYS,
        },
        "mypy-a.*,b": {"ignore_missing_imports": "True"},
    }


@pytest.mark.parametrize("plugin", [PLUGIN, f"{PLUGIN}:plugin"])
def test_a_plugin_that_is_there_is_not_added_again(tmp_path: Path, plugin: str) -> None:
    file = written(tmp_path, "setup.cfg", f"[mypy]\nplugins = {plugin}\n")
    assert settings(file)["mypy"]["plugins"] == plugin


def test_a_toml_file(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        "pyproject.toml",
        """
[tool.mypy]
python_version = "3.12"
plugins = ["numpy.typing.mypy_plugin"]
exclude = ["^a/", "^b,c/"]
warn_unreachable = true
enable_error_code = ["redundant-expr", "truthy-bool"]

[[tool.mypy.overrides]]
module = ["a.*", "b"]
disallow_untyped_defs = false

[[tool.mypy.overrides]]
module = "b"
ignore_errors = true
""",
    )
    assert settings(file, strict=False) == {
        "mypy": {
            "python_version": "3.12",
            "plugins": f"numpy.typing.mypy_plugin, {PLUGIN}",
            "exclude": "(?:^a/)|(?:^b,c/)",
            "warn_unreachable": "True",
            "enable_error_code": "redundant-expr, truthy-bool",
            **ALWAYS,
        },
        "mypy-a.*": {"disallow_untyped_defs": "False"},
        "mypy-b": {"disallow_untyped_defs": "False", "ignore_errors": "True"},
    }


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", "[tool.mypy\n"), ("mypy.ini", "strict = true\n")])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str, text: str) -> None:
    file = written(tmp_path, name, text)
    with pytest.raises(CommandError, match=name):
        read_settings(file, strict=True)
