"""Initial values of variables: `GlorotUniform()(scope, (784, 10), tg.TFloat32)` is an operand for `tg.Variable.create`.

An initializer is a frozen description of a distribution; calling it adds operations to a graph. Defaults are those of Keras.
"""

from typegrad.arguments import guard as _guard
from typegrad.initializers.constant import Constant as Constant
from typegrad.initializers.constant import Identity as Identity
from typegrad.initializers.constant import Ones as Ones
from typegrad.initializers.constant import Zeros as Zeros
from typegrad.initializers.initializer import Initializer as Initializer
from typegrad.initializers.orthogonal import Orthogonal as Orthogonal
from typegrad.initializers.random import RandomNormal as RandomNormal
from typegrad.initializers.random import RandomUniform as RandomUniform
from typegrad.initializers.random import TruncatedNormal as TruncatedNormal
from typegrad.initializers.scaling import GlorotNormal as GlorotNormal
from typegrad.initializers.scaling import GlorotUniform as GlorotUniform
from typegrad.initializers.scaling import HeNormal as HeNormal
from typegrad.initializers.scaling import HeUniform as HeUniform
from typegrad.initializers.scaling import LecunNormal as LecunNormal
from typegrad.initializers.scaling import LecunUniform as LecunUniform
from typegrad.initializers.scaling import VarianceScaling as VarianceScaling

_guard(__name__)
