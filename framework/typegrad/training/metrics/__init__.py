"""Metrics: how well a model performs, over all batches since the last reset.

    accuracy = metrics.SparseCategoricalAccuracy(scope)
    update = accuracy.update_state(scope, labels, logits)
    result, reset = accuracy.result(scope), accuracy.reset_state(scope)

A metric belongs to a graph. Its state is variables that a session keeps and no optimizer trains. Names, defaults and
results are Keras 3's; `MeanRelativeError` and `MeanTensor`, which Keras 3 no longer has, are Keras 2's.
"""

from typegrad.arguments.guarding import guard as _guard
from typegrad.training.metrics.accuracy import Accuracy as Accuracy
from typegrad.training.metrics.accuracy import BinaryAccuracy as BinaryAccuracy
from typegrad.training.metrics.accuracy import CategoricalAccuracy as CategoricalAccuracy
from typegrad.training.metrics.accuracy import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from typegrad.training.metrics.accuracy import SparseTopKCategoricalAccuracy as SparseTopKCategoricalAccuracy
from typegrad.training.metrics.accuracy import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from typegrad.training.metrics.auc import AUC as AUC
from typegrad.training.metrics.confusion import FalseNegatives as FalseNegatives
from typegrad.training.metrics.confusion import FalsePositives as FalsePositives
from typegrad.training.metrics.confusion import Precision as Precision
from typegrad.training.metrics.confusion import PrecisionAtRecall as PrecisionAtRecall
from typegrad.training.metrics.confusion import Recall as Recall
from typegrad.training.metrics.confusion import RecallAtPrecision as RecallAtPrecision
from typegrad.training.metrics.confusion import SensitivityAtSpecificity as SensitivityAtSpecificity
from typegrad.training.metrics.confusion import SpecificityAtSensitivity as SpecificityAtSensitivity
from typegrad.training.metrics.confusion import TrueNegatives as TrueNegatives
from typegrad.training.metrics.confusion import TruePositives as TruePositives
from typegrad.training.metrics.errors import BinaryCrossentropy as BinaryCrossentropy
from typegrad.training.metrics.errors import CategoricalCrossentropy as CategoricalCrossentropy
from typegrad.training.metrics.errors import CategoricalHinge as CategoricalHinge
from typegrad.training.metrics.errors import CosineSimilarity as CosineSimilarity
from typegrad.training.metrics.errors import Hinge as Hinge
from typegrad.training.metrics.errors import KLDivergence as KLDivergence
from typegrad.training.metrics.errors import LogCoshError as LogCoshError
from typegrad.training.metrics.errors import MeanAbsoluteError as MeanAbsoluteError
from typegrad.training.metrics.errors import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from typegrad.training.metrics.errors import MeanRelativeError as MeanRelativeError
from typegrad.training.metrics.errors import MeanSquaredError as MeanSquaredError
from typegrad.training.metrics.errors import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from typegrad.training.metrics.errors import Poisson as Poisson
from typegrad.training.metrics.errors import RootMeanSquaredError as RootMeanSquaredError
from typegrad.training.metrics.errors import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from typegrad.training.metrics.errors import SquaredHinge as SquaredHinge
from typegrad.training.metrics.iou import MeanIoU as MeanIoU
from typegrad.training.metrics.metric import ClassMetric as ClassMetric
from typegrad.training.metrics.metric import LabelMetric as LabelMetric
from typegrad.training.metrics.metric import Metric as Metric
from typegrad.training.metrics.reductions import Mean as Mean
from typegrad.training.metrics.reductions import MeanTensor as MeanTensor
from typegrad.training.metrics.reductions import Sum as Sum

_guard(__name__)
