"""Functions of a scope and operands that are made of several operations, with TensorFlow's names and meanings.

Each adds its operations to a sub-scope of its scope. They are also methods of the facade:
`tg.functions.zeros(scope, (2, 3))` is `tf.zeros((2, 3))`, and `tg.functions.dropout(scope, x, 0.5)` is
`tf.nn.dropout(x, 0.5)`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.functions.drawing import normal as normal
    from typegrad.functions.drawing import truncated_normal as truncated_normal
    from typegrad.functions.drawing import uniform as uniform
    from typegrad.functions.filling import eye as eye
    from typegrad.functions.filling import one_hot as one_hot
    from typegrad.functions.filling import ones as ones
    from typegrad.functions.filling import zeros as zeros
    from typegrad.functions.grouping import group as group
    from typegrad.functions.nn import dropout as dropout
    from typegrad.functions.nn import log_softmax as log_softmax
    from typegrad.functions.nn import sigmoid_cross_entropy as sigmoid_cross_entropy
    from typegrad.functions.nn import softmax as softmax
    from typegrad.functions.reduction import global_norm as global_norm
    from typegrad.functions.reduction import logsumexp as logsumexp
    from typegrad.functions.reduction import moments as moments
    from typegrad.functions.sampled import Candidates as Candidates
    from typegrad.functions.sampled import nce_loss as nce_loss
    from typegrad.functions.sampled import sampled_softmax_loss as sampled_softmax_loss
else:
    from typegrad.arguments.guarding import guarded
    from typegrad.arguments.lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "Candidates": "sampled",
            "dropout": "nn",
            "eye": "filling",
            "global_norm": "reduction",
            "group": "grouping",
            "log_softmax": "nn",
            "logsumexp": "reduction",
            "moments": "reduction",
            "nce_loss": "sampled",
            "normal": "drawing",
            "one_hot": "filling",
            "ones": "filling",
            "sampled_softmax_loss": "sampled",
            "sigmoid_cross_entropy": "nn",
            "softmax": "nn",
            "truncated_normal": "drawing",
            "uniform": "drawing",
            "zeros": "filling",
        },
        guarded,
    )
