"""The example of a denoiser: an open mask leaves the signal, and a learned one removes noise of other signals."""

from __future__ import annotations

import numpy as np
import stft_denoiser

import typegrad as tg


def test_an_open_mask_leaves_the_signal() -> None:
    scope = tg.Scope(tg.Graph())
    model = stft_denoiser.Denoiser(scope)
    noisy, clean = stft_denoiser.signals(0, 2)
    opened = model.threshold.assign(scope, np.full(33, -1000, np.float32))
    with tg.Session(scope.graph) as session:
        session.run(opened)
        same, loss = session.run([model.denoised, model.loss(scope)], {model.noisy: noisy, model.clean: clean})
    inside = slice(stft_denoiser.FRAME, -stft_denoiser.FRAME)
    np.testing.assert_allclose(same[:, inside], noisy[:, inside], atol=1e-5)
    np.testing.assert_allclose(loss, np.mean((noisy - clean)[:, inside] ** 2), 1e-4)


def test_noise_is_removed() -> None:
    result = stft_denoiser.train()
    assert result.losses[-1] < result.losses[0] / 2
    before, after = (stft_denoiser.decibels(signal, result.clean) for signal in (result.noisy, result.denoised))
    assert after > before + 6
