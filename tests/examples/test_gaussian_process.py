"""The example of a Gaussian process: its likelihood and its curve are the textbook's, and learning finds the noise."""

from __future__ import annotations

import gaussian_process
import numpy as np
from scipy.stats import multivariate_normal

ASKED = np.linspace(-6, 6, 13)


def covariance(
    x: gaussian_process.Doubles, y: gaussian_process.Doubles, a: float, length: float
) -> gaussian_process.Doubles:
    return np.asarray(a**2 * np.exp(-((x[:, None] - y) ** 2) / (2 * length**2)))


def test_the_likelihood_and_the_curve_are_the_textbooks() -> None:
    x, y = gaussian_process.measurements()
    result = gaussian_process.fit(x, y, ASKED, steps=1)
    gram = covariance(x, x, 1, 1) + np.eye(len(x))
    np.testing.assert_allclose(result.likelihoods[0] * len(x), multivariate_normal(cov=gram).logpdf(y))
    a, length, noise = result.hyperparameters
    inverse = np.linalg.inv(covariance(x, x, a, length) + noise**2 * np.eye(len(x)))
    between = covariance(ASKED, x, a, length)
    np.testing.assert_allclose(result.mean, between @ inverse @ y)
    np.testing.assert_allclose(result.deviation**2, a**2 - np.sum(between @ inverse * between, 1), atol=1e-9)


def test_learning_finds_the_noise() -> None:
    x, y = gaussian_process.measurements()
    result = gaussian_process.fit(x, y, ASKED)
    assert result.likelihoods[-1] > result.likelihoods[0] + 0.5
    assert 0.15 < result.hyperparameters[2] < 0.3
    inside = (x.min() < ASKED) & (x.max() > ASKED)
    assert np.all(np.abs(result.mean - np.sin(1.5 * ASKED))[inside] < 3 * result.deviation[inside])
