"""A position has one name, a bar without length no direction, and a held slide is where it is."""

import itertools
import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber
from kempe.geometry.curves import Arc, Circle
from kempe.results.maps.certificate import Promise

CLOSE = 1e-9  # of lengths of the size of 1: far above a proved radius, far below two solutions


def four_bar():
    return kempe.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm")


@pytest.mark.parametrize("ends", [("0 deg", "360 deg"), ("-180 deg", "180 deg"), (0, 13), (-50, 9)])
def test_limits_as_wide_as_a_turn_exclude_no_position_and_list_none_twice(ends):
    limits = {"crank.angle": ends}
    found = four_bar().motions(limits=limits)
    assert (found.outcome, [c.closed for c in found.components]) == (Promise.COMPLETE, [True, True])
    found = four_bar().assemblies({"coupler.angle": 0.6}, limits=limits)
    assert len(found) == len(four_bar().assemblies({"coupler.angle": 0.6})) == 2


@pytest.mark.parametrize("ends", [(0.5, 6.5), (5.0, 8.0), (-9.0, -7.0)])
def test_limits_narrower_than_a_turn_cut_both_loops_wherever_they_lie(ends):
    found = four_bar().motions(limits={"crank.angle": ends})
    assert (found.outcome, [c.closed for c in found.components]) == (
        Promise.COMPLETE,
        [False, False],
    )


@pytest.mark.parametrize("end", [math.tau, 7.0, 4.0 * math.pi])
def test_an_arc_as_long_as_its_circle_is_refused_in_words(end):
    with pytest.raises(BadNumber, match=r"runs over itself.*Circle"):
        Arc((0, 0), 1.0, 0.0, end)


def chord(word):
    """A bar from (1, 0), on the unit circle, to a point P of that circle: it can shrink away."""
    m = kempe.Builder("chord", plane=True)
    P = m.point("P", on=Circle((0, 0), 1.0))
    bar, other = (
        m.stick("bar", m.ground.at(1, 0), P),
        m.stick("other", m.ground.at(0, 0), m.ground.at(3, 4)),
    )
    word(m, bar, other)
    return m.build()


def foot(theta):
    """The distance of the origin from the chord to the point at theta."""
    return abs(math.cos(theta / 2))


def direction(theta):
    """The direction of the chord from (1, 0) to the point at theta, in (0, 2 pi)."""
    return theta / 2 + math.pi / 2


LEAN = math.atan2(4.0, 3.0)
WORDS = {  # what is asked, and the angles theta of P, from the chord's closed form
    "tangent": (
        lambda m, bar, other: bar.tangent_to(Circle((0, 0), 0.5)),
        [2 * math.acos(0.5), 2 * math.pi - 2 * math.acos(0.5)],
    ),
    "clear": (
        lambda m, bar, other: bar.clear_of(m.ground.at(0, 0), 0.25),
        [2 * math.acos(0.25), 2 * math.pi - 2 * math.acos(0.25)],
    ),
    "parallel": (
        lambda m, bar, other: bar.parallel_to(other),
        [2 * (LEAN + math.pi - math.pi / 2)],
    ),
    "angle": (
        lambda m, bar, other: bar.angle_to(other, 1.0),
        [2 * (LEAN + 1.0 - math.pi / 2)],
    ),
    "lines": (
        lambda m, bar, other: bar.angle_to(other, 1.0, oriented=False),
        [2 * (LEAN + turn - math.pi / 2) for turn in (1.0, math.pi - 1.0)],
    ),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_bar_that_can_vanish_does_not_hold_its_word_by_vanishing(word):
    asked, expected = WORDS[word]
    found = chord(asked).assemblies()
    assert (found.outcome, len(found)) == (Promise.COMPLETE, len(expected)), str(found)
    places = [math.atan2(state.q[1], state.q[0]) % math.tau for state in found]
    for theta in expected:
        assert min(abs(math.remainder(theta - at, math.tau)) for at in places) < CLOSE


def platform(legs):
    """Three legs that turn and slide between the ground and a platform."""
    m = kempe.Builder("platform", plane=True)
    top = m.body("top", at=(0.5, 1.0))
    for k, (foot_at, on_top) in enumerate(zip(FEET, TOP, strict=True)):
        if legs == "rods":
            m.stick(f"leg{k}", m.ground.at(*foot_at), top.at(*on_top), LENGTHS[k])
            continue
        lower, upper = m.body(f"lower{k}"), m.body(f"upper{k}")
        m.revolute(m.ground.at(*foot_at), lower.at(0, 0))
        m.prismatic(lower.at(0, 0), upper.at(0, 0), along=AXES[k], name=f"leg{k}")
        m.revolute(upper.at(0, 0), top.at(*on_top))
    return m.build()


FEET, TOP = ((0, 0), (2, 0), (1, 2)), ((-0.3, 0), (0.3, 0), (0, 0.4))
LENGTHS = (1.2, 1.1, 1.3)
AXES = ((1, 0, 0), (0.6, 0.8, 0), (math.cos(0.7), math.sin(0.7), 0))


def test_held_slides_place_a_platform_as_rods_of_their_lengths_do():
    held = {f"leg{k}.displacement": LENGTHS[k] for k in range(3)}
    slides, rods = platform("slides").assemblies(held), platform("rods").assemblies()
    assert slides.outcome is rods.outcome is Promise.COMPLETE
    assert len(slides) == len(rods) == 2
    for state in slides:
        assert min(np.abs(state.q[:2] - other.q[:2]).max() for other in rods) < CLOSE
        turn = np.exp(1j * state.q[2])
        for k, ((x, y), (u, v)) in enumerate(zip(FEET, TOP, strict=True)):
            tip = complex(*state.q[:2]) + turn * complex(u, v)
            assert math.isclose(abs(tip - complex(x, y)), LENGTHS[k], abs_tol=CLOSE)


def test_a_platform_moves_with_one_slide_free_or_limited():
    held = {"leg0.displacement": 1.2, "leg1.displacement": 1.1}
    free = platform("slides").motions(held)
    assert (free.outcome, len(free)) == (
        Promise.COMPLETE,
        2,
    )  # the third leg drawn out or pushed in
    out = platform("slides").motions(held, limits={"leg2.displacement": (0.01, 5.0)})
    assert (out.outcome, len(out)) == (Promise.COMPLETE, 1)


SCALES = [10.0**k for k in (-6, -3, 0, 2, 6)]


def scaled(scale, *, third):
    """A parallelogram of cranks, the third of them making it a surplus of rows, at a scale."""
    m = kempe.Builder("cranks", plane=True, units="m")
    coupler = m.bar("coupler", 2.0 * scale, at=(0.54 * scale, 0.84 * scale), angle=0.0)
    for k, at in enumerate((0.0, 2.0, 0.75)):
        length = (third if k == 2 else 1.0) * scale
        bar = m.bar(f"crank{k}", length, at=(at * scale, 0), angle=1.0)
        m.revolute(m.ground.at(at * scale, 0), bar.start)
        m.revolute(bar.end, coupler.at(at * scale, 0))
    return m.build()


@pytest.mark.parametrize("scale", SCALES)
def test_the_same_mechanism_has_the_same_motions_at_every_size(scale):
    found = scaled(scale, third=1.0).motions()
    assert [c.closed for c in found.components] == [False, False]
    assert found.outcome is Promise.NUMERICAL
    assert found.within < 1e-4
    none = scaled(scale, third=1.25).motions()
    assert (none.outcome, len(none)) == (Promise.COMPLETE, 0)


@pytest.mark.parametrize("scale", SCALES)
def test_points_on_curves_have_the_same_motions_at_every_size(scale):
    m = kempe.Builder("points", plane=True)
    P = m.point("P", on=Circle((0, 0), 1.0 * scale))
    Q = m.point("Q", on=Circle((3.0 * scale, 0), 1.0 * scale))
    R = m.point("R")
    m.stick("PQ", P, Q, 2.5 * scale)
    m.stick("PR", P, R, 1.5 * scale)
    m.stick("QR", Q, R).angle_to(m.stick("RP", R, P), 2.0)
    found = m.build().motions()
    # Q has one loop per turn about P; R lies on either side of PQ: by symmetry a loop for each.
    assert (found.outcome, len(found)) == (Promise.COMPLETE, POINT_LOOPS)


POINT_LOOPS = 2


def test_every_pair_of_words_on_a_bar_that_vanishes_is_judged_without_a_crash():
    for one, two in itertools.combinations(WORDS, 2):
        found = chord(
            lambda m, bar, other, a=one, b=two: (
                WORDS[a][0](m, bar, other),
                WORDS[b][0](m, bar, other),
            )
        ).assemblies()
        common = [
            a
            for a in WORDS[one][1]
            for b in WORDS[two][1]
            if abs(math.remainder(a - b, math.tau)) < CLOSE
        ]
        assert len(found) == len(common), (one, two, str(found))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270, 37])
def test_held_legs_along_any_axis_meet_where_two_circles_do(degrees):
    turned = math.radians(degrees)  # the cosine of a quarter turn is 6e-17
    m = kempe.Builder("legs", plane=True)
    P = m.point("P")
    feet, lengths = (0j, 1.6 - 0.9j), (1.95, 1.78)
    for k, foot in enumerate(feet):
        lower, upper = m.body(f"lower{k}"), m.body(f"upper{k}")
        m.revolute(m.ground.at(foot.real, foot.imag), lower.at(0, 0))
        along = (math.cos(turned), math.sin(turned), 0.0)
        m.prismatic(lower.at(0, 0), upper.at(0, 0), along=along, name=f"leg{k}")
        m.revolute(upper.at(0, 0), P.at(0, 0))
    held = {f"leg{k}.displacement": length for k, length in enumerate(lengths)}
    found = m.build().assemblies(held)
    gap = abs(feet[1])
    reach = (gap**2 + lengths[0] ** 2 - lengths[1] ** 2) / (2.0 * gap)
    height, to = math.sqrt(lengths[0] ** 2 - reach**2), feet[1] / gap
    due = sorted((to * complex(reach, s * height) for s in (-1, 1)), key=lambda z: z.imag)
    got = sorted((complex(*state.q[:2]) for state in found), key=lambda z: z.imag)
    assert found.outcome == Promise.COMPLETE
    assert np.abs(np.array(got) - np.array(due)).max() < CLOSE
