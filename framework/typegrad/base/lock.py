"""A lock that any number of readers share and one writer has alone, which no interrupt leaves locked."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from inspect import currentframe
from threading import Lock, get_ident
from types import FrameType
from typing import Final, Generic, Protocol, TypeVar, TypeVarTuple, final

from typegrad.base.errors import FailedPreconditionError

__all__ = ["Journal", "SharedLock", "begin_to_help", "helped_thread"]

_Ts = TypeVarTuple("_Ts")
_R = TypeVar("_R")

_PATIENCE: Final = 0.05
"""After how many seconds a thread that waits looks whether those before it are still there. Who leaves in order wakes
the next."""


_J = TypeVar("_J", bound="Journal")


class Journal(Protocol):
    """What is restored if a write does not finish."""

    def undo(self) -> None:
        """Restore it. After an interrupt, it is called again."""
        ...


_HELPED: Final = ContextVar("typegrad_helped", default=0)
"""The thread that this one works for, 0 if it is on its own."""


def helped_thread() -> int:
    """The thread whose calls these are: a finalizer in a helper interrupts what the helper works for."""
    return _HELPED.get() or get_ident()


def begin_to_help(thread: int) -> None:
    """From now on, calls in this context are calls of `thread`."""
    _HELPED.set(thread)


@final
class _Place:
    """A place in the queue. It is valid for as long as `frame`, the call that took it, is executing."""

    __slots__ = ("bell", "frame", "is_exclusive", "thread")

    def __init__(self, frame: FrameType | None, is_exclusive: bool) -> None:
        assert frame is not None, "this Python has no frames"
        self.frame = frame
        self.is_exclusive = is_exclusive
        self.thread = helped_thread()
        self.bell: Lock | None = None

    def is_abandoned(self) -> bool:
        """Whether the call is over: `clear` refuses a frame that is executing, in whatever thread."""
        try:
            self.frame.clear()
        except RuntimeError:
            return False
        return True

    def ring(self) -> None:
        """Wake the thread, if it waits."""
        if self.bell is not None:
            with suppress(RuntimeError):  # it has been woken already
                self.bell.release()


@final
class SharedLock(Generic[_J]):
    """`shared` runs an action beside other readers, `exclusive` runs it alone. First come, first served.

    An exclusive action that must happen as a whole calls `begin` with a journal before it changes anything, and
    `commit` when all is changed. If it ends in between, for whatever reason, the journal is undone before anyone else
    has the lock.

    The state of the lock is one queue of places: a place has the lock if those before it are readers as it is, or if
    there are none. An interrupt, between any two steps of any of these functions, can only leave a place behind whose
    call is over, and whoever comes to it then undoes its journal and removes it. Nothing waits for a thread's own
    place, so a signal handler or a finalizer may interrupt a call and come here again: it acts under the place that its
    thread has already.
    """

    def __init__(self) -> None:
        """A lock that nobody holds."""
        self._queue: deque[_Place] = deque()
        self.journal: _J | None = None
        """The journal of a write that has begun and is not committed."""

    @property
    def calls(self) -> int:
        """How many calls have the lock or wait for it."""
        return len(self._queue)

    def shared(self, action: Callable[[*_Ts], _R], *args: *_Ts) -> _R:
        """What `action` returns, run while nobody has the lock alone.

        Within a write of this thread it runs at once, and finds the `journal` there.
        """
        return self._hold(False, action, *args)

    def exclusive(self, action: Callable[[*_Ts], _R], *args: *_Ts) -> _R:
        """What `action` returns, run while nobody else has the lock.

        Raises:
            FailedPreconditionError: This very thread reads, or is in the middle of a write.
        """
        return self._hold(True, action, *args)

    def begin(self, journal: _J) -> None:
        """From now on the exclusive action that calls this is undone unless it reaches `commit`."""
        self._settle()
        self.journal = journal

    def commit(self) -> None:
        """Keep what was done since `begin`."""
        self.journal = None

    def refuse_within_write(self) -> None:
        """A `FailedPreconditionError` if this thread has the lock and is in the middle of a write."""
        if self.journal is not None:
            raise FailedPreconditionError(
                "this session is in the middle of a step of this very thread, which a signal handler or a "
                "finalizer has interrupted, and nothing can run before the step ends; set a flag here, and run "
                "after session.run has returned (session.save and session.value work here: they show the state "
                "before the step)"
            )

    def _hold(self, is_exclusive: bool, action: Callable[[*_Ts], _R], *args: *_Ts) -> _R:
        queue = self._queue
        if queue:
            outer = self._own()
            if outer is not None:
                return self._within(outer, is_exclusive, action, *args)
        place = _Place(currentframe(), is_exclusive)
        queue.append(place)
        try:
            if queue[0] is not place:
                self._bury(self._wait(place))
            return action(*args)
        finally:
            self._leave(place)
            del place  # which has this frame, which has it

    def _own(self) -> _Place | None:
        """The place of a call of this thread that this one interrupts."""
        thread = helped_thread()
        for place in self._queue.copy():
            if place.thread == thread and not place.is_abandoned():
                return place
        return None

    def _within(self, outer: _Place, is_exclusive: bool, action: Callable[[*_Ts], _R], *args: *_Ts) -> _R:
        if is_exclusive and not outer.is_exclusive:
            raise FailedPreconditionError(
                "this session is in the middle of a run of this very thread that reads variables, which a signal "
                "handler or a finalizer has interrupted, and none can be written before it ends; set a flag here, "
                "and run after session.run has returned"
            )
        self._wait(outer)
        if not is_exclusive:
            return action(*args)
        self.refuse_within_write()
        try:
            return action(*args)
        finally:
            self._settle()

    def _wait(self, place: _Place) -> list[_Place]:
        """Wait for the turn of a place; return the abandoned places before it."""
        abandoned = self._abandoned_before(place)
        if abandoned is None:
            place.bell = bell = Lock()
            bell.acquire()
            while (abandoned := self._abandoned_before(place)) is None:
                bell.acquire(timeout=_PATIENCE)
        return abandoned

    def _abandoned_before(self, place: _Place) -> list[_Place] | None:
        """The abandoned places before this one, if it is its turn; else None.

        With an abandoned place before it, it is the turn of the first that is not abandoned, and of this one alone.
        """
        abandoned: list[_Place] = []
        for other in self._queue.copy():
            if other is place:
                break
            if other.is_abandoned():
                abandoned.append(other)
            elif other.is_exclusive or place.is_exclusive or abandoned:
                return None
        return abandoned

    def _bury(self, abandoned: list[_Place]) -> None:
        if abandoned:
            self._settle()
            for place in abandoned:
                self._remove(place)
            self._wake()

    def _settle(self) -> None:
        """Undo a write that did not finish."""
        if self.journal is not None:
            self.journal.undo()
            self.journal = None

    def _leave(self, place: _Place) -> None:
        if self.journal is not None and place.is_exclusive and self._abandoned_before(place) is not None:
            self._settle()
        self._remove(place)
        if self._queue:
            self._wake()

    def _remove(self, place: _Place) -> None:
        try:
            self._queue.remove(place)
        except ValueError:
            return  # it is not there any more

    def _wake(self) -> None:
        """Wake those whose turn it is."""
        for number, place in enumerate(self._queue.copy()):
            if place.is_exclusive and number:
                break
            place.ring()
            if place.is_exclusive:
                break
