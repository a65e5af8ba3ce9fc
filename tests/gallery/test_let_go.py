"""Entries that forces move: what every one keeps, and what each is known to do."""

import math
from xml.etree import ElementTree

import numpy as np
import pytest

import kempe
from kempe.gallery import COURSES, MECHANISMS
from kempe.pictures.animation import picture

G = 9.81
#: Of the largest kinetic energy, at default settings, over the whole course.
DRIFT = 1e-6


@pytest.fixture(scope="module")
def shown():
    """Every entry over its course, simulated once."""
    found = {}

    def motion(name):
        if name not in found:
            found[name] = MECHANISMS[name]().simulate(until=COURSES[name].until, steps=400)
        return found[name]

    return motion


@pytest.mark.parametrize("name", COURSES)
def test_its_course_runs_to_the_end_and_its_energies_balance(shown, name):
    motion = shown(name)
    assert motion.outcome.is_done
    assert motion.notes == ()
    assert np.ptp(motion.energy.total) < DRIFT * motion.energy.kinetic.max()


@pytest.mark.parametrize("name", COURSES)
def test_it_moves_visibly_and_can_be_drawn_with_its_paths(shown, name):
    motion, traced = shown(name), COURSES[name].trace
    assert np.ptp(motion.motion.q, axis=0).max() > 0.05 * motion.layout.size
    assert set(traced) <= set(motion.names)
    assert ElementTree.fromstring(picture(motion, trace=traced)).tag.endswith("svg")


def test_a_simple_pendulum_passes_below_with_the_speed_of_its_fall(shown):
    speed = shown("simple_pendulum")["arm.P"].speed.values
    assert speed.max() == pytest.approx(
        math.sqrt(2 * G * (1 - math.cos(math.radians(60)))), rel=1e-3
    )


def test_a_conical_pendulum_keeps_its_height(shown):
    assert np.ptp(shown("conical_pendulum")["bob.P"].position[:, 2]) < 1e-6


def test_koh_and_parks_pendulum_stays_in_its_plane_and_winds_up_its_spring(shown):
    motion = shown("koh_park_pendulum")
    assert np.abs(motion["bar2.cm"].position[:, 1]).max() < 1e-9
    assert motion["torSpr.angle"].values.max() == pytest.approx(4.87129, abs=1e-3)
    assert motion["bar.cm"].position[-1] == pytest.approx((-0.127455, 0.0, -0.483482), abs=1e-5)


def test_a_heavy_top_keeps_its_spin_and_its_turning_about_the_vertical(shown):
    motion = shown("heavy_top")
    assert np.abs(motion.motion.v[:, 5] - 150.0).max() < 1e-4
    assert motion["top.P"].position[:, 2].max() == pytest.approx(0.14 * math.cos(math.radians(30)))


@pytest.mark.parametrize("name", ["free_body", "dzhanibekov"])
def test_a_body_without_torque_keeps_its_angular_momentum(shown, name):
    motion = shown(name)
    tensor = MECHANISMS[name]().model.bodies[0].inertia.tensor
    momentum = np.linalg.norm(motion.motion.v[:, 3:6] @ tensor, axis=1)
    assert np.ptp(momentum) < 1e-7 * momentum[0]


def test_dzhanibekovs_block_turns_over_again_and_again(shown):
    middle = shown("dzhanibekov").motion.v[:, 4]
    assert (np.diff(np.sign(middle)) != 0).sum() >= 4
    assert middle.min() == pytest.approx(-middle.max(), rel=1e-2)


def test_a_gyroscope_goes_round_as_its_weight_and_its_spin_say(shown):
    """weight g arm / (I spin), the mean of a little nodding."""
    turn = shown("gyroscope")["column.angle"].values
    spin = 0.5 * 0.5 * 0.05**2 * 300.0
    assert abs(turn[-1] - turn[0]) / 4.0 == pytest.approx(0.05 * G * 0.08 / spin, rel=0.02)


def test_a_cardan_shaft_trades_speed_as_its_energy_says(shown):
    motion = shown("cardan_shaft")
    angle, rate = motion["input_bearing.angle"].values, motion["input_bearing.angle"].rate
    bend = math.radians(35.0)
    n = math.cos(bend) / (1 - (math.sin(bend) * np.sin(angle)) ** 2)
    light, heavy = 0.5 * 0.5 * 0.05**2, 0.5 * 2.0 * 0.05**2
    kept = rate**2 * (light + heavy * n**2)
    assert np.ptp(kept) < 1e-6 * kept[0]
    assert motion["output_bearing.angle"].rate == pytest.approx(n * rate, rel=1e-9)


def test_a_flyball_governor_at_its_right_speed_stays():
    """Of the speed at which it keeps its angle; the arms and rods have no mass of their own."""
    steady = kempe.gallery.flyball_governor(faster=1.0).simulate(until=2.0, steps=50)
    assert np.ptp(steady["guide.displacement"].values) < 1e-6
    fast = kempe.gallery.flyball_governor(faster=1.2).simulate(until=2.0, steps=50)
    assert fast["guide.displacement"].values[-1] > fast["guide.displacement"].values[0] + 0.01


def test_the_oil_of_a_flyball_governor_takes_what_its_rate_says(shown):
    motion = kempe.gallery.flyball_governor().simulate(until=2.0, steps=2000)
    rate = motion["guide.displacement"].rate
    taken = np.trapezoid(8.0 * rate**2, motion.t)
    assert motion.energy.dissipated[-1] == pytest.approx(taken, rel=1e-4)
    assert taken > 0.01


CAR_AXIS = {  # at 3 s: place and velocity
    "left.P": ((0.0493455784275402, 0.496989460230171), (-0.0770583684040972, 0.00744686658723779)),
    "right.P": ((1.04174252488542, 0.373911027265361), (0.0175568157537232, 0.770341043779252)),
}


@pytest.mark.parametrize(("tolerance", "close"), [(1e-8, 1e-5), (1e-11, 1e-8)])
def test_a_car_axis_ends_where_the_test_set_says(tolerance, close):
    """Source: [IVPTestSet] car axis problem, reference solution."""
    motion = kempe.gallery.car_axis().simulate(until=3.0, steps=3, tolerance=tolerance)
    for name, (place, velocity) in CAR_AXIS.items():
        assert motion[name].position[-1] == pytest.approx(place, abs=close)
        assert motion[name].velocity[-1] == pytest.approx(velocity, abs=100 * close)


def test_an_engine_runs_up_to_where_its_brake_takes_what_its_gas_gives():
    """A turn's work: load w 2 pi."""
    motion = kempe.gallery.engine(flywheel=0.01).simulate(until=1.0, steps=4000)
    turn = motion["crank.angle"]
    last = turn.values > turn.values[-1] - 2 * math.pi
    work = motion["gas.effort"].values * motion["cylinder.displacement"].rate
    given = np.trapezoid(work[last], motion.t[last])
    taken = np.trapezoid(0.1 * turn.rate[last] ** 2, motion.t[last])
    assert given == pytest.approx(taken, rel=0.05)
    assert 200.0 < turn.rate[last].mean() < 450.0


@pytest.mark.parametrize("links", [1, 3, 40])
def test_a_chain_of_any_length_falls(links):
    motion = kempe.gallery.pendulum_chain(links=links).simulate(until=0.5, steps=5)
    assert motion.outcome.is_done
    assert motion[f"link{links}.P"].position[-1][1] < -0.1
