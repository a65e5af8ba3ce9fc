"""Faulty mechanisms, each with the ending it was promised and the figures of that ending.

Source: the project's list of faults, classes impossible-assembly, just-feasible, lock-up,
dead-point, bifurcation, redundant-inconsistent, underconstrained and singular-inertia.
"""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError, BadNumber, DriveError
from kempe.kinematics.closing.closing import ASSEMBLED

LIMIT_ANGLE = 1e-8  # rad: promised for a lock-up
DEAD_CENTRE = 1e-8  # m, of a crank of 1 m


def four_bar(a, b, c, d):
    return kempe.gallery.four_bar(crank=a, coupler=b, rocker=c, ground=d)


def slider_crank(*, with_drive=True, doubled=False, r=1.0, l=2.0, e=0.0, start=0.0, by="crank"):
    """Crank r, rod l, guide e above the pivot; drawn stretched, as in the list."""
    m = kempe.Builder("slider-crank", plane=True)
    crank, rod = m.bar("crank", r), m.bar("rod", l)
    slider = m.body("slider", points={"pin": (0, 0)})
    m.revolute(m.ground.at(0, 0), crank.start, name="j1")
    m.revolute(crank.end, rod.start, name="j2")
    m.revolute(rod.end, slider.pin, name="j3")
    m.prismatic(m.ground.at(0, e), slider.pin, name="j4")
    if doubled:
        m.revolute(crank.at(r, 0.001), rod.at(0, 0.001), name="j2b")
    if with_drive:
        m.drive(crank.angle if by == "crank" else slider.x, start=start, speed=1.0)
    return m.build()


def test_an_offset_larger_than_the_links_is_an_assembly_error_with_its_figures():
    with pytest.raises(AssemblyError) as caught:
        slider_crank(e=3.5).kinematics(until=1.0)
    facts = caught.value.facts
    assert facts["infeasible"]
    assert facts["residual"] > ASSEMBLED
    assert facts["joint"] in ("j1", "j2", "j3", "j4")
    assert facts["opening"] == pytest.approx(1.5, rel=1e-6)  # 3.5 - 2, the crank lying flat


def test_infeasible_by_1e_9_is_not_accepted_through_a_loose_tolerance():
    with pytest.raises(AssemblyError) as caught:
        four_bar(1, 1, 1, 3.000000001).kinematics(until=1.0)
    assert caught.value.facts["infeasible"]
    assert caught.value.facts["residual"] == pytest.approx(2.5e-10, rel=1e-3)  # over four hinges


def test_a_flat_four_bar_goes_together_and_is_said_to_be_singular():
    flat = four_bar(1, 1, 1, 3)
    assert flat.assemble().residual <= ASSEMBLED
    report = flat.check()
    assert report.is_singular
    assert report.only_fits_here
    assert report.mobility == 0
    assert "singular" in str(report)


def test_a_drive_past_its_limit_is_stopped_at_the_limit_angle_and_keeps_its_samples():
    limit = math.acos((2.0**2 + 4.0**2 - (3.0 + 2.2) ** 2) / (2 * 2.0 * 4.0))
    turn = four_bar(2, 3, 2.2, 4).kinematics(over=("crank.angle", 0, "360 deg"))
    assert turn.outcome.name == "DeadPoint"
    assert turn.outcome.facts["value"] == pytest.approx(limit, abs=LIMIT_ANGLE)
    assert len(turn) == 1 + math.floor(limit / math.radians(1.0))
    assert np.isfinite(turn.motion.q).all()


def test_the_reachable_range_of_that_drive_ends_at_the_same_angles():
    limit = math.acos((2.0**2 + 4.0**2 - (3.0 + 2.2) ** 2) / (2 * 2.0 * 4.0))
    (drive,) = four_bar(2, 3, 2.2, 4).check().ranges
    assert (drive.low_end, drive.high_end) == ("DeadPoint", "DeadPoint")
    assert drive.high == pytest.approx(limit, abs=1e-6)
    assert drive.low == pytest.approx(-limit, abs=1e-6)


def test_a_slider_that_drives_its_crank_stops_at_the_dead_centre_without_a_jump():
    out = slider_crank(l=3.0, start=3.0, by="slider").kinematics(until=2.0)
    assert out.outcome.name == "DeadPoint"
    assert out.outcome.facts["value"] == pytest.approx(4.0, abs=DEAD_CENTRE)
    assert np.abs(np.diff(out["crank.angle"].values)).max() < 0.5


def test_a_parallelogram_stops_where_it_lies_flat_the_same_way_every_time():
    ends = [
        four_bar(1, 2, 1, 2).kinematics(over=("crank.angle", "10 deg", "360 deg")).outcome
        for _ in range(2)
    ]
    assert ends[0].name == "Bifurcation"
    assert ends[0].facts["value"] == pytest.approx(math.pi, abs=1e-6)
    assert ends[0] == ends[1]


def test_a_parallelogram_that_starts_flat_is_told_so():
    with pytest.raises(DriveError, match="singular position"):
        four_bar(1, 2, 1, 2).kinematics(over=("crank.angle", 0, "360 deg"))


def test_a_second_hinge_beside_the_first_locks_the_mechanism_and_both_are_named():
    with pytest.raises(DriveError) as caught:
        slider_crank(doubled=True).kinematics(until=1.0)
    assert set(caught.value.facts["joints"]) == {"j2", "j2b"}
    assert caught.value.facts["mobility"] == 0
    said = str(slider_crank(doubled=True).check())
    assert "'j2' and 'j2b' both join 'crank' and 'rod'" in said


def test_kinematics_without_a_drive_is_refused_with_its_freedoms_listed():
    with pytest.raises(DriveError) as caught:
        slider_crank(with_drive=False).kinematics(until=1.0)
    assert caught.value.facts["mobility"] == 1
    assert "crank" in caught.value.facts["bodies"]
    assert "1 freedom" in caught.value.message


def massless_chain(**inertia):
    """A slider-crank stretched flat; what its bodies weigh is given by name."""
    m = kempe.Builder("massless chain", plane=True, gravity=(0, -9.81))
    crank = m.body("crank", at=(0.5, 0), angle=0.0, inertia=inertia.get("crank"))
    rod = m.body("rod", at=(2, 0), angle=0.0, inertia=inertia.get("rod"))
    slider = m.body("slider", at=(3, 0), angle=0.0, inertia=inertia.get("slider"))
    m.revolute(m.ground.at(0, 0), crank.at(-0.5, 0), name="j1")
    m.revolute(crank.at(0.5, 0), rod.at(-1, 0), name="j2")
    m.revolute(rod.at(1, 0), slider.at(0, 0), name="j3")
    m.prismatic(m.ground.at(3, 0), slider.at(0, 0), name="j4")
    return m.build()


def test_a_chain_without_mass_has_a_singular_mass_matrix_and_its_bodies_are_listed():
    with pytest.raises(BadNumber, match=r"mass matrix is singular.*'crank', 'rod', 'slider'"):
        massless_chain().simulate(until=1.0)


def test_moments_without_mass_are_refused_by_the_bodys_name():
    moments = kempe.Inertia(0.0, (0, 0, 0), np.diag([0.01, 0.07, 0.08]))
    with pytest.raises(BadNumber, match=r"'crank' has an inertia tensor but no mass.*singular"):
        massless_chain(crank=moments).simulate(until=1.0)


def test_one_mass_in_the_chain_is_enough():
    heavy = kempe.Inertia(1.0, (0, 0, 0), np.diag([0.01, 0.07, 0.08]))
    motion = massless_chain(crank=heavy).simulate(until=0.5, steps=10)
    assert motion.outcome.is_done
    assert np.isfinite(motion.motion.a).all()
