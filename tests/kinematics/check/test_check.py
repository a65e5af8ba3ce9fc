"""What check says of freedoms, redundancy, singular starts, loops and ranges."""

import math
from dataclasses import replace

import numpy as np
import pytest

import kempe
from kempe.compile.trace.part_names import gauges_by_name
from kempe.equations import equations_of
from kempe.errors import AssemblyError, DriveError, ModelError
from kempe.geometry import Rotation, Z
from kempe.kinematics.check.check import check
from kempe.kinematics.closing.placement import body_pose
from kempe.kinematics.drag.drag import released
from kempe.measures import Turn

X_AXIS, Y_AXIS = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def hinges_in_space(**lengths):
    """A planar four-bar of hinges whose bodies are free to leave the plane."""
    m = kempe.Builder("hinges in space")
    crank, coupler, rocker = (
        m.bar(name, lengths.get(name, length))
        for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 3.0))
    )
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(rocker.start, m.ground.at(3.5, 0), name="D")
    m.drive(crank.angle, start=1.0, rpm=60)
    return m.build()


def tilted(mechanism, joint, angle, axis=X_AXIS):
    """The same with one end of a joint turned about its own x or y."""
    J = mechanism.model.joint(joint).J
    builder = mechanism.edit()
    builder.reattach(joint, J=replace(J, rotation=J.rotation @ Rotation.about(axis, angle)))
    return builder.build()


#: mechanism -> (freedoms by count, by rank, redundant rows, a joint whose tilt locks it)
OVERCLOSED = {
    "bennett": (kempe.gallery.bennett, -2, 3, "hinge3"),
    "sarrus": (kempe.gallery.sarrus, 0, 1, "elbow_x"),
    "bricard": (kempe.gallery.bricard, 0, 1, "hinge3"),
    "hinges in space": (hinges_in_space, -2, 3, "C"),
}


@pytest.mark.parametrize("name", OVERCLOSED)
def test_a_loop_with_more_rows_than_it_needs_just_works(name):
    make, by_count, redundant, _ = OVERCLOSED[name]
    report = make().check()
    assert (report.mobility_by_count, report.mobility) == (by_count, 1)
    assert report.redundant_rows == redundant
    assert report.is_ready
    assert report.nearly is None
    assert "consistent" in str(report)
    assert make().kinematics(until=0.2, steps=10).outcome.is_done


@pytest.mark.parametrize("name", OVERCLOSED)
def test_the_joints_to_loosen_leave_nothing_redundant(name):
    make, _, redundant, _ = OVERCLOSED[name]
    mechanism = make()
    report = mechanism.check()
    assert sum(looser.rows for looser in report.looser) == redundant
    builder = mechanism.edit()
    for looser in report.looser:
        kind = getattr(kempe.joints, looser.into)
        old = mechanism.model.joint(looser.joint)
        builder.replace(looser.joint, kind(old.I, old.J, name=old.name))
    if any(looser.into == "Universal" for looser in report.looser):
        return  # its cross needs markers a quarter turn apart: a drawing, not a count
    after = builder.build().check()
    assert after.redundant_rows == 0
    assert after.mobility == 1


@pytest.mark.parametrize("name", OVERCLOSED)
def test_an_axis_tilted_by_a_hundredth_is_refused_with_its_loop_and_a_joint_named(name):
    make, *_, joint = OVERCLOSED[name]
    mechanism = tilted(make(), joint, 1e-2)
    with pytest.raises(AssemblyError) as caught:
        mechanism.check()
    error = caught.value
    assert len(error.facts["loop"]) in (4, 6)
    assert error.facts["joint"] in error.message
    assert "the loop" in error.message
    assert error.facts["joint"] == joint or name == "bennett"  # its twists are no quarter turns
    assert "align" not in error.message


@pytest.mark.parametrize("axis", [X_AXIS, Y_AXIS], ids=["x", "y"])
@pytest.mark.parametrize("name", OVERCLOSED)
def test_an_axis_tilted_by_1e_5_is_refused_or_straightened_and_said_so(name, axis):
    make, *_, joint = OVERCLOSED[name]
    mechanism = tilted(make(), joint, 1e-5, axis)
    with pytest.raises(AssemblyError, match="align"):
        mechanism.check()
    report = mechanism.check(align=2e-5)
    assert report.mobility == 1
    assert report.straightened
    assert max(turn.angle for turn in report.straightened) <= 2e-5
    assert "Straightened as asked" in str(report)
    assert mechanism.aligned("2e-5 rad").kinematics(until=0.2, steps=10).outcome.is_done


@pytest.mark.parametrize("angle", [1e-2, 1e-5])
@pytest.mark.parametrize(("joint", "across"), [("top_x", "y"), ("top_y", "x")])
def test_a_plate_of_sarrus_hinged_askew_leans_by_that_angle_and_rises_as_before(
    joint, across, angle
):
    """The other pair of arms lets the plate turn about just that axis: nothing is to be refused."""
    turn = tilted(kempe.gallery.sarrus(), joint, angle).kinematics(until=1.0, steps=20)
    assert turn.outcome.is_done
    upright = [body_pose(turn.layout, q, "plate").rotation.z for q in turn.motion.q]
    for z in upright:
        assert abs(getattr(z, across)) == pytest.approx(math.sin(angle), abs=1e-12)
        assert z.z == pytest.approx(math.cos(angle), abs=1e-12)


def test_a_tilt_larger_than_align_is_not_straightened():
    with pytest.raises(AssemblyError) as caught:
        tilted(hinges_in_space(), "C", 1e-4).check(align=1e-5)
    assert caught.value.facts["needed"] == pytest.approx(1e-4, rel=0.01)


@pytest.mark.parametrize("tilt", [0.003, 0.01])
@pytest.mark.parametrize("times", [1.5, 5.0, 30.0])
def test_what_one_align_straightens_a_more_generous_one_does_too(tilt, times):
    report = tilted(hinges_in_space(), "C", tilt).check(align=times * tilt)
    assert report.mobility == 1
    assert max(turned.angle for turned in report.straightened) == pytest.approx(tilt, rel=1e-2)


def test_what_is_straight_stays_as_it_is():
    report = hinges_in_space().check(align=1e-5)
    assert report.straightened == ()


def bored_askew(mechanism, joint, angle):
    """Both ends of a hinge turned together where the mechanism stands: it closes there only."""
    standing = mechanism.assemble(at=0.0).poses
    bodies = tuple(replace(b, guess=standing[b.name]) for b in mechanism.model.moving)
    there = kempe.Mechanism(replace(mechanism.model, bodies=bodies))
    askew = Rotation.about(X_AXIS, angle)
    ends = {}
    for side in ("I", "J"):
        marker = getattr(mechanism.model.joint(joint), side)
        R_WB = standing[marker.body].rotation
        ends[side] = replace(marker, rotation=R_WB.inverse() @ askew @ R_WB @ marker.rotation)
    builder = there.edit()
    builder.reattach(joint, **ends)
    return builder.build()


@pytest.mark.parametrize("tilt", [1e-4, 1e-5, 1e-6])
def test_a_loop_that_closes_where_it_stands_but_is_nearly_locked_is_told_so(tilt):
    mechanism = bored_askew(hinges_in_space(), "C", tilt)
    report = mechanism.check()
    assert report.mobility == 0
    assert report.nearly is not None
    assert report.nearly.rows == 1
    assert report.nearly.joint == "C"
    assert report.nearly.tilt == pytest.approx(tilt, rel=1e-3)
    assert "let check(align=" in str(report)
    assert mechanism.check(align=10.0 * tilt).mobility == 1
    with pytest.raises(DriveError, match=r"cannot move at all.*the axis of 'C'"):
        mechanism.kinematics(until=1.0)


def test_a_singular_start_does_not_hide_the_freedoms_elsewhere():
    m = kempe.Builder("flat parallelogram", plane=True)
    a, b, c = (
        m.bar(n, length, at=at, angle=0)
        for n, length, at in (("a", 1.0, (0, 0)), ("b", 2.0, (1, 0)), ("c", 1.0, (2, 0)))
    )
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2, 0))
    report = m.build().check()
    assert (report.mobility, report.mobility_at_start) == (1, 2)
    assert report.is_singular
    assert not report.only_fits_here
    assert "singular position" in str(report)


def laid_flat(m, k=0, y=0.0):
    """A parallelogram of 1 and 2 whose four hinges lie on a line: 1 freedom, 2 at first order."""
    a, b, c = (
        m.bar(f"{n}{k}", length, at=(x, y), angle=0)
        for n, length, x in (("a", 1.0, 0), ("b", 2.0, 1), ("c", 1.0, 2))
    )
    m.revolute(m.ground.at(0, y), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2, y))
    return a


def pulled_straight(m, x=10.0):
    """Two bars of 1 between two pins 2 apart: they shake but do not move."""
    a, b = m.bar("s1", 1.0, at=(x, 0), angle=0), m.bar("s2", 1.0, at=(x + 1, 0), angle=0)
    m.revolute(m.ground.at(x, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, m.ground.at(x + 2, 0))


def test_parts_that_do_not_touch_are_judged_apart():
    m = kempe.Builder("three flat parallelograms", plane=True)
    for k in range(3):
        laid_flat(m, k, 3.0 * k)
    report = m.build().check()
    assert (report.mobility, report.mobility_at_start) == (3, 6)
    assert [part.bodies for part in report.singular] == [(f"a{k}", f"b{k}", f"c{k}") for k in "012"]
    assert "not move" not in str(report)


def test_what_only_shakes_beside_what_moves_is_no_freedom():
    m = kempe.Builder("shaky and mover", plane=True)
    pulled_straight(m)
    bar = m.bar("swing", 1.0, at=(0, 0), angle=0.3)
    m.revolute(m.ground.at(0, 0), bar.start)
    report = m.build().check()
    assert (report.mobility, report.mobility_at_start) == (1, 2)
    (part,) = report.singular
    assert part.bodies == ("s1", "s2")
    assert part.is_stuck
    assert "'swing' can still move" in str(report)


def test_what_shakes_on_a_mover_is_no_freedom_either():
    """The two bars pulled straight ride on a swinging plate: one part, one freedom."""
    m = kempe.Builder("shaky on a mover", plane=True)
    plate = m.body("plate", at=(0, 0), angle=0.2)
    m.revolute(m.ground.at(0, 0), plate.at(0, 0))
    c, s = math.cos(0.2), math.sin(0.2)
    a = m.bar("s1", 1.0, at=(c, s), angle=0.2)
    b = m.bar("s2", 1.0, at=(2 * c, 2 * s), angle=0.2)
    m.revolute(plate.at(1, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, plate.at(3, 0))
    report = m.build().check()
    assert (report.mobility, report.mobility_at_start) == (1, 2)


@pytest.mark.parametrize("reach", [2.0, 4.0])
def test_a_ball_and_a_rod_at_its_full_length_leave_one_turn(reach):
    """The rod points at the ball, from outside or through it: the body spins about it, no more."""
    m = kempe.Builder("ball and rod")
    body = m.body(
        "body", at=(0, 0, 0), rotation=Rotation.about((0, 0, 1), 0.0 if reach == 2.0 else math.pi)
    )
    m.add(kempe.joints.Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")
    m.add(kempe.joints.Rod(m.ground.at(3, 0, 0), body.at(1, 0, 0), length=reach), "rod")
    report = m.build().check()
    assert (report.mobility, report.mobility_at_start) == (1, 3)
    (part,) = report.singular
    assert part.is_shaky
    assert "To be rid of that, " in str(report)


def test_where_two_ways_to_move_meet_one_of_them_is_counted():
    """A point on two lines which coincide at the start: it slides, or one of the lines turns."""
    m = kempe.Builder("two lines", plane=True)
    a, b = m.body("a", at=(0, 0), angle=0.0), m.body("b", at=(0, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), a.at(0, 0))
    m.add(kempe.joints.PointOnLine(m.ground.at(0, 0).facing((1, 0, 0)), b.at(0, 0)), "level")
    m.add(kempe.joints.PointOnLine(a.at(0, 0).facing((1, 0, 0)), b.at(0, 0)), "inclined")
    report = m.build().check()
    # b turns by itself; and either it slides while a lies level, or a turns while it stays
    assert (report.mobility, report.mobility_at_start) == (2, 3)
    assert report.singular[0].branches == (2,)


def test_check_and_kinematics_agree_on_a_parallelogram_laid_flat():
    m = kempe.Builder("flat", plane=True)
    bar = laid_flat(m)
    m.drive(bar.angle, rpm=10)
    report = m.build().check()
    assert report.freedom_left == 0
    assert not report.is_ready
    with pytest.raises(DriveError, match=r"Start 'a0\.angle' at another value") as caught:
        m.build().kinematics(until=1.0)
    assert caught.value.facts["mobility"] == 1
    assert "Add" not in caught.value.message


def test_two_drives_on_a_parallelogram_laid_flat_are_one_too_many_for_both():
    m = kempe.Builder("flat", plane=True)
    m.drive(laid_flat(m).angle, rpm=10)
    m.drive(gauges_by_name(m.build().model)["c0.angle"], rpm=-10)
    assert m.build().check().freedom_left == -1
    outcome = m.build().kinematics(until=1.0, steps=10).outcome
    assert outcome.name == "Locked"
    assert "Remove 1 of them" in outcome.advice


def test_two_drives_on_one_hinge_under_two_names_are_not_ready():
    m = kempe.Builder("two names", plane=True)
    a, b = m.bar("a", 1.0, at=(0, 0), angle=0.0), m.bar("b", 1.0, at=(1, 0), angle=0.3)
    hinge = m.revolute(m.ground.at(0, 0), a.start, name="hinge")
    m.revolute(a.end, b.start)
    m.drive(a.angle, rpm=10)
    m.drive(hinge.angle, rpm=10)
    report = m.build().check()
    assert report.freedom_left == 0
    assert not report.is_ready
    assert report.idle_drives == ("a.angle", "hinge.angle")
    assert report.idle_everywhere
    said = (
        "depend on each other. Remove the drive on 'hinge.angle', and drive 'b.angle' from 0.3 rad."
    )
    assert said in str(report)
    with pytest.raises(DriveError, match=said):
        m.build().kinematics(until=1.0)


def test_a_rod_that_spins_idly_between_balls_is_ready_for_check_as_for_kinematics():
    m = kempe.Builder("RSSR")
    crank = m.body("crank", at=(0, 0, 0), rotation=Rotation.identity())
    rocker = m.body("rocker", at=(3, 0, 0), rotation=Rotation.identity())
    rod = m.body("rod")
    a = m.revolute(m.ground.at(0, 0, 0), crank.at(0, 0, 0))
    across = (0, 1, 0)
    m.revolute(m.ground.at(3, 0, 0).facing(across), rocker.at(0, 0, 0).facing(across))
    m.add(kempe.joints.Spherical(crank.at(1, 0, 0), rod.at(0, 0, 0)), "one")
    m.add(kempe.joints.Spherical(rod.at(3, 0, 0), rocker.at(0, 0, 2)), "two")
    m.drive(a.angle, start=0.5, speed=0.3)
    report = m.build().check()
    assert report.passive == ("rod",)
    assert report.is_ready
    assert "add a drive" not in str(report)
    assert m.build().kinematics(until=0.5, steps=5).outcome.is_done


def dead_centre(start):
    m = kempe.Builder("dead centre", plane=True)
    crank, rod = m.bar("crank", 1.0, at=(0, 0), angle=0.0), m.bar("rod", 3.0, at=(1, 0), angle=0.0)
    slider = m.body("slider", at=(4, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0))
    m.drive(slider.x, start=start, speed=-0.1)
    return m.build()


def test_a_slider_driven_from_its_dead_centre_is_not_ready_and_elsewhere_it_is():
    report = dead_centre(4.0).check()
    assert not report.is_ready
    assert report.idle_drives == ("slider.x",)
    assert not report.idle_everywhere
    assert "dead centre" in str(report)
    with pytest.raises(DriveError, match="start it at another value"):
        dead_centre(4.0).kinematics(until=1.0)
    assert dead_centre(3.9).check().is_ready
    assert dead_centre(3.9).kinematics(until=1.0, steps=10).outcome.is_done


def test_a_point_on_a_curve_is_no_weld():
    m = kempe.Builder("bead", plane=True)
    bead = m.body("bead", at=(1, 0), angle=0.0)
    circle = kempe.geometry.curves.Circle((0, 0), 1.0)
    m.add(kempe.joints.PointOnCurve(m.ground.at(0, 0), bead.at(0, 0), curve=circle), "wire")
    m.add(kempe.joints.Absolute(m.ground.at(0, 0), bead.at(0, 0), angle=0.0), "upright")
    report = m.build().check()
    assert report.mobility == 1
    assert "weld" not in str(report)
    numbers = [int(line.split()[-1]) for line in report.count_table().splitlines()]
    assert numbers[-2] == sum(numbers[:-2]) == 1  # the table adds up


def test_free_motions_are_twists_that_the_joints_allow():
    mechanism = kempe.gallery.stewart().edit()
    for k in range(1, 7):
        mechanism.remove(f"bore{k}.displacement")
    layout = mechanism.build().layout
    report = check(layout)
    assert len(report.free) == 6
    free = released(layout, 0.0)
    J = equations_of(layout).scaled_jacobian(free.start)
    for motion in report.free:
        d = np.zeros((layout.n_bodies, 6))
        for m in motion.motions:
            k = layout.body_index[m.body]
            R_WB = np.array(layout.model.body(m.body).guess.rotation.matrix())
            d[k] = [*m.velocity, *(R_WB.T @ np.array(m.spin))]
        d[:, :3] /= layout.size
        assert np.abs(J @ d.ravel()).max() < 1e-9


def test_a_free_body_in_the_plane_is_told_where_it_turns():
    m = kempe.Builder("pendulum", plane=True, units="mm")
    rod = m.bar("rod", 100, at=(50, 20), angle=0)
    m.revolute(m.ground.at(50, 20), rod.start)
    report = m.build().check()
    (motion,) = report.free
    assert motion.motions[0].centre == pytest.approx((0.05, 0.02, 0.0), abs=1e-12)
    assert "'rod' turns about (50, 20) mm" in report.text()


def test_a_slider_slides_and_a_screw_screws():
    m = kempe.Builder("free joints")
    block = m.body("block", at=(0, 0, 1), rotation=Rotation.identity())
    m.prismatic(m.ground.at(0, 0, 1), block.at(0, 0, 0), along=(0, 1, 0))
    (motion,) = m.build().check().free
    assert not motion.motions[0].turns
    assert motion.motions[0].pitch == math.inf
    assert np.abs(motion.motions[0].direction) == pytest.approx((0.0, 1.0, 0.0), abs=1e-9)


def test_the_count_is_that_of_the_thesis():
    """Four bodies 12, ground held 3, four hinges 8, one driver: nothing left."""
    report = kempe.gallery.four_bar().check()
    table = report.count_table(with_ground=True).splitlines()
    numbers = [int(line.split("(")[0].split()[-1]) for line in table]
    assert numbers == [12, -3, -2, -2, -2, -2, 1, 1, -1, 0]


def test_loops_carry_their_own_mobility_and_class():
    report = kempe.gallery.jansen().check()
    assert [loop.by_rank for loop in report.loops] == [1, 2, 2]
    assert report.loops[0].kind == "crank-rocker (Grashof)"
    assert report.kinds == ("crank-rocker (Grashof)",)


def test_a_four_bar_of_hinges_in_space_has_its_class_too():
    assert hinges_in_space().check().kinds == ("crank-rocker (Grashof)",)


@pytest.mark.parametrize(
    ("lengths", "kind", "full"),
    [
        ((1, 3, 3, 3.5), "crank-rocker (Grashof)", True),
        ((3, 3.5, 3, 1), "double crank (Grashof)", True),
        ((3, 1, 3.2, 3.5), "double rocker (Grashof)", False),
        ((2, 3, 2.2, 4), "triple rocker (not Grashof)", False),
    ],
)
def test_a_crank_turns_fully_where_grashof_says_so(lengths, kind, full):
    a, b, c, d = lengths
    report = kempe.gallery.four_bar(crank=a, coupler=b, rocker=c, ground=d).check()
    assert report.kinds == (kind,)
    assert report.ranges[0].is_full is full


@pytest.mark.parametrize("lengths", [(1, 3, 3, 3.5), (3, 3, 1, 3.5)])
@pytest.mark.parametrize("driven", [None, "crank", "coupler", "rocker", "A", "C", "D", "both"])
def test_the_class_of_a_four_bar_is_that_of_its_lengths_whatever_is_driven(lengths, driven):
    """The shortest link is beside the ground: it turns fully against all others, the rocker not."""
    a, b, c, d = lengths
    m = kempe.Builder("four-bar", plane=True)
    bars = {
        "crank": m.bar("crank", a),
        "coupler": m.bar("coupler", b),
        "rocker": m.bar("rocker", c),
    }
    hinges = {
        "A": m.revolute(bars["crank"].start, m.ground.at(0, 0)),  # read from the crank's side
        "B": m.revolute(bars["crank"].end, bars["coupler"].start),
        "C": m.revolute(bars["coupler"].end, bars["rocker"].end),
        "D": m.revolute(m.ground.at(d, 0), bars["rocker"].start),
    }
    start = m.build().assemble()
    for name in ("crank", "rocker") if driven == "both" else (driven,):
        if name is not None:
            angle = (bars.get(name) or hinges[name]).angle
            m.drive(angle, start=float(start[angle.name]), speed=1.0)
    rocker, at = ("rocker", "D") if a < c else ("crank", "A")
    told = ", driven at its rocker" if driven in (rocker, at) else ""
    assert m.build().check().kinds == (f"crank-rocker (Grashof){told}",)


def test_the_range_of_a_slider_ends_at_its_dead_centres():
    m = kempe.Builder("slider drives", plane=True)
    crank, rod, slider = m.bar("crank", 1.0), m.bar("rod", 3.0), m.body("slider")
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0))
    m.drive(slider.x, start=3.0, speed=0.1)
    (drive,) = m.build().check().ranges
    assert (drive.low, drive.high) == pytest.approx((2.0, 4.0), abs=1e-6)


def test_every_drive_has_its_own_range():
    ranges = kempe.gallery.stewart().check().ranges
    assert len(ranges) == 6
    assert all(r.low < 0.25 < r.high for r in ranges)


def test_drives_that_fight_each_other_are_counted_not_taken_for_a_misfit():
    builder = kempe.gallery.four_bar().edit()
    builder.drive(gauges_by_name(builder.build().model)["rocker.angle"], rpm=1)
    report = builder.build().check()
    assert report.freedom_left == -1
    assert "There is 1 drive too many" in str(report)


def test_a_mechanism_without_bodies_is_a_mistake():
    empty = kempe.Builder("nothing", plane=True).build()
    for ask in (empty.check, empty.assemble):
        with pytest.raises(ModelError, match="no body"):
            ask()


def test_a_body_that_nothing_holds_is_adrift():
    builder = kempe.gallery.four_bar().edit()
    builder.body("stray", at=(5, 5), angle=0)
    report = builder.build().check()
    assert report.adrift == ("stray",)
    assert not report.is_ready
    assert "Nothing holds 'stray'" in str(report)


def test_drives_that_hold_the_same_are_named_also_where_there_are_too_many():
    m = kempe.Builder("one hinge, two names", plane=True)
    arm = m.bar("arm", 1.0, at=(0, 0), angle=0.0)
    shoulder = m.revolute(m.ground.at(0, 0), arm.start, name="shoulder")
    m.drive(arm.angle, rpm=10)
    m.drive(shoulder.angle, rpm=10)
    report = m.build().check()
    assert report.freedom_left == -1
    assert report.idle_drives == ("arm.angle", "shoulder.angle")
    assert "depend on each other: remove one of them." in str(report)


def driven_truss(*, is_driven_too):
    """Two bars that hold each other, the first driven, beside a chain of two that is free."""
    m = kempe.Builder("truss and chain", plane=True)
    a = m.bar("a", 1.0, at=(0, 0), angle=np.pi / 3)
    b = m.bar("b", 1.0, at=(1, 0), angle=2 * np.pi / 3)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(m.ground.at(1, 0), b.start)
    m.revolute(a.end, b.end)
    m.drive(a.angle, start=np.pi / 3)
    c, d = m.bar("c", 1.0, at=(5, 0), angle=0.3), m.bar("d", 1.0)
    m.revolute(m.ground.at(5, 0), c.start)
    m.revolute(c.end, d.start)
    if is_driven_too:
        m.drive(c.angle, start=0.3, rpm=3)
    return m.build().check()


@pytest.mark.parametrize("is_driven_too", [False, True])
def test_a_drive_that_holds_nothing_is_named_however_many_drives_there_are(is_driven_too):
    """By rank: the drive's row on the free motions is zero."""
    report = driven_truss(is_driven_too=is_driven_too)
    assert report.mobility == 2
    assert report.idle_drives == ("a.angle",)
    assert "The drive on 'a.angle' moves nothing. Remove the drive on 'a.angle'," in str(report)
    others = (
        ("'d.angle' from",) if is_driven_too else ("'c.angle' from 0.3 rad and 'd.angle' from",)
    )
    assert all(f"and drive {other}" in str(report) for other in others)


def test_drives_that_do_hold_are_not_named_idle():
    m = kempe.Builder("chain", plane=True)
    c, d = m.bar("c", 1.0, at=(5, 0), angle=0.3), m.bar("d", 1.0)
    m.revolute(m.ground.at(5, 0), c.start)
    elbow = m.revolute(c.end, d.start)
    m.drive(c.angle, start=0.3, rpm=3)
    assert m.build().check().idle_drives == ()
    m.drive(elbow.angle, rpm=3)
    assert m.build().check().idle_drives == ()


def test_a_body_that_can_move_in_several_ways_is_told_once():
    m = kempe.Builder("loose", plane=True)
    m.body("s", at=(0, 0), angle=0)
    m.prismatic(m.ground.at(0, 5), m.body("u", at=(0, 5), angle=0).at(0, 0))
    said = str(m.build().check())
    assert said.count("'s' can still move") == 1
    assert "'s' can still move in 3 ways: add 3 drives, or joints." in said
    assert "'u' can still move: add a drive or a joint." in said
    assert "more motion" not in said


def arm_and_hand(m):
    """An arm that two names of one hinge drive, and a hand that none of them holds."""
    arm = m.bar("arm", 1.0, at=(0, 0), angle=0.0)
    hand = m.bar("hand", 0.5, at=(1, 0), angle=0.3)
    shoulder = m.revolute(m.ground.at(0, 0), arm.start, name="shoulder")
    m.revolute(arm.end, hand.start)
    m.drive(arm.angle, rpm=10)
    m.drive(shoulder.angle, rpm=10)
    return arm


def test_freedoms_that_idle_drives_do_not_hold_are_told():
    """Two names of one hinge drive one freedom of two: the hand still moves."""
    m = kempe.Builder("two names", plane=True)
    arm_and_hand(m)
    report = m.build().check()
    assert (report.freedom_left, report.surplus_drives, report.undriven) == (0, 1, 1)
    assert "DOF 2, with the drives 1 " in str(report)
    assert "'hand' can still move: add a drive or a joint." in str(report)


def test_a_drive_at_a_dead_centre_is_idle_there_alone():
    m = kempe.Builder("press", plane=True)
    crank = m.bar("crank", 1.0, at=(0, 0), angle=0.0)
    rod = m.bar("rod", 2.0, at=(1, 0), angle=0.0)
    ram = m.body("ram", at=(3, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, ram.at(0, 0))
    m.prismatic(m.ground.at(0, 0), ram.at(0, 0), name="guide")
    m.drive(gauges_by_name(m.build().model)["guide.displacement"], start=3.0, speed=-0.1)
    report = m.build().check()
    assert report.undriven == 0
    assert "can still move" not in str(report)


def test_too_many_drives_of_which_freedoms_are_left_over_are_one_story():
    """Three names of one hinge, and a hand that none of them holds."""
    m = kempe.Builder("three names", plane=True)
    arm = arm_and_hand(m)
    m.drive(m.gauge("again", Turn(Z), m.ground.at(0, 0), arm.at(0.5, 0)), rpm=10)
    said = str(m.build().check())
    assert "DOF 2, with the drives 1 " in said
    assert "too many" not in said
    assert "Remove the drives on 'shoulder.angle' and 'again', and drive 'hand.angle'" in said


def test_a_joint_to_remove_is_named_only_where_that_was_tried():
    m = kempe.Builder("triangle", plane=True)
    a = m.bar("a", 3.0, at=(0, 0), angle=0.9)
    b = m.bar("b", 4.0, at=(5, 0), angle=2.5)
    m.revolute(m.ground.at(0, 0), a.start, name="left")
    m.revolute(a.end, b.end, name="top")
    m.revolute(b.start, m.ground.at(5, 0), name="right")
    triangle = m.build()
    with pytest.raises(DriveError) as told:
        triangle.kinematics(until=1.0)
    assert "Remove 'left' or 'top' or 'right' first." in str(told.value)
    for name in ("left", "top", "right"):
        edited = triangle.edit()
        edited.remove(name)
        assert edited.build().check().mobility > 0


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_points_that_only_shake_beside_a_linkage_that_moves_are_no_freedoms(scale: float) -> None:
    """10 and 11 lie where circles touch, so they stay; 6 turns about 8 and 7 follows: one freedom.

    With 8 at (10, 0) and 9 at (12, 0) on the ground, the bars 8-6 and 11-6 are of one length about
    one place, and 8-6-7-9 is a four-bar laid flat, of lengths 3, 2, 1 and 2.
    """
    x = {6: 13.0, 7: 11.0, 8: 10.0, 9: 12.0, 10: 13.0, 11: 10.0}
    bars = [(7, 6), (8, 6), (9, 7), (10, 8), (10, 9), (11, 6), (11, 9), (11, 10)]
    m = kempe.Builder("flat", plane=True)
    ends: dict[int, list[kempe.Marker]] = {p: [] for p in x}
    for number, (a, b) in enumerate(bars):
        way = scale * (x[b] - x[a])
        bar = m.bar(f"b{number}", abs(way), at=(scale * x[a], 0), angle=0 if way > 0 else math.pi)
        ends[a].append(bar.start)
        ends[b].append(bar.end)
    for point in (8, 9):
        ends[point].append(m.ground.at(scale * x[point], 0))
    for markers in ends.values():
        for other in markers[1:]:
            m.revolute(markers[0], other)
    report = m.build().check()
    assert (report.mobility, report.mobility_at_start) == (1, 4)


@pytest.mark.parametrize("slack", [1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("plane", [True, False])
def test_links_that_are_nearly_straight_move_a_little(slack: float, plane: bool) -> None:
    """The crank reaches acos((1 + d^2 - 4) / 2 d) either way, where the other two lie in line."""
    m = kempe.Builder("nearly straight", plane=plane)
    a, b, c = (m.bar(name, 1.0) for name in "abc")
    d = 3.0 * (1.0 - slack)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(d, 0), c.start)
    m.drive(a.angle, rpm=1.0)
    assert math.acos((d * d - 3.0) / (2.0 * d)) > 2e-5
    report = m.build().check()
    assert (report.mobility, report.only_fits_here) == (1, False)


def test_of_a_large_mechanism_drives_that_say_the_same_are_named():
    """Both are the angle of one crank; the others are those of 45 cranks, one each."""
    m = kempe.Builder("many", plane=True)
    for k in range(45):
        crank = m.bar(f"a{k}", 1.0, at=(5 * k, 0), angle=1.0)
        coupler, rocker = m.bar(f"b{k}", 2.0), m.bar(f"c{k}", 1.5)
        m.revolute(m.ground.at(5 * k, 0), crank.start, name=f"h{k}")
        m.revolute(crank.end, coupler.start)
        m.revolute(coupler.end, rocker.end)
        m.revolute(m.ground.at(5 * k + 2, 0), rocker.start)
        m.drive(crank.angle, start=1.0, rpm=1)
    assert m.build().check().idle_drives == ()
    m.drive(m.part("h7").angle, start=1.0, rpm=1)
    report = m.build().check()
    assert report.idle_drives == ("a7.angle", "h7.angle")
    said = "The drives on 'a7.angle' and 'h7.angle' depend on each other"
    assert f"{said}: remove one of them." in str(report)
    with pytest.raises(DriveError, match=said):
        m.build().kinematics(until=0.01, steps=1)
