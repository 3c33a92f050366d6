"""Feeds map operands to arrays."""

from __future__ import annotations

import numpy as np

import typegrad as tg


def feeds(session: tg.Session, x: tg.Operand[tg.TFloat32], y: tg.Operand[tg.TFloat32]) -> None:
    session.run(y, [(x, np.ones(3))])  # E: call-overload / reportArgumentType, reportCallIssue
    session.run(y, np.ones(3))  # E: call-overload / reportArgumentType, reportCallIssue
    session.run(y, {"x": np.ones(3)})  # E: arg-type, dict-item / reportArgumentType, reportCallIssue
    session.run(y, {x: y})  # E: arg-type, dict-item / reportArgumentType, reportCallIssue
    session.run(y, {x: None})  # E: arg-type, dict-item / reportArgumentType, reportCallIssue
    session.run(y, x=np.ones(3))  # E: call-overload / reportCallIssue
    session.runner().feed("x", 1.0).fetch(y).run()  # E: arg-type / reportArgumentType
    session.runner().feed(x, y).fetch(y).run()  # E: arg-type / reportArgumentType
