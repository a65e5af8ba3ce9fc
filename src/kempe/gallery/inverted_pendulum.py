"""A pendulum that stands on a cart."""

import math

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.forces import StateFeedback
from kempe.front import Builder, Mechanism
from kempe.gallery.sketch_of_masses import DOWN, let_go, particle, slender
from kempe.geometry.number import finite, positive
from kempe.measures import Gauge

FloatArray = NDArray[np.float64]

UPRIGHT = math.pi / 2.0


@let_go(5.0, "pole.end")
def inverted_pendulum(
    *,
    cart: float = 1.0,
    pole: float = 0.3,
    length: float = 0.8,
    lean: float = 0.4,
    cost: float = 0.1,
) -> Mechanism:
    """A pole stands on a cart that is pushed to and fro by the feedback of its state.

    u = -K (x - x_ref),  K = B^T P / cost,  A^T P + P A - P B B^T P / cost + 1 = 0

    K is optimal for the linearised cart and pole, by place, angle and both rates: the larger the
    `cost` of a push, the gentler. It starts `lean` (rad) off the vertical; masses in kg.

    Source: [AstromMurray] ch. 6, the linear quadratic regulator.

    Examples:
        >>> import kempe
        >>> balance = kempe.gallery.inverted_pendulum().simulate(until=8.0)
        >>> abs(float(balance["pole.angle"].values[-1]) - 1.5707963) < 1e-3
        True
    """
    masses = (cart, "the mass of the cart"), (pole, "the mass of the pole")
    for given, what in (*masses, (length, "the length of the pole"), (cost, "the cost")):
        positive(given, what)
    finite(lean, "the lean")
    m, push, pivot = _bare(cart, pole, length, 0.0)
    upright = m.build().assemble()
    found = m.build().linearize(upright, coordinates=[push.name, pivot.name], inputs=[push.name])
    gains = _regulator(found.A, found.B, cost)
    m, push, pivot = _bare(cart, pole, length, lean)
    feedback = StateFeedback(push, (push, pivot), gains[:2], gains[2:], references=(0.0, UPRIGHT))
    m.force(feedback, "regulator")
    return m.build()


def _bare(cart: float, pole: float, length: float, lean: float) -> tuple[Builder, Gauge, Gauge]:
    """Cart and pole without a controller, and the measures of both."""
    m = Builder("inverted pendulum", plane=True, gravity=DOWN)
    base = m.body("cart", points={"left": (-0.2, 0), "right": (0.2, 0)}, outline=("left", "right"),
                  at=(0, 0), angle=0.0, inertia=particle(cart))  # fmt: skip
    bar = m.bar("pole", length, at=(0, 0), angle=UPRIGHT + lean, inertia=slender(pole, length))
    rail = m.prismatic(m.ground.at(0, 0), base.at(0, 0), name="rail")
    m.revolute(base.at(0, 0), bar.start, name="pivot")
    return m, rail.displacement, bar.angle


def _regulator(A: FloatArray, B: FloatArray, cost: float) -> tuple[float, ...]:
    """The gains that make the integral of |x|^2 + cost u^2 the least."""
    from scipy.linalg import solve_continuous_are

    try:
        P = solve_continuous_are(A, B, np.eye(len(A)), np.array([[cost]]))
    except (np.linalg.LinAlgError, ValueError) as trouble:
        raise BadNumber(
            f"no regulator can be found for these masses, this length and a cost of {cost:g}:"
            " take numbers that are nearer to each other."
        ) from trouble
    return tuple(float(k) for k in (B.T @ P / cost)[0])
