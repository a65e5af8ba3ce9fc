"""Linkages that draw straight lines and ellipses, exactly or nearly.

Sources: the constructions of Archimedes, Peaucellier and Lipkin, Scott Russell, and Chebyshev; each
property is proved in its test's docstring or is a circle intersection.
"""

import math

import numpy as np
import pytest

import kempe

#: Solved to 1e-13 of the machine's size, away from dead points.
EXACT = 1e-12
#: Peaucellier's arms are nearly folded at the ends of the range: errors grow tenfold.
NEARLY_FOLDED = 1e-10


def polar(r, angle):
    return r * math.cos(angle), r * math.sin(angle)


# -- the trammel of Archimedes ----------------------------------------------------------------


def test_a_point_of_the_trammel_s_bar_draws_an_ellipse():
    """A = (c cos, 0), B = (0, c sin): P = (q cos, p sin) where |PA| = p, |PB| = q, c = p + q."""
    p, q = 1.2, 0.7
    start = 0.4
    m = kempe.Builder("trammel", plane=True)
    a = m.body("a", at=((p + q) * math.cos(start), 0))
    b = m.body("b", at=(0, (p + q) * math.sin(start)))
    angle = math.pi - start
    bar = m.bar("bar", p + q, points={"P": (p, 0)}, at=((p + q) * math.cos(start), 0), angle=angle)
    m.prismatic(m.ground.at(0, 0), a.at(0, 0), along=(1, 0))
    m.prismatic(m.ground.at(0, 0), b.at(0, 0), along=(0, 1))
    m.revolute(a.at(0, 0), bar.start)
    m.revolute(b.at(0, 0), bar.end)
    m.drive(bar.angle, start=angle, rpm=-60)
    turn = m.build().kinematics(until=1.0, steps=360)
    assert turn.outcome.is_done  # also across both axes, where a slider stands still
    theta = math.pi - turn["bar.angle"].values
    P = turn["bar.P"]
    np.testing.assert_allclose(P.position[:, 0], q * np.cos(theta), atol=EXACT)
    np.testing.assert_allclose(P.position[:, 1], p * np.sin(theta), atol=EXACT)
    x, y = P.position.T
    assert np.abs(x**2 / q**2 + y**2 / p**2 - 1.0).max() < EXACT
    speed = 2.0 * math.pi
    np.testing.assert_allclose(P.velocity[:, 0], -speed * q * np.sin(theta), atol=10 * EXACT)
    np.testing.assert_allclose(
        P.acceleration[:, 1], -(speed**2) * p * np.sin(theta), atol=100 * EXACT
    )


# -- Peaucellier and Lipkin ------------------------------------------------------------------


def peaucellier(start):
    """O = (0, 0), crank of 1 about Q = (1, 0), arms of 2.5 from O, a rhombus of side 1.5."""
    L, s, q = 2.5, 1.5, 1.0
    C = (q + q * math.cos(start), q * math.sin(start))
    c = math.hypot(*C)
    u = np.array(C) / c
    # A and B: at L from O and s from C, on either side of OC
    along = (L * L - s * s + c * c) / (2.0 * c)
    height = math.sqrt(L * L - along * along)
    n = np.array([-u[1], u[0]])
    A, B = along * u + height * n, along * u - height * n
    P = A + B - np.array(C)
    m = kempe.Builder("Peaucellier's inversor", plane=True)

    def bar(name, length, start_at, end_at):
        d = np.array(end_at) - np.array(start_at)
        return m.bar(name, length, at=tuple(map(float, start_at)), angle=math.atan2(d[1], d[0]))

    crank = bar("crank", q, (q, 0.0), C)
    arm_a, arm_b = bar("arm_a", L, (0.0, 0.0), A), bar("arm_b", L, (0.0, 0.0), B)
    ca, cb = bar("ca", s, C, A), bar("cb", s, C, B)
    ap, bp = bar("ap", s, A, P), bar("bp", s, B, P)
    O, Q = m.ground.at(0, 0), m.ground.at(q, 0)
    m.revolute(Q, crank.start)
    m.revolute(O, arm_a.start)
    m.revolute(O, arm_b.start)
    for side in (ca, cb):
        m.revolute(crank.end, side.start)
    m.revolute(arm_a.end, ca.end)
    m.revolute(arm_a.end, ap.start)
    m.revolute(arm_b.end, cb.end)
    m.revolute(arm_b.end, bp.start)
    m.revolute(ap.end, bp.end)
    m.drive(crank.angle, start=start, speed=1.0)
    return m.build()


def check_inversor(turn, speed):
    """P = (2, 2 tan(theta / 2)) and its derivatives."""
    assert turn.outcome.is_done
    theta = turn["crank.angle"].values
    P = turn["ap.end"]
    assert np.abs(P.position[:, 0] - 2.0).max() < NEARLY_FOLDED
    np.testing.assert_allclose(P.position[:, 1], 2.0 * np.tan(theta / 2.0), atol=NEARLY_FOLDED)
    rate = speed / np.cos(theta / 2.0) ** 2
    np.testing.assert_allclose(P.velocity[:, 1], rate, atol=100 * NEARLY_FOLDED)
    assert np.abs(P.velocity[:, 0]).max() < 100 * NEARLY_FOLDED


@pytest.mark.parametrize(("start", "stop"), [(-115.0, -5.0), (5.0, 115.0), (115.0, 5.0)])
def test_peaucellier_s_point_stays_on_a_straight_line(start, stop):
    """|OC| |OP| = L^2 - s^2 = 4 inverts C's circle through O into the line x = 4 / 2q = 2."""
    a, b = math.radians(start), math.radians(stop)
    turn = peaucellier(a).kinematics(over=("crank.angle", a, b), steps=110)
    check_inversor(turn, b - a)


def test_peaucellier_s_point_crosses_its_own_circle_and_stays_on_the_line():
    """At theta = 0 the rhombus is flat and P meets C: from there P could also follow C's circle."""
    a, b = math.radians(-115), math.radians(115)
    turn = peaucellier(a).kinematics(over=("crank.angle", a, b), steps=231)  # none at 0 exactly
    check_inversor(turn, b - a)


@pytest.mark.parametrize("steps", [230, 460, 690, 1150])
def test_a_sample_on_the_crossing_itself_has_no_velocity(steps):
    a, b = math.radians(-115), math.radians(115)
    turn = peaucellier(a).kinematics(over=("crank.angle", a, b), steps=steps)
    assert turn.outcome.name == "Bifurcation"
    assert turn.outcome.facts["value"] == pytest.approx(0.0, abs=1e-3)  # pivots fall as its square
    assert np.abs(turn["ap.end"].position[:, 0] - 2.0).max() < NEARLY_FOLDED


def test_peaucellier_s_point_at_sixty_degrees():
    turn = peaucellier(0.1).kinematics(over=("crank.angle", 0.1, "60 deg"), steps=10)
    np.testing.assert_allclose(turn["ap.end"].position[-1], [2.0, 1.1547005383792515], atol=EXACT)


def test_peaucellier_s_arms_stop_when_they_are_folded():
    """At 120 degrees |OC| = L - s: arm and rhombus lie on one line."""
    turn = peaucellier(0.1).kinematics(over=("crank.angle", 0.1, "150 deg"), steps=150)
    assert turn.outcome.name == "DeadPoint"
    assert math.degrees(turn.outcome.facts["value"]) == pytest.approx(120.0, abs=1e-6)
    assert np.abs(turn["ap.end"].position[:, 0] - 2.0).max() < NEARLY_FOLDED


# -- Scott Russell ---------------------------------------------------------------------------


def test_scott_russell_s_point_stays_on_the_axis_square_to_the_guide():
    """The crank halves the rod: slider at (2 cos, 0), P at (0, 2 sin)."""
    start = math.radians(-85)
    m = kempe.Builder("Scott Russell", plane=True)
    crank = m.bar("crank", 1.0, at=(0, 0), angle=start)
    rod = m.bar(
        "rod", 2.0, points={"middle": (1, 0)}, at=(2 * math.cos(start), 0), angle=math.pi - start
    )
    slider = m.body("slider", at=(2 * math.cos(start), 0))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.middle)
    m.revolute(slider.at(0, 0), rod.start)
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0), along=(1, 0))
    m.drive(crank.angle, start=start, speed=1.0)
    turn = m.build().kinematics(over=("crank.angle", start, -start), steps=170)
    assert turn.outcome.is_done
    theta = turn["crank.angle"].values
    P = turn["rod.end"].position
    assert np.abs(P[:, 0]).max() < EXACT
    np.testing.assert_allclose(P[:, 1], 2.0 * np.sin(theta), atol=EXACT)


# -- Chebyshev -------------------------------------------------------------------------------


def chebyshev_lambda(start):
    """Crank 1, coupler 2.5 with P at 5, rocker 2.5, pivots 2 apart."""
    return kempe.gallery.four_bar(
        crank=1.0, coupler=2.5, rocker=2.5, ground=2.0, point=(5.0, 0.0), start=start
    )


def test_chebyshev_s_lambda_draws_a_nearly_straight_line():
    turn = chebyshev_lambda(math.pi / 2).kinematics(until=0.5, steps=360)
    x, y = turn["coupler.P"].position.T
    assert np.ptp(y) == pytest.approx(0.009753374181278751, abs=1e-8)
    assert np.ptp(x) == pytest.approx(4.0, abs=1e-8)
    np.testing.assert_allclose(turn["coupler.P"].position[180], [2.0, 4.0], atol=EXACT)


def test_chebyshev_s_lambda_returns_above_its_line(closed_form):
    turn = chebyshev_lambda(0.0).kinematics(until=1.0, steps=72)
    P = turn["coupler.P"].position
    np.testing.assert_allclose(P[0], [2.0, 4.898979485566356], atol=EXACT)
    np.testing.assert_allclose(P[1], [2.423626896691651, 4.879069485543978], atol=EXACT)
    truth = closed_form(1.0, 2.5, 2.5, 2.0).coupler_point(
        turn["crank.angle"].values, 2 * math.pi, (5.0, 0.0)
    )
    np.testing.assert_allclose(P, truth[0], atol=10 * EXACT)


def test_chebyshev_s_crossed_linkage_passes_its_symmetric_position(closed_form):
    """Arms of 5 on pivots 4 apart, coupler 2: level at A = (3, 4), B = (1, 4), middle (2, 4)."""
    truth = closed_form(5.0, 2.0, 5.0, 4.0, side=-1)
    level = math.atan2(4.0, 3.0)
    start = level - 0.15
    m = kempe.Builder("Chebyshev", plane=True)
    left = m.bar("left", 5.0, at=(0, 0), angle=start)
    beta, psi = (float(angle) for angle in truth.angles(start))
    coupler = m.bar("coupler", 2.0, points={"P": (1, 0)}, at=polar(5.0, start), angle=beta)
    right = m.bar("right", 5.0, at=(4, 0), angle=psi)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(left.end, coupler.start)
    m.revolute(coupler.end, right.end)
    m.revolute(m.ground.at(4, 0), right.start)
    m.drive(left.angle, start=start, speed=1.0)
    turn = m.build().kinematics(over=("left.angle", start, level + 0.15), steps=100)
    assert turn.outcome.is_done
    np.testing.assert_allclose(turn["coupler.P"].position[50], [2.0, 4.0], atol=EXACT)
    path = truth.coupler_point(turn["left.angle"].values, 0.3, (1.0, 0.0))[0]
    np.testing.assert_allclose(turn["coupler.P"].position, path, atol=EXACT)
