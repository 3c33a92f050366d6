"""YAML made to harm: an error with file and line, and never an endless run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import VALID, errors
from typegrad_codegen.load import load
from typegrad_codegen.problems import RegistryError

LAUGHS: Final = "a: &a [x]\n" + "".join(
    f"{c}: &{c} [{', '.join([f'*{b}'] * 9)}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True)
)
STAIRS: Final = "k0: &k0 [x]\n" + "".join(f"k{i}: &k{i} [*k{i - 1}]\n" for i in range(1, 200))
DEEP: Final = "lists and mappings are nested more than 100 deep"
HEAD: Final = "One: {}\n"
TAG: Final = "with the tag 'tag:yaml.org,2002:"

# (the file, the error)
CASES: Final[dict[str, tuple[str, str]]] = {
    "a billion laughs": (LAUGHS, "5: not valid YAML: aliases repeat more than 10000 values"),
    "stairs of aliases": (STAIRS, f"100: not valid YAML: {DEEP}"),
    "a cycle": (
        HEAD + "a: &x [*x]",
        "2: not valid YAML: the alias 'x' has no anchor before it, or is inside its own value",
    ),
    "an unknown alias": (HEAD + "a: *x", "2: not valid YAML: the alias 'x' has no anchor before it"),
    "nested lists": (HEAD + "a: " + "[" * 20_000, f"2: not valid YAML: {DEEP}"),
    "nested mappings": (HEAD + "a: " + "{a: " * 20_000, f"2: not valid YAML: {DEEP}"),
    "nested blocks": (HEAD + "a:\n" + "- " * 20_000, f"3: not valid YAML: {DEEP}"),
    "two documents": (HEAD + "---\na: b", "2: not valid YAML: a second document; expected one"),
    "no bool": (HEAD + "a: !!bool x", "2: not valid YAML: 'x' is not of type bool"),
    "no integer": (HEAD + "a: !!int ''", "2: not valid YAML: '' is not of type int"),
    "no number": (HEAD + "a: !!float x", "2: not valid YAML: 'x' is not of type float"),
    "a long integer": (HEAD + "a: " + "9" * 5000, "2: not valid YAML: '999999999999999999999999"),
    "a long hexadecimal integer": (HEAD + "a: 0x" + "f" * 5000, "2: not valid YAML: '0xfffffffff"),
    "a large integer": (HEAD + "a: 18446744073709551616", "2: 18446744073709551616 is not a 64-bit integer"),
    "a date": (HEAD + "a: 2001-01-01", f"2: found '2001-01-01' {TAG}timestamp'; write text in quotes"),
    "no date": (HEAD + "a: !!timestamp x", f"2: found 'x' {TAG}timestamp'; write text in quotes"),
    "bytes": (HEAD + "a: !!binary aGk=", f"2: found 'aGk=' {TAG}binary'; write text in quotes"),
    "a merge": (HEAD + "<<: {a: b}", f"2: found '<<' {TAG}merge'; write text in quotes"),
    "a set": (HEAD + "a: !!set {b}", "2: found the tag 'tag:yaml.org,2002:set'; expected none"),
    "a call": (
        HEAD + "a: !!python/object/apply:os.abort []",
        "2: found the tag 'tag:yaml.org,2002:python/object/apply",
    ),
    "a name": (HEAD + "a: !!python/name:os b", f"2: found 'b' {TAG}python/name:os'; write text in quotes"),
    "a list as a key": (HEAD + "? [a]\n: b", "2: a list or a mapping is a key; expected a name"),
    "half a surrogate pair": (HEAD + 'a: "\\ud800"', "2: not valid YAML: found invalid Unicode character escape code"),
    "a control character": (
        HEAD + "a: \x01",
        "2: not valid YAML: unacceptable character #x0001: special characters are",
    ),
    "a long unknown key": (HEAD + f"A: {{{'x' * 1000}: 1}}", "2: A: unknown key 'xxxxxxxxxxxx"),
    "an unknown key that acts on a terminal": (HEAD + 'A: {b: {"\\e[2J": 1}}', "2: A: unknown key 'b'"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_no_plain_data_is_refused(library: Path, tmp_path: Path, name: str) -> None:
    text, expected = CASES[name]
    messages = errors(tmp_path, demo=text)
    assert any(line.startswith(f"ops/demo.yaml:{expected}") for line in messages), messages[:3]
    assert all(len(line) < 1000 and line.isprintable() for line in messages)


@pytest.mark.parametrize("value", [-(2**63), 2**64 - 1])
def test_the_integers_of_64_bits_are_plain_data(library: Path, tmp_path: Path, value: int) -> None:
    text = VALID.replace("default: 1, minimum: 0", f"default: {value}")
    assert errors(tmp_path, demo=text) == []


def test_a_tag_that_says_nothing_is_plain_data(library: Path, tmp_path: Path) -> None:
    assert errors(tmp_path, demo=VALID.replace("  inputs:\n", "  inputs: !\n")) == []


def test_half_a_surrogate_pair_is_refused_without_libyaml(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = sys.modules["typegrad_codegen.tree"]
    monkeypatch.setattr(tree, "_FastLoader", vars(tree)["_Loader"])
    expected = "ops/demo.yaml:2: '\\ud800' has half a surrogate pair, which is no character"
    assert expected in errors(tmp_path, demo=f'{HEAD}a: "\\ud800"')


def test_aliases_repeat_what_they_stand_for(library: Path, tmp_path: Path) -> None:
    text = VALID.replace("a: {type: T, doc: The first array.}", "a: &array {type: T, doc: The first array.}")
    assert errors(tmp_path, demo=text.replace("b: {type: T, doc: The second array.}", "b: *array")) == []


def test_an_anchor_may_be_set_again(library: Path, tmp_path: Path) -> None:
    text = VALID.replace("Mix two arrays.", "&text Mix two arrays.").replace(
        "doc: The first array.", "doc: &text First."
    )
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "demo.yaml").write_text(text.replace("doc: The second array.", "doc: *text"))
    (blend,) = load(tmp_path / "ops", package="lib.op").operations
    assert (blend.summary, [each.doc for each in blend.inputs]) == ("Mix two arrays.", ["First.", "First."])


def failure(folder: Path) -> str:
    with pytest.raises(RegistryError) as caught:
        load(folder, package="lib.op")
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"Blend: {}\n# gr\xfc\xdfe\n", "ops/demo.yaml:2: byte 0xfc is not valid UTF-8; save the file as UTF-8"),
        ("Blend: {}\n".encode("utf-16"), "ops/demo.yaml:1: byte 0xff is not valid UTF-8; save the file as UTF-8"),
    ],
)
def test_a_file_that_is_not_utf8(tmp_path: Path, content: bytes, expected: str) -> None:
    folder = tmp_path / "ops"
    folder.mkdir()
    (folder / "demo.yaml").write_bytes(content)
    assert failure(folder) == expected


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "ops" / "demo.yaml").mkdir(parents=True)
    assert failure(tmp_path / "ops").startswith("ops/demo.yaml: cannot be read: ")


def test_sets_of_types_are_a_mapping(tmp_path: Path) -> None:
    assert errors(tmp_path, types="- small")[0] == "ops/types.yaml:1: expected a mapping of names to types"
