"""Optimizers: operations that update variables by their gradients; schedules, gradient clipping, moving averages."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.training.optimizers.adagrad import AdaDelta as AdaDelta
    from typegrad.training.optimizers.adagrad import AdaGrad as AdaGrad
    from typegrad.training.optimizers.adagrad import AdaGradDA as AdaGradDA
    from typegrad.training.optimizers.adam import Adam as Adam
    from typegrad.training.optimizers.adam import Adamax as Adamax
    from typegrad.training.optimizers.adam import AdamW as AdamW
    from typegrad.training.optimizers.adam import AMSGrad as AMSGrad
    from typegrad.training.optimizers.adam import Nadam as Nadam
    from typegrad.training.optimizers.averaging import ExponentialMovingAverage as ExponentialMovingAverage
    from typegrad.training.optimizers.clipping import Clip as Clip
    from typegrad.training.optimizers.clipping import ClipByGlobalNorm as ClipByGlobalNorm
    from typegrad.training.optimizers.clipping import ClipByNorm as ClipByNorm
    from typegrad.training.optimizers.clipping import ClipByValue as ClipByValue
    from typegrad.training.optimizers.ftrl import Ftrl as Ftrl
    from typegrad.training.optimizers.gradient_descent import GradientDescent as GradientDescent
    from typegrad.training.optimizers.gradient_descent import Lion as Lion
    from typegrad.training.optimizers.gradient_descent import Momentum as Momentum
    from typegrad.training.optimizers.optimizer import GradientPair as GradientPair
    from typegrad.training.optimizers.optimizer import Optimizer as Optimizer
    from typegrad.training.optimizers.optimizer import Options as Options
    from typegrad.training.optimizers.rmsprop import RMSProp as RMSProp
    from typegrad.training.optimizers.schedules import Constant as Constant
    from typegrad.training.optimizers.schedules import CosineDecay as CosineDecay
    from typegrad.training.optimizers.schedules import ExponentialDecay as ExponentialDecay
    from typegrad.training.optimizers.schedules import InverseTimeDecay as InverseTimeDecay
    from typegrad.training.optimizers.schedules import PiecewiseConstant as PiecewiseConstant
    from typegrad.training.optimizers.schedules import PolynomialDecay as PolynomialDecay
    from typegrad.training.optimizers.schedules import Schedule as Schedule
    from typegrad.training.optimizers.schedules import WarmUp as WarmUp
    from typegrad.training.optimizers.step import LearningRate as LearningRate
else:
    from typegrad.arguments.guarding import guarded
    from typegrad.arguments.lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "AMSGrad": "adam",
            "AdaDelta": "adagrad",
            "AdaGrad": "adagrad",
            "AdaGradDA": "adagrad",
            "Adam": "adam",
            "AdamW": "adam",
            "Adamax": "adam",
            "Clip": "clipping",
            "ClipByGlobalNorm": "clipping",
            "ClipByNorm": "clipping",
            "ClipByValue": "clipping",
            "Constant": "schedules",
            "CosineDecay": "schedules",
            "ExponentialDecay": "schedules",
            "ExponentialMovingAverage": "averaging",
            "Ftrl": "ftrl",
            "GradientDescent": "gradient_descent",
            "GradientPair": "optimizer",
            "InverseTimeDecay": "schedules",
            "LearningRate": "step",
            "Lion": "gradient_descent",
            "Momentum": "gradient_descent",
            "Nadam": "adam",
            "Optimizer": "optimizer",
            "Options": "optimizer",
            "PiecewiseConstant": "schedules",
            "PolynomialDecay": "schedules",
            "RMSProp": "rmsprop",
            "Schedule": "schedules",
            "WarmUp": "schedules",
        },
        guarded,
    )
