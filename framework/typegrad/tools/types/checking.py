"""mypy in this process, with the types of expressions.

Files that mypy loads from its cache have no types, so the files asked for are sources with text, which are always
checked; what they import comes from the cache. mypy's daemon would be faster still, but it merges a changed file into
the tree of the last check, in which the plugin has statements of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from attrs import field, frozen
from mypy import build
from mypy.errors import CompileError
from mypy.fscache import FileSystemCache
from mypy.main import process_options
from mypy.modulefinder import BuildSource
from mypy.nodes import Expression, MypyFile
from mypy.options import Options
from mypy.types import Type
from mypy.util import decode_python_encoding

from typegrad.base.errors import TypegradError

__all__ = ["CheckResult", "CheckedFile", "MypyError", "Problem", "check"]

_PROBLEM: Final = re.compile(
    r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+)(?::(?P<end_line>\d+):(?P<end_column>\d+))?)?: "
    r"(?P<severity>error|note): (?P<text>.*?)(?:  \[(?P<code>[a-z-]+)\])?$"
)

_MODULES: Final = (".py", ".pyi")
"""The ends of the names of modules; mypy itself knows from which folders these can import."""


class MypyError(TypegradError):
    """mypy could not check the files; the message is mypy's."""


@frozen
class Problem:
    """One of mypy's messages. Lines and columns start at 1; the end is the last column, in bytes."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    severity: str
    text: str
    code: str = ""

    def __str__(self) -> str:
        if not self.file and f": {self.severity}: " in self.text:  # of a file as a whole
            return self.text
        code = f"  [{self.code}]" if self.code else ""
        where = f"{self.file}:{self.line}" if self.file else "mypy"
        return f"{where}: {self.severity}: {self.text}{code}"


@frozen
class CheckedFile:
    """A file and its tree, in which `types` has the type of each expression that was checked.

    `imports` are those of the given texts that it imports, directly or not.
    """

    path: str
    text: str
    tree: MypyFile
    options: Options
    types: Mapping[Expression, Type] = field(repr=False)
    imports: Collection[str] = ()


@frozen
class CheckResult:
    """The files, none of them if mypy stopped before it knew any type, and mypy's messages."""

    files: Sequence[CheckedFile]
    problems: Sequence[Problem]

    def wrong_lines(self, path: str) -> Collection[int]:
        """The lines of a file with errors."""
        return {each.line for each in self.problems if each.file == path and each.severity == "error"}

    @property
    def status(self) -> int:
        """mypy's exit status: 0 without errors, 1 with errors, 2 if the files could not be checked."""
        return 2 if not self.files else int(any(each.severity == "error" for each in self.problems))


def check(settings: Path, arguments: Sequence[str], texts: Mapping[str, str] | None = None) -> CheckResult:
    """Check files and keep the types of their expressions.

    Args:
        settings: A file with mypy's settings.
        arguments: Files, folders and options, as on mypy's command line.
        texts: The texts of files, by path, where they are not the ones on disk.

    Raises:
        MypyError: The command line is invalid, or mypy failed.
    """
    said, files = StringIO(), FileSystemCache()
    with TemporaryDirectory(prefix="typegrad-") as folder:
        options = ["--config-file", str(settings), *arguments]
        try:
            sources, result = _build(options, texts or {}, Path(folder), files, said)
        except CompileError as error:
            return CheckResult((), list(_problems(error.messages)))
        except SystemExit:
            raise MypyError(said.getvalue().strip()) from None
    given = {Path(path).resolve(): path for path in texts or ()}
    checked = [
        CheckedFile(source.path, source.text, tree, result.graph[source.module].options, result.types, imports)
        for source in sources
        if source.path is not None and source.text is not None
        for tree in [result.files[source.module]]
        for imports in [_imports(source.module, result.graph, given)]
    ]
    return CheckResult(checked, list(_problems(result.errors)))


def _imports(module: str, graph: build.Graph, given: Mapping[Path, str]) -> Collection[str]:
    """Those of the given files that a module imports, directly or not."""
    modules, waiting = {module}, [module] if given else []
    while waiting:
        new = [each for each in graph[waiting.pop()].dependencies if each not in modules and each in graph]
        modules.update(new)
        waiting += new
    paths = (graph[each].path for each in modules - {module} if graph[each].path)
    return frozenset(given[path] for each in paths if (path := Path(each or "").resolve()) in given)


def _build(
    arguments: list[str], texts: Mapping[str, str], folder: Path, files: FileSystemCache, said: StringIO
) -> tuple[list[BuildSource], build.BuildResult]:
    changed = {path: text for path, text in texts.items() if _differs(Path(path), text)}
    shadows = [[path, _written(text, folder)] for path, text in changed.items()]
    for path, shadow in shadows:
        _pretend(path, shadow, files)
    requested, options = process_options(arguments, said, said, fscache=files)
    _prepare(options)
    by_path = {Path(path).resolve(): text for path, text in texts.items()}
    sources = [_with_text(source, by_path, files) for source in requested]
    wide = [source for source in sources if not (source.text or "").isascii()]
    shadows += [
        [each.path, _written(each.text, folder)]
        for each in wide
        if each.path not in changed and each.path and each.text
    ]
    options.shadow_file = [*(options.shadow_file or ()), *shadows]
    _count_bytes(options, [source.module for source in wide])
    return sources, build.build(sources, options, fscache=files, stdout=said, stderr=said)


def _prepare(options: Options) -> None:
    """Ask for types and for messages of the form of `_PROBLEM`, whatever the settings say."""
    options.export_types = options.preserve_asts = True
    options.show_column_numbers = options.show_error_end = True
    options.hide_error_codes = options.show_error_context = options.pretty = False
    options.output = None
    options.fine_grained_incremental = False


def _count_bytes(options: Options, modules: Sequence[str]) -> None:
    """Have Python parse these modules: the columns of mypy's own parser are not bytes after other than ASCII text."""
    for module in modules if hasattr(options, "native_parser") else ():
        options.per_module_options[module] = {**options.per_module_options.get(module, {}), "native_parser": False}
    options.build_per_module_cache()


def _differs(path: Path, text: str) -> bool:
    return not path.is_file() or path.read_bytes() != text.encode()


def _written(text: str, folder: Path) -> str:
    """A file that mypy reads in the place of another, so that its cache never mixes up their texts.

    What Python parses is among them: mypy reads only such files before it parses several at once, and fails without.
    So are files that are not on disk yet, of which mypy has the text: the plugin reads it here.
    """
    file = folder / f"{len(list(folder.iterdir()))}.py"
    file.write_bytes(text.encode())
    return str(file)


def _pretend(path: str, shadow: str, files: FileSystemCache) -> None:
    """Have mypy find a file that is not on disk, so that others can import it."""
    file = Path(path).resolve()
    if files.stat_or_none(str(file)) is None:
        _add_name(file, files)
        files.stat_or_none_cache[str(file)] = Path(shadow).stat()


def _add_name(path: Path, files: FileSystemCache) -> None:
    """Add a name to its folder, which may not be on disk either."""
    folder = str(path.parent)
    if files.stat_or_none(folder) is None:
        _add_name(path.parent, files)
        files.stat_or_none_cache[folder] = Path().stat()
        files.listdir_cache[folder] = []
    if files.isdir(folder):
        files.listdir(folder).append(path.name)


def _with_text(source: BuildSource, texts: Mapping[Path, str], files: FileSystemCache) -> BuildSource:
    """The source with its text, so that mypy checks it even if its cache knows it.

    The folder of a notebook or a script is one that it can import from, as when it runs.
    """
    if source.text is not None or source.path is None:
        return source
    text = texts.get(Path(source.path).resolve())
    if text is None and files.isfile(source.path):
        text = decode_python_encoding(files.read(source.path))
    folder = None if source.path.endswith(_MODULES) else str(Path(source.path).resolve().parent)
    return BuildSource(source.path, source.module, text, source.base_dir or folder)


def _problems(lines: Sequence[str]) -> Iterator[Problem]:
    for line in lines:
        match = _PROBLEM.match(line)
        if match is None:
            yield Problem("", 1, 1, 1, 1, "error", line.removeprefix("mypy: error: "))
            continue
        start = int(match["line"]), int(match["column"] or 1)
        end = int(match["end_line"] or start[0]), int(match["end_column"] or start[1])
        yield Problem(match["file"], *start, *end, match["severity"], match["text"], match["code"] or "")
