"""Windows of images: noise in the range of each image, gradients put back; random windows cover objects."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np
import pytest

import typegrad as tg
from support.recording import Array
from typegrad.op import core, image

IMAGES: Final = np.random.default_rng(0).normal([[[[3.0]]], [[[50.0]]]], size=(2, 7, 9, 2)).astype(np.float32)
OUTSIDE: Final = np.full((2, 2), 5, np.float32)
BOX: Final = np.array([[[0.1, 0.2, 0.5, 0.9]]], np.float32)
BOXES: Final[dict[str, Any]] = {"image_size": [40, 50, 3], "bounding_boxes": BOX, "min_object_covered": np.float32(0.5)}


def noise(kind: Literal["uniform", "gaussian", "zero"], seed: int = 1) -> Array:
    """A window that is all noise."""
    scope = tg.Scope(tg.Graph(seed=seed))
    op = image.ExtractGlimpse.create(scope, IMAGES, [60, 60], OUTSIDE, uniform_noise=False, noise=kind)
    with tg.Session(scope.graph) as session:
        return np.asarray(session.run(op))


@pytest.mark.parametrize(("kind", "mean", "deviation"), [("uniform", np.ptp, np.ptp), ("gaussian", np.mean, np.std)])
def test_noise_has_the_range_of_each_image(kind: Literal["uniform", "gaussian"], mean: Any, deviation: Any) -> None:
    for x, y in zip(IMAGES, noise(kind), strict=True):
        assert x.min() <= y.min() < y.max() <= x.max()
        center, spread = (x.min() + np.ptp(x) / 2, np.ptp(x) / np.sqrt(12)) if mean is np.ptp else (x.mean(), x.std())
        assert y.mean() == pytest.approx(center, abs=0.1)
        assert y.std() == pytest.approx(spread, rel=0.05)


def test_noise_follows_from_the_seed_and_differs_from_image_to_image() -> None:
    first = noise("uniform")
    np.testing.assert_array_equal(first, noise("uniform"))
    assert (first != noise("uniform", 2)).any()
    shares = [(y - x.min()) / np.ptp(x) for x, y in zip(IMAGES, first, strict=True)]
    assert abs(np.corrcoef(shares[0].reshape(-1), shares[1].reshape(-1))[0, 1]) < 0.05


def test_noise_is_a_constant_for_the_gradient_which_has_a_gradient() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Constant.create(scope, IMAGES, tg.TFloat32)
    y = image.ExtractGlimpse.create(scope, x, [2, 2], [[-1.0, -1.0], [0.0, 0.0]])
    grad = tg.grad(scope, y * y, x)
    second = tg.grad(scope, grad, x)
    with tg.Session(scope.graph) as session:
        values = session.run([grad, second])
    expected = np.zeros((2, *IMAGES.shape), np.float32)
    expected[:, 0, 0, 0], expected[:, 1, 2:4, 3:5] = 1, 1
    np.testing.assert_array_equal(values[0], expected[0] * IMAGES * 2)
    np.testing.assert_array_equal(values[1], expected[1] * 2)


def test_random_windows_follow_from_the_seed_and_cover_a_box() -> None:
    def windows(seed: int) -> list[list[int]]:
        scope = tg.Scope(tg.Graph(seed=seed))
        op = image.SampleDistortedBoundingBox.create(scope, *BOXES.values(), area_range=[0.1, 0.6])
        with tg.Session(scope.graph) as session:
            return [np.append(*session.run([op.begin, op.size_output])).tolist() for _ in range(50)]

    drawn = windows(1)
    assert drawn == windows(1) and drawn != windows(2)
    assert len({tuple(each) for each in drawn}) > 40
    for top, left, _, rows, columns, _ in drawn:
        shared = (min(top + rows, 20) - max(top, 4)) * (min(left + columns, 45) - max(left, 10))
        assert shared >= 0.5 * 16 * 35
        assert 0.1 <= rows * columns / 2000 <= 0.6


@pytest.mark.parametrize(
    ("image_size", "ratio", "areas", "expected"),
    [((10, 10, 3), 1.0, (0.2, 0.31), [5, 5, -1]), ((10, 3, 3), 0.5, (0.5, 1.0), [6, 3, -1])],
    ids=["a height that is rounded", "a width that is rounded beyond the image"],
)
def test_each_draw_of_a_window_fits(
    image_size: tuple[int, ...], ratio: float, areas: tuple[float, float], expected: list[int]
) -> None:
    scope = tg.Scope(tg.Graph())
    seed = core.Placeholder.create(scope, tg.TInt32, (2,))
    box = np.array([[[0, 0, 1, 1]]], np.float32)
    op = image.StatelessSampleDistortedBoundingBox.create(
        scope,
        list(image_size),
        box,
        0.0,
        seed,
        aspect_ratio_range=[ratio, ratio],
        area_range=list(areas),
        max_attempts=1,
    )
    with tg.Session(scope.graph) as session:
        sizes = [session.run(op.size_output, {seed: [1, number]}).tolist() for number in range(20)]
    assert sizes == [expected] * 20


def glimpse(**attrs: Any) -> Any:
    return image.ExtractGlimpse.create(tg.Scope(tg.Graph()), IMAGES, [2, 2], OUTSIDE, **attrs)


def sampled(**changes: Any) -> Any:
    attrs = {name: changes.pop(name) for name in list(changes) if name not in BOXES}
    op = image.SampleDistortedBoundingBox.create(tg.Scope(tg.Graph()), *(BOXES | changes).values(), **attrs)
    with tg.Session(op.op.graph) as session:
        return session.run(op.begin)


REFUSED: Final[dict[str, tuple[Any, dict[str, Any], str]]] = {
    "noise": (glimpse, {"noise": "x"}, "`noise` is 'x'; allowed are 'uniform', 'gaussian', 'zero', ''"),
    "two noises": (glimpse, {"noise": "zero"}, "`noise` is 'zero', but `uniform_noise` is True; give uniform_noise=F"),
    "ratio": (sampled, {"aspect_ratio_range": [0.0, 1.0]}, "`aspect_ratio_range` must be two positive numbers, but is"),
    "area": (sampled, {"area_range": [0.5, 2.0]}, "`area_range` must be two numbers above 0 and up to 1, but is [0.5,"),
    "attempts": (sampled, {"max_attempts": 0}, "`max_attempts` must be 1 or more, but is 0"),
    "no image": (sampled, {"image_size": [0, 4, 3]}, "`image_size` must have rows and columns, but is (0, 4, 3)"),
    "share": (sampled, {"min_object_covered": -1.0}, "`min_object_covered` must be 0 or more, but is -1.0"),
    "no box": (
        sampled,
        {"bounding_boxes": BOX[:, :0]},
        "`bounding_boxes` has no box; set use_image_if_no_bounding_boxes=True for the image",
    ),
    "a box beyond": (sampled, {"bounding_boxes": BOX * 2}, "`bounding_boxes` must be in [0, 1], but has 1.8"),
    "a short size": (sampled, {"image_size": [4, 3]}, "`image_size` [2] must have shape [3]"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name: str) -> None:
    build, arguments, message = REFUSED[name]
    with pytest.raises((tg.AttributeValueError, tg.ShapeError, tg.InvalidArgumentError)) as raised:
        build(**arguments)
    assert message in str(raised.value)
