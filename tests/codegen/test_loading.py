"""A registry as a whole: all mistakes at once, operations that clash, YAML itself, sets of types, the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from support.entries import OPS, entries
from support.valid_entry import VALID, errors
from typegrad_codegen.cli import main
from typegrad_codegen.load import load, parsed, with_functions
from typegrad_codegen.problems import RegistryError


def test_a_valid_entry(library: Path, tmp_path: Path) -> None:
    assert errors(tmp_path, demo=VALID) == []


def test_all_mistakes_are_reported_at_once_in_the_order_of_the_lines(library: Path, tmp_path: Path) -> None:
    text = (
        VALID.replace("doc: The first array.", "dok: The first array.")
        .replace("b: stop", "c: stop")
        .replace("order: {", "if: {")
    )
    lines = errors(
        tmp_path, demo=text, more=VALID.replace("Blend", "Other").replace("  summary: Mix two arrays.\n", "")
    )
    assert [line.split(": ")[0] for line in lines] == [
        "ops/demo.yaml:1",
        "ops/demo.yaml:7",
        "ops/demo.yaml:7",
        "ops/demo.yaml:11",
        "ops/demo.yaml:15",
        "ops/demo.yaml:15",
        "ops/more.yaml:1",
        "ops/more.yaml:1",
        "ops/more.yaml:1",
    ]


def test_an_operation_in_two_files(library: Path, tmp_path: Path) -> None:
    lines = errors(tmp_path, a=VALID, demo=VALID, kinds="{}\n")
    assert [line for line in lines if line.startswith("ops/demo")] == [
        "ops/demo.yaml:1: Blend: duplicate operation; the first is in ops/a.yaml:1"
    ]


def test_two_operations_with_one_class(library: Path, tmp_path: Path) -> None:
    entry = VALID.replace("Blend:", "BlendV2:\n  class: Blend\n  kernel: blend\n  gradient_function: blend")
    assert errors(tmp_path, demo=f"{VALID}\n{entry}") == [
        (
            "ops/demo.yaml:20: BlendV2: class 'Blend' clashes with the class of Blend in ops/demo.yaml:1; "
            "expected another `class`"
        )
    ]


def test_a_method_that_the_facade_has_already(library: Path, tmp_path: Path) -> None:
    text = VALID.replace("group: demo", "group: core").replace("Blend:", "Blend:\n  class: WithName")
    assert errors(tmp_path, demo=text) == [
        (
            "ops/demo.yaml:1: Blend: the method 'with_name' clashes with what the facade has under that "
            "name; expected another `class`"
        )
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Blend: {a: b\n", "2: not valid YAML: expected ',' or '}', but got '<stream end>'"),
        ("group: \x00\n", "1: not valid YAML: unacceptable character #x0000: special characters are not allowed"),
        ("- group\n", "1: expected a mapping of operations"),
    ],
)
def test_what_is_not_yaml(text: str, expected: str, tmp_path: Path) -> None:
    assert errors(tmp_path, demo=text)[0].startswith(f"ops/demo.yaml:{expected}")


def test_numbers_without_a_point_are_numbers(library: Path, tmp_path: Path) -> None:
    """YAML 1.1 reads 1e-3 as text."""
    text = VALID.replace(
        "order: {type: int, default: 1, minimum: 0,", "order: {type: float, default: 1e-3, minimum: 0,"
    )
    assert errors(tmp_path, demo=text) == []


def test_sets_of_types(library: Path, tmp_path: Path) -> None:
    text = VALID.replace("[floating, int32]", "[small, tiny]")
    messages = errors(tmp_path, demo=text, types="small: [float16, bfloat16]\nsigned: [int8]\nsmaller: [quarter]\n")
    assert messages[0].startswith(
        "ops/demo.yaml:5: Blend.types.T: unknown type 'tiny'; expected one of bfloat16, float16, float32, "
    )
    assert messages[1:-1] == [
        "ops/types.yaml:2: signed: the marker class of this name contains other types; expected another name"
    ]
    assert messages[-1].startswith("ops/types.yaml:3: smaller: unknown type 'quarter'; expected one of ")


def test_the_command_line(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demo.yaml").write_text(VALID.replace("type: T", "typ: T", 1))
    arguments = ["--registry", str(tmp_path), "--out", str(tmp_path / "lib" / "op"), "--package", "lib.op"]
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert "demo.yaml:7: Blend.inputs.a: unknown key 'typ'" in error
    assert "2 errors; nothing was written" in error
    assert not (tmp_path / "lib" / "op").exists()
    assert main(["--registry", str(tmp_path / "nowhere"), *arguments[2:]]) == 1
    assert "no registry here; expected a folder of .yaml files" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*arguments[:4], "--package", "lib.None"])
    assert "--package is the name of a package, such as acme.op, not 'lib.None'" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demo.yaml").write_text(VALID)
    (tmp_path / "lib").mkdir(exist_ok=True)
    (tmp_path / "lib" / "op").touch()
    assert main(["--registry", str(tmp_path), "--out", str(tmp_path / "lib" / "op"), "--package", "lib.op"]) == 1
    assert capsys.readouterr().err.startswith(f"cannot write {tmp_path / 'lib' / 'op'}")


def test_a_misspelt_neighbour_gets_a_suggestion(library: Path, tmp_path: Path) -> None:
    entry = VALID.replace("Blend:", "Mix:\n  kernel: blend\n  gradient_function: blend")
    lines = errors(tmp_path, demo=f"{VALID}\n{entry}  see_also: Blnd\n")
    assert lines == [
        "ops/demo.yaml:40: Mix.see_also: found 'Blnd'; expected the name of another operation, such as 'Blend'"
    ]


def test_what_is_parsed_alone_is_what_is_checked() -> None:
    assert list(map(repr, entries().values())) == list(map(repr, load(OPS).operations))


def test_mistakes_in_what_is_parsed_alone(tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text(VALID.replace("doc: The first array.", "dok: The first array."))
    with pytest.raises(RegistryError, match=r"demo\.yaml:\d+: Blend\.inputs.*dok"):
        parsed(tmp_path)
    with pytest.raises(RegistryError, match="no function 'lost' was found"):
        with_functions(evolve(entries()["Abs"], kernel="lost"))
