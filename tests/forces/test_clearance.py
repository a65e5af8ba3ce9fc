"""Loose pins and backlash: closed forms of flights and hits, and the same machine by SciPy."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe
from kempe.couplers import CamLaw, Combination, GearPair, RackAndPinion
from kempe.errors import BadConnection, BadNumber
from kempe.forces import Backlash, Bumper, Bushing, JournalInBearing, SpringDamper, hertz_stiffness
from kempe.gallery.slider_cranks import STEEL
from kempe.geometry import Inertia

FINE = 1e-11
EXACT = 1e-9  # s: times of events against closed forms
BALANCE = 1e-8  # of the largest energy
G = 9.81
CLEARANCE, RADIUS, MASS = 2e-3, 0.02, 1.5


def disc(mass=MASS, moment=3e-4):
    return Inertia(mass, (0, 0, 0), np.diag([moment, moment, moment]))


def closes(run):
    return np.ptp(run.energy.total) <= BALANCE * run.energy.kinetic.max()


# -- journal in bearing ----------------------------------------------------------------------


def loose(plane=True, gravity=None, **law):
    """A journal that is alone in its bearing; in space guided along nothing."""
    none = (0, 0) if plane else (0, 0, 0)
    m = kempe.Builder("journal", plane=plane, gravity=gravity or none)
    away = (0.3, 0.4) if plane else (0.3, 0.4, 0.1)
    pin = m.body("pin", at=none, inertia=disc(), velocity=away)
    law = {"stiffness": 4e5, **law}
    m.force(JournalInBearing(m.ground.at(*none), pin.at(*none), CLEARANCE, RADIUS, **law), "bore")
    return m.build()


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_loose_pin_flies_across_its_bore_and_is_thrown_back_after_half_a_swing(plane):
    run = loose(plane).simulate(until=0.05, tolerance=FINE)
    touched = np.array([e.t for e in run.events if e.kind == "touch"])
    left = np.array([e.t for e in run.events if e.kind == "lift-off"])
    assert touched[0] == pytest.approx(CLEARANCE / 0.5, abs=EXACT)
    swing = math.pi * math.sqrt(MASS / 4e5)
    assert np.diff(touched) == pytest.approx(2 * CLEARANCE / 0.5 + swing, abs=EXACT)
    assert left - touched[: len(left)] == pytest.approx(swing, abs=EXACT)
    assert np.array([e.speed for e in run.events]) == pytest.approx(0.5, rel=1e-8)
    if not plane:  # nothing holds it along the axis
        assert run["pin.z"].values == pytest.approx(0.1 * run.t, abs=1e-9)
    assert closes(run)


def test_a_pin_rests_below_the_middle_by_its_clearance_and_what_its_weight_presses():
    k = hertz_stiffness(RADIUS, 1e9, other=-(RADIUS + CLEARANCE))
    rest = loose(gravity=(0, -G), stiffness=k, exponent=1.5).statics()
    deep = (MASS * G / k) ** (2 / 3)
    assert rest["pin.y"] == pytest.approx(-(CLEARANCE + deep), rel=1e-9)
    assert np.linalg.norm(rest["bore.force"]) == pytest.approx(MASS * G, rel=1e-9)


def test_a_turning_journal_climbs_to_the_angle_of_friction_and_takes_the_torque_of_its_circle():
    mu, k, creep, spin = 0.3, 1e6, 1e-3, 40.0
    m = kempe.Builder("journal", plane=True, gravity=(0, -G))
    at = (0.0, -CLEARANCE - MASS * G / k)
    pin = m.body("pin", at=at, angle=0.0, inertia=disc(), spin=spin)
    law = {"stiffness": k, "damping": 800.0, "friction": mu, "creep": creep}
    m.force(JournalInBearing(m.ground.at(0, 0), pin.at(0, 0), CLEARANCE, RADIUS, **law), "bore")
    oil = Bushing(m.ground.at(0, 0), pin.at(0, 0), (0.0,) * 6, (40.0, 40.0, 0, 0, 0, 0))
    m.force(oil, "oil")  # lets its swinging die away
    m.drive(pin.angle, speed=spin)
    run = m.build().simulate(until=1.5, tolerance=FINE)
    x, y = run["pin.x"].values[-1], run["pin.y"].values[-1]
    deep = math.hypot(x, y) - CLEARANCE
    arm = RADIUS - 0.5 * deep
    share = mu * spin * arm / math.hypot(spin * arm, creep)  # friction is smoothed
    press = MASS * G / math.hypot(1.0, share)
    assert math.atan2(x, -y) == pytest.approx(-math.atan(share), rel=1e-6)
    assert deep == pytest.approx(press / k, rel=1e-6)
    assert run["pin.angle.effort"].values[-1] == pytest.approx(share * press * arm, rel=1e-6)


def test_a_hollow_of_steel_is_as_stiff_as_published():
    """Source: [Flores2006]: 6.61e10 N/m^1.5 of a pin of 9.5 mm in a bore of 10 mm."""
    assert hertz_stiffness(0.0095, STEEL, other=-0.010) == pytest.approx(6.61e10, rel=1e-3)
    with pytest.raises(BadNumber, match="does not fit"):
        hertz_stiffness(0.01, STEEL, other=-0.0095)


def crank_by_hand(machine, until, t):
    """The slider-crank in the coordinates of its slider and rod, by SciPy: x, angle (n,)."""
    pin = machine.model.forces[0]
    k, b, c, n = pin.stiffness, pin.losing, pin.clearance, pin.exponent
    r, L, w = 0.05, 0.12, 5000 * math.pi / 30
    rod, slider, moment, h = 0.21, 0.14, 2.5e-4, 0.06

    def rates(t, y):
        x, a, vx, va = y
        arm, turn = (
            np.array([math.cos(a), math.sin(a)]),
            np.array([math.cos(w * t), math.sin(w * t)]),
        )
        e = r * turn + L * arm - [x, 0.0]
        v = np.array(
            [
                -r * w * math.sin(w * t) - vx - L * math.sin(a) * va,
                r * w * math.cos(w * t) + L * math.cos(a) * va,
            ]
        )
        out = e / max(np.hypot(*e), 1e-15)
        d = np.hypot(*e) - c
        f = k * d**n * max(0.0, 1 + b * (out @ v)) * out if d > 0 else np.zeros(2)
        M = [[rod + slider, rod * h * math.sin(a)], [rod * h * math.sin(a), moment + rod * h * h]]
        q = [f[0] - rod * h * math.cos(a) * va**2, L * math.sin(a) * f[0] - L * math.cos(a) * f[1]]
        return [vx, va, *np.linalg.solve(M, q)]

    start = [r + L + 0.5 * c, 0.0, 0.0, -r * w / L]
    found = solve_ivp(rates, (0, until), start, "DOP853", t, rtol=1e-12, atol=1e-14, max_step=2e-6)
    return found.y[0], found.y[1]


def test_a_slider_crank_with_a_loose_crank_pin_moves_as_its_two_coordinates_say():
    machine, until = kempe.gallery.slider_crank_with_clearance(), 1.5e-3
    run = machine.simulate(until=until, steps=30, tolerance=FINE)
    assert [e.kind for e in run.events[:3]] == ["touch", "lift-off", "touch"]
    x, angle = crank_by_hand(machine, until, run.t)
    assert run["slider.x"].values == pytest.approx(x, abs=1e-8)
    assert run["rod.angle"].values == pytest.approx(angle, abs=1e-6)
    assert closes(run)


def test_a_tight_pin_moves_the_slider_as_a_hinge_does():
    tight = kempe.gallery.slider_crank_with_clearance(clearance=1e-6, restitution=0.2)
    run = tight.simulate(until=3e-3, steps=30)
    a = 5000 * math.pi / 30 * run.t
    due = 0.05 * np.cos(a) + np.sqrt(0.12**2 - (0.05 * np.sin(a)) ** 2)
    assert run["slider.x"].values == pytest.approx(due, abs=3e-5)  # some overlaps


@pytest.mark.parametrize(
    "given", [{"clearance": -1e-3}, {"radius": 0.0}, {"clearance": float("nan")}]
)
def test_a_journal_refuses_what_is_none(given):
    m = kempe.Builder("journal", plane=True)
    pin = m.body("pin", inertia=disc())
    given = {"clearance": CLEARANCE, "radius": RADIUS, "stiffness": 1e5, **given}
    with pytest.raises(BadNumber):
        JournalInBearing(m.ground.at(0, 0), pin.at(0, 0), **given)


# -- backlash --------------------------------------------------------------------------------

WIDTH, STIFF, TEETH = 0.02, 3e3, (20, 40)
I_A, I_B = 0.02, 0.3


def wheels(*, spins=(0.0, 0.0), at=0.0, plane=True):
    m = kempe.Builder("gears", plane=plane)
    hinges = []
    for name, x, moment, spin in (("a", 0.0, I_A, spins[0]), ("b", 0.3, I_B, spins[1])):
        turning = spin if plane else (0, 0, spin)
        put = {"angle": 0.0} if plane else {}
        body = m.body(
            name, at=(x, 0) if plane else (x, 0, 0), inertia=disc(2.0, moment), spin=turning, **put
        )
        here = (x, 0) if plane else (x, 0, 0)
        hinges.append(m.revolute(m.ground.at(*here), body.at(*(0,) * len(here)), name=f"h{name}"))
    return m, [h.angle for h in hinges]


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_free_wheels_go_to_and_fro_between_their_flanks(plane):
    m, (a, b) = wheels(spins=(1.0, 0.0), plane=plane)
    m.force(Backlash.of(GearPair((a, b), teeth=TEETH), WIDTH, STIFF), "mesh")
    run = m.build().simulate(until=0.3, tolerance=FINE)
    r = TEETH[1] / TEETH[0]
    lightness = 1 / I_A + r * r / I_B
    touched = [e for e in run.events if e.kind == "touch"]
    assert touched[0].t == pytest.approx(0.5 * WIDTH / 1.0, abs=EXACT)
    half = WIDTH / 1.0 + math.pi / math.sqrt(STIFF * lightness)
    assert np.diff([e.t for e in touched]) == pytest.approx(half, abs=EXACT)
    assert [e.direction for e in touched[:4]] == ["place 2", "place 1"] * 2
    assert str(touched[0]).endswith("speed 1 rad/s")
    kept = r * I_A * run["ha.angle"].rate - I_B * run["hb.angle"].rate
    assert kept == pytest.approx(r * I_A, rel=1e-9)
    assert closes(run)


def test_a_driver_that_turns_back_travels_the_width_before_it_drives_again():
    m, (a, b) = wheels()
    m.drive(a, lambda t: 0.3 * np.sin(2 * math.pi * t))
    m.force(Backlash(a, WIDTH, STIFF, 2.0, meshed=(b,), ratios=(2.0,)), "mesh")
    m.force(SpringDamper(b, damping=400.0), "brake")  # stops the wheel while nothing drives it
    run = m.build().simulate(until=2.0, tolerance=1e-10)
    events = run.events
    assert [e.kind for e in events] == ["touch", "lift-off"] * (len(events) // 2) + ["touch"] * (
        len(events) % 2
    )
    turns = [0.3 * math.sin(2 * math.pi * e.t) for e in events]
    crossings = [
        (turns[k], turns[k + 1])
        for k in range(1, len(events) - 1, 2)
        if events[k].direction != events[k + 1].direction
    ]
    assert len(crossings) >= 3
    for left, met in crossings:
        assert abs(met - left) == pytest.approx(WIDTH, abs=2e-4)  # the brake lets b creep that far
    x = a_plus(run)
    inside = np.abs(x) < 0.5 * WIDTH
    assert np.abs(run["mesh.effort"].values[inside]).max() == 0.0
    assert closes(run) or np.ptp(run.energy.total) <= BALANCE * run.energy.driven.max()


def a_plus(run):
    return run["ha.angle"].values + 2.0 * run["hb.angle"].values


def test_the_dead_travel_to_a_wheel_at_rest_is_the_width_exactly():
    m, (a, b) = wheels()
    m.drive(a, speed=0.5)
    mesh = Backlash.of(GearPair((a, b), teeth=TEETH), WIDTH, STIFF, at=0.5 * WIDTH)
    m.force(mesh, "mesh")
    run = m.build().simulate(until=0.1, tolerance=FINE)
    assert run.events[0].t == pytest.approx(WIDTH / 0.5, abs=EXACT)
    assert run.events[0].direction == "place 2"
    assert run["hb.angle"].values[run.t <= WIDTH / 0.5 - 1e-9] == pytest.approx(0.0, abs=1e-15)


def test_play_of_one_measure_is_a_bumper_at_both_ends():
    ends = []
    for play in (
        lambda way: Backlash(way, 0.1, 500.0, 3.0, at=0.02),
        lambda way: Bumper(way, low=-0.03, high=0.07, stiffness=500.0, damping=3.0),
    ):
        m = kempe.Builder("key", plane=True)
        body = m.body("key", at=(0, 0), inertia=disc(), velocity=(1.0, 0))
        way = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="way").displacement
        m.force(play(way), "play")
        ends.append(m.build().simulate(until=1.0, tolerance=FINE)["way.displacement"].values)
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_ratios_and_the_middle_come_from_the_coupler():
    _, (a, b) = wheels()
    internal = Backlash.of(GearPair((a, b), teeth=(30, 90), internal=True, constant=0.2), 0.1, 1.0)
    assert (internal.ratios, internal.at) == ((-3.0,), pytest.approx(0.2))
    sums = Backlash.of(Combination((a, b), coefficients=(2.0, 5.0), constant=1.0), 0.1, 1.0)
    assert (sums.ratios, sums.at) == ((2.5,), 0.5)
    m = kempe.Builder("rack", plane=True)
    rack, pinion = m.body("rack"), m.body("pinion")
    way = m.prismatic(m.ground.at(0, 0), rack.at(0, 0), name="way").displacement
    turn = m.revolute(m.ground.at(0, 1), pinion.at(0, 0), name="turn").angle
    toothed = Backlash.of(RackAndPinion((way, turn), radius="40 mm"), "0.2 mm", "2 kN/mm")
    assert (toothed.width, toothed.ratios) == (pytest.approx(2e-4), (-0.04,))
    with pytest.raises(BadConnection, match="no sum of its measures"):
        Backlash.of(CamLaw((turn, way), law=np.sin), 0.1, 1.0)


@pytest.mark.parametrize(
    "given",
    [{"width": -0.1}, {"stiffness": 0.0}, {"damping": -1.0}, {"ratios": (1.0,)}, {"at": math.inf}],
)
def test_backlash_refuses_what_is_none(given):
    _, (a, _) = wheels()
    with pytest.raises(BadNumber):
        Backlash(a, **{"width": 0.1, "stiffness": 1.0, **given})


def test_backlash_is_a_word_of_files(tmp_path):
    m, (a, b) = wheels(spins=(1.0, 0.0))
    m.force(Backlash.of(GearPair((a, b), teeth=TEETH), WIDTH, STIFF, damping=0.5), "mesh")
    machine = m.build()
    again = kempe.load(machine.save(tmp_path / "gears.yaml"))
    assert again.model.forces == machine.model.forces
