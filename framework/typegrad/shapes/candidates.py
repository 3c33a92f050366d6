"""Shape functions of `ops/candidates.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typegrad.base.errors import AttributeValueError, ShapeError
from typegrad.base.shape import Shape
from typegrad.shapes.view import OpView


def candidates(op: OpView) -> tuple[Shape, Shape, Shape]:
    """`num_sampled` classes, and expected counts of the true and of the sampled classes."""
    if op.attrs.get("unique"):
        _check_count(op.attrs.get("num_sampled", 0), op.attrs.get("range_max"))
    if "unigrams" in op.attrs:
        _check_weights(op.attrs)
    true_classes, sampled = _true_classes(op), Shape((op.attr("num_sampled"),))
    return sampled, true_classes, sampled


def _check_count(num_sampled: int, classes: int | None) -> None:
    if classes is not None and num_sampled > classes:
        raise AttributeValueError(
            f"`num_sampled` is {num_sampled}, but with unique=True must be at most `range_max`, which is {classes}"
        )


def _check_weights(attrs: Mapping[str, Any]) -> None:
    """Refuse attributes that do not give each class of the shard a weight, as far as they are known."""
    if attrs.get("vocab_file"):
        raise AttributeValueError("`vocab_file` must be empty, as no file is read; give the weights as `unigrams`")
    if not attrs["unigrams"]:
        raise AttributeValueError("`unigrams` is empty; give the weight of each class that is not reserved")
    reserved, num_shards, shard = (attrs.get(name) for name in ("num_reserved_ids", "num_shards", "shard"))
    if reserved is not None and reserved < 0:
        raise AttributeValueError(f"`num_reserved_ids` is {reserved}, but must not be negative")
    if reserved is not None and num_shards is not None and shard is not None:
        _check_shard(attrs, reserved, num_shards, shard)


def _check_shard(attrs: Mapping[str, Any], reserved: int, num_shards: int, shard: int) -> None:
    """Refuse a shard that does not exist, has another number of classes, or negative weights."""
    if shard >= num_shards:
        raise AttributeValueError(f"`shard` is {shard}, but must be less than `num_shards`, which is {num_shards}")
    count, own = shard_of(attrs["unigrams"], reserved, num_shards, shard)
    if attrs.get("range_max") not in (None, count + len(own)):
        raise AttributeValueError(
            f"`range_max` is {attrs['range_max']}, but the number of classes is {count + len(own)}: {count} reserved, "
            f"and {len(own)} with weights in `unigrams`"
        )
    least = min(own, default=0)
    if least < 0 and attrs.get("distortion", 2) % 2:  # an even power is positive
        raise AttributeValueError(f"`unigrams` has {least}, but weights must not be negative")


def shard_of(unigrams: tuple[float, ...], reserved: int, num_shards: int, shard: int) -> tuple[int, tuple[float, ...]]:
    """How many classes of a shard are reserved, and the weights of the others: every `num_shards`-th class."""
    count = len(range(shard, reserved, num_shards))
    return count, unigrams[(shard - count) % num_shards :: num_shards]


def _true_classes(op: OpView) -> Shape:
    shape, count = op.rank("true_classes", 2), op.attr("num_true")
    rows, columns = shape.known()
    if isinstance(columns, int) and columns != count:
        raise ShapeError(f"`true_classes` must have `num_true` columns, which is {count}, but has shape {shape}")
    return Shape((rows, count))


def accidental_hits(op: OpView) -> tuple[Shape, Shape, Shape]:
    """Three vectors with an element for each hit."""
    _true_classes(op)
    op.rank("sampled_candidates", 1)
    return Shape((None,)), Shape((None,)), Shape((None,))
