"""Speech recognition in miniature: connectionist temporal classification learns which sounds are which letters.

Letters are spoken as tones that rise or fall, some fast, some slow, with pauses and noise. From the spectra of a signal
two convolutions compute a logit of each frame for each letter and for the blank. Which frames belong to which letter is
not given: the CTC loss is minus the logarithm of the probability of all alignments of the frames with the word. The
greedy decoder takes the best class of each frame; the beam search sums over the alignments of a word.

All dimensions are named: mypy with `typegrad.mypy_plugin` proves the shapes. A signal has 32 samples for each frame,
and the logits are transposed, because time comes first in CTC.

Source: Graves, Fernández, Gomez and Schmidhuber, "Connectionist temporal classification" (2006).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NewType, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad import functions, initializers
from typegrad.op import core, dtypes, linalg, math, nn
from typegrad.training.optimizers import Adam, CosineDecay

LETTERS: Final = "abcdef"  # "a" rises and "b" falls, both low; "c" and "d" are higher, "e" and "f" the highest
HOP: Final = 32
FRAMES: Final = 48
STEPS: Final = 150
BATCH: Final = 32

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Letters = NewType("Letters", int)

Floats = NDArray[np.float32]
Signals: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, tg.Times[Time, Literal[32]]]]
Spectra: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Time, Literal[33]]]
Logits: TypeAlias = tg.Operand[tg.TFloat32, tuple[Time, Batch, Literal[7]]]


@dataclass(frozen=True)
class Speech:
    """Words, with a signal of each, and with the number of its frames."""

    words: list[str]
    signals: Floats
    frames: NDArray[np.int32]

    @property
    def letters(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The letters as a sparse matrix: the word and the position of each, and its class."""
        places = [(row, column) for row, word in enumerate(self.words) for column in range(len(word))]
        return np.array(places), np.array([LETTERS.index(letter) for letter in "".join(self.words)], np.int32)


def speak(rng: np.random.Generator, count: int = BATCH) -> Speech:
    """Random words."""
    words = ["".join(rng.choice(list(LETTERS), rng.integers(2, 6))) for _ in range(count)]
    signals = 0.3 * rng.standard_normal((count, FRAMES * HOP)).astype(np.float32)
    frames = np.zeros(count, np.int32)
    for row, word in enumerate(words):
        start = 0
        for letter in word:
            start += HOP * int(rng.integers(1, 4))
            length = HOP * int(rng.integers(4, 7))
            band, falls = divmod(LETTERS.index(letter), 2)
            glide = np.linspace(0, 0.06, length)[:: -1 if falls else 1]
            signals[row, start : start + length] += np.sin(2 * np.pi * np.cumsum(0.08 + 0.12 * band + glide))
            start += length
        frames[row] = start // HOP
    return Speech(words, signals, frames)


class Recognizer:
    """Two convolutions over the spectra."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start at random."""
        normal = initializers.HeNormal()
        self.wide = tg.Variable.create(scope.with_name("wide"), normal(scope, (5, 1, 33, 32), tg.TFloat32))
        self.bias = tg.Variable.create(scope.with_name("bias"), np.zeros(32, np.float32))
        self.out = tg.Variable.create(scope.with_name("out"), normal(scope, (1, 1, 32, 7), tg.TFloat32))

    def spectra(self, scope: tg.Scope, signals: Signals) -> Spectra:
        """The logarithm of the power of each frequency of each frame."""
        amplitudes = math.ComplexAbs.create(scope, functions.stft(scope, signals, 2 * HOP, HOP, pad_end=True))
        return math.Log.create(scope, amplitudes * amplitudes + 0.1)

    def logits(self, scope: tg.Scope, spectra: Spectra) -> Logits:
        """The unnormalized log-probability of each letter and of the blank, which is the last class."""
        strides = (1, 1, 1, 1)
        hidden = nn.BiasAdd.create(
            scope, nn.Conv2d.create(scope, spectra[:, :, None], self.wide, strides, "SAME"), self.bias
        )
        logits = nn.Conv2d.create(scope, nn.Relu.create(scope, hidden), self.out, strides, "SAME")
        return linalg.Transpose.create(scope, logits[:, :, 0], (1, 0, 2))


@dataclass(frozen=True)
class Result:
    """The loss of each step; other words, as two decoders heard them, with edit distances; frames of the first word."""

    losses: list[float]
    words: list[str]
    heard: list[list[str]]
    edits: list[Floats]
    spectra: Floats
    probabilities: Floats


def spelled(places: NDArray[np.int64], classes: NDArray[np.int64]) -> list[str]:
    """The words of a sparse matrix of letters."""
    return ["".join(LETTERS[each] for each in classes[places[:, 0] == row]) for row in range(BATCH)]


def train(steps: int = STEPS) -> Result:
    """Learn from some words, and recognize others."""
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    signals = core.Placeholder.create(scope, tg.TFloat32, (Batch, tg.Times[Time, Literal[32]]))
    frames = core.Placeholder.create(scope, tg.TInt32, (Batch,))
    places = core.Placeholder.create(scope, tg.TInt64, (Letters, 2))
    classes = core.Placeholder.create(scope, tg.TInt32, (Letters,))
    model = Recognizer(scope)
    spectra = model.spectra(scope, signals)
    logits = model.logits(scope, spectra)
    loss = math.Mean.create(scope, nn.CtcLoss.create(scope, logits, places, classes, frames).loss)
    step = Adam(graph, CosineDecay(0.01, steps)).minimize(loss)

    greedy = nn.CtcGreedyDecoder.create(scope, logits, frames, merge_repeated=True)
    beam = nn.CtcBeamSearchDecoder.create(scope, logits, frames, beam_width=8, top_paths=1, merge_repeated=False)
    decoded = (
        (greedy.decoded_indices, greedy.decoded_values, greedy.decoded_shape),
        (beam.decoded_indices[0], beam.decoded_values[0], beam.decoded_shape[0]),
    )
    truth = places, dtypes.Cast.create(scope, classes, tg.TInt64), (BATCH, 5)
    softmax = nn.Softmax.create(scope, logits)
    edits = [core.EditDistance.create(scope, *each, *truth, normalize=False) for each in decoded]

    def feeds(speech: Speech) -> tg.Feeds:
        where, what = speech.letters
        return {signals: speech.signals, frames: speech.frames, places: where, classes: what}

    rng = np.random.default_rng(0)
    with tg.Session(graph) as session:
        losses = [float(session.run([loss, step], feeds(speak(rng)))[0]) for _ in range(steps)]
        speech = speak(rng)
        heard = [spelled(*session.run(each[:2], feeds(speech))) for each in decoded]
        distances = session.run(edits, feeds(speech))
        shown, probabilities = session.run((spectra, softmax), feeds(speech))
    first = slice(speech.frames[0])
    return Result(losses, speech.words, heard, distances, shown[0, first], probabilities[first, 0])


def draw(result: Result) -> Any:
    """One word: its spectra, the probabilities of the classes, and what was heard."""
    figure, axes = plt.subplots(1, 2, figsize=(11, 3.4), layout="constrained")
    axes[0].imshow(result.spectra.T, origin="lower", aspect="auto")
    axes[0].set(title=f"spectra of {result.words[0]}", xlabel="frame", ylabel="frequency")
    for letter, probabilities in zip((*LETTERS, "blank"), result.probabilities.T, strict=True):
        axes[1].plot(probabilities, label=letter, color="0.8" if letter == "blank" else None)
    axes[1].set(title=f"probabilities, heard as {result.heard[0][0]}", xlabel="frame")
    axes[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def main() -> None:
    """Train, print what was heard, and draw a word."""
    options = arguments(__doc__, stops=False)
    result = train()
    print(f"loss: {result.losses[0]:.2f} at first, {result.losses[-1]:.2f} at last")
    print("spoken:", *result.words[:8])
    for name, heard, edits in zip(("greedy", "beam search"), result.heard, result.edits, strict=True):
        right = np.mean([word == truth for word, truth in zip(heard, result.words, strict=True)])
        print(f"{name}:", *heard[:8], f"... {right:.0%} of the words right, {np.mean(edits):.2f} edits per word")
    save(draw(result), options.output, "ctc-speech")


if __name__ == "__main__":
    main()
