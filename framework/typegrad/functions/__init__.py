"""Functions of a scope and operands that are made of several operations, with TensorFlow's names and meanings.

Each adds its operations to a sub-scope of its scope. They are also methods of the facade:
`tg.functions.zeros(scope, (2, 3))` is `tf.zeros((2, 3))`, and `tg.functions.dropout(scope, x, 0.5)` is
`tf.nn.dropout(x, 0.5)`.

Arguments, too, have the names of TensorFlow's functions: `keepdims`, where the operations have `keep_dims`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.functions.activations import gelu as gelu
    from typegrad.functions.activations import log_sigmoid as log_sigmoid
    from typegrad.functions.activations import silu as silu
    from typegrad.functions.cosine import dct as dct
    from typegrad.functions.cosine import idct as idct
    from typegrad.functions.cosine import inverse_mdct as inverse_mdct
    from typegrad.functions.cosine import mdct as mdct
    from typegrad.functions.drawing import normal as normal
    from typegrad.functions.drawing import truncated_normal as truncated_normal
    from typegrad.functions.drawing import uniform as uniform
    from typegrad.functions.filling import eye as eye
    from typegrad.functions.filling import one_hot as one_hot
    from typegrad.functions.filling import ones as ones
    from typegrad.functions.filling import sequence_mask as sequence_mask
    from typegrad.functions.filling import zeros as zeros
    from typegrad.functions.framing import frame as frame
    from typegrad.functions.framing import overlap_and_add as overlap_and_add
    from typegrad.functions.grouping import group as group
    from typegrad.functions.matrices import pinv as pinv
    from typegrad.functions.matrices import tensordot as tensordot
    from typegrad.functions.matrices import trace as trace
    from typegrad.functions.mel import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
    from typegrad.functions.mel import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms
    from typegrad.functions.nn import batch_normalization as batch_normalization
    from typegrad.functions.nn import dropout as dropout
    from typegrad.functions.nn import l2_normalize as l2_normalize
    from typegrad.functions.nn import log_softmax as log_softmax
    from typegrad.functions.nn import sigmoid_cross_entropy as sigmoid_cross_entropy
    from typegrad.functions.nn import softmax as softmax
    from typegrad.functions.nn import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
    from typegrad.functions.norms import clip_by_global_norm as clip_by_global_norm
    from typegrad.functions.norms import clip_by_norm as clip_by_norm
    from typegrad.functions.norms import norm as norm
    from typegrad.functions.printing import print as print
    from typegrad.functions.reduction import global_norm as global_norm
    from typegrad.functions.reduction import logsumexp as logsumexp
    from typegrad.functions.reduction import moments as moments
    from typegrad.functions.repeating import meshgrid as meshgrid
    from typegrad.functions.repeating import repeat as repeat
    from typegrad.functions.sampled import Candidates as Candidates
    from typegrad.functions.sampled import nce_loss as nce_loss
    from typegrad.functions.sampled import sampled_softmax_loss as sampled_softmax_loss
    from typegrad.functions.sorting import argsort as argsort
    from typegrad.functions.sorting import sort as sort
    from typegrad.functions.spectra import inverse_stft as inverse_stft
    from typegrad.functions.spectra import inverse_stft_window_fn as inverse_stft_window_fn
    from typegrad.functions.spectra import stft as stft
    from typegrad.functions.statistics import count_nonzero as count_nonzero
    from typegrad.functions.statistics import reduce_std as reduce_std
    from typegrad.functions.statistics import reduce_variance as reduce_variance
    from typegrad.functions.statistics import zero_fraction as zero_fraction
    from typegrad.functions.windows import WindowFn as WindowFn
    from typegrad.functions.windows import hamming_window as hamming_window
    from typegrad.functions.windows import hann_window as hann_window
    from typegrad.functions.windows import kaiser_bessel_derived_window as kaiser_bessel_derived_window
    from typegrad.functions.windows import kaiser_window as kaiser_window
    from typegrad.functions.windows import vorbis_window as vorbis_window
else:
    from typegrad.arguments.guarding import guarded
    from typegrad.arguments.lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "argsort": "sorting",
            "batch_normalization": "nn",
            "Candidates": "sampled",
            "clip_by_global_norm": "norms",
            "clip_by_norm": "norms",
            "count_nonzero": "statistics",
            "dct": "cosine",
            "dropout": "nn",
            "eye": "filling",
            "frame": "framing",
            "gelu": "activations",
            "global_norm": "reduction",
            "group": "grouping",
            "hamming_window": "windows",
            "hann_window": "windows",
            "idct": "cosine",
            "inverse_mdct": "cosine",
            "inverse_stft": "spectra",
            "inverse_stft_window_fn": "spectra",
            "kaiser_bessel_derived_window": "windows",
            "kaiser_window": "windows",
            "l2_normalize": "nn",
            "linear_to_mel_weight_matrix": "mel",
            "log_sigmoid": "activations",
            "log_softmax": "nn",
            "logsumexp": "reduction",
            "mdct": "cosine",
            "meshgrid": "repeating",
            "mfccs_from_log_mel_spectrograms": "mel",
            "moments": "reduction",
            "nce_loss": "sampled",
            "norm": "norms",
            "normal": "drawing",
            "one_hot": "filling",
            "ones": "filling",
            "overlap_and_add": "framing",
            "pinv": "matrices",
            "print": "printing",
            "reduce_std": "statistics",
            "reduce_variance": "statistics",
            "repeat": "repeating",
            "sampled_softmax_loss": "sampled",
            "sequence_mask": "filling",
            "sigmoid_cross_entropy": "nn",
            "silu": "activations",
            "softmax": "nn",
            "sort": "sorting",
            "stft": "spectra",
            "tensordot": "matrices",
            "trace": "matrices",
            "truncated_normal": "drawing",
            "uniform": "drawing",
            "vorbis_window": "windows",
            "weighted_cross_entropy_with_logits": "nn",
            "WindowFn": "windows",
            "zero_fraction": "statistics",
            "zeros": "filling",
        },
        guarded,
    )
