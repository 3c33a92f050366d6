"""What a search finds first, for what people type."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest
import yaml

from support.entries import OPS
from typegrad_codegen.load import load
from typegrad_codegen.schema import OpSpec
from typegrad_reference.entries.search import Index, Kind

QUERIES: Final[dict[str, str]] = yaml.safe_load((Path(__file__).parents[1] / "reference" / "queries.yaml").read_text())


@cache
def operations() -> tuple[OpSpec, ...]:
    return load(OPS).operations


@cache
def index() -> Index:
    return Index(operations())


def found(words: str, limit: int = 20) -> list[tuple[str, Kind]]:
    return [(hit.operation.class_name, hit.kind) for hit in index().search(words, limit)]


@pytest.mark.parametrize(("query", "expected"), QUERIES.items())
def test_the_first_hit(query: str, expected: str) -> None:
    first = index().search(query, 1)[0].operation
    assert f"{first.group}.{first.class_name}" == expected


def test_the_kinds_in_their_order() -> None:
    by_class, *others = found("softmax")
    assert by_class == ("Softmax", Kind.CLASS)
    kinds = [kind for _, kind in others]
    assert kinds == sorted(kinds) and {Kind.PREFIX, Kind.PART} <= set(kinds)
    assert found("GatherV2")[0] == ("Gather", Kind.OPERATION)
    assert found("np.concatenate")[0] == ("Concat", Kind.ELSEWHERE)
    assert found("np.reduce_sum")[0] == ("Sum", Kind.OTHER_MODULE)
    assert found("multiply matrix")[0][1] is Kind.WORDS
    assert {kind for _, kind in found("klambauer")} == {Kind.TEXT}
    assert ("ExpandDims", Kind.INSIDE) in found("squeeze")


def test_misspelled_names_are_found_only_where_nothing_else_is() -> None:
    assert found("sofmtax")[0] == ("Softmax", Kind.SIMILAR)
    for query in QUERIES:
        assert len({kind is Kind.SIMILAR for _, kind in found(query)}) == 1, query


@pytest.mark.parametrize("words", ["", "   ", ".", "the", "qqqq", "$#!"])
def test_words_that_say_nothing(words: str) -> None:
    assert all(kind in (Kind.PART, Kind.PREFIX, Kind.INSIDE) for _, kind in found(words))


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
    assert len(found("a", 3)) == 3
