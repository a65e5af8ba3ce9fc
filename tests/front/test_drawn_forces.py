"""Forces on pictures: springs as coils, dampers as pistons, loads and weights as arrows."""

import numpy as np
import pytest

from kempe import Builder, Inertia, Trajectory
from kempe.draw import SYMBOLS, player_html, scene_svg
from kempe.draw.view.arrows import _around
from kempe.drives import Ramp, TextFormula
from kempe.forces import (
    Acting,
    Actuator,
    AppliedLoad,
    Attraction,
    Bushing,
    Callback,
    GasSpring,
    LineSpring,
    SpringDamper,
    TorsionSpring,
)
from kempe.measures import Distance
from kempe.pictures.animation import LONGEST, MOST_WEIGHTS, extent, scene_of

NONE = Ramp(0.0, 0.0)


def pendulum():
    m = Builder("pendulum", plane=True, gravity=(0, -9.81))
    bob = Inertia(2.0, (0.5, 0, 0), np.diag([0, 0.1, 0.1]))
    rod = m.bar("rod", 1.0, at=(0, 0), angle=-0.5, inertia=bob)
    hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    return m, rod, hinge


SYMBOL_OF = {
    "spring": lambda m, rod, hinge, gap: LineSpring(m.ground.at(1, 1), rod.end, 40.0, free=0.4),
    "damper": lambda m, rod, hinge, gap: LineSpring(m.ground.at(1, 1), rod.end, damping=3.0),
    "spring_damper": lambda m, rod, hinge, gap: SpringDamper(gap, 40.0, 3.0),
    "rope": lambda m, rod, hinge, gap: LineSpring(
        m.ground.at(1, 1), rod.end, 40.0, acting=Acting.TENSION
    ),
    "spiral": lambda m, rod, hinge, gap: TorsionSpring(hinge.angle, 3.0),
    "rotary_damper": lambda m, rod, hinge, gap: SpringDamper(hinge.angle, damping=3.0),
    "cylinder": lambda m, rod, hinge, gap: GasSpring(gap, 2e5, 1e-4, 0.5),
    "motor": lambda m, rod, hinge, gap: Actuator(hinge.angle, NONE),
    "bushing": lambda m, rod, hinge, gap: Bushing(m.ground.at(1, 0), rod.end, (1.0,) * 6),
    "pull": lambda m, rod, hinge, gap: Attraction(m.ground.at(1, 2), rod.end, 1.0),
}


@pytest.mark.parametrize("symbol", SYMBOL_OF)
def test_every_kind_of_force_has_its_symbol_on_the_picture(symbol):
    m, rod, hinge = pendulum()
    gap = m.gauge("gap", Distance(), m.ground.at(1, 1), rod.end)
    m.force(SYMBOL_OF[symbol](m, rod, hinge, gap), "thing")
    scene = scene_of(m.build().simulate(until=0.05, steps=2))
    (drawn,) = [joint for joint in scene.joints if joint.name == "thing"]
    assert drawn.symbol == symbol
    assert symbol in SYMBOLS
    assert "<path" in scene_svg(scene)


def test_a_coil_follows_the_ends_of_its_spring():
    m, rod, _ = pendulum()
    m.force(LineSpring(m.ground.at(1, 1), rod.end, 40.0, free=0.4), "coil")
    motion = m.build().simulate(until=1.0, steps=10)
    scene = scene_of(motion)
    (coil,) = [joint for joint in scene.joints if joint.name == "coil"]
    for k in (0, 10):
        ends = [scene.pose(frame, k)[0][:2] for frame in (coil.i, coil.j)]
        assert ends[0] == pytest.approx([1, 1])
        assert ends[1] == pytest.approx(motion["rod.end"].position[k])


def loaded():
    m, rod, _ = pendulum()
    push = (TextFormula("6 * sin(3 * t)"), NONE, NONE)
    m.force(AppliedLoad(rod.end, push, against=m.ground.at(2, 2)), "push")
    return m.build().simulate(until=2.0, steps=40)


def test_arrows_are_as_long_as_the_loads_on_one_scale():
    motion = loaded()
    scene = scene_of(motion)
    arrows = {load.name: load for load in scene.loads}
    assert set(arrows) == {"push", "weight of rod"}
    push, weight = arrows["push"], arrows["weight of rod"]
    assert push.newtons * push.way[:, 0] == pytest.approx(6.0 * np.sin(3.0 * motion.t), abs=1e-9)
    assert push.at[:, :2] == pytest.approx(motion["rod.end"].position)
    assert np.allclose(weight.newtons * weight.way, (0.0, -2.0 * 9.81, 0.0))
    longest = max(np.linalg.norm(load.way, axis=1).max() for load in scene.loads)
    assert longest == pytest.approx(LONGEST * extent(scene.bodies))


def test_arrows_are_in_the_still_picture_and_in_the_player():
    scene = scene_of(loaded())
    assert 'class="load-head"' in scene_svg(scene, index=20)
    assert scene_svg(scene, index=20).count('class="load"') == 2
    page = player_html(scene)
    assert '"name":"push"' in page
    assert "loadPicture(" in page


def test_a_torque_is_an_arrow_that_goes_round_as_far_as_it_is_large():
    m, rod, _ = pendulum()
    m.force(AppliedLoad(rod.end, (Ramp(3.0, 0.0), NONE, NONE)), "push")
    twist = (NONE, NONE, TextFormula("4 * cos(5 * t)"))
    m.force(AppliedLoad(rod.end, torque=twist), "twist")
    motion = m.build().simulate(until=1.0, steps=20)
    scene = scene_of(motion)
    assert all(joint.name != "twist" for joint in scene.joints)  # no symbol that never changes
    (arrow,) = [load for load in scene.loads if load.is_torque]
    assert arrow.name == "twist"
    assert arrow.newtons * arrow.way[:, 2] == pytest.approx(4.0 * np.cos(5.0 * motion.t), abs=1e-9)
    assert np.abs(arrow.way[:, :2]).max() == 0.0
    assert np.abs(arrow.way).max() == pytest.approx(LONGEST * extent(scene.bodies))
    assert scene_svg(scene, index=0).count('class="load-head"') == 3  # push, weight and twist
    assert '"isTorque":true' in player_html(scene)


def test_an_arrow_about_an_axis_turns_by_the_right_hand():
    """Seen from above, a positive torque goes round against the clock."""
    around = _around(np.array([1.0, 2.0, 0.0]), np.array([0.0, 0.0, 0.4]))
    assert np.hypot(*(around[:, :2] - [1.0, 2.0]).T) == pytest.approx(0.2)
    angles = np.unwrap(np.arctan2(around[:, 1] - 2.0, around[:, 0] - 1.0))
    assert angles[-1] - angles[0] == pytest.approx(1.5 * np.pi)


def test_a_load_that_vanishes_leaves_no_arrow():
    assert scene_svg(scene_of(loaded()), index=0).count('class="load"') == 1  # the weight alone


def test_what_a_callback_pushes_is_an_arrow_too():
    from kempe.forces import Action
    from kempe.geometry import Vector, Wrench

    m, rod, _ = pendulum()
    wind = Wrench(Vector(3.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
    m.force(Callback(lambda now: Action.on(wind), at=rod.end), "wind")
    scene = scene_of(m.build().simulate(until=0.1, steps=2))
    assert [load.is_torque for load in scene.loads if load.name == "wind"] == [False]


def test_a_prescribed_motion_shows_loads_but_no_weights():
    m, rod, hinge = pendulum()
    m.force(AppliedLoad(rod.end, (Ramp(3.0, 0.0), NONE, NONE)), "push")
    m.drive(hinge.angle, speed=1.0)
    scene = scene_of(m.build().kinematics(until=1.0, steps=4))
    assert [load.name for load in scene.loads] == ["push"]


def test_too_many_weights_are_left_out():
    m = Builder("chain", plane=True, gravity=(0, -9.81))
    at = m.ground.at(0, 0)
    for k in range(MOST_WEIGHTS + 1):
        bob = Inertia(1.0, (0.5, 0, 0), np.diag([0, 0.1, 0.1]))
        rod = m.bar(f"rod{k}", 1.0, at=(float(k), 0), angle=0.0, inertia=bob)
        m.revolute(at, rod.start)
        at = rod.end
    assert scene_of(m.build().simulate(until=0.01, steps=1)).loads == ()


def test_energies_are_plotted_beside_a_simulation(tmp_path):
    names = [series.name for series in scene_of(loaded()).series]
    assert names == ["rod.angle", "kinetic energy", "potential energy", "dissipated energy"]


def test_forces_are_drawn_from_a_saved_motion_too(tmp_path):
    motion = loaded()
    again = Trajectory.load(motion.save(tmp_path / "swing.npz"))
    assert scene_of(motion).reactions
    assert scene_of(again).to_json() == scene_of(motion).to_json()


def test_the_energies_can_be_plotted_by_name():
    figure = loaded().plot("energy.kinetic", "energy.potential", "energy.total")
    assert [axes.get_ylabel() for axes in figure.axes if axes.get_ylabel()] == ["energy [J]"]
