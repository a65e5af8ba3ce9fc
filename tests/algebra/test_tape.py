"""A tape is data: it goes through bytes unchanged and is known by its content."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kempe import _core
from kempe.algebra import OPERATIONS, Interpolation, Tape, functions, record_formula
from kempe.algebra.native import native_tape
from kempe.algebra.recorder import Part, record_parts


@pytest.fixture(scope="module")
def tape(traced):
    x, y = traced("x y")
    curve = Interpolation.through([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 2.0])
    parts = [
        Part("one", {"one": [curve(x) * y + 0.3, functions.sin(x)]}),
        Part("two", {"two": [curve(y) / x]}, ("one",)),
    ]
    return record_parts(x.graph, [x, y], parts).tape


@pytest.mark.core
def test_the_core_knows_the_same_operations_in_the_same_order():
    assert tuple(_core.operation_names()) == OPERATIONS


def test_a_tape_goes_through_bytes_unchanged(tape):
    twin = Tape.from_bytes(tape.to_bytes())
    for name in ("code", "constants", "outputs"):
        before, after = getattr(tape, name), getattr(twin, name)
        np.testing.assert_array_equal(before, after)
        assert before.dtype == after.dtype
    assert (twin.n_inputs, twin.n_registers) == (tape.n_inputs, tape.n_registers)
    assert twin.sections == tape.sections
    for mine, other in zip(tape.tables, twin.tables, strict=True):
        np.testing.assert_array_equal(mine.breaks, other.breaks)
        np.testing.assert_array_equal(mine.coefficients, other.coefficients)
    assert twin.key == tape.key


def test_a_tape_from_bytes_runs_to_the_same_bits(tape):
    points = np.random.default_rng(3).uniform(0.1, 2.9, (17, 2))
    twin = Tape.from_bytes(tape.to_bytes())
    np.testing.assert_array_equal(
        native_tape(tape).evaluate(points, tape.outputs),
        native_tape(twin).evaluate(points, twin.outputs),
    )


def test_an_empty_tape_goes_through_bytes(traced):
    (x,) = traced("x")
    tape = record_formula([x], [x])
    assert Tape.from_bytes(tape.to_bytes()).key == tape.key


def test_the_key_follows_from_every_part_of_the_content(traced):
    x, y = traced("x y")
    formulas = [
        record_formula([x, y], [x + y]),
        record_formula([x, y], [x - y]),
        record_formula([x, y], [x + y, x]),
        record_formula([y, x], [x - y]),
        record_formula([x, y], [0.3 * x + y]),
        record_formula([x, y], [0.4 * x + y]),
        record_parts(x.graph, [x, y], [Part("other", {"out": [x + y]})]).tape,
    ]
    keys = [tape.key for tape in formulas]
    assert len(set(keys)) == len(keys)


SCRIPT = """
from kempe.compile.small.kinematic_tape import kinematic_tape
from kempe.compile.layout.layout import Layout
from kempe.compile.trace.tracing import trace
from kempe.gallery import four_bar
for plane in (True, False):
    print(kinematic_tape(trace(Layout(four_bar(plane=plane).model)), [], None).tape.key)
"""


def test_the_key_is_the_same_in_another_process():
    """A cache of compiled tapes lives by it: no order may hang on the seed of Python's hashes."""
    keys = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(keys) == 1
    assert len(keys.pop().split()) == 2


@given(data=st.data())
def test_bytes_that_are_no_tape_are_refused(tape, data):
    whole = tape.to_bytes()
    length = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ValueError):  # noqa: PT011
        Tape.from_bytes(whole[:length])


@pytest.mark.parametrize("header", [b"{}", b"[]", b"null", b'{"arrays": 3}'])
def test_a_header_that_says_nothing_is_refused(header):
    data = b"kempe-tape-1" + len(header).to_bytes(8, "little") + header
    with pytest.raises(ValueError):  # noqa: PT011
        Tape.from_bytes(data)


def test_a_section_is_found_by_its_name(tape):
    assert tape.section("two") is tape.sections[1]
    assert list(tape.section_stops) == [s.stop for s in tape.sections]
    assert tape.sections[-1].stop == len(tape.code)
