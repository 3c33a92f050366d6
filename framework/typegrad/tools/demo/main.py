"""The demo: train, attack, train against the attack, and show what changed."""

from __future__ import annotations

import time
from pathlib import Path

from tqdm import tqdm

from typegrad.op import core
from typegrad.tools.demo.digits import Digits, load
from typegrad.tools.demo.experiment import PERTURBATION, Experiment, Result
from typegrad.tools.demo.picture import draw

__all__ = ["run"]


def run(epochs: int, seed: int, output: Path) -> None:
    """Train for `epochs` on clean digits, then as long on adversarial ones, too; print a table, write a picture."""
    start = time.perf_counter()
    output.mkdir(parents=True, exist_ok=True)
    training, test = load(seed)
    experiment = Experiment(seed)
    _train(experiment, experiment.plain_step, training, epochs, seed, "on clean digits")
    before = experiment.evaluate(test)
    _train(experiment, experiment.adversarial_step, training, epochs, seed, "on adversarial, too")
    after = experiment.evaluate(test)
    picture = output / "adversarial-digits.png"
    draw(before, after, picture)
    print(_table(before, after))
    print(f"{experiment.parameters:,} parameters, {len(experiment.graph)} operations in one graph")
    print(f"{len(training):,} digits to train on, {len(test)} to test on; pixels from 0 to 1 move by {PERTURBATION}")
    print(f"{time.perf_counter() - start:.1f} seconds, picture in {picture}")


def _train(experiment: Experiment, step: core.NoOp, digits: Digits, epochs: int, seed: int, title: str) -> None:
    with tqdm(total=epochs, desc=f"Training {title:20}", unit="epoch") as bar:
        experiment.train(step, digits, epochs, seed, bar.update)


def _table(before: Result, after: Result) -> str:
    rows = [("Recognized", "clean", "adversarial")] + [
        (name, f"{result.accuracy:.1%}", f"{result.adversarial_accuracy:.1%}")
        for name, result in (("before adversarial training", before), ("after adversarial training", after))
    ]
    return "\n".join(f"{name:28}{clean:>8}{adversarial:>14}" for name, clean, adversarial in rows)
