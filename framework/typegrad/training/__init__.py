"""Training: data, parts of models with the defaults of Keras, optimizers, and the loop."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.training import activations as activations
    from typegrad.training import constraints as constraints
    from typegrad.training import data as data
    from typegrad.training import initializers as initializers
    from typegrad.training import losses as losses
    from typegrad.training import metrics as metrics
    from typegrad.training import optimizers as optimizers
    from typegrad.training import regularizers as regularizers
    from typegrad.training.loop import Progress as Progress
    from typegrad.training.loop import fit as fit
else:
    from typegrad.arguments.lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "Progress": "loop",
            "activations": "",
            "constraints": "",
            "data": "",
            "fit": "loop",
            "initializers": "",
            "losses": "",
            "metrics": "",
            "optimizers": "",
            "regularizers": "",
        },
    )
