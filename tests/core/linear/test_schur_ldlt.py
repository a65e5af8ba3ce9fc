"""Bodies held by joints: accelerations and multipliers, also where rows are too many."""

import numpy as np
import pytest

from kempe import _core

pytestmark = pytest.mark.core

#: Relative to the largest number in the answer; condition numbers here stay below 1e4.
ACCURATE = 1e-11
#: S + 1e-8 diag(S), refined: what is left of the damping after two corrections.
DAMPED = 1e-8


def solver_of(saddle, **limits):
    solver = _core.SchurLDLT(*saddle.layout, **limits)
    solver.set_mass(saddle.mass_blocks)
    return solver


def right_hand_sides(saddle, seed=0):
    """Forces, and accelerations of the constraints that some motion fulfils."""
    rng = np.random.default_rng(seed)
    f = rng.normal(size=len(saddle.M))
    return f, saddle.J @ rng.normal(size=len(saddle.M))


def largest_error(found, true):
    return np.abs(found - true).max() / np.abs(true).max()


def check(saddle, tolerance, damped, seed=0):
    solver = solver_of(saddle)
    assert solver.factor(saddle.jacobian_blocks)
    assert solver.damped is damped
    f, g = right_hand_sides(saddle, seed)
    found = solver.solve(f, g)
    a, lam = found.a, found.lam
    true_a, joint_force = saddle.solution(f, g)
    assert largest_error(a, true_a) < tolerance
    assert largest_error(saddle.J.T @ lam, joint_force) < tolerance
    return solver


def random_joint(rng, rows, bodies, sizes):
    return [(b, rng.normal(size=(rows, sizes[b]))) for b in bodies]


@pytest.mark.parametrize("count", [1, 2, 3, 10, 40])
def test_chains_fall_as_the_full_matrix_says(spherical_chain, planar_chain, count):
    for seed in range(3):
        check(spherical_chain(count, seed), ACCURATE, damped=False)
        check(planar_chain(count, seed), ACCURATE, damped=False)


@pytest.mark.parametrize("seed", range(10))
def test_joints_of_any_size_hold_bodies_of_any_size(saddle, seed):
    rng = np.random.default_rng(seed)
    sizes = rng.choice([3, 4, 6, 7], 8)
    masses = []
    for size in sizes:
        root = rng.normal(size=(size, size))
        masses.append(root @ root.T + np.eye(size))
    joints = []
    for k, rows in enumerate(rng.choice([1, 2, 3], 8)):
        touched = [k, (k + 3) % 8, (k + 4) % 8][: 1 + k % 3]
        joints.append(random_joint(rng, rows, touched, sizes))
    check(saddle(masses, joints), 1e-9, damped=False)


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 6, 7])
def test_every_number_of_rows_is_right(saddle, rows):
    rng = np.random.default_rng(rows)
    masses = [np.diag(rng.uniform(0.5, 2.0, 9)) for _ in range(5)]
    joints = [random_joint(rng, rows, [k, k + 1], [9] * 5) for k in range(4)]
    check(saddle(masses, joints), 1e-9, damped=False)


def test_a_closed_loop_and_a_body_with_many_joints_are_right(saddle):
    rng = np.random.default_rng(11)
    masses = [np.diag(rng.uniform(0.5, 2.0, 6)) for _ in range(12)]
    pairs = [(k, (k + 1) % 6) for k in range(6)] + [(0, k) for k in range(6, 12)]
    joints = [random_joint(rng, 3, pair, [6] * 12) for pair in pairs]
    check(saddle(masses, joints), 1e-9, damped=False)


def test_the_order_of_the_joints_changes_nothing(planar_chain, saddle):
    chain = planar_chain(9, 1)
    order = np.random.default_rng(0).permutation(9)
    shuffled = saddle(chain.masses, [chain.joints[k] for k in order])
    f, g = right_hand_sides(chain)
    rows = np.concatenate([[2 * k, 2 * k + 1] for k in order])
    straight, mixed = solver_of(chain), solver_of(shuffled)
    assert straight.factor(chain.jacobian_blocks)
    assert mixed.factor(shuffled.jacobian_blocks)
    found = straight.solve(f, g)
    a, lam = found.a, found.lam
    found = mixed.solve(f, g[rows])
    mixed_a, mixed_lam = found.a, found.lam
    assert mixed_a == pytest.approx(a, rel=1e-10, abs=1e-12)
    assert mixed_lam == pytest.approx(lam[rows], rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("angle", [0.4, 1.1, 2.3])
def test_a_loop_of_hinges_moves_right_though_three_rows_are_too_many(hinged_parallelogram, angle):
    solver = check(hinged_parallelogram(angle), DAMPED, damped=True)
    assert solver.remaining_misfit < DAMPED
    assert solver.smallest_pivot_ratio < 1e-7
    assert solver.weakest.joint != -1


@pytest.mark.parametrize("seed", range(6))
def test_repeated_joints_change_no_acceleration(spherical_chain, saddle, seed):
    chain = spherical_chain(6, seed)
    doubled = saddle(chain.masses, chain.joints + chain.joints[1:4])
    check(doubled, DAMPED, damped=True, seed=seed)


def test_the_flat_position_of_a_parallelogram_is_passed(hinged_parallelogram):
    check(hinged_parallelogram(0.0), 1e-7, damped=True)


def test_each_refinement_takes_the_damping_further_out(hinged_parallelogram):
    loop = hinged_parallelogram(1.1)
    f, g = right_hand_sides(loop)
    true_a, _ = loop.solution(f, g)
    errors = []
    for count in range(3):
        solver = solver_of(loop, damping=1e-5, refinements=count, most_refinements=count)
        assert solver.factor(loop.jacobian_blocks)
        errors.append(largest_error(solver.solve(f, g).a, true_a))
    assert errors[0] > 1e-6
    assert errors[1] < 1e-2 * errors[0]
    assert errors[2] < 1e-2 * errors[1]


def test_rows_that_contradict_each_other_leave_a_misfit(planar_chain, saddle):
    chain = planar_chain(3, 0)
    doubled = saddle(chain.masses, [*chain.joints, chain.joints[1]])
    f, g = right_hand_sides(doubled)
    solver = solver_of(doubled)
    assert solver.factor(doubled.jacobian_blocks)
    solver.solve(f, g)
    assert solver.remaining_misfit < DAMPED
    g[-1] += 1.0
    solver.solve(f, g)
    assert solver.remaining_misfit > 1e-2


def test_a_row_of_zeros_is_damped_and_harmless(planar_chain, saddle):
    chain = planar_chain(4, 2)
    idle = [(2, np.zeros((1, 3)))]
    with_idle = saddle(chain.masses, [*chain.joints, idle])
    check(with_idle, DAMPED, damped=True)
    solver = solver_of(with_idle)
    solver.factor(with_idle.jacobian_blocks)
    assert (solver.weakest.joint, solver.weakest.row) == (4, 0)


@pytest.mark.parametrize("thinness", [1e-3, 1e-5])
def test_thin_rods_are_not_mistaken_for_redundant_ones(planar_chain, saddle, thinness):
    chain = planar_chain(5, 3)
    thin = [np.diag([1.0, 1.0, thinness]) for _ in chain.masses]
    check(saddle(thin, chain.joints), 1e-8, damped=False)


def test_several_right_hand_sides_are_solved_as_one_by_one(spherical_chain):
    chain = spherical_chain(4, 0)
    solver = solver_of(chain)
    assert solver.factor(chain.jacobian_blocks)
    rng = np.random.default_rng(0)
    f, g = rng.normal(size=(5, 24)), rng.normal(size=(5, 12))
    found = solver.solve(f, g)
    a, lam = found.a, found.lam
    one_by_one = [solver.solve(*pair) for pair in zip(f, g, strict=True)]
    assert np.array_equal(a, [one.a for one in one_by_one])
    assert np.array_equal(lam, [one.lam for one in one_by_one])


def test_new_values_need_no_new_solver(spherical_chain):
    first, second = spherical_chain(7, 0), spherical_chain(7, 1)
    solver = solver_of(first)
    assert solver.factor(first.jacobian_blocks)
    solver.set_mass(second.mass_blocks)
    assert solver.factor(second.jacobian_blocks)
    f, g = right_hand_sides(second)
    assert largest_error(solver.solve(f, g).a, second.solution(f, g)[0]) < ACCURATE


def test_bodies_without_joints_fall_freely():
    none = np.zeros(0, np.int32)
    solver = _core.SchurLDLT(np.array([3], np.int32), none, np.zeros(1, np.int32), none)
    solver.set_mass(np.diag([2.0, 2.0, 0.5]).ravel())
    assert solver.factor(np.zeros(0))
    found = solver.solve(np.array([2.0, 4.0, 1.0]), np.zeros(0))
    a, lam = found.a, found.lam
    assert a == pytest.approx([1.0, 2.0, 2.0])
    assert len(lam) == 0


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_finite_fails(planar_chain, wrong):
    chain = planar_chain(3, 0)
    solver = solver_of(chain)
    blocks = chain.jacobian_blocks
    blocks[7] = wrong
    assert not solver.factor(blocks)
    with pytest.raises(ValueError, match="no factors"):
        solver.solve(np.zeros(9), np.zeros(6))
    assert solver.factor(chain.jacobian_blocks)


@pytest.mark.parametrize("mass", [0.0, -1.0, np.nan])
def test_a_body_without_mass_is_named(planar_chain, mass):
    chain = planar_chain(3, 0)
    solver = _core.SchurLDLT(*chain.layout)
    blocks = chain.mass_blocks
    blocks[9 + 4] = mass
    with pytest.raises(ValueError, match="mass block of body 1 is not positive definite"):
        solver.set_mass(blocks)
    with pytest.raises(ValueError, match="set_mass comes before factor"):
        solver.factor(chain.jacobian_blocks)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({0: [3, 0]}, "at least one velocity"),
        ({1: [2, 0]}, "at least one row"),
        ({2: [0, 1]}, "one index more than there are joints"),
        ({2: [0, 2, 1]}, "must rise from 0"),
        ({3: [0, 0, 5]}, "touch_bodies has the index 5"),
        ({3: [0, 1, 1]}, "joint 1 touches a body twice"),
    ],
)
def test_a_layout_that_cannot_be_is_named(change, complaint):
    layout = [[3, 3], [2, 2], [0, 1, 3], [0, 0, 1]]
    for place, value in change.items():
        layout[place] = value
    with pytest.raises(ValueError, match=complaint):
        _core.SchurLDLT(*(np.array(part, np.int32) for part in layout))
