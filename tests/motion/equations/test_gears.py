"""Turns in whole ratios, exactly; and circles without a gap at their seam."""

import dataclasses
import math
from fractions import Fraction

import numpy as np
import pytest

import kempe
from kempe.algebra import Graph
from kempe.algebra.expression import Expression
from kempe.couplers import Belt, CamLaw, Combination, GearPair
from kempe.errors import UnsolvableKind
from kempe.geometry import GROUND, Marker, Z
from kempe.geometry.curves import Circle
from kempe.measures import Gauge, Turn
from kempe.motion.equations.exact_numbers import Constants
from kempe.motion.equations.gears import exact, linear_law, whole_ratios


def turns(count):
    return tuple(
        Gauge(f"w{k}.angle", Turn(Z), Marker(GROUND), Marker(f"w{k}")) for k in range(count)
    )


@pytest.mark.parametrize(
    "fraction", [Fraction(1, 3), Fraction(5, 8), Fraction(0.1) * Fraction(0.3), Fraction(2**90 + 1)]
)
def test_a_fraction_becomes_a_formula_of_exactly_its_value(fraction):
    graph = Graph()
    made = exact(fraction, lambda x: Expression(graph, graph.constant(x)))
    assert Constants(graph)(made).fraction == fraction


def test_teeth_give_their_ratio_exactly_though_no_double_holds_it():
    pair = GearPair(turns(2), "mesh", constant=0.25, teeth=(24.0, 18.0 / 2.25))
    shares, constant = linear_law(pair, "mesh")
    assert shares == [1, Fraction(1, 3)]
    assert constant == Fraction(1, 4)
    assert whole_ratios(shares, "mesh") == ([3, 1], Fraction(1, 3))


def test_radii_are_read_as_the_whole_ratio_that_they_round():
    shares, _ = linear_law(Belt(turns(2), "belt", constant=0.0, radii=(0.3, 0.1)), "belt")
    assert shares[1] != Fraction(-1, 3)  # 0.1 and 0.3 are no tenths
    assert whole_ratios(shares, "belt")[0] == [3, -1]


@pytest.mark.parametrize("ratio", [math.sqrt(2.0), 1.0 / 3.0 + 1e-14, 65.0])
def test_a_ratio_that_is_not_of_small_whole_numbers_is_refused(ratio):
    pair = Combination(turns(2), "odd", coefficients=(1.0, ratio))
    with pytest.raises(UnsolvableKind, match="no ratio of whole numbers"):
        whole_ratios(linear_law(pair, "odd")[0], "odd")


def test_a_curved_law_is_no_sum():
    law = CamLaw(turns(2), "cam", law=lambda x: x * x)
    with pytest.raises(UnsolvableKind, match="no sum of its measures"):
        linear_law(law, "cam")


def test_the_ratio_of_teeth_is_the_number_of_turns_along_a_loop():
    m = kempe.Builder("pair", plane=True)
    a, b = m.body("a", at=(0, 0), angle=0), m.body("b", at=(3, 0), angle=0)
    m.revolute(m.ground.at(0, 0), a.at(0, 0))
    m.revolute(m.ground.at(3, 0), b.at(0, 0))
    m.couple(GearPair((a.angle, b.angle), "mesh", teeth=(10, 30)))
    mechanism = m.build()
    found = mechanism.motions()
    assert (str(found.outcome), [c.closed for c in found.components]) == ("complete", [True])
    run = mechanism.follow(found.components[0], step=0.05)
    turned = {n: abs(run[f"{n}.angle"].values[-1] - run[f"{n}.angle"].values[0]) for n in "ab"}
    assert turned["a"] == pytest.approx(6.0 * math.pi)
    assert turned["b"] == pytest.approx(2.0 * math.pi)


def test_a_placement_at_the_seam_of_a_circle_is_found_once():
    """2 pi is no double: the last 2e-16 of the circle must be searched too, and joined to 0."""
    m = kempe.Builder("seam", plane=True)
    P = m.point("P", on=Circle((0.0, 0.0), 1.0))
    m.stick("bar", m.ground.at(1.0, 2.0), P, 2.0)
    found = m.build().assemblies()
    assert (str(found.outcome), len(found)) == ("complete", 2)
    assert min(abs(complex(s.q[0], s.q[1]) - 1.0) for s in found) < 1e-12


def meshed(teeth, constant=0.0):
    m = kempe.Builder("pair", plane=True)
    a, b = m.body("a", at=(0, 0), angle=0), m.body("b", at=(3, 0), angle=0)
    m.revolute(m.ground.at(0, 0), a.at(0, 0))
    m.revolute(m.ground.at(3, 0), b.at(0, 0))
    m.couple(GearPair((a.angle, b.angle), "mesh", teeth=teeth, constant=constant))
    return m.build()


@pytest.mark.parametrize("teeth", [(11, 13), (17, 23), (64, 63), (30, 9)])
@pytest.mark.parametrize("constant", [0.0, 0.7])
def test_wheels_without_a_common_tooth_make_one_loop_and_keep_their_ratio(teeth, constant):
    mechanism = meshed(teeth, constant)
    found = mechanism.motions()
    assert (str(found.outcome), [c.closed for c in found.components]) == ("complete", [True])
    samples = found.components[0].sample(0.05)
    own = {name: mechanism.layout.body_index[name] for name in "ab"}
    a, b = (samples.q[:, 3 * own[name] + 2] for name in "ab")
    k, l = (t // math.gcd(*teeth) for t in teeth)
    shares, fixed = linear_law(mechanism.model.couplers[0], "mesh")
    whole, unit = whole_ratios(shares, "mesh")
    assert {abs(w) for w in whole} == {k, l}
    off = whole[0] * a + whole[1] * b - float(fixed / unit)
    np.testing.assert_allclose(np.exp(1j * off), 1.0, atol=1e-9)
    # once round the loop each wheel makes as many turns as the other has teeth
    for angle, turns_made in ((a, l), (b, k)):
        gone = abs(angle[-1] - angle[0]) / math.tau
        assert turns_made - 0.1 * turns_made < gone < turns_made


@pytest.mark.parametrize("teeth", [(11, 13), (17, 23)])
def test_the_loop_of_a_meshed_pair_is_proved_again(teeth):
    """Its one unknown has no row at all: all of its circle is the motion."""
    found = meshed(teeth).motions()
    assert found.verify().holds
    assert not dataclasses.replace(found, components=()).verify().holds


@pytest.mark.parametrize("teeth", [(3, 4), (11, 13), (17, 23)])
def test_a_wheel_that_is_held_leaves_the_other_as_many_places_as_the_ratio_says(teeth):
    """l b = const - k a: b has l places, a twentieth of a turn or so apart."""
    found = meshed(teeth).assemblies({"a.angle": 0.3})
    shares, _ = linear_law(meshed(teeth).model.couplers[0], "mesh")
    whole, _ = whole_ratios(shares, "mesh")
    assert (str(found.outcome), len(found)) == ("complete", abs(whole[1]))


@pytest.mark.parametrize("teeth", [(5, 7), (17, 23)])
def test_a_geared_five_bar_has_a_loop_for_each_side_of_its_tip(teeth):
    """Its cranks are short: the circles of the long links always cut each other twice."""
    m = kempe.Builder("geared five-bar", plane=True)
    a, b, c, d = (m.bar(n, x) for n, x in (("a", 0.5), ("b", 0.4), ("c", 2.0), ("d", 2.25)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(m.ground.at(1.5, 0), b.start)
    m.revolute(a.end, c.start)
    m.revolute(b.end, d.start)
    m.revolute(c.end, d.end)
    m.couple(GearPair((a.angle, b.angle), "mesh", teeth=teeth))
    found = m.build().motions()
    assert (str(found.outcome), [c.closed for c in found.components]) == ("complete", [True, True])


@pytest.mark.parametrize("factor", [1.0, -2.0, 0.5])
def test_a_pair_said_again_times_a_factor_is_in_step_once(factor):
    m = kempe.Builder("pair", plane=True)
    a, b = m.body("a", at=(0, 0), angle=0), m.body("b", at=(3, 0), angle=0)
    m.revolute(m.ground.at(0, 0), a.at(0, 0))
    m.revolute(m.ground.at(3, 0), b.at(0, 0))
    angles = (a.angle, b.angle)
    m.couple(Combination(angles, "mesh", coefficients=(3.0, 2.0), constant=-1.525))
    again = tuple(factor * x for x in (3.0, 2.0))
    m.couple(Combination(angles, "again", coefficients=again, constant=-1.525 * factor))
    found = m.build().motions()
    assert (str(found.outcome), [c.closed for c in found.components]) == ("complete", [True])
    assert found.verify().failures == ()
