"""Word vectors: reading the gradient of the embedding does not change the training.

A CBOW model of word2vec predicts a word from the mean of the vectors of the words around it. In a well-known question,
computing the gradient of the loss for the embedding, only to look at it, changed the training loss. Here the gradient
is computed, fetched, and used at every step to perturb the context vectors adversarially (behind StopGradient, so that
the attack is not learned), and the training loss is the same bit for bit: a random operation's numbers depend on the
graph's seed and its own name, and a run that writes no state has no effect on later runs.

The gradient of a table from which rows were gathered consists of these rows. So the cost of a step of sampled softmax
depends on the rows it reads, not on the number of words. Parts can be fixed by `var_list` or by StopGradient.

Source: Mikolov et al., "Efficient estimation of word representations in vector space" (2013); Jean et al., "On using
very large target vocabulary" (2015), for sampled softmax. Data: documentation strings and comments of the Python
installation that runs this.
"""

from __future__ import annotations

import re
import sysconfig
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, final

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, nn
from typegrad.training.optimizers import GradientDescent

VOCABULARY, SIZE, WINDOW, BATCH, NOISE, LEARNING_RATE, EPSILON = 10_000, 128, 2, 128, 64, 1.0, 0.1

Floats = tg.Operand[tg.TFloat32]
Words = NDArray[np.int64]
Frozen = Literal["nothing", "by var_list", "by StopGradient"]


@dataclass(frozen=True)
class Text:
    """The vocabulary, most frequent words first ("?" for all rare words), and the text as indices into it."""

    vocabulary: list[str]
    words: Words

    def batches(self, steps: int, window: int = WINDOW) -> Iterator[tuple[Words, Words]]:
        """Contexts [batch, 2 window] and the words in their middle [batch], drawn at random from a fixed seed."""
        rng = np.random.default_rng(0)
        around = np.array([offset for offset in range(-window, window + 1) if offset])
        for _ in range(steps):
            centers = rng.integers(window, len(self.words) - window, BATCH)
            yield self.words[centers[:, None] + around], self.words[centers]


def read_text(vocabulary: int = VOCABULARY, files: int | None = None) -> Text:
    """The English in Python's standard library."""
    pattern = re.compile(r'"""((?s:.*?))"""|# (.*)')
    words: list[str] = []
    sources = (
        file for file in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")) if "site-packages" not in file.parts
    )
    for number, file in enumerate(sources):
        if files is not None and number == files:
            break
        for docstring, comment in pattern.findall(file.read_text("utf-8", "ignore")):
            words += re.findall(r"[a-z]+", (docstring or comment).lower())
    known = ["?", *(word for word, _ in Counter(words).most_common(vocabulary - 1))]
    number_of = {word: number for number, word in enumerate(known)}
    return Text(known, np.array([number_of.get(word, 0) for word in words]))


@final
class Model:
    """The graph and its session."""

    def __init__(
        self, vocabulary: int, *, sampled: bool = True, frozen: Frozen = "nothing", read_gradient: bool = False
    ) -> None:
        """Build everything; `read_gradient` adds the gradient for the embedding, and the loss on perturbed contexts."""
        graph = tg.Graph(seed=0)
        scope = tg.Scope(graph)
        self.context = core.Placeholder.create(scope.with_name("context"), tg.TInt64, (None, 2 * WINDOW))
        self.center = core.Placeholder.create(scope.with_name("center"), tg.TInt64, (None,))
        initial = functions.uniform(scope.with_name("initial"), (vocabulary, SIZE), -0.5 / SIZE, 0.5 / SIZE)
        self.embedding = tg.Variable.create(scope.with_name("embedding"), initial)
        self.output = tg.Variable.create(scope.with_name("output"), np.zeros((vocabulary, SIZE), np.float32))
        self.bias = tg.Variable.create(scope.with_name("bias"), np.zeros(vocabulary, np.float32))
        self._sampled = sampled

        vectors: Floats = self.embedding.gather(scope, self.context)
        if frozen == "by StopGradient":
            vectors = core.StopGradient.create(scope, vectors)
        self.loss = self._loss(scope.with_sub_scope("training"), vectors)
        self.reading: list[Floats] = self._reading(scope.with_sub_scope("reading"), vectors) if read_gradient else []
        trained = [self.output, self.bias] if frozen == "by var_list" else None
        self.step = GradientDescent(graph, LEARNING_RATE).minimize(self.loss, trained)
        self.session = tg.Session(graph)

    def train(self, text: Text, steps: int) -> list[float]:
        """The loss of each step; the operands to read are fetched in each, too."""
        losses: list[float] = []
        for context, center in text.batches(steps):
            values = self.session.run(
                [self.loss, *self.reading, self.step], {self.context: context, self.center: center}
            )
            losses.append(float(values[0]))
        return losses

    def vectors(self) -> NDArray[Any]:
        """The embedding, each vector of length 1."""
        value = self.session.value(self.embedding)
        vectors: NDArray[Any] = value / np.linalg.norm(value, axis=1, keepdims=True)
        return vectors

    def _loss(self, scope: tg.Scope, vectors: Floats) -> Floats:
        with scope:
            hidden = math.Mean.create(scope, vectors, 1)
            entropy = self._sampled_entropy(scope, hidden) if self._sampled else self._full_entropy(scope, hidden)
            return math.Mean.create(scope, entropy)

    def _full_entropy(self, scope: tg.Scope, hidden: Floats) -> Floats:
        """The cross-entropy over all words."""
        logits = linalg.MatMul.create(scope, hidden, self.output, transpose_b=True)
        logits_with_bias = nn.BiasAdd.create(scope, logits, self.bias)
        return nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits_with_bias, self.center).loss

    def _sampled_entropy(self, scope: tg.Scope, hidden: Floats) -> Floats:
        """The cross-entropy over the right word and words sampled by frequency, corrected for their probabilities."""
        words = self.embedding.shape.as_ints()[0]
        center = self.center[:, None]
        return functions.sampled_softmax_loss(scope, self.output, self.bias, center, hidden, NOISE, words)

    def _reading(self, scope: tg.Scope, vectors: Floats) -> list[Floats]:
        """The rows of the embedding's gradient, and the loss with each context vector moved along its gradient."""
        (rows,) = tg.gradients(scope, self.loss, [self.embedding])
        assert isinstance(rows, tg.IndexedSlices)
        direction = tg.grad(scope, self.loss, vectors)
        with scope:
            squares = core.Sum.create(scope, direction * direction, -1, keep_dims=True)
            unit = direction * math.Rsqrt.create(scope, squares + 1e-12)
            moved = vectors + core.StopGradient.create(scope, unit * EPSILON)
            return [rows.values, self._loss(scope, moved)]


def neighbours(text: Text, vectors: NDArray[np.float32], word: str, count: int = 6) -> list[str]:
    """The words with the most similar vectors."""
    closeness = vectors @ vectors[text.vocabulary.index(word)]
    return [text.vocabulary[number] for number in np.argsort(-closeness)[1 : count + 1]]


def draw(curves: dict[str, list[float]]) -> Any:
    """Smoothed losses; the loss with the gradient read is dashed on top of the loss without."""
    figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
    for (name, losses), style in zip(curves.items(), ("-", "k--", "-"), strict=False):
        width = max(1, len(losses) // 50)
        axis.plot(np.convolve(losses, np.ones(width) / width, "valid"), style, label=name)
    axis.set(xlabel="step", ylabel="training loss")
    axis.legend()
    return figure


def main() -> None:
    """Train with and without reading the gradient, compare, print neighbours, freeze parts, train a full softmax."""
    options = arguments(__doc__)
    text = read_text()
    print(f"{len(text.words):,} words, vocabulary of {len(text.vocabulary):,}")
    start = perf_counter()
    plain, reading = Model(VOCABULARY), Model(VOCABULARY, read_gradient=True)
    curves = {"plain": plain.train(text, 15_000)}
    print(
        f"sampled softmax: loss {np.mean(curves['plain'][-500:]):.3f}, {15_000 / (perf_counter() - start):.0f} "
        "steps per second"
    )
    curves["gradient computed, fetched and used"] = reading.train(text, 15_000)
    same = curves["plain"] == curves["gradient computed, fetched and used"]
    print(f"reading the gradient at every step: losses are {'the same to the last bit' if same else 'DIFFERENT'}")
    vectors = plain.vectors()
    for word in ("file", "list", "true", "thread", "first", "must"):
        print(f"  {word:7} ~ {', '.join(neighbours(text, vectors, word))}")
    frozen: tuple[Frozen, ...] = ("nothing",) if options.without_stop_gradient else ("by var_list", "by StopGradient")
    for how in frozen:
        model = Model(VOCABULARY, frozen=how)
        before = model.session.value(model.embedding)
        model.train(text, 200)
        moved = int((model.session.value(model.embedding) != before).any(axis=1).sum())
        print(f"embedding frozen {how}: {moved} of {len(before):,} vectors moved")
    start = perf_counter()
    full = Model(VOCABULARY, sampled=False).train(text, 300)
    print(
        f"full softmax: loss {full[0]:.3f} to {np.mean(full[-50:]):.3f}, {300 / (perf_counter() - start):.0f} "
        "steps per second"
    )
    save(draw(curves), options.output, "word2vec")


if __name__ == "__main__":
    main()
