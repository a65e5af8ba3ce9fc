"""J and gamma are the derivatives of phi: for every constraint, joint, measure, coupler and law.

phi is evaluated on plain numbers along a random motion and differenced; J and gamma come from the
traced formula, through the same layout and charts as in a sweep:

    d phi / ds = J v + phi_t,   d^2 phi / ds^2 = J a - gamma(v)
"""

import dataclasses

import numpy as np
import pytest

from kempe.algebra import Expression, Graph, tangent
from kempe.drives import Drive
from kempe.errors import BadConnection
from kempe.geometry import GROUND, Marker, Pose, X
from kempe.measures import Coordinate, Gauge

#: Rounding in a second difference with step 0.004 of numbers of size 1 ... 3; where the function is
#: rough, the disagreement of two step sizes comes on top.
DIFFERENCE = 1e-9
#: Two evaluations of one formula, on numbers and on a tape, in different order.
ROUNDING = 1e-13

SPACES = [
    pytest.param({"plane": False}, id="space"),
    pytest.param({"plane": True}, id="plane"),
    pytest.param({"plane": True, "lying": True}, id="plane, axes in it"),
]


def compiled(workshop, **parts):
    """The traced system, or None where the plane cannot hold it (see test_plane.py)."""
    try:
        return workshop.System(workshop.model(**parts))
    except BadConnection:
        if not parts["plane"]:
            raise
        return None


def marker_poses(markers, poses):
    there = {"a": poses[0], "b": poses[1], GROUND: Pose.identity()}
    return [there[m.body] @ m.pose for m in markers]


def check(workshop, differences, system, plane, formula_from):
    """Compare phi, phi' and phi'' of a plain formula of poses with the traced system.

    `formula_from` gives the formula and the turns at the start of a motion. A motion across a kink
    of the formula cannot be differenced: another one is tried.
    """
    if system is None or not system.traced.phi:
        return
    places = [row.place for row in system.traced.rows]
    for _ in range(10):
        motion = workshop.motion(plane=plane, own=system.first_own())
        formula, start = formula_from(motion.poses)

        def rows(s, formula=formula, motion=motion):
            return np.array(formula(motion.at(s), *motion.own_at(s)), dtype=float)[places]

        first, second, rough = differences(rows)
        if rough < 1e-4:
            break
    assert rough < 1e-4, "every motion was too wild to be differenced: nothing was tested"
    last = np.array([start[reading] for _, reading in system.traced.counted], dtype=float)
    phi, J, rhs, gamma = system.numbers(motion.poses, motion.v, last=last, own=motion.own)
    np.testing.assert_allclose(phi, rows(0.0), rtol=0, atol=ROUNDING)
    np.testing.assert_allclose(J @ motion.v, first, rtol=0, atol=DIFFERENCE + rough)
    np.testing.assert_allclose(J @ motion.a - gamma, second, rtol=0, atol=DIFFERENCE + rough)
    np.testing.assert_array_equal(rhs, 0.0)


@pytest.mark.row("C2")
@pytest.mark.parametrize("space", SPACES)
def test_jacobian_and_gamma_of_a_constraint_are_the_derivatives_of_phi(
    constraint, space, workshop, differences
):
    joint = workshop.holding(constraint, **space)
    system = compiled(workshop, plane=space["plane"], joints=[joint])

    def formula(poses, *own):
        return constraint.phi(*marker_poses(joint.markers, poses), *own)

    check(workshop, differences, system, space["plane"], lambda poses: (formula, []))


@pytest.mark.row("A2")
@pytest.mark.parametrize("space", SPACES)
def test_jacobian_and_gamma_of_a_joint_are_the_derivatives_of_phi(
    joint, space, workshop, differences, number
):
    joint = workshop.placed(joint, **space)
    system = compiled(workshop, plane=space["plane"], joints=[joint])
    all_held = () if system is None else system.element.held  # with a value each

    def readings(poses):
        frames = marker_poses((joint.I, joint.J), poses)
        return [number(m.value(*frames)) for held in all_held for m in held.measures]

    def formula_from(start_poses):
        start = readings(start_poses)

        def formula(poses, *unknowns):
            frames = marker_poses(joint.markers, poses)
            own = joint.phi(*frames, *unknowns) if joint.constraints or not all_held else []
            turned = iter(_near(readings(poses), start))
            sums = [sum(c * next(turned) for c in h.coefficients) - h.value for h in all_held]
            return [*own, *sums]

        return formula, start

    check(workshop, differences, system, space["plane"], formula_from)


@pytest.mark.parametrize("space", SPACES)
def test_jacobian_and_gamma_of_a_measure_are_its_derivatives(
    measure, space, workshop, differences, number
):
    drive = workshop.driven(measure, **space)
    gauge = drive.gauge
    system = compiled(workshop, plane=space["plane"], drives=[drive])

    def reading(poses):
        return [number(measure.value(*marker_poses((gauge.I, gauge.J), poses)))]

    def formula_from(start_poses):
        start = reading(start_poses)
        return lambda poses: _near(reading(poses), start), start

    check(workshop, differences, system, space["plane"], formula_from)


@pytest.mark.parametrize("space", SPACES[:2])
def test_jacobian_and_gamma_of_a_coupler_are_the_derivatives_of_phi(
    coupler, space, workshop, differences, number
):
    gauges = tuple(
        dataclasses.replace(
            gauge,
            I=gauge.I if gauge.I.body == GROUND else workshop.marker(gauge.I.body, **space),
            J=workshop.marker(gauge.J.body, **space),
        )
        for gauge in coupler.gauges
    )
    coupler = dataclasses.replace(coupler, gauges=gauges)
    system = compiled(workshop, plane=space["plane"], couplers=[coupler])

    def readings(poses):
        return [number(g.measure.value(*marker_poses((g.I, g.J), poses))) for g in gauges]

    def formula_from(start_poses):
        start = readings(start_poses)
        settled = system.element.coupler  # with a constant
        return lambda poses: [settled.phi(_near(readings(poses), start))], start

    check(workshop, differences, system, space["plane"], formula_from)


def test_rate_and_acceleration_of_a_law_are_its_derivatives(law, workshop, differences):
    """Along the world's x axis a drive's rows are J v = f', J a = f''."""
    gauge = Gauge("a.x", Coordinate(X), Marker(GROUND), Marker("a"))
    system = workshop.System(workshop.model(plane=True, drives=[Drive(gauge, law)]))
    poses = workshop.motion(plane=True).poses
    for t in (0.11, 0.37, 1.93):  # away from the knots of the samples
        first, second, rough = differences(lambda s, t=t: [float(law.value(t + s))])
        assert rough < 1e-4
        phi, J, rhs, gamma = system.numbers(poses, t=t)
        assert phi[0] == pytest.approx(poses[0].position.x - float(law.value(t)), abs=ROUNDING)
        assert J[0].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        assert rhs == pytest.approx(first, abs=DIFFERENCE + rough)
        assert gamma == pytest.approx(second, abs=DIFFERENCE + rough)


def test_a_law_of_numbers_and_a_traced_law_are_one_formula(law, evaluate):
    graph = Graph()
    t = Expression(graph, graph.input("t"))
    f = 0.0 * t + law.value(t)
    (rate,) = tangent([f], {t.node: 0.0 * t + 1.0})
    for time in (-1.0, 0.0, 0.5, 3.0):
        value, _ = evaluate([t], [f, rate], [time])
        assert value == pytest.approx(float(law.value(time)), abs=ROUNDING)


def _near(values, start):
    """The values, by whole turns, near where they started."""
    turns = np.round((np.array(values) - np.array(start)) / (2.0 * np.pi))
    return (np.array(values) - 2.0 * np.pi * turns).tolist()
