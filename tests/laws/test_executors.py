"""Scalar, lanes, compiled code and intervals cannot disagree about what a joint is.

All samples of all joints, couplers and measures stand between two bodies at once: one tape of all
formulas, their Jacobians and acceleration terms, runs on every executor.
"""

import contextlib
import dataclasses

import numpy as np
import pytest

from kempe.algebra.native import native_tape
from kempe.compile.llvm.machine_code import llvm_available
from kempe.errors import BadConnection
from tests.compile.compiled_tape import CompiledTape

pytestmark = pytest.mark.core

POINTS = 21  # not a multiple of the lanes
WIDTH = 1e-3  # of the boxes


@pytest.fixture(scope="module", params=[False, True], ids=["space", "plane"])
def everything(request, whole_family, new_workshop):
    """The tape of all formulas, points to evaluate it at, and who wrote each output."""
    plane, workshop = request.param, new_workshop(1876)
    parts = {"joints": [], "couplers": [], "drives": []}

    def add(kind, part):
        with contextlib.suppress(BadConnection):  # what the plane cannot hold: see test_plane.py
            workshop.System(workshop.model(plane=plane, **{kind: [part]}))
            parts[kind].append(part)

    for k, joint in enumerate(whole_family("joint")):
        for lying in (False, True)[: 1 + plane]:
            placed = workshop.placed(joint, plane=plane, lying=lying)
            add("joints", dataclasses.replace(placed, name=f"joint{k} {lying}"))
    for k, coupler in enumerate(whole_family("coupler")):
        add("couplers", dataclasses.replace(coupler, name=f"coupler{k}"))
    for k, measure in enumerate(whole_family("measure")):
        drive = workshop.driven(measure, plane=plane)
        gauge = dataclasses.replace(drive.gauge, name=f"measure{k}")
        add("drives", dataclasses.replace(drive, gauge=gauge))
    assert all(len(found) > 3 for found in parts.values())
    system = workshop.System(workshop.model(plane=plane, **parts))
    points = []
    for _ in range(POINTS):
        motion = workshop.motion(plane=plane, own=system.first_own())
        points.append(system.point(motion.poses, motion.v))
    return system, np.array(points)


def assert_same_bits(system, found, expected):
    """Equal to the last bit, or the names of those who are not."""
    differs = (found != expected) & ~(np.isnan(found) & np.isnan(expected))
    wrong = {author(system, k) for k in np.flatnonzero(differs.any(axis=0))}
    assert not wrong


def author(system, k):
    """Who wrote output k: phi, Jacobian, right-hand side or gamma of a row."""
    n, m = system.n, system.m
    if k >= 2 * n + n * m + n:
        return "a turn"
    row = k if k < n else (k - n) // m if k < n + n * m else (k - n - n * m) % n
    return system.layout.elements[system.traced.rows[row].element].word


def test_eight_lanes_compute_the_same_bits_as_one(everything):
    system, points = everything
    native, outputs = native_tape(system.tape), system.tape.outputs
    found, expected = native.evaluate_lanes(points, outputs), native.evaluate(points, outputs)
    assert np.isfinite(expected).mean() > 0.99
    assert_same_bits(system, found, expected)


@pytest.mark.skipif(not llvm_available(), reason="llvmlite does not work here")
@pytest.mark.parametrize("lanes", [False, True])
def test_compiled_code_computes_the_same_bits_as_the_vm(everything, lanes):
    system, points = everything
    expected = native_tape(system.tape).evaluate(points, system.tape.outputs)
    code = CompiledTape(system.tape)
    evaluate = code.evaluate_lanes if lanes else code.evaluate
    assert_same_bits(system, evaluate(points, system.tape.outputs), expected)


def test_intervals_enclose_the_numbers_of_a_point(everything):
    system, points = everything
    native, outputs = native_tape(system.tape), system.tape.outputs
    lower, upper = native.evaluate_intervals(points, points, outputs)
    values = native.evaluate(points, outputs)
    outside = np.isfinite(values) & ~((lower <= values) & (values <= upper))
    assert not {author(system, k) for k in np.flatnonzero(outside.any(axis=0))}


def test_intervals_enclose_the_numbers_of_a_box(everything):
    system, points = everything
    rng = np.random.default_rng(1)
    native, outputs = native_tape(system.tape), system.tape.outputs
    spread = WIDTH * rng.uniform(0.0, 1.0, points.shape)
    lower, upper = native.evaluate_intervals(points - spread, points + spread, outputs)
    for _ in range(5):
        values = native.evaluate(points + spread * rng.uniform(-1.0, 1.0, points.shape), outputs)
        outside = np.isfinite(values) & ~((lower <= values) & (values <= upper))
        assert not {author(system, k) for k in np.flatnonzero(outside.any(axis=0))}


def test_the_enclosure_of_a_point_is_its_number_to_the_last_digits(constraint, workshop):
    """Formulas of products and sums: a few dozen operations on numbers up to 10."""
    joint = workshop.holding(constraint, plane=False)
    system = workshop.System(workshop.model(plane=False, joints=[joint]))
    motion = workshop.motion(plane=False, own=system.first_own())
    points = system.point(motion.poses, motion.v)[None, :]
    lower, upper = native_tape(system.tape).evaluate_intervals(points, points, system.tape.outputs)
    # Third derivatives of a quotient of splines: the margin for a scalar's roundings.
    narrow = 1e-8 if constraint.unknowns else 1e-12
    assert (upper - lower < narrow * np.maximum(1.0, np.abs(lower))).all()
