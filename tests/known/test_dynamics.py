"""Published cases of dynamics: the numbers that others found, independently.

Sources: [IFToMM] A01 (simple pendulum), A02 (N-four-bar), A04 (Bricard's mechanism); [IVPTestSet]
Andrews' squeezer. The figures are those of one-coordinate reductions integrated to 1e-12, or of the
test set itself.
"""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker, Z
from kempe.drives import Ramp
from kempe.forces import Actuator, SpringDamper
from kempe.joints import Revolute
from kempe.measures import Distance, Gauge, Turn

G = 9.81


def turn_of(body: str) -> Gauge:
    return Gauge(f"{body}.angle", Turn(Z), Marker("ground"), Marker(body))


def near(found, expected, tolerance):
    assert np.abs(np.asarray(found) - expected).max() < tolerance


# -- A01 ------------------------------------------------------------------------------------------

A01 = {
    1.0: (0.9862917511318753, -0.16501085312554117),
    2.0: (-0.7935661953433217, -0.6084839304437916),
    5.0: (-0.9423054350437573, -0.3347543384140006),
    10.0: (-0.2750874625761169, -0.961419205099125),
}


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-6), (1e-10, 1e-8)])
def test_a01_a_point_mass_swings_from_the_horizontal(tolerance, close):
    m = Builder("A01", plane=True, gravity=(0, -G))
    point = Inertia(1.0, (0, 0, 0), np.zeros((3, 3)))
    bob = m.body("bob", at=(-1, 0), angle=0.0, inertia=point)
    m.revolute(m.ground.at(0, 0), bob.at(1, 0))
    motion = m.build().simulate(until=10.0, steps=10, tolerance=tolerance)
    for t, place in A01.items():
        near(motion["bob"].position[int(t)], place, close)
    assert np.ptp(motion.energy.mechanical) < 1e-5 * G


# -- A02 ------------------------------------------------------------------------------------------

A02 = {
    2: {
        1.0: (-0.19502030194943507, -0.9807992056621738),
        4.0: (0.11761610237680802, 0.9930591384513252),
        10.0: (0.32845811154081406, 0.9445185381786014),
    },
    40: {
        1.0: (-0.11535688063210998, -0.9933241113004502),
        4.0: (0.06934203222799887, 0.9975929443247337),
        10.0: (0.1805122266867283, 0.9835727405823116),
    },
}


def n_four_bar(n):
    m = Builder(f"A02 N={n}", plane=True, gravity=(0, -G))
    rod = Inertia(1.0, (0.5, 0, 0), np.diag([1e-4, 1 / 12, 1 / 12]))
    before = None
    for k in range(n + 1):
        crank = m.bar(f"crank{k}", 1.0, at=(k, 0), angle=math.pi / 2, inertia=rod)
        m.revolute(m.ground.at(k, 0), crank.start, name=f"A{k}")
        if before is not None:
            bar = m.bar(f"bar{k}", 1.0, at=(k - 1, 1), angle=0.0, inertia=rod)
            m.revolute(before.end, bar.start, name=f"B{k}")
            m.revolute(bar.end, crank.end, name=f"C{k}")
        before = crank
    m.rate(turn_of("crank0"), -1.0)
    return m.build()


@pytest.mark.parametrize("n", [2, 40])
def test_a02_parallelograms_go_round_through_their_flat_positions(n):
    motion = n_four_bar(n).simulate(until=10.0, steps=10)
    assert motion.outcome.is_done
    for t, place in A02[n].items():
        near(motion["crank0.end"].position[int(t)], place, 1e-5)
        near(motion[f"crank{n}.end"].position[int(t)], np.add(place, (n, 0)), 1e-5)


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


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-6), (1e-11, 1e-8)])
def test_a04_bricard_moves_with_one_row_too_many(tolerance, close):
    mechanism = bricard()
    motion = mechanism.simulate(until=10.0, steps=20, tolerance=tolerance)
    assert motion.outcome.is_done
    assert len(motion.redundant) == 1
    for t, place in A04.items():
        near(motion["rod2.end"].position[int(2 * t)], place, close)
    assert np.ptp(motion.energy.mechanical) < 1e-6 * motion.energy.kinetic.max()


# -- Andrews' squeezer ----------------------------------------------------------------------------

ANDREWS = {  # angles at 0.03 s, relative as the test set has them
    "beta": 15.81077119629904,
    "theta": -15.75637105984298,
    "gamma": 0.04082224013073101,
    "phi": -0.5347301163226948,
    "delta": 0.5244099658805304,
    "omega": 0.5347301163226948,
    "epsilon": 1.048080741042263,
}
# name -> (number, mass, moment, parent, joint in the parent, centre, start)
BODIES = {
    "beta": (1, 0.04325, 2.194e-6, None, (0, 0), (92e-5, 0), -0.0617138900142764496),
    "theta": (2, 0.00365, 4.410e-7, "beta", (7e-3, 0), (-115e-4, 0), 0.0),
    "gamma": (3, 0.02373, 5.255e-6, None, (-0.03635, 0.03273), (1043e-5, -1874e-5),
              0.455279819163070380),
    "delta": (5, 0.07050, 1.169e-5, None, (-0.06934, -0.00227), (2308e-5, 916e-5),
              0.487364979543842550),
    "phi": (4, 0.00706, 5.667e-7, "delta", (4e-2, 0), (0, -(2e-2 - 1421e-5)),
            0.222668390165885884),
    "epsilon": (7, 0.05498, 1.912e-5, None, (-0.06934, -0.00227), (-449e-5, -1228e-5),
                1.23054744454982119),
    "omega": (6, 0.00706, 5.667e-7, "epsilon", (0, -4e-2), (2e-2 - 1421e-5, 0),
              -0.222668390165885884),
}  # fmt: skip
MEETING = {"theta": (-28e-3, 0), "gamma": (0, -35e-3), "phi": (0, -2e-2), "omega": (2e-2, 0)}


def andrews():
    m = Builder("Andrews", plane=True)
    parts, angles, places = {}, {}, {}
    for name, (_, mass, moment, parent, joint, centre, start) in BODIES.items():
        angle = start + (angles[parent] if parent else 0.0)
        place = np.array(joint, float)
        if parent:
            c, s = math.cos(angles[parent]), math.sin(angles[parent])
            place = places[parent] + np.array([[c, -s], [s, c]]) @ place
        angles[name], places[name] = angle, place
        inertia = Inertia(mass, (*centre, 0), np.diag([0, moment, moment]))
        parts[name] = m.body(name, at=place, angle=angle, inertia=inertia)
    for name, (number, *_, parent, joint, _, _) in BODIES.items():
        base = parts[parent].at(*joint) if parent else m.ground.at(*joint)
        m.revolute(base, parts[name].at(0, 0), name=f"joint{number}")
    first = parts["theta"].at(*MEETING["theta"])
    for name in ("gamma", "phi", "omega"):
        m.revolute(first, parts[name].at(*MEETING[name]), name=f"meeting {name}")
    spring = Gauge("spring", Distance(), m.ground.at(0.014, 0.072), parts["gamma"].at(2e-2, -18e-3))
    m.force(SpringDamper(spring, stiffness=4530.0, free=7785e-5), "coil")
    m.force(Actuator(turn_of("beta"), Ramp(33e-3)), "motor")
    return m.build()


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-5), (1e-11, 1e-8)])
def test_andrews_squeezer_ends_where_the_test_set_says(tolerance, close):
    motion = andrews().simulate(until=0.03, steps=30, tolerance=tolerance)
    final = {name: motion[f"{name}.angle"].values[-1] for name in BODIES}
    for name, (*_, parent, _, _, _) in BODIES.items():
        relative = final[name] - (final[parent] if parent else 0.0)
        assert relative == pytest.approx(ANDREWS[name], abs=close)
    assert motion["beta.angle"].rate[-1] == pytest.approx(1139.920302151208, abs=100 * close)
