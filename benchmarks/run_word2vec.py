"""Compare a training step of word2vec with other installed libraries: `python benchmarks/run_word2vec.py`.

The model is the one in `docs/examples/word2vec.py`: the mean of the vectors of four words predicts the word between
them, against noise words, with plain gradient descent. All contenders train on the same batches, each on one thread,
with gradients that consist of rows, so the time of a step should not depend on the number of words. The table shows the
median time, and its ratio to typegrad's: above 1, typegrad is faster. The loss, averaged over the first steps, shows
that all of them learn equally; each draws its own noise words.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from statistics import fmean
from typing import Final, TypeAlias

from measuring import installed, measure, readable

Step: TypeAlias = Callable[[], float]
"""A step, which returns the loss."""

MODULES: Final = {library: f"contenders.word2vec_{library}" for library in ("typegrad", "tensorflow", "torch")}
VOCABULARIES: Final = (10_000, 1_000, 100_000)
STEPS: Final = 300
"""The number of steps to warm up, and to average the loss over."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the time of a step of word2vec.")
    parser.add_argument("--rounds", type=int, default=9, help="measurements of each contender (default: 9)")
    rounds = parser.parse_args().rounds
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ[f"{library}_NUM_THREADS"] = "1"  # the libraries, loaded below, read it
    contenders: dict[str, Callable[[int], Step]] = dict(installed(MODULES))
    works: dict[tuple[int, str], Step] = {
        (vocabulary, name): setup(vocabulary) for vocabulary in VOCABULARIES for name, setup in contenders.items()
    }
    losses = {key: _loss(work) for key, work in works.items()}
    times = measure(works, rounds)
    print(f"one thread each, median of {rounds} rounds\n")
    print(f"{'words':>7}  {'':22}{'steps/s':>9}{'a step':>11}{'ratio':>8}{'loss':>8}")
    for (vocabulary, name), seconds in times.items():
        ratio = seconds / times[vocabulary, "typegrad"]
        loss = losses[vocabulary, name]
        print(f"{vocabulary:7,}  {name:22}{1 / seconds:9.0f}{readable(seconds):>11}{ratio:8.2f}{loss:8.3f}")


def _loss(step: Step) -> float:
    return fmean(step() for _ in range(STEPS))


if __name__ == "__main__":
    main()
