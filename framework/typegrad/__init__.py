"""typegrad: strongly typed computation graphs, differentiated as graphs and checked by a static type checker.

`typegrad.op` holds one class per operation; this module holds what surrounds them.
"""

from typing import TYPE_CHECKING

from typegrad.arguments import guard as _guard
from typegrad.checkpoint.saver import Saver as Saver
from typegrad.errors import AttributeValueError as AttributeValueError
from typegrad.errors import CheckpointError as CheckpointError
from typegrad.errors import DTypeError as DTypeError
from typegrad.errors import FailedPreconditionError as FailedPreconditionError
from typegrad.errors import FeedError as FeedError
from typegrad.errors import GradientError as GradientError
from typegrad.errors import GraphError as GraphError
from typegrad.errors import InvalidArgumentError as InvalidArgumentError
from typegrad.errors import OptionError as OptionError
from typegrad.errors import PicklingError as PicklingError
from typegrad.errors import ResourceExhaustedError as ResourceExhaustedError
from typegrad.errors import SessionClosedError as SessionClosedError
from typegrad.errors import ShapeError as ShapeError
from typegrad.errors import TypegradError as TypegradError
from typegrad.errors import UnknownNameError as UnknownNameError
from typegrad.gradients.api import grad as grad
from typegrad.gradients.api import gradients as gradients
from typegrad.graph import Graph as Graph
from typegrad.indexed_slices import IndexedSlices as IndexedSlices
from typegrad.operand import Operand as Operand
from typegrad.operand import Output as Output
from typegrad.operation import Operation as Operation
from typegrad.scope import Scope as Scope
from typegrad.session import Session as Session
from typegrad.session.run_types import Feeds as Feeds
from typegrad.shape import Shape as Shape
from typegrad.types import *  # noqa: F403
from typegrad.variable import Variable as Variable

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typegrad import activations as activations
    from typegrad import constraints as constraints
    from typegrad import data as data
    from typegrad import functions as functions
    from typegrad import initializers as initializers
    from typegrad import losses as losses
    from typegrad import metrics as metrics
    from typegrad import optimizers as optimizers
    from typegrad import pictures as pictures
    from typegrad import regularizers as regularizers
    from typegrad import tensorboard as tensorboard
    from typegrad import training as training
    from typegrad.functions.checking import GradientDifference as GradientDifference
    from typegrad.functions.checking import check_gradients as check_gradients
    from typegrad.gradients.custom import GradientFunction as GradientFunction
    from typegrad.gradients.custom import custom_gradient as custom_gradient
    from typegrad.gradients.derivatives import hessian as hessian
    from typegrad.gradients.derivatives import hvp as hvp
    from typegrad.gradients.derivatives import jacobian as jacobian
    from typegrad.op._ops import Ops as Ops
else:
    # Generated code is imported late, so that the generator, which imports the types, works where nothing is generated yet. So are the
    # modules that many programs do without.
    from typegrad.lazy import lazy

    __getattr__, _ = lazy(
        __name__,
        {
            "GradientDifference": "typegrad.functions.checking",
            "GradientFunction": "typegrad.gradients.custom",
            "Ops": "typegrad.op._ops",
            "activations": "",
            "constraints": "",
            "check_gradients": "typegrad.functions.checking",
            "custom_gradient": "typegrad.gradients.custom",
            "data": "",
            "functions": "",
            "hessian": "typegrad.gradients.derivatives",
            "hvp": "typegrad.gradients.derivatives",
            "initializers": "",
            "jacobian": "typegrad.gradients.derivatives",
            "losses": "",
            "metrics": "",
            "optimizers": "",
            "pictures": "",
            "regularizers": "",
            "tensorboard": "",
            "training": "",
        },
    )

_guard(
    __name__,
    trusted=[
        Graph.add_initializer,
        Graph.add_to_gradients,
        Graph.add_variable,
        Graph.append,
        Graph.free_name,
        Graph.unique_name,
        Graph.withdraw,
        Operation.__init__,
        Output.__init__,
        Scope.add,
        Scope.current,
        Scope.for_input,
        Scope.proposed_name,
        Scope.unique_name,
        Scope.unnamed,
        Session.run,
        Shape.__init__,
        UnknownNameError.__init__,
    ],
)
