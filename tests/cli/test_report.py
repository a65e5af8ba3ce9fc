"""`kempe report` and workbooks: what they hold, read back by other means."""

import zipfile
from xml.etree import ElementTree

import numpy as np
import pytest

import kempe as kp

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def test_a_report_holds_dimensions_freedoms_motion_and_plots(kempe, tmp_path):
    answer = kempe("report", "four_bar", "--steps", "36")
    assert (answer.code, answer.out) == (0, "wrote four_bar.html\n")
    page = (tmp_path / "four_bar.html").read_text(encoding="utf-8")
    for words in ("end (1, 0)", "Revolute", "DOF 1", "goes round once", "<h2>Plots</h2>"):
        assert words in page
    assert page.count("<svg") == 2  # the picture and the plots
    assert not any(f'{word}="http' in page for word in ("src", "href"))  # nothing is fetched


def test_a_report_is_paper_too(kempe, tmp_path):
    assert kempe("report", "double_pendulum", "--steps", "36", "-o", "a.pdf").code == 0
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert content.count(b"/Type /Page\n") + content.count(b"/Type /Page ") >= 2


def test_what_nothing_moves_is_reported_at_rest(kempe, script, tmp_path):
    text = "import kempe\nm = kempe.Builder('m', plane=True)\nb = m.bar('b', 1)\n"
    text += "m.revolute(m.ground.at(0, 0), b.start)\nmechanism = m.build()\n"
    answer = kempe("report", script(text))
    assert answer.code == 0
    assert "The report has no motion" in answer.out
    assert "<h2>Motion</h2>" not in (tmp_path / "model.html").read_text(encoding="utf-8")


def test_a_report_has_an_ending_of_its_own(mistaken, tmp_path):
    assert "a report is written to .html, .pdf" in mistaken("report", "four_bar", "-o", "a.docx")
    assert list(tmp_path.iterdir()) == []


def cells(package: zipfile.ZipFile, number: int) -> list[list[str | None]]:
    """The rows of a sheet as their texts."""
    root = ElementTree.fromstring(package.read(f"xl/worksheets/sheet{number}.xml"))
    rows = root.find(f"{MAIN}sheetData")
    assert rows is not None
    return [["".join(cell.itertext()) or None for cell in row] for row in rows]


@pytest.mark.parametrize("units", [(), ("mm", "deg")])
def test_a_workbook_holds_every_number_to_the_last_bit(tmp_path, units):
    from kempe.export.writing import write

    turn = kp.gallery.four_bar(units="mm").kinematics(until=1.0, steps=7)
    with zipfile.ZipFile(write(turn, tmp_path / "turn.xlsx", units=units)) as package:
        assert package.testzip() is None
        for name in package.namelist():
            ElementTree.fromstring(package.read(name))
        heads, *rows = cells(package, 1)
        facts = dict(cells(package, 2)[1:])
    wanted = turn.columns(units=units)
    assert [head.split(" [")[0] for head in heads] == list(wanted)
    assert heads[0] == "t [s]"
    assert np.array_equal(np.array(rows, dtype=float), np.stack(list(wanted.values()), axis=1))
    assert facts["mechanism"] == "four-bar"


def test_names_with_markup_and_numbers_that_are_none_fit_into_a_sheet():
    import io

    from kempe.export.workbook import workbook_bytes

    with zipfile.ZipFile(io.BytesIO(workbook_bytes([("a<b", [["<&>", 1.5, np.nan]])]))) as package:
        assert cells(package, 1) == [["<&>", "1.5", None]]
