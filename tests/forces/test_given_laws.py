"""Numbers and texts in place of laws of time."""

import pytest

from kempe import forces
from kempe.drives import Ramp, TextFormula
from kempe.errors import BadNumber, ExpressionError
from tests.forces.carts import MASS, cart


def gone(given):
    """How far (m) a cart goes in a second, pushed by an actuator."""
    machine = cart(lambda g: forces.Actuator(g, given)).build()
    run = machine.simulate(until=1.0, steps=1)
    return run["rail.displacement"].values[-1] - run["rail.displacement"].values[0]


def test_a_number_is_a_law_that_stays_and_a_text_a_formula_of_time():
    """x = F t^2 / (2 m), and 6 t makes t^3 / m of it."""
    assert gone(3) == gone(3.0) == pytest.approx(1.5 / MASS, rel=1e-9)
    assert gone("6 * t") == pytest.approx(1.0 / MASS, rel=1e-9)


def test_every_force_with_one_law_takes_a_number():
    machine = cart(
        lambda g: forces.Pid(g, 0.3, 1.0), lambda g: forces.SampledPid(g, "0.3", 0.1, 1.0)
    )
    made = [force for force in machine.build().model.forces]
    assert [force.target for force in made] == [Ramp(0.3, 0.0), TextFormula("0.3")]


@pytest.mark.parametrize("given", [[3], {"a": 1}, True])
def test_what_is_no_law_is_told_with_what_would_be(given):
    with pytest.raises(BadNumber, match=r"the law of force 'Actuator' is .* give a law of time"):
        gone(given)


def test_a_number_where_a_text_or_three_laws_stand_says_so():
    with pytest.raises(ExpressionError, match="a formula is a text such as"):
        cart(lambda g: forces.Control(g, 3))
    with pytest.raises(BadNumber, match="the torque of load 'AppliedLoad' is 3: give three laws"):
        cart(lambda g: forces.AppliedLoad(g.J, torque=3))
