"""What is wrong with a registry, collected so that all of it is reported at once."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from typegrad.base.errors import TypegradError
from typegrad_codegen.schema import Entry

__all__ = ["Notes", "Problem", "Problems", "RegistryError", "choices"]


@frozen(order=True)
class Problem:
    """One error: `ops/matmul.yaml:12: MatMul.inputs.a: unknown key 'typ'; expected ...`."""

    file: str
    line: int
    where: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        return place + (f"{self.where}: " if self.where else "") + self.message


class RegistryError(TypegradError):
    """A registry has errors; `problems` are all of them."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(set(problems))
        super().__init__("\n".join(map(str, self.problems)))


@frozen
class Problems:
    """Collects the errors of one file."""

    file: str
    errors: list[Problem] = field(factory=list)

    def add(self, line: int, where: str, message: str) -> None:
        """Note an error; `where` is a path such as "MatMul.inputs.a"."""
        self.errors.append(Problem(_shown(self.file, 200), line, _shown(where, 200), _shown(message, 800)))


class Notes:
    """Collects the errors of one operation."""

    def __init__(self, op: Entry, problems: Problems) -> None:
        self.op = op
        self.problems = problems

    def add(self, line: int, where: str, message: str) -> None:
        """Note an error at `where`, a path below the operation."""
        self.problems.add(line, f"{self.op.name}.{where}" if where else self.op.name, message)


def _shown(text: str, limit: int) -> str:
    """Text of a registry, safe for a terminal: one line, without control characters, of limited length."""
    plain = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    return plain if len(plain) <= limit else f"{plain[: limit - 3]}..."


def choices(names: Iterable[str]) -> str:
    """The end of a message: `one of a, b`, `a` alone, or `none`."""
    listed = list(names)
    if not listed:
        return "none"
    return listed[0] if len(listed) == 1 else f"one of {', '.join(listed)}"
