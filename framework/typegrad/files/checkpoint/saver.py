"""`Saver`: a folder that keeps the last checkpoints and the best one."""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, final

from attrs import frozen

from typegrad.arguments.paths import as_path
from typegrad.base.brief import counted, quoted
from typegrad.base.errors import CheckpointError
from typegrad.base.lock import SharedLock
from typegrad.files.checkpoint.atomic import remove_abandoned
from typegrad.files.checkpoint.contents import read_metadata

if TYPE_CHECKING:
    from typegrad.session.session import Session

__all__ = ["Saver"]

KEY: Final = "typegrad.saver"
"""The metadata keys of a checkpoint's number and its metric."""

_ORDER_LIMIT: Final = 2**53
"""Far above any number of checkpoints, and read exactly by every reader of JSON."""

_STEP_LIMIT: Final = 10**18
_NAME: Final = re.compile(r"step-(\d{8,18})\.safetensors", re.ASCII)


@frozen
class _Checkpoint:
    """One checkpoint of the folder."""

    path: Path
    step: int
    order: int
    """How many checkpoints were saved before it."""
    metric: float | None


@final
class Saver:
    """Saves checkpoints `step-00000100.safetensors` of a session in a folder; keeps the last few and the best.

    All that a saver knows is in the files themselves: a new saver on the same folder continues where a killed one was.
    "Last" is what was saved last, whatever its step: training that continues from an earlier step saves new
    checkpoints, not old ones. Files in the folder that have other names, are not sound or cannot be read are passed
    over and never removed.

        saver = tg.Saver(session, "checkpoints", keep=3)
        start = saver.restore() or 0
        for step in range(start, 1000):
            ...
            saver.save(step + 1, metric=loss)
    """

    def __init__(
        self, session: Session, folder: str | PathLike[str], keep: int = 5, *, best: Literal["min", "max"] = "min"
    ) -> None:
        """Make the folder if there is none, and remove what killed savers have left unfinished.

        Args:
            session: What is saved and restored.
            folder: Where the checkpoints are.
            keep: How many checkpoints to keep, the best one not counted; at least 1.
            best: Whether the best metric is the least or the greatest.

        Raises:
            CheckpointError: `keep` is less than 1.
        """
        if keep < 1:
            raise CheckpointError(f"a Saver keeps at least 1 checkpoint, not {keep}")
        self.folder: Final = as_path(folder, "folder", CheckpointError)
        self._session = session
        self._keep = keep
        self._sign = 1 if best == "min" else -1
        self._lock = SharedLock[Any]()
        self._make_folder()

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        remove_abandoned(self.folder, "step-*.safetensors")

    def __repr__(self) -> str:
        kept = counted(self._keep, "checkpoint")
        return f"<Saver of {self._session!r}: {kept} and the best in {str(self.folder)!r}>"

    def save(self, step: int, metric: float | None = None, *, metadata: Mapping[str, str] | None = None) -> Path:
        """Save the session at `step`, then remove the checkpoints that are neither among the last nor the best.

        Args:
            step: The number in the file's name; a checkpoint of the same step is replaced.
            metric: What `best` compares. Without one, or if it is not a number (NaN), this checkpoint is never the
                best.
            metadata: Text to save along.

        Returns:
            The file.

        Raises:
            CheckpointError: The step is negative, or the session cannot be saved.
        """
        number = operator.index(step)
        if not 0 <= number < _STEP_LIMIT:
            raise CheckpointError(
                f"a step is an integer from 0 to 10**18 - 1; this one is {'less' if number < 0 else 'more'}"
            )
        path = self.folder / f"step-{number:08d}.safetensors"
        value = None if metric is None or math.isnan(metric) else float(metric)
        self._lock.exclusive(self._save, path, value, metadata or {})
        return path

    def _save(self, path: Path, metric: float | None, metadata: Mapping[str, str]) -> None:
        order = 1 + max((saved.order for saved in self._saved()), default=-1)
        if order >= _ORDER_LIMIT:
            raise CheckpointError(f"{quoted(str(self.latest()))} says that no checkpoint can come after it; remove it")
        place = json.dumps({"order": order, "metric": metric})
        self._session.save(path, metadata={**metadata, KEY: place})
        self._remove_old()

    def latest(self) -> Path | None:
        """The checkpoint that was saved last; None if there is none."""
        checkpoints = self._saved()
        return checkpoints[-1].path if checkpoints else None

    def best(self) -> Path | None:
        """The checkpoint with the best metric, the earliest of several; None if there is no checkpoint.

        Raises:
            CheckpointError: There are checkpoints, but none has a metric.
        """
        checkpoints = self._saved()
        best = self._best(checkpoints)
        if checkpoints and best is None:  # else `restore(best())` would restore the latest
            raise CheckpointError(
                f"no checkpoint in {quoted(str(self.folder))} has a metric; saver.save(step, metric) stores one, and "
                "saver.latest() is the last checkpoint"
            )
        return best.path if best else None

    def checkpoints(self) -> list[Path]:
        """All checkpoints, in the order in which they were saved."""
        return [saved.path for saved in self._saved()]

    def restore(self, path: str | PathLike[str] | None = None) -> int | None:
        """Restore the session from the latest checkpoint, or from the one at `path`.

        Returns:
            The checkpoint's step. None if there is no checkpoint, and then nothing changed.

        Raises:
            CheckpointError: The checkpoint does not fit the session, or `path` is not named as a checkpoint of a saver.
        """
        chosen = self.latest() if path is None else as_path(path, "path", CheckpointError)
        if chosen is None:
            return None
        name = _NAME.fullmatch(chosen.name)
        if name is None:
            raise CheckpointError(
                f"{quoted(str(chosen))} is not named step-NUMBER.safetensors; session.restore takes any name"
            )
        self._session.restore(chosen)
        return int(name[1])

    def _saved(self) -> list[_Checkpoint]:
        """The sound checkpoints of the folder, in the order in which they were saved."""
        checkpoints = []
        for path in self.folder.iterdir():
            name = _NAME.fullmatch(path.name)
            if name:
                try:
                    checkpoints.append(_Checkpoint(path, int(name[1]), *_place(read_metadata(path))))
                except (CheckpointError, OSError):
                    continue  # not a checkpoint, not readable, or just removed by another saver
        return sorted(checkpoints, key=lambda saved: (saved.order, saved.step))

    def _best(self, checkpoints: list[_Checkpoint]) -> _Checkpoint | None:
        measured = [(self._sign * saved.metric, saved) for saved in checkpoints if saved.metric is not None]
        return min(measured, key=lambda pair: pair[0])[1] if measured else None

    def _remove_old(self) -> None:
        checkpoints = self._saved()
        best = self._best(checkpoints)
        for saved in checkpoints[: -self._keep]:
            if saved is not best:
                with suppress(OSError):  # the next save tries again
                    saved.path.unlink()


def _place(metadata: Mapping[str, str]) -> tuple[int, float | None]:
    """The order and metric in a file's metadata; the first, and none, for a file that no saver has made."""
    try:
        place: object = json.loads(metadata.get(KEY, "{}"))
    except (ValueError, RecursionError):
        raise CheckpointError("a saver has not written this") from None
    order, metric = (place.get("order", -1), place.get("metric")) if isinstance(place, dict) else (None, None)
    is_metric = metric is None or (isinstance(metric, float) and not math.isnan(metric))
    if type(order) is not int or not -1 <= order < _ORDER_LIMIT or not is_metric:
        raise CheckpointError("a saver has not written this")
    return order, metric
