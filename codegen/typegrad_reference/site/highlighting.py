"""Code as HTML: coloured by classes, with links from the names in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final, TypeAlias

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String
from pygments.util import ClassNotFound

__all__ = ["code", "lines"]

Token: TypeAlias = tuple[str, ...]
"""A kind of token, such as Name.Function: the kind that it belongs to comes first."""

Links: TypeAlias = Callable[[str], str]
"""From a name in code to the address of its page; "" if it has none."""

_CLASSES: Final = (
    (Comment, "c"),
    (Keyword, "k"),
    (Operator.Word, "k"),
    (String, "s"),
    (Number, "m"),
    (Name.Decorator, "d"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Tag, "k"),
    (Generic.Prompt, "c"),
)
"""The class of each kind of token. What is not here has the colour of text, which keeps pages small."""

_PLAIN: Final = ("text", "", "mermaid")


@cache
def _lexer(language: str) -> Lexer:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:  # Markdown may name any language
        return TextLexer(stripnl=False, ensurenl=False)


@cache
def _class(token: Token) -> str:
    return next((name for kind, name in _CLASSES if _is(token, kind)), "")


def _is(token: Token, kind: Token) -> bool:
    return token[: len(kind)] == kind


def code(text: str, language: str = "python", links: Links | None = None) -> Markup:
    """The spans of `text`. In Python code, `links` is asked for `name` and for `module.name`."""
    if language in _PLAIN:
        return escape(text)
    return Markup("".join(_spans(text, language, links)))


def lines(text: str, language: str) -> list[Markup]:
    """The lines of a file; a token over several lines is closed and opened again at each."""
    rows: list[list[str]] = [[]]
    for token, value in _lexer(language).get_tokens(text):
        for number, part in enumerate(value.split("\n")):
            if number:
                rows.append([])
            if part:
                rows[-1].append(_span(_class(token), part))
    if not rows[-1]:
        rows.pop()
    return [Markup("".join(row)) for row in rows]


def _spans(text: str, language: str, links: Links | None) -> Iterator[str]:
    before: tuple[str, str] = ("", "")
    for token, value in _lexer(language).get_tokens(text):
        name = f"{before[0]}.{value}" if before[1] == "." else value
        address = links(name) if links is not None and _is(token, Name) and language == "python" else ""
        span = _span(_class(token), value)
        yield f'<a href="{escape(address)}">{span}</a>' if address else span
        before = (before[1], value)


@lru_cache(maxsize=20_000)  # most of the tokens of a site are the same few names and marks
def _span(name: str, value: str) -> str:
    text = str(escape(value))
    return f'<span class="{name}">{text}</span>' if name and value.strip() else text
