"""A denoiser that works on the short-time Fourier transform: it learns which frequencies of which frames to keep.

Tones that glide fill few frequencies of a frame, and noise fills all of them. The spectrum of each frame is multiplied
by a mask, sigmoid(slope (log power - threshold)), with a slope and a threshold for each frequency, and the inverse
transform makes a signal of it. The loss is the squared error of that signal: its gradient flows through the sum of
overlapping frames, the inverse transform, the mask, and the transform, in which the powers are measured.

Batches, frames and frequencies are checked: mypy with `typegrad.mypy_plugin` proves the shapes, but for the shape that
the inverse transform returns, which is stated; its window is a function that only the program calls.

Source: Boll, "Suppression of acoustic noise in speech using spectral subtraction" (1979), whose rule is learned here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NewType, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad import functions
from typegrad.op import core, math
from typegrad.training.optimizers import Adam

STEPS: Final = 60
SAMPLES: Final = 1024
FRAME: Final = 64
HOP: Final = 16
NOISE: Final = 0.5

Batch = NewType("Batch", int)

Floats = NDArray[np.float32]
Signals: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[1024]]]
Powers: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Literal[64], Literal[33]]]


class Denoiser:
    """Slopes and thresholds for each frequency, and the signals that they make of noisy ones."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start with a mask of 1/2 for frequencies of power 1."""
        self.slope = tg.Variable.create(scope.with_name("slope"), np.full(FRAME // 2 + 1, 0.5, np.float32))
        self.threshold = tg.Variable.create(scope.with_name("threshold"), np.zeros(FRAME // 2 + 1, np.float32))
        self.noisy = core.Placeholder.create(scope, tg.TFloat32, (Batch, SAMPLES))
        self.clean = core.Placeholder.create(scope, tg.TFloat32, (Batch, SAMPLES))
        self.spectra = functions.stft(scope, self.noisy, FRAME, HOP, pad_end=True)
        self.mask = self._mask(scope)
        self.denoised = self._denoised(scope)

    def _mask(self, scope: tg.Scope) -> Powers:
        """The share of each frequency of each frame that is kept."""
        power = math.Square.create(scope, math.ComplexAbs.create(scope, self.spectra))
        return math.Sigmoid.create(scope, self.slope * (math.Log.create(scope, power + 1e-6) - self.threshold))

    def _denoised(self, scope: tg.Scope) -> Signals:
        """The signals of the masked spectra; the last frames go beyond the end, which is cut."""
        kept = self.spectra * tg.Ops.create(scope).dtypes.complex(self.mask, 0.0)
        window = functions.inverse_stft_window_fn(HOP)
        return functions.inverse_stft(scope, kept, FRAME, HOP, window_fn=window)[:, :SAMPLES]

    def loss(self, scope: tg.Scope) -> tg.Operand[tg.TFloat32, tuple[()]]:
        """The mean of the squared errors, but for the ends, where fewer frames overlap."""
        inside = slice(FRAME, SAMPLES - FRAME)
        return math.Mean.create(scope, math.SquaredDifference.create(scope, self.denoised, self.clean)[:, inside])


@dataclass(frozen=True)
class Result:
    """The losses of all steps, and of other signals the noisy, the denoised and the clean ones, with the mask."""

    losses: list[float]
    noisy: Floats
    denoised: Floats
    clean: Floats
    mask: Floats


def signals(seed: int, count: int) -> tuple[Floats, Floats]:
    """Pairs of tones that glide and swell, with noise and without."""
    rng = np.random.default_rng(seed)
    time = np.linspace(0, 1, SAMPLES)
    clean = np.zeros((count, SAMPLES))
    for _ in range(2):
        start, end, phase, swell = (
            rng.uniform(low, high, (count, 1)) for low, high in ((20, 150), (20, 150), (0, 6), (1, 4))
        )
        clean += (
            np.sin(2 * np.pi * (start + (end - start) * time / 2) * time + phase) * np.sin(np.pi * swell * time) ** 2
        )
    return (clean + NOISE * rng.standard_normal(clean.shape)).astype(np.float32), clean.astype(np.float32)


def decibels(signal: Floats, clean: Floats) -> float:
    """The ratio of signal to noise, but for the ends."""
    inside = slice(FRAME, SAMPLES - FRAME)
    noise = np.mean((signal - clean)[:, inside] ** 2)
    return float(10 * np.log10(np.mean(clean[:, inside] ** 2) / noise))


def train(steps: int = STEPS) -> Result:
    """Learn the mask from some signals, and denoise others."""
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    model = Denoiser(scope)
    loss = model.loss(scope)
    step = Adam(graph, 0.1).minimize(loss)
    noisy, clean = signals(1, 16)
    other, truth = signals(2, 8)
    with tg.Session(graph) as session:
        losses = [float(session.run([loss, step], {model.noisy: noisy, model.clean: clean})[0]) for _ in range(steps)]
        denoised, mask = session.run([model.denoised, model.mask], {model.noisy: other})
    return Result(losses, other, denoised, truth, mask)


def draw(result: Result) -> Any:
    """Spectrograms of one signal: noisy, denoised and clean; and the mask."""
    figure, axes = plt.subplots(1, 4, figsize=(14, 3.5), sharey=True, layout="constrained")
    panels = (("noisy", result.noisy), ("denoised", result.denoised), ("clean", result.clean))
    for axis, (title, signal) in zip(axes, panels, strict=False):
        axis.specgram(signal[0], NFFT=FRAME, Fs=SAMPLES, noverlap=FRAME - HOP, vmin=-70, vmax=-20)
        axis.set(
            title=f"{title}: {decibels(signal, result.clean):.1f} dB" if title != "clean" else title, xlabel="seconds"
        )
    axes[3].imshow(result.mask[0].T, origin="lower", aspect="auto", extent=(0, 1, 0, SAMPLES / 2), vmin=0, vmax=1)
    axes[3].set(title="mask", xlabel="seconds")
    axes[0].set(ylabel="hertz")
    return figure


def main() -> None:
    """Train, print how much noise is left, and draw the spectra."""
    options = arguments(__doc__, stops=False)
    result = train()
    print(f"squared error: {result.losses[0]:.4f} at first, {result.losses[-1]:.4f} at last")
    before, after = (decibels(signal, result.clean) for signal in (result.noisy, result.denoised))
    print(f"signals that were not trained on: {before:.1f} dB with noise, {after:.1f} dB denoised")
    save(draw(result), options.output, "stft-denoiser")


if __name__ == "__main__":
    main()
