"""Differentiation: the builder of gradients, and the derivatives that are made with it."""
