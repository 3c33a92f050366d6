"""Kernels of `ops/ctc.yaml`: sums over alignments, in logarithms, for all labels and a whole batch at once.

A label sequence is extended by blanks: one at the start, and one after each label. An alignment goes through the
extended sequence; with `alpha`, the probability to be at a place after a step, and `beta`, the probability of all that
follows, step by step. The kernels write into arrays, so they run on NumPy only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from typegrad.base.brief import counted
from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.beams import best_paths
from typegrad.kernels.namespace import Array, Namespace


def ctc_loss(
    xp: Namespace,
    inputs: Array,
    labels_indices: Array,
    labels_values: Array,
    sequence_length: Array,
    *,
    preprocess_collapse_repeated: bool,
    ctc_merge_repeated: bool,
    ignore_longer_outputs_than_inputs: bool,
) -> tuple[Array, Array]:
    """The loss where the last class is the blank."""
    blank = inputs.shape[2] - 1
    labels = _labels(labels_indices, labels_values, sequence_length, inputs.shape)
    if not ignore_longer_outputs_than_inputs:
        labels.check_lengths()
    labels = labels.ended(labels.values >= blank, f"the last of {blank + 1} classes, {blank}, is the blank")
    if preprocess_collapse_repeated:
        labels = labels.collapsed()
    return _loss(inputs, labels, blank, ctc_merge_repeated)


def ctc_loss_v2(
    xp: Namespace,
    inputs: Array,
    labels_indices: Array,
    labels_values: Array,
    sequence_length: Array,
    *,
    preprocess_collapse_repeated: bool,
    ctc_merge_repeated: bool,
    ignore_longer_outputs_than_inputs: bool,
) -> tuple[Array, Array]:
    """The loss where the first class is the blank."""
    classes = inputs.shape[2]
    if labels_values.size and labels_values.max() >= classes:
        raise InvalidArgumentError(f"`labels_values` has {labels_values.max()}, but the number of classes is {classes}")
    labels = _labels(labels_indices, labels_values, sequence_length, inputs.shape)
    if not ignore_longer_outputs_than_inputs:
        labels.check_lengths()
    labels = labels.ended(labels.values == 0, "class 0 is the blank")
    if preprocess_collapse_repeated:
        labels = labels.collapsed()
    return _loss(inputs, labels, 0, ctc_merge_repeated)


class _Labels(NamedTuple):
    """The labels of a batch, one after the other, and the steps of each sequence."""

    owners: Array
    """The element of the batch that each label belongs to."""
    values: Array
    steps: Array
    ignored: Array
    """The elements of the batch with more labels than steps."""

    def counts(self) -> Array:
        """The number of labels of each element."""
        return np.bincount(self.owners, minlength=len(self.steps))

    def check_lengths(self) -> None:
        """Refuse more labels than steps."""
        if self.ignored.any():
            wrong = int(np.argmax(self.ignored))
            raise InvalidArgumentError(
                f"element {wrong} of the batch has {counted(self.counts()[wrong], 'label')}, but "
                f"{counted(self.steps[wrong], 'step')}; "
                "give it more steps, or set ignore_longer_outputs_than_inputs=True"
            )

    def ended(self, is_end: Array, reason: str) -> _Labels:
        """The labels before the first one of each element that ends it; `reason` says which labels do."""
        follows = (self.owners[1:] == self.owners[:-1]) & is_end[:-1] & ~is_end[1:]
        if follows.any():
            wrong = int(np.argmax(follows)) + 1
            owner, end, label = self.owners[wrong], self.values[wrong - 1], self.values[wrong]
            raise InvalidArgumentError(
                f"element {owner} of the batch has label {label} after {end}, which ends the labels: {reason}"
            )
        return self._chosen(~is_end)

    def collapsed(self) -> _Labels:
        """The labels that differ from the one before."""
        is_new = (self.owners[1:] != self.owners[:-1]) | (self.values[1:] != self.values[:-1])
        return self._chosen(np.concatenate([np.ones(min(len(self.values), 1), bool), is_new]))

    def _chosen(self, which: Array) -> _Labels:
        return self._replace(owners=self.owners[which], values=self.values[which])

    def extended(self, blank: int) -> tuple[Array, Array]:
        """The extended sequences, [batch, places], and the length of each."""
        counts = self.counts()
        places = np.arange(len(self.values)) - np.repeat(np.cumsum(counts) - counts, counts)
        result = np.full((len(counts), 2 * counts.max(initial=0) + 1), blank)
        result[self.owners, 2 * places + 1] = self.values
        return result, 2 * counts + 1


def _labels(indices: Array, values: Array, steps: Array, shape: tuple[int, ...]) -> _Labels:
    """The labels, which must be in order, and at least one for each element of the batch."""
    time, batch, _ = shape
    check_steps(steps, time)
    if steps.min() < 0:
        raise InvalidArgumentError(f"`sequence_length` has {steps.min()}, but must be from 0 to {time}")
    owners, positions = indices[:, 0], indices[:, 1]
    if values.size and values.min() < 0:
        raise InvalidArgumentError(f"`labels_values` has {values.min()}, but labels are not negative")
    outside = indices[(owners < 0) | (owners >= batch) | (positions < 0)]
    if outside.size:
        raise InvalidArgumentError(
            f"`labels_indices` has {outside[0].tolist()}, but must be a sequence in [0, {batch}) and a place from 0 up"
        )
    is_later = (owners[1:] > owners[:-1]) | ((owners[1:] == owners[:-1]) & (positions[1:] > positions[:-1]))
    if not is_later.all():
        wrong = int(np.argmin(is_later)) + 1
        raise InvalidArgumentError(
            f"`labels_indices` must ascend, but has {indices[wrong].tolist()} after {indices[wrong - 1].tolist()}"
        )
    counts = np.bincount(owners, minlength=batch)
    if not counts.all():
        raise InvalidArgumentError(f"element {int(np.argmin(counts))} of the batch has no labels; give it one or more")
    return _Labels(owners, values, steps, counts > steps)


def check_steps(steps: Array, time: int) -> None:
    """Refuse sequences that are longer than the inputs."""
    if steps.max() > time:
        raise InvalidArgumentError(f"`sequence_length` has {steps.max()}, but `inputs` has {counted(time, 'step')}")


def log_softmax(x: Array) -> Array:
    """The log probabilities of the classes, which are last."""
    x = x - x.max(axis=-1, keepdims=True)
    result: Array = x - np.log(np.sum(np.exp(x), axis=-1, keepdims=True))
    return result


def _loss(inputs: Array, labels: _Labels, blank: int, is_merging: bool) -> tuple[Array, Array]:
    """The losses and their gradients."""
    logs = log_softmax(np.swapaxes(inputs, 0, 1))
    paths, lengths = labels.extended(blank)
    of_path = np.take_along_axis(logs, np.broadcast_to(paths[:, None], (*logs.shape[:2], paths.shape[1])), axis=2)
    moves = _Moves(paths, blank, is_merging)
    alphas, betas = moves.forward(of_path), moves.backward(of_path, lengths, labels.steps)
    rows = np.arange(len(paths))
    is_empty = labels.steps == 0
    log_p: Array = np.logaddexp.reduce(alphas[:, 0] + betas[:, 0], axis=1)
    is_inside = np.arange(len(inputs)) < labels.steps[:, None]
    is_possible = (log_p != -np.inf)[:, None, None]
    posterior = np.where(is_possible, np.exp(alphas + betas - log_p[:, None, None]), 0)
    by_class = np.zeros_like(logs)
    for place in range(paths.shape[1]):
        by_class[rows, :, paths[:, place]] += posterior[:, :, place]
    gradient = np.where(np.isnan(log_p)[:, None, None], np.nan, np.exp(logs) - by_class)
    is_used = np.logical_and(is_inside, ~labels.ignored[:, None])
    loss = np.where(labels.ignored | is_empty, 0, -log_p).astype(inputs.dtype)
    return loss, np.swapaxes(np.where(is_used[:, :, None], gradient, 0), 0, 1).astype(inputs.dtype)


class _Moves:
    """How alignments move from place to place of extended sequences, of all elements of a batch at once."""

    def __init__(self, paths: Array, blank: int, is_merging: bool) -> None:
        is_label = paths != blank
        skips = is_label.copy()
        skips[:, :2] = False
        if is_merging:
            skips[:, 2:] &= paths[:, 2:] != paths[:, :-2]
        self._stays = np.where(is_label & (not is_merging), -np.inf, 0)
        self._skips = np.where(skips, 0, -np.inf)

    def forward(self, of_path: Array) -> Array:
        """The log probability of the steps up to each one that end at each place, [batch, time, places]."""
        result = np.full(of_path.shape, -np.inf, of_path.dtype)
        result[:, 0, :2] = of_path[:, 0, :2]
        for step in range(1, of_path.shape[1]):
            last = result[:, step - 1]
            total = last + self._stays
            total[:, 1:] = np.logaddexp(total[:, 1:], last[:, :-1])
            total[:, 2:] = np.logaddexp(total[:, 2:], last[:, :-2] + self._skips[:, 2:])
            result[:, step] = total + of_path[:, step]
        return result

    def backward(self, of_path: Array, lengths: Array, steps: Array) -> Array:
        """The log probability of all steps after each one, from each place to the end, [batch, time, places]."""
        result = np.full(of_path.shape, -np.inf, of_path.dtype)
        places = np.arange(of_path.shape[2])
        ends = np.where((places < lengths[:, None]) & (places >= lengths[:, None] - 2), 0, -np.inf)
        for step in reversed(range(of_path.shape[1])):
            is_last = (steps == step + 1)[:, None]
            if step + 1 == of_path.shape[1]:
                result[:, step] = np.where(is_last, ends, -np.inf)
                continue
            following = result[:, step + 1] + of_path[:, step + 1]
            total = following + self._stays
            total[:, :-1] = np.logaddexp(total[:, :-1], following[:, 1:])
            total[:, :-2] = np.logaddexp(total[:, :-2], following[:, 2:] + self._skips[:, 2:])
            result[:, step] = np.where(is_last, ends, total)
        return result


def ctc_greedy_decoder(
    xp: Namespace, inputs: Array, sequence_length: Array, *, merge_repeated: bool, blank_index: int
) -> tuple[Array, ...]:
    """The class of the largest logit at each step, without blanks."""
    time, batch, classes = inputs.shape
    check_steps(sequence_length, time)
    chosen, starts = inputs.argmax(2), np.arange(0, inputs.size, classes).reshape(time, batch)
    largest = inputs.take(starts + chosen)
    if np.isnan(largest).any():  # `argmax` finds nan first, which is the largest only in front
        is_nan = np.isnan(inputs)
        chosen = np.where(is_nan[:, :, 0], 0, np.where(is_nan, -np.inf, inputs).argmax(2))
        largest = inputs.take(starts + chosen)
    is_inside = np.arange(time)[:, None] < sequence_length
    is_label = is_inside & (chosen != blank_index % classes)
    if merge_repeated:
        is_label[1:] &= chosen[1:] != chosen[:-1]
    places = np.flatnonzero(is_label.T)
    negative = -np.add.reduce(np.where(is_inside, largest, 0))
    return *_sparse(places // time, chosen.T.take(places), batch), negative[:, None].astype(inputs.dtype, copy=False)


def _sparse(owners: Array, values: Array, batch: int) -> tuple[Array, ...]:
    """Indices, values and shape of labels that are in the order of their owners."""
    counts = np.bincount(owners, minlength=batch)
    positions = np.arange(len(owners)) - (counts.cumsum() - counts).repeat(counts)
    indices = np.empty((len(owners), 2), np.int64)
    indices[:, 0], indices[:, 1] = owners, positions
    return indices, values.astype(np.int64, copy=False), np.array([batch, counts.max()], np.int64)


def ctc_beam_search_decoder(
    xp: Namespace,
    inputs: Array,
    sequence_length: Array,
    *,
    beam_width: int,
    top_paths: int,
    merge_repeated: bool,
) -> tuple[Array, ...]:
    """The best paths of each element of the batch."""
    time, batch, _ = inputs.shape
    check_steps(sequence_length, time)
    logs = log_softmax(inputs)
    results = [best_paths(logs[: max(steps, 0), b], beam_width) for b, steps in enumerate(sequence_length.tolist())]
    fewest = min(len(paths) for paths, _ in results)
    if fewest < top_paths:
        raise InvalidArgumentError(f"`top_paths` is {top_paths}, but a sequence has only {counted(fewest, 'path')}")
    made = [
        _sparse_paths([_merged(paths[rank]) if merge_repeated else paths[rank] for paths, _ in results], batch)
        for rank in range(top_paths)
    ]
    probabilities = np.array([totals[:top_paths] for _, totals in results], inputs.dtype)
    return *(each[part] for part in range(3) for each in made), probabilities


def _merged(labels: Array) -> Array:
    """Labels that differ from the one before."""
    result: Array = labels[np.concatenate([np.ones(min(len(labels), 1), bool), labels[1:] != labels[:-1]])]
    return result


def _sparse_paths(paths: list[Array], batch: int) -> tuple[Array, ...]:
    owners = np.repeat(np.arange(batch), [len(path) for path in paths])
    return _sparse(owners, np.concatenate(paths), batch)
