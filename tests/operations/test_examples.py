"""Every example of every entry gives the outputs and the gradients that the entry states."""

from __future__ import annotations

import pytest

from support.entries import entries
from support.registry import definition
from typegrad_checking.examples import differences

EXAMPLES = [(op.name, number) for op in entries().values() for number in range(len(op.examples))]


@pytest.mark.parametrize(("name", "number"), EXAMPLES, ids=[f"{name}-{number}" for name, number in EXAMPLES])
def test_example_gives_its_outputs(name: str, number: int) -> None:
    entry = entries()[name]
    example = entry.examples[number]
    problems = list(differences(entry, example, definition(name)))
    assert not problems, f"ops/{entry.stem}.yaml:{example.line}: " + "; ".join(problems)


def test_every_entry_has_an_example() -> None:
    assert not sorted(op.name for op in entries().values() if not op.examples)


def test_every_example_after_the_first_says_what_it_shows() -> None:
    assert not [f"{op.file}:{each.line}" for op in entries().values() for each in op.examples[1:] if not each.doc]
