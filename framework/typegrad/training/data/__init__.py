"""Data for training: `Dataset.from_arrays(images, labels).shuffle(seed=0).batch(32)`."""

from typegrad.arguments.guarding import guard as _guard
from typegrad.training.data.dataset import Dataset as Dataset

_guard(__name__)
