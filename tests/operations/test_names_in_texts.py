"""Texts name an operation by its class, as programs do: `Conv2d`, not `Conv2D`. Differences may name TensorFlow's."""

from __future__ import annotations

import re
from collections.abc import Iterator

from support.entries import entries
from typegrad_codegen.schema import Entry


def _texts(op: Entry) -> Iterator[str]:
    yield from (op.summary, op.description, *op.gradient_words.values())
    for documented in (op.inputs, op.attrs, op.outputs, op.examples):
        yield from (each.doc for each in documented)


def test_operations_are_named_by_their_classes() -> None:
    classes = {name: op.class_name for name, op in entries().items()}
    unknown = {
        (op.name, named, classes[named])
        for op in entries().values()
        for text in _texts(op)
        for named in re.findall(r"`(?:\w+\.)?(\w+)`", text)
        if named in classes and named not in classes.values()
    }
    assert not unknown
