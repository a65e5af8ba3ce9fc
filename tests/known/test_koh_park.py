"""Koh & Park's double pendulum: their program, statement by statement, and what comes out of it.

Source: [KohPark] fig. 10 and section 6. The paper prints no number: the figures are those of the
two-angle Lagrange equations with the program's inputs, integrated to 1e-12 by two routes.
"""

import csv
import math
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from kempe import Builder, Inertia
from kempe.forces import SpringDamper
from kempe.geometry.specific import EulerParameters

G = 9.81
CENTRES = {
    0.1: ((0.4099083033592468, -0.2863130853404079), (1.2482656608081981, -0.8303690814458597)),
    0.5: ((-0.21991958904945733, 0.44903827715721273), (-0.9267313717429015, 1.0118130557928264)),
    1.0: ((-0.4994431040797966, -0.023592070429224718), (-0.6767013493909422, -0.4295411949063961)),
    1.8: ((-0.1274549567455118, -0.4834824029900155), (-0.7077147651764837, -1.1790208511428806)),
    2.0: ((-0.3510628854280649, 0.3560264744017239), (-1.1463662075496721, 0.9415097735141784)),
}
WOUND_UP = 4.87129133133419  # rad, the most that the spring is wound: beyond half a turn
TURN_AT_END = -2.3632  # rad at 2 s; a spring that forgets whole turns would give +16.85


EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "koh_park_pendulum.py"))
double_pendulum = EXAMPLE["double_pendulum"]


@pytest.fixture(scope="module")
def simulated():
    """`simulateUntil: 2.0 inStepsOf: 0.01`, at the default and at a tight tolerance."""
    pendulum = double_pendulum()
    return {tol: pendulum.simulate(until=2.0, steps=200, tolerance=tol) for tol in (1e-8, 1e-11)}


def test_the_program_passes_its_check_of_compatibility():
    report = double_pendulum().check()
    assert report.mobility == 6  # two balls
    assert report.redundant_rows == 0


def test_its_own_method_of_order_six_comes_to_the_same_loci(tmp_path):
    """`MaxOrder := 6`, backward differences; 200 steps are put out."""
    motion = EXAMPLE["run"](tmp_path)
    assert motion.outcome.is_done
    assert (motion.motion.recipe.method, len(motion)) == ("gear", 201)
    for t, (one, two) in CENTRES.items():
        k = round(100 * t)
        assert np.abs(motion["bar"].position[k, :2] - one).max() < 1e-6
        assert np.abs(motion["bar2"].position[k, :2] - two).max() < 1e-6
    assert len((tmp_path / "states.csv").read_text().splitlines()) >= 202


@pytest.mark.row("C7")
def test_every_statement_of_the_program_stands_in_the_example():
    """The nouns and messages of figure 10, in its order."""
    text = re.sub(r"\s+", " ", Path(EXAMPLE["__file__"]).read_text(encoding="utf-8"))
    wanted = (
        "ceilingMarker isOn: ceiling", "bar mass: 1.0d Jxx: 8.33d-2", "barMarker isOn: bar",
        "barMarker2 isOn: bar", "bar2 mass: 1.0d", "bar2Marker isOn: bar2",
        "balljoint connectsI: ceilingMarker toJ: barMarker", "ball2joint connectsI: barMarker2",
        "torSpr connectsI: barMarker", "System checkCompatibility", "simulateUntil: 2.0d",
        "outputStates", "closeOutputs",
    )  # fmt: skip
    places = [text.find(statement) for statement in wanted]
    assert min(places) >= 0
    assert places == sorted(places)


def test_the_stated_velocities_are_those_of_a_rigid_swing_and_are_kept(simulated):
    motion = simulated[1e-8]
    assert motion.notes == ()
    assert motion["bar"].velocity[0] == pytest.approx((5.0, 0.0, 0.0), abs=1e-12)
    assert motion["bar2"].velocity[0] == pytest.approx((15.0, 0.0, 0.0), abs=1e-12)
    assert motion["torSpr.angle"].rate[0] == pytest.approx(10.0, abs=1e-12)


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-5), (1e-11, 1e-6)])
def test_the_centres_of_mass_run_along_their_loci(simulated, tolerance, close):
    motion = simulated[tolerance]
    for t, (one, two) in CENTRES.items():
        k = round(100 * t)
        assert np.abs(motion["bar"].position[k, :2] - one).max() < close
        assert np.abs(motion["bar2"].position[k, :2] - two).max() < close


def test_the_motion_stays_in_its_plane(simulated):
    """Two balls let it leave, and it would: a wound-up spring on a thin bar is unstable out of it.

    A tilt e about x and a twist f about the bar feed each other, I e'' = -T f and J f'' = T e, and
    grow by e^(77 t). It stays in the plane because it starts there to the last bit.
    """
    for motion in simulated.values():
        assert max(np.abs(motion[bar].position[:, 2]).max() for bar in ("bar", "bar2")) < 1e-9


def test_the_spring_winds_up_beyond_half_a_turn(simulated):
    angle = simulated[1e-11]["torSpr.angle"].values
    assert angle.max() == pytest.approx(WOUND_UP, abs=1e-3)
    assert angle[-1] == pytest.approx(TURN_AT_END, abs=1e-4)
    effort = simulated[1e-11]["torSpr.effort"].values
    assert np.abs(effort + 10.0 * angle).max() < 1e-9


@pytest.mark.row("C1")
def test_the_energy_is_kept(simulated):
    for tolerance, motion in simulated.items():
        drift = np.ptp(motion.energy.mechanical)
        assert drift < (1e-6 if tolerance < 1e-8 else 1e-6 * motion.energy.kinetic.max())


@pytest.mark.row("C6")
def test_parts_and_joints_put_out_their_states(simulated, tmp_path):
    """`outputStates` of both bars and both joints, and `closeOutputs`."""
    motion = simulated[1e-8]
    wanted = ["bar", "bar2", "balljoint.force", "balljoint.torque", "ball2joint.force"]
    path = motion.to_csv(tmp_path / "states.csv", *wanted)
    with path.open() as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    assert len(rows) == 202
    assert sum(name.startswith("bar2") for name in rows[0]) == 28  # all that can be read of it
    assert sum(name.startswith("balljoint") for name in rows[0]) == 6
    parameters = motion.specific(EulerParameters())
    half = 0.5 * motion["torSpr.angle"].values
    e3 = parameters.s[:, parameters.names.index("bar.e3")]
    assert np.abs(np.abs(e3) - np.abs(np.sin(half))).max() < 1e-9
    #: The lower ball carries what the lower bar's weight and acceleration ask for.
    needed = motion["bar2"].acceleration + np.array([0.0, G, 0.0])
    assert np.abs(motion["ball2joint.force"].values - needed).max() < 1e-8
    assert all(motion["ball2joint.force"].unique)


def test_a_double_pendulum_of_rods_ends_at_the_angles_of_its_two_coordinates():
    """Rods of 10 mm radius hinged in the plane, both at 10 rad/s: angles from below at 1.8 s."""
    m = Builder("double pendulum", plane=True, gravity=(0, -G))
    moment = (3 * 0.01**2 + 1) / 12
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([5e-5, moment, moment]))
    down = -math.pi / 2
    upper = m.bar("upper", 1.0, at=(0, 0), angle=down, inertia=inertia, spin=10.0)
    lower = m.bar("lower", 1.0, at=(0, -1), angle=down, inertia=inertia, spin=10.0)
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    m.force(SpringDamper(upper.angle, stiffness=10.0, free=down))
    motion = m.build().simulate(until=1.8, steps=1, tolerance=1e-10)
    assert motion["upper.angle"].values[-1] - down == pytest.approx(-0.2572211245, abs=1e-8)
    assert motion["lower.angle"].values[-1] - down == pytest.approx(-1.1330674753, abs=1e-8)
