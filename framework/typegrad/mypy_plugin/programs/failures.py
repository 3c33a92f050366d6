"""The errors of a followed program in words: what is wrong, where its operands were made, which calls lead there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorInfo

from typegrad.base.brief import without_addresses
from typegrad.base.errors import AttributeValueError, DTypeError, OptionError, ShapeError, TypegradError
from typegrad.base.misspelt import nearest
from typegrad.mypy_plugin.base.codes import ATTRIBUTE, CALL, DTYPE, RUN, SHAPE
from typegrad.mypy_plugin.mistakes.consequences import line_of_body

if TYPE_CHECKING:
    from typegrad.dry_run.tracking.core import Failure, Frame

__all__ = ["SHAPE_IN_TEXT", "code_of", "explain", "is_later", "lines_in", "message_of"]

_CODES: Final[Mapping[type[Exception], ErrorCode]] = {
    ShapeError: SHAPE, DTypeError: DTYPE, AttributeValueError: ATTRIBUTE, OptionError: CALL,
}  # fmt: skip
_OWN_WORDS: Final = (TypegradError, UserWarning)
"""What typegrad itself raises and warns of."""
_INPUT: Final = re.compile(r"^ *([\w\[\]]+) = '([^']*)' \((\w+), .*, created at (.*):(\d+)\)$", re.MULTILINE)
"""An input of the node, the operand, of which type it is, and where it was made."""
_NODE: Final = re.compile(r"^\w+ '[^']*' \(created at (.*):(\d+)\)")
"""The node, if it is in the graph, and where it was made."""
_CALLED: Final = "called in line"
SHAPE_IN_TEXT: Final = re.compile(r"\[.*?\]")


def code_of(error: Exception) -> ErrorCode:
    """The code that mypy gives an error where types tell it."""
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), RUN)


def lines_in(path: str, failure: Failure) -> list[int]:
    """The lines of a file that lead to an error."""
    return [frame.line for frame in failure.frames if frame.file == path]


def is_later(error: ErrorInfo, lines: Sequence[int]) -> bool:
    """Whether types tell of a call from a line of a body to which the program does not come, as it fails before."""
    line = line_of_body(error)
    return line is not None and line not in lines


def _differ(told: str, raised: str) -> bool:
    """Whether two errors are about other sizes, as of two calls in one line."""
    sizes = [[_sizes(each) for each in SHAPE_IN_TEXT.findall(text)] for text in (told, raised)]
    pairs = [pair for shapes in zip(*sizes, strict=False) for pair in zip(*shapes, strict=False)]
    return any(one.isdecimal() and other.isdecimal() and one != other for one, other in pairs)


def _sizes(shape: str) -> list[str]:
    """The sizes in the text of a shape."""
    return shape[1:-1].split(", ")


def message_of(failure: Failure, path: str, lines: Sequence[int]) -> str:
    """What an error says, with the lines where its operands were made, and the lines of the calls that lead to it."""
    from typegrad.dry_run.source.naming import renamed

    error = failure.error
    text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    kind = "" if isinstance(error, _OWN_WORDS) else f"{_kind(error)}: "
    first, _, rest = text.partition("\n")
    origins = _origins(failure, path, lines)
    if first.endswith(":"):  # a list follows
        first = f"{first} {'; '.join(map(str.strip, rest.splitlines()))}"
    first = first.rstrip()  # NumPy's have a space there
    if isinstance(error, _OWN_WORDS):
        first = renamed(first, failure.held, path)
    first = _without_repeats(without_addresses(first))
    calls = _called_in(each for each in dict.fromkeys(lines[1:]) if each != lines[0])
    if isinstance(error, AttributeError):
        name = error.name or ""
        near = nearest(name, [each for each in dir(error.obj) if _may_be_meant(each, name)])
        first = first if near is None else f"{first}; did you mean .{near}?"
    elsewhere = _elsewhere(failure.frames[0], path)
    return "; ".join([f"{kind}{first}", *origins, *elsewhere, *calls])


def _may_be_meant(attribute: str, name: str) -> bool:
    """Whether an attribute is public, if the name is, and about as long, so that few letters make one of the other."""
    is_near = 6 * abs(len(attribute) - len(name)) <= len(attribute) + len(name)
    return is_near and (name.startswith("_") or not attribute.startswith("_"))


def explain(error: ErrorInfo, failure: Failure, path: str, lines: Sequence[int]) -> None:
    """Say of a call that types refuse which calls lead to the line that fails, and where its operands were made."""
    is_same = line_of_body(error) == lines[0] and not _differ(error.message, str(failure.error).partition("\n")[0])
    what, _, place = error.message.rpartition("; ")
    if error.line not in lines[2:] or not is_same or _CALLED in place:
        return
    inner = _called_in(dict.fromkeys(lines[1 : lines.index(error.line)]))
    error.message = "; ".join([what, *_origins(failure, path, lines), ", ".join([place, *inner])])


def _called_in(lines: Iterable[int]) -> list[str]:
    """The lines of the calls that lead to an error, in words; nothing if there are none."""
    callers = list(map(str, lines))
    return [f"{_CALLED}{'s' * (len(callers) > 1)} {', '.join(callers)}"] if callers else []


def _origins(failure: Failure, path: str, lines: Sequence[int]) -> list[str]:
    """The lines where the operands of an error were made, in words; nothing if there are none."""
    from typegrad.dry_run.source.naming import name_of

    first, _, rest = str(failure.error).partition("\n")
    if first.endswith(":"):  # a list follows
        return []
    node = _NODE.match(first)
    own = [(path, str(lines[0])), *([] if node is None else [node.groups()])]  # not told once more
    found = _INPUT.findall(rest)
    told = [operand for _, operand, type_, _, _ in found if type_ == "Variable" and f"'{operand}'" in first]
    made = [
        ("the variable" if len(told) == 1 else f"'{operand}'", None, int(line))
        if operand in told
        else (name, name_of(operand, f"{path}:{line}", failure.held), int(line))
        for name, operand, type_, file, line in found
        if file == path and (file, line) not in own
    ]
    inputs = [_origin(names, line) for line, names in _by_line(made).items()]
    return [", ".join(inputs)] if inputs else []


def _without_repeats(text: str) -> str:
    """A list without what follows itself, as the nodes that one line makes have one name here."""
    parts = text.split("; ")
    return "; ".join(
        part
        for previous, part in zip(["", *parts], parts, strict=False)
        if part != previous and not previous.endswith(f" is cut at {part}")
    )


def _elsewhere(frame: Frame, path: str) -> Iterator[str]:
    """Where the line that fails is, if it is in another file."""
    if frame.file != path:
        place = f"line {frame.line} of {Path(frame.file).name}"
        yield f"in {place}" if frame.function.endswith(">") else f"in {frame.function}, {place}"


def _kind(error: Exception) -> str:
    """The name of the class of an error, or of the public one that it is made of."""
    return next(each.__name__ for each in type(error).__mro__ if not each.__name__.startswith("_"))


def _by_line(made: Iterable[tuple[str, str | None, int]]) -> dict[int, list[tuple[str, str | None]]]:
    """The names of inputs, and what the program calls them, by the line where they were made."""
    result: dict[int, list[tuple[str, str | None]]] = {}
    for name, own, line in made:
        result.setdefault(line, []).append((name, own))
    return result


def _origin(inputs: Sequence[tuple[str, str | None]], line: int) -> str:
    """Which operands some inputs are, as "a is 'h' and b is 'w' from line 8"; only the line, if one has no name."""
    if all(own not in (None, name) for name, own in inputs):
        return f"{' and '.join(f'{name} is {own!r}' for name, own in inputs)} from line {line}"
    return f"{', '.join(name for name, _ in inputs)} {'is' if len(inputs) == 1 else 'are'} from line {line}"
