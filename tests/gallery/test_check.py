"""Every entry of the gallery passes its check."""

import pytest

from kempe.gallery import COURSES, MECHANISMS
from kempe.kinematics.check.check import check


@pytest.mark.parametrize("name", [n for n in MECHANISMS if n not in COURSES])
def test_an_entry_goes_together_and_its_drives_determine_it(name):
    layout = MECHANISMS[name]().layout
    report = check(layout)
    assert report.freedom_left == 0
    assert not report.adrift
    assert report.nearly is None
    rows = sum(joint.rows for joint in report.joints)
    assert report.redundant_rows == rows - (layout.n_v - report.mobility)
    assert sum(joint.redundant for joint in report.joints) == report.redundant_rows
    assert sum(looser.rows for looser in report.looser) <= report.redundant_rows
    assert report.name in str(report)


@pytest.mark.parametrize("name", COURSES)
def test_an_entry_that_forces_move_goes_together_and_is_free_to_move(name):
    report = check(MECHANISMS[name]().layout)
    assert report.freedom_left > 0
    assert report.nearly is None
    assert report.name in str(report)
