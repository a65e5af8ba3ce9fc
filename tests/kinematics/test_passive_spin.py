"""The spin of a rod between balls needs no drive, and others' freedoms do."""

import numpy as np
import pytest

import kempe as kp
from kempe.errors import DriveError
from kempe.joints import Cylindrical, Revolute, Spherical

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
