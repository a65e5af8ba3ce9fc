"""Andrews' squeezer: seven bodies, three loops, from rest at a constant torque for 30 ms.

Source: [IVPTestSet] Andrews' squeezing mechanism in its index-3 form: data, and the reference of
its 21 kinematic components at 0.03 s. Points are those components put into the geometry.
"""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker, Z
from kempe.drives import Ramp
from kempe.forces import Actuator, SpringDamper
from kempe.measures import Distance, Gauge, Turn

COMPONENTS = {  # angle, rate and acceleration at 0.03 s, relative as the test set has them
    "beta": (15.81077119629904, 1139.920302151208, -24631.76316945196),
    "theta": (-15.75637105984298, -1424.379294994111, 51850.37701610329),
    "gamma": (0.04082224013073101, 11.03291221937134, 324102.5686413781),
    "phi": (-0.5347301163226948, 19.29337464421385, 566749.3645176213),
    "delta": (0.5244099658805303, 0.5735699284790808, 16743.62929479361),
    "omega": (0.5347301163226948, -19.29337464421385, -566749.3645176222),
    "epsilon": (1.048080741042263, 0.3231791658026955, 9826.520791458423),
}
PLACES = {
    "beta.F": (-0.006963039427064619, -0.0007183884305468921),
    "theta.E": (-0.03492161839531149, -0.0022408410821270885),
    "delta.G": (-0.03471521904988366, 0.017758093872270037),
    "epsilon.H": (-0.03468133356442851, -0.022239397610037986),
}
POINTS = {
    "beta": {"F": (7e-3, 0)},
    "theta": {"E": (-28e-3, 0)},
    "delta": {"G": (4e-2, 0)},
    "epsilon": {"H": (0, -4e-2)},
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
        points = {name: xy for name, xy in POINTS.get(name, {}).items()}
        parts[name] = m.body(name, at=place, angle=angle, inertia=inertia, points=points)
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


def turn_of(body):
    return Gauge(f"{body}.angle", Turn(Z), Marker("ground"), Marker(body))


def relative(motion, order):
    """The last sample of the test set's seven coordinates, or of their derivatives."""
    final = {name: getattr(motion[f"{name}.angle"], order)[-1] for name in BODIES}
    return {name: final[name] - (final[row[3]] if row[3] else 0.0) for name, row in BODIES.items()}


#: The published accelerations miss the loops' second derivatives by 1.5e-3 m/s^2, which is up to
#: 1.2e-6 of theirs.
PUBLISHED = 2e-6


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-6), (1e-11, 1e-8)])
def test_all_components_end_where_the_test_set_says(tolerance, close):
    motion = andrews().simulate(until=0.03, steps=30, tolerance=tolerance)
    assert motion.outcome.is_done
    angles, rates, accelerations = (
        relative(motion, order) for order in ("values", "rate", "acceleration")
    )
    for name, (angle, rate, acceleration) in COMPONENTS.items():
        assert angles[name] == pytest.approx(angle, abs=close)
        #: Rates of 1e3 rad/s grow to accelerations of 1e6: 1 ms of either.
        assert rates[name] == pytest.approx(rate, abs=1e3 * close)
        most = 1e6 * close + PUBLISHED * abs(acceleration)
        assert accelerations[name] == pytest.approx(acceleration, abs=most)


def test_its_points_end_where_the_test_set_says():
    motion = andrews().simulate(until=0.03, steps=30, tolerance=1e-11)
    for name, place in PLACES.items():
        assert motion[name].position[-1] == pytest.approx(place, abs=1e-8)
    assert motion["beta.angle"].rate[-1] == pytest.approx(COMPONENTS["beta"][1], abs=1e-4)


def test_three_loops_leave_one_freedom():
    assert andrews().check().mobility == 1
