"""What every entry of the gallery keeps: the members are discovered."""

import inspect
import math
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import kempe
from kempe.compile.program.tape_programs import tape_program
from kempe.compile.small.kinematic_tape import kinematic_tape
from kempe.compile.trace.tracing import trace
from kempe.equations import Equations
from kempe.gallery import COURSES, MECHANISMS
from kempe.kinematics.closing.placement import first_guess
from kempe.kinematics.closing.winding import initial_turns
from kempe.pictures.animation import picture

FOLDER = Path(kempe.gallery.__file__).parent
SKETCHES = {"__init__", "sketch", "sketch_in_space", "sketch_of_masses"}  # files that hold no entry
ESTIMATES = "sung_"  # their starts are the estimates printed in the thesis
STOPPING = {"sung_combined"}  # its printed drive runs into a dead point
#: Positions found with ruler and compasses are right to rounding, in sizes of the machine.
CLOSED = 1e-12
HOSTILE = (math.nan, math.inf, -math.inf, 0.0, -1.0, 1e-300, 1e300)

STILL = {"barton_stuck"}  # nothing of it can move

every_entry = pytest.mark.parametrize("name", MECHANISMS)
every_moving_entry = pytest.mark.parametrize(
    "name", [n for n in MECHANISMS if n not in STILL and n not in COURSES]
)


def test_every_file_of_the_gallery_brings_an_entry():
    files = {file.stem for file in FOLDER.glob("*.py")} - SKETCHES
    assert {entry.__module__.rsplit(".", 1)[1] for entry in MECHANISMS.values()} == files


def test_every_entry_is_found_under_its_own_name():
    assert all(getattr(kempe.gallery, name) is entry for name, entry in MECHANISMS.items())
    assert all(entry.__name__ == name for name, entry in MECHANISMS.items())


@every_entry
def test_dimensions_are_keywords_with_defaults(name):
    for parameter in inspect.signature(MECHANISMS[name]).parameters.values():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.default is not inspect.Parameter.empty


@every_entry
def test_an_entry_says_in_one_sentence_what_it_is(name):
    first = inspect.getdoc(MECHANISMS[name]).split("\n\n")[0]
    assert first.endswith(".")
    assert "\n" not in first


@pytest.mark.parametrize("name", [n for n in MECHANISMS if not n.startswith(ESTIMATES)])
def test_the_first_position_closes_every_loop(name):
    layout = MECHANISMS[name]().layout
    equations = Equations(layout, tape_program(kinematic_tape(trace(layout), [], None)))
    q = first_guess(layout, 0, 0.0)
    phi, _, _ = equations.evaluate(q, 0.0, initial_turns(equations, 0.0, q))
    assert np.abs(phi * equations.row_weights).max(initial=0.0) < CLOSED


@every_moving_entry
def test_one_second_runs_to_its_end(name):
    trajectory = MECHANISMS[name]().kinematics(until=1.0)
    assert trajectory.outcome.name == ("DeadPoint" if name in STOPPING else "Done")


@every_moving_entry
def test_what_is_driven_moves_for_one_second_as_its_law_says(name):
    mechanism = MECHANISMS[name]()
    trajectory = mechanism.kinematics(until=1.0)
    for drive in mechanism.model.drives:
        wanted = [float(drive.law.value(t)) for t in trajectory.t]
        np.testing.assert_allclose(trajectory[drive.gauge.name].values, wanted, atol=1e-9)


@every_moving_entry
def test_an_entry_can_be_drawn_with_the_paths_of_its_points(name):
    trajectory = MECHANISMS[name]().kinematics(until=1.0, steps=24)
    traced = tuple(n for n in trajectory.names if n.endswith(".P"))
    root = ElementTree.fromstring(picture(trajectory, trace=traced))
    assert root.tag.endswith("svg")


@every_entry
@pytest.mark.parametrize("value", HOSTILE, ids=str)
def test_a_hostile_dimension_is_refused_in_words_or_builds(name, value):
    entry = MECHANISMS[name]
    for parameter in inspect.signature(entry).parameters.values():
        if isinstance(parameter.default, float):
            with suppress(kempe.KempeError):
                entry(**{parameter.name: value})


@every_entry
def test_a_dimension_that_is_no_number_is_named(name):
    entry = MECHANISMS[name]
    dimensions = inspect.signature(entry).parameters.values()
    for parameter in (p for p in dimensions if isinstance(p.default, float)):
        with pytest.raises(kempe.KempeError, match=parameter.name):
            entry(**{parameter.name: math.nan})
