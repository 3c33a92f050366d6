"""typegrad, by the operations and the optimizers that users have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, Literal, TypeAlias

import numpy as np

import typegrad as tg
from contenders.inputs import Array
from contenders.kernel import Look, as_constant
from contenders.kernels import KERNELS
from contenders.tasks import RATE, Contenders, Run, Setup, as_arrays
from typegrad.base.types import BY_TF_NAME, from_numpy
from typegrad.graph.definition import OpDef
from typegrad.graph.scope import as_operation
from typegrad.op import core, image, linalg, math, nn, train
from typegrad.op._table import TABLE
from typegrad.training.optimizers import GradientDescent

__all__ = ["CONTENDERS"]

Operand: TypeAlias = tg.Operand[Any, Any]
Loss: TypeAlias = Callable[..., Operand]
"""Takes a scope, the list of parameters, and the feeds."""

_ONES: Final = (1, 1, 1, 1)
_TWOS: Final = (1, 2, 2, 1)


def _fed(scope: tg.Scope, value: Array) -> Operand:
    dtype = from_numpy(value.dtype)
    assert dtype is not None
    return core.Placeholder.create(scope, dtype, shape=value.shape)


def _running(scope: tg.Scope, fetches: Any, feeds: dict[Operand, Array]) -> Run:
    session = tg.Session(scope.graph)
    return Run(lambda: session.run(fetches, feeds))


# Small


def one_op(x: Array, y: Array) -> Run:
    scope = tg.Scope(tg.Graph())
    feeds = {_fed(scope, value): value for value in (x, y)}
    return _running(scope, math.Add.create(scope, *feeds), feeds)


def chain(length: int, x: Array, y: Array, z: Array) -> Run:
    scope = tg.Scope(tg.Graph())
    feeds = {_fed(scope, value): value for value in (x, y, z)}
    return _running(scope, _chained(length, *feeds), feeds)


def _chained(length: int, x: Operand, y: Operand, z: Operand) -> Operand:
    for _ in range(length // 2):
        x = x * y + z
    return x


def build(length: int, x: Array, y: Array, z: Array, *, gradient: bool = False) -> Run:
    def work() -> tuple[list[Operand], Operand]:
        scope = tg.Scope(tg.Graph())
        feeds = [_fed(scope, value) for value in (x, y, z)]
        result = _chained(length, *feeds)
        return feeds, tg.grad(scope, result, feeds[0]) if gradient else result

    def read(built: tuple[list[Operand], Operand]) -> list[Array]:
        feeds, result = built
        return [tg.Session(result.graph).run(result, dict(zip(feeds, (x, y, z), strict=True)))]

    return Run(work, read)


# Whole arrays


def softmax(x: Array, weight: Array) -> Run:
    scope = tg.Scope(tg.Graph())
    logits, weights = _fed(scope, x), _fed(scope, weight)
    top = core.StopGradient.create(scope, core.Max.create(scope, logits, -1, keep_dims=True))
    powers = math.Exp.create(scope, logits - top)
    chances = powers / core.Sum.create(scope, powers, -1, keep_dims=True)
    total = core.Sum.create(scope, chances * weights, (0, 1))
    return _running(scope, [chances, tg.grad(scope, total, logits)], {logits: x, weights: weight})


def resize(x: Array, weight: Array) -> Run:
    scope = tg.Scope(tg.Graph())
    images, weights = _fed(scope, x), _fed(scope, weight)
    resized = image.ResizeBilinear.create(scope, images, weight.shape[1:3], half_pixel_centers=True)
    total = core.Sum.create(scope, resized * weights, (0, 1, 2, 3))
    return _running(scope, [resized, tg.grad(scope, total, images)], {images: x, weights: weight})


def elementwise(x: Array, tanhs: int) -> Run:
    scope = tg.Scope(tg.Graph())
    result = start = _fed(scope, x)
    for number in range(10):
        result = result * 0.9
        result = math.Tanh.create(scope, result) if number < tanhs else result + 0.1
    return _running(scope, result, {start: x})


# Models


def _model(loss: Loss, parameters: Sequence[Array], feeds: Sequence[Array], **sizes: int) -> Any:
    """The scope, the variables, the loss, and what is fed."""
    scope = tg.Scope(tg.Graph())
    variables = [tg.Variable.create(scope, value) for value in parameters]
    fed = {_fed(scope, value): value for value in feeds}
    return scope, variables, loss(scope, variables, *fed, **sizes), fed


def _training(loss: Loss) -> Setup:
    def setup(**model: Any) -> Run:
        scope, _, value, feeds = _model(loss, **model)
        step = GradientDescent(scope.graph, RATE).minimize(value)
        session = tg.Session(scope.graph)
        return Run(lambda: session.run([value, step], feeds)[0])

    return setup


def _entropy(scope: tg.Scope, logits: Operand, labels: Operand) -> Operand:
    return math.Mean.create(scope, nn.SparseSoftmaxCrossEntropyWithLogits.create(scope, logits, labels).loss)


def _layers(scope: tg.Scope, parameters: Sequence[Operand], x: Operand) -> Operand:
    """Dense layers with biases, rectified but for the last."""
    for number in range(0, len(parameters), 2):
        hidden = nn.Relu.create(scope, x) if number else x
        x = nn.BiasAdd.create(scope, hidden @ parameters[number], parameters[number + 1])
    return x


def _mlp(scope: tg.Scope, parameters: list[Operand], images: Operand, labels: Operand) -> Operand:
    return _entropy(scope, _layers(scope, parameters, images), labels)


def _cbow(scope: tg.Scope, parameters: Sequence[Operand], context: Operand, center: Operand) -> tuple[Operand, Operand]:
    """The loss, and the looked-up vectors."""
    table, out = parameters
    vectors = core.Gather.create(scope, table, context)
    return _entropy(scope, math.Mean.create(scope, vectors, 1) @ out, center), vectors


def _cbow_loss(scope: tg.Scope, parameters: list[Operand], context: Operand, center: Operand) -> Operand:
    return _cbow(scope, parameters, context, center)[0]


def _cbow_gradient(parameters: list[Array], feeds: list[Array], *, at_table: bool) -> Run:
    scope = tg.Scope(tg.Graph())
    variables = [tg.Variable.create(scope, value) for value in parameters]
    fed = {_fed(scope, value): value for value in feeds}
    context, center = fed
    loss, vectors = _cbow(scope, variables, context, center)
    return _running(scope, tg.grad(scope, loss, variables[0] if at_table else vectors), fed)


def _word2vec(scope: tg.Scope, parameters: list[Operand], context: Operand, center: Operand, noise: Operand) -> Operand:
    table, out = parameters
    hidden = math.Mean.create(scope, core.Gather.create(scope, table, context), 1)
    right = core.Sum.create(scope, hidden * core.Gather.create(scope, out, center), 1, keep_dims=True)
    wrong = linalg.MatMul.create(scope, hidden, core.Gather.create(scope, out, noise), transpose_b=True)
    chances = nn.LogSoftmax.create(scope, core.Concat.create(scope, [right, wrong], 1))
    return -math.Mean.create(scope, chances[:, 0])


def _convolved(scope: tg.Scope, x: Operand, layer: Sequence[Operand], padding: Literal["SAME", "VALID"]) -> Operand:
    filters, bias = layer
    features = nn.Conv2d.create(scope, x, filters, _ONES, padding)
    return nn.Relu.create(scope, nn.BiasAdd.create(scope, features, bias))


def _pooled(scope: tg.Scope, x: Operand) -> Operand:
    return nn.MaxPool.create(scope, x, _TWOS, _TWOS, "VALID")


def _lenet(scope: tg.Scope, parameters: list[Operand], images: Operand, labels: Operand) -> Operand:
    first, second, dense = parameters[:2], parameters[2:4], parameters[4:]
    maps = _pooled(scope, _convolved(scope, images, first, "SAME"))
    maps = _pooled(scope, _convolved(scope, maps, second, "VALID"))
    flat = core.Reshape.create(scope, maps, (-1, 400))
    return _entropy(scope, _layers(scope, dense, flat), labels)


def _vgg(scope: tg.Scope, parameters: list[Operand], maps: Operand) -> Operand:
    for number in (0, 2):
        maps = _convolved(scope, maps, parameters[number : number + 2], "SAME")
    return math.Mean.create(scope, math.Square.create(scope, _pooled(scope, maps)))


def _lstm(scope: tg.Scope, parameters: list[Operand], xs: Operand) -> Operand:
    kernel, bias = parameters
    steps, batch, _ = xs.shape.as_ints()
    start: Operand = core.Fill.create(scope, (batch, bias.shape.as_ints()[0] // 4), 0.0)
    output = cell = start
    for x in core.Unstack.create(scope, xs, num=steps).output:
        gates = nn.BiasAdd.create(scope, core.Concat.create(scope, [x, output], 1) @ kernel, bias)
        write, forget, read, candidate = core.Split.create(scope, 1, gates, num_split=4).output
        kept = math.Sigmoid.create(scope, forget) * cell
        cell = kept + math.Sigmoid.create(scope, write) * math.Tanh.create(scope, candidate)
        output = math.Sigmoid.create(scope, read) * math.Tanh.create(scope, cell)
    return math.Mean.create(scope, math.Square.create(scope, output))


def _normalized(scope: tg.Scope, x: Operand, gain: Operand, shift: Operand) -> Operand:
    centered = x - math.Mean.create(scope, x, -1, keep_dims=True)
    variance = math.Mean.create(scope, math.Square.create(scope, centered), -1, keep_dims=True)
    return centered * math.Rsqrt.create(scope, variance + 1e-5) * gain + shift


def _transformer(scope: tg.Scope, parameters: list[Operand], x: Operand, mask: Operand, heads: int) -> Operand:
    gain, shift, project, out, gain2, shift2, widen, narrow = parameters
    batch, positions, width = x.shape.as_ints()
    flat = (batch * positions, width)
    rows = core.Reshape.create(scope, _normalized(scope, x, gain, shift), flat) @ project
    split = core.Reshape.create(scope, rows, (batch, positions, 3, heads, width // heads))
    query, key, value = core.Unstack.create(scope, linalg.Transpose.create(scope, split, (2, 0, 3, 1, 4)), num=3).output
    scores = train.BatchMatMul.create(scope, query, key, tg.TFloat32, adj_y=True) * (width // heads) ** -0.5 + mask
    mixed = train.BatchMatMul.create(scope, nn.Softmax.create(scope, scores), value, tg.TFloat32)
    joined = core.Reshape.create(scope, linalg.Transpose.create(scope, mixed, (0, 2, 1, 3)), flat)
    y = x + core.Reshape.create(scope, joined @ out, (batch, positions, width))
    inner = nn.Relu.create(scope, core.Reshape.create(scope, _normalized(scope, y, gain2, shift2), flat) @ widen)
    y = y + core.Reshape.create(scope, inner @ narrow, (batch, positions, width))
    return math.Mean.create(scope, math.Square.create(scope, y))


def deep(parameters: list[Array], feeds: list[Array]) -> Run:
    def loss(scope: tg.Scope, weights: list[Operand], x: Operand) -> Operand:
        for weight in weights:
            x = nn.Relu.create(scope, x @ weight)
        return math.Mean.create(scope, math.Square.create(scope, x))

    scope, variables, value, fed = _model(loss, parameters, feeds)
    return _running(scope, tg.gradients(scope, value, variables), fed)


def _kernel(operation: str, inputs: Sequence[Any], attrs: Mapping[str, Any], look: Look) -> Run:
    """One operation: arrays are fed, other inputs are constants."""
    scope = tg.Scope(tg.Graph(seed=1))
    feeds: dict[Operand, Array] = {}

    def operand(value: Any) -> Any:
        if isinstance(value, list):
            return [operand(each) for each in value]
        if not isinstance(value, np.ndarray):
            return core.Constant.create(scope, as_constant(value))
        placeholder = _fed(scope, value)
        feeds[placeholder] = value
        return placeholder

    module, _, _ = TABLE[operation].partition(":")
    definition: OpDef = import_module(module).DEF
    ours = {theirs: name for name, theirs in definition.tf_names.items()}
    named = {ours.get(name, name): value for name, value in attrs.items()}
    arguments = {name: BY_TF_NAME[value] if name in definition.types else value for name, value in named.items()}
    operands = [operand(value) for value in inputs]
    outputs = as_operation(definition.wrapper.create(scope, *operands, **arguments)).outputs
    session = tg.Session(scope.graph)
    fetches = outputs[0] if len(outputs) == 1 else list(outputs)
    call, arrays = session.callable(fetches, [*feeds]), [*feeds.values()]
    return Run(lambda: call(*arrays), lambda value: [look(each) for each in as_arrays(value)])


CONTENDERS: Final[Contenders] = {
    "typegrad": {
        "one_op": one_op,
        "chain": chain,
        "build": build,
        "build_gradient": partial(build, gradient=True),
        "growth": build,
        "growth_gradient": partial(build, gradient=True),
        "softmax": softmax,
        "resize": resize,
        "elementwise": elementwise,
        "elementwise_tanh": elementwise,
        "mlp": _training(_mlp),
        "cbow": _training(_cbow_loss),
        "cbow_table": partial(_cbow_gradient, at_table=True),
        "cbow_vectors": partial(_cbow_gradient, at_table=False),
        "word2vec": _training(_word2vec),
        "lenet": _training(_lenet),
        "vgg": _training(_vgg),
        "lstm": _training(_lstm),
        "transformer": _training(_transformer),
        "deep": deep,
        **{each.setup: partial(_kernel, each.operation) for each in KERNELS},
    }
}
