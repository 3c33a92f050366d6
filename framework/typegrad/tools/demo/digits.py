"""scikit-learn's handwritten digits: 1,797 images of 8 by 8 pixels (Alpaydin and Kaynak, 1998)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

__all__ = ["CLASSES", "PIXELS", "SIDE", "Digits", "load"]

SIDE = 8
PIXELS = SIDE * SIDE
CLASSES = 10

Images: TypeAlias = NDArray[np.float32]
Labels: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True)
class Digits:
    """Images [n, 64] with pixels from 0 to 1, and their labels [n]."""

    images: Images
    labels: Labels

    def __len__(self) -> int:
        return len(self.labels)

    def at(self, indices: NDArray[np.intp]) -> Digits:
        """The digits at these indices."""
        return Digits(self.images[indices], self.labels[indices])


def load(seed: int) -> tuple[Digits, Digits]:
    """The training digits, and a fifth of all for testing."""
    pixels, labels = load_digits(return_X_y=True)
    training, test = train_test_split(np.arange(len(labels)), test_size=0.2, stratify=labels, random_state=seed)
    digits = Digits((pixels / 16).astype(np.float32), labels.astype(np.int32))
    return digits.at(np.asarray(training)), digits.at(np.asarray(test))
