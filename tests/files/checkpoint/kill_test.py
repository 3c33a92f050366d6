"""Kill a process with SIGKILL while it saves, at a random moment, again and again; look at what it left each time.

    python tests/files/checkpoint/kill_test.py --times 200

There must always be a checkpoint, the real `safetensors` package must read it, and all its variables and its random
state must be of one and the same step, no older than the last one whose saving was seen to end.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import seed, uniform
from typing import Final

import numpy as np
import safetensors.numpy

import typegrad as tg
from typegrad.op import core, random

VARIABLES: Final = 8
ELEMENTS: Final = 20_000
KEEP: Final = 2
LONGEST: Final = 0.03
"""Seconds until the kill: a few times what a save takes."""


def build() -> tuple[tg.Graph, list[tg.Operation]]:
    """Variables that all count steps, and a random operation that each step runs."""
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    ones = core.Constant.create(scope, np.ones(ELEMENTS, np.float32))
    noise = random.RandomUniform.create(scope.with_name("noise"), [2], tg.TFloat32)
    variables = [tg.Variable.create(scope.with_name(f"v{i}"), np.zeros(ELEMENTS, np.float32)) for i in range(VARIABLES)]
    steps = [variable.assign_add(scope, ones).op for variable in variables]
    seen = tg.Variable.create(scope.with_name("seen"), np.zeros(2, np.float32))
    return graph, [*steps, seen.assign(scope, noise).op]


def train(folder: Path, report: int, *, with_saver: bool) -> None:
    """Train and save at every step, and report each step that was saved, until killed."""
    graph, step = build()
    session = tg.Session(graph)
    saver = tg.Saver(session, folder, keep=KEEP) if with_saver else None
    number = 0
    while True:
        number += 1
        session.run(step)
        if saver:
            saver.save(number)
        else:
            session.save(folder / "model.safetensors")
        os.write(report, number.to_bytes(4, "little"))


def kill_once(folder: Path, *, with_saver: bool) -> int:
    """Train in a process of its own, kill it some time after it saved first, and return the last step it reported."""
    receive, report = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            train(folder, report, with_saver=with_saver)
        finally:
            os._exit(1)
    os.close(report)
    reported = os.read(receive, 4)
    time.sleep(uniform(0, LONGEST))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the training ended by itself"
    while more := os.read(receive, 4096):
        reported += more
    os.close(receive)
    return int.from_bytes(reported[-4:], "little")


def check(folder: Path, reported: int, *, with_saver: bool) -> int:
    """The step of the checkpoint in `folder`; an `AssertionError` if it is not whole."""
    graph, _ = build()
    session = tg.Session(graph)
    if with_saver:
        saver = tg.Saver(session, folder, keep=KEEP)
        assert KEEP - 1 <= len(saver.checkpoints()) <= KEEP + 1 or reported < KEEP
        path = saver.latest()
        assert path is not None
        assert sorted(saver.checkpoints()) == sorted(folder.iterdir()), "something was left behind"
    else:
        path = folder / "model.safetensors"
    session.restore(path)
    values = safetensors.numpy.load_file(path)
    step = int(values["v0"][0])
    for variable in graph.variables:
        if variable.name != "seen":
            assert (session.value(variable) == step).all() and (values[variable.name] == step).all(), variable.name
    assert session.random_state.counts == {"noise": (step, 0)}
    assert step in (reported, reported + 1), f"step {step} was found, but {reported} was reported"
    return step


def kill_many(times: int) -> Counter[str]:
    """Kill so many times; how many kills left an unfinished file, how many a step that was not reported yet."""
    outcomes: Counter[str] = Counter()
    for i in range(times):
        with_saver = bool(i % 2)
        folder = Path(tempfile.mkdtemp(prefix="typegrad-kill-"))
        try:
            reported = kill_once(folder, with_saver=with_saver)
            outcomes["kills"] += 1
            outcomes["unfinished file left"] += any(folder.glob(".*.tmp"))
            outcomes["new file not reported yet"] += check(folder, reported, with_saver=with_saver) > reported
        finally:
            shutil.rmtree(folder)
    return outcomes


def main() -> None:
    """Read the arguments, kill, and say what was found."""
    parser = argparse.ArgumentParser(description="Kill a process while it saves, again and again.")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    seed(arguments.seed)
    outcomes = kill_many(arguments.times)
    print(", ".join(f"{count} {kind}" for kind, count in outcomes.items()))
    print("every time: a loadable checkpoint, whole, and no older than the last that was reported")


if __name__ == "__main__":
    main()
