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
    prefixes, beam = _Prefixes(), [0]
    by_blank, by_label = np.zeros(1, logs.dtype), np.full(1, -np.inf, logs.dtype)
    for log in logs:
        total = np.logaddexp(by_blank, by_label)
        labels = np.array([prefixes.labels[number] for number in beam])
        places = {number: place for place, number in enumerate(beam)}
        parents = np.array([places.get(prefixes.parents[number], -1) for number in beam])
        # What each prefix becomes with one more label; the alignments that end with this label need a blank between.
        children = np.broadcast_to(total[:, None], (len(beam), len(log) - 1)).copy()
        has_label = labels >= 0
        children[has_label, labels[has_label]] = by_blank[has_label]
        is_child = parents >= 0
        own = parents[is_child], labels[is_child]
        from_parent = np.full(len(beam), -np.inf, logs.dtype)
        from_parent[is_child] = children[own]
        children[own] = -np.inf
        stay_label = np.where(has_label, np.logaddexp(by_label, from_parent) + log[labels], -np.inf)
        stay_blank = total + log[-1]
        stay = np.logaddexp(stay_blank, stay_label)
        children = _without_lost(total, stay, children + log[:-1], parents, labels, width).reshape(-1)
        candidates = np.concatenate([stay, children])
        kept = np.argsort(-candidates, kind="stable")[:width]
        kept = kept[(kept < len(beam)) | (candidates[kept] > -np.inf)]
        owners, added = np.divmod(kept - len(beam), max(len(log) - 1, 1))
        beam = [
            beam[place] if place < len(beam) else prefixes.number(beam[owner], label)
            for place, owner, label in zip(kept.tolist(), owners.tolist(), added.tolist(), strict=True)
        ]
        by_blank = np.concatenate([stay_blank, np.full(len(children), -np.inf, logs.dtype)])[kept]
        by_label = np.concatenate([stay_label, children])[kept]
    totals = np.logaddexp(by_blank, by_label)
    order = np.argsort(-totals, kind="stable")
    return [prefixes.path(beam[place]) for place in order], totals[order]


def _without_lost(total: Array, stay: Array, children: Array, parents: Array, labels: Array, width: int) -> Array:
    """The children of all prefixes but the lost ones, for places of parents in the beam, or -1.

    As in TensorFlow, prefixes take turns, the most probable one first, with their labels in order. A prefix is lost if
    it was pushed out of the beam, by `width` better ones, when its parent comes to its label before its own turn.
    """
    pool = np.concatenate([stay, children.reshape(-1)])
    cut = -np.inf if len(pool) <= width else np.partition(pool, len(pool) - width)[len(pool) - width]
    turns = np.argsort(np.argsort(-total, kind="stable"))
    may_be_lost = (parents >= 0) & (stay < cut) & (turns > turns[parents])
    if not (may_be_lost & (children.max(1, initial=-np.inf) >= cut)).any():
        return children
    lost = set[int]()
    for place in sorted(np.flatnonzero(may_be_lost).tolist(), key=lambda place: int(turns[parents[place]])):
        parent = int(parents[place])
        if parent in lost:
            continue
        before = stay, children[turns < turns[parent]], children[parent, : labels[place]]
        if sum(np.count_nonzero(each > stay[place]) for each in before) >= width:
            lost.add(place)
            children[place] = -np.inf
    return children
