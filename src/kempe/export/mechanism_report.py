"""The report of a mechanism: what it is made of, how freely it moves, how it moves, and plots.

HTML is one page that needs no network, PDF has the same text and plots on paper.
"""

import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

from kempe.disk import replace_file
from kempe.endings import refuse_unwritable
from kempe.errors import KempeError, printable
from kempe.export.plots import RULES, picture_bytes
from kempe.extras import extra
from kempe.notebook import table_html, text_html
from kempe.units import factor

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kempe.front.mechanism import Mechanism
    from kempe.front.trajectory import Trajectory

ENDINGS = (".html", ".pdf")
MOST_ROWS = 200  # of a table: of more bodies or joints the first
MOST_PLOTS = 6  # measures that are plotted
PAGE = (8.27, 11.69)  # inches: A4
LINES, COLUMNS = 72, 92  # of a page of text
STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;"
    "color:#1b1f24}h2{margin-top:2em;border-bottom:1px solid #d0d7de}table{border-collapse:"
    "collapse}td,th{padding:.2em .9em .2em 0;border-bottom:1px solid #eaeef2}svg{max-width:100%;"
    "height:auto}pre{font-size:13px}@media print{h2{break-after:avoid}svg{break-inside:avoid}}"
)


@final
@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: a table of rows under heads, or text."""

    title: str
    text: str = ""
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()

    def lines(self) -> list[str]:
        """The section as plain text, its columns aligned."""
        if not self.heads:
            return [self.title, "-" * len(self.title), *self.text.splitlines(), ""]
        rows = [list(self.heads), *(list(row) for row in self.rows)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(self.heads))]
        each = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
        return [self.title, "-" * len(self.title), *(line.rstrip() for line in each), ""]


def write_mechanism_report(
    mechanism: "Mechanism", trajectory: "Trajectory | None", path: str | Path
) -> Path:
    """Write the report of a mechanism, and of its motion where there is one, to .html or .pdf."""
    target = Path(path)
    refuse_unwritable(target, ENDINGS, "a report")
    found = sections(mechanism, trajectory)
    drawn = None if trajectory is None else _plots(trajectory)
    if target.suffix.lower() == ".pdf":
        return replace_file(target, _pdf(mechanism.name, found, drawn))
    return replace_file(target, _page(mechanism, found, drawn).encode())


def sections(mechanism: "Mechanism", trajectory: "Trajectory | None") -> list[Section]:
    """What the report says, in order: bodies, joints, freedoms, motion."""
    found = [_bodies(mechanism), _joints(mechanism)]
    try:
        found.append(Section("Freedoms", mechanism.check().text()))
    except KempeError as refused:  # it cannot be put together, and says why
        found.append(Section("Freedoms", str(refused)))
    if trajectory is not None:
        found.append(Section("Motion", trajectory.summary()))
    return found


def _bodies(mechanism: "Mechanism") -> Section:
    unit = mechanism.model.length_unit
    scale, rows = factor("m", unit), []
    size = 2 if mechanism.model.plane else 3
    for body in mechanism.model.moving[:MOST_ROWS]:
        places = [
            f"{name} ({', '.join(f'{c * scale:.6g}' for c in tuple(point)[:size])})"
            for name, point in body.points.items()
        ]
        mass = "-" if body.inertia is None else f"{body.inertia.mass:.6g} kg"
        rows.append((body.name, mass, ", ".join(places) or "-"))
    title = "Bodies" + _cut(len(mechanism.model.moving))
    return Section(title, heads=("body", "mass", f"points in its axes [{unit}]"), rows=rows)


def _joints(mechanism: "Mechanism") -> Section:
    model = mechanism.model
    rows = [
        (j.name, type(j).__name__, " - ".join(dict.fromkeys(m.body for m in j.markers)))
        for j in model.joints[:MOST_ROWS]
    ]
    rows += [(d.gauge.name, "drive", type(d.law).__name__) for d in model.drives]
    rows += [(f.name, type(f).__name__, "force") for f in model.forces[:MOST_ROWS]]
    heads = ("name", "kind", "between")
    return Section("Joints, drives and forces" + _cut(len(model.joints)), heads=heads, rows=rows)


def _cut(count: int) -> str:
    """What the title of a table adds where it does not show all."""
    return f" (the first {MOST_ROWS} of {count:,})" if count > MOST_ROWS else ""


def _plots(trajectory: "Trajectory") -> "Figure | None":
    """Plots of the measures that pictures show; None where there are none or nothing moves."""
    names = tuple(trajectory.subject.shown[:MOST_PLOTS])
    return trajectory.plot(*names, rate=True) if names and len(trajectory) > 1 else None


def _page(mechanism: "Mechanism", found: Sequence[Section], drawn: "Figure | None") -> str:
    name = html.escape(printable(mechanism.name))
    try:
        picture = mechanism.svg()
    except KempeError:  # the section on freedoms says why
        picture = ""
    parts = [f"<h1>{name}</h1>{picture}"]
    for section in found:
        body = table_html(section.heads, section.rows) if section.heads else text_html(section.text)
        parts.append(f"<h2>{html.escape(section.title)}</h2>{body}")
    if drawn is not None:
        svg = picture_bytes(drawn, ".svg").decode()
        parts.append(f"<h2>Plots</h2>{svg[svg.index('<svg') :]}")
    head = f'<meta charset="utf-8"><title>{name}</title><style>{STYLE}</style>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>'
    )


def _pdf(name: str, found: Sequence[Section], drawn: "Figure | None") -> bytes:
    matplotlib = extra("matplotlib", "plot", "a report as PDF")
    pdf = extra("matplotlib.backends.backend_pdf", "plot", "a report as PDF")
    figures = extra("matplotlib.figure", "plot", "a report as PDF")
    lines = [printable(name), "=" * len(name), ""]
    lines += [piece for section in found for line in section.lines() for piece in _folded(line)]
    buffer = io.BytesIO()
    with (
        matplotlib.rc_context(RULES),
        pdf.PdfPages(buffer, metadata={"CreationDate": None, "Title": name}) as pages,
    ):
        for start in range(0, len(lines), LINES):
            sheet = figures.Figure(figsize=PAGE)
            text = "\n".join(printable(line) for line in lines[start : start + LINES])
            sheet.text(0.08, 0.95, text, va="top", family="monospace", fontsize=8)
            pages.savefig(sheet)
        if drawn is not None:
            pages.savefig(drawn)
    return buffer.getvalue()


def _folded(line: str) -> list[str]:
    """A line in pieces that fit on paper."""
    return [line[k : k + COLUMNS] for k in range(0, len(line), COLUMNS)] or [""]
