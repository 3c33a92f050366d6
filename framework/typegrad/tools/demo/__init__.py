"""A classifier of handwritten digits, fooled by adversarial examples and then trained against them: `typegrad demo`.

Read `network.py` (a model out of operations), then `attack.py` (a gradient with respect to the input, and
StopGradient), then `experiment.py` (optimizer and session).
"""
