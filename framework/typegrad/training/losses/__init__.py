"""Losses: how far predictions are from labels.

Functions (`huber(scope, y_true, y_pred)`) return a loss for each sample; classes
(`Huber()(scope, y_true, y_pred, sample_weight)`) weight and reduce them. Labels have any real element type and are
converted to the predictions' type.

Names, defaults and results are Keras 3's, except that logarithms and their derivatives stay finite in half precision
and bfloat16, that label smoothing along another axis than the last counts the classes on that axis, and that the mean
of no losses is 0.
"""

from typegrad.arguments.guarding import guard as _guard
from typegrad.training.losses.classification import binary_crossentropy as binary_crossentropy
from typegrad.training.losses.classification import categorical_crossentropy as categorical_crossentropy
from typegrad.training.losses.classification import categorical_hinge as categorical_hinge
from typegrad.training.losses.classification import hinge as hinge
from typegrad.training.losses.classification import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from typegrad.training.losses.classification import squared_hinge as squared_hinge
from typegrad.training.losses.loss import BinaryCrossentropy as BinaryCrossentropy
from typegrad.training.losses.loss import CategoricalCrossentropy as CategoricalCrossentropy
from typegrad.training.losses.loss import CategoricalHinge as CategoricalHinge
from typegrad.training.losses.loss import CosineSimilarity as CosineSimilarity
from typegrad.training.losses.loss import Hinge as Hinge
from typegrad.training.losses.loss import Huber as Huber
from typegrad.training.losses.loss import KLDivergence as KLDivergence
from typegrad.training.losses.loss import LogCosh as LogCosh
from typegrad.training.losses.loss import Loss as Loss
from typegrad.training.losses.loss import MeanAbsoluteError as MeanAbsoluteError
from typegrad.training.losses.loss import MeanAbsolutePercentageError as MeanAbsolutePercentageError
from typegrad.training.losses.loss import MeanSquaredError as MeanSquaredError
from typegrad.training.losses.loss import MeanSquaredLogarithmicError as MeanSquaredLogarithmicError
from typegrad.training.losses.loss import Poisson as Poisson
from typegrad.training.losses.loss import SparseCategoricalCrossentropy as SparseCategoricalCrossentropy
from typegrad.training.losses.loss import SquaredHinge as SquaredHinge
from typegrad.training.losses.reduction import Reduction as Reduction
from typegrad.training.losses.regression import cosine_similarity as cosine_similarity
from typegrad.training.losses.regression import huber as huber
from typegrad.training.losses.regression import kl_divergence as kl_divergence
from typegrad.training.losses.regression import log_cosh as log_cosh
from typegrad.training.losses.regression import mean_absolute_error as mean_absolute_error
from typegrad.training.losses.regression import mean_absolute_percentage_error as mean_absolute_percentage_error
from typegrad.training.losses.regression import mean_squared_error as mean_squared_error
from typegrad.training.losses.regression import mean_squared_logarithmic_error as mean_squared_logarithmic_error
from typegrad.training.losses.regression import poisson as poisson

_guard(__name__)
