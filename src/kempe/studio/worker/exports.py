"""Every file that the studio writes: the document, or the last motion."""

from pathlib import Path

from kempe.disk import replace_file
from kempe.endings import refuse_foreign
from kempe.errors import FileError, KempeError
from kempe.files.documents.writer import write_document
from kempe.files.syntax.text import WRITERS
from kempe.foreign.exporting import WRITTEN as FOREIGN
from kempe.front.trajectory import Trajectory
from kempe.studio.documents.endings import KINDS
from kempe.studio.worker.desk import Desk
from kempe.studio.worker.runs import Runs

PAGE = ".document.html"
REPORT = ".report"  # with the ending of its own kind


def write(desk: Desk, runs: Runs, ending: str, folder: Path, name: str) -> tuple[Path, list[str]]:
    """Write one of them into a folder; the file, and what its format could not hold."""
    if ending not in KINDS:
        raise FileError(f"the studio writes {', '.join(KINDS)}, not {ending[:20]!r}.")
    target = folder / f"{name}{ending}"
    if ending == ".py":
        from kempe.studio.documents.script import script_of

        return replace_file(target, script_of(desk.mechanism.model, desk.data).encode()), []
    if ending in WRITERS:
        assert desk.document is not None
        return write_document(desk.document, target), []
    if ending in FOREIGN:
        report = desk.closed().export(target)
        return target, [str(item) for item in (*report.left_out, *report.notes)]
    if ending == PAGE:
        return _page(desk, runs, target)
    if ending.startswith(REPORT):
        return _report(desk, runs, target)
    if runs.motion is None:
        runs.motion = _moved(desk)
    from kempe.export.writing import write as write_motion

    refuse_foreign(target, ending, "a motion")
    return write_motion(runs.motion, target), []


def _moved(desk: Desk) -> Trajectory:
    """The motion that the document asks for: as its drives turn, or under forces."""
    mechanism = desk.closed()
    run = desk.document.run if desk.document is not None else None
    if (run is not None and run.analysis == "dynamics") or not mechanism.model.drives:
        return mechanism.simulate(until=(run and run.until) or 5.0)
    return mechanism.kinematics(until=(run and run.until) or 1.0)


def _motion(desk: Desk, runs: Runs, what: str) -> tuple[Trajectory | None, list[str]]:
    """The last motion, or that of the document; where nothing can move, why that is."""
    if runs.motion is not None:
        return runs.motion, []
    try:
        return _moved(desk), []
    except KempeError as mistake:
        return None, [f"the {what} has no motion: {mistake}"]


def _report(desk: Desk, runs: Runs, target: Path) -> tuple[Path, list[str]]:
    """What it is and how it moves, to read."""
    from kempe.export.mechanism_report import write_mechanism_report

    motion, why = _motion(desk, runs, "report")
    return write_mechanism_report(desk.mechanism, motion, target), why


def _page(desk: Desk, runs: Runs, target: Path) -> tuple[Path, list[str]]:
    """The whole document on one page."""
    from kempe.studio.worker.document_page import document_page

    motion, why = _motion(desk, runs, "page")
    return replace_file(target, document_page(desk, motion).encode()), why
