"""The one switch between plans, for sweeps and simulations alike."""

import pytest

import kempe
from kempe import Builder, Inertia
from kempe.compile.layout.layout import Layout
from kempe.equations.programs import plan_of
from kempe.errors import MissingPart


def chain(links: int, *, plane: bool) -> kempe.Mechanism:
    """Links in a row, hinged, with a drive on the first."""
    m = Builder("chain", plane=plane)
    zero, tip = ((0, 0), (1, 0)) if plane else ((0, 0, 0), (1, 0, 0))
    last = m.ground.at(*zero)
    for k in range(links):
        inertia = Inertia(1.0, (0.5, 0, 0), [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
        link = m.body(f"link{k}", inertia=inertia)
        hinge = m.revolute(last, link.at(*zero))
        m.drive(hinge.angle, speed=0.1)
        last = link.at(*tip)
    return m.build()


@pytest.mark.parametrize(("plane", "most"), [(True, 32), (False, 13)])
def test_sweeps_and_simulations_change_their_plan_together(plane, most):
    for links, plan in ((most, "small"), (most + 1, "large")):
        machine = chain(links, plane=plane)
        assert plan_of(Layout(machine.model)) == plan
        assert machine.kinematics(until=0.01, steps=2).motion.recipe.plan == plan
        assert machine.simulate(until=0.01, steps=2).motion.recipe.plan == plan


def test_what_tiles_cannot_do_is_refused_or_done_by_one_program():
    layout = Layout(chain(40, plane=True).model)
    assert plan_of(layout, massless=("link3",)) == "small"
    with pytest.raises(MissingPart, match="'link3' has no mass"):
        plan_of(layout, "large", ("link3",))
    with pytest.raises(MissingPart, match="no plan 'medium'"):
        plan_of(layout, "medium")
