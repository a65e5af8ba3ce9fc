"""What one click would mend: every proposal does what it says."""

from pathlib import Path

import pytest

from kempe.files.documents.writer import document_data
from kempe.gallery import MECHANISMS
from kempe.studio.worker.desk import Desk
from kempe.studio.worker.runs import Runs


def desk_of(name: str, folder: Path) -> Desk:
    desk = Desk(folder)
    desk.load(document_data(MECHANISMS[name]().model), 1)
    return desk


@pytest.mark.parametrize("name", ["bennett", "bricard", "cardan_shaft", "goldberg", "miura_vertex"])
def test_a_joint_that_is_loosened_as_proposed_takes_redundant_rows_away(
    name: str, tmp_path: Path
) -> None:
    desk = desk_of(name, tmp_path)
    rows = desk.mechanism.check().redundant_rows
    fixes = Runs(desk).check().fixes
    assert fixes
    for fix in fixes:
        mended = desk_of(name, tmp_path)
        mended.load(mended.edited(list(fix.operations), None), 2)
        assert mended.is_assembled
        assert mended.mechanism.check().redundant_rows < rows
