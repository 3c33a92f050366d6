"""The inputs that have a gradient here and none in TensorFlow."""

from __future__ import annotations

from typing import Final

ONLY_HERE: Final = frozenset(
    (name, place)
    for name, places in {
        "AdjustContrastv2": (0, 1), "AdjustHue": (0, 1), "AdjustSaturation": (0, 1),
        "BatchNormWithGlobalNormalizationGrad": (0, 1, 2, 3, 4), "Betainc": (0, 1), "Bincount": (2,),
        "BlockLSTMGradV2": (*range(1, 8), *range(9, 18)), "CTCLossV2": (0,), "CholeskyGrad": (0, 1), "Conv": (0, 1),
        "Conv2DBackpropFilterV2": (0, 2), "Conv2DBackpropInputV2": (1, 2), "CropAndResizeGradBoxes": (0, 1, 2),
        "CropAndResizeGradImage": (0, 1), "DeepCopy": (0,), "DenseBincount": (2,),
        "Dilation2DBackpropFilter": (0, 1, 2), "Dilation2DBackpropInput": (0, 1, 2),
        "ExtractGlimpseV2": (0,), "FFTND": (0,), "FractionalAvgPoolGrad": (1,),
        "FractionalMaxPoolGrad": (0, 1, 2), "FusedBatchNormGradV3": (3, 4), "FusedBatchNormV3": (3, 4),
        "FusedPadConv2D": (0, 2), "FusedResizeAndPadConv2D": (0, 3), "GRUBlockCell": tuple(range(6)),
        "GRUBlockCellGrad": (1, 2, 3, 6, 7, 8, 9), "GuaranteeConst": (0,), "HSVToRGB": (0,), "IFFTND": (0,),
        "IRFFT3D": (0,),
        "ImageProjectiveTransformV2": (1,), "ImageProjectiveTransformV3": (1, 3),
        "IRFFTND": (0,), "IgammaGradA": (0, 1), "InplaceAdd": (0, 2), "InplaceSub": (0, 2),
        "InplaceUpdate": (0, 2), "LRNGrad": (0, 1, 2), "LSTMBlockCell": tuple(range(8)),
        "LSTMBlockCellGrad": (1, 4, 5, 6, *range(8, 16)), "LinSpace": (0, 1),
        "ListDiff": (0,), "Lu": (0,), "MatrixDiagPartV2": (2,), "MatrixDiagPartV3": (2,),
        "MatrixDiagV2": (4,), "MatrixDiagV3": (4,), "MatrixExponential": (0,),
        "MatrixLogarithm": (0,), "MatrixSolveLs": (2,),
        "MaxPoolGradGradV2": (0, 1, 2), "MaxPoolGradGradWithArgmax": (0, 1), "MaxPoolGradWithArgmax": (0, 1),
        "Mod": (0, 1), "NearestNeighbors": (0, 1), "OneHot": (2, 3), "PadV2": (2,),
        "ParallelConcat": (0,), "ParameterizedTruncatedNormal": (1, 2, 3, 4),
        "RFFT3D": (0,), "RFFTND": (0,), "RandomGammaGrad": (0, 1), "Range": (0, 2),
        "ResizeArea": (0,),
        "ResizeBicubicGrad": (0,), "ResizeBilinearGrad": (0,), "ResizeNearestNeighborGrad": (0,),
        "ScaleAndTranslate": (2, 3), "ScaleAndTranslateGrad": (0, 2, 3),
        "SegmentMaxV2": (0,), "SegmentMinV2": (0,), "SegmentProdV2": (0,),
        "SegmentSumV2": (0,), "Snapshot": (0,), "SoftsignGrad": (0, 1), "StatelessShuffle": (0,), "TruncateMod": (0, 1),
        "Zeta": (0,),
    }.items()
    for place in places
)  # fmt: skip
"""Operations and the places of the inputs, as the entry's `differences` says."""
