"""PyTorch, which runs each operation at once, without a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import torch
from torch.nn import functional

from contenders.inputs import Array
from contenders.tasks import RATE, Contenders, Run, Setup

__all__ = ["CONTENDERS"]

Loss: TypeAlias = Callable[..., Any]
"""Takes the list of parameters, and the feeds."""


def _tensor(value: Array, *, learned: bool = False) -> Any:
    tensor = torch.from_numpy(value.copy())
    return tensor.requires_grad_() if learned else tensor


def _immediate(compute: Callable[..., Any], *feeds: Array) -> Run:
    return Run(lambda: compute(*map(torch.from_numpy, feeds)).numpy())


# Small


def one_op(x: Array, y: Array) -> Run:
    return _immediate(torch.add, x, y)


def chain(length: int, x: Array, y: Array, z: Array) -> Run:
    def compute(x: Any, y: Any, z: Any) -> Any:
        for _ in range(length // 2):
            x = x * y + z
        return x

    return _immediate(compute, x, y, z)


# Whole arrays


def softmax(x: Array, weight: Array) -> Run:
    def work() -> Any:
        logits = torch.from_numpy(x).requires_grad_()
        powers = torch.exp(logits - logits.detach().max(-1, keepdim=True).values)
        chances = powers / powers.sum(-1, keepdim=True)
        (slope,) = torch.autograd.grad((chances * torch.from_numpy(weight)).sum(), logits)
        return [chances.detach().numpy(), slope.numpy()]

    return Run(work)


def elementwise(x: Array, tanhs: int) -> Run:
    def compute(y: Any) -> Any:
        for number in range(10):
            y = y * 0.9
            y = torch.tanh(y) if number < tanhs else y + 0.1
        return y

    return _immediate(compute, x)


# Models


def _training(loss: Loss) -> Setup:
    def setup(parameters: Sequence[Array], feeds: Sequence[Array], **sizes: int) -> Run:
        tensors = [_tensor(value, learned=True) for value in parameters]
        optimizer = torch.optim.SGD(tensors, RATE)

        def work() -> Any:
            value = loss(tensors, *map(torch.from_numpy, feeds), **sizes)
            optimizer.zero_grad()
            value.backward()
            optimizer.step()
            return value.item()

        return Run(work)

    return setup


def _layers(parameters: Sequence[Any], x: Any) -> Any:
    for number in range(0, len(parameters), 2):
        x = torch.addmm(parameters[number + 1], x.relu() if number else x, parameters[number])
    return x


def _mlp(parameters: list[Any], images: Any, labels: Any) -> Any:
    return functional.cross_entropy(_layers(parameters, images), labels.long())


def _cbow(parameters: list[Any], context: Any, center: Any) -> tuple[Any, Any]:
    """The loss, and the looked-up vectors."""
    table, out = parameters
    vectors = functional.embedding(context, table)
    return functional.cross_entropy(vectors.mean(1) @ out, center.long()), vectors


def _cbow_loss(parameters: list[Any], context: Any, center: Any) -> Any:
    return _cbow(parameters, context, center)[0]


def _cbow_gradient(parameters: list[Array], feeds: list[Array], *, at_table: bool) -> Run:
    table, out = (_tensor(value, learned=True) for value in parameters)

    def work() -> Any:
        loss, vectors = _cbow([table, out], *map(torch.from_numpy, feeds))
        return torch.autograd.grad(loss, table if at_table else vectors)[0].numpy()

    return Run(work)


def cbow_table(parameters: list[Array], feeds: list[Array]) -> Run:
    return _cbow_gradient(parameters, feeds, at_table=True)


def cbow_vectors(parameters: list[Array], feeds: list[Array]) -> Run:
    return _cbow_gradient(parameters, feeds, at_table=False)


def _word2vec(parameters: list[Any], context: Any, center: Any, noise: Any) -> Any:
    table, out = parameters
    hidden = functional.embedding(context, table, sparse=True).mean(1)
    right = (hidden * functional.embedding(center, out, sparse=True)).sum(1, keepdim=True)
    wrong = hidden @ functional.embedding(noise, out, sparse=True).T
    return -functional.log_softmax(torch.cat([right, wrong], 1), 1)[:, 0].mean()


def _convolved(x: Any, layer: Sequence[Any], padding: str) -> Any:
    """Of images whose channels come second, as PyTorch has them."""
    filters, bias = layer
    return functional.conv2d(x, filters.permute(3, 2, 0, 1), bias, padding=padding).relu()


def _lenet(parameters: list[Any], images: Any, labels: Any) -> Any:
    maps = functional.max_pool2d(_convolved(images.permute(0, 3, 1, 2), parameters[:2], "same"), 2)
    maps = functional.max_pool2d(_convolved(maps, parameters[2:4], "valid"), 2)
    flat = maps.permute(0, 2, 3, 1).reshape(-1, 400)
    return functional.cross_entropy(_layers(parameters[4:], flat), labels.long())


def _vgg(parameters: list[Any], maps: Any) -> Any:
    maps = maps.permute(0, 3, 1, 2)
    for number in (0, 2):
        maps = _convolved(maps, parameters[number : number + 2], "same")
    return functional.max_pool2d(maps, 2).square().mean()


def _lstm(parameters: list[Any], xs: Any) -> Any:
    kernel, bias = parameters
    output = cell = torch.zeros(xs.shape[1], bias.shape[0] // 4)
    for x in xs:
        gates = torch.addmm(bias, torch.cat([x, output], 1), kernel)
        write, forget, read, candidate = gates.chunk(4, 1)
        cell = forget.sigmoid() * cell + write.sigmoid() * candidate.tanh()
        output = read.sigmoid() * cell.tanh()
    return output.square().mean()


def _transformer(parameters: list[Any], x: Any, mask: Any, heads: int) -> Any:
    gain, shift, project, out, gain2, shift2, widen, narrow = parameters
    batch, positions, width = x.shape
    rows = functional.layer_norm(x, (width,), gain, shift) @ project
    query, key, value = rows.reshape(batch, positions, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
    scores = query @ key.mT * (width // heads) ** -0.5 + mask
    y = x + (scores.softmax(-1) @ value).transpose(1, 2).reshape(x.shape) @ out
    return (y + (functional.layer_norm(y, (width,), gain2, shift2) @ widen).relu() @ narrow).square().mean()


def deep(parameters: list[Array], feeds: list[Array]) -> Run:
    weights = [_tensor(value, learned=True) for value in parameters]

    def work() -> Any:
        (x,) = map(torch.from_numpy, feeds)
        for weight in weights:
            x = (x @ weight).relu()
        return [slope.numpy() for slope in torch.autograd.grad(x.square().mean(), weights)]

    return Run(work)


CONTENDERS: Final[Contenders] = {
    "PyTorch": {
        "one_op": one_op,
        "chain": chain,
        "softmax": softmax,
        "elementwise": elementwise,
        "elementwise_tanh": elementwise,
        "mlp": _training(_mlp),
        "cbow": _training(_cbow_loss),
        "cbow_table": cbow_table,
        "cbow_vectors": cbow_vectors,
        "word2vec": _training(_word2vec),
        "lenet": _training(_lenet),
        "vgg": _training(_vgg),
        "lstm": _training(_lstm),
        "transformer": _training(_transformer),
        "deep": deep,
    }
}
