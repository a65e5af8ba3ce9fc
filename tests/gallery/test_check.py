"""Every entry of the gallery passes its check."""

import pytest

from kempe.gallery import MECHANISMS
from kempe.kinematics import check


@pytest.mark.parametrize("name", MECHANISMS)
def test_an_entry_goes_together_and_its_drives_determine_it(name):
    layout = MECHANISMS[name]().layout
    report = check(layout, ranges=False)
    assert report.freedom_left == 0
    assert not report.adrift
    assert report.nearly is None
    rows = sum(joint.rows for joint in report.joints)
    assert report.redundant_rows == rows - (layout.n_v - report.mobility)
    assert sum(joint.redundant for joint in report.joints) == report.redundant_rows
    assert sum(looser.rows for looser in report.looser) <= report.redundant_rows
    assert report.name in str(report)
