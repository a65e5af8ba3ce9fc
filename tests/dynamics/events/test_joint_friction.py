"""Friction in joints by their own reactions: closed forms, and SciPy in minimal coordinates."""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder
from kempe.drives import Ramp, TextFormula
from kempe.errors import BadConnection, BadNumber, ModelError
from kempe.forces import Actuator, AppliedLoad, Control, JointFriction, SpringDamper
from kempe.geometry import Inertia, Z
from kempe.measures import Turn
from kempe.outcome import Ending

G = 9.81
EXACT = 1e-9  # s, of events: closed forms, at the tolerance of the run below
TIGHT = 1e-11  # tolerance of runs that are compared
BALANCE = 1e-8  # of the largest energy


def solid(mass, moment=0.1, centre=(0.0, 0.0, 0.0)):
    return Inertia(mass, centre, np.diag([moment, moment, moment]))


def balance(run):
    """How far the energies are off, of the largest of them."""
    m = run.motion
    total = m.kinetic + m.potential + m.dissipated - m.driven
    parts = (m.kinetic, m.potential - m.potential[0], m.dissipated, m.driven)
    return np.ptp(total) / max(np.abs(part).max() for part in parts)


def incline(mu, speed, slope, *, plane, static=None):
    m = Builder("incline", plane=plane, gravity=(0, -G, 0))
    way = (math.cos(slope), math.sin(slope), 0.0)
    going = [speed * x for x in way[: 2 if plane else 3]]
    block = m.body("block", at=(0.0,) * (2 if plane else 3), inertia=solid(2.0), velocity=going)
    guide = m.prismatic(m.ground.at(0, 0), block.at(0, 0), along=way, name="guide")
    m.force(JointFriction(guide.displacement, mu, static=static), "rub")
    return m.build()


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_block_thrown_up_a_steep_incline_turns_back_when_it_must(plane):
    slope, mu, v0, until = 0.3, 0.2, 3.0, 2.0
    run = incline(mu, v0, slope, plane=plane).simulate(until=until, steps=20)
    up, down = (G * (math.sin(slope) + s * mu * math.cos(slope)) for s in (1, -1))
    top = v0 / up
    (event,) = run.events
    assert (event.kind, event.direction) == ("reversal", "backward")
    assert event.t == pytest.approx(top, abs=EXACT)
    end = 0.5 * v0 * top - 0.5 * down * (until - top) ** 2
    assert run["guide.displacement"].values[-1] == pytest.approx(end, abs=EXACT)
    assert balance(run) < BALANCE


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_block_thrown_up_a_flat_incline_stays_where_it_stops(plane):
    slope, mu, v0 = 0.3, 0.4, 3.0
    run = incline(mu, v0, slope, plane=plane).simulate(until=2.0, steps=20)
    top = v0 / (G * (math.sin(slope) + mu * math.cos(slope)))
    (event,) = run.events
    assert event.kind == "stick"
    assert event.t == pytest.approx(top, abs=EXACT)
    still = run.t > top
    assert np.ptp(run["guide.displacement"].values[still]) < EXACT
    held = 2.0 * G * math.sin(slope)  # by friction: what the weight pulls with
    assert run["rub.effort"].values[still] == pytest.approx(held, rel=EXACT)
    assert balance(run) < BALANCE


def test_a_block_at_rest_below_the_angle_of_friction_never_moves():
    run = incline(0.4, 0.0, math.atan(0.4) - 1e-6, plane=True).simulate(until=1.0, steps=4)
    assert not run.events
    assert np.abs(run["guide.displacement"].values).max() < 1e-14  # m: rounding


def test_a_block_at_rest_above_the_angle_of_friction_slides_at_once():
    slope = math.atan(0.4) + 1e-3
    run = incline(0.4, 0.0, slope, plane=True).simulate(until=1.0, steps=4)
    a = G * (math.sin(slope) - 0.4 * math.cos(slope))
    assert not run.events
    assert run["guide.displacement"].values[-1] == pytest.approx(-0.5 * a, rel=1e-7)


def belt(mu, static, speed, stiffness, mass):
    m = Builder("belt", plane=True, gravity=(0, -G, 0))
    band = m.body("band", at=(0, 0), inertia=solid(1.0))
    block = m.body("block", at=(0, 0), inertia=solid(mass), velocity=(speed, 0))
    rollers = m.prismatic(m.ground.at(0, 0), band.at(0, 0), name="rollers")
    m.drive(rollers.displacement, speed=speed)
    contact = m.prismatic(band.at(0, 0), block.at(0, 0), name="contact")
    m.force(SpringDamper(block.x, stiffness), "spring")
    m.force(JointFriction(contact.displacement, mu, static=static), "rub")
    return m.build()


def test_a_block_on_a_belt_sticks_and_slips_as_its_closed_form_says():
    mu, static, v, k, mass, until = 0.2, 0.3, 0.5, 40.0, 2.0, 6.0
    run = belt(mu, static, v, k, mass).simulate(until=until, steps=60, tolerance=TIGHT)
    w, far, middle = math.sqrt(k / mass), static * mass * G / k, mu * mass * G / k
    A = far - middle
    sliding = 2.0 / w * (math.pi - math.atan(A * w / v))  # x' is v again
    times, t = [], far / v
    while t < until:
        times += [t, t + sliding]
        t += sliding + 2.0 * A / v
    times = [t for t in times if t < until]
    assert [e.kind for e in run.events] == ["slip", "stick"] * (len(times) // 2) + ["slip"] * (
        len(times) % 2
    )
    assert [e.t for e in run.events] == pytest.approx(times, abs=EXACT)
    assert balance(run) < BALANCE


def test_dry_friction_takes_as_much_off_every_half_swing():
    mu, k, mass, x0 = 0.1, 200.0, 2.0, 0.0877
    m = Builder("oscillator", plane=True, gravity=(0, -G, 0))
    block = m.body("block", at=(x0, 0), inertia=solid(mass))
    guide = m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="guide")
    m.force(SpringDamper(guide.displacement, k), "spring")
    m.force(JointFriction(guide.displacement, mu), "rub")
    half, less = math.pi * math.sqrt(mass / k), mu * mass * G / k
    run = m.build().simulate(until=12 * half, steps=50, tolerance=TIGHT)
    swings = math.ceil((x0 / less - 1.0) / 2.0)  # until it stops within mu m g / k of the middle
    assert [e.t for e in run.events] == pytest.approx(
        [half * (j + 1) for j in range(swings)], abs=EXACT
    )
    assert [e.kind for e in run.events] == ["reversal"] * (swings - 1) + ["stick"]
    places = [e.q[0] for e in run.events]
    ends = [(-1) ** (j + 1) * (x0 - 2.0 * less * (j + 1)) for j in range(swings)]
    assert places == pytest.approx(ends, abs=EXACT)


L, M, I, MU, R = 0.8, 2.0, 0.11, 0.3, 0.05
C, J = L / 2, I + M * (L / 2) ** 2


def pendulum(*, plane, creep=None):
    m = Builder("pendulum", plane=plane, gravity=(0, -G, 0))
    inertia = Inertia(M, (C, 0, 0), np.diag([I / 10, I, I]))
    bar = m.bar("bar", L, at=(0, 0), angle=0.2, inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0), bar.start, name="hinge")
    m.force(JointFriction(hinge.angle, MU, radius=R, creep=creep), "rub")
    return m.build()


def pendulum_acceleration(angle, w, way):
    """With the torque mu r |F| of its bearing, F what carries it: by fixed point, in one angle."""
    n = M * G
    for _ in range(300):
        a = (-M * G * C * math.cos(angle) - way * MU * R * n) / J
        x = C * (-a * math.sin(angle) - w * w * math.cos(angle))
        y = C * (a * math.cos(angle) - w * w * math.sin(angle))
        new = math.hypot(M * x, M * (y + G))
        if abs(new - n) < 1e-16 * new:
            break
        n = new
    return a


def pendulum_turns():
    """When it turns back, by SciPy with events, until it sticks."""
    t, angle, way, found = 0.0, 0.2, -1.0, []
    while True:

        def turning(s, y, begun=t, way=way):
            return y[1] if s > begun + 1e-6 else way

        turning.terminal, turning.direction = True, -way
        run = solve_ivp(
            lambda _, y, way=way: [y[1], pendulum_acceleration(*y, way)],
            (t, 30.0),
            [angle, 0.0],
            method="DOP853",
            rtol=1e-13,
            atol=1e-13,
            events=turning,
        )
        t, angle = float(run.t[-1]), float(run.y[0, -1])
        found.append(t)
        if abs(C * math.cos(angle)) <= MU * R:  # at rest it carries its weight
            return found
        way = -math.copysign(1.0, math.cos(angle))


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
def test_a_pendulum_whose_bearing_rubs_by_its_reaction_turns_and_sticks_when_scipy_says(plane):
    turns = pendulum_turns()
    run = pendulum(plane=plane).simulate(until=turns[-1] + 0.5, steps=50, tolerance=TIGHT)
    assert [e.t for e in run.events] == pytest.approx(turns, abs=EXACT)
    assert run.events[-1].kind == "stick"
    assert {e.kind for e in run.events[:-1]} == {"reversal"}
    assert balance(run) < BALANCE


@pytest.mark.parametrize("method", ["dop853", "rodas5p", "gear"])
def test_smooth_friction_by_the_reaction_agrees_with_scipy_by_every_method(method):
    creep, t = 0.2, np.linspace(0.0, 1.5, 16)
    run = pendulum(plane=True, creep=creep).simulate(until=1.5, steps=15, method=method)
    right = solve_ivp(
        lambda _, y: [y[1], pendulum_acceleration(*y, math.tanh(y[1] / creep))],
        (0.0, 1.5),
        [0.2, 0.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        t_eval=t,
    )
    assert not run.events
    # The reactions' derivatives are left out of implicit steps: their errors are those of a
    # lower order.
    close = {"dop853": 1e-7, "rodas5p": 1e-6, "gear": 1e-5}[method]
    assert run["hinge.angle"].values == pytest.approx(right.y[0], abs=close)


# -- a slider-crank, all of whose joints rub ---------------------------------------------------

CRANK, ROD = 0.1, 0.3
MASSES, MOMENTS = (1.0, 0.8, 0.5), (0.01, 0.008, 0.001)
RUBS, PIN, TORQUE, SPIN = 0.1, 0.01, 0.5, 12.0
NAMES = ("A", "B", "C", "guide")


def slider_crank(*, torque=TORQUE, spin=SPIN, angle=1.0):
    m = Builder("slider crank", plane=True, gravity=(0, -G, 0))
    lean = -math.asin(CRANK * math.sin(angle) / ROD)
    top = (CRANK * math.cos(angle), CRANK * math.sin(angle))
    a = m.bar("crank", CRANK, at=(0, 0), angle=angle, inertia=solid(MASSES[0], MOMENTS[0]))
    middle = (ROD / 2, 0.0, 0.0)
    b = m.bar("rod", ROD, at=top, angle=lean, inertia=solid(MASSES[1], MOMENTS[1], middle))
    end = (top[0] + ROD * math.cos(lean), 0)
    c = m.body("piston", at=end, inertia=solid(MASSES[2], MOMENTS[2]))
    pins = {
        "A": m.revolute(m.ground.at(0, 0), a.start, name="A"),
        "B": m.revolute(a.end, b.start, name="B"),
        "C": m.revolute(b.end, c.at(0, 0), name="C"),
    }
    guide = m.prismatic(m.ground.at(0, 0), c.at(0, 0), name="guide")
    m.rate(pins["A"].angle, spin)
    m.force(Control(a.angle, f"{torque} * sin(3 * t)"), "motor")
    for name, pin in pins.items():
        m.force(JointFriction(pin.angle, RUBS, radius=PIN), f"rub {name}")
    m.force(JointFriction(guide.displacement, RUBS), "rub guide")
    return m.build()


def slider_crank_acceleration(t, th, w):
    """th'' of the crank by Newton and Euler for every body, friction by fixed point.

    Unknowns: th'', forces at A on the crank, at B on the rod, at C on the piston, and the force
    and moment of the guide. Signs of friction are those of the rates.
    """
    s, c = math.sin(th), math.cos(th)
    sp, cp = -CRANK * s / ROD, math.sqrt(1.0 - (CRANK * s / ROD) ** 2)
    k = -CRANK * c / (ROD * cp)  # lean' = k w
    lean = k * w
    bias = (CRANK * s * w * w / ROD + sp * lean * lean) / cp  # lean'' = k th'' + bias
    # accelerations as (per th'', rest): crank pin, middle of the rod, piston
    pin = (np.array([-CRANK * s, CRANK * c]), -w * w * CRANK * np.array([c, s]))
    arm = ROD * np.array([cp, sp])
    across = np.array([-arm[1], arm[0]])
    rod = (pin[0] + 0.5 * k * across, pin[1] + 0.5 * (bias * across - lean**2 * arm))
    piston = (pin[0] + k * across, pin[1] + bias * across - lean**2 * arm)
    rates = np.array([w, lean - w, -lean, -CRANK * s * w + sp * -ROD * lean])
    signs = np.sign(rates)
    half = 0.5 * arm

    def cross(r, f):  # row of r x (fx, fy)
        return [-r[1], r[0]]

    crank = CRANK * np.array([c, s])
    A = np.zeros((9, 9))  # th'', Ax, Ay, Bx, By, Cx, Cy, N, T
    b = np.zeros(9)
    m1, m2, m3 = MASSES
    A[0, 1], A[0, 3] = -1, 1  # crank: A - B = m1 (a + g), its centre is the bearing
    A[1, 2], A[1, 4] = -1, 1
    b[1] = -m1 * G
    A[2, 0] = MOMENTS[0]
    A[2, 3:5] = cross(crank, None)
    A[3, 0], A[3, 3], A[3, 5] = m2 * rod[0][0], -1, 1
    A[4, 0], A[4, 4], A[4, 6] = m2 * rod[0][1], -1, 1
    b[3], b[4] = -m2 * rod[1][0], -m2 * (rod[1][1] + G)
    A[5, 0] = MOMENTS[1] * k
    A[5, 3:5] = cross(half, None)
    A[5, 5:7] = cross(half, None)
    b[5] = -MOMENTS[1] * bias
    A[6, 0], A[6, 5] = m3 * piston[0][0], -1
    A[7, 6], A[7, 7] = -1, -1
    b[6], b[7] = -m3 * piston[1][0], -m3 * G
    A[8, 8] = 1
    motor = TORQUE * math.sin(3.0 * t)
    x = np.zeros(9)
    for _ in range(200):
        F = [math.hypot(*x[1:3]), math.hypot(*x[3:5]), math.hypot(*x[5:7]), abs(x[7])]
        f = -signs * RUBS * np.array([PIN * F[0], PIN * F[1], PIN * F[2], F[3]])
        right = b.copy()
        right[2] += motor + f[0] - f[1]  # friction at B turns the rod by f, the crank by -f
        right[5] += f[1] - f[2]
        right[6] += f[3]
        right[8] = -f[2]
        new = np.linalg.solve(A, right)
        if np.abs(new - x).max() < 1e-14 * np.abs(new).max():
            break
        x = new
    return new[0]


def test_a_slider_crank_whose_joints_all_rub_agrees_with_newton_and_euler():
    until = 0.45  # of spinning on: more than a turn, through both dead centres
    run = slider_crank().simulate(until=until, steps=18, tolerance=TIGHT)
    assert run.outcome.is_done
    kinks = [0.0, *sorted({e.t for e in run.events}), until]
    y, angles = np.array([1.0, SPIN]), {}
    for first, last in itertools.pairwise(kinks):  # signs hold between turns
        inside = run.t[(run.t >= first) & (run.t <= last)]
        part = solve_ivp(
            lambda t, y: [y[1], slider_crank_acceleration(t, *y)],
            (first, last),
            y,
            method="DOP853",
            rtol=1e-11,
            atol=1e-12,
            t_eval=np.unique([*inside, last]),
        )
        angles |= dict(zip(part.t.tolist(), part.y[0].tolist(), strict=True))
        y = part.y[:, -1]
    right = [angles[t] for t in run.t.tolist()]
    assert len(run.events) >= 4
    assert run["A.angle"].values == pytest.approx(right, abs=1e-7)
    assert balance(run) < BALANCE


def test_joints_that_hold_one_motion_together_slip_together():
    run = slider_crank(torque=3.0, spin=0.0).simulate(until=0.1, steps=10)
    kinds = [(e.kind, e.name) for e in run.events]
    names = [f"rub {name}" for name in NAMES]
    assert kinds == [("stick", n) for n in names] + [("slip", n) for n in names]
    assert len({e.t for e in run.events[4:]}) == 1
    ways = {e.name: e.direction for e in run.events[4:]}
    rates = {
        "rub A": run["A.angle"].rate[-1],
        "rub B": run["B.angle"].rate[-1],
        "rub C": run["C.angle"].rate[-1],
        "rub guide": run["guide.displacement"].rate[-1],
    }
    assert ways == {name: "forward" if r > 0 else "backward" for name, r in rates.items()}


# -- guides, jams, and what is refused ---------------------------------------------------------


@pytest.mark.parametrize("plane", [True, False], ids=["plane", "space"])
@pytest.mark.parametrize("length", [0.1, 1.0])
def test_a_push_beside_a_guide_presses_its_ends_against_it(length, plane):
    mu, push, beside, mass = 0.2, 30.0, 0.25, 2.0
    m = Builder("drawer", plane=plane, gravity=(0, -G, 0))
    drawer = m.body("drawer", at=(0, 0) if plane else (0, 0, 0), inertia=solid(mass))
    guide = m.prismatic(m.ground.at(0, 0), drawer.at(0, 0), name="guide")
    m.force(AppliedLoad(drawer.at(0, beside), (Ramp(push), Ramp(0.0), Ramp(0.0))), "push")
    m.force(JointFriction(guide.displacement, mu, length=length), "rub")
    run = m.build().simulate(until=0.5, steps=5)
    N = max(mass * G, 2.0 * push * beside / length)
    a = (push - mu * N) / mass
    far = 0.5 * a * 0.25 if a > 0 else 0.0
    assert run["guide.displacement"].values[-1] == pytest.approx(far, abs=EXACT)


def test_a_slider_pulled_too_steeply_jams_where_the_rod_reaches_the_angle_of_friction():
    mu, rod, speed = 0.5, 1.0, 0.1
    m = Builder("jam", plane=True)
    y0 = 0.6
    hand = m.body("hand", at=(0, y0), inertia=solid(1.0))
    lean = -math.asin(y0 / rod)
    bar = m.bar("rod", rod, at=(0, y0), angle=lean, inertia=solid(1e-6, 1e-9, (0.5, 0, 0)))
    foot = m.body("foot", at=(math.sqrt(rod**2 - y0**2), 0), inertia=solid(1.0))
    lift = m.prismatic(m.ground.at(0, 0), hand.at(0, 0), along=(0, 1), name="lift")
    m.revolute(hand.at(0, 0), bar.start, name="top")
    m.revolute(bar.end, foot.at(0, 0), name="bottom")
    guide = m.prismatic(m.ground.at(0, 0), foot.at(0, 0), name="floor")
    m.drive(lift.displacement, start=y0, speed=speed)
    m.force(JointFriction(guide.displacement, mu), "rub")
    run = m.build().simulate(until=4.0, steps=400)
    steepest = math.atan(1.0 / mu)
    assert run.outcome.ending is Ending.LOCKED
    assert "'rub' jams" in run.outcome.message
    assert "coefficient" in run.outcome.advice
    reached = math.asin((y0 + speed * run.outcome.facts["t"]) / rod)
    assert reached == pytest.approx(steepest, abs=1e-5)  # the rod is all but massless
    assert len(run) > 50
    assert np.isfinite(run["hand.y"].values).all()


def test_friction_of_a_motion_that_drives_prescribe_is_refused_not_left_out():
    m = Builder("driven", plane=True, gravity=(0, -G, 0))
    block = m.body("block", at=(0, 0), inertia=solid(1.0))
    guide = m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="guide")
    m.drive(guide.displacement, speed=1.0)
    m.force(JointFriction(guide.displacement, 0.3), "rub")
    mechanism = m.build()
    sweep = mechanism.kinematics(until=1.0)
    with pytest.raises(ModelError, match="Simulate with the same drives"):
        _ = sweep["guide.displacement.effort"]
    run = mechanism.simulate(until=1.0, steps=4)
    assert run["guide.displacement.effort"].values == pytest.approx(0.3 * G, rel=1e-9)


def hinge_of(plane=True):
    m = Builder("one", plane=plane, gravity=(0, -G, 0))
    bar = m.bar("bar", 1.0, at=(0, 0), angle=0.1, inertia=solid(1.0, 0.1, (0.5, 0, 0)))
    return m, bar, m.revolute(m.ground.at(0, 0), bar.start, name="hinge")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({}, "radius of its pin"),
        ({"radius": 0.01, "static": 0.1}, "never easier"),
        ({"radius": 0.01, "fading": 0.1}, "give `static`"),
        ({"radius": 0.01, "static": 0.3, "creep": 0.1}, "needs `fading`"),
        ({"radius": -0.01}, "radius"),
        ({"radius": 0.01, "viscous": -1.0}, "cannot drive"),
    ],
)
def test_numbers_that_make_no_friction_are_refused(words, said):
    _, _, hinge = hinge_of()
    with pytest.raises(BadNumber, match=said):
        JointFriction(hinge.angle, 0.2, **words)


def test_friction_on_what_no_joint_leaves_free_is_refused():
    m, bar, _ = hinge_of()
    turn = m.gauge("turn", Turn(Z), m.ground.at(0.5, 0), bar.start)
    m.force(JointFriction(turn, 0.2, radius=0.01), "rub")
    with pytest.raises(BadConnection, match="a hinge or a slider"):
        m.build().simulate(until=0.1)


def test_friction_on_a_reaction_that_redundant_joints_share_is_refused():
    m, bar, hinge = hinge_of(plane=False)
    m.revolute(m.ground.at(0, 0, 0.3), bar.at(0, 0, 0.3), name="second")
    m.force(JointFriction(hinge.angle, 0.2, radius=0.01), "rub")
    with pytest.raises(ModelError, match="not determined"):
        m.build().simulate(until=0.1)


def test_a_pendulum_that_its_friction_cannot_hold_rests_below():
    rest = pendulum(plane=True).statics()
    assert rest["hinge.angle"] == pytest.approx(-0.5 * math.pi, abs=1e-9)
    assert rest.holds == ()


@pytest.mark.parametrize("method", ["auto", "dop853", "tsit5", "rodas5p", "gear"])
def test_what_sticks_while_forces_change_costs_no_steps(method):
    """Accelerations of what is held are rounding: errors are not measured beside them."""
    mass, k, pull, w, g = (
        0.363342015149,
        2.404711341869,
        1.329746060375,
        6.447797665803,
        4.6813465088,
    )
    start, static = 0.127021636487, 0.380586328417
    m = Builder("stuck", plane=True, gravity=(0, -g))
    block = m.body("block", at=(start, 0), inertia=solid(mass, mass))
    guide = m.prismatic(m.ground.at(0, 0), block.at(0, 0), name="guide")
    m.force(SpringDamper(guide.displacement, stiffness=k), "spring")
    m.force(Actuator(guide.displacement, TextFormula(f"{pull}*sin({w}*t)")), "pull")
    m.force(JointFriction(guide.displacement, 0.31, static=static, fading=0.7), "rub")
    run = m.build().simulate(until=1.0, steps=10, method=method)
    assert run.outcome.ending is Ending.DONE
    slip = math.asin((static * mass * g + k * start) / pull) / w
    assert (run.events[0].kind, run.events[0].name) == ("slip", "rub")
    assert run.events[0].t == pytest.approx(slip, abs=1e-8)


@pytest.mark.parametrize("method", ["auto", "rodas5p", "gear"])
@pytest.mark.parametrize("damping", [1e6, 1e9, 1e12])
def test_what_creeps_through_a_thick_oil_slips_and_sticks_where_forces_say(damping, method):
    """c x' = F sin(3 t) -+ mu m g as long as |F sin(3 t)| > mu m g: mass is nothing beside c."""
    m = Builder("creeper", gravity=(0, 0, -G))
    body = m.body("body", at=(0, 0, 0), inertia=solid(1.0))
    ways = m.ground.at(0, 0, 0).facing((1, 0, 0)), body.at(0, 0, 0).facing((1, 0, 0))
    way = m.prismatic(*ways, name="way").displacement
    m.force(SpringDamper(way, 0.0, damping=damping), "oil")
    m.force(Actuator(way, "20 * sin(3 * t)"), "push")
    m.force(JointFriction(way, 1.0), "rub")
    run = m.build().simulate(until=4.0, steps=40, method=method)
    first = math.asin(G / 20.0) / 3.0
    last = math.pi / 3.0 - first
    times = [t + k * math.pi / 3.0 for k in range(4) for t in (first, last)][:7]
    assert run.outcome.is_done
    assert [event.kind for event in run.events] == ["slip", "stick"] * 3 + ["slip"]
    np.testing.assert_allclose([event.t for event in run.events], times, atol=1e-4)

    def pushed(t):
        """The integral of |F sin(3 t)| - mu m g over one half turn of the force, from its slip."""
        t = np.clip(t, first, last)
        return 20.0 / 3.0 * (math.cos(3.0 * first) - np.cos(3.0 * t)) - G * (t - first)

    k = np.floor(3.0 * run.t / math.pi)
    stroke, sign = pushed(last), np.where(k % 2 == 0, 1.0, -1.0)
    creep = np.where(k % 2 == 0, 0.0, stroke) + sign * pushed(run.t - k * math.pi / 3.0)
    moved = run["way.displacement"].values * damping
    np.testing.assert_allclose(moved, creep, atol=1e-4 * stroke)
