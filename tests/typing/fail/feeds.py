"""Feeds map operands to arrays."""

from __future__ import annotations

import numpy as np

import typegrad as tg


def feeds(session: tg.Session, x: tg.Operand[tg.TFloat32], y: tg.Operand[tg.TFloat32]) -> None:
    session.run(y, [(x, np.ones(3))])  # E: call-overload / reportArgumentType, reportCallIssue
    session.run(y, np.ones(3))  # E: call-overload / reportArgumentType, reportCallIssue
    session.run(y, {3: np.ones(3)})  # E: arg-type / reportArgumentType, reportCallIssue
    session.run(y, {x: y})  # E: arg-type / reportArgumentType, reportCallIssue
    session.run(y, {x: None})  # E: arg-type / reportArgumentType, reportCallIssue
    session.run(y, x=np.ones(3))  # E: call-overload / reportCallIssue
    session.runner().feed(3, 1.0).fetch(y).run()  # E: arg-type / reportArgumentType
    session.runner().feed(x, y).fetch(y).run()  # E: arg-type / reportArgumentType


def assignments(session: tg.Session, v: tg.Variable[tg.TFloat32], x: tg.Operand[tg.TFloat32]) -> None:
    session.assign(x, 1.0)  # E: call-overload / reportArgumentType
    session.assign(v)  # E: call-overload / reportArgumentType
    session.assign(v, x)  # E: call-overload / reportArgumentType
    session.assign({"v": 1.0})  # E: dict-item / reportArgumentType
    session.assign({v: x})  # E: dict-item / reportArgumentType
