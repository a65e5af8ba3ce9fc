"""What a nonlinear spring stores: by its table, its polynomial, or a formula that is given."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from kempe import Builder, Inertia
from kempe.drives import Polynomial, Ramp, Table, TextFormula
from kempe.errors import FormulaError
from kempe.forces import Acting, NonlinearSpring
from kempe.joints import Prismatic

#: Energies at a tolerance of 1e-10, beside the largest.
BALANCED = 1e-8
#: Integrals of splines and polynomials in closed form: rounding.
EXACT = 1e-12
POINTS = ((-0.6, -40.0), (-0.3, -9.0), (0.0, 0.5), (0.2, 12.0), (0.5, 30.0))


def swing(law, at=0.4, **options):
    """A mass on rails that is let go where the spring is stretched."""
    m = Builder("slider", plane=True)
    block = m.body("block", at=(at, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), np.eye(3)))
    rail = (1, 0, 0)
    m.add(Prismatic(m.ground.at(0, 0).facing(rail), block.at(0, 0).facing(rail)), "rail")
    m.force(NonlinearSpring(block.x, law, **options), "spring")
    return m.build().simulate(until=2.0, steps=80, tolerance=1e-10)


LAWS = {
    "a table": Table(POINTS),
    "a polynomial": Polynomial((0.3, 20.0, -4.0, 90.0)),
    "a straight line": Ramp(0.2, 30.0),
    "a formula in text that is a polynomial": TextFormula("k * t + (3 * t)^3 / 2", ("k",), (20.0,)),
    "a text": "20 * t + 60 * t^3",
    "a function that is a polynomial": lambda s: 20.0 * s + np.float64(60.0) * s**3,
}


@pytest.mark.parametrize("kind", LAWS)
def test_what_a_spring_takes_it_has_stored(kind):
    motion = swing(LAWS[kind])
    energy = motion.energy
    assert energy.potential == pytest.approx(motion["spring.energy"].values, abs=1e-14)
    assert np.ptp(energy.mechanical) < BALANCED * energy.kinetic.max()
    assert np.abs(energy.dissipated).max() < BALANCED * energy.kinetic.max()
    assert energy.kinetic.max() > 0.3  # it went through its rest


def test_beyond_its_points_the_integral_of_a_table_goes_on_in_a_line():
    table = Table(POINTS)
    assert float(table.integral(0.0)) == 0.0
    after, before = (table.integral(x + way) - table.integral(x) for x, way in ((1, 1), (-1, -1)))
    assert after == pytest.approx(POINTS[-1][1], rel=EXACT)
    assert before == pytest.approx(-POINTS[0][1], rel=EXACT)


def test_a_periodic_table_has_the_integral_of_its_spline():
    points = ((0, 0), (1, 1), (2, 0))
    spline = CubicSpline(*np.array(points, dtype=float).T, bc_type="periodic")
    for x in (0.3, 1.7, 5.1, -0.4):
        stored = Table(points, periodic=True).integral(x)
        assert stored == pytest.approx(float(spline.integrate(0.0, x)), abs=1e-13)


def test_a_law_without_a_closed_form_has_no_integral_unless_given():
    assert TextFormula("sin(t)").integral(0.3) is None
    assert TextFormula("1 / (1 + t)").integral(0.3) is None
    assert TextFormula("t^40").integral(0.3) is None
    motion = swing(TextFormula("8 * tanh(3 * t)"))
    assert "spring.energy" not in motion.names
    assert np.abs(motion.energy.potential).max() == 0.0
    # What it takes is told as dissipated until it is given back, so that the sum still holds.
    assert np.ptp(motion.energy.total) < BALANCED * motion.energy.kinetic.max()


def test_an_energy_that_is_given_is_kept():
    motion = swing(
        TextFormula("8 * tanh(3 * t)"), stored="8 / 3 * log((exp(3 * t) + exp(-3 * t)) / 2)"
    )
    energy = motion.energy
    assert np.ptp(energy.mechanical) < BALANCED * energy.kinetic.max()
    assert energy.potential.max() == pytest.approx(8.0 / 3.0 * np.log(np.cosh(1.2)))


def test_an_energy_that_is_given_and_wrong_is_refused():
    with pytest.raises(FormulaError, match="energy of force 'spring'"):
        swing(Polynomial((0.0, 20.0)), stored=Polynomial((0.0, 0.0, 20.0)))


@pytest.mark.parametrize(("acting", "way"), [(Acting.TENSION, 1.0), (Acting.COMPRESSION, -1.0)])
def test_a_spring_that_acts_one_way_stores_nothing_where_it_hangs_loose(acting, way):
    motion = swing(Polynomial((0.0, 20.0, 0.0, 60.0)), at=0.4 * way, acting=acting)
    x, energy = motion["block.x"].values, motion.energy
    loose = way * x < 0.0
    assert loose.any()
    assert np.abs(energy.potential[loose]).max() == 0.0
    assert np.ptp(energy.mechanical) < BALANCED * energy.kinetic.max()
    assert energy.potential[0] == pytest.approx(10.0 * 0.4**2 + 15.0 * 0.4**4)
