"""Metrics: how well a model does, over all batches since the last reset.

    accuracy = metrics.SparseCategoricalAccuracy(scope)
    update = accuracy.update_state(scope, labels, logits)
    result, reset = accuracy.result(scope), accuracy.reset_state(scope)

A metric is made in a graph, and its state is made of variables that a session keeps and no optimizer trains. Names, defaults and
results are those of Keras 3; `MeanRelativeError` and `MeanTensor`, which Keras 3 has no longer, are those of Keras 2.
"""

from typegrad.arguments import guard as _guard
from typegrad.metrics.accuracy import Accuracy as Accuracy
from typegrad.metrics.accuracy import BinaryAccuracy as BinaryAccuracy
from typegrad.metrics.accuracy import CategoricalAccuracy as CategoricalAccuracy
from typegrad.metrics.accuracy import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from typegrad.metrics.accuracy import SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy
from typegrad.metrics.accuracy import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from typegrad.metrics.auc import AUC as AUC
from typegrad.metrics.comparisons import ClassMetric as ClassMetric
from typegrad.metrics.comparisons import LabelMetric as LabelMetric
from typegrad.metrics.confusion import FalseNegatives as FalseNegatives
from typegrad.metrics.confusion import FalsePositives as FalsePositives
from typegrad.metrics.confusion import Precision as Precision
from typegrad.metrics.confusion import PrecisionAtRecall as PrecisionAtRecall
from typegrad.metrics.confusion import Recall as Recall
from typegrad.metrics.confusion import RecallAtPrecision as RecallAtPrecision
from typegrad.metrics.confusion import SensitivityAtSpecificity as SensitivityAtSpecificity
from typegrad.metrics.confusion import SpecificityAtSensitivity as SpecificityAtSensitivity
from typegrad.metrics.confusion import TrueNegatives as TrueNegatives
from typegrad.metrics.confusion import TruePositives as TruePositives
from typegrad.metrics.errors import BinaryCrossentropy as BinaryCrossentropy
from typegrad.metrics.errors import CategoricalCrossentropy as CategoricalCrossentropy
from typegrad.metrics.errors import CategoricalHinge as CategoricalHinge
from typegrad.metrics.errors import CosineSimilarity as CosineSimilarity
from typegrad.metrics.errors import Hinge as Hinge
from typegrad.metrics.errors import KLDivergence as KLDivergence
from typegrad.metrics.errors import LogCoshError as LogCoshError
from typegrad.metrics.errors import MeanAbsoluteError as MeanAbsoluteError
from typegrad.metrics.errors import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from typegrad.metrics.errors import MeanRelativeError as MeanRelativeError
from typegrad.metrics.errors import MeanSquaredError as MeanSquaredError
from typegrad.metrics.errors import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from typegrad.metrics.errors import Poisson as Poisson
from typegrad.metrics.errors import RootMeanSquaredError as RootMeanSquaredError
from typegrad.metrics.errors import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from typegrad.metrics.errors import SquaredHinge as SquaredHinge
from typegrad.metrics.iou import MeanIoU as MeanIoU
from typegrad.metrics.metric import Metric as Metric
from typegrad.metrics.reductions import Mean as Mean
from typegrad.metrics.reductions import MeanTensor as MeanTensor
from typegrad.metrics.reductions import Sum as Sum

_guard(__name__)
