"""typegrad: strongly typed computation graphs, differentiated as graphs and checked by a static type checker.

`typegrad.op` holds one class per operation; this module holds what surrounds them.
"""

from typing import TYPE_CHECKING

from typegrad.arguments.guarding import guard as _guard
from typegrad.arguments.unknown import UnknownNameError as UnknownNameError
from typegrad.base.annotations import FloorDiv as FloorDiv
from typegrad.base.annotations import Minus as Minus
from typegrad.base.annotations import Over as Over
from typegrad.base.annotations import Plus as Plus
from typegrad.base.annotations import Times as Times
from typegrad.base.errors import AttributeValueError as AttributeValueError
from typegrad.base.errors import CheckpointError as CheckpointError
from typegrad.base.errors import DTypeError as DTypeError
from typegrad.base.errors import FailedPreconditionError as FailedPreconditionError
from typegrad.base.errors import FeedError as FeedError
from typegrad.base.errors import GradientError as GradientError
from typegrad.base.errors import GraphError as GraphError
from typegrad.base.errors import InvalidArgumentError as InvalidArgumentError
from typegrad.base.errors import OptionError as OptionError
from typegrad.base.errors import OutOfRangeError as OutOfRangeError
from typegrad.base.errors import PicklingError as PicklingError
from typegrad.base.errors import ResourceExhaustedError as ResourceExhaustedError
from typegrad.base.errors import SessionClosedError as SessionClosedError
from typegrad.base.errors import ShapeError as ShapeError
from typegrad.base.errors import TypegradError as TypegradError
from typegrad.base.shape import Shape as Shape
from typegrad.base.types import *  # noqa: F403
from typegrad.graph.graph import Graph as Graph
from typegrad.graph.indexed_slices import IndexedSlices as IndexedSlices
from typegrad.graph.operand import Operand as Operand
from typegrad.graph.operand import Output as Output
from typegrad.graph.operation import Operation as Operation
from typegrad.graph.scope import Scope as Scope
from typegrad.graph.variable import Variable as Variable

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typegrad import functions as functions
    from typegrad import training as training
    from typegrad.differentiation.api import grad as grad
    from typegrad.differentiation.api import gradients as gradients
    from typegrad.differentiation.custom import GradientFunction as GradientFunction
    from typegrad.differentiation.custom import custom_gradient as custom_gradient
    from typegrad.differentiation.derivatives import hessian as hessian
    from typegrad.differentiation.derivatives import hvp as hvp
    from typegrad.differentiation.derivatives import jacobian as jacobian
    from typegrad.files import tensorboard as tensorboard
    from typegrad.files.checkpoint.saver import Saver as Saver
    from typegrad.functions import random as random
    from typegrad.functions.checking import GradientDifference as GradientDifference
    from typegrad.functions.checking import check_gradients as check_gradients
    from typegrad.op._ops import Ops as Ops
    from typegrad.session import Session as Session
    from typegrad.session.run_types import Feeds as Feeds
    from typegrad.tools import pictures as pictures
    from typegrad.training import activations as activations
    from typegrad.training import constraints as constraints
    from typegrad.training import data as data
    from typegrad.training import initializers as initializers
    from typegrad.training import losses as losses
    from typegrad.training import metrics as metrics
    from typegrad.training import optimizers as optimizers
    from typegrad.training import regularizers as regularizers
else:
    # Generated code is imported late, so that the generator, which imports the types, works where nothing is generated
    # yet. So are the modules that many programs do without.
    from typegrad.arguments.lazy import lazy

    __getattr__, _late = lazy(
        __name__,
        {
            "Feeds": "typegrad.session.run_types",
            "GradientDifference": "typegrad.functions.checking",
            "GradientFunction": "typegrad.differentiation.custom",
            "Ops": "typegrad.op._ops",
            "Saver": "typegrad.files.checkpoint.saver",
            "Session": "typegrad.session",
            "activations": "typegrad.training.",
            "constraints": "typegrad.training.",
            "check_gradients": "typegrad.functions.checking",
            "custom_gradient": "typegrad.differentiation.custom",
            "data": "typegrad.training.",
            "functions": "",
            "grad": "typegrad.differentiation.api",
            "gradients": "typegrad.differentiation.api",
            "hessian": "typegrad.differentiation.derivatives",
            "hvp": "typegrad.differentiation.derivatives",
            "initializers": "typegrad.training.",
            "jacobian": "typegrad.differentiation.derivatives",
            "losses": "typegrad.training.",
            "metrics": "typegrad.training.",
            "optimizers": "typegrad.training.",
            "pictures": "typegrad.tools.",
            "random": "typegrad.functions.",
            "regularizers": "typegrad.training.",
            "tensorboard": "typegrad.files.",
            "training": "",
        },
    )

    def __dir__() -> list[str]:
        return sorted({*globals(), *_late()})


_guard(
    __name__,
    trusted=[
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
        Scope.for_rule,
        Scope.unnamed,
        Shape.__init__,
        UnknownNameError.__init__,
    ],
)
