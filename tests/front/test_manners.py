"""What people type first works, and means what they think: masses, gravity, units, places."""

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, DuplicateName, UnitError, UnknownName
from kempe.forces import SpringDamper, Weight

EXACT = 1e-12  # two ways to the same number, each rounded a few times
TURN = 1e-9  # of a frequency: found by linearisation with exact derivatives


def pendulum(gravity=9.81, plane=True, **mass):
    m = kp.Builder("pendulum", plane=plane, gravity=gravity)
    rod = m.bar("rod", 2.0, angle="-90 deg", **mass)
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    return m.build()


def test_a_bar_with_a_mass_swings_as_a_slender_bar():
    w = np.sqrt(3 * 9.81 / (2 * 2.0))  # m g l / 2 by m l^2 / 3
    found = pendulum(mass="3 kg").linearize()
    assert abs(found.modes[0].frequency * 2 * np.pi - w) < TURN * w


def test_a_body_with_a_mass_a_centre_and_one_moment_swings_as_it_should():
    m = kp.Builder("pendulum", plane=True, units="mm", gravity="9.81 m/s^2")
    body = m.body("body", mass="2 kg", centre=(0, -500), inertia="0.3 kg m^2", at=(0, 0))
    m.revolute(m.ground.at(0, 0), body.at(0, 0))
    w = np.sqrt(2 * 9.81 * 0.5 / (0.3 + 2 * 0.25))  # Huygens-Steiner
    found = m.build().linearize()
    assert abs(found.modes[0].frequency * 2 * np.pi - w) < TURN * w


def test_gravity_as_a_number_pulls_down():
    assert kp.Builder("a", plane=True, gravity=9.81).gravity == (0.0, -9.81, 0.0)
    assert kp.Builder("a", gravity="9.81 m/s^2").gravity == (0.0, 0.0, -9.81)
    assert kp.Builder("a", gravity=np.float64(1.5)).gravity == (0.0, 0.0, -1.5)
    with pytest.raises(BadNumber, match=r"pulls down, so write 9\.81, or give a direction"):
        kp.Builder("a", gravity=-9.81)
    with pytest.raises(UnitError, match="gravity"):
        kp.Builder("a", gravity="9.81 m")


def test_planar_mass_properties_take_two_numbers_and_one():
    given = kp.Inertia("1 kg", ("50 mm", 0), "100 g cm^2")
    assert given.mass == 1.0
    assert given.centre.tolist() == [0.05, 0.0, 0.0]
    assert np.allclose(given.tensor, np.diag([5e-6, 5e-6, 1e-5]), rtol=EXACT, atol=0.0)


#: what is given for a body in space or in the plane, and what is said of it
REFUSED = {
    "two masses": (True, {"mass": 1, "inertia": kp.Inertia(1, (0, 0), 1)}, "leave mass="),
    "no mass": (True, {"inertia": 1.0}, "give mass= too"),
    "no mass of a centre": (True, {"centre": (0, 0)}, "give mass= too"),
    "a number in space": (False, {"mass": 1, "inertia": 1.0}, "in space a body's inertia"),
    "below zero": (True, {"mass": -1}, "zero or more"),
    "a length": (True, {"mass": "1 m"}, "'m' is no unit of mass"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_masses_that_make_no_sense_are_refused_with_the_body(case):
    plane, given, said = REFUSED[case]
    with pytest.raises(kp.KempeError, match="'b'") as mistake:
        kp.Builder("a", plane=plane).body("b", **given)
    assert said in str(mistake.value)


def test_a_bar_has_a_mass_or_an_inertia():
    with pytest.raises(BadNumber, match="one of them"):
        kp.Builder("a", plane=True).bar("b", 1, mass=1, inertia=kp.Inertia(1, (0, 0), 1))


def test_forces_take_text_and_planar_vectors():
    m = kp.Builder("a", plane=True)
    bar = m.bar("bar", 1, mass=1)
    hinge = m.revolute(m.ground.at(0, 0), bar.start)
    pull = m.force(Weight(bar.end, (0, "-1 kN")))
    assert pull.pull == (0, -1000.0, 0.0)
    spring = m.force(SpringDamper(hinge.angle, "10 N m/rad", free="180 deg"))
    assert (spring.stiffness, spring.free) == (10.0, np.pi)
    for wrong in ((0, "-1 mm"), (0, 0, 0, 0), 3.0):
        with pytest.raises(kp.KempeError, match="pull of force 'Weight'"):
            Weight(bar.end, wrong)


def test_a_place_of_the_world_is_that_place_on_the_body_as_it_lies():
    m = kp.Builder("a", plane=True, units="mm")
    bar = m.bar("bar", 100, at=(10, 20), angle="30 deg")
    found = bar.at_world(10 + 100 * np.cos(np.pi / 6), 20 + 50)
    assert np.allclose(found.position, (0.1, 0.0, 0.0), atol=EXACT)
    assert m.ground.at_world("1 cm", 2).position == (0.01, 0.002, 0.0)
    with pytest.raises(UnknownName, match=r"give it at=\(x, y\) and angle="):
        m.bar("loose", 100).at_world(0, 0)
    with pytest.raises(UnknownName, match="'turned'"):
        m.bar("turned", 100, angle=1).at_world(0, 0)


@pytest.mark.row("E7")
def test_a_point_is_added_by_name_and_read_by_it():
    m = kp.gallery.four_bar().edit()
    tip = m.part("coupler").add_point("tip", 1.0, 0.5)
    assert tip == m.part("coupler").tip
    turn = m.build().kinematics(until=1.0, steps=8)
    phi, at = turn["coupler.angle"].values, turn["coupler"].position
    reach = np.stack([np.cos(phi) - 0.5 * np.sin(phi), np.sin(phi) + 0.5 * np.cos(phi)], axis=1)
    assert np.allclose(turn["coupler.tip"].position, at + reach, atol=1e-9)
    with pytest.raises(DuplicateName, match="tip"):
        m.part("coupler").add_point("tip", 0, 0)
    with pytest.raises(UnknownName, match=r"ground\.at"):
        m.ground.add_point("tip", 0, 0)


def test_every_channel_tells_its_largest_smallest_and_mean():
    turn = kp.gallery.four_bar().kinematics(until=1.0, steps=8)
    swing = kp.gallery.double_pendulum().simulate(until=0.2, steps=8)
    for motion in (turn, swing):
        for name in motion.names:
            channel = motion[name]
            values = channel.position if hasattr(channel, "position") else channel.values
            axis = 0 if hasattr(channel, "position") else None
            for word in ("min", "max", "mean", "ptp"):
                wanted = getattr(np, word)(values, axis=axis)
                told = np.array(getattr(channel, word)(), dtype=float)
                assert told.shape == np.shape(wanted), (name, word)
                if getattr(channel, "shown", "") in ("", "m", "rad"):
                    assert np.allclose(told, wanted, rtol=EXACT), (name, word)


@pytest.mark.parametrize("place", [(3.0, 4.0), [3.0, "4 mm"], np.array([3.0, 4.0]), (3, 4, 0)])
def test_a_place_is_given_as_a_vector_or_number_by_number(place):
    m = kp.Builder("places", plane=True, units="mm")
    arm = m.bar("arm", 30.0, at=(0, 0), angle=0.0)
    assert m.ground.at(place) == m.ground.at(3.0, 4.0)
    assert arm.at_world(place) == arm.at_world(3.0, 4.0)
    assert arm.add_point("Q", place) == arm.at(3.0, 4.0)


@pytest.mark.parametrize("wrong", [(3.0,), ((3.0, 4.0), 5.0), ((3.0,),), ("3 mm",)])
def test_half_a_place_is_refused_in_words(wrong):
    m = kp.Builder("places", plane=True)
    with pytest.raises(BadNumber, match=r"a place on 'ground'.*(coordinates|not both)"):
        m.ground.at(*wrong)
