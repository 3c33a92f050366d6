"""The examples show what they claim, with StopGradient and without it."""

from __future__ import annotations

import adversarial_training
import boltzmann_machine
import gaussian_mixture
import numpy as np
import stable_softmax
import three_weights


def test_only_w1_learns() -> None:
    history = three_weights.train(stop=True)
    for name in ("w2", "w3"):
        assert (history.weights[name] == history.weights[name][0]).all()
    product = history.weights["w2"][0] * history.weights["w3"][0]
    np.testing.assert_allclose(history.weights["w1"][-1], product, atol=1e-4)


def test_without_stop_gradient_the_teachers_learn_too() -> None:
    history = three_weights.train(stop=False)
    assert all(np.abs(value[-1] - value[0]).max() > 0.1 for value in history.weights.values())


def test_the_shifted_softmax_does_not_overflow() -> None:
    inputs = np.array([[1000, 999], [500, 500]], np.float32)
    plain, _, _ = stable_softmax.evaluate(inputs, shift=False)
    value, derivative, operations = stable_softmax.evaluate(inputs)
    _, _, more_operations = stable_softmax.evaluate(inputs, stop=False)
    assert np.isnan(plain).all()
    np.testing.assert_allclose(value, [1 / (1 + np.exp(-1)), 0.5], rtol=1e-6)
    np.testing.assert_allclose(derivative[1], [0.25, -0.25], rtol=1e-6)
    assert operations < more_operations


def test_gradient_m_steps_agree_with_the_closed_form() -> None:
    data = gaussian_mixture.flowers()
    ours, exact = gaussian_mixture.fit(data, stop=True), gaussian_mixture.fit_in_closed_form(data)
    assert (np.diff(ours.likelihoods) >= -1e-12).all()
    np.testing.assert_allclose(ours.likelihoods[-1], exact.likelihoods[-1], atol=1e-6)
    np.testing.assert_allclose(ours.means, exact.means, atol=1e-3)
    np.testing.assert_allclose(ours.weights, exact.weights, atol=1e-3)


def test_without_stop_gradient_the_likelihood_falls() -> None:
    mixture = gaussian_mixture.fit(gaussian_mixture.flowers(), stop=False, steps=3000)
    assert (np.diff(mixture.likelihoods) < -1e-9).any()


def test_the_gradient_of_the_free_energies_is_the_textbooks_update() -> None:
    images = boltzmann_machine.digits()
    for steps in (1, 3):
        result = boltzmann_machine.train(images, steps=steps, epochs=2)
        assert result.difference < 1e-5 and result.errors[1] < result.errors[0]
    assert boltzmann_machine.train(images, stop=False, epochs=1).difference > 1e-2


def test_adversarial_training_makes_robust() -> None:
    results = adversarial_training.compare(stop=True, epochs=15)
    plain, robust = results["clean training"], results["adversarial training"]
    assert plain.clean > 0.9 and robust.clean > 0.9
    assert robust.own > plain.own + 0.1 and robust.borrowed > plain.borrowed
    without = adversarial_training.Classifier(adversarial=True, stop=False)
    assert without.operations > 1.4 * robust.operations
