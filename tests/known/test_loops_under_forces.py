"""Closed loops that forces move: a slider-crank, Drake's four-bar, a crank under a constant torque.

Sources: SUNDIALS 7.5 (BSD-3-Clause), examples/ida/serial/idaSlCrank_dns: equations, parameters and
printed output; Drake (BSD-3-Clause), examples/multibody/four_bar: parameters and equilibrium;
Exudyn 1.11 (BSD-3-Clause), TestModels/sliderCrankFloatingTest: parameters and the last row of its
reference, and fourBarMechanismTest. Figures with all digits are those of one-coordinate equations
integrated to 1e-12.
"""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from kempe import Builder, Inertia
from kempe.drives import Ramp
from kempe.forces import Actuator, AppliedLoad, LineSpring
from kempe.joints import PointOnLine, Revolute, Rod

TIGHT = 1e-11


def constant(*values):
    return tuple(Ramp(float(value)) for value in values)


# -- SUNDIALS -------------------------------------------------------------------------------------

SLIDER_CRANK = np.array(
    [  # t, q, x, p
        [0.0, 1.5707963267948966, 0.8660254037844386, -0.5235987755982989],
        [1.0, 1.3154205708817996, 1.0014918072307442, -0.5049734706420161],
        [2.0, 0.5790388120488333, 1.380335271961179, -0.27714409573899274],
        [3.0, -0.4471130528860681, 1.4272025983204315, 0.21790238871671389],
        [4.0, -1.2064316477031463, 1.0623426557500537, 0.48609316342101044],
        [5.0, -1.4299969676472384, 0.9390306135782603, 0.5178947564898871],
        [6.0, -1.1079974930771734, 1.1175594838688476, 0.4638596339314706],
        [7.0, -0.3182748302668248, 1.462571965553261, 0.15710978954517388],
        [8.0, 0.6442255394814543, 1.3536306145268548, -0.3049963498574913],
        [9.0, 1.2363008747414304, 1.045590590261185, -0.4918847573393446],
        [10.0, 1.2756758486502489, 1.0235785589798343, -0.4988130491825003],
    ]
)
PRINTED = np.array(
    [  # q, x, p every quarter of a second
        [1.5708, 0.86603, -0.5236],
        [1.5548, 0.87406, -0.52352],
        [1.5069, 0.89855, -0.52242],
        [1.427, 0.94063, -0.51765],
        [1.3154, 1.0015, -0.50497],
        [1.1731, 1.0811, -0.47909],
        [1.0016, 1.1765, -0.43472],
        [0.80288, 1.2804, -0.36792],
        [0.57904, 1.3803, -0.27715],
        [0.33326, 1.459, -0.1643],
        [0.072238, 1.498, -0.036096],
        [-0.19245, 1.4862, 0.095777],
        [-0.44711, 1.4272, 0.2179],
        [-0.6809, 1.3377, 0.32019],
        [-0.8875, 1.2374, 0.39819],
        [-1.0634, 1.1424, 0.45228],
        [-1.2064, 1.0623, 0.48609],
        [-1.315, 1.0017, 0.50491],
        [-1.3883, 0.96149, 0.51404],
        [-1.4265, 0.94088, 0.51761],
        [-1.43, 0.93903, 0.5179],
        [-1.3992, 0.9556, 0.51514],
        [-1.3346, 0.99087, 0.50765],
        [-1.2371, 1.0451, 0.49204],
        [-1.108, 1.1176, 0.46386],
        [-0.94916, 1.2048, 0.41858],
        [-0.76277, 1.2999, 0.35273],
        [-0.55125, 1.391, 0.26497],
        [-0.31828, 1.4626, 0.15711],
        [-0.070713, 1.4981, 0.035334],
        [0.18041, 1.4879, -0.089839],
        [0.42223, 1.4349, -0.20636],
        [0.64422, 1.3536, -0.305],
        [0.83984, 1.2619, -0.38145],
        [1.0053, 1.1745, -0.43582],
        [1.138, 1.1008, -0.47113],
        [1.2363, 1.0456, -0.49189],
        [1.2992, 1.0105, -0.50257],
        [1.3266, 0.99533, -0.50655],
        [1.3185, 0.99977, -0.50542],
        [1.2757, 1.0236, -0.49881],
    ]
)


def sundials_slider_crank():
    """Crank of 0.5 m, rod of 1 m with its mass at the slider, a spring-damper between the middles.

    The force of 1 N acts on the rod 1 m beyond the slider: that is what "F on x and -F sin p on p"
    of the example comes to.
    """
    a = 0.5
    m = Builder("slider-crank", plane=True)
    p = -math.asin(a)
    crank = m.body(
        "crank", at=(0, 0), angle=math.pi / 2, inertia=Inertia(1.0, (0, 0, 0), np.eye(3))
    )
    rod_inertia = Inertia(1.0, (0, 0, 0), np.diag([2.0, 2.0, 2.0]))
    rod = m.body("rod", at=(math.cos(p), 0), angle=p, inertia=rod_inertia)
    m.revolute(m.ground.at(0, 0), crank.at(0, 0), name="A")
    m.revolute(crank.at(a, 0), rod.at(-1, 0), name="B")
    m.add(PointOnLine(m.ground.at(0, 0).facing((1, 0, 0)), rod.at(0, 0)), "guide")
    m.force(LineSpring(crank.at(a / 2, 0), rod.at(-0.5, 0), 1.0, 1.0, 1.0), "spring")
    m.force(AppliedLoad(rod.at(1, 0), constant(1, 0, 0)), "push")
    return m.build()


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-6), (TIGHT, 1e-8)])
def test_the_slider_crank_of_ida_follows_its_one_coordinate(tolerance, close):
    motion = sundials_slider_crank().simulate(until=10.0, steps=40, tolerance=tolerance)
    found = np.stack(
        [motion["crank.angle"].values, motion["rod"].position[:, 0], motion["rod.angle"].values], 1
    )
    assert np.abs(found[::4] - SLIDER_CRANK[:, 1:]).max() < close
    #: IDA ran with tolerances of 1e-6 and printed five digits.
    assert np.abs(found - PRINTED).max() < 1e-4


# -- Drake ----------------------------------------------------------------------------------------

FOUR_BAR = np.array(
    [
        [0.0, 1.318116071652818, 3.0],
        [1.0, 3.041345100156532, 0.6153385546363426],
        [2.0, 3.1769258019159654, -0.3032753766297218],
        [3.0, 2.1284292930493445, -2.2921049185896343],
        [4.0, -0.6236711643126837, -2.0592245265401674],
        [5.0, -1.4887909190477653, 0.08132899322347817],
        [6.0, -0.40436140644393725, 2.339993846238203],
        [7.0, 2.3403621276914564, 1.9594805205084613],
        [8.0, 3.2026663311318533, 0.2139566260893076],
        [9.0, 2.973605417816272, -0.7477402414559683],
        [10.0, 1.0148378716022237, -3.0719395801590372],
    ]
)

EQUILIBRIUM = 1.318116071652818  # rad, acos(1/4)
FREQUENCY = 0.2747827807318047  # Hz
HEAVY_LINK = Inertia(20.0, (2, 0, 0), np.diag([0.0833333333333, 29.4666666667, 29.4166666667]))


def about_y(angle):
    """The direction that Drake measures by that angle, z up: (cos, 0, -sin)."""
    return np.array([math.cos(angle), 0.0, -math.sin(angle)])


def drake_four_bar(spin=0.0, start=EQUILIBRIUM):
    """Links of 4 m hinged about y, in space: three rows of its loop say nothing new."""
    from kempe import Rotation

    m = Builder("four-bar", gravity=(0, 0, -9.8))
    # The coupler of an isosceles trapezium; elsewhere the loop closes from the nearest guess.
    directions = {"A": start, "B": math.pi, "C": math.pi - start}
    places = {"A": np.zeros(3), "B": 4.0 * about_y(start), "C": np.array([-2.0, 0, 0])}
    links = {}
    for name, angle in directions.items():
        x = about_y(angle)
        y = np.array([0.0, 1.0, 0.0])
        links[name] = m.body(
            name,
            at=tuple(places[name]),
            rotation=Rotation.from_matrix(np.stack([x, y, np.cross(x, y)], axis=1)),
            inertia=HEAVY_LINK,
            points={"end": (4, 0, 0)},
        )
    A, B, C = links.values()
    for name, one, other in (
        ("A", m.ground.at(0, 0, 0), A.at(0, 0, 0)),
        ("B", A.end, B.at(0, 0, 0)),
        ("C", B.end, C.end),
        ("D", m.ground.at(-2, 0, 0), C.at(0, 0, 0)),
    ):
        m.add(Revolute(one.facing((0, 1, 0)), other.facing((0, 1, 0))), f"pin {name}")
    hinge = m.part("pin A")
    m.rate(hinge.angle, spin)
    return m.build()


def angle_of_A(motion):
    end, v = motion["A.end"].position, motion["A.end"].velocity
    angle = np.unwrap(np.arctan2(-end[:, 2], end[:, 0]))
    return angle, (v[:, 0] * end[:, 2] - end[:, 0] * v[:, 2]) / 16.0


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-5), (TIGHT, 1e-6)])
def test_drakes_four_bar_follows_its_one_coordinate(tolerance, close):
    motion = drake_four_bar(3.0).simulate(until=10.0, steps=100, tolerance=tolerance)
    assert motion.outcome.is_done
    angle, rate = angle_of_A(motion)
    assert np.abs(angle[::10] - FOUR_BAR[:, 1]).max() < close
    assert angle[5] == pytest.approx(2.5201938074593904, abs=close)
    assert np.abs(rate[::10] - FOUR_BAR[:, 2]).max() < 10 * close


def test_drakes_four_bar_rests_at_the_printed_angles():
    motion = drake_four_bar().simulate(until=10.0, steps=10)
    angle, rate = angle_of_A(motion)
    assert np.abs(angle - EQUILIBRIUM).max() < 1e-9
    assert np.degrees(angle[-1]) == pytest.approx(75.52, abs=0.005)
    between = motion["B.end"].position - motion["B"].position
    outer = motion["A.end"].position
    cosine = np.einsum("ni,ni->n", between, outer) / 16.0
    assert np.degrees(np.arccos(cosine[-1])) == pytest.approx(104.48, abs=0.005)
    assert np.abs(rate).max() < 1e-9


def test_drakes_four_bar_swings_with_the_frequency_of_its_one_coordinate():
    motion = drake_four_bar(1e-3).simulate(until=10.0, steps=1000, tolerance=TIGHT)
    angle, rate = angle_of_A(motion)
    passes = CubicHermiteSpline(motion.t, angle - EQUILIBRIUM, rate).roots(extrapolate=False)
    passes = passes[passes > 0.1]
    assert 1.0 / (passes[2] - passes[0]) == pytest.approx(FREQUENCY, abs=1e-6)


# -- Exudyn ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-5), (TIGHT, 1e-7)])
def test_a_slider_crank_under_a_constant_torque_keeps_time(tolerance, close):
    """Uniform crank of 0.1 m and rod of 0.3 m, 0.2 kg each, slider of 0.4 kg; 0.1 N m from rest.

    Work makes speed, I(a) w^2 = 2 M a, so t = int sqrt(I / 2 M a) da: a quadrature to 1e-11.
    """
    m = Builder("slider-crank", plane=True)
    crank = m.bar("crank", 0.1, at=(0, 0), angle=0.0, inertia=slender(0.2, 0.1))
    rod = m.bar("rod", 0.3, at=(0.1, 0), angle=0.0, inertia=slender(0.2, 0.3))
    slider = m.body("slider", at=(0.4, 0), angle=0.0, inertia=Inertia(0.4, (0, 0, 0), np.eye(3)))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0))
    m.force(Actuator(crank.angle, Ramp(0.1)), "motor")
    motion = m.build().simulate(until=3.0, steps=3, tolerance=tolerance)
    angle, rate = (getattr(motion["crank.angle"], word)[-1] for word in ("values", "rate"))
    assert angle == pytest.approx(121.88627750824793, abs=close)
    assert rate == pytest.approx(101.36564511497778, abs=100 * close)
    #: Exudyn's row is of ode45 with a tolerance of 1e-6; it is 45 us late after 19 turns.
    assert angle == pytest.approx(121.89082, abs=0.01)


def test_point_masses_on_three_rods_start_as_near_as_the_rods_allow_and_end_alike():
    """TestModels/fourBarMechanismTest: 3 kg at (0, 2) and (4, 5), started at 4 and 10 m/s along x.

    The coupler forbids that: masses alike, both start at 7 m/s. Exudyn's figure is of a method of
    second order that damps, with steps of 1 ms.
    """
    point = Inertia(3.0, (0, 0, 0), np.zeros((3, 3)))
    m = Builder("point masses", plane=True, gravity=(0, -9.81))
    a = m.body("a", at=(0, 2), angle=0.0, inertia=point, velocity=(4, 0))
    b = m.body("b", at=(4, 5), angle=0.0, inertia=point, velocity=(10, 0))
    m.add(Rod(m.ground.at(0, 0), a.at(0, 0), length=2.0), "left")
    m.add(Rod(a.at(0, 0), b.at(0, 0), length=5.0), "coupler")
    m.add(Rod(m.ground.at(4, 0), b.at(0, 0), length=5.0), "right")
    motion = m.build().simulate(until=2.0, steps=20)
    assert motion["a"].velocity[0] == pytest.approx((7.0, 0.0), abs=1e-12)
    assert motion["b"].velocity[0] == pytest.approx((7.0, 0.0), abs=1e-12)
    assert len(motion.notes) == 2
    assert motion["a"].position[-1][1] - 2.0 == pytest.approx(-2.376335780518213, abs=5e-4)


def slender(mass, length):
    moment = mass * length**2 / 12.0
    return Inertia(mass, (length / 2, 0, 0), np.diag([0.0, moment, moment]))
