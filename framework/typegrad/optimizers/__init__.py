"""Optimizers: operations that move variables along a gradient."""

from typegrad.optimizers.gradient_descent import GradientDescent as GradientDescent
from typegrad.optimizers.optimizer import GradientPair as GradientPair
