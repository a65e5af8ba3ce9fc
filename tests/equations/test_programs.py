"""The one switch between plans, for sweeps and simulations alike."""

import pytest

import kempe
from kempe import Builder, Inertia
from kempe.compile.layout.layout import Layout
from kempe.equations.programs import plan_of
from kempe.errors import MissingPart


def chain(links: int, *, plane: bool, driven: bool = True) -> kempe.Mechanism:
    """Links in a row, hinged, with a drive on each hinge."""
    m = Builder("chain", plane=plane)
    zero, tip = ((0, 0), (1, 0)) if plane else ((0, 0, 0), (1, 0, 0))
    last = m.ground.at(*zero)
    for k in range(links):
        inertia = Inertia(1.0, (0.5, 0, 0), [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
        link = m.body(f"link{k}", inertia=inertia)
        hinge = m.revolute(last, link.at(*zero))
        if driven:
            m.drive(hinge.angle, speed=0.1)
        last = link.at(*tip)
    return m.build()


@pytest.mark.parametrize("plane", [True, False])
def test_sweeps_change_their_plan_by_how_many_joints_and_drives_they_have(plane):
    for links, plan in ((32, "small"), (33, "large")):
        machine = chain(links, plane=plane)
        assert plan_of(Layout(machine.model)) == plan
        assert machine.kinematics(until=0.01, steps=2).motion.recipe.plan == plan


@pytest.mark.parametrize(("plane", "most"), [(True, 32), (False, 12)])
def test_simulations_change_their_plan_by_how_many_rows_they_solve(plane, most):
    for links, plan in ((most, "small"), (most + 1, "large")):
        machine = chain(links, plane=plane, driven=False)
        assert machine.simulate(until=0.01, steps=2).motion.recipe.plan == plan


def test_what_tiles_cannot_do_is_refused_or_done_by_one_program():
    layout = Layout(chain(50, plane=True).model)
    assert plan_of(layout, massless=("link3",)) == "small"
    with pytest.raises(MissingPart, match="'link3' has no mass"):
        plan_of(layout, "large", ("link3",))
    with pytest.raises(MissingPart, match="no plan 'medium'"):
        plan_of(layout, "medium")
