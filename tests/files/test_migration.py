"""Documents of old versions are read as if they had been written today."""

import pytest

from kempe.errors import FileError
from kempe.files.documents.document import STEPS
from kempe.files.schema.schema import VERSION
from kempe.files.syntax.text import yaml_text

OLD = """\
version: 0
name: old four-bar
dimension: 2
links:
  crank: {length: 1}
  coupler: {length: 3}
  rocker: {length: 2.5}
joints:
  A: {type: revolute, ends: [ground, crank.start]}
  B: {type: revolute, ends: [crank.end, coupler.start]}
  C: {type: revolute, ends: [coupler.end, rocker.end]}
  D: {type: revolute, ends: [{body: ground, at: [3, 0]}, rocker.start]}
motors:
  crank.angle: {speed: 60 rpm}
"""
NEW = """\
version: 1
name: old four-bar
plane: true
bodies:
  crank: {length: 1}
  coupler: {length: 3}
  rocker: {length: 2.5}
joints:
  A: {type: revolute, I: ground, J: crank.start}
  B: {type: revolute, I: crank.end, J: coupler.start}
  C: {type: revolute, I: coupler.end, J: rocker.end}
  D: {type: revolute, I: {body: ground, at: [3, 0]}, J: rocker.start}
drives:
  crank.angle: {speed: 60 rpm}
"""


def test_there_is_a_step_from_every_old_version():
    assert len(STEPS) == VERSION


def test_an_old_document_means_the_same_as_the_new_one(document, same):
    assert same(document(OLD).model, document(NEW).model)


def test_an_old_document_is_written_in_the_present_version(document):
    assert document(yaml_text(document(OLD).data)).data == document(NEW).data


@pytest.mark.parametrize(
    ("right", "wrong", "place", "says"),
    [
        ("crank.start", "crnk.start", (9, 38), "Did you mean 'crank'"),
        ("ends: [crank.end, coupler.start]", "ends: [crank.end]", (10, 29), "two markers"),
        ("ends: [crank.end, coupler.start]", "ends: 3", (10, 29), "two markers"),
        ("dimension: 2", "dimension: 4", (3, 12), "2 or 3"),
        ("dimension: 2", "dimension: true", (3, 12), "2 or 3"),
        ("rocker: {length: 2.5}", "rocker: {lenght: 2.5}", (7, 12), "Did you mean 'length'"),
        ("length: 2.5", "length: 0", (7, 20), "positive"),
        ("crank.angle", "crank.angel", (14, 3), "Did you mean 'crank.angle'"),
        ("motors:", "bodies: {}\nmotors:", (4, 1), "two words for the same"),
    ],
)
def test_a_mistake_in_an_old_document_points_into_the_file(document, right, wrong, place, says):
    with pytest.raises(FileError, match=says) as refusal:
        _ = document(OLD.replace(right, wrong, 1)).model
    assert (refusal.value.line, refusal.value.column) == place


@pytest.mark.parametrize("version", ["2", "-1", "1.0", "'1'", "true", "[1]"])
def test_a_version_that_nobody_knows_is_refused(document, version):
    with pytest.raises(FileError, match="version"):
        document(f"version: {version}")
