"""The notebooks of the manual run in a kernel of Jupyter, and cells show what they end with."""

import json
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
SHORTER = """
import kempe.notebook
kempe.notebook.QUIET = kempe.notebook.PAUSE = 0.0
seen = []
drawn = kempe.notebook.bar_html
kempe.notebook.bar_html = lambda *said: seen.append(drawn(*said)) or seen[-1]
"""  # bars come at once, and are remembered
BARS = "print('BARS', len(seen), all('<progress' in page for page in seen))"


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """The cells of every notebook with their outputs, run one notebook after another."""
    book, ends = nbformat.v4.new_notebook(), []
    book.cells.append(nbformat.v4.new_code_cell(SHORTER))
    for path in NOTEBOOKS:
        book.cells += nbformat.read(path, as_version=4).cells
        book.cells.append(nbformat.v4.new_code_cell(BARS))
        ends.append(len(book.cells))
    folder = tmp_path_factory.mktemp("notebooks")
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(book, timeout=120, kernel_name="python3", resources=resources).execute()
    begins = [1, *ends]
    return {
        path.stem: [c for c in book.cells[first:last] if c.cell_type == "code"]
        for path, first, last in zip(NOTEBOOKS, begins, ends, strict=False)
    }


def shown(cells, source):
    """The kinds of output of the cell whose source ends so, best first, by their MIME types."""
    (cell,) = [c for c in cells if c.source.rstrip().endswith(source)]
    return [kind for output in cell.outputs for kind in output.get("data", {})], cell


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_kept_without_outputs_and_has_its_page(path):
    book = json.loads(path.read_text(encoding="utf-8"))
    nbformat.validate(nbformat.read(path, as_version=4))
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert code
    assert not any(cell["outputs"] for cell in code)
    assert f"notebooks/{path.stem}.md" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_motions_play_and_plots_are_pictures_below_their_cells(executed):
    cells = executed["first_motion"]
    kinds, cell = shown(cells, "\nturn")
    assert "text/html" in kinds
    assert "<iframe" in cell.outputs[-1].data["text/html"]
    kinds, _ = shown(cells, 'turn.plot("rocker.angle", rate=True)')
    assert "image/png" in kinds
    kinds, cell = shown(cells, "fourbar.check()")
    assert "Grashof" in cell.outputs[-1].data["text/html"]
    kinds, cell = shown(executed["every_way"], "triangle.pictures(ways)")
    assert cell.outputs[-1].data["text/html"].count("loop") >= 4


def test_an_interrupt_keeps_what_is_done(executed):
    (cell,) = [c for c in executed["forces"] if "interrupt_main" in c.source]
    printed = "".join(o.text for o in cell.outputs if o.output_type == "stream")
    assert printed.strip() == "Interrupted - samples are kept: True"


def test_a_long_run_shows_a_bar_that_is_gone_when_it_is_over(executed):
    for name in ("forces", "every_way"):
        last = "".join(o.text for o in executed[name][-1].outputs)
        _, count, are_bars = last.split()
        assert int(count) > 0, name
        assert are_bars == "True"
    for cells in executed.values():
        for cell in cells:
            assert not any("<progress" in str(output) for output in cell.outputs), cell.source
