"""A writer of event files that writes nothing: it checks what it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np

from typegrad.arguments.guarding import guard as _guard
from typegrad.arguments.unknown import UnknownNameError
from typegrad.dry_run.known.arrays import StandIn, bare
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown
from typegrad.files import tensorboard as real
from typegrad.graph.graph import Graph

__all__ = ["EventWriter"]

_ANY_TAG: Final = "..."
"""What errors name in the place of a tag that is not known."""


@final
class _Nowhere:
    """Takes what is written, and the parts that it is made of."""

    def __getattr__(self, name: str) -> _Nowhere:
        return self

    def __call__(self, *args: object, **kwargs: object) -> _Nowhere:
        """Write nothing."""
        del args, kwargs
        return self


@final
class EventWriter:
    """What a dry run has in the place of `EventWriter`."""

    def __init__(self, folder: Any) -> None:
        """Open nothing."""
        del folder
        self._writer = real.EventWriter.__new__(real.EventWriter)
        vars(self._writer).update(_protos=_Nowhere(), _writer=_Nowhere(), _is_closed=False)

    def __getattr__(self, name: str) -> Any:
        raise UnknownNameError(real.EventWriter, name)

    def __enter__(self) -> EventWriter:
        return self

    def __exit__(self, *error: object) -> None:
        """Close the writer."""
        self.close()

    def close(self) -> None:
        """Remember that the writer is closed."""
        self._writer.close()

    def flush(self) -> None:
        """Check that the writer is open."""
        self._writer.flush()

    def graph(self, graph: Graph) -> None:
        """Check that the writer is open."""
        del graph
        self._writer.flush()

    def scalar(self, tag: Any, value: Any, step: Any) -> None:
        """Check that the value is one number."""
        self._writer.scalar(_tag(tag), _number(value), _number(step))

    def histogram(self, tag: Any, values: Any, step: Any, *, buckets: Any = 30) -> None:
        """Check that the values are numbers."""
        is_large = isinstance(values, StandIn) and values.size > 0
        numbers = np.zeros(1, values.dtype) if is_large else _number(values)
        self._writer.histogram(_tag(tag), numbers, _number(step), buckets=_number(buckets, 1))

    def on_trial(self) -> Callable[[], object]:
        """Begin what is undone later by what this returns."""
        before = dict(vars(self._writer))
        return lambda: vars(self._writer).update(before)

    def may_have_run(self) -> None:
        """Code that was not followed changes nothing that is checked here."""


def _tag(tag: Any) -> Any:
    return _ANY_TAG if tag is UNKNOWN else tag


def _number(value: Any, any_number: int = 0) -> Any:
    """What is known of an argument; any number, if not enough is."""
    return any_number if has_unknown(value) else bare(value)


_guard(__name__)
