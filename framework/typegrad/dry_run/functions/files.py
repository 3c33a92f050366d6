"""Writers of event files, and of checkpoints, that write nothing: they check what they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np

from typegrad.arguments.guarding import guard as _guard
from typegrad.arguments.unknown import UnknownNameError
from typegrad.dry_run.functions.sessions import Session
from typegrad.dry_run.known.arrays import StandIn, bare
from typegrad.dry_run.known.unknown import UNKNOWN, has_unknown
from typegrad.files import tensorboard
from typegrad.files.checkpoint import saver
from typegrad.graph.graph import Graph
from typegrad.session import session as real

__all__ = ["EventWriter", "Saver"]

_ANY_TAG: Final = "..."
"""What errors name in the place of a tag that is not known."""
_ANY_FOLDER: Final = "checkpoints"
"""What is looked at in the place of a folder that is not known."""


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
        self._writer = tensorboard.EventWriter.__new__(tensorboard.EventWriter)
        vars(self._writer).update(_protos=_Nowhere(), _writer=_Nowhere(), _is_closed=False)

    def __getattr__(self, name: str) -> Any:
        raise UnknownNameError(tensorboard.EventWriter, name)

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


@final
class Saver:
    """What a dry run has in the place of `Saver`. Nothing is known of the files."""

    def __init__(self, session: Any, folder: Any, keep: Any = 5, *, best: Any = "min") -> None:
        """Check what is saved, and make no folder."""
        self.folder: Final = UNKNOWN
        self._session = session
        self._saver = saver.Saver.__new__(saver.Saver)
        vars(self._saver).update(_make_folder=_Nowhere())
        is_session = has_unknown(session) or isinstance(session, Session)
        saved = real.Session.__new__(real.Session) if is_session else session
        known = _ANY_FOLDER if has_unknown(folder) else folder, _number(keep, 1)
        saver.Saver.__init__(self._saver, saved, *known, best="min" if has_unknown(best) else best)
        vars(self._saver).update(_lock=_Nowhere())

    def __getattr__(self, name: str) -> Any:
        raise UnknownNameError(saver.Saver, name)

    def save(self, step: Any, metric: Any = None, *, metadata: Any = None) -> Any:
        """Check the number of the checkpoint, and what is saved along."""
        self._saver.save(_number(step), _number(metric), metadata=None if has_unknown(metadata) else metadata)
        if isinstance(self._session, Session):
            self._session.refuse_closed()
        return UNKNOWN

    def latest(self) -> Any:
        """Nothing is known of the file."""
        return UNKNOWN

    best = checkpoints = latest

    def restore(self, path: Any = None) -> Any:
        """Nothing is known of what is restored, or whether there is anything."""
        del path
        self.may_have_run()
        return UNKNOWN

    def on_trial(self) -> Callable[[], object]:
        """Begin what is undone later by what this returns."""
        return bool

    def may_have_run(self) -> None:
        """Note that the session may have been restored."""
        if isinstance(self._session, Session):
            self._session.may_have_run()


def _tag(tag: Any) -> Any:
    return _ANY_TAG if tag is UNKNOWN else tag


def _number(value: Any, any_number: int = 0) -> Any:
    """What is known of an argument; any number, if not enough is."""
    return any_number if has_unknown(value) else bare(value)


_guard(__name__)
