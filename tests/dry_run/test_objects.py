"""Attributes of classes and objects, by `__dict__` and `vars` too, and objects that `__new__` and metaclasses make."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
import argparse, types
def five(n):
    return x[:, :5] @ np.zeros((n, 2), np.float32)
class Box:
    pass
def changed(box):
    if unknown.flag:
        box.__dict__["n"] = 5
flag = unknown.flag
"""

PROGRAMS: Final = {
    "a class with attributes that a run knows": """
from random import random
class Config:
    units = 3
    rate = 0.1 if random() < 0.5 else 0.2
    name = "a" if random() < 0.5 or random() < 0.1 else "b"
    sizes = [units, units] if units else [each for each in range(2)]
x @ np.zeros((Config.sizes[1], 2), np.float32)  # E: inner dimensions differ: a is [Batch, 8], b is [3, 2]
""",
    "an object that runs a session in a loop": """
from typegrad.training.data import Dataset
class Model:
    def __init__(self):
        self.session = tg.Session(scope.graph)
    def fit(self, rows):
        for batch, _ in Dataset.from_arrays(rows, rows).batch(16):
            self.session.run(x, {x: batch})
    def predict(self, rows):
        return self.session.run(x, {x: rows})  # E: has shape [8], which does not fit [Batch, 8]
model = Model()
model.fit((np.random.default_rng(0).random((64, 8)) < 0.5).astype(np.float32))
model.predict(np.zeros(8, np.float32))
""",
    "a descriptor that keeps its variable in the object": """
class Param:
    def __init__(self, *shape):
        self.shape = shape
    def __set_name__(self, owner, name):
        self.name = name
    def __get__(self, obj, owner):
        if self.name not in obj.__dict__:
            obj.__dict__[self.name] = tg.Variable.create(scope, np.zeros(self.shape, np.float32))
        return obj.__dict__[self.name]
class Net:
    w = Param(8, 3)
    b = Param(4)
net = Net()
x @ net.w + net.b  # E: shapes [Batch, 3] and [4] do not broadcast
""",
    "attributes from keywords": """
class Config:
    def __init__(self, **options):
        self.__dict__.update(options)
config = Config(units=4)
five(config.units)  # E-five
""",
    "options of the command line": """
parser = argparse.ArgumentParser()
parser.add_argument("--units", type=int, default=4)
options = vars(parser.parse_args())
five(**{"n": options["units"]})  # E-five
""",
    "names in a namespace": """
box = types.SimpleNamespace(n=5)
vars(box)["n"] -= 1
five(box.n)  # E-five
""",
    "a key that is not there": """
box = Box()
box.n = 5
five(vars(box)["m"])  # E: there is no key 'm'
""",
    "one object of a class": """
class One:
    made = None
    def __new__(cls, n):
        if cls.made is None:
            cls.made = super().__new__(cls)
            cls.made.n = n
        return cls.made
One(4)
five(One(5).n)  # E-five
""",
    "base classes that are found by the class": """
class Module(object):
    def __init__(self, n=1):
        self.n = n
    def sized(self, more):
        return self.n + more
    @classmethod
    def make(cls, n):
        return cls(n)
class Layer(Module):
    def __init__(self, n):
        super(Layer, self).__init__(n=n)
    def sized(self):
        return super(Layer, self).sized(0)
    @classmethod
    def make(cls, n):
        return super(Layer, cls).make(n)
class Deep(Layer):
    def __init__(self, n):
        super(Layer, self).__init__()
        self.deep = super(unknown.Layer, self).n
five(Deep(5).sized() + 4)
five(Layer.make(4).sized())  # E-five
""",
    "objects without a constructor": """
class Layer:
    def __init__(self, n):
        self.n = n
    @classmethod
    def like(cls, other):
        made = cls.__new__(cls)
        made.__dict__.update(other.__dict__)
        made.n -= 1
        return made
five(Layer.like(Layer(5)).n)  # E-five
""",
    "a metaclass that counts": """
class Counting(type):
    def __call__(cls, *args, **kwargs):
        cls.count = getattr(cls, "count", 0) + 1
        made = super().__call__(*args, **kwargs)
        made.number = cls.count
        return made
class Layer(metaclass=Counting):
    def __init__(self, n, *, bias=True):
        self.n = n
five(Layer(5).n)
five(Layer(4, bias=False).n + Layer.count - 2)  # E-five
""",
    "a class that registers what it is given": """
class Module:
    def __init__(self):
        self.sizes = {}
    def __setattr__(self, name, value):
        if isinstance(value, int):
            self.sizes[name] = value
        super().__setattr__(name, value)
class Layer(Module):
    def __init__(self):
        super().__init__()
        self.n = 5
layer = Layer()
layer.n -= 1
five(layer.sizes["n"] + 1)
five(layer.n)  # E-five
""",
    "a class that keeps other values than it is given": """
class Half:
    def __init__(self, n):
        object.__setattr__(self, "n", n)
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value // 2)
half = Half(5)
five(half.n)
setattr(half, "n", 10)
five(half.n)
half.n = 8
five(half.n)  # E-five
""",
    "a class that registers those derived from it": """
class Layer:
    registry = {}
    n = 5
    def __init_subclass__(cls, *, name="", **kwargs):
        super().__init_subclass__(**kwargs)
        Layer.registry[name] = cls
class Wide(Layer, name="wide"): ...
class Narrow(Layer, name="narrow"):
    n = 4
five(Layer.registry["wide"].n)
five(Narrow.n)  # E-five
""",
    "a class that may be registered": """
class Layer:
    registry = []
    def __init_subclass__(cls):
        super().__init_subclass__()
        Layer.registry.append(cls)
for _ in range(4):
    class Wide(Layer): ...
if flag:
    class Other(Layer): ...
five(len(Layer.registry))
""",
    "a registry without a class": """
class Layer:
    registry = {}
    def __init_subclass__(cls, *, name):
        super().__init_subclass__()
        Layer.registry[name] = cls
class Square(Layer, name="square"): ...
Layer.registry["sqare"]()  # E: there is no key 'sqare'; did you mean 'square'?
""",
    "an attribute that may be set": """
box = Box()
box.n = 4
if flag:
    box.__dict__["n"] = 5
five(box.n)
five(vars(box)["n"])
""",
    "an attribute that a function may set": """
box = Box()
box.n = 4
changed(box)
five(box.n)
""",
    "an attribute that may be set by a name of the dict": """
box = Box()
box.n = 4
names = vars(box)
if flag:
    names["n"] = 5
five(box.n)
five(names["n"])
""",
    "a dict that code which is not followed has": """
box = Box()
box.n = 4
unknown.fill(vars(box))
five(box.n)
five(box.__dict__["n"])
""",
    "an object that code which is not followed has": """
box = Box()
box.n = 4
names = box.__dict__
unknown.fill(box)
five(names["n"])
five(names.get("n"))
for name, value in names.items():
    five(value)
if "m" not in names:
    five(4)
""",
    "keys that are not known": """
box = Box()
box.n = 4
for name in unknown.names:
    vars(box)[name] = 5
five(box.n)
""",
    "a dict that is an object's own": """
class Attributes(dict):
    def __init__(self, **items):
        super().__init__(**items)
        self.__dict__ = self
items = Attributes(n=4)
if flag:
    items["n"] = 5
five(items.n)
five(items.__dict__["n"])
five(vars(Attributes(n=5))["n"])
class Named(dict):
    pass
named = Named()
named.n = 4
if flag:
    vars(named)["n"] = 5
five(named.n)
five(vars(unknown.box)["n"])
""",
    "slots, modules, classes and the names of a function": """
class Slots:
    __slots__ = ("n",)
    n: int
def own():
    n = 5
    return five(vars()["n"])
if hasattr(Slots(), "__dict__"):
    five(4)
five(vars(Box).get("n", 5))
five(Box.__dict__.get("n", 5))
five(vars(types).get("n", 5))
own()
""",
    "attributes that are deleted": """
box = Box()
box.n = 4
del box.__dict__["n"]
if "n" in vars(box) or hasattr(box, "n"):
    five(box.n)
vars(box).clear()
vars(box).setdefault("n", 5)
five(box.n)
""",
    "objects of other classes": """
class Maker:
    def __new__(cls, kind):
        return object.__new__(kind)
class Pair(tuple):
    def __new__(cls, *items):
        return super().__new__(cls, items)
class Number(int):
    def __new__(cls, value):
        return super().__new__(cls, value + 1)
class Loose(unknown.Base):
    def __new__(cls, *args):
        made = super().__new__(cls)
        made.n = 5
        return made
box = Maker(Box)
box.n = 5
five(box.n)
five(len(Pair(1, 2, 3, 4, 5)))
five(Number(4))
five(Loose().n)
""",
    "base classes by the class and the object": """
class Root(object):
    def __init__(self, *args, **kwargs):
        super(Root, self).__init__(*args, **kwargs)
class Sized(Root):
    def __init__(self, n, **kwargs):
        super(Sized, self).__init__(**kwargs)
        self.n = n
    @classmethod
    def of(cls, n):
        return cls(n=n)
class Named(Root):
    def __init__(self, name, **kwargs):
        super(Named, self).__init__(**kwargs)
        self.name = name
class Model(Named, Sized):
    def __init__(self, **kwargs):
        super(Model, self).__init__(name="model", **kwargs)
    @classmethod
    def of(cls, n):
        base = super(Model, cls)
        return base.of(n)
five(Model(n=5).n)
five(Model.of(4).n)  # E-five
""",
    "a base class of which nothing is known": """
class Model:
    def __init__(self, n):
        self.n = n
model = Model(4)
super(unknown.Model, model).build()
five(model.n)
""",
    "constructors of Python's own that take nothing, and do nothing": """
class Named(type):
    def __init__(cls, *args):
        super().__init__(*args)
        cls.n = 5
class Model(metaclass=Named):
    def __init__(self, *args):
        super().__init__(*args)  # E: object.__init__() takes exactly one argument
        self.m = 5
five(Model.n)
five(Model().m)
Model(5)
""",
    "a constructor of Python's own": """
class Model:
    def __init__(self):
        super().__init__()
        self.n = 4
five(Model().n)  # E-five
""",
    "a metaclass that may keep objects": """
class Once(type):
    made = {}
    def __call__(cls, *args):
        if cls not in Once.made or flag:
            Once.made[cls] = super().__call__(*args)
        return Once.made[cls]
class Layer(metaclass=Once):
    def __init__(self, n):
        self.n = n
Layer(4)
five(Layer(5).n)
""",
    "a metaclass that makes classes": """
class Registered(type):
    made = {}
    def __new__(mcs, name, bases, space):
        made = super().__new__(mcs, name, bases, space)
        mcs.made[name] = made
        return made
class Layer(metaclass=Registered):
    n = 4
    def __call__(self, m):
        return five(self.n + m)
class Wide(Layer):
    n = 5
Registered.made["Wide"]()(0)
Layer()(0)  # E-five
""",
    "attributes that are deleted, and what is there then": """
from functools import cached_property
class Net:
    n = 5
    def __init__(self):
        self._size, self.n = 4, 4
    @cached_property
    def cached(self):
        return self._size
    @property
    def size(self):
        return self._size
    @size.deleter
    def size(self):
        self._size = 5
net = Net()
del net.n
five(net.n)
four = net.cached
del net.size, net.cached
five(net.size)
five(net.cached)
other = Net()
if unknown.flag:
    del other.n
five(other.n)
five(np.arange(12).reshape(3, 4).astype(np.int8).strides[0] + 1)
""",
    "classes of which only a run knows what they are made of": """
class Net(unknown.Module):
    def forward(self, n):
        return n
Net()(4).backward()
class Deep(unknown.Module):
    n = 4
    def build(self, n):
        return super().build(n).made
    @classmethod
    def make(cls):
        return super().make(3)
deep = Deep()
deep.build(3)
Deep.make().n
five(deep.n)
class Registered(type):
    def __new__(mcs, name, bases, space):
        return super().__new__(mcs, name, bases, space)
class Layer(metaclass=Registered):
    n = unknown.n
    def __call__(self, n):
        return n
class Wide(Layer):
    n = 5
Wide()(4)
five(Wide.n)
""",
}
_FIVE: Final = "# E: inner dimensions differ: a is [Batch, 5], b is [4, 2]"


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    """`five(n)` is right for 5 alone, and its error is in that function."""
    is_wrong = "# E-five" in PROGRAMS[name]
    prelude = PRELUDE.replace("np.float32)\nclass", f"np.float32)  {_FIVE}\nclass") if is_wrong else PRELUDE
    wrong = differences(tmp_path, prelude + PROGRAMS[name].replace("  # E-five", ""))
    assert not wrong, "\n".join(wrong)
