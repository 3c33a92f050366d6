"""The price of a call option and its sensitivities, by Monte Carlo and by the closed form."""

import math as pymath
from typing import NamedTuple

import numpy as np

import typegrad as tg
from typegrad.op import core, math, random

PATHS = 4096
STEPS = 16


class Market(NamedTuple):
    spot: tg.Operand[tg.TFloat64, tuple[()]]
    rate: tg.Operand[tg.TFloat64, tuple[()]]
    volatility: tg.Operand[tg.TFloat64, tuple[()]]


graph = tg.Graph(seed=3)
scope = tg.Scope(graph)
market = Market(*(core.Placeholder.create(scope.with_name(name), tg.TFloat64, ()) for name in Market._fields))
strike = 100.0
maturity = 1.0


def normal_cdf(x: tg.Operand[tg.TFloat64, tuple[()]]) -> tg.Operand[tg.TFloat64, tuple[()]]:
    return 0.5 * (1.0 + math.Erf.create(scope, x / pymath.sqrt(2.0)))


def closed_form(m: Market) -> tg.Operand[tg.TFloat64, tuple[()]]:
    d1 = (math.Log.create(scope, m.spot / strike) + (m.rate + 0.5 * m.volatility**2) * maturity) / m.volatility
    d2 = d1 - m.volatility * maturity**0.5
    return m.spot * normal_cdf(d1) - strike * math.Exp.create(scope, -m.rate * maturity) * normal_cdf(d2)


def monte_carlo(m: Market) -> tuple[tg.Operand[tg.TFloat64], tg.Operand[tg.TFloat64]]:
    dt = maturity / STEPS
    noise = random.RandomStandardNormal.create(scope, (PATHS, STEPS), tg.TFloat64)
    drift = (m.rate - 0.5 * math.Square.create(scope, m.volatility)) * dt
    moves = drift + m.volatility * np.sqrt(dt) * noise
    log_price = math.Log.create(scope, m.spot) + math.Cumsum.create(scope, moves, 1)
    final = math.Exp.create(scope, log_price[:, -1])
    payoff = math.Maximum.create(scope, final - strike, 0)
    discounted = math.Exp.create(scope, -m.rate * maturity) * payoff
    mean = math.Mean.create(scope, discounted)
    deviation = math.Sqrt.create(scope, math.Mean.create(scope, (discounted - mean) ** 2))
    return mean, deviation / PATHS**0.5


exact = closed_form(market)
delta, rho, vega = tg.gradients(scope, exact, market)
assert delta is not None and vega is not None
gamma = tg.grad(scope, delta, market.spot)
estimate, error = monte_carlo(market)
estimated_delta = tg.grad(scope, estimate, market.spot)

feeds = dict(zip(market, (100.0, 0.05, 0.2)))
with tg.Session(graph) as session:
    price, slope, curvature = session.run((exact, delta, gamma), feeds)
    simulated, uncertainty, simulated_slope = session.run([estimate, error, estimated_delta], feeds)
    prices = [float(session.run(exact, {**feeds, market.spot: spot})) for spot in np.linspace(80.0, 120.0, 5)]
print(f"{price:.3f} {slope:.3f} {curvature:.4f}; {simulated:.3f} +- {uncertainty:.3f}, {simulated_slope:.3f}", prices)
assert abs(price - 10.4506) < 1e-3
assert abs(simulated - price) < 5 * uncertainty
