"""Callbacks: any Python function as a force, in both plans, and what happens where it fails."""

import math

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker
from kempe.errors import BadConnection, FormulaError
from kempe.forces import Action, Callback, Control, LineSpring, SpringDamper, TorsionSpring
from kempe.geometry import Vector, Wrench, Z
from kempe.joints import Prismatic, Revolute, Spherical
from kempe.outcome import Ending

#: The same force computed by the same formula, in steps that err by less than 1e-13.
SAME = 1e-11
ROUND = np.eye(3)


def chain(n: int, *, called: bool):
    """Balls on rods in space, a spring from the last to the ground: traced, or called."""
    m = Builder("chain", gravity=(0, 0, -9.81))
    inertia = Inertia(1.0, (0.5, 0, 0), np.diag([0.02, 0.1, 0.1]))
    before = m.ground.at(0, 0, 0)
    for k in range(n):
        rod = m.body(f"rod{k}", points={"end": (1, 0, 0)}, at=(float(k), 0, 0), inertia=inertia)
        m.add(Spherical(before, rod.at(0, 0, 0)), f"ball{k}")
        before = rod.end
    hook = m.ground.at(float(n), 0.5, 0.5)

    def pull(now):
        line = now.X[1].position - now.X[0].position
        length = math.sqrt(line @ line)
        speed = (now.V[1].v - now.V[0].v) @ line / length
        return Action.between(now, line * (-(30.0 * (length - 0.4) + 2.0 * speed) / length))

    spring = Callback(pull, at=(hook, before)) if called else LineSpring(hook, before, 30, 2, 0.4)
    m.force(spring, "spring")
    return m.build()


@pytest.mark.parametrize("plan", ["small", "large"])
def test_a_called_spring_moves_a_chain_as_the_traced_one_does(plan):
    """The second rod has its centre off its origin, so frames and twists are seen in full.

    The work of a callback counts as dissipated, and the steps follow that work: they are not those
    of the traced spring, so that both must be exact to be the same.
    """
    exact = {"steps": 10, "plan": plan, "tolerance": 1e-13}
    runs = [chain(3, called=called).simulate(0.5, **exact) for called in (False, True)]
    assert [r.outcome.is_done for r in runs] == [True, True]
    assert runs[1].motion.recipe.plan == plan
    assert np.abs(runs[0].motion.q - runs[1].motion.q).max() < SAME
    force = [r["spring.force"].values for r in runs]
    assert np.abs(force[0] - force[1]).max() < SAME * np.abs(force[0]).max() * 10
    # What a callback takes counts as dissipated, so that the balance holds all the same.
    energy = runs[1].energy
    assert np.ptp(energy.total) < 1e-6 * energy.kinetic.max()


def test_one_measure_and_a_number_are_enough(slider):
    m, block = slider()
    m.force(Callback(lambda now: -50.0 * now.gauges[0].value, along=block.x), "spring")
    motion = m.build().simulate(until=2.0, steps=20)
    assert np.abs(motion["block.x"].values - 0.3 * np.cos(5.0 * motion.t)).max() < 1e-7
    assert motion["spring.effort"].values == pytest.approx(-50.0 * motion["block.x"].values)


def test_a_callback_sees_whole_turns():
    """Wound up by three turns in space, a called spring unwinds as a traced one does."""
    runs = []
    for called in (True, False):
        m = Builder("balance wheel")
        wheel = m.body("wheel", at=(0, 0, 0), inertia=Inertia(1.0, (0, 0, 0), np.diag([1, 1, 2.0])))
        hinge = m.add(Revolute(m.ground.at(0, 0, 0), wheel.at(0, 0, 0)), "arbor")
        m.force(
            Callback(lambda now: -8.0 * (now.gauges[0].value - 19.0), along=hinge.angle)
            if called
            else TorsionSpring(hinge.angle, 8.0, theta_0=19.0)
        )
        runs.append(m.build().simulate(until=3.0, steps=30)["arbor.angle"].values)
    assert np.ptp(runs[0]) > 30.0
    assert np.abs(runs[0] - runs[1]).max() < 1e-9


def test_reactions_of_a_prescribed_motion_count_a_callback(slider):
    """Inverse dynamics: the drive must overcome what the function pushes."""
    m, block = slider(2.0, at=0.0)
    m.drive(block.x, speed=0.5)
    m.force(Callback(lambda now: -3.0 * now.gauges[0].rate - now.t, along=block.x), "drag")
    motion = m.build().kinematics(until=1.0, steps=4)
    assert motion["block.x.effort"].values == pytest.approx(1.5 + motion.t)


def raising(now):
    if now.t > 0.5:
        raise ValueError("the valve is stuck")
    return 1.0


def test_a_function_that_raises_ends_the_run_and_keeps_its_samples(slider):
    m, block = slider()
    m.force(Callback(raising, along=block.x), "valve")
    motion = m.build().simulate(until=1.0, steps=100)
    outcome = motion.outcome
    assert outcome.ending is Ending.INTERRUPTED
    assert "'valve'" in outcome.message
    assert "ValueError: the valve is stuck" in outcome.message
    assert "test_callback.py" in outcome.message
    assert 1 < len(motion) <= 51
    assert np.isfinite(motion.motion.a).all()
    assert np.abs(motion["block.x"].values - (0.3 + motion.t**2 / 4.0)).max() < 1e-9


def test_a_function_without_a_finite_answer_ends_the_run_as_diverged(slider):
    m, block = slider()
    m.force(Callback(lambda now: 1.0 if now.t < 0.5 else math.inf, along=block.x), "valve")
    motion = m.build().simulate(until=1.0, steps=100)
    assert motion.outcome.ending is Ending.DIVERGED
    assert "'valve'" in motion.outcome.message
    assert 40 < len(motion) <= 51  # it came close to where the answers end
    assert np.isfinite(motion.motion.a).all()
    assert np.isfinite(motion.motion.multipliers).all()


def test_an_answer_of_another_shape_in_mid_run_keeps_the_samples(slider):
    m, block = slider()
    m.force(Callback(lambda now: 1.0 if now.t < 0.5 else (1.0, 2.0), along=block.x), "valve")
    motion = m.build().simulate(until=1.0, steps=100)
    assert motion.outcome.ending is Ending.INTERRUPTED
    assert "where one number is needed" in motion.outcome.message
    assert len(motion) > 1


WRONG = {
    "raises": (lambda now: 1.0 / 0.0, "ZeroDivisionError"),
    "two numbers": (lambda now: (1.0, 2.0), "one number"),
    "nothing": (lambda now: None, "one number"),
    "text": (lambda now: "much", "one number"),
    "efforts too many": (lambda now: Action.along(1.0, 2.0), "2 efforts instead of 1"),
    "a wrench without a marker": (
        lambda now: Action.on(Wrench(Vector(0, 0, 0), Vector(0, 0, 0))),
        "1 wrenches instead of 0",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_function_that_is_wrong_from_the_start_is_an_error(slider, wrong):
    function, said = WRONG[wrong]
    m, block = slider()
    m.force(Callback(function, along=block.x), "valve")
    with pytest.raises(FormulaError, match=said) as caught:
        m.build().simulate(until=1.0)
    assert "'valve'" in str(caught.value)


def test_a_pair_of_markers_needs_an_action(slider):
    m, _ = slider()
    m.force(Callback(lambda now: 1.0, at=Marker("block")), "valve")
    with pytest.raises(FormulaError, match="instead of an Action"):
        m.build().simulate(until=1.0)


def test_what_is_no_function_is_refused(slider):
    _, block = slider()
    with pytest.raises(BadConnection, match="needs a function"):
        Callback(3.0, along=block.x)


def test_two_runs_of_one_mechanism_do_not_remember_each_other(slider):
    fail = [True]

    def sometimes(now):
        if fail[0] and now.t > 0.2:
            raise RuntimeError("not now")
        return -10.0 * now.gauges[0].value

    m, block = slider()
    m.force(Callback(sometimes, along=block.x), "valve")
    mechanism = m.build()
    assert not mechanism.simulate(until=0.5, steps=5).outcome.is_done
    fail[0] = False
    assert mechanism.simulate(until=0.5, steps=5).outcome.is_done


def test_ctrl_c_inside_a_function_is_an_interrupt(slider):
    def stop(now):
        if now.t > 0.3:
            raise KeyboardInterrupt
        return 0.0

    m, block = slider()
    m.force(Callback(stop, along=block.x))
    m.force(SpringDamper(block.x, 20.0))
    with pytest.raises(KeyboardInterrupt) as interrupt:
        m.build().simulate(until=1.0, steps=50)
    motion = interrupt.value.result
    assert motion.outcome.ending is Ending.INTERRUPTED
    assert "by request" in motion.outcome.message
    assert len(motion) > 1


def cart_and_pole(pushed):
    """A pole on a cart in space; `pushed` gets the cart, the pole and the joints."""
    m = Builder("cart", gravity=(0, 0, -9.81))
    cart = m.body("cart", at=(0, 0, 0), inertia=Inertia(2.0, (0, 0, 0.1), ROUND))
    rod = Inertia(0.5, (0, 0, 0.4), np.diag([0.03, 0.03, 0.001]))
    pole = m.body("pole", points={"tip": (0, 0, 0.8)}, at=(0, 0, 0), inertia=rod)
    along, across = (1, 0, 0), (0, 1, 0)
    rail = Prismatic(m.ground.at(0, 0, 0).facing(along), cart.at(0, 0, 0).facing(along))
    rail = m.add(rail, "rail")
    hinge = Revolute(cart.at(0, 0, 0).facing(across), pole.at(0, 0, 0).facing(across))
    hinge = m.add(hinge, "hinge")
    m.rate(hinge.angle, 0.4)
    m.force(pushed(cart, pole, rail, hinge), "servo")
    return m.build().simulate(until=1.0, steps=20, tolerance=1e-10)


@pytest.mark.parametrize("read", ["poses", "measures"])
def test_a_function_sees_bodies_that_it_does_not_act_on(read):
    """The pole's lean, read off the pole's own pose and twist or off a measure, moves the cart."""

    def by_pose(now):
        z, w = now.X[0].axis(Z), now.V[0].w
        assert len(now.gauges) == 1
        return 30.0 * math.atan2(z.x, z.z) + 4.0 * w.y

    def by_measure(now):
        lean = now.gauges[1]
        return 30.0 * lean.value + 4.0 * lean.rate

    def called(cart, pole, rail, hinge):
        if read == "poses":
            return Callback(by_pose, along=rail.displacement, seen=Marker("pole"))
        return Callback(by_measure, along=rail.displacement, seen=(hinge.angle, pole.tip))

    def traced(cart, pole, rail, hinge):
        text = "30 * a + 4 * a_rate"
        return Control(rail.displacement, text, seen=(hinge.angle,), names=("a",))

    runs = [cart_and_pole(force) for force in (called, traced)]
    assert np.abs(runs[0].motion.q - runs[1].motion.q).max() < 1e-9
    for motion in runs:
        words = {name for name in motion.names if name.startswith("servo.")}
        assert words == {"servo.effort", "servo.length", "servo.power"}
    efforts = [motion["servo.effort"].values for motion in runs]
    assert np.abs(efforts[0] - efforts[1]).max() < 1e-7


def test_what_is_only_looked_at_is_renamed_with_its_body(slider):
    m, block = slider()
    m.body("lamp", at=(1, 0), angle=0.0, inertia=Inertia(1.0, (0, 0, 0), ROUND))
    m.force(Callback(lambda now: now.X[0].position.x, along=block.x, seen=Marker("lamp")), "eye")
    edit = m.build().edit()
    edit.rename({"lamp": "light"})
    built = edit.build()
    assert built.model.forces[0].seen[0].body == "light"
    assert built.simulate(until=0.1, steps=2).outcome.is_done


def test_a_function_that_only_looks_acts_nowhere(slider):
    _, block = slider()
    with pytest.raises(BadConnection, match="acts nowhere"):
        Callback(lambda now: 1.0, seen=block.x)
    with pytest.raises(BadConnection, match="places on bodies and measures"):
        Callback(lambda now: 1.0, along=block.x, seen=("block",))
