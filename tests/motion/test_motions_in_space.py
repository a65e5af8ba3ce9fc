"""Certified motions in space against closed forms, and all that a map of them can do."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import UnsolvableKind
from kempe.geometry import GROUND, Marker
from kempe.joints import Prismatic
from tests.motion import _loops_in_space as loops
from tests.motion import _machines_in_space as machines

CLOSE = 1e-9  # rows of joints in metres or cosines, of machines of the size of 1
NEAR = 5e-3  # rad: ends of ranges that are read from samples
RATE = 1e-3  # of velocities by differences of samples that are 0.01 apart


@pytest.mark.parametrize("seed", range(25))
def test_a_spherical_four_bar_has_the_loops_that_grashofs_rule_gives(seed):
    rng = np.random.default_rng(seed)
    sides = rng.uniform(0.3, 1.5, 4)
    arcs = loops.pieces(loops.turn_of_crank(sides))
    if arcs is None:
        pytest.skip("nearly a change point")
    mechanism = machines.spherical_four_bar(tuple(sides), rng.normal(size=3))
    found = mechanism.motions()
    wanted = 0 if not arcs else 2 if loops.spherical_grashof(sides) else 1
    assert (str(found.outcome), len(found)) == ("complete", wanted)
    assert all(c.closed for c in found.components)
    each = arcs * 2 if loops.loops(arcs) > len(arcs) else arcs
    assert not loops.unlike(loops.ranges(mechanism, found, "crank_hinge.angle"), each, NEAR)


@pytest.mark.parametrize("seed", range(25))
def test_an_rssr_has_a_loop_over_every_arc_where_its_quadratic_has_roots(seed):
    rng = np.random.default_rng(seed)
    crank, rocker, rod = rng.uniform(0.3, 2.0, 3)
    numbers = (crank, rocker, rod, rng.uniform(-1.5, 1.5, 3), machines.random_turn(rng))
    arcs = loops.pieces(loops.turn_of_rssr(*numbers))
    if arcs is None:
        pytest.skip("nearly a change point")
    mechanism = loops.rssr(*numbers)
    found = mechanism.motions()
    assert (str(found.outcome), len(found)) == ("complete", loops.loops(arcs))
    each = arcs * 2 if loops.loops(arcs) > len(arcs) else arcs
    assert not loops.unlike(loops.ranges(mechanism, found, "first.angle"), each, NEAR)


@pytest.mark.parametrize("seed", range(12))
def test_limits_of_an_angle_cut_loops_into_the_arcs_that_the_quadratic_has_there(seed):
    rng = np.random.default_rng(seed)
    crank, rocker, rod = rng.uniform(0.3, 2.0, 3)
    numbers = (crank, rocker, rod, rng.uniform(-1.5, 1.5, 3), machines.random_turn(rng))
    low = float(rng.uniform(-2.0, 0.0))
    limits = (low, low + float(rng.uniform(0.3, 3.0)))
    counts = loops.within(loops.turn_of_rssr(*numbers), *limits)
    if counts is None:
        pytest.skip("nearly a change point")
    found = loops.rssr(*numbers).motions(limits={"first.angle": limits})
    closed = sum(c.closed for c in found.components)
    assert str(found.outcome) == "complete"
    assert (closed, len(found) - closed) == counts
    ends = {end.limit for c in found.components for end in c.ends}
    assert ends <= {"first.angle at least", "first.angle at most"}


@pytest.mark.parametrize(("lengths", "count"), [((1, 2.5, 3, 2.8), 2), ((2, 2.5, 3, 2.2), 1)])
def test_a_planar_four_bar_has_as_many_loops_in_space_as_in_the_plane(lengths, count):
    upright = loops.four_bar(*lengths, np.eye(3)).motions()
    assert (str(upright.outcome), len(upright)) == ("complete", count)
    turn = machines.random_turn(np.random.default_rng(1))
    tilted = loops.four_bar(*lengths, turn).motions()
    assert (str(tilted.outcome), len(tilted)) == ("numerical", count)
    assert "exactly is not proved" in tilted.message


def test_every_assembly_of_a_platform_on_six_rods_is_on_a_loop_of_five_of_them():
    a, b, lengths = machines.random_platform(np.random.default_rng(2), flat=True)
    found = machines.platform(a[:5], b[:5], lengths[:5]).motions()
    assert str(found.outcome) == "complete"
    states = machines.platform(a, b, lengths).assemblies()
    assert len(states) > 0
    assert all(found.component_of(state.q) is not None for state in states)


def test_a_loop_is_followed_with_the_velocities_of_its_bodies():
    mechanism = kempe.gallery.spherical_four_bar()
    (component, _) = mechanism.motions().components
    motion = mechanism.follow(component, 0.01).motion
    chart, at = mechanism.layout.chart, mechanism.layout.coordinates
    k, h = len(motion.t) // 3, 1
    before, after = (chart.placed(motion.q[i, at.q_of(1)]) for i in (k - h, k + h))
    here = chart.placed(motion.q[k, at.q_of(1)]).rotation.matrix()
    step = motion.t[k + h] - motion.t[k - h]
    W = here.T @ (after.rotation.matrix() - before.rotation.matrix()) / step  # R^T R'
    spin = motion.v[k, at.spin_of(1)]
    assert np.allclose([W[2, 1], W[0, 2], W[1, 0]], spin, atol=RATE)
    assert np.linalg.norm(spin) > 0.1


def test_a_map_in_space_is_the_same_after_saving(tmp_path):
    mechanism = kempe.gallery.spatial_slider_crank()
    found = mechanism.motions()
    loaded = kempe.MotionMap.load(found.save(tmp_path / "map.npz"))
    assert str(loaded) == str(found)
    assert (loaded.form, loaded.readings.loose) == (found.form, ("rod",))
    for mine, there in zip(found.components, loaded.components, strict=True):
        assert np.array_equal(mine.sample().q, there.sample().q)
        assert machines.residual_along(mechanism, there) < CLOSE
    numbers = sorted(loaded.component_of(s.q) for s in mechanism.assemblies(at=0.1))
    assert numbers == [0, 1]


def test_a_position_is_found_however_its_rod_is_turned_about_its_line():
    mechanism = kempe.gallery.spatial_slider_crank()
    found = mechanism.motions()
    q = mechanism.assemblies(at=0.1).states[0].q
    at = mechanism.layout.coordinates
    rod = at.turns(q)[1]
    w, x, y, z = rod  # q i: half a turn about x of the rod, its line
    turned = q.copy()
    at.turns(turned)[1] = [-x, w, z, -y]
    assert found.component_of(turned) == found.component_of(q) is not None
    astray = q.copy()
    at.turns(astray)[0] = [math.cos(0.2), 0.0, 0.0, math.sin(0.2)]
    assert found.component_of(astray) is None


def test_turning_points_in_space_are_the_ends_of_the_range():
    rng = np.random.default_rng(5)
    numbers = (1.0, 1.0, 1.5, rng.uniform(0.5, 1.0, 3), machines.random_turn(rng))
    arcs = loops.pieces(loops.turn_of_rssr(*numbers))
    mechanism = loops.rssr(*numbers)
    found = mechanism.turning_points("first.angle")
    assert str(found.outcome) == "complete"
    wanted = [] if math.isinf(arcs[0][0]) else [end for arc in arcs for end in arc]
    turns = [mechanism.layout.coordinates.turns(state.q)[0] for state in found]
    listed = [2.0 * math.atan2(z, w) for w, _, _, z in turns]
    assert len(listed) == len(wanted) > 0
    for angle in wanted:
        assert min(abs(math.remainder(angle - other, math.tau)) for other in listed) < 1e-5


def test_a_slide_moves_between_its_limits():
    m = kempe.Builder("slide")
    block = m.body("block")
    m.add(Prismatic(Marker(GROUND), block.at(0, 0, 0)), "guide")
    found = m.build().motions(limits={"guide.displacement": (0, 0.2)})
    assert str(found) == "slide: 1 arc - complete."
    (arc,) = found.components
    assert sorted(round(float(end.q[2]), 12) for end in arc.ends) == [0.0, 0.2]


def test_more_freedoms_than_two_are_refused_with_what_to_hold():
    m = kempe.Builder("top")
    m.add(kempe.joints.Spherical(m.ground.at(0, 0, 0), m.body("top").at(0, 0, 0)), "ball")
    with pytest.raises(UnsolvableKind, match="hold 2 or 1 more of its measures"):
        m.build().motions()


def test_pictures_of_a_map_in_space_show_its_paths_and_plots():
    mechanism = kempe.gallery.spherical_four_bar()
    pictures = mechanism.pictures(mechanism.motions())
    path = pictures.path("coupler.end")
    assert "across of coupler.end" in path
    assert "2: loop" in path
    assert "rocker.angle against crank.angle" in pictures.plot("rocker.angle", "crank.angle")
    assert "placements of component 1" in pictures.placements()


@pytest.mark.parametrize("kinds", ["RSCR", "RUSR"])
def test_positions_that_newton_finds_of_a_chain_lie_on_its_loops(kinds):
    rng = np.random.default_rng(3)
    mechanism = loops.random_loop(rng, kinds)
    found = mechanism.motions()
    assert str(found.outcome) == "complete"
    positions = loops.positions_by_newton(mechanism, rng, starts=8)
    assert len(positions) > 0
    assert all(found.component_of(q) is not None for q in positions)
    assert all(machines.residual_along(mechanism, c) < CLOSE for c in found.components)
