"""Several classes of operations in one container, of which a program takes one."""

import numpy as np

import typegrad as tg
from typegrad.op import core, math, nn

scope = tg.Scope(tg.Graph())
x = core.Constant.create(scope, np.arange(12, dtype=np.float32).reshape(3, 4))
activations = {"relu": nn.Relu, "tanh": math.Tanh}


def activated(name: str, h: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    return activations[name].create(scope, h)


assert activated("tanh", x).shape == x.shape
for reduction in [core.Max, math.Mean, core.Sum]:
    assert reduction.create(scope, x, 1, keep_dims=True).shape == (3, 1)
h: tg.Operand[tg.TFloat32] = x
for activation, units in zip([nn.Relu, math.Sigmoid], [8, 2], strict=True):
    weights = tg.Variable.create(scope, np.zeros((4 if activation is nn.Relu else 8, units), np.float32))
    h = activation.create(scope, h @ weights)
assert h.shape == (3, 2)
