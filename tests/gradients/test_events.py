"""Slopes pass impacts, stops, latches, switches and corners of laws, as neighbours' runs do."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

import kempe as kp
from kempe.errors import BadNumber, GradientError
from kempe.events import Crossing, Latch, Release, Stop, Switch
from kempe.forces import LineSpring, TorsionSpring
from kempe.geometry import Inertia

POINT = Inertia(1.0, (0, 0, 0), np.eye(3))
DIGITS = 1e-10  # of the largest, beside closed forms: runs of tolerance 1e-12
BESIDE = 3e-8  # beside Richardson's extrapolation of whole runs
STEP = 2e-3  # of a parameter


def thin(mass, length):
    """A thin rod of that mass about its middle."""
    moment = mass * length**2 / 12.0
    return Inertia(mass, (0.5 * length, 0.0, 0.0), np.diag([0.0, moment, moment]))


@kp.parametric
def ball(height=1.0, e=0.8, floor=0.0, g=9.81):
    """A ball that bounces on a floor."""
    m = kp.Builder("ball", plane=True, gravity=(-g, 0))
    body = m.body("ball", at=(height, 0.0), inertia=POINT)
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="rail")
    m.event(Stop(rail.displacement, low=floor, restitution=e, name="floor"))
    return m.build()


def bounced(t, height, e, floor, g):
    """Its height and speed in closed form, for complex numbers too."""
    begun, speed = -np.sqrt(2.0 * (height - floor) / g), np.sqrt(2.0 * g * (height - floor))
    ends = begun + 2.0 * speed / g
    while ends.real < t:
        begun, speed = ends, e * speed
        ends = begun + 2.0 * speed / g
    s = t - begun
    return floor + speed * s - 0.5 * g * s * s, speed - g * s


def test_a_ball_that_bounces_has_the_slopes_of_its_closed_form_by_complex_step():
    home = {"height": 1.0, "e": 0.8, "floor": 0.0, "g": 9.81}
    run = ball().simulate(until=2.0, steps=12, tolerance=1e-12)
    assert [event.kind for event in run.events] == ["impact"] * 3
    place, speed = run.gradient("ball.x"), run.gradient("ball.vx")
    for name in home:
        x = {key: complex(value) for key, value in home.items()}
        x[name] += 1e-200j
        true = np.array([bounced(t, **x) for t in run.t.tolist()]).imag / 1e-200
        for slope, mine in ((place[name], true[:, 0]), (speed[name], true[:, 1])):
            assert np.abs(slope - mine).max() <= DIGITS * np.abs(true).max(), name
    assert "3 events lie on the way" in place.notes[1]


def test_bounces_without_end_that_come_to_rest_have_the_slope_of_the_floor():
    run = ball(e=0.3).simulate(until=1.5, steps=3, tolerance=1e-10)
    assert run.events[-1].kind == "contact"
    slope = run.gradient("ball.x")
    assert slope.values[-1] == pytest.approx([0.0, 0.0, 1.0, 0.0], abs=1e-9)


@kp.parametric
def thrown(speed=5.0, g=9.81, height=1.0):
    """A body thrown at 45 degrees."""
    m = kp.Builder("thrown", plane=True, gravity=(0, -g))
    m.body("ball", at=(0.0, height), inertia=POINT, velocity=(speed, speed, 0))
    return m.build()


def test_where_an_event_ends_the_run_its_place_and_time_have_their_slopes():
    ends = Crossing("ball.y", direction="falling", ends=True, name="land")
    run = thrown().simulate(until=3.0, steps=6, tolerance=1e-12, events=(ends,))
    x = {"speed": 5.0, "g": 9.81, "height": 1.0}
    for name in x:
        moved = {key: complex(value) for key, value in x.items()}
        moved[name] += 1e-200j
        v, g = moved["speed"], moved["g"]
        lands = (v + np.sqrt(v * v + 2.0 * g * moved["height"])) / g
        far, when = (lands * v).imag / 1e-200, lands.imag / 1e-200
        assert run.gradient("ball.x", name)[name][-1] == pytest.approx(far, rel=1e-9)
        assert run.gradient(lambda r: r.t[-1], name)[name] == pytest.approx(when, rel=1e-9)
    assert "where an event ended the run" in run.gradient("ball.x").notes[-1]


@kp.parametric
def arms(length=1.0, mass=2.0, at=-0.8, low=-2.0, speed=2.0, what="latch"):
    """A double pendulum to which things happen."""
    m = kp.Builder("arms", plane=True, gravity=(0, -9.81))
    one = m.bar("one", length, inertia=thin(mass, length), angle=0.3)
    two = m.bar("two", 0.7, inertia=thin(1.0, 0.7), angle=-0.2)
    hip = m.revolute(m.ground.at(0, 0), one.start, name="hip")
    knee = m.revolute(one.end, two.start, name="knee")
    m.force(TorsionSpring(knee.angle, stiffness=3.0, name="spring"))
    if what == "latch":
        m.event(Latch(f"hip.angle - {at!r}", held=(knee.angle,), name="hold"))
        m.event(Release("hip.angle + 1.5", parts=("hold",), name="let"))
    elif what == "stop":
        m.event(Stop(hip.angle, low=low, restitution=0.5, name="wall"))
    elif what == "drive":
        m.drive(hip.angle, start=0.0, speed=-speed)
        m.event(Switch(f"hip.angle - {at!r}", on=("hip.angle",), off=("spring",), name="go"))
    elif what == "force":
        m.event(Release(f"knee.force.y - {-12.0 * at!r}", parts=("knee",), name="snap"))
    return m.build()


@kp.parametric
def pushed(speed=6.0, wall=0.0, mass=1.0):
    """A body on a spring is pressed to a wall, rests on it, and leaves it."""
    m = kp.Builder("pushed", plane=True, gravity=(0, 0))
    first = m.body("a", at=(0.05, 0.0), inertia=Inertia(mass, (0, 0, 0), np.eye(3)))
    other = m.body("b", at=(1.0, 0.0), inertia=POINT, velocity=(-speed, 0, 0))
    rail = m.prismatic(m.ground.at(0, 0), first.at(0, 0), name="rail")
    m.prismatic(m.ground.at(0, 0), other.at(0, 0))
    m.force(LineSpring(first.at(0, 0), other.at(0, 0), stiffness=60.0, damping=0.3, free=0.9))
    m.event(Stop(rail.displacement, low=wall, name="wall"))
    return m.build()


@kp.parametric
def carried(rise=0.37, acceleration=2.0):
    """An arm whose drive speeds up, and then goes on evenly."""
    m = kp.Builder("carried", plane=True, gravity=(0, -9.81))
    one = m.bar("one", 1.0, inertia=thin(2.0, 1.0), angle=0.0)
    two = m.bar("two", 0.7, inertia=thin(1.0, 0.7), angle=-0.2)
    hip = m.revolute(m.ground.at(0, 0), one.start, name="hip")
    m.revolute(one.end, two.start, name="knee")
    speeds = kp.drives.Polynomial((0.0, 0.0, 0.5 * acceleration))
    even = kp.drives.Polynomial((0.5 * acceleration * rise**2, acceleration * rise))
    m.drive(hip.angle, law=kp.drives.Piecewise(((rise, speeds), (2.0, even))))
    return m.build()


@kp.parametric
def turned(spin=3.0, low=-0.2):
    """A body on a ball joint carries another one on a hinge with stops, which is locked."""
    m = kp.Builder("turned", gravity=(0, 0, -9.81))
    disc = Inertia(1.0, (0.3, 0, 0.4), np.diag([0.18, 0.28, 0.23]))
    body = m.body("body", at=(0, 0, 0), inertia=disc, spin=(0, 0.3, spin))
    own = Inertia(0.5, (0.2, 0, 0.1), np.diag([0.05, 0.02, 0.03]))
    leg = m.body("leg", at=(0.6, 0, 0.4), inertia=own)
    m.add(kp.joints.Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "foot")
    hinge = m.revolute(body.at(0.6, 0, 0.4), leg.at(0, 0, 0), name="knee")
    m.event(Stop(hinge.angle, low=low, high=0.3, restitution=0.6, name="wall"))
    m.event(Latch("t - 0.3", held=(hinge.angle,), name="lock"))
    return m.build()


@dataclass(frozen=True)
class Case:
    """A mechanism of one parameter that moves until a time, and what is read of it."""

    make: Callable
    name: str
    home: float
    until: float
    readings: tuple

    @cached_property
    def run(self):
        return self.at(self.home)

    def at(self, x):
        return self.make(x).simulate(until=self.until, steps=4, tolerance=1e-11)

    def read(self, x):
        run = self.at(x)
        return np.hstack([plain(run[name]).reshape(len(run), -1) for name in self.readings])


def beside(case):
    """Richardson's extrapolation of central differences of whole runs."""
    home, h = case.home, STEP * abs(case.home)
    table = [(case.read(home + d) - case.read(home - d)) / (2 * d) for d in (h, h / 2, h / 4)]
    finer = [(4.0 * b - a) / 3.0 for a, b in itertools.pairwise(table)]
    return (16.0 * finer[1] - finer[0]) / 15.0


@pytest.mark.parametrize(
    "case",
    [
        Case(lambda x: arms(length=x), "length", 1.0, 0.7, ("two.end", "knee.force")),
        Case(lambda x: arms(at=x), "at", -0.8, 0.7, ("two.end", "energy.kinetic")),
        Case(lambda x: arms(low=x, what="stop"), "low", -2.0, 0.9, ("two.end", "hip.force")),
        Case(lambda x: arms(mass=x, what="stop"), "mass", 2.0, 0.9, ("two.end",)),
        Case(lambda x: arms(at=x, what="drive"), "at", -0.8, 0.7, ("hip.angle.effort",)),
        Case(lambda x: arms(speed=x, what="drive"), "speed", 2.0, 0.7, ("knee.force",)),
        Case(lambda x: arms(mass=x, what="force"), "mass", 2.0, 0.5, ("two.end",)),
        Case(lambda x: pushed(speed=x), "speed", 6.0, 1.0, ("b.x", "wall.effort")),
        Case(lambda x: carried(rise=x), "rise", 0.37, 1.0, ("two.end", "hip.angle.effort")),
        Case(lambda x: turned(spin=x), "spin", 3.0, 0.4, ("leg.angular_velocity", "foot.force")),
    ],
    ids=lambda case: f"{case.name}-{case.readings[0]}",
)
def test_slopes_past_events_are_those_of_neighbours(case):
    run, readings, name = case.run, case.readings, case.name
    true = beside(case)
    column = 0
    for reading in readings:
        slope = run.gradient(reading, name)[name].reshape(len(run), -1)
        mine = true[:, column : column + slope.shape[1]]
        column += slope.shape[1]
        assert np.abs(slope - mine).max() <= BESIDE * np.abs(mine).max(), reading


def test_what_happens_in_these_cases_is_all_there_is():
    """Each kind of event lies on the way of one of them."""
    runs = [arms().simulate(0.7, 4), arms(what="stop").simulate(0.9, 4), pushed().simulate(1.0, 4)]
    runs += [arms(what="drive").simulate(0.7, 4), arms(what="force").simulate(0.5, 4)]
    seen = {event.kind for run in runs for event in run.events}
    assert seen == {"latch", "release", "impact", "contact", "departure", "switch"}


def plain(channel):
    """The numbers of a channel; of a point its places."""
    return channel.position if hasattr(channel, "position") else channel.values


def test_two_limits_that_are_met_at_once_are_refused():
    @kp.parametric
    def pair(one=0.0, other=0.0):
        m = kp.Builder("pair", plane=True, gravity=(-9.81, 0))
        for name, low in (("a", one), ("b", other)):
            body = m.body(name, at=(1.0, 0.0), inertia=POINT)
            rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name=f"{name}_rail")
            m.event(Stop(rail.displacement, low=low, restitution=0.5, name=f"{name}_floor"))
        return m.build()

    run = pair().simulate(until=0.6, steps=4)
    with pytest.raises(GradientError, match="happen at once"):
        run.gradient("a.x", "one")


def test_an_objective_of_a_simulation_leads_a_ball_that_bounces_where_it_is_wanted():
    goal = ball(height=1.3).simulate(until=1.2, steps=6, tolerance=1e-10)["ball.x"].values
    off = ball().objective(
        lambda r: np.sum((r["ball.x"] - goal) ** 2),
        "height",
        until=1.2,
        steps=6,
        analysis="simulation",
        tolerance=1e-10,
    )
    x = np.array([1.2])
    for _ in range(4):  # by secants of the gradient
        slope = off.value_and_gradient(x)[1]
        again = off.value_and_gradient(x + 1e-5)[1]
        x = x - slope * 1e-5 / (again - slope)
    assert x == pytest.approx([1.3], abs=1e-6)
    assert off.notes == ("every evaluation builds the mechanism: it is simulated.",)


def test_an_objective_of_a_simulation_wants_a_time_and_no_other_analysis():
    with pytest.raises(BadNumber, match="until"):
        ball().objective(lambda r: 0.0, analysis="simulation")
    with pytest.raises(BadNumber, match="'statics'"):
        ball().objective(lambda r: 0.0, until=1.0, analysis="statics")


def test_a_floor_is_found_from_how_a_ball_bounced():
    t = np.linspace(0.0, 0.7, 8)
    real = ball(e=0.6, floor=0.05)
    seen = real.simulate(until=0.7, steps=7, tolerance=1e-10)["ball.x"].values
    bounds = {"e": (0.4, 0.9), "floor": (-0.1, 0.2)}
    found = ball(e=0.65, floor=0.04).identify(bounds, {"ball.x": seen}, t, analysis="simulation")
    assert found.parameters["e"] == pytest.approx(0.6, abs=1e-6)
    assert found.parameters["floor"] == pytest.approx(0.05, abs=1e-6)
