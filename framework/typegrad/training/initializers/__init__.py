"""Initial values of variables: `GlorotUniform()(scope, (784, 10), tg.TFloat32)` is an operand for `tg.Variable.create`.

An initializer is an immutable description of a distribution; a call adds operations to a graph. Defaults are Keras'.
"""

from typegrad.arguments.guarding import guard as _guard
from typegrad.training.initializers.constant import Constant as Constant
from typegrad.training.initializers.constant import Identity as Identity
from typegrad.training.initializers.constant import Ones as Ones
from typegrad.training.initializers.constant import Zeros as Zeros
from typegrad.training.initializers.initializer import Initializer as Initializer
from typegrad.training.initializers.orthogonal import Orthogonal as Orthogonal
from typegrad.training.initializers.random import RandomNormal as RandomNormal
from typegrad.training.initializers.random import RandomUniform as RandomUniform
from typegrad.training.initializers.random import TruncatedNormal as TruncatedNormal
from typegrad.training.initializers.scaling import GlorotNormal as GlorotNormal
from typegrad.training.initializers.scaling import GlorotUniform as GlorotUniform
from typegrad.training.initializers.scaling import HeNormal as HeNormal
from typegrad.training.initializers.scaling import HeUniform as HeUniform
from typegrad.training.initializers.scaling import LecunNormal as LecunNormal
from typegrad.training.initializers.scaling import LecunUniform as LecunUniform
from typegrad.training.initializers.scaling import VarianceScaling as VarianceScaling

_guard(__name__)
