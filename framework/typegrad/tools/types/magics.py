"""Cells of notebooks as Python: what IPython reads in its own way is replaced, line by line.

A line is IPython's own where a statement may begin: inside brackets and strings, `%` and `!` are Python's. The text
keeps its lines, and what is left of a line keeps its columns.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from tokenize import TokenError, generate_tokens
from typing import Final

__all__ = ["ANYTHING", "given_names", "of_anything", "of_python"]

_MAGIC: Final = re.compile(r"(?P<start>\s*)(?:(?P<percent>%{1,2})(?P<name>[A-Za-z]\w*)|!|\?|%?[\w.*]+\?{1,2}\s*$)")
"""A line for IPython."""
_ASSIGNED: Final = re.compile(r"(?P<start>\s*[\w., ]+=\s*)(?:%[A-Za-z]|!)")
_RUN: Final = re.compile(
    r"(?P<start>\s*)(?P<magic>%(?:memit|prun|time|timeit)\s+(?:-\w+\s+(?:\d+\s+)?)*)(?P<rest>\S.*)"
)
"""A line whose rest is a statement of Python."""
_OF_PYTHON: Final = ("capture", "debug", "memit", "prun", "time", "timeit")
"""The magics of a cell whose other lines are Python."""
_KEPT: Final = re.compile(r"%%capture\s+(?:-\S+\s+)*(?P<name>\w+)\s*$")
"""What keeps the output of a cell by a name."""
_RESULTS: Final = re.compile(r"\s--(?:out|err|proc)\b")
"""The options by which a cell of another language binds names."""
_BINDING_NOTHING: Final = frozenset({
    "HTML", "SVG", "alias", "autoawait", "autocall", "automagic", "autoreload", "autosave", "bash", "bookmark",
    "capture", "cat", "cd", "clear", "cmd", "colors", "conda", "config", "connect_info", "cp", "debug", "dhist",
    "dirs", "doctest_mode", "env", "file", "gui", "hist", "history", "html", "javascript", "js", "killbgscripts",
    "latex", "ldir", "less", "lf", "lk", "ll", "load_ext", "ls", "lsmagic", "lx", "magic", "mamba", "man",
    "markdown", "matplotlib", "memit", "micromamba", "mkdir", "more", "mv", "notebook", "page", "pastebin", "pdb",
    "pdef", "pdoc", "perl", "pfile", "pinfo", "pinfo2", "pip", "popd", "pprint", "precision", "profile", "prun",
    "psearch", "psource", "pushd", "pwd", "pycat", "pypy", "python", "python2", "python3", "qtconsole", "quickref",
    "recall", "rehashx", "reload_ext", "rep", "rerun", "reset", "reset_selective", "rm", "rmdir", "ruby", "save",
    "script", "set_env", "sh", "svg", "sx", "system", "tb", "time", "timeit", "unalias", "unload_ext", "uv", "who",
    "who_ls", "whos", "writefile", "xdel", "xmode",
})  # fmt: skip
"""IPython's magics after which a program has no other names than before. Those of extensions may bind any."""
_GIVEN: Final = re.compile(r"display|get_ipython|In|Out|_{1,3}|_\d+|_i{1,3}|_i\d+|_[dio]h")
"""The names that IPython gives a program."""
_UNKNOWN: Final = "__import__('json').loads(input())"
"""A value that nothing is known of, neither to mypy nor to a dry run."""
ANYTHING: Final = "__anything__"
"""A module that there is none of: what it is asked for is anything, also as a class."""
_ANYTHING: Final = "eval('None')"
"""A statement after which a dry run knows nothing."""


def of_python(cell: str) -> tuple[Sequence[str], bool]:
    """The lines of a cell as Python, and whether IPython may bind names in it that the text does not show."""
    lines = _dedented(cell.splitlines() or [""])
    if _is_python("\n".join(lines)):
        return lines, False
    first = _MAGIC.match(lines[0])
    if first and first["percent"] == "%%" and first["name"] not in _OF_PYTHON:
        return [_ANYTHING if _may_bind(lines[0]) else "", *[""] * (len(lines) - 1)], _may_bind(lines[0])
    made = list(_replaced(lines))
    return made, any(line != new and _may_bind(line) for line, new in zip(lines, made, strict=True))


def _dedented(lines: Sequence[str]) -> Sequence[str]:
    """The lines without the indentation of the first one, as IPython reads them; columns are less then."""
    indentation = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    return [each.removeprefix(indentation) for each in lines]


def given_names(text: str, *, any_names: bool) -> str:
    """A line that binds what IPython gives a program: its own names, or any that the program does not bind itself."""
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):
        return ""
    names = [each for each in nodes if isinstance(each, ast.Name)]
    bound = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
    bound.update(name for each in nodes for name in _bound(each))
    read = sorted({each.id for each in names} - bound - set(dir(builtins)))
    given = [each for each in read if _GIVEN.fullmatch(each)]
    others = [each for each in read if any_names and each not in given]
    return "; ".join([*([" = ".join([*given, _UNKNOWN])] if given else ()), *of_anything(others)])


def of_anything(names: Sequence[str]) -> Sequence[str]:
    """The statement that binds names to anything, also to classes; none without names."""
    return [f"from {ANYTHING} import {', '.join(names)}"] if names else []


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a node binds otherwise than by assignment."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.arg():
            yield node.arg
        case ast.alias():
            yield node.asname or node.name.partition(".")[0]
        case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar():
            yield node.name or ""
        case ast.MatchMapping():
            yield node.rest or ""


def _replaced(lines: Sequence[str]) -> Iterator[str]:
    done: list[str] = []
    continues = False
    """Whether the line is the rest of one for IPython."""
    for line in lines:
        is_magic = _MAGIC.match(line) or _ASSIGNED.match(line)
        new = "" if continues else _without_magic(line) if is_magic and not _is_inside(done) else line
        continues = new != line and line.endswith("\\")
        done.append(new)
        yield new


def _without_magic(line: str) -> str:
    """The line without what IPython reads: with the statement that it runs, or the name that it binds."""
    assigned, kept, run = _ASSIGNED.match(line), _KEPT.match(line), _RUN.match(line)
    if assigned:
        return f"{assigned['start']}{_UNKNOWN}"
    if kept:
        return f"{kept['name']} = {_UNKNOWN}"
    if run and _is_python(f"pass;{run['rest']}"):
        return f"{run['start']}{'pass;'.ljust(len(run['magic']))}{run['rest']}"
    return f"{line[: len(line) - len(line.lstrip())]}{_ANYTHING if _may_bind(line) else 'pass'}"


def _may_bind(line: str) -> bool:
    """Whether a line for IPython may bind names that it does not show."""
    magic = _MAGIC.match(line)
    name = magic["name"] if magic else None
    return name is not None and (name not in _BINDING_NOTHING or _RESULTS.search(line) is not None)


def _is_inside(lines: Sequence[str]) -> bool:
    """Whether the next line goes on with a statement: inside brackets or a string, or behind a backslash."""
    try:
        for _ in generate_tokens(iter([f"{line}\n" for line in lines]).__next__):
            pass
    except TokenError:
        return True
    except SyntaxError:  # an indentation that does not fit
        pass
    return bool(lines) and lines[-1].endswith("\\")


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
