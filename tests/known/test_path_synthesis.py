"""Cases of path synthesis that papers share, and straight lines that Chebyshev and Hoecken drew.

Points and bounds of the cases are those of Cabrera, Simon and Prado (Mechanism and Machine Theory
37 (2002) 1165-1177), as they are written out with the program `eca-four-bar-mechanisms` by
J. Mejia-de-Dios, which gives dimensions that meet the first of them, too.
"""

import math

import numpy as np
import pytest
from scipy.optimize import least_squares

import kempe as kp
from kempe.synthesis import Follow, Trace

LINE = [(20.0, y) for y in (20.0, 25.0, 30.0, 35.0, 40.0, 45.0)]
ARC = [(3.0, 3.0), (2.759, 3.363), (2.372, 3.663), (1.890, 3.862), (1.355, 3.943)]
ARC_ANGLES = np.pi * np.array([1 / 6, 1 / 4, 1 / 3, 5 / 12, 1 / 2])
# Of the first case: r1 to r4, the place of the point on the coupler, theta_0, x_0, y_0, theta_2.
PUBLISHED = (
    *(39.35432733966176, 8.738597335076454, 27.91020567579063, 38.41653206619049),
    *(36.576759454887835, 18.058222622003274, 3.922197401424182),
    *(-9.015069651004032, 59.8594568458345),
)
PUBLISHED_ANGLES = (
    *(1.6275724377055465, 2.42129538238649, 2.93021895068062),
    *(3.4158306289051543, 3.9401612344766854, 5.428565504554411),
)
BETTER = 1e-6  # of a squared distance: that a search by another program may be better


@kp.parametric
def four_bar(
    ax=0.0, ay=0.0, bx=30.0, by=30.0, crank=10.0, coupler=30.0, rocker=35.0, px=30.0, py=15.0
):
    m = kp.Builder("four-bar", plane=True)
    one = m.bar("crank", crank, at=(ax, ay), angle=math.pi / 6)
    two = m.bar("coupler", coupler, points={"P": (px, py)}, angle=0.8)
    three = m.bar("rocker", rocker, at=(bx, by), angle=2.0)
    m.revolute(m.ground.at(ax, ay), one.start)
    m.revolute(one.end, two.start)
    m.revolute(two.end, three.end)
    m.revolute(m.ground.at(bx, by), three.start)
    m.drive(one.angle, start=math.pi / 6, rpm=60)
    return m.build()


def coupler_point(x, angles, side):
    """By the law of cosines: the ground along x from the origin, (n,) complex."""
    ground, crank, coupler, rocker, px, py = x
    B = crank * np.exp(1j * angles)
    gap = ground - B
    d = abs(gap)
    along = (coupler**2 - rocker**2 + d * d) / (2.0 * d)
    height = coupler**2 - along**2
    C = B + gap / d * (along + 1j * side * np.sqrt(np.maximum(height, 0.0)))
    return B + complex(px, py) * (C - B) / coupler + 1e3 * np.minimum(height, 0.0)


def test_dimensions_that_are_published_for_six_points_on_a_line_meet_them_here_too():
    ground, crank, coupler, rocker, px, py, turned, x0, y0 = PUBLISHED
    bx, by = x0 + ground * math.cos(turned), y0 + ground * math.sin(turned)
    made = four_bar(x0, y0, bx, by, crank, coupler, rocker, px, py)
    angle = np.mod(np.array(PUBLISHED_ANGLES) + turned - math.pi / 6, 2 * math.pi) / (2 * math.pi)
    off = []
    for candidate in (made, _other(made)):
        run = candidate.kinematics(until=1.0, steps=3600)
        x, y = (np.interp(angle, run.t, c) for c in run["coupler.P"].position.T)
        off.append(np.hypot(x - 20.0, y - [p[1] for p in LINE]).max())
    assert min(off) < 1e-3  # m of tens: samples a tenth of a degree apart, joined by lines


def _other(mechanism):
    """The four-bar put together on its other branch."""
    one, other = mechanism.assemblies(at=0.0)
    here = mechanism.assemble()["coupler.P"]
    far = max((one, other), key=lambda a: np.linalg.norm(np.array(a["coupler.P"]) - here))
    bars = {b.name: far.poses[b.name] for b in mechanism.model.moving}
    return _Started(mechanism, bars)


class _Started:
    def __init__(self, mechanism, poses):
        self.mechanism, self.poses = mechanism, poses

    def kinematics(self, until, steps):
        return self.mechanism.kinematics(until, steps, start=self.mechanism.assemble(self.poses))


def test_five_points_at_their_angles_are_met_as_nearly_as_by_another_optimiser():
    """Case 2: the pivots on the x axis, the first in the origin, the crank shortest."""
    times = ((ARC_ANGLES - ARC_ANGLES[0]) / (2 * math.pi)).tolist()
    bounds = {
        "bx": (1.0, 50.0),
        "crank": (0.5, 50.0),
        "coupler": (1.0, 50.0),
        "rocker": (1.0, 50.0),
    }
    bounds |= {"px": (-50.0, 50.0), "py": (-50.0, 50.0)}
    begun = four_bar(0, 0, 5.0, 0, 2.0, 5.0, 5.0, 2.0, 1.0)
    found = begun.design(
        bounds,
        Follow("coupler.P", ARC, times),
        until=1.0,
        steps=36,
        starts=48,
        keep=3,
        seconds=600,
    )
    wanted = np.array([complex(*p) for p in ARC])
    x = [found.parameters[n] for n in ("bx", "crank", "coupler", "rocker", "px", "py")]
    sides = [abs(coupler_point(x, ARC_ANGLES, s) - wanted) ** 2 for s in (1, -1)]
    assert min(s.sum() for s in sides) == pytest.approx(found.square_sum, abs=1e-8)
    low = np.array([1.0, 0.5, 1.0, 1.0, -50.0, -50.0])
    rng, best = np.random.default_rng(3), math.inf
    every = np.linspace(0, 2 * np.pi, 73)
    for k in range(8):

        def residuals(x, side=(-1) ** k):
            off = coupler_point(x, ARC_ANGLES, side) - wanted
            return np.concatenate([off.real, off.imag])

        start = rng.uniform(low, [20, 8, 20, 20, 10, 10])
        one = least_squares(residuals, start, bounds=(low, np.full(6, 50.0)), max_nfev=80)
        if abs(coupler_point(one.x, every, (-1) ** k)).max() < 500:  # its crank turns
            best = min(best, 2.0 * one.cost)
    assert found.square_sum <= best + BETTER


def straightness(mechanism, until, height, reach):
    """How far the point is off the line at most, where it is over the stretch, (deviation)."""
    x, y = mechanism.kinematics(until=until, steps=720)["coupler.P"].position.T
    over = abs(x) <= reach
    return float(abs(y - height)[over].max())


def test_a_straight_line_leads_to_hoeckens_proportions():
    """Crank 1, ground 2, coupler and rocker 2.5, the point twice as far: a line 4 cranks long."""

    @kp.parametric
    def hoecken(ground=2.3, coupler=2.2, rocker=2.9, px=4.6):
        m = kp.Builder("four-bar", plane=True)
        one = m.bar("crank", 1.0, at=(-0.5 * ground, 0), angle=math.pi)
        two = m.bar("coupler", coupler, points={"P": (px, 0)}, angle=1.0)
        three = m.bar("rocker", rocker, at=(0.5 * ground, 0), angle=1.5)
        m.revolute(m.ground.at(-0.5 * ground, 0), one.start)
        m.revolute(one.end, two.start)
        m.revolute(two.end, three.end)
        m.revolute(m.ground.at(0.5 * ground, 0), three.start)
        m.drive(one.angle, start=math.pi, rpm=60)
        return m.build()

    classic = hoecken(2.0, 2.5, 2.5, 5.0)
    run = classic.kinematics(until=1.0, steps=720)["coupler.P"].position
    straight = run[run[:, 1] < run[:, 1].min() + 0.02]  # half of its turn
    middle, height = straight.mean(axis=0)
    assert np.ptp(straight[:, 0]) > 3.9
    line = [(middle + x, height) for x in np.linspace(-1.4, 1.4, 9)]
    bounds = {"ground": (1.5, 3.0), "coupler": (1.5, 4.0), "rocker": (1.5, 4.0), "px": (3.0, 7.0)}
    found = hoecken().design(
        bounds, Trace("coupler.P", line), until=1.0, steps=48, starts=64, keep=3, seconds=600
    )

    def worst(mechanism):
        p = mechanism.kinematics(until=1.0, steps=1440)["coupler.P"].position
        return max(np.linalg.norm(p - q, axis=1).min() for q in np.array(line))

    assert worst(found.mechanism) <= worst(classic) + 1e-3
    own = [found.parameters[n] for n in ("ground", "coupler", "rocker", "px")]
    assert own == pytest.approx([2.0, 2.5, 2.5, 5.0], rel=0.03)


def test_a_straight_line_leads_to_chebyshevs_proportions():
    """Pivots 4 apart, rockers of 5 that cross, a coupler of 2: its middle passes y = 4."""

    @kp.parametric
    def chebyshev(rocker=4.8, coupler=2.2):
        m = kp.Builder("chebyshev", plane=True)
        left = m.bar("left", rocker, at=(-2, 0), angle=0.64)
        middle = m.bar("coupler", coupler, points={"P": (0.5 * coupler, 0)}, angle=math.pi / 2)
        right = m.bar("right", rocker, at=(2, 0), angle=math.pi / 2)
        m.revolute(m.ground.at(-2, 0), left.start)
        m.revolute(m.ground.at(2, 0), right.start)
        m.revolute(left.end, middle.start)
        m.revolute(right.end, middle.end)
        m.drive(middle.angle, start=math.pi / 2, speed=math.pi)
        return m.build()

    line = [(x, 4.0) for x in np.linspace(-2.0, 2.0, 9)]
    bounds = {"rocker": (4.5, 5.5), "coupler": (1.6, 2.4)}
    found = chebyshev().design(
        bounds, Trace("coupler.P", line), until=1.0, steps=40, starts=32, keep=3, seconds=600
    )
    assert found.parameters["rocker"] == pytest.approx(5.0, rel=0.01)
    assert found.parameters["coupler"] == pytest.approx(2.0, rel=0.01)
    classic = straightness(chebyshev(5.0, 2.0), 1.0, 4.0, 2.0)
    assert straightness(found.mechanism, 1.0, 4.0, 1.99) <= 1.5 * classic
