"""What the guides call by its whole path needs no import of its own."""

import typegrad as tg
from typegrad import files

scope = tg.Scope(tg.Graph())
x = tg.op.core.Placeholder.create(scope, tg.TFloat32, (None, 3))
y: tg.Operand[tg.TFloat32, tuple[int, int]] = tg.op.math.Square.create(scope, x)
adam = tg.training.optimizers.Adam(scope.graph)
print(y, adam, tg.training.data.Dataset, tg.tools.pictures.text(scope.graph))
print(tg.files.tensorboard.EventWriter, tg.files.checkpoint.read_values, files.tensorboard.EventWriter)
