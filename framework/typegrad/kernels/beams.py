"""A search for the most probable label sequences, by a beam of prefixes."""

from __future__ import annotations

import numpy as np

from typegrad.kernels.namespace import Array


class _Prefixes:
    """A tree of label sequences: each one is another, its parent, and a label. Number 0 is the empty one."""

    def __init__(self) -> None:
        self.parents, self.labels = [-1], [-1]
        self._numbers: dict[tuple[int, int], int] = {}

    def number(self, parent: int, label: int) -> int:
        """The number of a sequence, which is added if it is new."""
        new = self._numbers.setdefault((parent, label), len(self.labels))
        if new == len(self.labels):
            self.parents.append(parent)
            self.labels.append(label)
        return new

    def path(self, number: int) -> Array:
        """The labels of a sequence."""
        labels = []
        while number:
            labels.append(self.labels[number])
            number = self.parents[number]
        return np.array(labels[::-1], np.int64)


def best_paths(logs: Array, width: int) -> tuple[list[Array], Array]:
    """The most probable label sequences for log probabilities [time, classes]; the last class is the blank.

    Each prefix has two probabilities: of the alignments that end with a blank, and of those that end with its label.
    """
    prefixes, beam = _Prefixes(), np.array([0])
    by_blank, by_label = np.zeros(1, logs.dtype), np.full(1, -np.inf, logs.dtype)
    for log in logs:
        total = np.logaddexp(by_blank, by_label)
        labels, parents = (np.array(each)[beam] for each in (prefixes.labels, prefixes.parents))
        # What each prefix becomes with one more label; the alignments that end with this label need a blank between.
        children = np.broadcast_to(total[:, None], (len(beam), len(log) - 1)).copy()
        has_label = labels >= 0
        children[has_label, labels[has_label]] = by_blank[has_label]
        places = np.full(len(prefixes.labels) + 1, -1)
        places[beam] = np.arange(len(beam))
        is_child = places[parents] >= 0
        from_parent = np.full(len(beam), -np.inf, logs.dtype)
        from_parent[is_child] = children[places[parents[is_child]], labels[is_child]]
        children[places[parents[is_child]], labels[is_child]] = -np.inf
        stay_label = np.where(has_label, np.logaddexp(by_label, from_parent) + log[labels], -np.inf)
        stay_blank = total + log[-1]
        stay = np.logaddexp(stay_blank, stay_label)
        children = _without_lost(total, stay, children + log[:-1], places[parents], labels, width).reshape(-1)
        candidates = np.concatenate([stay, children])
        kept = np.argsort(-candidates, kind="stable")[:width]
        kept = kept[(kept < len(beam)) | (candidates[kept] > -np.inf)]
        owners, added = np.divmod(kept - len(beam), max(len(log) - 1, 1))
        is_old, numbers = kept < len(beam), beam
        beam = np.array(
            [
                numbers[place] if old else prefixes.number(int(numbers[owner]), int(label))
                for place, old, owner, label in zip(kept, is_old, owners, added, strict=True)
            ]
        )
        by_blank = np.concatenate([stay_blank, np.full(len(children), -np.inf, logs.dtype)])[kept]
        by_label = np.concatenate([stay_label, children])[kept]
    totals = np.logaddexp(by_blank, by_label)
    order = np.argsort(-totals, kind="stable")
    return [prefixes.path(int(number)) for number in beam[order]], totals[order]


def _without_lost(total: Array, stay: Array, children: Array, parents: Array, labels: Array, width: int) -> Array:
    """The children of all prefixes but the lost ones, for places of parents in the beam, or -1.

    As in TensorFlow, prefixes take turns, the most probable one first, with their labels in order. A prefix is lost if
    it was pushed out of the beam, by `width` better ones, when its parent comes to its label before its own turn.
    """
    pool = np.concatenate([stay, children.reshape(-1)])
    cut = -np.inf if len(pool) <= width else np.partition(pool, len(pool) - width)[len(pool) - width]
    may_be_lost = (parents >= 0) & (stay < cut) & (children.max(1, initial=-np.inf) >= cut)
    if not may_be_lost.any():
        return children
    order = np.argsort(-total, kind="stable")
    turns, is_lost, leaves = np.argsort(order), np.zeros(len(total), bool), stay
    for place in order:
        if is_lost[place]:
            children[place] = -np.inf
            continue
        for own in np.flatnonzero((parents == place) & (turns > turns[place])):
            before = np.concatenate([leaves, children[place, : labels[own]]])
            is_lost[own] = np.count_nonzero(before > stay[own]) >= width
        leaves = np.concatenate([leaves, children[place]])
    return children
