"""The demo: fooled, then trained not to be; the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import typegrad as tg
from typegrad.tools.cli import main

pytest.importorskip("matplotlib")
pytest.importorskip("sklearn")
pytest.importorskip("tqdm")

from typegrad.op import core
from typegrad.tools.demo.attack import fast_gradient_sign
from typegrad.tools.demo.digits import PIXELS, load
from typegrad.tools.demo.experiment import PERTURBATION, Experiment, Result
from typegrad.tools.demo.network import Network, mean_loss


def train(seed: int, epochs: int = 12) -> tuple[Result, Result]:
    training, test = load(seed)
    experiment = Experiment(seed)
    experiment.train(experiment.plain_step, training, epochs, seed, lambda: None)
    before = experiment.evaluate(test)
    experiment.train(experiment.adversarial_step, training, epochs, seed, lambda: None)
    return before, experiment.evaluate(test)


def test_adversarial_training_helps() -> None:
    before, after = train(seed=1)
    assert before.accuracy > 0.93 and after.accuracy > 0.93
    assert before.adversarial_accuracy < 0.4
    assert after.adversarial_accuracy > before.adversarial_accuracy + 0.2


def test_adversarial_examples_are_near_the_digits() -> None:
    result, _ = train(seed=2, epochs=1)
    assert result.adversarial.min() >= 0 and result.adversarial.max() <= 1
    moved = np.abs(result.adversarial - result.digits.images).max()
    assert moved == pytest.approx(PERTURBATION, rel=1e-6)


def test_the_same_seed_gives_the_same_numbers() -> None:
    first, second = (train(seed=3, epochs=1)[1] for _ in range(2))
    assert first.adversarial.tobytes() == second.adversarial.tobytes()
    assert first.predicted_adversarial.tobytes() == second.predicted_adversarial.tobytes()


def test_no_gradient_flows_through_the_making_of_the_examples() -> None:
    scope = tg.Scope(tg.Graph(seed=0))
    images = core.Placeholder.create(scope, tg.TFloat32, shape=(None, PIXELS))
    labels = core.Placeholder.create(scope, tg.TInt32, shape=(None,))
    network = Network(scope, (PIXELS, 10))
    loss = mean_loss(scope, network.logits(scope, images), labels)
    adversarial = fast_gradient_sign(scope, images, loss, 0.1)
    adversarial_loss = mean_loss(scope, network.logits(scope, adversarial), labels)
    assert tg.gradients(scope, adversarial_loss, (images,)) == (None,)
    assert None not in tg.gradients(scope, adversarial_loss, scope.graph.trainable_variables)


def test_the_command_prints_a_table_and_writes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--epochs", "1", "--seed", "4", "--output", str(tmp_path / "new" / "folder")]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[0].split() == ["Recognized", "clean", "adversarial"]
    assert "before adversarial training" in printed.out and "after adversarial training" in printed.out
    assert "Training on clean digits" in printed.err
    picture = tmp_path / "new" / "folder" / "adversarial-digits.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 20_000
