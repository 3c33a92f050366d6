"""Texts, values and file names of a registry never become code, whatever they are."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import VALID, errors
from typegrad_codegen.cli import main
from typegrad_codegen.docs import docstring
from typegrad_codegen.load import load
from typegrad_codegen.module import Names
from typegrad_codegen.render import render

TEXTS: Final = (
    '"""', '""""""', "'''", '""" + boom() + """', '"', '""', "\\", '\\"', '\\"""', '\\\\"""', '" "" "', "\\N{DASH} \\x",
    "{boom()} %s", "«Operand»", "«T:x»", "»«", "««", "«", "« Bonjour »", "# coding: utf-7", '"""\n\nboom()\n\n"""',
    "a\n    '''b", '-"""\n-\\"""',
)  # fmt: skip


def generated(folder: Path, text: str) -> dict[str, str]:
    (folder / "ops").mkdir()
    (folder / "ops" / "demo.yaml").write_text(text, encoding="utf-8")
    return render(load(folder / "ops", package="lib.op"), "lib.op")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("depth", [0, 2])
def test_a_docstring_holds_any_text(text: str, depth: int) -> None:
    long = f"Says {text}\n\n{text} {'word ' * 40}{text}"
    for whole in (text, f"Says {text}", f"{text} it says.", f"Says.\n\n{text}", long):
        (statement,) = ast.parse(Names({})(docstring(whole, depth))).body
        assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        assert str(statement.value.value).split() == whole.replace('"""', "'''").split()


@pytest.mark.parametrize("text", TEXTS)
def test_texts_of_a_registry_stay_texts(library: Path, tmp_path: Path, text: str) -> None:
    quoted = json.dumps(text)
    entry = VALID.replace("doc: The first array.", f"doc: {quoted}").replace("Mix two arrays.", quoted)
    entry = entry.replace("default: linear, allowed: [linear, cubic]", f"default: {quoted}, allowed: [{quoted}]")
    files = generated(tmp_path, entry.replace("b: stop", f"b: {{none: {quoted}}}"))
    for name, source in files.items():
        calls = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
        assert "boom" not in {call.id for call in calls if isinstance(call, ast.Name)}, name
    values = [node.value for node in ast.walk(ast.parse(files["demo/blend.py"])) if isinstance(node, ast.Constant)]
    assert values.count(text) >= 2  # the default and what is allowed
    docs = [value.replace("'''", '"""') for value in values if isinstance(value, str)]
    assert sum(text.split()[-1].replace("'''", '"""') in value for value in docs) >= 4


@pytest.mark.parametrize("control", ["\\0", "\\x1b", "\\r", "\\x85", "\\u2028"])
def test_control_characters_are_no_text(library: Path, tmp_path: Path, control: str) -> None:
    (message,) = errors(tmp_path, demo=VALID.replace("Mix two arrays.", f'"Mix {control} arrays."'))
    assert (
        message.startswith("ops/demo.yaml:3: Blend.summary: found the control character '\\") and message.isprintable()
    )


# Values


@pytest.mark.parametrize(
    ("default", "expected"),
    [(".inf", 'float("inf")'), ("-.inf", 'float("-inf")'), (".nan", 'float("nan")'), ("1e-3", "0.001")],
)
def test_defaults_that_python_writes_otherwise(library: Path, tmp_path: Path, default: str, expected: str) -> None:
    text = VALID.replace("T: [floating, int32]", "T: [floating]")
    text = text.replace("b: {type: T,", f"b: {{type: T, default: {default},")
    text = text.replace("type: int, default: 1, minimum: 0", f"type: float, default: {default}")
    blend = generated(tmp_path, text)["demo/blend.py"]
    assert f'"b", "T", default={expected})' in blend and f"order: float = {expected}" in blend
    assert not {"inf", "nan"} & {node.id for node in ast.walk(ast.parse(blend)) if isinstance(node, ast.Name)}


@pytest.mark.parametrize("default", [".nan", "0.5"])
def test_an_integer_that_may_be_left_out_is_an_integer(library: Path, tmp_path: Path, default: str) -> None:
    (message,) = errors(tmp_path, demo=VALID.replace("b: {type: T,", f"b: {{type: T, default: {default},"))
    value = float(default.lstrip(".") if default == ".nan" else default)
    reason = f"default {value!r} is not an integer, but the type may be"
    assert message == f"ops/demo.yaml:8: Blend.inputs.b: {reason}; expected an integer"


# Names of files


@pytest.mark.skipif(sys.platform == "win32", reason="no such names")
@pytest.mark.parametrize(
    "name", ["a\nboom()\n#", "a\rboom()", "coding=utf-7", "coding:utf-7", "a\fb", "a\u2028boom()", "a\udcffb", "größe"]
)
def test_the_name_of_a_file_stays_in_its_comment(library: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    entry = VALID.replace("  shape:", "  kernel: demo:blend\n  gradient_function: demo:blend\n  shape:")
    (tmp_path / name / f"{name}.yaml").write_text(entry)
    out = tmp_path / "lib" / "op"
    assert main(["--registry", str(tmp_path / name), "--out", str(out), "--package", "lib.op"]) == 0
    for file in out.rglob("*.py"):
        first, second, *_ = file.read_bytes().splitlines()
        assert first.startswith(b"# Generated by `typegrad codegen` from ") and first.endswith(b" Do not edit.")
        assert b"coding=" not in first and b"coding:" not in first and second.startswith((b'"""', b"# mypy")), file
        ast.parse(file.read_bytes())


@pytest.mark.skipif(sys.platform == "win32", reason="no such names")
def test_the_name_of_a_file_stays_on_the_line_of_its_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a\x1b[2J\n.yaml").write_text("- x")
    assert main(["--registry", str(tmp_path), "--out", str(tmp_path / "lib" / "op"), "--package", "lib.op"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first == rf"{tmp_path.name}/a\x1b[2J\n.yaml:1: expected a mapping of operations"
    assert second == "1 error; nothing was written"
