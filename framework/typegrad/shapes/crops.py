"""Shape functions of `ops/crops.yaml`."""

from __future__ import annotations

from typegrad.base.errors import AttributeValueError
from typegrad.base.shape import Shape
from typegrad.shapes.stateless_random import check_seed
from typegrad.shapes.view import OpView
from typegrad.shapes.windows import agreed, sizes


def extract_glimpse_v2(op: OpView) -> Shape:
    """The images with the size of the windows."""
    noise = op.attr("noise")
    if op.attr("uniform_noise") and noise not in ("uniform", ""):
        raise AttributeValueError(f"`noise` is {noise!r}, but `uniform_noise` is True; give uniform_noise=False")
    batch, _, _, channels = op.rank("input", 4).known()
    batch = agreed(op, "offsets", Shape((batch, 2))).known()[0]
    return Shape((batch, *sizes(op, "size_output", 2).known(), channels))


def sample_distorted_bounding_box(op: OpView) -> tuple[Shape, Shape, Shape]:
    """A begin, a size, and a box."""
    agreed(op, "image_size", Shape((3,)))
    agreed(op, "bounding_boxes", Shape((None, None, 4)))
    op.rank("min_object_covered", 0)
    attempts = op.attr("max_attempts")
    if attempts < 1:
        raise AttributeValueError(f"`max_attempts` must be 1 or more, but is {attempts}")
    for name, most in (("aspect_ratio_range", float("inf")), ("area_range", 1.0)):
        bounds = op.attr(name)
        if len(bounds) != 2 or not all(0 < bound <= most for bound in bounds):
            allowed = "positive numbers" if most > 1 else "numbers above 0 and up to 1"
            raise AttributeValueError(f"`{name}` must be two {allowed}, but is {list(bounds)}")
    return Shape((3,)), Shape((3,)), Shape((1, 1, 4))


def stateless_sample_distorted_bounding_box(op: OpView) -> tuple[Shape, Shape, Shape]:
    """A begin, a size, and a box."""
    check_seed(op)
    return sample_distorted_bounding_box(op)
