"""Markdown as HTML: mathematics as MathML, coloured code, headings with anchors, names of operations as links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import unescape
from itertools import chain, count
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import tostring

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin

from typegrad_reference.guides.pages import slug

if TYPE_CHECKING:
    from typegrad_reference.site.context import Context

__all__ = ["block", "inline", "math"]

_EXTERNAL: Final = ("http://", "https://", "mailto:")
_OVERLINE: Final = re.compile(r"<mover>(<mrow>(?:(?!<mover>).)*?</mrow>)<mo [^>]*>[\u2015\u00af]</mo></mover>")
"""A line over an expression. Without a font for mathematics, browsers do not stretch the character; a border is always
as wide."""
_COMMENT: Final = re.compile(r"(?P<code>^(?P<fence>`{3,}).*?^(?P=fence)$)|^<!--.*?-->\n?", re.DOTALL | re.MULTILINE)
"""A comment, which begins its line; or a block of code, in which nothing is one."""
_SIGN: Final = re.compile(r"[^\w\s<&]")
"""An operator such as ← that the formula has as it is; as an identifier it would have no space around it."""
_ATTRIBUTES: Final = frozenset(("class", "href", "style"))
"""What commands such as \\href could make formulas do; no formula needs it."""
_LATEX_ERRORS: Final[tuple[type[Exception], ...]] = (
    *(item for item in vars(exceptions).values() if isinstance(item, type) and issubclass(item, Exception)),
    IndexError,
    ValueError,
)
"""What the converter raises for formulas it cannot read; its exceptions share no base class."""


def block(text: str, page: Context, *, file: str = "", shift: int = 0) -> Markup:
    """Paragraphs, lists, tables, code. `file` is what relative links are relative to."""
    env: EnvType = {"page": page, "file": file, "shift": shift, "anchors": []}
    return Markup(_parser().render(_COMMENT.sub(lambda match: match["code"] or "", text), env))


def inline(text: str, page: Context) -> Markup:
    """Markdown within a line."""
    return Markup(_parser().renderInline(text, {"page": page, "file": ""}))


def math(latex: str, page: Context, *, display: bool = False) -> Markup:
    """A formula as MathML."""
    try:
        formula = convert_to_element(latex, display="block" if display else "inline")
    except _LATEX_ERRORS as error:
        page.report(f"the formula {latex} cannot be read: {type(error).__name__} {error}".rstrip())
        return escape(latex)
    for element in formula.iter():
        if element.tag == "mi" and not element.attrib and _SIGN.fullmatch(element.text or ""):
            element.tag = "mo"
        element.text = unescape(element.text or "") or None  # the converter writes characters as references
        for name in _ATTRIBUTES & element.attrib.keys():
            page.report(f"the formula {latex} sets {name!r}, which no formula may")
            del element.attrib[name]
    mathml = tostring(formula, encoding="unicode")
    if "\\" in mathml:
        page.report(f"the formula {latex} has a command that is not known")
    return Markup(_OVERLINE.sub(r'<mrow class="over">\1</mrow>', mathml))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.use(dollarmath_plugin, allow_space=True, allow_digits=False, double_inline=True)
    parser.core.ruler.push("formulas", _formulas)
    rules = {
        "code_block": _code_block,
        "code_inline": _code_inline,
        "fence": _fence,
        "heading_open": _heading_open,
        "heading_close": _heading_close,
        "image": _image,
        "link_open": _link_open,
        "link_close": _link_close,
        "math_block": _math_block,
        "math_inline": _math_inline,
        "math_inline_double": _math_inline,
        "table_open": _table_open,
        "table_close": _table_close,
    }
    for name, rule in rules.items():
        parser.add_render_rule(name, rule)
    return parser


def _formulas(state: StateCore) -> None:
    """Turn a paragraph with nothing but a formula into a block, which can be scrolled sideways."""
    for before, inside, after in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        children = inside.children or []
        if before.type == "paragraph_open" and len(children) == 1 and children[0].type == "math_inline":
            before.hidden = after.hidden = True
            inside.type, inside.content = "math_block", children[0].content


# Rules. The first argument is the renderer, which holds nothing that is needed here.


def _math_inline(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return math(tokens[index].content, env["page"])


def _math_block(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return Markup('<div class="formula" tabindex="0" role="group" aria-label="Formula">{}</div>\n').format(
        math(tokens[index].content, env["page"], display=True)
    )


def _code_inline(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    text = tokens[index].content
    address = env["page"].symbol(re.sub(r"\(.*\)$", "", text))
    inside_link = any(token.type == "link_open" for token in tokens[:index]) and not any(
        token.type == "link_close" for token in tokens[:index]
    )
    html = Markup("<code>{}</code>").format(text)
    return Markup('<a href="{}">{}</a>').format(address, html) if address and not inside_link else html


def _fence(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    language = (tokens[index].info.split() or [""])[0]
    page: Context = env["page"]
    return code_block(page, tokens[index].content, language)


def _code_block(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return code_block(env["page"], tokens[index].content, "python")


def code_block(page: Context, text: str, language: str) -> Markup:
    """A block of code, which can be scrolled sideways, also with the keyboard."""
    shown = page.code(text.rstrip("\n"), language)
    kind = "output" if language in ("text", "") else "code"
    label = "Output" if kind == "output" else f"Code: {language}"
    return Markup('<pre class="{}" tabindex="0" role="group" aria-label="{}"><code>{}</code></pre>\n').format(
        kind, label, shown
    )


def _heading_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    used: list[str] = env["anchors"]
    first = slug(_plain(tokens[index + 1]))
    anchor = next(name for name in chain([first], (f"{first}-{number}" for number in count(1))) if name not in used)
    used.append(anchor)
    return Markup('<h{} id="{}">').format(_level(tokens[index], env), anchor)


def _heading_close(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    link = Markup(' <a class="anchor" href="#{}" aria-label="Link to section {}">#</a>')
    end = Markup("</h{}>\n").format(_level(tokens[index], env))
    return link.format(env["anchors"][-1], _plain(tokens[index - 1])) + end


def _level(heading: Token, env: EnvType) -> int:
    return int(heading.tag[1]) + int(env["shift"])


def _plain(heading: Token) -> str:
    """The text of a heading without markup."""
    return "".join(child.content for child in heading.children or [])


def _link_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    target = str(tokens[index].attrs["href"])
    page: Context = env["page"]
    if target.startswith(_EXTERNAL):
        return Markup('<a href="{}" rel="external noreferrer">').format(target)
    if target.startswith("#"):
        return Markup('<a href="{}">').format(target)
    address = page.file(target, env["file"])
    # What is not a part of the site, such as a folder of the project, is named without a link.
    tokens[index].meta["closing"] = "</a>" if address else ""
    return Markup('<a href="{}">').format(address) if address else ""


def _link_close(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    opening = next(token for token in reversed(tokens[:index]) if token.type == "link_open")
    return str(opening.meta.get("closing", "</a>"))


def _image(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    page: Context = env["page"]
    address = page.picture(str(tokens[index].attrs["src"]), env["file"])
    return Markup('<img src="{}" alt="{}" loading="lazy">').format(address, tokens[index].content)


def _table_open(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n'


def _table_close(self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    return "</table></div>\n"
