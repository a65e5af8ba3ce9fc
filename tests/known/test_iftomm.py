"""Benchmarks of IFToMM: a pendulum, parallelograms through flat positions, Bricard's mechanism.

Source: [IFToMM] A01, A02, A04. The figures are closed forms in Jacobi's elliptic functions (A01,
A02) and a one-coordinate reduction integrated to 1e-12 (A04).
"""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline
from scipy.special import ellipk

from kempe import Builder, Inertia
from kempe.joints import Revolute

G = 9.81
TIGHT = 1e-11


def near(found, expected, tolerance):
    assert np.abs(np.asarray(found) - expected).max() < tolerance


# -- A01 ------------------------------------------------------------------------------------------

A01 = {
    1.0: (0.9862917511318753, -0.16501085312554117),
    2.0: (-0.7935661953433217, -0.6084839304437916),
    5.0: (-0.9423054350437573, -0.3347543384140006),
    10.0: (-0.2750874625761169, -0.961419205099125),
}
SWING = 2.3678419475762373  # s, 4 K / w0


def point_on_an_arm():
    m = Builder("A01", plane=True, gravity=(0, -G))
    point = Inertia(1.0, (0, 0, 0), np.zeros((3, 3)))
    bob = m.body("bob", at=(-1, 0), angle=0.0, inertia=point)
    m.revolute(m.ground.at(0, 0), bob.at(1, 0))
    return m.build()


@pytest.mark.parametrize(("tolerance", "close", "drift"), [(1e-8, 1e-6, 1e-5), (TIGHT, 1e-8, 1e-8)])
def test_a01_a_point_mass_swings_from_the_horizontal(tolerance, close, drift):
    motion = point_on_an_arm().simulate(until=10.0, steps=10, tolerance=tolerance)
    for t, place in A01.items():
        near(motion["bob"].position[int(t)], place, close)
    assert np.ptp(motion.energy.mechanical) < drift


def test_a01_the_pendulum_returns_after_its_period():
    assert pytest.approx(4 * ellipk(0.5) / math.sqrt(G), abs=1e-10) == SWING
    motion = point_on_an_arm().simulate(until=4 * SWING, steps=4, tolerance=1e-12)
    #: At rest at its highest it leaves by g t^2 / 2: the speed tells the time, v = g t.
    assert np.abs(motion["bob"].velocity[:, 1]).max() < 1e-9 * G


# -- A02 ------------------------------------------------------------------------------------------

A02 = {  # t: place and velocity of the first crank's end
    2: {
        1.0: ((-0.19502030194943507, -0.9807992056621738), (-6.676678036881158, 1.327578325160487)),
        4.0: ((0.11761610237680802, 0.9930591384513252), (1.0690392650289688, -0.12661504916672)),
        10.0: ((0.32845811154081406, 0.9445185381786014), (1.423051470206945, -0.4948688454870411)),
        20.0: ((0.8397465743068431, 0.5429785363528853), (1.8382226441967457, -2.842913789274097)),
    },
    40: {
        1.0: (
            (-0.11535688063210998, -0.9933241113004502),
            (-6.669987523941772, 0.774600098662344),
        ),
        4.0: ((0.06934203222799887, 0.9975929443247337), (1.023804387987769, -0.07116397251092144)),
        10.0: ((0.1805122266867283, 0.9835727405823116), (1.1484412774694144, -0.2107700667794239)),
        20.0: ((0.4109011537629442, 0.911679900971981), (1.5667853719090716, -0.7061622355938361)),
    },
}
ROUND = {2: 1.9425149226070837, 40: 1.9656019287046504}  # s, a whole turn of the cranks


def n_four_bar(n, angle=math.pi / 2):
    m = Builder(f"A02 N={n}", plane=True, gravity=(0, -G))
    rod = Inertia(1.0, (0.5, 0, 0), np.diag([1e-4, 1 / 12, 1 / 12]))
    tip = math.cos(angle), math.sin(angle)
    before = None
    for k in range(n + 1):
        crank = m.bar(f"crank{k}", 1.0, at=(k, 0), angle=angle, inertia=rod)
        m.revolute(m.ground.at(k, 0), crank.start, name=f"A{k}")
        if before is None:
            m.rate(crank.angle, -1.0)
        else:
            bar = m.bar(f"bar{k}", 1.0, at=(k - 1 + tip[0], tip[1]), angle=0.0, inertia=rod)
            m.revolute(before.end, bar.start, name=f"B{k}")
            m.revolute(bar.end, crank.end, name=f"C{k}")
        before = crank
    return m.build()


@pytest.mark.parametrize("n", A02)
@pytest.mark.parametrize(("until", "tolerance"), [(10.0, 1e-8), (20.0, TIGHT)])
def test_a02_parallelograms_go_round_through_their_flat_positions(n, until, tolerance):
    motion = n_four_bar(n).simulate(until=until, steps=round(until), tolerance=tolerance)
    assert motion.outcome.is_done
    first, last = motion["crank0.end"], motion[f"crank{n}.end"]
    for t, (place, velocity) in A02[n].items():
        if t <= until:
            near(first.position[int(t)], place, 1e-5)
            near(last.position[int(t)], np.add(place, (n, 0)), 1e-5)
            near(first.velocity[int(t)], velocity, 1e-4)


@pytest.mark.parametrize("n", A02)
def test_a02_the_cranks_go_round_in_their_period(n):
    motion = n_four_bar(n).simulate(until=5.0, steps=2500, tolerance=TIGHT)
    channel = motion["crank0.angle"]
    angle = CubicHermiteSpline(motion.t, channel.values, channel.rate)
    passes = [float(angle.solve(-2 * math.pi * k, extrapolate=False)[0]) for k in (1, 2)]
    assert passes[1] - passes[0] == pytest.approx(ROUND[n], abs=1e-9)


@pytest.mark.parametrize("n", A02)
def test_a02_every_flat_crank_is_a_freedom_more(n):
    upright, flat = n_four_bar(n).check(), n_four_bar(n, angle=0.0).check()
    assert (upright.mobility, upright.mobility_at_start) == (1, 1)
    assert flat.mobility_at_start == n + 1
    assert flat.is_singular


# -- A04 ------------------------------------------------------------------------------------------

A04 = {
    0.5: (0.9682836791066955, -1.224625159436592, 0.750146609437451),
    1.0: (0.5105014611871654, -1.6491675993948258, 0.14012311455315363),
    2.0: (-0.9693403447775797, -1.2212468949565498, 0.7542780107794929),
    5.0: (0.9999999977380492, -1.000067257698306, 0.9999327400398952),
    10.0: (0.9999999638063494, -1.0002690126965639, 0.9997309511195207),
}


def bricard():
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    axes = np.eye(3)[[1, 2, 0, 1, 2, 0]]
    m = Builder("Bricard", gravity=(0, -G, 0))
    rods = []
    for k in range(5):
        way = P[k + 1] - P[k]
        tensor = np.diag([(0.01 + (0.01 if abs(c) == 1 else 1.0)) / 12 for c in way])
        inertia = Inertia(1.0, way / 2, tensor)
        rods.append(m.body(f"rod{k}", points={"end": way}, at=P[k], inertia=inertia))
    for k, axis in enumerate(axes):
        a = m.ground.at(*P[0]) if k == 0 else rods[k - 1].end
        b = rods[k].at(0, 0, 0) if k < 5 else m.ground.at(*P[5])
        m.add(Revolute(a.facing(axis), b.facing(axis)), f"hinge{k}")
    return m.build()


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-6), (TIGHT, 1e-8)])
def test_a04_bricard_moves_with_one_row_too_many(tolerance, close):
    motion = bricard().simulate(until=10.0, steps=20, tolerance=tolerance)
    assert motion.outcome.is_done
    assert len(motion.redundant) == 1
    for t, place in A04.items():
        near(motion["rod2.end"].position[int(2 * t)], place, close)
    drift = np.ptp(motion.energy.mechanical)
    assert drift < 1e-6 * (1.0 if tolerance == TIGHT else motion.energy.kinetic.max())


def test_a04_bricard_is_counted_right():
    report = bricard().check()
    assert (report.mobility, report.redundant_rows) == (1, 1)
    assert report.mobility_by_count == 0
