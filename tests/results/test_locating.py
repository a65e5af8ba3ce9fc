"""Every position of a component is said to lie on that component, whatever its unknowns are."""

import numpy as np
import pytest

import kempe as kp
from kempe.couplers import GearPair
from kempe.geometry.curves import Ellipse

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
