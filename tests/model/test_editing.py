"""Changing a mechanism by the names of its parts."""

import numpy as np
import pytest

import kempe
from kempe.couplers import Combination, RackAndPinion
from kempe.errors import DuplicateName, ModelError, UnknownName
from kempe.forces import TorsionSpring
from kempe.geometry import Marker, Z
from kempe.joints import Cylindrical, Prismatic, Revolute, Rod, Spherical
from kempe.measures import Displacement, Distance, Gauge, Turn
from kempe.model import Body

EXACT = 1e-12


def press():
    """A slider-crank whose slide is coupled to a wheel and read by a gauge."""
    m = kempe.Builder("press", plane=True)
    crank, rod = m.bar("crank", 0.1, at=(0, 0), angle=0.2), m.bar("rod", 0.3, angle=0.1)
    slider, wheel = m.body("slider", at=(0.4, 0)), m.body("wheel", at=(1, 0), angle=0)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, rod.start, name="B")
    m.revolute(rod.end, slider.at(0, 0), name="C")
    slide = m.prismatic(m.ground.at(0, 0), slider.at(0, 0), name="slide")
    m.revolute(m.ground.at(1, 0), wheel.at(0, 0), name="D")
    m.couple(RackAndPinion((slide.displacement, wheel.angle), radius=0.05, constant=0.0), "rack")
    m.gauge("reach", Distance(), crank.start, slider.at(0, 0))
    m.drive(crank.angle, start=0.2, rpm=60)
    return m.build()


def test_a_named_gauge_is_read_and_driven_and_survives_an_edit():
    turn = press().edit().build().kinematics(until=1.0, steps=10)
    np.testing.assert_allclose(
        turn["reach"].values, np.abs(turn["slide.displacement"].values), atol=EXACT
    )
    m = press().edit()
    m.remove("crank.angle")
    m.drive(Gauge("reach", Distance(), Marker("crank"), Marker("slider")), start=0.35, speed=0.01)
    driven = m.build().kinematics(until=1.0, steps=10)
    np.testing.assert_allclose(driven["reach"].rate, 0.01, atol=EXACT)


def test_a_part_is_added_to_what_is_there():
    m = press().edit()
    tail = m.bar("tail", 0.2, angle=1.0)
    m.revolute(m.part("slider").at(0, 0), tail.start, name="E")
    m.drive(m.part("E").angle, start=1.0)
    turn = m.build().kinematics(until=0.5, steps=4)
    np.testing.assert_allclose(turn["tail"].position, turn["slider"].position, atol=EXACT)


def test_an_unknown_part_names_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'crank'"):
        press().edit().part("crnk")


def test_removing_leaves_the_old_mechanism_as_it_was():
    whole = press()
    m = whole.edit()
    m.remove("rack", "D", "wheel")
    assert [b.name for b in m.build().model.moving] == ["crank", "rod", "slider"]
    assert len(whole.model.joints) == 5
    assert whole.model.couplers[0].name == "rack"


def test_a_body_that_is_held_on_to_is_not_removed():
    m = press().edit()
    with pytest.raises(ModelError, match=r"'C', 'slide', 'rack', 'reach' hold on to it"):
        m.remove("slider")
    m.remove("C", "slide", "rack", "reach", "slider")
    assert "slider" not in [b.name for b in m.build().model.bodies]


def test_a_drive_goes_before_the_gauge_of_its_name():
    m = press().edit()
    m.remove("crank.angle")
    m.drive(Gauge("reach", Distance(), Marker("crank"), Marker("slider")), start=0.35)
    m.remove("reach")
    assert [g.name for g in m.build().model.gauges] == ["reach"]
    assert m.build().model.drives == ()
    m.remove("reach")
    assert m.build().model.gauges == ()


def test_the_ground_stays():
    with pytest.raises(UnknownName, match="there is no part 'ground'"):
        press().edit().remove("ground")


def test_a_part_is_replaced_by_one_of_its_kind():
    m = press().edit()
    m.remove("B", "C", "rod")
    m.add(Rod(Marker("crank", (0.1, 0, 0)), Marker("slider"), length=0.3), "rod")
    with_rod = m.build().kinematics(until=1.0, steps=20)
    with_bar = press().kinematics(until=1.0, steps=20)
    np.testing.assert_allclose(with_rod["slider.x"].values, with_bar["slider.x"].values, atol=EXACT)
    with pytest.raises(ModelError, match="is a joint and cannot be replaced by a Body"):
        m.replace("A", Body("A"))
    with pytest.raises(UnknownName, match="no part 'Q'"):
        m.replace("Q", Body("Q"))


def test_a_renamed_part_is_renamed_wherever_it_is_mentioned():
    m = press().edit()
    m.rename({"crank": "eccentric", "slide": "guide"})
    machine = m.build()
    turn = machine.kinematics(until=1.0, steps=20)
    assert [d.gauge.name for d in machine.model.drives] == ["eccentric.angle"]
    assert machine.model.couplers[0].gauges[0].name == "guide.displacement"
    same = press().kinematics(until=1.0, steps=20)
    np.testing.assert_allclose(
        turn["guide.displacement"].values, same["slide.displacement"].values, atol=EXACT
    )
    with pytest.raises(DuplicateName, match="'rod' already"):
        press().edit().rename({"crank": "rod"})


@pytest.mark.row("E5")
def test_a_joint_is_attached_elsewhere():
    """The crank's pivot moves by 20 mm, and all follows."""
    m = press().edit()
    m.reattach("A", I=m.ground.at(0.02, 0))
    moved = m.build().kinematics(until=1.0, steps=20)["slider.x"].values
    x = press().kinematics(until=1.0, steps=20)["slider.x"].values
    np.testing.assert_allclose(moved, x + 0.02, atol=EXACT)


def test_what_reads_a_joint_reads_it_where_it_is_attached_now():
    """The guide starts 50 mm further on: the slide reads 50 mm less, and so does its rack."""
    m = press().edit()
    m.reattach("slide", I=m.ground.at(0.05, 0).facing((1, 0)))
    turn = m.build().kinematics(until=1.0, steps=20)
    way = turn["slider.x"].values - 0.05
    np.testing.assert_allclose(turn["slide.displacement"].values, way, atol=EXACT)
    np.testing.assert_allclose(turn["wheel.angle"].values, way / 0.05, atol=EXACT)


def test_a_driven_measure_goes_with_its_joint_to_another_body():
    m = kempe.Builder("two arms")
    for name in ("left", "right"):
        m.body(name, at=(0, 0, 0))
    hinge = m.revolute(m.ground.at(0, 0, 0), m.part("left").at(0, 0, 0), name="hinge")
    m.fixed(m.ground.at(1, 0, 0), m.part("right").at(0, 0, 0), name="weld")
    m.drive(hinge.angle, rpm=60)
    m.reattach("weld", J=m.part("left").at(0, 0, 0))
    m.reattach("hinge", J=m.part("right").at(0, 0, 0))
    turn = m.build().kinematics(until=0.25, steps=1)
    assert turn["right.angle"].values[-1] == pytest.approx(np.pi / 2, abs=EXACT)
    assert turn["left.angle"].values[-1] == pytest.approx(0.0, abs=EXACT)


def test_a_joint_in_use_is_not_replaced_by_one_that_lacks_what_is_used():
    m = kempe.Builder("arm")
    arm = m.body("arm", at=(0, 0, 0))
    ends = m.ground.at(0, 0, 0), arm.at(0, 0, 0)
    hinge = m.revolute(*ends, name="hinge")
    m.drive(hinge.angle, rpm=60)
    with pytest.raises(ModelError, match=r"'hinge.angle' is in use, and Prismatic has no 'angle'"):
        m.replace("hinge", Prismatic(*ends, "hinge"))
    m.replace("hinge", Cylindrical(*ends))
    assert m.build().model.drives[0].gauge.measure == Turn(Z)


def test_a_part_without_a_name_takes_on_that_of_the_one_it_replaces():
    m = kempe.Builder("arm", plane=True)
    arm = m.bar("arm", 1.0)
    ends = m.ground.at(0, 0), arm.start
    m.revolute(*ends, name="hinge")
    m.force(TorsionSpring(arm.angle, 2.0), "coil")
    m.replace("hinge", Prismatic(*ends))
    m.replace("coil", TorsionSpring(arm.angle, 3.0))
    model = m.build().model
    assert [(type(j), j.name) for j in model.joints] == [(Prismatic, "hinge")]
    assert [(f.stiffness, f.name) for f in model.forces] == [(3.0, "coil")]
    m.replace("coil", TorsionSpring(arm.angle, 4.0, name="stiffer"))
    assert [f.name for f in m.build().model.forces] == ["stiffer"]


def test_couplers_follow_a_joint_that_is_replaced():
    m = kempe.Builder("pair")
    parts = [m.body(name, at=(0, 0, k)) for k, name in enumerate("ab")]
    pins = [
        m.revolute(m.ground.at(0, 0, k), part.at(0, 0, 0), name=f"pin_{part.name}")
        for k, part in enumerate(parts)
    ]
    m.couple(Combination((pins[0].angle, pins[1].angle), coefficients=(2.0, 1.0)), "tie")
    m.replace("pin_a", Revolute(m.ground.at(0, 0, 5), parts[0].at(0, 0, 0), "pin_a"))
    (tie,) = m.build().model.couplers
    assert tie.gauges[0].I.position == (0.0, 0.0, 5.0)
    assert tie.gauges[1].I.position == (0.0, 0.0, 1.0)


def test_a_gauge_of_the_same_name_between_other_places_is_left_alone():
    m = kempe.Builder("arm")
    arm = m.body("arm", at=(0, 0, 0))
    m.add(Spherical(m.ground.at(0, 0, 0), arm.at(0, 0, 0)), "ball")
    own = m.gauge("ball.displacement", Displacement(Z), m.ground.at(1, 2, 3), arm.at(4, 5, 6))
    m.reattach("ball", I=m.ground.at(0, 0, 1))
    assert m.build().model.gauges == (own,)


def test_a_gauge_has_a_name_of_its_own():
    m = press().edit()
    with pytest.raises(DuplicateName, match="'reach'"):
        m.gauge("reach", Distance(), m.ground.at(0, 0), m.part("crank").end)
