"""Thin, light and heavy bodies move as mechanics says: what counts is each body's own size."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from kempe import Builder, Inertia, Mechanism, Rotation
from kempe.compile.layout.dynamic_layout import DynamicLayout, inverse_inertia
from kempe.drives import Ramp, TextFormula
from kempe.dynamics.integration import integrated
from kempe.dynamics.preparation.preparation import prepare
from kempe.errors import BadNumber
from kempe.forces import Actuator, AppliedLoad, SpringDamper
from kempe.gallery.hinge_loops import AXES, CORNERS, triple
from kempe.joints import Revolute, Screw, Spherical

G = 9.81
#: Of accelerations at the start: rounding of a saddle system of a dozen rows, refined.
ROUNDING = 1e-12
#: Of positions at the end of a run at tolerance 1e-8: a hundred steps add up.
FOLLOWED = 1e-6
THIN = [1e-3, 1e-8, 1e-12, 1e-14, 1e-16, 1e-20, 0.0]


def thin_rod(axial: float) -> Mechanism:
    """A rod of 1 m and 1 kg that falls about its end, its axial moment that share of the others."""
    m = Builder("thin rod", gravity=(0, 0, -G))
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([axial, 1.0, 1.0]) / 12.0)
    rod = m.body("rod", points={"tip": (1, 0, 0)}, at=(0, 0, 0), inertia=inertia)
    y = (0, 1, 0)
    m.add(Revolute(m.ground.at(0, 0, 0).facing(y), rod.at(0, 0, 0).facing(y)), "hinge")
    return m.build()


def bricard(axial: float) -> Mechanism:
    """Bricard's mechanism of rods of 1 m and 1 kg that are as thin as that."""
    m = Builder("thin Bricard", gravity=(0, -G, 0))
    corners = np.array(CORNERS, dtype=np.float64)
    rods = []
    for k in range(5):
        way = corners[k + 1] - corners[k]
        tensor = np.diag(np.where(np.abs(way) > 0.0, axial, 1.0)) / 12.0
        rods.append(m.body(f"rod{k}", at=triple(corners[k]), inertia=Inertia(1.0, way / 2, tensor)))
    for k, axis in enumerate(AXES):
        z = tuple(float(axis == letter) for letter in "xyz")
        before = rods[k - 1].at(*triple(corners[k] - corners[k - 1])) if k else m.ground.at(0, 0, 0)
        after = rods[k].at(0, 0, 0) if k < 5 else m.ground.at(*triple(corners[5]))
        m.add(Revolute(before.facing(z), after.facing(z)), f"hinge{k}")
    return m.build()


def two_links(first: float, second: float) -> Mechanism:
    """A double pendulum of point masses at the ends of links of 1 m, from the horizontal."""
    m = Builder("two links", plane=True, gravity=(0, -G))
    bars = []
    for k, (mass, angle) in enumerate(((first, 0.0), (second, 0.3))):
        inertia = Inertia(mass, (1.0, 0, 0), np.diag([0, 1e-6, 1e-6]) * mass)
        at = (0, 0) if k == 0 else (1, 0)
        bars.append(m.bar(f"bar{k}", 1.0, at=at, angle=angle, inertia=inertia))
    m.revolute(m.ground.at(0, 0), bars[0].start, name="A")
    m.revolute(bars[0].end, bars[1].start, name="B")
    return m.build()


def double_pendulum(t: np.ndarray, m1: float, m2: float) -> np.ndarray:
    """Angles of the same by two equations of motion, (n, 2); moments 1e-6 m about the ends."""
    i1, i2 = 1e-6 * m1, 1e-6 * m2

    def rates(_, y):
        a, b, da, db = y
        c, s = math.cos(a - b), math.sin(a - b)
        M = np.array([[m1 + m2 + i1, m2 * c], [m2 * c, m2 + i2]])
        f = np.array(
            [
                -m2 * s * db * db - (m1 + m2) * G * math.cos(a),
                m2 * s * da * da - m2 * G * math.cos(b),
            ]
        )
        scale = 1.0 / np.sqrt(np.diag(M))
        return [da, db, *(scale * np.linalg.solve(M * np.outer(scale, scale), scale * f))]

    start = [0.0, 0.3, 0.0, 0.0]
    found = solve_ivp(rates, (t[0], t[-1]), start, "DOP853", t, rtol=1e-12, atol=1e-12)
    return found.y[:2].T


@pytest.mark.parametrize("axial", THIN)
def test_a_rod_falls_with_its_moment_however_thin_it_is(axial):
    motion = thin_rod(axial).simulate(until=1.0, steps=10)
    assert motion.outcome.is_done
    np.testing.assert_allclose(
        motion.motion.a[0], [0, 0, 0, 0, 1.5 * G, 0], atol=ROUNDING * 1.5 * G
    )
    energy = motion.energy
    assert np.ptp(energy.mechanical) < FOLLOWED * energy.kinetic.max()


@pytest.mark.parametrize("axial", [*THIN[:-1], 1e-40])
def test_a_tensor_has_an_inverse_however_small_a_moment_is(axial):
    tensor = np.diag([axial, 1.0, 1.0])
    np.testing.assert_allclose(inverse_inertia(tensor) @ tensor, np.eye(3), atol=ROUNDING)


@pytest.mark.parametrize("share", [0.0, 1e-18, 1e-16, 1e-15, 1e-14, 1e-12, 1e-9])
def test_one_test_decides_whether_a_body_has_inertia_about_every_axis(share):
    """The inverse is the unit exactly where the body counts as one without inertia."""
    turn = Rotation.about([1.0, 2.0, 0.5], 0.8).matrix()
    for R in (np.eye(3), turn):
        tensor = R @ np.diag([share, 1.0, 1.0]) @ R.T
        m = Builder("one body")
        m.body("rod", inertia=Inertia(1.0, (0, 0, 0), tensor))
        layout = DynamicLayout(m.build().model)
        inverse = inverse_inertia(layout.mass_blocks[0, 3:, 3:])
        assert bool(layout.massless) == np.array_equal(inverse, np.eye(3))
        assert not (layout.massless and share > 1e-13)
        assert layout.massless or share > 0.0


@pytest.mark.parametrize("axial", [1e-8, 1e-10, 1e-12, 1e-14, 1e-16, 0.0])
def test_a_redundant_loop_of_thin_rods_falls_and_rises(axial):
    """As the loop of rods a hundredth as thin does: the axial moments no longer matter."""
    motion = bricard(axial).simulate(until=5.0, steps=50)
    assert motion.outcome.is_done
    assert motion.redundant
    energy = motion.energy
    assert np.ptp(energy.mechanical) < FOLLOWED * energy.kinetic.max()
    np.testing.assert_allclose(motion.motion.q[-1], _thinner(), atol=10 * FOLLOWED)


def _thinner() -> np.ndarray:
    return bricard(1e-7).simulate(until=5.0, steps=50, tolerance=1e-10).motion.q[-1]


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("ratio", [1e-12, 1e-8, 1e-4, 1e4, 1e8, 1e10, 1e12])
def test_masses_may_differ_by_any_ratio(ratio, plan):
    """Up to 0.3 s: later a heavy second link snaps the light first one taut, ever more suddenly."""
    motion = two_links(1.0, ratio).simulate(until=0.3, steps=20, plan=plan, tolerance=1e-9)
    assert motion.outcome.is_done
    found = np.stack([motion[f"bar{k}.angle"].values for k in (0, 1)], axis=1)
    expected = double_pendulum(motion.t, 1.0, ratio)
    assert np.abs(found - expected).max() < FOLLOWED


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("masses", [(1.0, 1e8), (1e12, 1.0), (1e-12, 1.0, 1e-6)], ids=str)
def test_a_chain_of_light_and_heavy_links_keeps_its_energy(masses, plan):
    m = Builder("chain", gravity=(0, -G / math.sqrt(2), -G / math.sqrt(2)))
    last = m.ground.at(0, 0, 0)
    for k in range(6):
        mass, axis = masses[k % len(masses)], ((0, 1, 0), (0, 0, 1))[k % 2]
        inertia = Inertia(mass, (0.5, 0, 0), mass / 12 * np.diag([1e-3, 1, 1]))
        link = m.body(f"link{k}", points={"tip": (1, 0, 0)}, at=(k, 0, 0), inertia=inertia)
        m.add(Revolute(last.facing(axis), link.at(0, 0, 0).facing(axis)), f"hinge{k}")
        last = link.tip
    motion = m.build().simulate(until=2.0, steps=20, plan=plan)
    energy = motion.energy
    assert motion.outcome.is_done
    assert np.ptp(energy.mechanical) < FOLLOWED * energy.kinetic.max()
    assert motion.violation.max() < 1e-9  # m


def test_a_thin_rod_whose_spin_nothing_holds_or_turns_is_refused_or_keeps_it():
    """At a ball nothing turns a rod about its axis: without a moment there, nothing says how."""
    for axial, refused in ((0.0, True), (1e-16, False)):
        m = Builder("hanging rod", gravity=(0, 0, -G))
        inertia = Inertia(1.0, (0, 0, -0.5), np.diag([1.0, 1.0, axial]) / 12.0)
        rod = m.body("rod", at=(0, 0, 0), rotation=Rotation.about((1, 0, 0), 0.5), inertia=inertia)
        m.add(Spherical(m.ground.at(0, 0, 0), rod.at(0, 0, 0)), "ball")
        if refused:
            with pytest.raises(BadNumber, match="singular"):
                m.build().simulate(until=0.1)
            continue
        motion = m.build().simulate(until=1.0, steps=10)
        assert motion.outcome.is_done
        assert np.abs(motion.motion.v[:, 5]).max() < ROUNDING


@pytest.mark.parametrize("size", [1e-18, 1e-12, 1.0, 1e12])
def test_an_unsymmetric_tensor_is_refused_whatever_its_size(size):
    tensor = size * np.array([[2.0, 0.5, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    with pytest.raises(BadNumber, match="symmetric"):
        Inertia(1.0, (0, 0, 0), tensor)
    tensor[1, 0] = 0.5 * size * (1 + 1e-12)  # what digits lose
    found = Inertia(1.0, (0, 0, 0), tensor).tensor
    assert np.array_equal(found, found.T)


@pytest.mark.parametrize("light", [1.0, 1e-6, 1e-12])
def test_rates_that_the_joints_allow_are_granted_whatever_the_masses(light):
    """Two links in space, the first light and thin: both hinges start as they were told."""
    m = Builder("two links", gravity=(0, 0, -G))
    asked, last = (-1.2, 2.8), m.ground.at(0, 0, 0)
    for k, mass in enumerate((light, 1e3)):
        tensor = mass / 12 * np.diag([1e-9, 1.0, 1.0])
        link = m.body(f"link{k}", at=(k, 0, 0), inertia=Inertia(mass, (0.5, 0, 0), tensor))
        axis = ((1, 1, 1), (1, -1, 2))[k]
        hinge = m.add(Revolute(last.facing(axis), link.at(0, 0, 0).facing(axis)), f"hinge{k}")
        m.rate(hinge.angle, asked[k])
        last = link.at(1, 0, 0)
    motion = m.build().simulate(until=0.01, steps=1)
    assert motion.notes == ()
    found = [motion[f"hinge{k}.angle"].rate[0] for k in (0, 1)]
    np.testing.assert_allclose(found, asked, rtol=ROUNDING)


#: Bytes of a body in a run, all lists of the equations and of the integrator; [M J^T; J 0] factored
#: as a whole takes twice that alone.
BYTES_OF_A_BODY = 4500


@pytest.mark.parametrize("links", [300, 3000])
def test_a_long_chain_of_equal_links_stays_with_the_block_solver(links):
    """Its last pivot is 1/n of its diagonal, and no sign of uneven masses: memory grows as n."""
    m = Builder("long chain", gravity=(0, -G, -G))
    last, inertia = m.ground.at(0, 0, 0), Inertia(1.0, (0.5, 0, 0), np.diag([0.01, 1, 1]) / 12)
    for k in range(links):
        axis = ((0, 1, 0), (0, 0, 1))[k % 2]
        link = m.body(f"link{k}", points={"tip": (1, 0, 0)}, at=(k, 0, 0), inertia=inertia)
        m.add(Revolute(last.facing(axis), link.at(0, 0, 0).facing(axis)), f"hinge{k}")
        last = link.tip
    prepared = prepare(m.build().layout, 0.0)
    end = integrated(prepared, np.array([0.0, 0.01]), "dop853", 1e-6, None)[1]
    assert end.samples == 2
    assert end.bytes < BYTES_OF_A_BODY * links


def pushed_nut(lead: float, force: float) -> Mechanism:
    """A nut of 1 kg and 0.01 kg m^2 on a screw, pushed along it."""
    m = Builder("screw")
    inertia = Inertia(1.0, (0, 0, 0), 0.01 * np.eye(3))
    nut = m.body("nut", at=(0, 0, 0), inertia=inertia)
    m.add(Screw(m.ground.at(0, 0, 0), nut.at(0, 0, 0), lead=lead), "screw")
    push = AppliedLoad(nut.at(0, 0, 0), force=(Ramp(0.0, 0.0), Ramp(0.0, 0.0), Ramp(force, 0.0)))
    m.force(push, "push")
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("force", [1.0, 1e6])
@pytest.mark.parametrize("lead", [1e-2, 1e-4, 1e-6, 1e-8, 1e-10])
def test_a_force_on_a_screw_of_a_small_lead_accelerates_it_as_the_screw_turns(lead, force, plan):
    """a = F / (m + J (2 pi / lead)^2), of which F / m is up to 1e19 times more."""
    motion = pushed_nut(lead, force).simulate(until=1e-3, steps=4, plan=plan)
    assert motion.outcome.is_done
    due = force / (1.0 + 0.01 * (math.tau / lead) ** 2)
    np.testing.assert_allclose(motion["nut.az"].values, due, rtol=1e-8)


def test_energy_from_nowhere_is_told_with_the_names_of_what_may_jump():
    outcome = pushed_nut(1e-8, 1e12).simulate(until=1e-3, steps=4).outcome
    assert "have come from nowhere" in outcome.message
    assert "'push'" in outcome.advice


@pytest.mark.parametrize(("length", "mass"), [(1.0, 1.0), (1e-6, 1e-6), (1e-9, 1e-9), (1e6, 1e6)])
@pytest.mark.parametrize("seed", range(4))
def test_a_thin_pendulum_on_a_ball_swings_alike_at_every_size(length, mass, seed):
    """In sizes of itself  n'' = w - n (n.w) - n n'^2  with w = -z / (1 + k), k = 1e-9."""
    rng, k = np.random.default_rng(seed), 1e-9
    n = rng.normal(size=3)
    n /= np.linalg.norm(n)
    v = rng.normal(size=3)
    v -= n * (v @ n)
    second = math.sqrt(length)  # with g = 1 m/s^2
    m = Builder("bob", gravity=(0, 0, -1.0))
    bob = m.body(
        "bob",
        at=(0, 0, 0),
        rotation=Rotation.identity(),
        points={"P": tuple(n * length)},
        inertia=Inertia(mass, n * length, np.eye(3) * k * mass * length**2),
        spin=tuple(np.cross(n, v) / second),
    )
    m.add(Spherical(m.ground.at(0, 0, 0), bob.at(0, 0, 0)))
    run = m.build().simulate(until=5 * second, steps=20, tolerance=1e-10)
    assert run.outcome.name == "Done"

    def rates(_t, y):
        at, to, w = y[:3], y[3:], np.array([0.0, 0.0, -1.0 / (1.0 + k)])
        return np.concatenate([to, w - at * (w @ at) - at * (to @ to)])

    start = np.concatenate([n, v])
    true = solve_ivp(
        rates, (0, 5), start, "DOP853", t_eval=run.t / second, rtol=1e-11, atol=1e-11
    ).y[:3]
    np.testing.assert_allclose(run["bob.P"].position.T / length, true, atol=1e-6)


@pytest.mark.parametrize("method", ["dop853", "rodas5p", "gear"])
@pytest.mark.parametrize("heavy", [1e6, 1e13, 1e18])
def test_a_body_as_heavy_as_a_mountain_moves_by_every_method(heavy, method):
    """x = v t on a rail: its moment is 1e18 times its mass, and nothing pushes it."""
    m = Builder("mountain", plane=True)
    body = m.body("body", at=(0, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), heavy * np.eye(3)))
    rail = m.prismatic(m.ground.at(0, 0), body.at(0, 0), name="rail")
    m.rate(rail.displacement, 2.0)
    run = m.build().simulate(until=1.0, steps=1, method=method)
    assert run.outcome.name == "Done"
    assert run["rail.displacement"].values[-1] == pytest.approx(2.0, rel=FOLLOWED)


@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p"])
@pytest.mark.parametrize("size", [1e-8, 1e-3, 1e6])
def test_a_block_on_one_rail_is_followed_as_well_at_every_size(size, method):
    """0.3 cos 10 t, in sizes of the block: no offset of a joint tells how large it is."""
    m = Builder("block", plane=True)
    inertia = Inertia(1.0, (0, 0, 0), size**2 * np.eye(3))
    block = m.body("block", at=(0.3 * size, 0), angle=0.0, inertia=inertia)
    m.prismatic(m.ground.at(0, 0), block.at(0, 0))
    m.force(SpringDamper(block.x, stiffness=100.0))
    run = m.build().simulate(until=5.0, steps=20, method=method)
    assert np.abs(run["block.x"].values / size - 0.3 * np.cos(10.0 * run.t)).max() < FOLLOWED


@pytest.mark.parametrize("moment", [1e-14, 1.0, 1e14])
def test_a_moment_that_nobody_feels_spoils_no_tolerance(moment):
    """A point of 1 kg on a spring, whatever its radius of gyration of 1e-7 to 1e7 m says."""
    m = Builder("bead", plane=True)
    bead = m.body("bead", at=(0.3, 0), angle=0.0, inertia=Inertia(1, (0, 0, 0), moment * np.eye(3)))
    m.prismatic(m.ground.at(0, 0), bead.at(0, 0))
    m.force(SpringDamper(bead.x, stiffness=100.0))
    run = m.build().simulate(until=5.0, steps=20, tolerance=1e-12)
    assert run.outcome.name == "Done"
    assert np.abs(run["bead.x"].values - 0.3 * np.cos(10.0 * run.t)).max() < 1e-9


@pytest.mark.parametrize("moment", [1e-6, 1e-12])
def test_turns_of_a_rotor_far_lighter_about_its_axis_than_its_mass_are_counted(moment):
    """theta = 5 (t - sin t) under a torque of 5 I sin t, at two samples and at many."""
    m = Builder("rotor")
    inertia = Inertia(1.0, (0, 0, 0), moment * np.eye(3))
    rotor = m.body("rotor", at=(0, 0, 0), rotation=Rotation.identity(), inertia=inertia)
    hinge = m.revolute(m.ground.at(0, 0, 0), rotor.at(0, 0, 0), name="hinge")
    m.force(Actuator(hinge.angle, TextFormula("a * sin(t)", ("a",), (5.0 * moment,))))
    for steps in (1, 40):
        run = m.build().simulate(until=1.0, steps=steps, method="gear")
        assert run.outcome.name == "Done"
        due = 5.0 * (run.t - np.sin(run.t))
        np.testing.assert_allclose(run["hinge.angle"].values, due, atol=FOLLOWED)
