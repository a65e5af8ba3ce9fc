"""Bodies that turn: free of torque, and under gravity about a fixed point, against closed forms.

Sources: [LandauLifshitz] sections 35 and 37: Euler's free body and Lagrange's top in Jacobi's
elliptic functions. The attitudes of the free body are those of two independent integrations to
1e-12; the fast top is the one of [BrulsCardona].
"""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson
from scipy.special import ellipj, ellipk

from kempe import Builder, Inertia, Rotation
from kempe.joints import Spherical

G = 9.81
TIGHT = 1e-12
DEFAULT = 1e-8


# -- without torque -------------------------------------------------------------------------------

MOMENTS = np.array([1.0, 2.0, 3.0])
SPIN = (1.0, 0.0, 0.6)
OMEGA = {
    2.0: (0.5391292131368195, 0.8422230651926247, 0.351501687268368),
    10.0: (-0.8604701460540264, -0.5095008613827597, 0.5229432321805236),
    20.0: (0.579363526249613, 0.8150692635915058, 0.3722284672744184),
}
ATTITUDE = {
    2.0: (0.4736110702935143, 0.5712255463111547, 0.3957588487601538, 0.541081198125524),
    10.0: (-0.23578714369092407, 0.03163870637481892, 0.15958655891134205, -0.9580895288770469),
    20.0: (-0.8653035748680353, -0.2584845401332767, 0.10758065143692315, 0.41576660432158036),
}
PERIOD, TWICE_ENERGY, MOMENTUM_SQUARED = 18.134176597605983, 2.08, 4.24


def free_body(spin):
    m = Builder("free body")
    m.body("body", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, 0), np.diag(MOMENTS)), spin=spin)
    return m.build()


def spins(motion):
    return motion.motion.v[:, 3:6]  # in the body's axes


@pytest.mark.parametrize(("tolerance", "close"), [(DEFAULT, 1e-6), (TIGHT, 1e-8)])
def test_a_free_body_turns_as_eulers_equations_say(tolerance, close):
    motion = free_body(SPIN).simulate(until=20.0, steps=10, tolerance=tolerance)
    for t, omega in OMEGA.items():
        k = round(t / 2)
        assert np.abs(spins(motion)[k] - omega).max() < close
        found = motion.motion.q[k, 3:7]
        assert np.abs(found * np.sign(found @ ATTITUDE[t]) - ATTITUDE[t]).max() < close


def test_a_free_body_spins_again_as_at_the_start_after_its_period():
    motion = free_body(SPIN).simulate(until=PERIOD, steps=40, tolerance=TIGHT)
    omega = spins(motion)
    assert np.abs(omega[-1] - omega[0]).max() < 1e-9
    assert np.abs(omega[20] - (-SPIN[0], 0.0, SPIN[2])).max() < 1e-9  # half a period
    assert np.abs((MOMENTS * omega**2).sum(axis=1) - TWICE_ENERGY).max() < 1e-10
    momentum = ((MOMENTS * omega) ** 2).sum(axis=1)
    assert np.abs(momentum - MOMENTUM_SQUARED).max() < 1e-10


def free_spin(t, spin):
    """w1, w2, w3 from (w1, 0, w3), for I1 < I2 < I3 and momentum outside that of the middle axis.

    w2 = a sn(p t, k2), and cn and dn of the same. Source: [LandauLifshitz] (37.10).
    """
    A, B, C = MOMENTS
    energy, momentum = float(MOMENTS @ np.square(spin)), float((MOMENTS**2) @ np.square(spin))
    rate = math.sqrt((C - B) * (momentum - energy * A) / (A * B * C))
    k2 = (B - A) * (energy * C - momentum) / ((C - B) * (momentum - energy * A))
    sn, cn, dn, _ = ellipj(rate * t, k2)
    top = math.sqrt((energy * C - momentum) / (B * (C - B)))
    return np.stack([spin[0] * cn, top * sn, spin[2] * dn], axis=1), 4 * ellipk(k2) / rate


def test_a_body_turned_about_its_middle_axis_somersaults():
    """Dzhanibekov's nut: nearly steady, then half round in a moment, again and again."""
    slow = 1e-3
    # Just beside the middle axis: the curve that passes (w1, 0, w3) with momentum^2 > 2 T I2.
    w3 = math.sqrt(MOMENTS[0] / MOMENTS[2] * (1 + slow))
    expected_at_end, period = free_spin(np.array([0.0]), (1.0, 0.0, w3))
    assert expected_at_end[0] == pytest.approx((1.0, 0.0, w3))
    motion = free_body((1.0, 0.0, w3)).simulate(until=2 * period, steps=400, tolerance=TIGHT)
    omega = spins(motion)
    expected, _ = free_spin(motion.t, (1.0, 0.0, w3))
    assert np.abs(omega - expected).max() < 1e-8
    middle = omega[:, 1]
    assert (np.diff(np.sign(middle[1:-1])) != 0).sum() == 3  # half round four times
    assert (np.abs(middle) > 0.9 * np.abs(middle).max()).mean() > 0.5  # steady most of the time


@pytest.mark.parametrize("axis", [0, 2])
def test_a_body_turned_about_an_outer_axis_only_wobbles(axis):
    spin = np.full(3, 1e-3)
    spin[axis] = 2.0
    motion = free_body(tuple(spin)).simulate(until=100.0, steps=500)
    others = np.delete(spins(motion), axis, axis=1)
    assert np.abs(others).max() < 3e-3
    assert np.ptp(spins(motion)[:, axis]) < 1e-5


# -- under gravity --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Top:
    """Lagrange's top about a fixed point, let go with its axis at rest in tilt.

    u = cos(tilt) obeys u'^2 = (alpha - beta u)(1 - u^2) - (b - a u)^2, so that
    u = u1 + (u2 - u1) sn^2; the axis goes round with (b - a u) / (1 - u^2).

    Source: [LandauLifshitz] section 35, problem 1; the cubic's roots as usual.
    """

    mass: float
    height: float  # of the centre over the point, m
    across: float  # moment about the centre, kg m^2
    along: float
    tilt: float
    going_round: float  # rad/s
    spin: float  # about the axis, all of it, rad/s

    @property
    def about_point(self):
        return self.across + self.mass * self.height**2

    def built(self):
        m = Builder("top", gravity=(0, 0, -G))
        tensor = np.diag([self.across, self.across, self.along])
        axis = np.array([math.sin(self.tilt), 0.0, math.cos(self.tilt)])
        omega = self.going_round * np.array([0, 0, 1.0])
        omega = omega + (self.spin - self.going_round * axis[2]) * axis
        top = m.body(
            "top",
            points={"tip": (0, 0, 1)},
            at=(0, 0, 0),
            rotation=Rotation.with_z(axis),
            inertia=Inertia(self.mass, (0, 0, self.height), tensor),
            spin=tuple(omega),
        )
        m.add(Spherical(m.ground.at(0, 0, 0), top.at(0, 0, 0)), "foot")
        return m.build()

    def closed_form(self, t):
        """cos(tilt) and the rate of the axis going round."""
        u0, w = math.cos(self.tilt), self.going_round
        a = self.along * self.spin / self.about_point
        b = w * (1 - u0 * u0) + a * u0
        beta = 2 * self.mass * G * self.height / self.about_point
        alpha = beta * u0 + w * w * (1 - u0 * u0)
        cubic = [beta, -(alpha + a * a), 2 * a * b - beta, alpha - b * b]
        u1, u2, u3 = np.sort(np.roots(cubic).real)
        m, rate = (u2 - u1) / (u3 - u1), 0.5 * math.sqrt(beta * (u3 - u1))
        first = ellipk(m) if abs(u0 - u2) < abs(u0 - u1) else 0.0
        u = u1 + (u2 - u1) * ellipj(rate * t + first, m)[0] ** 2
        return u, (b - a * u) / (1 - u * u)


TOPS = {
    "let go at rest": Top(0.5, 0.1, 6e-4, 8e-4, math.radians(30), 0.0, 150.0),
    "in loops": Top(0.5, 0.1, 6e-4, 8e-4, math.radians(30), -3.0, 150.0),
    "in waves": Top(0.5, 0.1, 6e-4, 8e-4, math.radians(60), 2.0, 150.0),
    "slow": Top(1.0, 0.2, 0.01, 0.02, math.radians(80), 1.0, 20.0),
    # [BrulsCardona]: 15 kg, 1 m from the point, level, 150 rad/s about its axis.
    "fast": Top(15.0, 1.0, 0.234375, 0.46875, math.radians(90), -4.61538, 150.0),
}


@pytest.mark.parametrize("name", TOPS)
def test_a_heavy_top_nods_as_the_elliptic_functions_say(name):
    top = TOPS[name]
    motion = top.built().simulate(until=1.0, steps=1000, tolerance=TIGHT)
    tip = motion["top.tip"].position
    u, round_rate = top.closed_form(motion.t)
    assert np.abs(tip[:, 2] - u).max() < 1e-8
    if name in ("let go at rest", "in loops"):
        assert round_rate.min() < 1e-9  # it stops, or goes back
    if np.abs(u).max() > 0.99:
        return  # the axis passes the vertical: its azimuth jumps by half a turn
    azimuth = np.unwrap(np.arctan2(tip[:, 1], tip[:, 0]))
    gone = cumulative_simpson(round_rate, x=motion.t, initial=0.0)
    #: Simpson's rule at 1 ms beside nodding at up to 100 rad/s errs by some 1e-7.
    assert np.abs(azimuth - gone).max() < 1e-6


@pytest.mark.parametrize("name", TOPS)
def test_a_heavy_top_at_default_settings_keeps_what_it_must(name):
    top = TOPS[name]
    motion = top.built().simulate(until=5.0, steps=100)
    assert np.ptp(motion.energy.mechanical) < 1e-6 * motion.energy.kinetic.max()
    assert np.abs(spins(motion)[:, 2] - top.spin).max() < 1e-6 * top.spin


@pytest.mark.parametrize("which", [0, 1])
def test_a_heavy_top_at_its_two_right_speeds_goes_round_without_nodding(which):
    """I1 cos(tilt) w^2 - I3 s w + m g l = 0."""
    mass, height, across, along, spin = 0.5, 0.1, 6e-4, 8e-4, 150.0
    for tilt in (0.3, 1.0):
        I1 = across + mass * height**2
        w = np.roots([I1 * math.cos(tilt), -along * spin, mass * G * height])[which]
        top = Top(mass, height, across, along, tilt, float(w), spin)
        motion = top.built().simulate(until=2.0, steps=100, tolerance=1e-10)
        assert np.abs(motion["top.tip"].position[:, 2] - math.cos(tilt)).max() < 1e-8


@pytest.mark.parametrize(("share", "stays"), [(1.1, True), (0.9, False)])
def test_a_top_sleeps_upright_where_it_spins_fast_enough(share, stays):
    """(I3 s)^2 > 4 m g l I1."""
    mass, height, across, along = 0.5, 0.1, 6e-4, 8e-4
    least = 2 * math.sqrt(mass * G * height * (across + mass * height**2)) / along
    top = Top(mass, height, across, along, 1e-3, 0.0, share * least)
    motion = top.built().simulate(until=3.0, steps=300)
    leaning = np.arccos(np.clip(motion["top.tip"].position[:, 2], -1.0, 1.0)).max()
    assert (leaning < 0.01) == stays
    assert stays or leaning > 0.3
