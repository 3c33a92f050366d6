"""Values of attributes that are refused while a graph is built, whatever the inputs are."""

from __future__ import annotations

from typing import Any, Final

import pytest

import typegrad as tg
from typegrad.op import core, image, linalg, nn, random

IMAGES: Final = [[[[1.0], [2.0]], [[3.0], [4.0]]]]
SAMPLES: Final[dict[str, Any]] = {"num_true": 1, "num_sampled": 2, "unique": False, "range_max": 3}
WEIGHTS: Final = [1.0, 2.0, 3.0]
POINTS: Final = ([1.0, 2.0], [[1]])

REFUSED: Final[list[tuple[Any, tuple[Any, ...], dict[str, Any], str]]] = [
    (core.GatherNd, POINTS, {"bad_indices_policy": "ignore"}, "'ignore'; allowed are '', 'DEFAULT', 'ERROR', 'IGNORE'"),
    (
        core.TensorScatterNdUpdate,
        (*POINTS, [3.0]),
        {"bad_indices_policy": "skip"},
        "`bad_indices_policy` is 'skip'; allowed are '', 'DEFAULT'",
    ),
    (
        random.UniformCandidateSampler,
        ([[1]],),
        {**SAMPLES, "unique": True, "num_sampled": 4},
        "`num_sampled` is 4, but with unique=True must be at most `range_max`, which is 3",
    ),
    (
        nn.FixedUnigramCandidateSampler,
        ([[1]],),
        {**SAMPLES, "vocab_file": "words", "unigrams": WEIGHTS},
        "`vocab_file` must be empty, as no file is read; give the weights as `unigrams`",
    ),
    (
        nn.FixedUnigramCandidateSampler,
        ([[1]],),
        {**SAMPLES, "unigrams": WEIGHTS, "num_reserved_ids": -1},
        "`num_reserved_ids` is -1, but must not be negative",
    ),
    (
        nn.FixedUnigramCandidateSampler,
        ([[1]],),
        SAMPLES,
        "`unigrams` is empty; give the weight of each class that is not reserved",
    ),
    (
        nn.FixedUnigramCandidateSampler,
        ([[1]],),
        {**SAMPLES, "unigrams": WEIGHTS, "num_shards": 2, "shard": 2},
        "`shard` is 2, but must be less than `num_shards`, which is 2",
    ),
    (
        nn.FixedUnigramCandidateSampler,
        ([[1]],),
        {**SAMPLES, "unigrams": WEIGHTS, "num_reserved_ids": 1},
        "`range_max` is 3, but the number of classes is 4: 1 reserved, and 3 with weights in `unigrams`",
    ),
    (
        nn.FixedUnigramCandidateSampler,
        ([[1]],),
        {**SAMPLES, "unigrams": [1.0, -2.0, 3.0]},
        "`unigrams` has -2.0, but weights must not be negative",
    ),
    (core.ApproxTopK, ([1.0, 2.0],), {"k": 1, "recall_target": 1.5}, "`recall_target` is 1.5, but must be above 0"),
    (
        core.Bucketize,
        ([1.0],),
        {"boundaries": [2.0, 1.0]},
        "`boundaries` must be in ascending order, but 1.0 follows 2.0",
    ),
    (core.RandomIndexShuffle, (1, [1, 2, 3], 9), {"rounds": 5}, "`rounds` is 5, but must be even, and 4 or more"),
    (nn.FractionalMaxPool, (IMAGES,), {"pooling_ratio": [2.0, 1.0, 1.0, 1.0]}, "`pooling_ratio` must be [1, rows"),
    (nn.DataFormatDimMap, ([1],), {"dst_format": "NCXY"}, "`dst_format` 'NCXY' must have the letters of `src_format`"),
    (
        image.ScaleAndTranslate,
        (IMAGES, [2, 2], [1.0, 1.0], [0.0, 0.0]),
        {"kernel_type": "cubic"},
        "`kernel_type` is 'cubic'; allowed are 'lanczos1', ",
    ),
    (
        image.ImageProjectiveTransformV3,
        (IMAGES, [[1.0, 0, 0, 0, 1, 0, 0, 0]], [2, 2], 0.0),
        {"interpolation": "bilinear"},
        "`interpolation` is 'bilinear'; allowed are 'NEAREST', 'BILINEAR'",
    ),
    (
        image.ExtractGlimpse,
        (IMAGES, [1, 1], [[0.0, 0.0]]),
        {"noise": "foo", "uniform_noise": False},
        "`noise` is 'foo'; allowed are 'uniform', 'gaussian', 'zero', ''",
    ),
    (
        image.SampleDistortedBoundingBox,
        ([4, 4, 3], [[[0.0, 0.0, 1.0, 1.0]]], 0.5),
        {"max_attempts": 0},
        "`max_attempts` must be 1 or more, but is 0",
    ),
    (
        linalg.TridiagonalSolve,
        ([[1.0], [1.0], [1.0]], [[1.0]]),
        {"perturb_singular": True, "partial_pivoting": False},
        "`perturb_singular` needs partial_pivoting=True",
    ),
    (
        image.ExtractImagePatches,
        (IMAGES,),
        {"ksizes": (1, 0, 1, 1), "strides": (1, 1, 1, 1), "rates": (1, 1, 1, 1), "padding": "VALID"},
        "`ksizes` must be 4 positive numbers, one for each dimension, but is [1, 0, 1, 1]",
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), REFUSED)
def test_values_that_are_refused(
    operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str
) -> None:
    with pytest.raises(tg.AttributeValueError) as raised:
        operation.create(tg.Scope(tg.Graph()), *inputs, **attributes)
    assert message in str(raised.value)
