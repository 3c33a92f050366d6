"""The first results of typical searches."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest
import yaml

from record_names import LIST, listed
from support.entries import OPS
from typegrad_codegen.load import load
from typegrad_codegen.schema import Entry
from typegrad_reference.entries import subjects as module
from typegrad_reference.entries.search import Hit, Index, Kind
from typegrad_reference.entries.subjects import Missing, subjects
from typegrad_reference.entries.texts import Text

KNOWN: Final = (Kind.CLASS, Kind.OPERATION, Kind.ELSEWHERE, Kind.OTHER_MODULE)
"""The kinds of hits whose name is the one that was looked for."""

QUERIES: Final[dict[str, str | list[str]]] = yaml.safe_load(
    (Path(__file__).parents[2] / "reference" / "queries.yaml").read_text()
)


@cache
def operations() -> tuple[Entry, ...]:
    return load(OPS).operations


@cache
def index() -> Index:
    return Index(operations())


@cache
def everything() -> Index:
    known = subjects(operations())
    return Index(operations(), known.texts, known.missing)


def search(words: str, limit: int = 20) -> list[tuple[str, Kind]]:
    hits = index().search(words, limit)
    return [(hit.target.class_name, hit.kind) for hit in hits if isinstance(hit.target, Entry)]


def label(hit: Hit) -> str:
    """A hit as the queries name it."""
    match hit.target:
        case Entry() as op:
            return f"{op.group}.{op.class_name}"
        case Text(title=title, where=where):
            return f"{where}: {title}"
        case Missing():
            return f"not here: {hit.name}"


@pytest.mark.parametrize(("query", "expected"), QUERIES.items())
def test_the_first_hits(query: str, expected: str | list[str]) -> None:
    labels = [expected] if isinstance(expected, str) else expected
    assert [label(hit) for hit in everything().search(query, len(labels))] == labels


def test_the_kinds_in_their_order() -> None:
    by_class, *others = search("softmax")
    assert by_class == ("Softmax", Kind.CLASS)
    kinds = [kind for _, kind in others]
    assert kinds == sorted(kinds) and {Kind.PREFIX, Kind.PART} <= set(kinds)
    assert search("GatherV2")[0] == ("Gather", Kind.OPERATION)
    assert search("np.concatenate")[0] == ("Concat", Kind.ELSEWHERE)
    assert search("np.reduce_sum")[0] == ("Sum", Kind.OTHER_MODULE)
    assert search("multiply matrix")[0][1] is Kind.WORDS
    assert {kind for _, kind in search("klambauer")} == {Kind.TEXT}
    assert ("ExpandDims", Kind.INSIDE) in search("squeeze")


def test_misspelled_names_are_found_only_where_nothing_else_is() -> None:
    assert search("sofmtax")[0] == ("Softmax", Kind.SIMILAR)
    assert [kind for _, kind in search("tf.reduce_summ")[:2]] == [Kind.SIMILAR, Kind.TEXT], "a word in passing is none"
    for query in QUERIES:
        kinds = {hit.kind for hit in everything().search(query)}
        assert Kind.SIMILAR not in kinds or kinds <= {Kind.SIMILAR, Kind.TEXT}, query


@pytest.mark.parametrize("words", ["", "   ", ".", "the", "qqqq", "$#!"])
def test_words_that_say_nothing(words: str) -> None:
    assert all(kind in (Kind.PART, Kind.PREFIX, Kind.INSIDE) for _, kind in search(words))


def test_every_operation_is_found_by_its_names() -> None:
    for op in operations():
        for name in (
            op.class_name,
            op.module,
            f"{op.group}.{op.class_name}",
            op.java_class or op.class_name,
        ):
            assert index().exact(name) == [op]
        assert index().exact(f"tf.raw_ops.{op.name}") == [op]
        for name in op.known_as:
            named = index().exact(name)
            assert op in named or [each.class_name.lower() for each in named] == [
                name.rpartition(".")[2].replace("_", "")
            ], name


def test_a_name_with_several_meanings() -> None:
    assert {op.class_name for op in index().exact("tf.random.uniform")} == {"RandomUniform", "RandomUniformInt"}
    assert [op.class_name for op in index().exact("np.add")] == ["Add"]
    assert index().exact("softma") == []


def test_the_limit() -> None:
    assert len(search("a", 3)) == 3


# What is not here


def test_what_is_not_here_stands_before_what_comes_nearest() -> None:
    hits = everything().search("tf.raw_ops.QuantizedMatMul")
    assert [hit.kind for hit in hits[:2]] == [Kind.ABSENT, Kind.INSTEAD]
    assert isinstance(hits[0].target, Missing)
    assert hits[0].target.why == (
        "TensorFlow's operation QuantizedMatMul is not here, nor are others of its kind. They compute with quantized "
        "numbers."
    )
    assert label(hits[1]) == "linalg.MatMul"


def test_nothing_is_said_to_be_missing_that_is_here_by_any_name() -> None:
    names = {name for op in operations() for name in (op.class_name, op.name, *op.known_as)}
    assert not [name for name in sorted(names) if everything().search(name, 1)[0].kind is Kind.ABSENT]


def test_every_operation_of_tensorflow_is_found_or_said_to_be_missing() -> None:
    lost = []
    for line in LIST.read_text(encoding="utf-8").splitlines():
        name = line.partition(" ")[0]
        if everything().search(f"tf.raw_ops.{name}", 1)[0].kind not in (Kind.ABSENT, *KNOWN):
            lost.append(name)
    assert not lost


def test_the_list_of_operations_is_that_of_the_facts() -> None:
    assert LIST.read_text(encoding="utf-8") == listed(), "run python tests/record_names.py"


def test_an_operation_that_is_added_is_no_longer_missing() -> None:
    assert "Qr" not in {item.title for item in subjects(operations()).missing}
    without = tuple(op for op in operations() if op.name != "Sinh")
    (sinh,) = (item for item in subjects(without).missing if item.title == "Sinh")
    assert sinh.names == ("tf.raw_ops.Sinh", "org.tensorflow.op.math.Sinh")


# The guides


@pytest.mark.parametrize("guide", ["from-tensorflow-1", "from-jax"])
def test_the_names_in_a_dictionary_are_known(guide: str) -> None:
    """The left column of its table: each name is found as a name, or said to be missing."""
    text = (OPS.parent / "docs" / "guides" / f"{guide}.md").read_text(encoding="utf-8")
    left = re.findall(r"^\| (.*?) \|", text.partition("## A dictionary")[2].partition("\n## ")[0], re.MULTILINE)
    names = [name for cell in left for name in re.findall(r"`((?:tf|jax|jnp|np|optax)(?:\.\w+)+)", cell)]
    unknown = [name for name in names if everything().search(name, 1)[0].kind not in (Kind.ABSENT, *KNOWN)]
    assert not unknown


def test_a_place_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("typegrad.Gone", "typegrad.gone.Thing", "docs/guides/training.md#gone", "Gone"):
        written = {"known": {}, "missing": [{"names": ["x"], "why": "?", "instead": [place]}]}
        monkeypatch.setattr(module, "_written", lambda written=written: written)
        with pytest.raises(LookupError, match=f"subjects.yaml: {place} does not exist"):
            subjects(operations())
