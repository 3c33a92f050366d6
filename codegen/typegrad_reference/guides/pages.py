"""A hand-written page: Markdown as prose, code, the output of code, and pictures of graphs.

The conventions are described in docs/guides/README.md. This module parses a page; `programs` runs it, `page_types`
checks its types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

__all__ = [
    "Block", "Code", "Kind", "Output", "Page", "PageError", "Picture", "Prose", "Results", "Section", "parse", "read",
    "slug",
]  # fmt: skip

Kind: TypeAlias = Literal["prints", "raises", "mypy", "draws"]
"""What is shown of a block: what it prints, how its error ends, what mypy says about it, what a picture looks like."""

Results: TypeAlias = Mapping[tuple[int, Kind], str]
"""What there is to show of each block, by its position in the page."""

LIBRARIES: Final = ("jax", "numpy", "tensorflow", "torch")
"""Words for code of another library, which has a program of its own and runs where that library is installed."""

_SHOWN: Final[tuple[Kind, ...]] = ("prints", "raises", "mypy")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "python": (*_SHOWN, "new", *LIBRARIES),
    "sh": ("prints", "raises", "install"),
    **dict.fromkeys(("ini", "java", "json", "lua", "text", "toml", "yaml"), ()),
}
"""The languages of blocks, and the words that may follow each."""

_BLOCK: Final = re.compile(
    r"^<!-- (?P<what>picture|file|append): (?P<argument>.*?) -->\n(?:```(?P<info1>.*)\n(?P<text1>(?:.*\n)*?)```\n)?"
    r"|^```(?P<info2>.*)\n(?P<text2>(?:.*\n)*?)```\n",
    re.MULTILINE,
)
_HEADING: Final = re.compile(r"^(#+) (.+)$", re.MULTILINE)
_FENCE: Final = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_CONVENTIONS: Final = re.compile(r"^(```\w+)\b.*$|^<!-- .* -->\n", re.MULTILINE)
"""What says how a block is run and shown: words behind its language, comments."""
_SENTENCE: Final = re.compile(r"(?<=[.:?!]) ")
_LOST: Final = re.compile(r"^[ \t>]*```|^[ \t]*<!-- (?:picture|file|append)\b", re.MULTILINE)


class PageError(ValueError):
    """A page does not follow the conventions, or one of its blocks does what it should not.

    The message starts with file and line.
    """


@frozen
class Prose:
    """Markdown between blocks of code."""

    text: str

    @property
    def source(self) -> str:
        """What the page says."""
        return self.text


@frozen
class Code:
    """A block of code."""

    language: str
    words: tuple[str, ...]
    text: str
    line: int
    """The page's line on which the code starts."""
    file: str = ""
    """Where the code is written to before what follows runs; "" if it is code to run."""
    appends: bool = False
    """Whether it is added to a file of the project, in a copy of it."""

    @property
    def shown(self) -> tuple[Kind, ...]:
        """What the text blocks below show, in this order."""
        return tuple(kind for kind in _SHOWN if kind in self.words) or ("prints",)

    @property
    def library(self) -> str:
        """The other library that this is code of, or ""."""
        return next((word for word in self.words if word in LIBRARIES), "")

    @property
    def is_program(self) -> bool:
        """Whether it is a part of a program of the page."""
        return self.language == "python" and not self.file

    @property
    def runs(self) -> bool:
        """Whether it is run: all of a program except code only for mypy, and commands that install nothing."""
        if self.language == "sh":
            return "install" not in self.words
        return self.is_program and self.shown != ("mypy",)

    @property
    def source(self) -> str:
        """What the page says."""
        comment = f"<!-- {'append' if self.appends else 'file'}: {self.file} -->\n" if self.file else ""
        return f"{comment}```{' '.join((self.language, *self.words))}\n{self.text}```\n"


@frozen
class Output:
    """What the code above shows."""

    kind: Kind
    text: str
    before: str = "\n"
    """The empty lines above."""

    @property
    def source(self) -> str:
        """What the page says."""
        return f"{self.before}```text\n{self.text}```\n"


@frozen
class Picture:
    """A picture of a graph."""

    arguments: str
    """What is drawn, as the arguments of a call: "graph, y=loss, x=[w]"."""
    drawing: str
    """The picture: Mermaid in a page, anything that the drawing function returns after a run with another one."""
    line: int

    @property
    def source(self) -> str:
        """What the page says."""
        return f"<!-- picture: {self.arguments} -->\n```mermaid\n{self.drawing}```\n"


Block: TypeAlias = Prose | Code | Output | Picture


@frozen
class Section:
    """A heading, and the prose up to the next one."""

    title: str
    """As it reads, without Markdown."""
    anchor: str
    level: int
    text: str

    @property
    def summary(self) -> str:
        """The first sentence of the prose, without Markdown; "" if it starts with something else."""
        first = self.text.strip().partition("\n\n")[0]
        return (
            "" if first.startswith(("|", "-", "<", "!", ">")) else _plain(_SENTENCE.split(" ".join(first.split()))[0])
        )


def slug(text: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")


def _extent(text: str, sections: Sequence[Section], anchor: str) -> tuple[int, int]:
    """Where a section of the text begins, and where the next one begins that is not a part of it."""
    if anchor not in [section.anchor for section in sections]:
        raise LookupError(anchor)
    starts = [match.start() for match in _HEADING.finditer(_FENCE.sub(lambda code: "x" * len(code[0]), text))]
    places = zip(sections, starts, strict=True)
    section, start = next((section, start) for section, start in places if section.anchor == anchor)
    return start, next((other for after, other in places if after.level <= section.level), len(text))


def _plain(markdown: str) -> str:
    """A line without the markup of code, emphasis and links."""
    return re.sub(r"[`*$]", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)).rstrip(":")


@frozen
class Page:
    """A page: its blocks in order, which together are its source."""

    path: Path
    blocks: tuple[Block, ...]
    order: int = 0
    """The position among the guides."""

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        return self.path.stem

    @property
    def title(self) -> str:
        """The first heading."""
        heading = re.search(r"^# (.+)$", self.source, re.MULTILINE)
        if heading is None:
            raise PageError(f"{self.path}:1: a page starts with its title, as in `# Getting started`")
        return heading[1]

    @property
    def source(self) -> str:
        """The page as Markdown."""
        return "".join(block.source for block in self.blocks)

    @property
    def summary(self) -> str:
        """The first paragraph."""
        after = self.source.partition("\n# ")[2] or self.source
        paragraphs = [text for text in after.split("\n\n")[1:] if text and text[0] not in "#`|<-!"]
        return " ".join(paragraphs[0].split()) if paragraphs else ""

    @property
    def sections(self) -> list[Section]:
        """The headings with the blocks below each; the first is the title."""
        prose = "\n\n".join(block.text for block in self.blocks if isinstance(block, Prose))
        parts = _HEADING.split(_FENCE.sub("", prose))[1:]
        sections: list[Section] = []
        for marks, heading, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            title = _plain(heading)
            used = [section.anchor for section in sections]
            anchors = chain([slug(title)], (f"{slug(title)}-{number}" for number in count(1)))
            sections.append(Section(title, next(each for each in anchors if each not in used), len(marks), text))
        return sections

    def readable(self, anchor: str = "") -> str:
        """The page, or a section with its subsections, as Markdown for readers: without pictures and conventions.

        Raises:
            LookupError: There is no section with this anchor.
        """
        text = "".join(block.source for block in self.blocks if not isinstance(block, Picture))
        start, end = _extent(text, self.sections, anchor) if anchor else (0, len(text))
        return _CONVENTIONS.sub(lambda match: match[1] or "", text[start:end]).strip()

    @property
    def changes_project(self) -> bool:
        """Whether it adds to files of the project, and so runs on a copy of it."""
        return any(isinstance(block, Code) and block.appends for block in self.blocks)

    @property
    def writes_files(self) -> bool:
        """Whether it writes any files, which its programs may depend on."""
        return any(isinstance(block, Code) and block.file for block in self.blocks)

    def programs(self) -> list[list[int]]:
        """The programs of the page: the positions of each one's blocks. A block with the word `new` starts the next."""
        by_library: dict[str, list[list[int]]] = {}
        for position, block in enumerate(self.blocks):
            if isinstance(block, Code) and block.is_program:
                of_library = by_library.setdefault(block.library, [])
                if "new" in block.words or not of_library:
                    of_library.append([])
                of_library[-1].append(position)
        return [program for programs in by_library.values() for program in programs]

    def module(self, number: int) -> str:
        """The name of the file that one of its programs would be, which errors and the nodes of graphs show."""
        return self.name.replace("-", "_").lower() + (f"_{number + 1}" if number else "") + ".py"

    def with_results(self, results: Results) -> Page:
        """The page with these results in the place of what it shows now. What has no result stays."""
        return evolve(self, blocks=tuple(_replaced(self.blocks, results)))


def _replaced(blocks: Sequence[Block], results: Results) -> Iterator[Block]:
    for position, block in enumerate(blocks):
        if isinstance(block, Picture):
            yield evolve(block, drawing=results.get((position, "draws"), block.drawing))
        elif not isinstance(block, Output):
            yield block
        if isinstance(block, Code):
            written = _outputs_of(blocks, position)
            for kind in block.shown:
                old = written.get(kind, Output(kind, ""))
                text = results.get((position, kind), old.text)
                if text:
                    yield evolve(old, text=text)


def _outputs_of(blocks: Sequence[Block], position: int) -> dict[Kind, Output]:
    outputs: dict[Kind, Output] = {}
    for block in blocks[position + 1 :]:
        if not isinstance(block, Output):
            break
        outputs[block.kind] = block
    return outputs


def read(path: Path, order: int = 0) -> Page:
    """The page in a file.

    Raises:
        PageError: It does not keep the conventions.
    """
    return parse(path.read_text(encoding="utf-8"), path, order)


def parse(source: str, path: Path, order: int = 0) -> Page:
    """Parse a page. Nothing is lost: the blocks' sources together are `source`."""
    blocks: list[Block] = []
    waiting: list[Kind] = []
    end = 0
    for match in _BLOCK.finditer(source):
        prose = source[end : match.start()]
        end = match.end()
        info = match["info1"] if match["what"] else match["info2"]
        if info == "text" and not match["what"] and waiting and not prose.strip():
            blocks.append(Output(waiting.pop(0), match["text2"], prose))
            continue
        if prose:
            blocks.append(Prose(prose))
        block = _block(match, info, path)
        blocks.append(block)
        waiting = list(block.shown) if isinstance(block, Code) and (block.runs or "mypy" in block.words) else []
    if source[end:]:
        blocks.append(Prose(source[end:]))
    _refuse_lost(blocks, path)
    return Page(path, tuple(blocks), order)


def _block(match: re.Match[str], info: str | None, path: Path) -> Code | Picture:
    line = match.string.count("\n", 0, match.start()) + 1
    place = f"{path}:{line}"
    if match["what"] == "picture":
        if info not in (None, "mermaid"):
            raise PageError(f"{place}: a picture is followed by a ```mermaid block, or by none, not by ```{info}")
        return Picture(match["argument"], match["text1"] or "", line)
    if info is None:
        raise PageError(f"{place}: a block with what is written to {match['argument']} must follow right below")
    language, *words = info.split() or [""]
    if language not in _WORDS:
        raise PageError(f"{place}: the language of a block is one of {', '.join(_WORDS)}, not {language!r}")
    unknown = [word for word in words if word not in _WORDS[language]]
    if unknown:
        known = ", ".join(_WORDS[language]) or "nothing"
        raise PageError(f"{place}: {language} may be followed by {known}, not {unknown[0]!r}")
    if language == "text":
        raise PageError(f"{place}: a text block shows what the code right above prints, and there is none that does")
    text = match["text1"] if match["what"] else match["text2"]
    first = line + (2 if match["what"] else 1)
    return Code(language, tuple(words), text, first, match["argument"] or "", match["what"] == "append")


def _refuse_lost(blocks: Sequence[Block], path: Path) -> None:
    """Refuse what looks like a block but is not parsed as one, such as one that is indented or not closed."""
    line = 1
    for block in blocks:
        lost = _LOST.search(block.text) if isinstance(block, Prose) else None
        if lost:
            line += block.source.count("\n", 0, lost.start())
            raise PageError(f"{path}:{line}: a block starts and ends with ``` at the very start of a line")
        line += block.source.count("\n")
