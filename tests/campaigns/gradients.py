"""Promise: slopes of places, velocities and accelerations by parameters are what neighbours show,
whatever lengths, pins, phases and units a linkage has, and what has no slope is refused by name.

Oracle: dyads in closed form, in jets over time with a step in the imaginary direction.
"""

import numpy as np

import kempe as kp
from kempe.errors import GradientError
from tests.gradients.four_bar_by_jets import by_complex_step, coupler_point

CASES = 8
DIGITS = 1e-9  # of the largest, times how near the worst sample is to a dead point
NEAR = 3e-3  # of the lengths: nearer to a dead point slopes are too steep to compare
NAMES = ("crank", "coupler", "rocker", "px", "py", "ax", "ay", "bx", "by", "phase", "speed")


@kp.parametric
def linkage(crank=1.0, coupler=3.0, rocker=2.5, px=1.0, py=1.0, ax=0.0, ay=0.0, bx=3.0, by=0.0,
            phase=0.0, speed=6.0, scale=1.0, plane=True):  # fmt: skip
    """A four-bar, in space where asked: hinges then repeat each other."""
    m = kp.Builder("linkage", plane=plane)
    first = m.bar("crank", crank * scale, angle=phase)
    middle = m.bar("coupler", coupler * scale, points={"P": (px * scale, py * scale)}, angle=0.7)
    last = m.bar("rocker", rocker * scale, angle=1.4)
    m.revolute(m.ground.at(ax * scale, ay * scale), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(bx * scale, by * scale))
    m.drive(first.angle, start=phase, speed=speed)
    return m.build()


def attempt(rng: np.random.Generator) -> list[str]:
    """A random four-bar at a scale from 1e-4 to 1e4, some numbers of it nothing."""
    lengths = rng.uniform(0.4, 3.0, 3)
    rest = rng.normal(size=6) * rng.integers(0, 2, 6)
    rest[4] += rng.uniform(1.0, 4.0)
    x = [
        *lengths.tolist(),
        *rest.tolist(),
        float(rng.uniform(-3.0, 3.0)),
        float(rng.uniform(-8, 8)),
    ]
    scale, plane = 10.0 ** rng.integers(-4, 5), bool(rng.uniform() < 0.7)
    if not plane:
        x[9] = 0.0 if rng.uniform() < 0.5 else x[9]
    home = linkage(**dict(zip(NAMES, x, strict=True)), scale=scale, plane=plane)
    try:
        run = home.kinematics(until=0.5, steps=int(rng.integers(6, 30)))
    except kp.KempeError:
        return []  # it does not go together
    if len(run) < 3:
        return []
    return _compared(run, x, scale, rng)


def _compared(run, x, scale, rng) -> list[str]:
    order = int(rng.integers(0, 3))

    def places(side, order):
        def point(*x):
            with np.errstate(invalid="ignore"):
                jets = coupler_point(run.t, side, *x)
            return scale * np.stack([(j.f, j.d, j.e)[order] for j in jets], axis=-1)

        return point

    if _margin(run.t, x) < NEAR:
        return []
    end = [*x[:3], x[1], 0.0, *x[5:]]  # the hinge with the rocker tells the side also where P is B
    hinge = run["coupler.end"].position[:, :2]
    side = min((1, -1), key=lambda s: np.abs(places(s, 0)(*end) - hinge).max())
    true = by_complex_step(places(side, order), x)
    by = [name for name in NAMES if rng.uniform() < 0.6] or ["crank"]
    wrong = []
    for axis, letter in enumerate("xy"):
        name = f"coupler.P.{('', 'v', 'a')[order]}{letter}"
        try:
            slope = run.gradient(name, by)
        except GradientError as refused:
            return [f"{name} was refused: {refused}"]
        for one in by:
            exact = true[:, axis, NAMES.index(one)]
            off = np.abs(slope[one] - exact).max()
            if not off <= DIGITS / _margin(run.t, x) * np.abs(true).max():
                wrong.append(f"the slope of {name} by {one} is off by {off:.2g}")
    return wrong[:3]


def _margin(t, x) -> float:
    """How far the worst moment is from a dead point, beside the lengths."""
    a, b, c, _, _, ax, ay, bx, by, phase, speed = x
    turn = phase + speed * t
    r = np.hypot(bx - ax - a * np.cos(turn), by - ay - a * np.sin(turn))
    return float((np.minimum(b + c - r, r - abs(b - c)) / (a + b + c)).min())
