"""The motion under forces is the one that mechanics says, to the accuracy that was asked for."""

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from kempe.dynamics.preparation.preparation import prepare
from kempe.errors import BadNumber

G = 9.81
#: Ten times the tolerance of a step: errors of some thirty steps add up, with both signs.
PER_TOLERANCE = 10.0
#: Two executors and two plans do the same sums in another order.
SAME = 1e-10


def pendulum_angle(t, w0):
    """Angle from below of a swinging pendulum that passes the bottom at t = 0.

    Source: sin(a/2) = k sn(w0 t, k), with k the sine of half the amplitude; here k = 0.5.
    """
    return 2 * np.arcsin(0.5 * ellipj(w0 * t, 0.25)[0])


@pytest.mark.parametrize("method", ["dop853", "tsit5", "rodas5p"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-9])
def test_a_swinging_rod_follows_the_elliptic_functions(planar_pendulum, method, tolerance):
    w0 = math.sqrt(1.5 * G)  # a rod of 1 m about its end
    swing = planar_pendulum(-math.pi / 2, spin=2 * 0.5 * w0)
    motion = swing.simulate(until=3.0, steps=60, tolerance=tolerance, method=method)
    expected = pendulum_angle(motion.t, w0)
    found = motion["rod.angle"].values + math.pi / 2
    assert motion.outcome.is_done
    assert np.abs(found - expected).max() < PER_TOLERANCE * tolerance
    period = 4 * ellipk(0.25) / w0
    assert period < motion.t[-1]  # it has come back at least once


@pytest.mark.parametrize(("method", "order"), [("dop853", 8), ("tsit5", 5), ("rodas5p", 5)])
def test_the_observed_order_is_the_stated_one(spherical_pendulum, method, order):
    """Errors over steps of two tolerances far apart; the order is the slope in logarithms."""
    mechanism = spherical_pendulum()
    exact = mechanism.simulate(until=2.0, steps=1, tolerance=1e-13, method="dop853").motion.q[-1]
    points = []
    for tolerance in (1e-5, 1e-10) if order == 5 else (1e-4, 1e-10):
        motion = mechanism.simulate(until=2.0, steps=1, tolerance=tolerance, method=method).motion
        points.append((motion.counts["steps"], np.abs(motion.q[-1] - exact).max()))
    (few, large), (many, small) = points
    slope = math.log(large / small) / math.log(many / few)
    assert order - 1.0 < slope < order + 2.5


def test_energy_is_kept(mechanism):
    """Over 10 s at default settings the energy moves by 1e-6 of the largest kinetic energy."""
    motion = mechanism.simulate(until=10.0, steps=200)
    energy = motion.energy
    assert motion.outcome.is_done
    assert np.ptp(energy.mechanical) < 1e-6 * energy.kinetic.max()
    assert np.abs(energy.dissipated).max() == 0.0


def test_constraints_hold_at_every_sample(mechanism):
    motion = mechanism.simulate(until=2.0, steps=50).motion
    from kempe.equations import equations_of

    layout = mechanism.layout
    program = equations_of(layout).program
    for q, v, t in zip(motion.q, motion.v, motion.t, strict=True):
        last = np.zeros(program.shape.n_turns)
        phi, entries, _ = program.evaluate(layout.parameters, q, float(t), last)
        assert np.abs(phi).max() < 1e-9  # m
        assert np.abs(program.dense_jacobian(entries) @ v).max() < 1e-9


def test_reactions_and_forces_make_the_accelerations(mechanism):
    """Newton and Euler: M a = f - J^T lam to 1e-9 of the largest force, J a = gamma."""
    from kempe.compile.layout.dynamic_layout import to_centres, velocities_at_centres
    from kempe.dynamics.integration import integrated

    prepared = prepare(mechanism.layout, 0.0)
    times = np.linspace(0.0, 2.0, 21)
    out, _ = integrated(prepared, times, "dop853", 1e-8, None)
    M = prepared.equations.layout.mass_blocks
    n = M.shape[1]
    for q, v, a, lam, t in zip(out["q"], out["v"], out["a"], out["lam"], times, strict=True):
        terms = prepared.terms(q, v, float(t))
        J = prepared.equations.program.dense_jacobian(terms.entries)
        gamma, load = terms.gamma, terms.load
        inertia = np.concatenate([B @ a[k * n : (k + 1) * n] for k, B in enumerate(M)])
        held = load - J.T @ lam
        assert np.abs(inertia - held).max() <= 1e-9 * np.abs(J.T @ lam).max()
        assert np.abs(J @ a - gamma).max() <= 1e-9 * max(1.0, np.abs(gamma).max())
    origins = mechanism.simulate(until=2.0, steps=20).motion
    model = mechanism.model
    assert np.abs(to_centres(model, origins.q) - out["q"]).max() < 1e-13
    assert np.abs(velocities_at_centres(model, origins.q, origins.v) - out["v"]).max() < 1e-12


def test_a_hinge_holds_the_weight_and_the_centripetal_force(planar_pendulum):
    """From the horizontal at rest a_C = 3/4 g down: the hinge carries a quarter of the weight."""
    motion = planar_pendulum().simulate(until=1.0, steps=100)
    force = motion["hinge.force"]
    assert force.unique == (True, True)
    assert np.allclose(force.values[0], [0.0, G / 4], atol=1e-9)
    angle, rate = motion["rod.angle"].values, motion["rod.angle"].rate
    inward = -0.5 * rate**2
    turning = -1.5 * G * np.cos(angle) * 0.5
    along, across = np.cos(angle), np.sin(angle)
    x = inward * along - turning * across
    y = inward * across + turning * along + G
    assert np.allclose(force.values, np.stack([x, y], axis=1), atol=1e-7)
    assert np.abs(motion["hinge.torque"].values).max() < 1e-9


@pytest.mark.parametrize("choice", [{"executor": "vm"}, {"plan": "large"}])
def test_executors_and_plans_agree(mechanism, choice):
    motion = mechanism.simulate(until=1.0, steps=5).motion
    other = mechanism.simulate(until=1.0, steps=5, **choice).motion
    assert np.abs(motion.q - other.q).max() < SAME
    assert np.abs(motion.v - other.v).max() < 100 * SAME
    assert np.allclose(motion.multipliers, other.multipliers, atol=1e-7)
    assert np.allclose(motion.potential, other.potential, atol=1e-9)
    assert np.allclose(motion.kinetic, other.kinetic, atol=1e-9)


def test_samples_do_not_change_the_motion(spherical_pendulum):
    few = spherical_pendulum().simulate(until=2.0, steps=2)
    many = spherical_pendulum().simulate(until=2.0, steps=400)
    assert np.abs(few.motion.q[1] - many.motion.q[200]).max() < 1e-8
    assert np.abs(few.motion.q[-1] - many.motion.q[-1]).max() < 1e-12


#: Corners and edges of N = 1 ... 40 by tolerance = 1e-4 ... 1e-11; all of it is
#: `python benchmarks/flat_positions.py`.
GRID = [(1, 1e-4), (1, 1e-7), (1, 1e-11), (2, 1e-5), (3, 1e-9), (7, 1e-4), (20, 1e-8), (40, 1e-4),
        (40, 1e-11)]  # fmt: skip


@pytest.mark.parametrize(("n", "tolerance"), GRID)
def test_parallelograms_pass_their_flat_positions_on_their_branch(n_four_bar, n, tolerance):
    motion = n_four_bar(n).simulate(until=4.0, steps=40, tolerance=tolerance)
    assert motion.outcome.is_done
    angles = [motion[f"crank{k}.angle"].values for k in range(n + 1)]
    assert np.ptp(angles[0]) > math.pi  # it went through both flat positions
    assert max(np.abs(a - angles[0]).max() for a in angles) < 1e-9


def test_a_chain_of_many_links_runs_in_tiles(hinged_chain):
    chain = hinged_chain(30)
    motion = chain.simulate(until=0.2, steps=2)
    assert motion.motion.recipe.plan == "large"
    assert np.ptp(motion.energy.total) < 1e-7


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "euler"}, "no method 'euler'"),
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
    ],
)
def test_settings_that_make_no_sense_are_refused(planar_pendulum, options, words):
    with pytest.raises(BadNumber, match=words):
        planar_pendulum().simulate(until=1.0, **options)


def test_progress_is_told_and_time_never_goes_back(hinged_chain):
    seen: list[float] = []
    hinged_chain(8).simulate(until=60.0, steps=2, tolerance=1e-10, progress=seen.append)
    assert seen == sorted(seen)


def test_a_second_mechanism_of_the_same_structure_is_not_compiled_again(planar_pendulum):
    first = prepare(planar_pendulum(0.1).layout, 0.0)
    second = prepare(planar_pendulum(0.7).layout, 0.0)
    assert first.equations.program is second.equations.program
