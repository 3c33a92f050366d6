"""What of objects is no state of the program: what is assigned while they are made, and the shapes of their arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences
from dry_run.preludes import BRANCHES

PRELUDE: Final = (
    BRANCHES
    + """
class Config:
    def __init__(self):
        self.n, self.kind = 8, "dense"
class Agent:
    def __init__(self, config):
        self.config, self.rows, self.rate, self.made = config, np.ones((4, 7), np.float32), 1, None
        self.settings = {name: value for name, value in config.__dict__.items()}
    def grow(self):
        self.rows += 1
        self.rate += 1
def product(n):
    return x @ np.zeros((n, 2), np.float32)
"""
)
WRONG: Final = {
    "settings of any name": """
def configured(options):
    config = Config()
    for name, value in options.items():
        if hasattr(config, name):
            setattr(config, name, value)
    return config
agent = Agent(configured({"n": 7}))
if unknown.flag:
    x @ np.zeros((agent.config.n, 2), np.float32)  # E: b is [7, 2]
""",
    "a setting": """
def configured():
    config = Config()
    config.n = 7
    return config
config = configured()
if unknown.flag:
    x @ np.zeros((config.n, 2), np.float32)  # E: b is [7, 2]
""",
    "the shape of an array that is added to": """
agent = Agent(Config())
if unknown.flag:
    session.run(y, {x: agent.rows})  # E: does not fit
""",
    "behind a branch that leaves, and another one": """
def learn(agent):
    if unknown.flag:
        return
    else:
        rows = agent.rows
    session.run(y, {x: rows})  # E: does not fit
learn(Agent(Config()))
""",
    "behind a branch beside one that leaves": """
def learn(agent):
    for _ in range(unknown.count):
        if unknown.flag:
            rows = agent.rows
        else:
            continue
        session.run(y, {x: rows})  # E: does not fit
learn(Agent(Config()))
""",
    "what objects of another class get": """
class Other:
    def learn(self):
        self.rows = right
agent = Agent(Config())
if unknown.flag:
    session.run(y, {x: agent.rows})  # E: does not fit
""",
    "a branch that is also followed behind another one": """
def act(agent, rate):
    if rng.random() < rate:
        action = 0
    else:
        action = session.run(y, {x: agent.rows})  # E: does not fit
    return action
def learn(agent):
    total = 0
    for step in range(unknown.count):
        if step == unknown.start:
            total = 0
        total += act(agent, unknown.rate)
    print(total)
learn(Agent(Config()))
""",
}
RIGHT: Final = {
    "what objects of its class get": """
class Own(Agent):
    def learn(self):
        if unknown.flag:
            session.run(y, {x: self.rows})
        self.rows = right
agent = Own(Config())
agent.learn()
agent.learn()
""",
    "what objects of a base get": """
class Base:
    def learn(self):
        self.rows = right
class Own(Base):
    rows = wrong
    def use(self):
        if unknown.flag:
            session.run(y, {x: self.rows})
agent = Own()
agent.use()
agent.learn()
agent.use()
""",
    "what another class takes from its class": """
class Other:
    def change(self):
        self.rows = right
class Own(Agent):
    change = Other.change
agent = Own(Config())
def use():
    if unknown.flag:
        session.run(y, {x: agent.rows})
use()
agent.change()
use()
""",
    "what a method of another class gives": """
class Other:
    def change(self):
        self.rows = right
agent = Agent(Config())
def use():
    if unknown.flag:
        session.run(y, {x: agent.rows})
use()
Other.change(agent)
use()
""",
    "what any object gets in a method": """
class Other:
    @staticmethod
    def change(agent):
        agent.rows = right
    def give(self):
        def f(self):
            self.rows = right
        return f
    def swap(self, agent):
        self = agent
        self.rate = 8
agent = Agent(Config())
def use():
    if unknown.flag:
        session.run(y, {x: agent.rows})
        product(agent.rate)
use()
Other().give()(agent)
Other.change(agent)
Other().swap(agent)
use()
""",
    "settings of an object that others have": """
made = []
def configured(options):
    config = Config()
    made.append(config)
    if unknown.flag:
        made[0].n == 8 or product(made[0].n)
    for name, value in options.items():
        setattr(config, name, value)
    return config
config = Config()
config.n = 7
def use(options):
    if unknown.flag:
        product(config.n)
    for name, value in options.items():
        setattr(config, name, value)
use({"n": 8})
""",
    "settings of an object that was given": """
def configured(config=None):
    if config is None:
        config = Config()
    setattr(config, unknown.name, 8)
    return config
config = Config()
config.n = 7
def use():
    if unknown.flag:
        product(config.n)
use()
configured(config)
""",
    "settings that are a dict": """
config = Config()
config.n = 7
def use(options):
    if unknown.flag:
        product(config.n)
    config.__dict__.update(options)
use({"n": 8})
""",
    "an array that is replaced": """
agent = Agent(Config())
def learn():
    if unknown.flag:
        session.run(y, {x: agent.rows})
    agent.rows = right
learn()
learn()
""",
    "a number that is added to": """
agent = Agent(Config())
def learn():
    if unknown.flag:
        product(agent.rate)
    agent.rate += 7
learn()
learn()
""",
    "behind branches that both go on": """
def learn(rows):
    if unknown.flag:
        rows = right
    else:
        print(rows)
        if unknown.other:
            return
    if len(rows) and unknown.fits:
        session.run(y, {x: rows})
learn(right)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_an_object_was_made_with_is_known(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_assigned_later_is_not(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])
