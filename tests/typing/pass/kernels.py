"""NumPy has the functions that kernels are written in."""

import numpy as np

from typegrad.kernels.namespace import Namespace

xp: Namespace = np
