"""Guides and pages of operations show what happens: output, errors, types and pictures are compared with what they are
now.

Their links and names lead somewhere.
"""

from __future__ import annotations

import configparser
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

import typegrad as tg
from support import mypy_cache
from typegrad_reference.guides.checking import Guide, difference, load, of_operations, refresh, run
from typegrad_reference.guides.page_types import check_types
from typegrad_reference.guides.pages import Code, Page, PageError, Prose, parse, read

ROOT: Final = Path(__file__).parents[2]
GUIDES: Final = load(ROOT / "docs" / "guides")
PAGES: Final = [*GUIDES, *of_operations(ROOT / "ops")]
INDEX: Final = (ROOT / "docs" / "guides" / "README.md").read_text(encoding="utf-8")
_COLUMN: Final = 88
"""How many characters of code the site shows beside one another on a desktop."""
REMEDY: Final = "if the code is right, let the guides show what happens: python -m typegrad_reference.guides --write"

each_guide: Final = pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
each_page: Final = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


@each_page
def test_a_page_shows_what_happens(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    if "typegrad check " in page.source:
        monkeypatch.setenv("MYPY_CACHE_DIR", str(mypy_cache.of_process(plugin=True, redefined=True)))
    changed = difference(page, run(page))
    assert not changed, f"{changed}\n{REMEDY}"


@each_page
def test_a_program_fits_into_the_column_of_the_site(page: Page) -> None:
    lines = (line for block in page.blocks if isinstance(block, Code) for line in block.text.splitlines())
    assert [line for line in lines if len(line) > _COLUMN] == []


def test_the_guides_have_the_types_that_they_show(tmp_path: Path) -> None:
    cache = mypy_cache.copy(tmp_path / "cache", plugin=True)
    changed = "".join(map(difference, PAGES, check_types(PAGES, cache=cache)))
    assert not changed, f"{changed}\n{REMEDY}"


def test_the_example_of_the_conventions_keeps_them() -> None:
    (example,) = re.findall(r"^````markdown\n(.*?)^````\n", INDEX, re.DOTALL | re.MULTILINE)
    page = parse(example, Path("page.md"))
    (fresh,) = refresh([page])
    assert difference(page, fresh) == ""


@each_guide
def test_a_guide_has_a_title_and_says_what_the_reader_will_be_able_to_do(guide: Guide) -> None:
    assert guide.source.startswith(f"# {guide.title}\n\n")
    first = guide.source.split("\n\n")[1]
    assert re.search(r"\byou(r|rs)?\b", first) and not first.startswith(("#", "`", "|", "-"))


# Links


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    prose = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings: list[str] = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "path", sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "ops").rglob("*.md")]), ids=lambda path: path.stem
)
def test_links_lead_somewhere(path: Path) -> None:
    prose = re.sub(r"^(`{3,}).*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]+`\]?", lambda code: "]" if code[0].endswith("]") else "", prose)
    targets: list[str] = re.findall(r"\]\(([^)\s]+)\)", text)
    broken = [target for target in targets if not target.startswith("https://") and not leads(path, target)]
    assert not broken


def leads(path: Path, target: str) -> bool:
    """Whether a relative link leads to a file, and its anchor to a heading."""
    name, _, anchor = target.partition("#")
    other = path.parent / name if name else path
    return other.exists() and (not anchor or anchor in anchors(other))


# Names

PACKAGES: Final[Mapping[str, Any]] = {
    "tg": tg,
    "typegrad": tg,
    **{
        name: import_module(f"typegrad.op.{name}")
        for name in ("bitwise", "core", "dtypes", "linalg", "math", "nn", "random", "train")
    },
}


@each_page
def test_names_in_the_prose_exist(page: Page) -> None:
    missing = [name for name in named(page) if not exists(name)]
    assert not missing


def named(guide: Page) -> Iterator[str]:
    """Names such as `tg.gradients` or `math.Add.create` in the inline code of a page's prose."""
    for block in guide.blocks:
        if isinstance(block, Prose):
            for code in re.findall(r"`([^`\n]+)`", block.text):
                yield from re.findall(rf"(?<![\w./])(?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+", code)


def exists(name: str) -> bool:
    """Whether a dotted name leads to something; a part may be a module."""
    first, *rest = name.split(".")
    value = PACKAGES[first]
    for number, part in enumerate(rest):
        if not hasattr(value, part):
            try:
                import_module(".".join((value.__name__, part)))
            except (AttributeError, ImportError):
                # `math.pow` and other names of Python's own module are in order, too.
                return number == 0 and first == "math" and hasattr(import_module("math"), part)
        value = getattr(value, part)
    return True


def test_a_name_that_does_not_exist_is_found() -> None:
    page = parse("# Page\n\nUse `tg.gradient(x)`, `math.Add.create` and `tg.optimizers.Adam`.\n", Path("page.md"))
    assert [name for name in named(page) if not exists(name)] == ["tg.gradient"]


# Fragments and commands


def ini(text: str) -> None:
    configparser.ConfigParser().read_string(text)


READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "ini": ini,
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}


@each_page
def test_fragments_are_well_formed(page: Page) -> None:
    for block in page.blocks:
        if isinstance(block, Code) and block.language in READERS:
            READERS[block.language](block.text)


def test_commands_that_are_not_run_are_known() -> None:
    commands = [
        command
        for guide in GUIDES
        for block in guide.blocks
        if isinstance(block, Code) and "install" in block.words
        for command in block.text.splitlines()
    ]
    assert commands
    assert not [command for command in commands if not known(command)]


def known(command: str) -> bool:
    """Whether a command that installs something is sure to work: extras and targets exist."""
    match shlex.split(command, comments=True):
        case [] | ["python", "-m", "venv", ".venv"] | [".", ".venv/bin/activate"] | ["pip", "install", "mypy"]:
            return True
        case ["pip", "install", *options, what] if not set(options) - {"-e", "--editable"}:
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
            match_ = re.fullmatch(r"(?:\.|typegrad)(?:\[([\w,-]+)\])?", what)
            return match_ is not None and set((match_[1] or "demo").split(",")) <= set(extras["optional-dependencies"])
        case ["make", target]:
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            return re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE) is not None
        case _:
            return False


# The folder


def test_every_page_with_code_is_checked_by_a_test() -> None:
    """By those in this folder, in tests/project (README.md, CONTRIBUTING.md) or in tests/mypy_plugin
    (static-shapes.md).
    """
    checked = {"README.md", "CONTRIBUTING.md", "docs/static-shapes.md", "ops/README.md", "docs/guides/README.md"}
    checked |= {page.path.relative_to(ROOT).as_posix() for page in PAGES}
    folders = [ROOT, *(ROOT / name for name in ("benchmarks", "codegen", "docs", "framework", "ops", "tests"))]
    pages = {page for folder in folders for page in folder.glob("*.md" if folder == ROOT else "**/*.md")}
    with_code = {page for page in pages if re.search(r"^\s*```", page.read_text(encoding="utf-8"), re.MULTILINE)}
    assert {page.relative_to(ROOT).as_posix() for page in with_code} == checked


def test_the_list_and_the_folder_must_agree(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("1. [One](one.md)\n2. [Two](two.md)\n")
    (tmp_path / "one.md").write_text("# One\n")
    with pytest.raises(PageError, match=r"README\.md:1: the list of guides and the folder disagree about two\.md"):
        load(tmp_path)
    (tmp_path / "two.md").write_text("# Two\n")
    assert [(guide.title, guide.order) for guide in load(tmp_path)] == [("One", 0), ("Two", 1)]
    assert read(tmp_path / "two.md").name == "two"
