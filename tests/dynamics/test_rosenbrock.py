"""Rodas5P: its numbers by the order conditions, its motions by closed forms and DOP853."""

import itertools
import math
import pickle

import numpy as np
import pytest

from kempe import Builder, Inertia, Outcome
from kempe.algebra.native import core
from kempe.forces import SpringDamper
from kempe.gallery import COURSES, MECHANISMS
from kempe.joints import Prismatic

pytestmark = pytest.mark.core

EXACT = 1e-12  # conditions of the tableau, whose numbers have 16 digits and sizes up to 165


# -- the tableau ------------------------------------------------------------------------------


def trees(order):
    """Rooted trees with `order` nodes, each a sorted tuple of its branches."""
    if order == 1:
        return [()]
    found = set()
    for sizes in partitions(order - 1):
        for branches in itertools.product(*(trees(size) for size in sizes)):
            found.add(tuple(sorted(branches)))
    return sorted(found)


def partitions(n, most=None):
    most = n if most is None else most
    if n == 0:
        return [()]
    return [(k, *rest) for k in range(min(n, most), 0, -1) for rest in partitions(n - k, k)]


def nodes(tree):
    return 1 + sum(map(nodes, tree))


def density(tree):
    return nodes(tree) * math.prod(map(density, tree))


def tableau():
    """alpha, beta = alpha + Gamma and Gamma, from the numbers without products with F_y."""
    told = core.rodas5p()
    s = len(told.b)
    a, C = (np.zeros((s, s)) for _ in range(2))
    for i in range(s):
        a[i, :i], C[i, :i] = told.a[i], told.C[i]
    Gamma = np.linalg.inv(np.eye(s) / told.gamma - C)
    alpha = a @ Gamma
    return told, alpha, alpha + Gamma, Gamma


def elementary(tree, alpha, beta):
    """Sums over the stages: beta below a node with one branch, alpha below others."""
    product = np.ones(len(alpha))
    for branch in tree:
        by = beta if len(tree) == 1 else alpha
        product = product * (by @ elementary(branch, alpha, beta))
    return product


@pytest.mark.parametrize("tree", [t for order in range(1, 6) for t in trees(order)], ids=str)
def test_rodas5p_fulfils_every_order_condition_up_to_order_5(tree):
    told, alpha, beta, Gamma = tableau()
    b = np.array(told.b) @ Gamma
    assert told.order == 5
    assert b @ elementary(tree, alpha, beta) == pytest.approx(1.0 / density(tree), abs=EXACT)


@pytest.mark.parametrize("tree", [t for order in range(1, 5) for t in trees(order)], ids=str)
@pytest.mark.parametrize("x", [0.2, 0.5, 0.9])
def test_its_polynomial_fulfils_every_order_condition_up_to_order_4(tree, x):
    told, alpha, beta, Gamma = tableau()
    d = np.array(told.dense)
    b = x * (np.array(told.b) + (1.0 - x) * (d[0] + x * (d[1] + x * d[2]))) @ Gamma
    wanted = x ** nodes(tree) / density(tree)
    assert b @ elementary(tree, alpha, beta) == pytest.approx(wanted, abs=EXACT)


def test_its_estimate_has_order_4_and_its_last_stage_is_the_result():
    told, alpha, beta, Gamma = tableau()
    lower = (np.array(told.b) - np.array(told.error)) @ Gamma
    for order in range(1, 5):
        for tree in trees(order):
            assert lower @ elementary(tree, alpha, beta) == pytest.approx(
                1.0 / density(tree), abs=EXACT
            )
    off = [abs(lower @ elementary(t, alpha, beta) - 1.0 / density(t)) for t in trees(5)]
    assert max(off) > 1e-6
    # stiffly accurate, and so exact for index-1 rows: b is the last row of beta
    assert np.array(told.b) @ Gamma == pytest.approx(beta[-1], abs=EXACT)
    assert alpha.sum(axis=1) == pytest.approx(told.c, abs=EXACT)
    assert Gamma.sum(axis=1) == pytest.approx(told.d, abs=EXACT)


def test_it_is_stable_for_every_decay_and_forgets_what_is_very_stiff():
    told, _, beta, Gamma = tableau()
    b, one = np.array(told.b) @ Gamma, np.ones(len(beta))
    for z in (-1.0, -1e2, -1e4, -1e8, 10j, 1e3j, -1e3 + 1e3j):
        R = 1.0 + z * b @ np.linalg.solve(np.eye(len(beta)) - z * beta, one)
        assert abs(R) <= 1.0 + 1e-9
        if z.real < 0.0 and abs(z) >= 1e3:
            assert abs(R) < 20.0 / abs(z) + 1e-9  # L-stable: it vanishes as z grows


# -- motions ----------------------------------------------------------------------------------


def damped_slider(k, c, x0=0.3, mass=2.0):
    m = Builder("slider", plane=True)
    cart = m.body("cart", at=(x0, 0), angle=0.0, inertia=Inertia(mass, (0, 0, 0), np.eye(3)))
    rail = m.ground.at(0, 0).facing((1, 0))
    guide = m.add(Prismatic(rail, cart.at(0, 0).facing((1, 0))), "guide")
    m.force(SpringDamper(guide.displacement, stiffness=k, damping=c), "brake")
    return m.build()


def decay(k, c, t, x0=0.3, mass=2.0):
    """x of an overdamped mass that is let go at x0; the slow root without subtraction."""
    fast = -(c + math.sqrt(c * c - 4.0 * k * mass)) / (2.0 * mass)
    slow = k / mass / fast
    return x0 * (slow * np.exp(fast * t) - fast * np.exp(slow * t)) / (slow - fast)


@pytest.mark.parametrize("scale", [1e2, 1e5, 1e7])
def test_a_mass_on_a_strong_damper_creeps_as_the_closed_form_says(scale):
    k, c = 0.4 * scale, scale
    run = damped_slider(k, c).simulate(until=3.0, steps=60, method="rodas5p", tolerance=1e-9)
    assert run.outcome.is_done
    x = run["cart.x"].values if "cart.x" in run.names else run.motion.q[:, 0]
    assert np.abs(x - decay(k, c, run.t)).max() < 1e-7
    assert run.motion.counts["steps"] < 3000


@pytest.mark.parametrize("name", [n for n in COURSES if n != "stiff_flyball_governor"])
def test_every_entry_moves_as_by_the_explicit_method(name):
    machine, until = MECHANISMS[name](), 0.2 * COURSES[name].until
    explicit = machine.simulate(until=until, steps=20, tolerance=1e-11)
    implicit = machine.simulate(until=until, steps=20, tolerance=1e-9, method="rodas5p")
    assert implicit.outcome.is_done
    size = np.abs(explicit.motion.q).max()
    assert np.abs(implicit.motion.q - explicit.motion.q).max() < 1e-6 * size
    a = np.abs(explicit.motion.a).max()
    assert np.abs(implicit.motion.a - explicit.motion.a).max() < 1e-4 * a
    lam = np.abs(explicit.motion.multipliers).max(initial=0.0)
    off = np.abs(implicit.motion.multipliers - explicit.motion.multipliers).max(initial=0.0)
    assert off <= 1e-4 * lam
    assert np.ptp(implicit.energy.total) < 1e-6 * implicit.energy.kinetic.max()


@pytest.mark.parametrize("plan", ["small", "large"])
def test_the_stiff_governor_moves_as_was_published(plan):
    governor = MECHANISMS["stiff_flyball_governor"]()
    run = governor.simulate(until=1.0, steps=10, method="rodas5p", tolerance=1e-7, plan=plan)
    # Pinocchio's accelerations integrated by SciPy's Radau at 1e-10
    assert run["guide.displacement"].values[[5, 10]] == pytest.approx(
        [0.743249, 0.501421], abs=3e-6
    )
    assert run.motion.recipe.method == "rodas5p"
    assert np.ptp(run.energy.total) < 1e-5 * run.energy.kinetic.max()


def test_its_result_pickles_and_can_be_stopped():
    governor = MECHANISMS["stiff_flyball_governor"]()
    seen = []

    def stop(t):
        seen.append(t)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        governor.simulate(until=100.0, method="rodas5p", tolerance=1e-11, progress=stop)
    run = governor.simulate(until=0.1, steps=5, method="rodas5p")
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again.motion.q, run.motion.q)
    assert isinstance(run.outcome, Outcome)
