"""Optimizers: operations that move variables along a gradient. Schedules, clipping and moving averages go with them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.optimizers.adadelta import AdaDelta as AdaDelta
    from typegrad.optimizers.adagrad import AdaGrad as AdaGrad
    from typegrad.optimizers.adagrad import AdaGradDA as AdaGradDA
    from typegrad.optimizers.adam import Adam as Adam
    from typegrad.optimizers.adam import AdamW as AdamW
    from typegrad.optimizers.adam import AMSGrad as AMSGrad
    from typegrad.optimizers.adamax import Adamax as Adamax
    from typegrad.optimizers.averaging import ExponentialMovingAverage as ExponentialMovingAverage
    from typegrad.optimizers.clipping import Clip as Clip
    from typegrad.optimizers.clipping import ClipByGlobalNorm as ClipByGlobalNorm
    from typegrad.optimizers.clipping import ClipByNorm as ClipByNorm
    from typegrad.optimizers.clipping import ClipByValue as ClipByValue
    from typegrad.optimizers.ftrl import Ftrl as Ftrl
    from typegrad.optimizers.gradient_descent import GradientDescent as GradientDescent
    from typegrad.optimizers.gradient_descent import Momentum as Momentum
    from typegrad.optimizers.lion import Lion as Lion
    from typegrad.optimizers.nadam import Nadam as Nadam
    from typegrad.optimizers.optimizer import GradientPair as GradientPair
    from typegrad.optimizers.optimizer import Optimizer as Optimizer
    from typegrad.optimizers.optimizer import Options as Options
    from typegrad.optimizers.rmsprop import RMSProp as RMSProp
    from typegrad.optimizers.schedules import Constant as Constant
    from typegrad.optimizers.schedules import CosineDecay as CosineDecay
    from typegrad.optimizers.schedules import ExponentialDecay as ExponentialDecay
    from typegrad.optimizers.schedules import InverseTimeDecay as InverseTimeDecay
    from typegrad.optimizers.schedules import PiecewiseConstant as PiecewiseConstant
    from typegrad.optimizers.schedules import PolynomialDecay as PolynomialDecay
    from typegrad.optimizers.schedules import Schedule as Schedule
    from typegrad.optimizers.schedules import WarmUp as WarmUp
    from typegrad.optimizers.step import LearningRate as LearningRate
else:
    from typegrad.arguments import guarded
    from typegrad.lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "AMSGrad": "adam",
            "AdaDelta": "adadelta",
            "AdaGrad": "adagrad",
            "AdaGradDA": "adagrad",
            "Adam": "adam",
            "AdamW": "adam",
            "Adamax": "adamax",
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
            "Lion": "lion",
            "Momentum": "gradient_descent",
            "Nadam": "nadam",
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
