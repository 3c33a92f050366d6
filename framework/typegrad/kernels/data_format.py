"""Kernels of `ops/data_format.yaml`."""

from __future__ import annotations

from typegrad.kernels.namespace import Array, Namespace
from typegrad.shapes.data_format import SPATIAL


def data_format_dim_map(xp: Namespace, x: Array, *, src_format: str, dst_format: str) -> Array:
    """The position of each axis's letter in the other format."""
    places = xp.asarray([dst_format.index(letter) for letter in src_format], x.dtype)
    return xp.take(places, x % len(src_format))


def data_format_vec_permute(xp: Namespace, x: Array, *, src_format: str, dst_format: str) -> Array:
    """The element of each letter of the other format."""
    if len(x) != len(src_format):
        spatial = SPATIAL[len(src_format)]
        src_format, dst_format = ("".join(c for c in each if c in spatial) for each in (src_format, dst_format))
    return xp.take(x, xp.asarray([src_format.index(letter) for letter in dst_format]), axis=0)
