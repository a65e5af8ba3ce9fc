"""Every entry of the gallery has its model file in examples/gallery, which moves alike."""

from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.gallery import COURSES, MECHANISMS

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "gallery"
#: Another machine's sine may round the written first guesses otherwise; positions are solved anew.
ALIKE = 1e-9


def parts(model):
    return [
        [(type(part).__name__, part.name) for part in group]
        for group in (model.bodies, model.joints, model.couplers, model.forces)
    ]


def test_there_is_a_file_for_every_entry_and_no_other():
    assert {file.stem for file in FOLDER.glob("*")} == set(MECHANISMS)


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_file_of_an_entry_has_its_parts_and_moves_alike(name):
    mechanism, loaded = MECHANISMS[name](), kempe.Mechanism.load(FOLDER / f"{name}.yaml")
    assert parts(loaded.model) == parts(mechanism.model)
    if name in COURSES:
        asked, course = loaded.document.run, COURSES[name]
        assert (asked.analysis, asked.until) == ("dynamics", course.until)
        assert asked.trace == course.trace
        # A tenth of its course: some are chaotic, and a last digit grows.
        one, other = (m.simulate(until=0.1 * course.until, steps=10) for m in (mechanism, loaded))
    elif mechanism.model.drives:
        one, other = (m.kinematics(until=1.0, steps=60) for m in (mechanism, loaded))
    else:
        return
    assert other.outcome.name == one.outcome.name
    np.testing.assert_allclose(other.motion.q, one.motion.q, atol=ALIKE)


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("ending", ["yaml", "json"])
def test_an_entry_comes_back_from_a_file_to_the_last_digit(name, ending, tmp_path):
    mechanism = MECHANISMS[name]()
    loaded = kempe.Mechanism.load(mechanism.save(tmp_path / f"it.{ending}"))
    if name in COURSES:
        end = 0.05 * COURSES[name].until
        one, other = (m.simulate(until=end, steps=2) for m in (mechanism, loaded))
        assert one.motion.q.tobytes() == other.motion.q.tobytes()
        return
    if not mechanism.model.drives:
        assert len(loaded.assemblies()) == len(mechanism.assemblies())
        return
    one, other = (m.kinematics(until=0.2, steps=12) for m in (mechanism, loaded))
    assert one.motion.q.tobytes() == other.motion.q.tobytes()
