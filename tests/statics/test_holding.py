"""Friction and stops at rest: closed forms of what is held, and how much of it is needed."""

import json
import math

import numpy as np
import pytest

import kempe
from kempe.cli import main
from kempe.errors import ModelError
from kempe.events import Crossing, Stop
from kempe.forces import DryFriction, JointFriction, SpringDamper
from kempe.geometry import Inertia

G, CLOSE = 9.81, 1e-9
MASS = 2.0


def solid(mass=MASS, centre=(0, 0, 0)):
    return Inertia(mass, centre, 0.05 * np.eye(3))


def incline(slope, *, plane=True, **words):
    """A block on a slope, guided along it."""
    up = (0, -G) if plane else (0, -G, 0)
    m = kempe.Builder("incline", plane=plane, gravity=up)
    along = (math.cos(slope), math.sin(slope)) + (() if plane else (0.0,))
    start = tuple(0.3 * x for x in along)
    block = m.body("block", at=start, inertia=solid())
    zero = (0.0,) * len(along)
    way = m.prismatic(m.ground.at(*zero), block.at(*zero), along=along, name="way")
    m.force(JointFriction(way.displacement, 0.3, static=0.4, **words), "rub")
    return m, way


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("slope", [-0.35, -0.1, 0.1, 0.35])
def test_a_block_stays_on_an_incline_below_the_angle_of_friction(slope, plane):
    m, _ = incline(slope, plane=plane)
    rest = m.build().statics()
    assert rest.outcome.is_done
    assert rest.stable
    assert rest["way.displacement"] == pytest.approx(0.3, abs=1e-12)
    assert rest["rub.effort"] == pytest.approx(MASS * G * math.sin(slope), rel=CLOSE)
    (hold,) = rest.holds
    assert (hold.name, hold.kind, hold.unit) == ("rub", "friction", "N")
    assert hold.limit == pytest.approx(0.4 * MASS * G * math.cos(slope), rel=CLOSE)
    assert hold.used == pytest.approx(math.tan(abs(slope)) / 0.4, rel=CLOSE)
    assert "friction holds it" in rest.report
    # and a simulation from there stays
    run = m.build().simulate(until=0.5, start=rest)
    assert np.ptp(run["way.displacement"].values) < 1e-12


@pytest.mark.parametrize("slope", [-0.4, 0.4])  # tan 0.4 = 0.423 > mu_s
def test_a_block_slides_off_a_steeper_incline(slope):
    m, _ = incline(slope)
    assert not m.build().statics().outcome.is_done


def test_what_slides_comes_to_rest_on_a_stop_which_carries_it():
    m, way = incline(0.5)
    m.event(Stop(way.displacement, low=0.1), "foot")
    rest = m.build().statics()
    assert rest["way.displacement"] == pytest.approx(0.1, abs=1e-12)
    assert rest["foot.effort"] == pytest.approx(MASS * G * math.sin(0.5), rel=CLOSE)
    assert [hold.name for hold in rest.holds] == ["foot"]
    assert rest.holds[0].limit is None
    assert "stop 'foot' holds" in rest.report


def ladder(angle, floor, wall):
    """A ladder of 1 m, no thicker than a line, on shoes that slide on floor and wall."""
    m = kempe.Builder("ladder", plane=True, gravity=(0, -G))
    foot, top = (math.cos(angle), 0.0), (0.0, math.sin(angle))
    turned = math.atan2(top[1], -foot[0])
    bar = m.bar("ladder", 1.0, at=foot, angle=turned, inertia=solid(MASS, (0.5, 0, 0)))
    for name, place, along, end in (
        ("floor", foot, (1, 0), bar.start),
        ("wall", top, (0, 1), bar.end),
    ):
        shoe = m.body(f"{name}_shoe", at=place, angle=0.0)
        way = m.prismatic(m.ground.at(0, 0), shoe.at(0, 0), along=along, name=name)
        m.revolute(shoe.at(0, 0), end, name=f"{name}_pin")
        mu = floor if name == "floor" else wall
        if mu:
            m.force(JointFriction(way.displacement, mu), f"{name}_rub")
    return m.build()


@pytest.mark.parametrize("mu", [0.2, 0.4, 0.7])
def test_a_ladder_on_a_smooth_wall_stands_above_half_the_inverse_of_its_friction(mu):
    """tan(angle) >= 1 / (2 mu); friction holds m g / (2 tan(angle)) of mu m g."""
    least = math.atan(1 / (2 * mu))
    rest = ladder(least + 0.01, mu, 0.0).statics()
    assert rest.outcome.is_done
    (hold,) = rest.holds
    assert hold.limit == pytest.approx(mu * MASS * G, rel=CLOSE)
    assert hold.effort == pytest.approx(-MASS * G / (2 * math.tan(least + 0.01)), rel=CLOSE)
    assert not [h for h in ladder(least - 0.01, mu, 0.0).statics().holds if h.name == "floor_rub"]


@pytest.mark.parametrize(("floor", "wall"), [(0.3, 0.2), (0.5, 0.5), (0.25, 0.6)])
def test_a_ladder_on_a_rough_wall_stands_where_both_frictions_together_can_hold_it(floor, wall):
    """tan(angle) >= (1 - mu_1 mu_2) / (2 mu_1)."""
    least = math.atan((1 - floor * wall) / (2 * floor))
    rest = ladder(least + 0.003, floor, wall).statics()
    assert {hold.name for hold in rest.holds} == {"floor_rub", "wall_rub"}
    used = [hold.used for hold in rest.holds]
    assert used[0] == pytest.approx(used[1], rel=1e-3)  # the largest share is the least
    assert 0.95 < used[0] < 1.0
    # statics of the ladder itself: forces of both shoes carry its weight
    up = rest["floor.force"][1] + rest["wall_rub.effort"]
    assert up == pytest.approx(MASS * G, rel=1e-9)
    fell = ladder(least - 0.003, floor, wall).statics()
    assert not fell.outcome.is_done or abs(fell["ladder.angle"] - rest["ladder.angle"]) > 0.1


def test_a_door_rests_on_its_stop_which_carries_what_its_spring_pulls():
    m = kempe.Builder("door", plane=True)
    door = m.bar("door", 0.9, angle=1.2, inertia=solid(20.0, (0.45, 0, 0)))
    hinge = m.revolute(m.ground.at(0, 0), door.start, name="hinge")
    m.force(SpringDamper(hinge.angle, stiffness=8.0, free=-0.5, damping=1.0), "closer")
    m.event(Stop(hinge.angle, low=0.0, high=1.6, restitution=0.3), "frame")
    m.event(Crossing("hinge.angle - 0.5"), "half")
    machine = m.build()
    rest = machine.statics()
    assert rest["hinge.angle"] == pytest.approx(0.0, abs=1e-14)
    assert rest["frame.effort"] == pytest.approx(8.0 * 0.5, rel=CLOSE)
    assert rest["closer.effort"] == pytest.approx(-4.0, rel=CLOSE)
    assert any("'half'" in note for note in rest.notes)
    run = machine.simulate(until=1.0, start=rest)
    assert np.ptp(run["hinge.angle"].values) < 1e-12


def test_a_stop_that_would_have_to_pull_is_left():
    m = kempe.Builder("lever", plane=True, gravity=(0, -G))
    bar = m.bar("bar", 1.0, angle=0.4, inertia=solid(1.0, (0.5, 0, 0)))
    hinge = m.revolute(m.ground.at(0, 0), bar.start, name="hinge")
    m.event(Stop(hinge.angle, high=0.4), "peg")
    rest = m.build().statics()
    assert rest["hinge.angle"] == pytest.approx(-0.5 * math.pi, abs=1e-9)
    assert rest["peg.effort"] == 0.0
    assert rest.holds == ()


def test_two_stops_are_met_one_after_the_other():
    """Two blocks on one rail, the first pushes the second against the wall."""
    m = kempe.Builder("blocks", plane=True)
    ways = []
    for k, x in enumerate((0.0, 1.0)):
        body = m.body(f"b{k}", at=(x, 0), angle=0.0, inertia=solid())
        joint = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name=f"w{k}")
        ways.append(joint.displacement)
        m.force(SpringDamper(joint.displacement, preload=3.0 + k), f"push{k}")
    m.event(Stop(ways[0], high=1.3), "first")
    m.event(Stop(ways[1], high=2.0), "second")
    rest = m.build().statics()
    assert (rest["w0.displacement"], rest["w1.displacement"]) == pytest.approx((1.3, 2.0))
    assert (rest["first.effort"], rest["second.effort"]) == pytest.approx((-3.0, -4.0))


@pytest.mark.parametrize(("torque", "holds"), [(4.9, True), (5.1, False)])
def test_a_brake_holds_up_to_what_it_breaks_away_at(torque, holds):
    m = kempe.Builder("brake", plane=True)
    drum = m.body("drum", at=(0, 0), angle=0.3, inertia=solid())
    hinge = m.revolute(m.ground.at(0, 0), drum.at(0, 0), name="hinge")
    m.force(DryFriction(hinge.angle, 3.0, 0.01, breakaway=5.0, fading=0.1), "brake")
    m.force(SpringDamper(hinge.angle, preload=torque), "load")
    rest = m.build().statics()
    assert rest.outcome.is_done == holds
    if holds:
        assert rest["hinge.angle"] == pytest.approx(0.3)
        assert rest.holds[0].effort == pytest.approx(-torque)
        assert rest.holds[0].used == pytest.approx(torque / 5.0)
        assert any("creeps" in note for note in rest.notes)


def test_a_hinge_whose_pin_rubs_stands_askew_within_the_circle_of_friction():
    """A pendulum of weight W and arm l rests where l sin(angle) <= mu r."""
    for askew, sticks in ((0.0195, True), (0.0205, False)):
        m = kempe.Builder("pendulum", plane=True, gravity=(0, -G))
        bar = m.bar("bar", 1.0, angle=askew - 0.5 * math.pi, inertia=solid(1.0, (1.0, 0, 0)))
        hinge = m.revolute(m.ground.at(0, 0), bar.start, name="hinge")
        m.force(JointFriction(hinge.angle, 0.4, radius=0.05), "pin")
        rest = m.build().statics()
        angle = rest["hinge.angle"] + 0.5 * math.pi
        assert angle == pytest.approx(askew if sticks else 0.0, abs=1e-9)


def test_a_start_beyond_a_stop_is_refused():
    m, way = incline(0.1)
    m.event(Stop(way.displacement, high=0.2), "top")
    with pytest.raises(ModelError, match="starts beyond stop 'top'"):
        m.build().statics()


def test_a_path_of_loads_holds_until_friction_gives_way():
    m, way = incline(0.0)
    m.force(SpringDamper(way.displacement, preload=1.0, stiffness=10.0, free=0.3), "pull")
    path = m.build().equilibria(("pull.preload", 0.0, 12.0), steps=24, through="snap")
    most = 0.4 * MASS * G
    stuck = path.values < most
    assert path["way.displacement"][stuck] == pytest.approx(0.3, abs=1e-9)
    assert (path["way.displacement"][~stuck] > 0.6).all()


def test_the_command_tells_what_holds(tmp_path, capsys):
    m, _ = incline(0.2)
    file = m.build().save(tmp_path / "incline.yaml")
    assert main(["statics", str(file), "--json"]) == 0
    (hold,) = json.loads(capsys.readouterr().out)["holds"]
    assert (hold["name"], hold["kind"]) == ("rub", "friction")
    assert hold["limit"] == pytest.approx(0.4 * MASS * G * math.cos(0.2))
