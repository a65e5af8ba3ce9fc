"""Small motions against closed forms: frequencies, damping, gyroscopes, responses."""

import mpmath as mp
import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, ModelError, UnknownName
from kempe.forces import LineSpring, SpringDamper
from kempe.geometry import Inertia, Z
from kempe.joints import Prismatic, Spherical
from kempe.measures import Displacement

G = 9.81
TURN = 2.0 * np.pi
EXACT = 1e-10  # of a frequency: derivatives are exact, eigenvalues to rounding
POINT = np.zeros((3, 3))


def hanging_chain(masses: int, length: float, *, plane: bool = True) -> kempe.Mechanism:
    """Equal point masses at the ends of massless rods, as they hang."""
    m = kempe.Builder("chain", plane=plane, gravity=(0, -G) if plane else (0, -G, 0))
    joint = m.ground.at(0, 0)
    for k in range(masses):
        tensor = POINT if plane else 1e-9 * np.diag([1.0, 0.0, 0.0])
        weight = Inertia(0.7, (length, 0, 0), tensor)
        rod = m.bar(f"rod{k}", length, inertia=weight, angle=-np.pi / 2)
        m.revolute(joint, rod.start, name=f"hinge{k}")
        joint = rod.end
    return m.build()


@pytest.mark.parametrize("masses", [1, 2, 5, 12])
def test_a_hanging_chain_swings_at_the_roots_of_laguerres_polynomial(masses):
    """w^2 = x g / l, L_n(x) = 0, for n equal masses equally far apart."""
    length = 0.3
    linear = hanging_chain(masses, length).linearize()
    with mp.workdps(60):
        terms = [mp.binomial(masses, k) * (-1) ** k / mp.factorial(k) for k in range(masses + 1)]
        roots = [mp.re(x) for x in mp.polyroots(terms, maxsteps=500, extraprec=500, asc=True)]
        exact = sorted(float(mp.sqrt(x * mp.mpf(G) / mp.mpf(length)) / (2 * mp.pi)) for x in roots)
    assert linear.frequencies == pytest.approx(exact, rel=EXACT)
    assert linear.is_stable is True
    assert not linear.damping.any()


def test_a_chain_of_many_rods_comes_near_to_bessels_frequencies():
    """w_k = j_0k / 2 sqrt(g / L) of a uniform chain; rods come nearer with the square of n."""
    from scipy.special import jn_zeros

    exact = jn_zeros(0, 2) / 2.0 * np.sqrt(G) / TURN
    errors = []
    for n in (6, 12):
        m = kempe.Builder("rods", plane=True, gravity=(0, -G))
        joint = m.ground.at(0, 0)
        for k in range(n):
            rod = Inertia(1 / n, (0.5 / n, 0, 0), np.diag([0, 1, 1]) / (12 * n**3))
            bar = m.bar(f"rod{k}", 1 / n, inertia=rod, angle=-np.pi / 2)
            m.revolute(joint, bar.start)
            joint = bar.end
        errors.append(m.build().linearize().frequencies[:2] - exact)
    assert errors[0] / errors[1] == pytest.approx([4.0, 4.0], rel=0.1)


def test_a_four_bar_with_a_spring_swings_at_the_frequency_of_its_one_coordinate():
    """V'(a) = 0, w^2 = V''(a) / m(a), from the loop equation in 40 digits."""
    sizes, mass, moment = (1.0, 2.2, 1.7, 2.5), (0.8, 1.5, 1.1), (0.05, 0.4, 0.2)
    centres, stiffness, free = (0.45, 1.2, 0.7), 60.0, 0.9
    m = kempe.Builder("four-bar", plane=True, gravity=(0, -G))
    crank, coupler, rocker = (
        m.bar(name, sizes[k], inertia=Inertia(mass[k], (centres[k], 0, 0), np.eye(3) * moment[k]))
        for k, name in enumerate(("crank", "coupler", "rocker"))
    )
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(rocker.start, m.ground.at(sizes[3], 0), name="D")
    m.force(LineSpring(m.ground.at(1.0, 1.5), crank.end, stiffness=stiffness, free=free), "spring")
    four_bar = m.build()
    rest = four_bar.statics()
    linear = four_bar.linearize(rest, coordinates=("crank.angle",))
    side = np.sign(_cross(rest, sizes))
    with mp.workdps(40):
        a, b, c, d = map(mp.mpf, map(str, sizes))

        def angles(turn):
            bx, by = a * mp.cos(turn), a * mp.sin(turn)
            ex, ey = d - bx, -by
            far = mp.sqrt(ex * ex + ey * ey)
            along = (far * far + b * b - c * c) / (2 * far)
            up = side * mp.sqrt(b * b - along * along)
            cx, cy = bx + (along * ex - up * ey) / far, by + (along * ey + up * ex) / far
            return mp.atan2(cy - by, cx - bx), mp.atan2(cy, cx - d)

        def energy(turn):
            second, third = angles(turn)
            heights = (
                centres[0] * mp.sin(turn),
                a * mp.sin(turn) + centres[1] * mp.sin(second),
                centres[2] * mp.sin(third),
            )
            stretch = mp.hypot(a * mp.cos(turn) - 1, a * mp.sin(turn) - mp.mpf("1.5")) - free
            weights = sum(w * mp.mpf(G) * h for w, h in zip(mass, heights, strict=True))
            return weights + stiffness * stretch**2 / 2

        start = mp.mpf(float(rest["crank.angle"]))
        turn = mp.findroot(lambda x: mp.diff(energy, x), start)
        w2, w3 = (mp.diff(lambda x, k=k: angles(x)[k], turn) for k in (0, 1))
        second, _ = angles(turn)
        vx = -a * mp.sin(turn) - centres[1] * mp.sin(second) * w2
        vy = a * mp.cos(turn) + centres[1] * mp.cos(second) * w2
        inertia = (
            moment[0]
            + mass[0] * mp.mpf(centres[0]) ** 2
            + mass[1] * (vx**2 + vy**2)
            + moment[1] * w2**2
            + (moment[2] + mass[2] * mp.mpf(centres[2]) ** 2) * w3**2
        )
        bend = mp.diff(energy, turn, 2)
        exact = mp.sqrt(bend / inertia) / (2 * mp.pi)
        assert abs(start - turn) < 1e-12
        assert float(linear.M[0, 0] / inertia) == pytest.approx(1.0, abs=1e-10)
        assert float(linear.K[0, 0] / bend) == pytest.approx(1.0, abs=1e-10)
        assert float(linear.frequencies[0] / exact) == pytest.approx(1.0, abs=1e-10)


def _cross(rest, sizes) -> float:
    """On which side of the line from B to D the coupler's end lies."""
    b, c, d = rest["crank.end"], rest["coupler.end"], np.array([sizes[3], 0.0])
    return float((d - b)[0] * (c - b)[1] - (d - b)[1] * (c - b)[0])


@pytest.mark.parametrize("plane", [True, False])
def test_a_row_of_masses_and_springs_swings_at_the_frequencies_of_its_length(plane):
    """w_k = 2 sqrt(k / m) sin(k pi / (2 (n + 1))) between two walls."""
    n, stiffness, mass = 6, 40.0, 0.5
    m = kempe.Builder("row", plane=plane)
    spread = Inertia(mass, np.zeros(3), np.eye(3))
    before = m.ground.at(0, 0)
    for k in range(n):
        body = m.body(f"m{k}", at=(k + 1.0, 0) if plane else (k + 1.0, 0, 0), inertia=spread)
        m.prismatic(m.ground.at(0, 0), body.at(0, 0), name=f"rail{k}")
        m.force(LineSpring(before, body.at(0, 0), stiffness=stiffness, free=1.0), f"s{k}")
        before = body.at(0, 0)
    m.force(LineSpring(before, m.ground.at(n + 1.0, 0), stiffness=stiffness, free=1.0), "last")
    k = np.arange(1, n + 1)
    exact = 2 * np.sqrt(stiffness / mass) * np.sin(k * np.pi / (2 * (n + 1))) / TURN
    assert m.build().linearize().frequencies == pytest.approx(exact, rel=EXACT)


def test_a_grid_of_masses_swings_at_sums_of_the_frequencies_of_its_sides():
    """w_ij^2 = 4 k / m (sin^2(i pi / 2(p+1)) + sin^2(j pi / 2(q+1))), masses moving upright."""
    p, q, stiffness, mass = 3, 2, 25.0, 0.8
    m = kempe.Builder("grid")
    spread = Inertia(mass, np.zeros(3), np.eye(3))
    parts = {}
    for i in range(p):
        for j in range(q):
            body = m.body(f"m{i}{j}", at=(i + 1.0, j + 1.0, 0), inertia=spread)
            m.add(Prismatic(m.ground.at(i + 1.0, j + 1.0), body.at(0, 0)), f"rail{i}{j}")
            parts[i, j] = body.at(0, 0)
    pairs = [((i, j), (i + 1, j)) for i in range(-1, p) for j in range(q)]
    pairs += [((i, j), (i, j + 1)) for i in range(p) for j in range(-1, q)]
    for number, (a, b) in enumerate(pairs):
        ends = [parts.get(x, m.ground.at(x[0] + 1.0, x[1] + 1.0)) for x in (a, b)]
        gauge = m.gauge(f"g{number}", Displacement(Z), *ends)
        m.force(SpringDamper(gauge, stiffness=stiffness), f"s{number}")
    i, j = np.arange(1, p + 1)[:, None], np.arange(1, q + 1)
    squares = np.sin(i * np.pi / (2 * (p + 1))) ** 2 + np.sin(j * np.pi / (2 * (q + 1))) ** 2
    exact = np.sort(np.sqrt(4 * stiffness / mass * squares).ravel()) / TURN
    assert m.build().linearize().frequencies == pytest.approx(exact, rel=EXACT)


def oscillator(damping: float, *, stiffness: float = 80.0, mass: float = 2.0) -> kempe.Mechanism:
    m = kempe.Builder("oscillator", plane=True, gravity=(0, -G))
    body = m.body("mass", inertia=Inertia(mass, np.zeros(3), np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), along=(0, 1, 0), name="rail")
    m.force(SpringDamper(rail.displacement, stiffness=stiffness, damping=damping), "spring")
    return m.build()


def test_a_damped_oscillator_has_its_ratio_and_answers_as_its_transfer_function():
    stiffness, mass = 80.0, 2.0
    root = np.sqrt(stiffness * mass)
    for ratio in (0.0, 0.05, 0.7):
        linear = oscillator(2 * ratio * root).linearize()
        assert linear.frequencies == pytest.approx([np.sqrt(stiffness / mass) / TURN], rel=EXACT)
        assert linear.damping == pytest.approx([ratio], abs=1e-12)
        damped = np.sqrt(stiffness / mass * (1 - ratio**2)) / TURN
        assert linear.modes[0].damped_frequency == pytest.approx(damped)
    creeping = oscillator(2 * 1.5 * root).linearize()
    w = np.sqrt(stiffness / mass)
    rates = w * (-1.5 + np.sqrt(1.25)), w * (-1.5 - np.sqrt(1.25))
    assert sorted(creeping.eigenvalues.real) == pytest.approx(sorted(rates), rel=1e-9)
    assert creeping.damping == pytest.approx([1.0, 1.0])
    gauge = ("rail.displacement",)
    linear = oscillator(3.0).linearize(coordinates=gauge, inputs=gauge, outputs=gauge)
    assert tuple(map(pytest.approx, (mass, 3.0, stiffness))) == (linear.M, linear.C, linear.K)
    f = np.array([0.0, 0.3, 1.0, 4.0])
    s = 1j * TURN * f
    exact = 1.0 / (mass * s**2 + 3.0 * s + stiffness)
    assert np.abs(linear.response(f) - exact).max() < 1e-12
    assert len(linear.plot_response().axes) == 2
    assert len(linear.plot().axes) == 2


def double_pendulum(angles, rates) -> kempe.Mechanism:
    m = kempe.Builder("double", plane=True, gravity=(0, -G))
    joint = m.ground.at(0, 0)
    for k in range(2):
        bar = m.bar(
            f"rod{k}",
            1.0,
            inertia=Inertia(1.0, (1.0, 0, 0), POINT),
            angle=angles[k] - np.pi / 2,
        )
        m.revolute(joint, bar.start, name=f"hinge{k}")
        m.rate(bar.angle, rates[k])
        joint = bar.end
    return m.build()


def accelerations(x):
    """Two point masses 1 kg on rods of 1 m, angles from below, both against the world."""
    a, b, p, q = x
    M = np.array([[2.0, np.cos(a - b)], [np.cos(a - b), 1.0]])
    h = np.array(
        [
            -np.sin(a - b) * q * q - 2 * G * np.sin(a),
            np.sin(a - b) * p * p - G * np.sin(b),
        ]
    )
    return np.linalg.solve(M, h)


def test_a_moving_state_is_linearised_as_the_complex_step_of_its_equations_says():
    at = np.array([0.7, -0.4, 1.3, -2.1])
    exact = np.array([accelerations(at + 1e-30j * np.eye(4)[k]).imag / 1e-30 for k in range(4)]).T
    mechanism = double_pendulum(at[:2], at[2:])
    state = mechanism.simulate(until=1e-3, steps=1).state(0)
    linear = mechanism.linearize(state, coordinates=("rod0.angle", "rod1.angle"))
    assert np.abs(linear.A[2:] - exact).max() < 1e-10 * np.abs(exact).max()
    assert "the state moves" in linear.notes[0]


@pytest.mark.parametrize("spin", [40.0, 80.0, 150.0])
def test_a_sleeping_top_is_stable_where_it_spins_fast_enough(spin):
    """s = i (C w +- sqrt(C^2 w^2 - 4 A m g l)) / 2 A in the world; in the top's axes less i w."""
    mass, height, across, along = 1.0, 0.1, 0.012, 0.003
    m = kempe.Builder("top", gravity=(0, 0, -G))
    tensor = np.diag([across - mass * height**2] * 2 + [along])
    inertia = Inertia(mass, (0, 0, height), tensor)
    upright = kempe.Rotation.identity()
    top = m.body("top", at=(0, 0, 0), rotation=upright, inertia=inertia, spin=(0, 0, spin))
    m.add(Spherical(m.ground.at(0, 0, 0), top.at(0, 0, 0)), "tip")
    mechanism = m.build()
    linear = mechanism.linearize(mechanism.simulate(until=1e-4, steps=1).state(0))
    root = np.sqrt(complex((along * spin) ** 2 - 4 * across * mass * G * height))
    inertial = [1j * (along * spin + sign * root) / (2 * across) for sign in (1, -1)]
    expected = [s - 1j * spin for s in inertial]
    found = linear.eigenvalues
    for s in (*expected, *(e.conjugate() for e in expected)):
        assert np.abs(found - s).min() < 1e-8 * abs(s)
    is_fast = (along * spin) ** 2 > 4 * across * mass * G * height
    assert max(mode.eigenvalue.real for mode in linear.modes) < 1e-6 or not is_fast
    assert (linear.is_stable is False) == (not is_fast)


def test_a_drive_on_an_input_is_let_go_and_what_it_exerts_goes_on():
    """A rod held level by a motor: without the motor's spring there is none, with it K is 0."""
    m = kempe.Builder("arm", plane=True, gravity=(0, -G))
    rod = m.bar("rod", 1.0, inertia=Inertia(2.0, (0.5, 0, 0), np.diag([0, 0.2, 0.2])), angle=0.4)
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.drive(hinge.angle, start=0.4, speed=0.0)
    arm = m.build()
    held = arm.linearize()
    assert held.names == ()
    assert held.modes == ()
    name = ("hinge.angle",)
    free = arm.linearize(coordinates=name, inputs=name, outputs=name)
    assert free.residual < 1e-12  # the motor holds it on
    about = 0.2 + 2.0 * 0.25
    assert free.K[0, 0] == pytest.approx(-2.0 * G * 0.5 * np.sin(0.4), rel=1e-10)
    assert free.B[:, 0] == pytest.approx([0.0, 1.0 / about])


def test_a_spatial_chain_swings_both_ways_alike():
    m = kempe.Builder("bob", gravity=(0, 0, -G))
    body = m.body("bob", inertia=Inertia(1.5, (0, 0, -0.8), np.diag([0.3, 0.3, 0.05])))
    m.add(Spherical(m.ground.at(0, 0, 0), body.at(0, 0, 0)), "ball")
    linear = m.build().linearize()
    exact = np.sqrt(1.5 * G * 0.8 / (0.3 + 1.5 * 0.64)) / TURN
    assert linear.frequencies == pytest.approx([0.0, exact, exact], rel=EXACT)
    assert linear.modes[0].is_rigid
    assert linear.is_stable is None


def test_a_mode_is_a_motion_that_closes_its_joints_and_can_be_played(tmp_path):
    chain = hanging_chain(3, 0.3)
    linear = chain.linearize()
    swing = linear.motion(2, steps=24)
    assert len(swing) == 25
    assert swing.t[-1] == pytest.approx(1.0 / linear.frequencies[1])
    for k in range(2):
        gap = swing[f"rod{k}.end"].position - swing[f"rod{k + 1}.start"].position
        assert np.abs(gap).max() < 1e-10
    assert linear.animate(tmp_path / "mode.html", 3).stat().st_size > 1000
    assert linear.svg(1).startswith("<svg")
    assert len(linear.columns()["frequency"]) == 3
    with pytest.raises(UnknownName, match="no mode 4"):
        linear.motion(4)
    with pytest.raises(BadNumber, match="amplitude"):
        linear.motion(1, amplitude=7.0)


def test_a_simulation_swings_at_the_frequency_of_the_mode():
    mechanism = hanging_chain(2, 0.5)
    linear = mechanism.linearize()
    swing = linear.motion(1, amplitude=1e-4, steps=8)
    run = mechanism.simulate(until=1.0 / linear.frequencies[0], steps=8, start=swing.state(0))
    apart = run["rod1.end"].position - swing["rod1.end"].position
    assert np.abs(apart).max() < 1e-6 * 1e-1


def test_what_cannot_be_linearised_says_why():
    with pytest.raises(ModelError, match="no masses"):
        kempe.gallery.four_bar().linearize()
    falling = kempe.Builder("stone", plane=True, gravity=(0, -G))
    falling.body("stone", inertia=Inertia(1.0, np.zeros(3), np.eye(3)))
    with pytest.raises(ModelError, match="no equilibrium to swing about"):
        falling.build().linearize()
    chain = hanging_chain(2, 0.5)
    with pytest.raises(BadNumber, match="has 2 freedoms here, and 1 coordinate is"):
        chain.linearize(coordinates=("rod0.angle",))
    with pytest.raises(BadNumber, match="do not tell all"):
        chain.linearize(coordinates=("rod0.angle", "hinge0.angle"))
    with pytest.raises(UnknownName, match=r"no 'rod9.angle'"):
        chain.linearize(inputs=("rod9.angle",))
    with pytest.raises(BadNumber, match="named twice"):
        chain.linearize(inputs=("rod0.angle", "rod0.angle"))
    with pytest.raises(UnknownName, match="no outputs"):
        chain.linearize(inputs=("rod0.angle",)).response([1.0])
    light = kempe.Builder("light", plane=True, gravity=(0, -G))
    heavy = light.body("heavy", inertia=Inertia(1.0, np.zeros(3), np.eye(3)))
    loose = light.body("loose", at=(1, 0))
    for body in (heavy, loose):
        rail = light.prismatic(light.ground.at(0, 0), body.at(0, 0), name=f"{body.name} rail")
        light.force(SpringDamper(rail.displacement, stiffness=1.0), f"{body.name} spring")
    with pytest.raises(BadNumber, match="'loose' can move in a way that moves no mass"):
        light.build().linearize()
    bent = chain.linearize(double_pendulum((0.3, 0.1), (0, 0)).assemble())
    assert "no equilibrium" in bent.notes[0]


def test_a_bead_at_the_bottom_of_its_wire_swings_by_the_curvature_there():
    """w^2 = g kappa for a bead without friction."""
    from scipy.optimize import brentq

    from kempe.gallery.bead_on_wire import BENDS
    from kempe.geometry.curves import BSpline

    bead = kempe.gallery.bead_on_wire()
    rest = bead.statics()
    wire = BSpline(BENDS, closed=True)
    places = np.linspace(wire.domain.low, wire.domain.high, 4001)
    near = places[np.linalg.norm(wire(places)[:, :2] - rest["bead.P"], axis=1).argmin()]
    bottom = brentq(lambda u: float(wire(u, 1)[1]), near - 0.05, near + 0.05, xtol=1e-15)
    assert wire(bottom)[:2] == pytest.approx(rest["bead.P"], abs=1e-9)
    (x, y), (xx, yy) = wire(bottom, 1)[:2], wire(bottom, 2)[:2]
    curvature = abs(x * yy - y * xx) / np.hypot(x, y) ** 3
    linear = bead.linearize(rest)
    assert linear.frequencies == pytest.approx([np.sqrt(G * curvature) / TURN], rel=1e-8)
    assert linear.modes[0].motion.bodies == ("bead",)
