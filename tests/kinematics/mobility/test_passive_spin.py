"""The spin of a rod between balls needs no drive, and others' freedoms do."""

import numpy as np
import pytest

import kempe as kp
from kempe.errors import DriveError
from kempe.joints import Cylindrical, Prismatic, Revolute, Spherical

CLOSE = 1e-9  # m: lengths of links after closing to 1e-12
LENGTHS = {"a": 0.3, "b": 0.9, "rod": 1.4}


def rssr(second=Revolute, ends=(Spherical, Spherical)):
    """Two cranks on square axes, driven by the first, with a rod between them."""
    m = kp.Builder("RSSR")
    a, b, rod = (m.body(name, points={"end": (x, 0, 0)}) for name, x in LENGTHS.items())
    hinge = m.revolute(m.ground.at(0, 0, 0), a.at(0, 0, 0), name="A")
    m.add(second(kp.Marker("ground", (1.0, 0.5, 0.2)).facing((1, 0, 0)), b.at(0, 0, 0)), "B")
    m.add(ends[0](a.end, rod.at(0, 0, 0)), "C")
    m.add(ends[1](b.end, rod.end), "D")
    m.drive(hinge.angle, rpm=60)
    return m.build()


def test_an_rssr_runs_at_once_and_says_that_its_rod_spins_as_it_likes():
    turn = rssr().kinematics(until=1.0, steps=60)
    assert turn.outcome.is_done, turn.outcome
    (note,) = turn.notes
    assert "the spin of 'rod'" in note
    crank, tip, far = turn["A.angle"].values, turn["a.end"].position, turn["b.end"].position
    circle = LENGTHS["a"] * np.column_stack([np.cos(crank), np.sin(crank), 0.0 * crank])
    assert np.abs(tip - circle).max() < CLOSE
    assert np.linalg.norm(far - tip, axis=1) == pytest.approx(LENGTHS["rod"], abs=CLOSE)
    assert np.linalg.norm(far - [1.0, 0.5, 0.2], axis=1) == pytest.approx(LENGTHS["b"], abs=CLOSE)
    assert far[:, 0] == pytest.approx(1.0, abs=CLOSE)


def test_a_freedom_that_is_no_spin_is_still_asked_a_drive_for():
    with pytest.raises(DriveError) as caught:
        rssr(second=Cylindrical).kinematics(until=1.0)
    assert "Add 1 drive, for example on 'B.displacement'" in caught.value.message
    assert "The spin of 'rod' about the line of its ends needs none" in caught.value.message
    assert caught.value.facts["passive"] == ("rod",)


def test_a_shaft_in_two_bearings_is_no_idle_rod():
    m = kp.Builder("shaft")
    shaft, lever = m.body("shaft"), m.body("lever")
    m.revolute(m.ground.at(0, 0, 0), shaft.at(0, 0, 0))
    m.revolute(m.ground.at(0, 0, 1), shaft.at(0, 0, 1))
    hinge = m.revolute(m.ground.at(1, 0, 0), lever.at(0, 0, 0))
    m.drive(hinge.angle, rpm=60)
    with pytest.raises(DriveError) as caught:
        m.build().kinematics(until=1.0)
    assert caught.value.facts["passive"] == ()


FOOT = (0.1, 0.2, -1.0)


def strut(*slides, drive="lever"):
    """A lever on a hinge, and tubes that slide in each other between its end and the ground."""
    m = kp.Builder("strut")
    lever = m.body("lever", points={"end": (0.8, 0, 0)})
    tubes = [m.body(f"tube_{k}") for k in range(len(slides) + 1)]
    hinge = m.revolute(m.ground.at(0, 0, 0), lever.at(0, 0, 0), name="A")
    m.add(Spherical(m.ground.at(*FOOT), tubes[0].at(0, 0, 0)), "foot")
    m.add(Spherical(lever.end, tubes[-1].at(0, 0, 0)), "head")
    added = [
        m.add(slide(tubes[k].at(0, 0, 0), tubes[k + 1].at(0, 0, 0)), f"slide_{k}")
        for k, slide in enumerate(slides)
    ]
    if drive == "lever":
        m.drive(hinge.angle, rpm=60)
    else:
        m.drive(added[0].displacement, start=1.3, speed=0.05)
    return m


def test_tubes_that_slide_in_each_other_between_balls_spin_together():
    strutted = strut(Prismatic).build()
    report = strutted.check()
    assert report.passive == (("tube_0", "tube_1"),)
    assert report.is_ready
    assert [set(motion.bodies) for motion in report.free] == [{"tube_0", "tube_1"}]
    turn = strutted.kinematics(until=1.0, steps=40)
    assert turn.outcome.is_done, turn.outcome
    assert "the spin of 'tube_0' with 'tube_1' about the line of their ends" in turn.notes[-1]
    angle = turn["A.angle"].values
    end = 0.8 * np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    stroke = np.linalg.norm(end - FOOT, axis=1)
    assert np.abs(turn["slide_0.displacement"].values) == pytest.approx(stroke, abs=CLOSE)


def test_a_strut_that_is_driven_spins_as_it_likes_too():
    turn = strut(Prismatic, drive="slide").build().kinematics(until=1.0, steps=10)
    assert turn.outcome.is_done, turn.outcome
    apart = np.linalg.norm(turn["lever.end"].position - np.array(FOOT), axis=1)
    assert apart == pytest.approx(1.3 + 0.05 * turn.t, abs=CLOSE)


def test_what_slides_or_turns_in_a_strut_besides_is_asked_a_drive_for():
    with pytest.raises(DriveError) as caught:
        strut(Prismatic, Prismatic).build().kinematics(until=1.0)
    assert "Add 1 drive, for example on 'slide_0.displacement'" in caught.value.message
    assert "'tube_0' with 'tube_1' and 1 more" in caught.value.message
    with pytest.raises(DriveError) as caught:
        strut(Cylindrical).build().kinematics(until=1.0)
    assert "Add 1 drive, for example on 'slide_0.angle'" in caught.value.message
    assert caught.value.facts["passive"] == (("tube_0", "tube_1"),)


def test_what_is_held_by_a_third_point_does_not_spin_idly():
    m = strut(Prismatic)
    rod = m.body("rod", at=(0.5, 0.5, 0.0))
    m.add(Spherical(kp.Marker("tube_0", (0.3, 0.0, 0.2)), rod.at(0, 0, 0)), "far")
    m.add(Spherical(m.ground.at(0.6, 0.1, -0.5), rod.at(0.6, 0, 0)), "near")
    held = m.build()
    assert held.check().passive == ("rod",)
    assert held.kinematics(until=0.05, steps=5).outcome.is_done


def test_spins_of_many_struts_are_told_one_by_one():
    m = kp.Builder("hexapod")
    plate = m.body("plate", at=(0.0, 0.0, 1.0))
    for k in range(6):
        foot, head = np.deg2rad(120.0 * (k // 2) + (-20.0, 20.0)[k % 2]), np.deg2rad(60.0 * k)
        tube, piston = m.body(f"tube_{k}"), m.body(f"piston_{k}", at=(0, 0, 1))
        m.add(Spherical(m.ground.at(np.cos(foot), np.sin(foot), 0.0), tube.at(0, 0, 0)))
        m.add(Spherical(plate.at(0.6 * np.cos(head), 0.6 * np.sin(head), 0), piston.at(0, 0, 0)))
        m.add(Prismatic(tube.at(0, 0, 0), piston.at(0, 0, 0)), f"leg_{k}")
    report = m.build().check()
    assert report.passive == tuple((f"tube_{k}", f"piston_{k}") for k in range(6))
    assert report.mobility == 12
    assert sum(motion.is_idle_spin for motion in report.free) == 6
