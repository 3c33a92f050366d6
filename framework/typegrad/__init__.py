"""typegrad: strongly typed computation graphs, differentiated as graphs and checked by a static type checker.

`typegrad.op` holds one class per operation; this module holds what surrounds them.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from typegrad import files as files
    from typegrad import functions as functions
    from typegrad import op as op
    from typegrad import tools as tools
    from typegrad import training as training
    from typegrad.base.types import *  # noqa: F403
    from typegrad.common import *  # noqa: F403
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
    from typegrad.graph.wrapper import Op as Op
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
    # The generator imports the types where nothing is generated yet, and mypy starts the plugin where every file may be
    # in its cache. So no name is imported before it is used.
    from typegrad.arguments.lazy import lazy
    from typegrad.arguments.missing_modules import explain_missing_modules

    explain_missing_modules(__name__)

    def _import_common_names():
        import typegrad.common

        return {*typegrad.common.__all__, *typegrad.base.types.__all__}

    __getattr__, _late = lazy(
        __name__,
        {
            "Feeds": "typegrad.session.run_types",
            "GradientDifference": "typegrad.functions.checking",
            "GradientFunction": "typegrad.differentiation.custom",
            "Op": "typegrad.graph.wrapper",
            "Ops": "typegrad.op._ops",
            "Saver": "typegrad.files.checkpoint.saver",
            "Session": "typegrad.session",
            "activations": "typegrad.training.",
            "constraints": "typegrad.training.",
            "check_gradients": "typegrad.functions.checking",
            "custom_gradient": "typegrad.differentiation.custom",
            "data": "typegrad.training.",
            "files": "",
            "functions": "",
            "grad": "typegrad.differentiation.api",
            "gradients": "typegrad.differentiation.api",
            "hessian": "typegrad.differentiation.derivatives",
            "hvp": "typegrad.differentiation.derivatives",
            "initializers": "typegrad.training.",
            "jacobian": "typegrad.differentiation.derivatives",
            "losses": "typegrad.training.",
            "metrics": "typegrad.training.",
            "op": "",
            "optimizers": "typegrad.training.",
            "pictures": "typegrad.tools.",
            "random": "typegrad.functions.",
            "regularizers": "typegrad.training.",
            "tensorboard": "typegrad.files.",
            "tools": "",
            "training": "",
        },
        import_others=_import_common_names,
    )

    def __dir__():
        # A path may begin with a package that offers nothing itself: `tg.op.math.Add`.
        return sorted({*_import_common_names(), *_late(), "__version__"} - {"files", "op", "tools"})
