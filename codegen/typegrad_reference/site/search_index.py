"""The index of the site's search field: a script that provides its data when the field is first used.

Everybody who searches loads it, so it contains nothing twice: `assets/search.js` derives what it can, and texts
contribute only the words that no name and no summary contains.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from typegrad_codegen.names import snake
from typegrad_codegen.schema import Entry
from typegrad_reference.entries.subjects import Missing
from typegrad_reference.entries.texts import Text
from typegrad_reference.guides.listed import address

__all__ = ["script"]


def script(operations: Sequence[Entry], texts: Sequence[Text], missing: Iterable[Missing]) -> str:
    """The index. A page may not read files, but it may load a script, also where the site is in a folder."""
    places = {address(op): number for number, op in enumerate(operations)}
    places |= {text.address: number for number, text in enumerate(texts, len(places))}
    data = {
        "operations": [_operation(op) for op in operations],
        "others": list(_others(texts)),
        "missing": [_missing(item, places) for item in missing],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f'"use strict";document.currentScript.dispatchEvent(new CustomEvent("index",{{detail:{text}}}));\n'


def _operation(op: Entry) -> list[object]:
    """If the class has the name of TensorFlow's operation, the name is shown once."""
    words = _unsaid(f"{op.description} {op.differences}", op.summary, (op.class_name, op.name, *op.known_as))
    raw = "" if op.name == op.class_name else op.name
    return _row(op.class_name, op.group, raw, op.summary, list(op.known_as), words)


def _others(texts: Iterable[Text]) -> Iterator[list[object]]:
    """Pages and modules, each with what is in it: the anchor of a class or a function is its name."""
    for (page, where, is_api), inside in groupby(texts, _place):
        rows = [
            _row(
                text.address.partition("#")[2],
                "" if is_api else text.title,
                text.summary,
                list(text.known),
                _unsaid(text.words, f"{text.summary} {where}", (text.title, *text.known)),
            )
            for text in inside
        ]
        yield [page, where, int(is_api), rows]


def _place(text: Text) -> tuple[str, str, bool]:
    return text.address.partition("#")[0], text.where, bool(text.name)


def _missing(item: Missing, places: Mapping[str, int]) -> list[object]:
    """The text about TensorFlow's operation follows from its name; TensorFlow Java's name is added if it differs."""
    instead = [places[address(each) if isinstance(each, Entry) else each.address] for each in item.instead]
    if not item.is_operation:
        return [item.title, instead, item.names, item.why]
    return _row(item.title, instead, [name for name in item.names if not name.endswith(f".{item.title}")])


def _row(*values: object) -> list[object]:
    """The values without the empty ones at the end."""
    length = max(number for number, value in enumerate(values, 1) if value)
    return list(values[:length])


def _unsaid(text: str, said: str, names: Iterable[str]) -> str:
    """The words of a text that are not in `said` or `names`, nor the beginning of another word of the text."""
    known = {*_words(said), *(word for name in names for word in _words(snake(name)))}
    words = sorted({*_words(text), *known})
    whole = {word for word, after in zip(words, [*words[1:], ""], strict=True) if not after.startswith(word)}
    return " ".join(sorted(whole - known))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())
