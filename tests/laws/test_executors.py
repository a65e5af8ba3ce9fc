"""Scalar, lanes, compiled code and intervals cannot disagree about what a joint is."""

import contextlib

import numpy as np
import pytest

from kempe.algebra.native import native_tape
from kempe.compile.executors.llvm import LlvmTape
from kempe.compile.executors.machine_code import llvm_available
from kempe.errors import BadConnection
from kempe.geometry import Marker

pytestmark = pytest.mark.core

POINTS = 21  # not a multiple of the lanes
WIDTH = 1e-3  # of the boxes
ENDS = {"I": Marker("a"), "J": Marker("b")}

needs_llvm = pytest.mark.skipif(not llvm_available(), reason="llvmlite does not work here")
SPACES = [pytest.param(False, id="space"), pytest.param(True, id="plane")]


@pytest.fixture
def compiled(workshop):
    """The tape of phi, J and gamma of one joint, and points to evaluate it at."""

    def made(joint, plane):
        system = None
        for lying in (False, True)[: 1 + plane]:
            placed = workshop.placed(joint, plane=plane, lying=lying)
            with contextlib.suppress(BadConnection):
                system = workshop.System(workshop.model(plane=plane, joints=[placed]))
                break
        if system is None:
            pytest.skip("cannot hold in the plane")
        rows = []
        for _ in range(POINTS):
            motion = workshop.motion(plane=plane)
            rows.append(system.point(motion.poses, motion.v))
        return system.tape, np.array(rows)

    return made


@pytest.mark.parametrize("plane", SPACES)
def test_eight_lanes_compute_the_same_bits_as_one(joint, plane, compiled):
    tape, points = compiled(joint, plane)
    native = native_tape(tape)
    np.testing.assert_array_equal(
        native.evaluate_lanes(points, tape.outputs), native.evaluate(points, tape.outputs)
    )


@needs_llvm
@pytest.mark.parametrize("plane", SPACES)
def test_compiled_code_computes_the_same_bits_as_the_vm(joint, plane, compiled):
    tape, points = compiled(joint, plane)
    expected = native_tape(tape).evaluate(points, tape.outputs)
    code = LlvmTape(tape)
    np.testing.assert_array_equal(code.evaluate(points, tape.outputs), expected)
    np.testing.assert_array_equal(code.evaluate_lanes(points, tape.outputs), expected)


@pytest.mark.parametrize("plane", SPACES)
def test_intervals_enclose_the_numbers(joint, plane, compiled, rng):
    tape, points = compiled(joint, plane)
    native = native_tape(tape)
    lower, upper = native.evaluate_intervals(points, points, tape.outputs)
    values = native.evaluate(points, tape.outputs)
    assert (lower <= values).all()
    assert (values <= upper).all()
    spread = WIDTH * rng.uniform(0.0, 1.0, points.shape)
    lower, upper = native.evaluate_intervals(points - spread, points + spread, tape.outputs)
    for _ in range(5):
        inside = points + spread * rng.uniform(-1.0, 1.0, points.shape)
        values = native.evaluate(inside, tape.outputs)
        assert (lower <= values).all()
        assert (values <= upper).all()


def test_the_enclosure_of_a_point_is_its_number_to_the_last_digits(constraint, compiled, workshop):
    tape, points = compiled(workshop.Holding(constraint=constraint, **ENDS), False)
    lower, upper = native_tape(tape).evaluate_intervals(points, points, tape.outputs)
    # a few dozen operations on numbers up to 10, each widened by an ulp or two
    assert (upper - lower < 1e-12 * np.maximum(1.0, np.abs(lower))).all()
