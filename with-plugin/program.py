
import numpy as np
import typegrad as tg
from typegrad import activations, initializers, losses, optimizers, regularizers
from typegrad.op import *
from typegrad.training.optimizers import GradientDescent
