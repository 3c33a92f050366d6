"""The loop of a training: the same numbers as by hand, whole or in parts."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, linalg, math
from typegrad.training import Progress, fit
from typegrad.training.data import Dataset
from typegrad.training.optimizers import GradientDescent

X: Final = np.linspace(-1, 1, 40, dtype=np.float32).reshape(20, 2)
Y: Final = (X @ np.array([[2], [-3]], np.float32)).astype(np.float32)
DATASET: Final = Dataset.from_arrays(X, Y).shuffle(0).batch(8)


class Line:
    """A straight line to be fitted."""

    def __init__(self) -> None:
        graph = tg.Graph()
        scope = tg.Scope(graph)
        self.x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))
        self.y = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 1))
        self.w = tg.Variable.create(scope, np.zeros((2, 1), np.float32))
        error = linalg.MatMul.create(scope, self.x, self.w.read(scope)) - self.y
        self.loss = math.Mean.create(scope, math.Square.create(scope, error))
        self.step = GradientDescent(graph, 0.1).minimize(self.loss)
        self.session = tg.Session(graph)

    def fit(self, dataset: Dataset[Any] = DATASET, **options: Any) -> Progress | None:
        return fit(self.session, self.step, dataset, (self.x, self.y), fetches=[self.loss], **options)

    def weights(self) -> bytes:
        return self.session.value(self.w).tobytes()


def test_an_epoch_without_elements_does_not_end() -> None:
    epochs = iter([[(X, Y)], [], [(X, Y)]])
    ended: list[tuple[int, int]] = []
    Line().fit(
        Dataset.from_iterable(lambda: next(epochs)), epochs=3, after_epoch=lambda at: ended.append((at.epoch, at.step))
    )
    assert ended == [(0, 1), (2, 2)]


def test_the_steps_are_those_of_a_loop_by_hand() -> None:
    line, by_hand = Line(), Line()
    seen: list[tuple[int, int, float]] = []
    ended: list[tuple[int, int]] = []
    last = line.fit(
        epochs=3,
        after_step=lambda at: seen.append((at.epoch, at.step, float(at.values[0]))),
        after_epoch=lambda at: ended.append((at.epoch, at.step)),
    )
    expected: list[tuple[int, int, float]] = []
    for epoch in range(3):
        for x, y in DATASET.epoch(epoch):
            _, loss = by_hand.session.run((by_hand.step, by_hand.loss), {by_hand.x: x, by_hand.y: y})
            expected.append((epoch, len(expected) + 1, float(loss)))
    assert seen == expected
    assert ended == [(0, 3), (1, 6), (2, 9)]
    assert line.weights() == by_hand.weights()
    assert last is not None
    assert (last.epoch, last.step, float(last.values[0])) == expected[-1]


def test_a_training_in_parts_is_that_of_a_whole() -> None:
    whole, parts = Line(), Line()
    whole.fit(epochs=4)
    parts.fit(epochs=1)
    parts.fit(epochs=4, first_epoch=1)
    assert parts.weights() == whole.weights()


def test_one_operand_is_fed_with_elements_that_are_arrays() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 2))
    total = tg.Variable.create(scope, np.float32(0))
    add = core.AssignAddVariableOp.create(scope, total.handle, math.Mean.create(scope, x))
    with tg.Session(scope.graph) as session:
        fit(session, add, Dataset.from_arrays(np.ones((5, 2), np.float32)).batch(2), x, epochs=2)
        assert session.value(total) == 6


def test_it_stops_where_a_function_says_so() -> None:
    line = Line()
    last = line.fit(epochs=9, after_step=lambda at: at.step == 4)
    assert last is not None and (last.epoch, last.step) == (1, 4)
    last = line.fit(epochs=9, after_epoch=lambda at: at.values[0] < 9)  # NumPy's own bool
    assert last is not None and (last.epoch, last.step) == (0, 3)


def test_no_other_answer_stops_it() -> None:
    last = Line().fit(epochs=2, after_step=lambda _: np.ones(3), after_epoch=lambda _: "yes")
    assert last is not None and last.step == 6


def test_a_step_without_effect_is_refused() -> None:
    line = Line()
    with pytest.raises(
        tg.GraphError,
        match=r"fit: Mean 'Mean' \(created at .*test_fit.py:\d+\) changes no variable; minimize\(loss\) of an opt",
    ):
        fit(line.session, line.loss.op, DATASET, (line.x, line.y), epochs=1)


@pytest.mark.parametrize(("epochs", "first_epoch"), [(2, 3), (-1, 0), (2, -1)])
def test_epochs_that_are_none_are_refused(epochs: int, first_epoch: int) -> None:
    message = rf"stops before epoch {epochs}, but begins with epoch {first_epoch}; .* are epochs=first_epoch \+ 2$"
    with pytest.raises(tg.AttributeValueError, match=message):
        Line().fit(epochs=epochs, first_epoch=first_epoch)


def test_nothing_to_do_is_no_progress() -> None:
    assert Line().fit(epochs=0) is None
    assert Line().fit(DATASET.map(lambda pair: pair), epochs=1) is not None


@pytest.mark.parametrize("dataset", [Dataset.from_arrays(X[:0], Y[:0]), DATASET.batch(99, drop_remainder=True)])
def test_a_dataset_without_elements_is_told(dataset: Dataset[Any]) -> None:
    says = r"^fit: the dataset has no elements, so no step was run; batch\(n, drop_remainder=True\) leaves none"
    with pytest.warns(UserWarning, match=says) as told:
        assert Line().fit(dataset, epochs=2, after_epoch=print) is None
    assert told[0].filename == __file__


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(
        tg.AttributeValueError, match=r"fit: an epoch of this dataset does not end; leave out repeat\(\)"
    ):
        Line().fit(DATASET.repeat(), epochs=1)
    with pytest.raises(tg.FeedError, match="fit: an element has 1 component, but is fed to 2 operands"):
        Line().fit(Dataset.from_arrays(X).batch(2), epochs=1)
    with pytest.raises(tg.FeedError, match="; make a tuple of its values, in the order of the feeds$"):
        Line().fit(Dataset.from_iterable([{"x": X, "y": Y}]), epochs=1)
