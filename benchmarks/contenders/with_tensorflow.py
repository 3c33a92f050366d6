"""TensorFlow: graphs with sessions, as typegrad has them, and `tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from contenders.tasks import BUILD, CHAIN, DIFFERENTIATE, NODES, RATE, RUN, SIZES, TRAIN, Contenders, batch, weights

__all__ = ["CONTENDERS"]


def build() -> Callable[[], object]:
    def work() -> object:
        with tf.Graph().as_default() as graph:
            x = tf.compat.v1.placeholder(tf.float32, (4,))
            for _ in range(NODES // 2):
                x = tf.raw_ops.AddV2(x=tf.raw_ops.Mul(x=x, y=x), y=x)
        return graph

    return work


def run_session() -> Callable[[], object]:
    with tf.Graph().as_default() as graph:
        x, y = (tf.compat.v1.placeholder(tf.float32, (4,)) for _ in range(2))
        result = tf.tanh(x * y + x)
    session = tf.compat.v1.Session(graph=graph)
    value = np.ones(4, np.float32)
    return lambda: session.run(result, {x: value, y: value})


def run_function() -> Callable[[], object]:
    compiled = tf.function(lambda x, y: tf.tanh(x * y + x))
    value = np.ones(4, np.float32)
    return lambda: compiled(tf.constant(value), tf.constant(value)).numpy()


def _loss(layers: list[tuple[Any, Any]], x: Any, labels: Any) -> Any:
    for number, (w, b) in enumerate(layers):
        x = tf.nn.bias_add(tf.matmul(tf.nn.relu(x) if number else x, w), b)
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=x))


def train_session() -> Callable[[], object]:
    images, classes = batch()
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, (None, SIZES[0]))
        labels = tf.compat.v1.placeholder(tf.int32, (None,))
        layers = [
            tuple(tf.compat.v1.get_variable(f"v{i}{j}", initializer=v) for j, v in enumerate(p))
            for i, p in enumerate(weights())
        ]
        loss = _loss(layers, x, labels)
        step = tf.compat.v1.train.GradientDescentOptimizer(RATE).minimize(loss)
        initialize = tf.compat.v1.global_variables_initializer()
    session = tf.compat.v1.Session(graph=graph)
    session.run(initialize)
    return lambda: session.run([loss, step], {x: images, labels: classes})


def train_function() -> Callable[[], object]:
    images, classes = batch()
    layers = [(tf.Variable(w), tf.Variable(b)) for w, b in weights()]
    variables = [variable for layer in layers for variable in layer]

    def step(x: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = _loss(layers, x, labels)
        for variable, grad in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(RATE * grad)
        return loss

    compiled = tf.function(step)
    return lambda: compiled(tf.constant(images), tf.constant(classes)).numpy()


def differentiate() -> Callable[[], object]:
    def work() -> object:
        with tf.Graph().as_default():
            start = x = tf.compat.v1.placeholder(tf.float32, (4,))
            for _ in range(CHAIN):
                x = tf.raw_ops.Tanh(x=x)
            return tf.gradients(x, start)

    return work


CONTENDERS: Final[Contenders] = {
    "TensorFlow, session": {BUILD: build, RUN: run_session, TRAIN: train_session, DIFFERENTIATE: differentiate},
    "TensorFlow, function": {RUN: run_function, TRAIN: train_function},
}
