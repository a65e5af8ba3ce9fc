"""Every position of a component is said to lie on that component, whatever its unknowns are."""

import numpy as np
import pytest

import kempe as kp
from kempe.couplers import GearPair
from kempe.errors import BadNumber
from kempe.geometry.curves import Bezier, Circle, Ellipse

STEP = 0.3  # between the positions that are looked for


def rod_to_an_ellipse() -> kp.Mechanism:
    """Its unknowns: a crank's cosine and sine, and the parameter of a point on an ellipse."""
    m = kp.Builder("rod to an ellipse", plane=True)
    crank = m.body("crank")
    m.revolute(m.ground.at(0, 0), crank.at(0.3, 0.2))
    P = m.point("P", on=Ellipse((0, 0), (2, 0), (0, 1)))
    m.stick("rod", crank.at(1, 1), P, 2.0)
    return m.build()


def two_wheels() -> kp.Mechanism:
    """Their one unknown is a shaft that goes round 17 times as slowly as a wheel."""
    m = kp.Builder("two wheels", plane=True)
    small, large = m.body("small"), m.body("large")
    m.revolute(m.ground.at(0, 0), small.at(0, 0))
    m.revolute(m.ground.at(1, 0), large.at(0, 0))
    m.couple(GearPair((small.angle, large.angle), teeth=(17, 23)))
    return m.build()


CASES = {
    "a parameter of a curve": (rod_to_an_ellipse, {}),
    "a shaft": (two_wheels, {}),
    "a limit of an angle": (kp.gallery.four_bar, {"crank.angle": (2.0, 7.0)}),
    "a limit some turns off": (kp.gallery.four_bar, {"crank.angle": (-9.0, -4.0)}),
    "a stretching bar": (kp.gallery.barton_stretching_bar, {}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_position_lies_on_the_component_that_it_was_sampled_from(case: str) -> None:
    build, limits = CASES[case]
    motions = build().motions(limits=limits)
    for component in motions.components:
        on = {motions.component_of(q) for q in component.sample(STEP).q[1:-1]}
        assert on == {component.number}


@pytest.mark.parametrize("case", CASES)
def test_whole_turns_of_bodies_make_no_difference(case: str) -> None:
    build, limits = CASES[case]
    motions = build().motions(limits=limits)
    turned = np.tile([0.0, 0.0, 2.0 * np.pi], len(motions.readings.bodies))
    for component in motions.components:
        q = component.sample(STEP).q[3]
        assert motions.component_of(q + turned) == motions.component_of(q - turned)
        assert motions.component_of(q + turned) == component.number


def test_a_position_beyond_a_limit_lies_on_no_component() -> None:
    bar = kp.gallery.four_bar()
    motions = bar.motions(limits={"crank.angle": (0.5, 2.0)})
    for angle, on in ((0.499, False), (0.501, True), (1.999, True), (2.001, False)):
        for state in bar.assemblies({"crank.angle": angle}):
            assert (motions.component_of(state.q) is not None) == on


def test_a_place_where_the_rod_does_not_fit_lies_on_no_component() -> None:
    motions = rod_to_an_ellipse().motions()
    q = motions.components[0].sample(STEP).q[0]
    assert motions.component_of(q + np.array([0.0, 0.0, 0.0, 0.01, 0.0, 0.0])) is None


CENTRE, RADIUS, ROD = (
    np.array([-0.8116453042247009, 0.9512447032735118]),
    1.2133676423884234,
    1.2655,
)
POLE = np.array(
    [
        (-0.1488421863132987, -0.3876059273022563),
        (1.2802949665458057, 0.43159536024199374),
        (0.9682848398124899, -0.16975740351800672),
        (-0.8182838346456693, 0.1637543610475043),
    ]
)


def rod_round_a_bend() -> kp.Mechanism:
    """A rod from a circle to a Bezier curve that turns back sharply near its middle."""
    m = kp.Builder("rod round a bend", plane=True)
    P = m.point("P", on=Circle((float(CENTRE[0]), float(CENTRE[1])), RADIUS))
    Q = m.point("Q", on=Bezier(tuple((float(x), float(y)) for x, y in POLE)))
    m.stick("rod", P, Q, ROD)
    return m.build()


def ends_of_the_rod(t: float) -> list[np.ndarray]:
    """Positions with the rod at the place t of the Bezier curve: two circles meet at P."""
    Q = np.array([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]) @ POLE
    d = float(np.hypot(*(Q - CENTRE)))
    along = (d * d + RADIUS**2 - ROD**2) / (2.0 * d)
    side = np.sqrt(RADIUS**2 - along**2)
    u = (Q - CENTRE) / d
    feet = (CENTRE + along * u + sign * side * np.array([-u[1], u[0]]) for sign in (-1.0, 1.0))
    return [np.array([*P, 0.0, *Q, 0.0]) for P in feet]


def test_positions_round_a_sharp_bend_lie_on_the_component_that_passes_there() -> None:
    motions = rod_round_a_bend().motions()
    passing = [(c.number, c.sample(0.005).q) for c in motions.components]
    for t in np.linspace(0.44, 0.5, 61):
        for q in ends_of_the_rod(float(t)):
            ways = {number: np.abs(points - q).max(axis=1).min() for number, points in passing}
            assert motions.component_of(q) == min(ways, key=lambda n: ways[n])


def test_positions_of_another_mechanism_are_refused() -> None:
    four_bar = kp.gallery.four_bar()
    other = kp.gallery.slider_crank().assemble()
    q = np.append(other.q, 0.0)
    with pytest.raises(BadNumber, match="has 9 coordinates, and 10 are given"):
        four_bar.motions().component_of(q)
