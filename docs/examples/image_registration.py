"""Image registration by gradient descent: a differentiable warp learns how a camera moved, and what it saw.

A shaky camera took ten small, noisy shots of a test chart, each rotated and shifted a bit. The model rotates and
shifts a picture of twice the resolution, and averages blocks of four pixels. A single loss, the squared difference from
the shots, determines both the motions and the picture.

`ImageProjectiveTransformV3` is differentiable in the images and in the transforms. A pixel that is read at (x, y)
changes by the slope of the image times the change of the position.

All dimensions are named or of known size: mypy with `typegrad.mypy_plugin` proves the shapes.

Source: Lucas and Kanade, "An iterative image registration technique" (1981), for the derivative; Irani and Peleg,
"Improving resolution by image registration" (1991).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, NewType, TypeAlias

import matplotlib.pyplot as plt
import numpy as np
from command import arguments, save
from numpy.typing import NDArray

import typegrad as tg
from typegrad.op import core, image, math, nn
from typegrad.training.optimizers import Adam

SIZE: Final = 32
CENTER: Final = (SIZE - 1) / 2
STEPS: Final = 100
PENALTY: Final = 0.005

Shots = NewType("Shots", int)
Size: TypeAlias = Literal[32]

Floats = NDArray[np.float32]
Pictures: TypeAlias = tg.Operand[tg.TFloat32, tuple[Shots, Size, Size, Literal[1]]]
Recorded: TypeAlias = tg.Operand[tg.TFloat32, tuple[Shots, Literal[16], Literal[16], Literal[1]]]
Transforms: TypeAlias = tg.Operand[tg.TFloat32, tuple[Shots, Literal[8]]]


def transforms(scope: tg.Scope, motions: tg.Operand[tg.TFloat32, tuple[Shots, Literal[3]]]) -> Transforms:
    """The rotations about the center, in units of a pixel at the edge, and the shifts in pixels."""
    angle, x, y = core.Unstack.create(scope, motions, num=3, axis=1).output
    cos, sin = math.Cos.create(scope, angle / CENTER), math.Sin.create(scope, angle / CENTER)
    zero = core.ZerosLike.create(scope, angle)
    dx, dy = x + CENTER * (1 - cos + sin), y + CENTER * (1 - sin - cos)
    return core.Stack.create(scope, [cos, -sin, dx, sin, cos, dy, zero, zero], axis=1)


def warp(scope: tg.Scope, pictures: Pictures, by: Transforms) -> Pictures:
    """The warped pictures; what is outside of them is like their edges."""
    size = SIZE, SIZE
    return image.ImageProjectiveTransformV3.create(scope, pictures, by, size, 0.0, "BILINEAR", fill_mode="NEAREST")


class Camera:
    """The picture and the motions that explain what was recorded."""

    def __init__(self, scope: tg.Scope) -> None:
        """Start with gray, and without motions; the first shot defines where the picture is."""
        self.numbers = core.Placeholder.create(scope, tg.TInt32, (Shots,))
        self.recorded = core.Placeholder.create(scope, tg.TFloat32, (Shots, SIZE // 2, SIZE // 2, 1))
        self.picture = tg.Variable.create(scope.with_name("picture"), np.full((1, SIZE, SIZE, 1), 0.5, np.float32))
        self.others = tg.Variable.create(scope.with_name("others"), np.zeros((9, 3), np.float32))
        self.motions = core.Concat.create(scope, [np.zeros((1, 3), np.float32), self.others], 0)

    def shots(self, scope: tg.Scope) -> Recorded:
        """What the camera should have recorded in the shots of these numbers."""
        pictures = core.Gather.create(scope, self.picture, core.ZerosLike.create(scope, self.numbers), 0)
        motions = core.Gather.create(scope, self.motions, self.numbers, 0)
        warped = warp(scope, pictures, transforms(scope, motions))
        return nn.AvgPool.create(scope, warped, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def loss(self, scope: tg.Scope) -> tg.Operand[tg.TFloat32, tuple[()]]:
        """The mean of the squared differences, and a small penalty for differences of neighbours."""
        difference = math.Mean.create(scope, math.SquaredDifference.create(scope, self.shots(scope), self.recorded))
        down, right = (self.picture - core.Roll.create(scope, self.picture, 1, axis) for axis in (1, 2))
        return difference + PENALTY * math.Mean.create(scope, down * down + right * right)


def star(size: int, motions: Floats) -> Floats:
    """What a camera of `size` by `size` pixels sees of a Siemens star: the mean over each pixel, for each motion."""
    positions = (np.arange(8 * SIZE) + 0.5) / 8 - SIZE / 2
    angle, dx, dy = motions.T[:, :, None, None] / np.array([CENTER, 1, 1]).reshape(3, 1, 1, 1)
    x = np.cos(angle) * positions - np.sin(angle) * positions[:, None] + dx
    y = np.sin(angle) * positions + np.cos(angle) * positions[:, None] + dy
    fine = 0.5 + 0.5 * np.tanh(3 * np.sin(9 * np.arctan2(y, x))) * (np.hypot(x, y) < 14)
    pixels: Floats = fine.reshape(-1, size, 8 * SIZE // size, size, 8 * SIZE // size, 1).mean((2, 4)).astype(np.float32)
    return pixels


@dataclass(frozen=True)
class Result:
    """The loss of each step, the true and the learned motions, the shots, the learned and the true picture."""

    losses: list[float]
    motions: Floats
    learned: Floats
    shots: Floats
    picture: Floats
    truth: Floats


def train(steps: int = STEPS) -> Result:
    """Learn the picture and the motions from ten noisy shots."""
    rng = np.random.default_rng(0)
    motions = np.concatenate([np.zeros((1, 3)), rng.uniform(-1.5, 1.5, (9, 3))]).astype(np.float32)
    shots = (star(SIZE // 2, motions) + 0.03 * rng.standard_normal((10, 16, 16, 1))).astype(np.float32)
    graph = tg.Graph()
    scope = tg.Scope(graph)
    camera = Camera(scope)
    loss = camera.loss(scope)
    step = Adam(graph, 0.05).minimize(loss)
    feeds = {camera.numbers: np.arange(10, dtype=np.int32), camera.recorded: shots}
    with tg.Session(graph) as session:
        losses = [float(session.run([loss, step], feeds)[0]) for _ in range(steps)]
        learned, picture = session.run((camera.motions, camera.picture))
    return Result(losses, motions, learned, shots, picture, star(SIZE, motions[:1]))


def error(result: Result, picture: Floats) -> float:
    """The mean squared difference from the true picture, of the same size or smaller."""
    size = SIZE // picture.shape[1]
    return float(np.mean((picture.repeat(size, 1).repeat(size, 2) - result.truth) ** 2))


def draw(result: Result) -> Any:
    """A shot, the learned picture, and the true one."""
    figure, axes = plt.subplots(1, 3, figsize=(9, 3.3), layout="constrained")
    panels = (("one of ten shots", result.shots), ("learned", result.picture), ("true", result.truth))
    for axis, (title, pictures) in zip(axes, panels, strict=True):
        axis.imshow(pictures[0, :, :, 0], cmap="gray", vmin=0, vmax=1)
        axis.set(title=title, xticks=[], yticks=[])
    return figure


def main() -> None:
    """Learn, print the errors of the motions and of the picture, and draw it."""
    options = arguments(__doc__, stops=False)
    result = train()
    print(f"loss: {result.losses[0]:.4f} at first, {result.losses[-1]:.4f} at last")
    before, after = (np.max(np.abs(motions - result.motions)) for motions in (0, result.learned))
    print(f"largest error of a motion, in pixels: {before:.2f} at first, {after:.2f} at last")
    shot, learned = error(result, result.shots[:1]), error(result, result.picture)
    print(f"squared error of a shot: {shot:.4f}; of the learned picture: {learned:.4f}")
    save(draw(result), options.output, "image-registration")


if __name__ == "__main__":
    main()
