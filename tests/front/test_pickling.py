"""Whatever a user can hold goes to other processes and is copied, and means the same there."""

import copy
import inspect
import math
import multiprocessing
import pickle

import numpy as np
import pytest

import kempe
from kempe import errors
from kempe.couplers import CamLaw
from kempe.drives import Formula
from kempe.frames import ByFormula


def piston():
    m = kempe.Builder("lift", plane=True)
    cam = m.body("cam", at=(0, 0), angle=0)
    follower = m.body("follower", at=(0, 0.05), points={"tip": (0, 0.1)})
    m.revolute(m.ground.at(0, 0), cam.at(0, 0))
    lift = m.prismatic(m.ground.at(0, 0), follower.at(0, 0), along=(0, 1), name="lift")
    size = 0.02
    m.couple(CamLaw((cam.angle, lift.displacement), law=lambda a: 0.05 + size * np.sin(a)))
    m.drive(cam.angle, lambda t: 3.0 * t + 0.1 * kempe.cos(t))
    return m.build()


@pytest.fixture(scope="module")
def held():
    """One of everything that a user can hold."""
    four_bar = kempe.gallery.four_bar()
    builder = four_bar.edit()
    turn = four_bar.kinematics(until=1.0, steps=6)
    turn["rocker.angle"], turn.provenance, turn.outlines
    found = four_bar.motions()
    ways = four_bar.assemblies({"crank.angle": 1.0})
    solver, drag = four_bar.solver(), four_bar.drag(limits={"rocker.angle": (0.0, 3.0)})
    dragged = drag.to("crank.end", (0.0, 5.0))
    return {
        "builder": builder,
        "body": builder.part("crank"),
        "joint": builder.part(four_bar.model.joints[0].name),
        "model": four_bar.model,
        "mechanism": four_bar,
        "formulas": piston(),
        "trajectory": turn,
        "simulation": kempe.gallery.double_pendulum().simulate(until=0.1, steps=3),
        "channel": turn["rocker.angle"],
        "quantity": turn["rocker.angle"].max(),
        "transmission": turn.transmission,
        "frames": turn.frames(),
        "by formula": ByFormula(lambda t: kempe.Pose.identity()),
        "outcome": turn.outcome,
        "assembly": four_bar.assemble(),
        "report": four_bar.check(),
        "count": four_bar.count(),
        "loops": four_bar.loops(),
        "motion map": found,
        "component": found.components[0],
        "map pictures": four_bar.pictures(found),
        "assemblies": ways,
        "solver": solver,
        "snapshot": solver.state,
        "drag": drag,
        "dragged": dragged,
    }


KINDS = (
    *("builder", "body", "joint", "model", "mechanism", "formulas", "trajectory", "simulation"),
    *("channel", "quantity", "transmission", "frames", "by formula", "outcome", "assembly"),
    *("report", "count", "loops", "motion map", "component", "map pictures", "assemblies"),
    *("solver", "snapshot", "drag", "dragged"),
)


def test_one_of_every_kind_is_tried(held):
    assert sorted(KINDS) == sorted(held)


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_can_be_held_is_copied_and_pickled(held, kind, how):
    assert type(how(held[kind])) is type(held[kind])


def test_a_pickled_mechanism_moves_as_before(held):
    for kind in ("mechanism", "formulas"):
        one, other = held[kind], pickle.loads(pickle.dumps(held[kind]))
        before, after = (m.kinematics(until=1.0, steps=20) for m in (one, other))
        assert before.names == after.names
        np.testing.assert_allclose(after.motion.q, before.motion.q, rtol=0.0, atol=1e-14)


def test_a_pickled_mechanism_keeps_its_parameters(held):
    longer = pickle.loads(pickle.dumps(held["mechanism"])).with_parameters({"crank": 0.04})
    assert longer.parameters["crank"] == 0.04


def test_a_pickled_trajectory_has_the_same_bits(held):
    turn = held["trajectory"]
    there = pickle.loads(pickle.dumps(turn))
    assert there.outcome == turn.outcome
    np.testing.assert_array_equal(there.motion.q, turn.motion.q)
    np.testing.assert_array_equal(there["rocker.angle"].rate, turn["rocker.angle"].rate)


def test_a_pickled_builder_goes_on_building(held):
    builder = pickle.loads(pickle.dumps(held["builder"]))
    builder.body("more", at=(1.0, 1.0))
    assert len(builder.build().model.moving) == len(held["mechanism"].model.moving) + 1
    assert held["builder"].known_body("more") is None


def test_a_pickled_solver_and_drag_go_on_from_where_they_stand():
    solver = kempe.gallery.four_bar().solver()
    solver.update({"crank.angle": 1.0})
    there = pickle.loads(pickle.dumps(solver))
    assert there.values == solver.values
    both = [one.update({"crank.angle": 2.0})["crank.end"] for one in (solver, there)]
    np.testing.assert_array_equal(*both)
    drag = kempe.gallery.four_bar().drag()
    drag.to("crank.end", (0.0, 5.0))
    again = pickle.loads(pickle.dumps(drag))
    both = [one.to("crank.end", (5.0, 0.0)).position for one in (drag, again)]
    np.testing.assert_allclose(*both, rtol=0.0, atol=1e-12)


def test_a_function_that_cannot_be_imported_is_pickled_as_what_it_computes():
    size = 0.3

    def law(t):
        late = kempe.where((t > 1.0) & (t < 2.0), size * t, kempe.minimum(t, size))
        return late + abs(kempe.sin(t)) ** 1.5 - kempe.atan2(t, 2.0) + kempe.sqrt(1.0 + t * t)

    there = pickle.loads(pickle.dumps(Formula(law)))
    for t in (-0.7, 0.2, 1.5, 3.0):
        expected = (size * t if 1 < t < 2 else min(t, size)) + abs(math.sin(t)) ** 1.5
        expected += math.sqrt(1.0 + t * t) - math.atan2(t, 2.0)
        assert there.value(t) == pytest.approx(expected, rel=1e-14)
    assert pickle.loads(pickle.dumps(Formula(lambda t: 2.0))).value(0.5) == 2.0


def test_a_mechanism_made_by_a_local_function_is_pickled_without_it():
    @kempe.parametric
    def crank(length="30 mm"):
        m = kempe.Builder("crank", plane=True)
        bar = m.bar("crank", length)
        m.revolute(m.ground.at(0, 0), bar.start)
        m.drive(bar.angle, rpm=60)
        return m.build()

    there = pickle.loads(pickle.dumps(crank()))
    assert there.kinematics(until=1.0, steps=4).outcome.is_done
    assert there.parameters == {}


@pytest.mark.parametrize(
    "kind", [e for e in vars(errors).values() if inspect.isclass(e) and issubclass(e, Exception)]
)
def test_errors_keep_their_words_and_facts(kind):
    error = kind("what went wrong", joint="hinge")
    there = pickle.loads(pickle.dumps(error))
    assert (str(there), vars(there)) == (str(error), vars(error))
    assert str(copy.deepcopy(error)) == str(error)


def test_mechanisms_and_trajectories_cross_to_a_process_that_was_started_afresh():
    mechanism = piston()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(kempe.Mechanism.kinematics, (mechanism,), {"until": 1.0, "steps": 5})
        with pytest.raises(errors.UnknownName):
            pool.apply(kempe.Mechanism.solver, (mechanism, "no.angle"))
    here = mechanism.kinematics(until=1.0, steps=5)
    np.testing.assert_allclose(there.motion.q, here.motion.q, rtol=0.0, atol=1e-14)
    assert there.outcome == here.outcome


@pytest.mark.parametrize("analysis", ["kinematics", "simulate"])
def test_what_was_read_saved_and_reported_is_pickled_all_the_same(analysis, tmp_path):
    mechanism = kempe.gallery.slider_crank()
    if analysis == "simulate":
        mechanism = kempe.gallery.simple_pendulum()
    run = getattr(mechanism, analysis)(until=0.1, steps=4)
    assert all(run[name] is not None for name in run.names)
    run.state(2).save(tmp_path / "sample.npz")
    run.save(tmp_path / "run.npz")
    run.to_csv(tmp_path / "run.csv")
    run.animate(tmp_path / "run.html")
    print(run, mechanism.check(), run.count_table)
    mechanism.assemble().svg()
    for thing in (run, run.state(2), mechanism, kempe.Trajectory.load(tmp_path / "run.npz")):
        again = pickle.loads(pickle.dumps(thing))
        assert copy.deepcopy(again) is not again
    kept = pickle.loads(pickle.dumps(run))
    for name in run.names:
        old, new = run[name], kept[name]
        np.testing.assert_array_equal(getattr(old, "values", 0), getattr(new, "values", 0))
