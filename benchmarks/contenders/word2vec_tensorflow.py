"""TensorFlow: a graph with a session, as typegrad has it, and `tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf
from word2vec import LEARNING_RATE, NOISE, SIZE, WINDOW

from contenders.word2vec_tasks import Contenders, batches, embedding

__all__ = ["CONTENDERS"]

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


def _initial(vocabulary: int) -> list[Any]:
    return [embedding(vocabulary), np.zeros((vocabulary, SIZE), np.float32), np.zeros(vocabulary, np.float32)]


def _loss(variables: list[Any], context: Any, center: Any) -> Any:
    vectors, output, bias = variables
    losses = tf.nn.sampled_softmax_loss(
        weights=output,
        biases=bias,
        labels=center[:, tf.newaxis],
        inputs=tf.reduce_mean(tf.nn.embedding_lookup(vectors, context), 1),
        num_sampled=NOISE,
        num_classes=output.shape[0],
        remove_accidental_hits=False,
    )
    return tf.reduce_mean(losses)


def train_session(vocabulary: int) -> Callable[[], float]:
    with tf.Graph().as_default() as graph:
        context = tf.compat.v1.placeholder(tf.int64, (None, 2 * WINDOW))
        center = tf.compat.v1.placeholder(tf.int64, (None,))
        variables = [
            tf.compat.v1.get_variable(f"v{number}", initializer=value, use_resource=True)
            for number, value in enumerate(_initial(vocabulary))
        ]
        loss = _loss(variables, context, center)
        step = tf.compat.v1.train.GradientDescentOptimizer(LEARNING_RATE).minimize(loss)
        initialize = tf.compat.v1.global_variables_initializer()
    config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    session = tf.compat.v1.Session(graph=graph, config=config)
    session.run(initialize)
    data = batches(vocabulary)

    def work() -> float:
        contexts, centers = next(data)
        return float(session.run([loss, step], {context: contexts, center: centers})[0])

    return work


def train_function(vocabulary: int) -> Callable[[], float]:
    variables = [tf.Variable(value) for value in _initial(vocabulary)]

    def step(context: Any, center: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = _loss(variables, context, center)
        for variable, grad in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.scatter_sub(tf.IndexedSlices(LEARNING_RATE * grad.values, grad.indices))
        return loss

    compiled = tf.function(step)
    data = batches(vocabulary)

    def work() -> float:
        contexts, centers = next(data)
        return float(compiled(tf.constant(contexts), tf.constant(centers)))

    return work


CONTENDERS: Final[Contenders] = {"TensorFlow, session": train_session, "TensorFlow, function": train_function}
