"""Dragging: closed loops, one branch, limits, and the nearest place to a target out of reach."""

import math
import pickle

import numpy as np
import pytest

import kempe
from kempe.couplers import GearPair
from kempe.errors import KempeError, UnknownName
from kempe.joints import Prismatic

# A settled step is shorter than 1e-9 sizes; the machines here are up to 4 m large.
NEAR = 1e-7
# Loops are closed to 1e-12 sizes.
CLOSED = 1e-10
# A limit is kept to 1e-9 rad.
KEPT = 2e-9


def misfit(mechanism: kempe.Mechanism, poses) -> float:
    """How far the hinges of a planar mechanism are open."""
    poses = {**poses, "ground": kempe.Pose.identity()}
    gaps = [
        [np.array(poses[m.body].point(m.pose.position)) for m in joint.markers]
        for joint in mechanism.model.joints
        if not isinstance(joint, Prismatic)
    ]
    return max(float(np.abs(a - b).max()) for a, b in gaps)


def angle(pose: kempe.Pose) -> float:
    return math.atan2(pose.rotation.x.y, pose.rotation.x.x)


def arm(*lengths: float, plane: bool = True) -> kempe.Mechanism:
    """Bars in a row, hinged to each other and to the ground, bent by 30 degrees at each hinge."""
    m = kempe.Builder("arm", plane=plane)
    before, at, turn = m.ground.at(0, 0), np.zeros(2), 0.0
    for k, length in enumerate(lengths):
        bar = m.bar(f"bar{k}", length, at=at.tolist(), angle=turn)
        m.revolute(before, bar.start)
        before, at = bar.end, at + length * np.array([math.cos(turn), math.sin(turn)])
        turn += math.pi / 6
    return m.build()


def test_a_crank_points_to_a_target_that_it_cannot_reach(rng) -> None:
    drag = kempe.gallery.four_bar().drag()
    for target in rng.uniform(-3.0, 3.0, (40, 2)):
        there = drag.to("crank.end", target.tolist())
        distance = np.linalg.norm(target)
        np.testing.assert_allclose(there.position, target / distance, atol=NEAR)
        assert there.distance == pytest.approx(abs(distance - 1.0), abs=NEAR)
        assert there.outcome.name == "LimitReached"


def test_a_crank_pulled_straight_across_its_pivot_comes_round() -> None:
    drag = kempe.gallery.four_bar(start=0.7).drag()
    opposite = (-1.5 * math.cos(0.7), -1.5 * math.sin(0.7))
    there = drag.to("crank.end", opposite)
    np.testing.assert_allclose(there.position, np.array(opposite) / 1.5, atol=NEAR)


def test_an_arm_reaches_what_is_within_its_reach(rng) -> None:
    mechanism = arm(1.0, 0.7, 0.5)
    drag = mechanism.drag()
    for _ in range(30):
        radius, turn = rng.uniform(0.1, 2.1), rng.uniform(-math.pi, math.pi)
        target = np.array([radius * math.cos(turn), radius * math.sin(turn)])
        there = drag.to("bar2.end", target.tolist())
        assert there.outcome.name == "Done"
        np.testing.assert_allclose(there.position, target, atol=NEAR)
        assert misfit(mechanism, there.poses) < CLOSED


def test_an_arm_stretches_towards_what_is_beyond_its_reach(rng) -> None:
    for _ in range(10):
        drag = arm(1.0, 0.7).drag()
        turn = rng.uniform(-2.5, 2.5)
        target = rng.uniform(2.0, 6.0) * np.array([math.cos(turn), math.sin(turn)])
        there = drag.to("bar1.end", target.tolist())
        assert there.outcome.name == "LimitReached"
        np.testing.assert_allclose(there.position, 1.7 * target / np.linalg.norm(target), atol=1e-5)
        assert there.distance == pytest.approx(np.linalg.norm(target) - 1.7, abs=1e-9)


def test_a_stretched_arm_folds_when_it_is_pushed_straight_back() -> None:
    m = kempe.Builder("arm", plane=True)
    upper, lower = m.bar("upper", 1.0, at=(0, 0), angle=0), m.bar("lower", 0.7, at=(1, 0), angle=0)
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    there = m.build().drag().to("lower.end", (0.9, 0.0))
    assert there.outcome.name == "Done"
    np.testing.assert_allclose(there.position, [0.9, 0.0], atol=NEAR)


def test_a_drag_brings_the_point_where_the_sweep_has_it(rng) -> None:
    """Along the branch the nearest place to a point of the path is that point."""
    turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=100)
    drag = kempe.gallery.four_bar().drag()
    for position, crank in zip(
        turn["coupler.P"].position[1:], turn["crank.angle"].values[1:], strict=True
    ):
        there = drag.to("coupler.P", position.tolist())
        assert there.outcome.name == "Done"
        assert math.cos(angle(there["crank"]) - crank) == pytest.approx(1.0, abs=1e-12)


def test_the_nearest_place_on_a_coupler_curve_is_found() -> None:
    mechanism = kempe.gallery.four_bar()
    path = mechanism.kinematics(until=1.0, steps=20_000)["coupler.P"].position
    drag = mechanism.drag()
    for target in ((0.4, 4.5), (-3.0, 3.0), (-4.0, 1.0), (-1.0, -1.0)):
        there = drag.to("coupler.P", target)
        nearest = path[np.linalg.norm(path - target, axis=1).argmin()]
        # half a sample's way on the curve
        np.testing.assert_allclose(there.position, nearest, atol=1e-3)


def test_a_crank_rocker_stays_on_its_branch_wherever_it_is_dragged(rng) -> None:
    """On a branch of a crank-rocker the angle from coupler to rocker never changes sign."""
    for _ in range(15):
        crank = rng.uniform(0.3, 0.9)
        coupler, rocker = rng.uniform(1.5, 3.0, 2)
        least, most = abs(coupler - rocker) + crank, coupler + rocker - crank
        ground = rng.uniform(least + 0.02 * (most - least), most - 0.02 * (most - least))
        if min(coupler, rocker, ground) < crank:
            continue
        mechanism = kempe.gallery.four_bar(
            crank=crank, coupler=coupler, rocker=rocker, ground=ground, point=(1.0, 0.7)
        )
        drag = mechanism.drag()
        for _ in range(12):
            point = str(rng.choice(["crank.end", "coupler.P", "rocker.end", "coupler.end"]))
            there = drag.to(point, rng.uniform(-4.0, 4.0, 2).tolist())
            side = math.sin(angle(there["rocker"]) - angle(there["coupler"]))
            assert side > 0.0
            assert misfit(mechanism, there.poses) < CLOSED


@pytest.mark.parametrize("kind", ["four-bar", "Watt", "Stephenson"])
def test_what_is_dragged_out_and_back_is_as_it_was(kind, random_linkage, rng) -> None:
    """One freedom: on its branch a mechanism comes back to where its point comes back to."""
    returned = 0
    for _ in range(12):
        mechanism = random_linkage(kind, rng)
        drag = mechanism.drag()
        way = rng.uniform(-0.3, 0.3, 2)
        path = [(way * s).tolist() for s in np.linspace(0.0, 1.0, 6)]
        for target in (*path[1:], *path[-2::-1]):
            there = drag.to("1", target)
            assert misfit(mechanism, there.poses) < CLOSED
        if there.outcome.is_done:
            returned += 1
            for name, pose in there.poses.items():
                assert math.cos(angle(pose)) == pytest.approx(1.0, abs=1e-9), name
    assert returned >= 8


def test_a_crank_dragged_into_a_dead_point_and_out_again_is_on_its_side() -> None:
    mechanism = kempe.gallery.four_bar(crank=60, coupler=50, rocker=70, ground=100, start=1.0)
    first = mechanism.drag().poses
    drag = mechanism.drag()
    out = drag.to("crank.end", (-60.0, 60.0))
    dead = math.acos((60**2 + 100**2 - 120**2) / (2 * 60 * 100))
    assert out.outcome.name == "LimitReached"
    assert angle(out["crank"]) == pytest.approx(dead, abs=1e-9)
    back = drag.to("crank.end", (60 * math.cos(1.0), 60 * math.sin(1.0)))
    assert back.outcome.is_done
    for name, pose in first.items():
        assert angle(back[name]) == pytest.approx(angle(pose), abs=NEAR)


def test_a_dead_point_of_one_point_is_passed_by_pulling_another() -> None:
    """The rocker cannot pull the crank over, but the crank goes on."""
    drag = kempe.gallery.four_bar().drag()
    stuck = drag.to("rocker.end", (-4.0, 1.0))
    assert stuck.outcome.name == "LimitReached"
    crank = angle(stuck["crank"])
    for turn in (0.5, -0.5):
        on = drag.to("crank.end", (math.cos(crank + turn), math.sin(crank + turn)))
        assert on.outcome.is_done
        assert angle(on["crank"]) == pytest.approx(crank + turn, abs=NEAR)
        drag.to("crank.end", (math.cos(crank), math.sin(crank)))


@pytest.mark.parametrize("bend", [0.4, -0.4])
def test_an_arm_stretched_and_drawn_in_again_keeps_its_elbow_on_its_side(bend, rng) -> None:
    m = kempe.Builder("arm", plane=True)
    upper = m.bar("upper", 1.0, at=(0, 0), angle=0)
    lower = m.bar("lower", 0.7, at=(1, 0), angle=bend)
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    drag = m.build().drag()
    for _ in range(10):
        turn = rng.uniform(-0.3, 0.3)
        for radius in (3.0, 1.2):
            target = (radius * math.cos(turn), radius * math.sin(turn))
            there = drag.to("lower.end", target)
            assert there.outcome.name == ("LimitReached" if radius > 1.7 else "Done")
        assert math.sin(angle(there["lower"]) - angle(there["upper"])) * bend > 0.1


def test_a_parallelogram_stops_where_its_branches_cross_and_can_be_dragged_back() -> None:
    mechanism = kempe.gallery.four_bar(crank=1, coupler=3, rocker=1, ground=3, start=0.8)
    drag = mechanism.drag()
    there = drag.to("crank.end", (math.cos(-0.8), math.sin(-0.8)))
    assert there.outcome.name == "Bifurcation"
    assert there.outcome.advice == "Drag it back, or pull another point."  # as is done below
    assert 0.0 < angle(there["crank"]) < 0.05
    # closed to 1e-12, but a thousandth as stiff as elsewhere
    assert angle(there["rocker"]) == pytest.approx(angle(there["crank"]), abs=1e-8)
    back = drag.to("crank.end", (0.0, 1.0))
    assert back.outcome.is_done
    assert angle(back["rocker"]) == pytest.approx(math.pi / 2, abs=NEAR)


def test_limits_are_kept_and_named(rng) -> None:
    drag = kempe.gallery.four_bar().drag(limits={"crank.angle": (-0.4, "60 deg")})
    low, high = -0.4, math.pi / 3
    for target in rng.uniform(-3.0, 3.0, (30, 2)):
        there = drag.to("crank.end", target.tolist())
        crank, wanted = angle(there["crank"]), math.atan2(target[1], target[0])
        assert low - KEPT <= crank <= high + KEPT
        if low < wanted < high:
            assert crank == pytest.approx(wanted, abs=NEAR)
            assert "limit." not in there.outcome.message
        else:
            assert min(abs(crank - low), abs(crank - high)) < KEPT
            assert there.outcome.facts["limits"] == "crank.angle"
            assert "crank.angle is at its limit" in there.outcome.message


def test_an_arm_slides_along_a_limit_to_the_best_place_that_is_left(rng) -> None:
    """With the upper arm at its limit the tip goes round the elbow."""
    for _ in range(10):
        drag = arm(1.0, 0.7).drag(limits={"bar0.angle": (-0.2, 0.2)})
        turn = rng.uniform(0.8, 1.4)
        target = 1.2 * np.array([math.cos(turn), math.sin(turn)])
        there = drag.to("bar1.end", target.tolist())
        upper = angle(there["bar0"])
        assert -0.2 - KEPT <= upper <= 0.2 + KEPT
        elbow = np.array([math.cos(0.2), math.sin(0.2)])
        if np.linalg.norm(target - elbow) > 0.71 and there.outcome.name == "LimitReached":
            towards = (target - elbow) / np.linalg.norm(target - elbow)
            np.testing.assert_allclose(there.position, elbow + 0.7 * towards, atol=1e-6)


def test_limits_in_space_count_turns() -> None:
    m = kempe.Builder("crank")
    bar = m.bar("bar", 1.0)
    hinge = m.revolute(m.ground.at(0, 0), bar.start)
    m.drive(hinge.angle, start="170 deg", rpm=1)
    name = f"{hinge.name}.angle"
    drag = m.build().drag(limits={name: ("160 deg", "200 deg")})
    there = drag.to("bar.end", (0.0, -2.0, 0.0))
    end = math.radians(200)
    np.testing.assert_allclose(there.position, [math.cos(end), math.sin(end), 0.0], atol=NEAR)


def test_a_truss_cannot_be_dragged() -> None:
    m = kempe.Builder("truss", plane=True)
    a, b = m.bar("a", 1.0), m.bar("b", 1.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(m.ground.at(1, 0), b.start)
    m.revolute(a.end, b.end)
    there = m.build().drag().to("a.end", (2.0, 2.0))
    assert there.outcome.name == "Locked"
    assert there.outcome.message == "'truss' cannot move at all."
    assert there.outcome.advice == "Remove a joint, or loosen one."
    np.testing.assert_allclose(np.abs(there.position), [0.5, math.sqrt(0.75)], atol=CLOSED)


def test_a_body_that_nothing_holds_goes_where_it_is_dragged() -> None:
    m = kempe.Builder("loose", plane=True)
    m.bar("bar", 1.0, at=(0, 0), angle=0.0)
    there = m.build().drag().to("bar.end", (3.0, 4.0))
    assert there.outcome.is_done
    np.testing.assert_allclose(there.position, [3.0, 4.0], atol=NEAR)


def test_a_spatial_arm_reaches_out_of_its_plane() -> None:
    m = kempe.Builder("robot")
    turret = m.body("turret")
    upper, lower = m.bar("upper", 1.0), m.bar("lower", 0.8)
    across = (0.0, 1.0, 0.0)
    m.revolute(m.ground.at(0, 0, 0), turret.at(0, 0, 0), name="A")
    m.revolute(turret.at(0, 0, 0.5).facing(across), upper.start.facing(across), name="B")
    m.revolute(upper.end.facing(across), lower.start.facing(across), name="C")
    for hinge, start in (("A", 0.2), ("B", -0.4), ("C", 0.9)):
        joint = m.build().model.joint(hinge)
        m.drive(kempe.front.parts.JointPart(m, joint).angle, start=start)
    drag = m.build().drag()
    for target in ((0.5, 0.9, 1.1), (-0.4, 0.6, 0.3), (0.0, -1.2, 0.9)):
        there = drag.to("lower.end", target)
        assert there.outcome.name == "Done"
        np.testing.assert_allclose(there.position, target, atol=NEAR)


def test_planar_hinges_in_space_follow_as_those_in_the_plane_do(rng) -> None:
    flat = kempe.gallery.four_bar().drag()
    space = kempe.gallery.four_bar(plane=False).drag()
    for target in rng.uniform(-3.0, 3.0, (10, 2)).tolist():
        there = flat.to("crank.end", target)
        same = space.to("crank.end", [*target, 0.0])
        np.testing.assert_allclose(same.position[:2], there.position, atol=NEAR)
        assert angle(same["rocker"]) == pytest.approx(angle(there["rocker"]), abs=NEAR)


def test_a_long_chain_follows() -> None:
    mechanism = kempe.gallery.four_bar_chain(loops=25)
    drag = mechanism.drag()
    there = drag.to("upright0.end", (0.2, 1.0))
    assert there.position[0] / there.position[1] == pytest.approx(0.2, abs=NEAR)
    assert misfit(mechanism, there.poses) < CLOSED


def test_another_drag_goes_on_from_the_poses_of_the_first() -> None:
    mechanism = kempe.gallery.four_bar()
    first = mechanism.drag().to("crank.end", (0.0, 1.0))
    second = mechanism.drag(poses=first.poses)
    for name, pose in second.poses.items():
        np.testing.assert_allclose(pose.matrix(), first[name].matrix(), atol=CLOSED)


def test_a_drag_starts_where_the_drives_are_at_a_time() -> None:
    mechanism = kempe.gallery.four_bar()
    drag = mechanism.drag(at="250 ms")
    turn = mechanism.kinematics(until=0.25, steps=10)
    assert angle(drag.poses["rocker"]) == pytest.approx(turn["rocker.angle"].values[-1], abs=NEAR)


def test_targets_and_limits_count_in_the_unit_of_the_mechanism() -> None:
    mechanism = kempe.gallery.slider_crank(crank=30, rod=90, units="mm", start=1.0)
    there = mechanism.drag(limits={"slider.x": (70, "110 mm")}).to("slider", (200, 0))
    np.testing.assert_allclose(there.position, [0.110, 0.0], atol=KEPT)
    assert there.distance == pytest.approx(0.090, abs=KEPT)
    assert there.outcome.message == "slider is 90 mm from its target: slider.x is at its limit."


def test_mistakes_are_named() -> None:
    mechanism = kempe.gallery.four_bar()
    drag = mechanism.drag()
    with pytest.raises(UnknownName, match=r"Did you mean 'coupler\.P'"):
        drag.to("copler.P", (0, 0))
    with pytest.raises(KempeError, match="2 coordinates, not 3"):
        drag.to("coupler.P", (0, 0, 0))
    with pytest.raises(KempeError, match="finite"):
        drag.to("coupler.P", (0, math.inf))
    with pytest.raises(UnknownName, match="to limit"):
        mechanism.drag(limits={"crank.angel": (0, 1)})
    with pytest.raises(KempeError, match="leave no room"):
        mechanism.drag(limits={"crank.angle": (1, 0)})
    with pytest.raises(KempeError, match="starts at 0, outside its limits"):
        mechanism.drag(limits={"crank.angle": (1, 2)})
    with pytest.raises(UnknownName, match="no pose is given for body 'coupler'"):
        mechanism.drag(poses={"crank": kempe.Pose.identity()})


def test_a_rest_that_is_not_the_nearest_is_not_said_to_be():
    """The path of a coupler point goes by twice: brute force finds a place a third as far away."""
    four_bar = kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3.5, point=(1.5, 2.0))
    target = (-0.45548, 3.06233)
    dragged = four_bar.drag().to("coupler.P", target)
    path = four_bar.kinematics(until=1.0, steps=360)["coupler.P"].position
    nearest = np.linalg.norm(path - target, axis=1).min()
    assert dragged.outcome.name == "LimitReached"
    assert dragged.distance > 2.0 * nearest
    assert "cannot" not in str(dragged.outcome)
    assert "no nearer on this side" in dragged.outcome.message


@pytest.mark.parametrize("plane", [True, False])
def test_a_fixed_pivot_is_held_and_said_to_be(plane):
    drag = arm(1.0, 0.8, plane=plane).drag()
    before = drag.position("bar0.start")
    held = drag.to("bar0.start", (1.0, 1.0) if plane else (1.0, 1.0, 0.0))
    assert held.outcome.name == "LimitReached"
    assert "hold it where it is" in held.outcome.message
    assert held.outcome.advice == "Drag another point."
    assert held.distance == pytest.approx(math.sqrt(2.0))
    np.testing.assert_allclose(held.position, before, atol=CLOSED)


def test_a_point_that_stands_still_for_a_moment_is_not_held():
    """The slider of a crank stands in its dead point, and leaves it when the crank goes on."""
    m = kempe.Builder("slider-crank", plane=True)
    crank, rod, slider = m.bar("crank", 1.0, angle=0.0), m.bar("rod", 3.0, angle=0.0), m.body("s")
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, slider.at(0, 0))
    m.prismatic(m.ground.at(0, 0), slider.at(0, 0))
    m.drive(crank.angle, speed=1.0)
    drag = m.build().drag()
    np.testing.assert_allclose(drag.position("rod.end"), [4.0, 0.0], atol=1e-9)
    there = drag.to("rod.end", (5.0, 0.0))
    assert "hold it" not in there.outcome.message
    assert drag.to("rod.end", (3.5, 0.0)).outcome.is_done


def test_a_start_outside_its_limits_is_told_with_units():
    with pytest.raises(
        KempeError, match=r"limits 0 \.\.\. 0\.0174533 rad \(\d+\.\d+, 0 \.\.\. 1 deg"
    ):
        kempe.gallery.four_bar().drag(limits={"rocker.angle": ("0 deg", "1 deg")})
    with pytest.raises(KempeError, match=r"limits 7 \.\.\. 8 m: widen them"):
        kempe.gallery.four_bar().drag(limits={"rocker.x": (7.0, 8.0)})


@pytest.mark.parametrize("plane", [True, False])
@pytest.mark.parametrize("teeth", [10, 7])
def test_turns_of_a_geared_wheel_are_counted_along_the_steps_of_a_drag(plane, teeth, tmp_path):
    """A wheel of 100 teeth is pulled on by 0.9 rad a call, and back: the other makes 100 / n."""
    m = kempe.Builder("gears", plane=plane)
    there = (0, 0) if plane else (0, 0, 0)
    wheels = [m.body(name, points={"P": (1, *there[1:])}, at=there) for name in ("a", "b")]
    hinges = [m.revolute(m.ground.at(*there), wheel.at(*there)) for wheel in wheels]
    m.couple(GearPair((hinges[0].angle, hinges[1].angle), teeth=(100, teeth)), "pair")
    drag = m.build().drag()
    angles = np.array([0.0, 0.9, 1.8, 2.7, 3.6, 2.5])
    for angle in angles[1:]:
        drag.to("a.P", (math.cos(angle), math.sin(angle), *there[2:]))
    trajectory = drag.trajectory
    name = f"{hinges[1].name}.angle"
    np.testing.assert_allclose(trajectory[name].values, -100 / teeth * angles, atol=1e-7)
    saved = kempe.Trajectory.load(trajectory.save(tmp_path / "gears.npz"))
    np.testing.assert_array_equal(saved[name].values, trajectory[name].values)
    again = pickle.loads(pickle.dumps(trajectory))
    np.testing.assert_array_equal(again[name].values, trajectory[name].values)


def test_a_target_out_of_reach_names_the_way_left_and_what_to_do() -> None:
    drag = kempe.gallery.four_bar().drag()
    there = drag.to("coupler.P", (30.0, 0.0))
    far = math.hypot(30.0 - there.position[0], there.position[1])
    told = f"coupler.P is {far:.6g} m from its target: it comes no nearer on this side."
    assert there.outcome.message == told
    assert "or a longer way round to see whether" in there.outcome.advice
    assert repr(drag) == "Drag of 'four-bar': .to(point, target)"


@pytest.mark.parametrize(
    ("target", "told"),
    [
        (3.0, "a target here has 2 coordinates, it is 3.0."),
        ((1, 2, 3), "a target here has 2 coordinates, not 3: (1, 2, 3)."),
        ((1e200, 0.0), "a target is at most "),
    ],
    ids=str,
)
def test_what_is_no_target_is_told(target, told: str) -> None:
    with pytest.raises(KempeError) as caught:
        kempe.gallery.four_bar().drag().to("coupler.P", target)
    assert caught.value.message.startswith(told)
