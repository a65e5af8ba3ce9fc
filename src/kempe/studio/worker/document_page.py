"""The whole document as one page that needs no network: drawing, motion, check, model file."""

import base64
import html
from typing import TYPE_CHECKING

from kempe.draw import player_html
from kempe.errors import KempeError, printable
from kempe.export.mechanism_report import STYLE, sections
from kempe.notebook import page_html, table_html, text_html
from kempe.pictures.animation import points_of_interest, standing
from kempe.studio.documents.mirror import text_of
from kempe.studio.documents.script import script_of
from kempe.studio.worker.desk import Desk

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

WIDE = (
    "iframe{width:100%;height:min(80vh,640px);border:1px solid #d0d7de}"
    "@media print{iframe{display:none}}"
)


def document_page(desk: Desk, motion: "Trajectory | None") -> str:
    """One page with everything that a document says, and what follows from it.

    It plays the `motion` where there is one, and holds the model file, so that the studio can open
    again what somebody was sent.
    """
    mechanism, data = desk.mechanism, desk.data
    name = html.escape(printable(mechanism.name))
    parts = [f"<h1>{name}</h1>", _drawing(desk, motion)]
    if desk.problems:
        parts += ["<h2>What does not fit</h2>", text_html("\n".join(p.text for p in desk.problems))]
    if data.get("parameters"):
        rows = [(one, str(given)) for one, given in data["parameters"].items()]
        parts += ["<h2>Parameters</h2>", table_html(("name", "value"), rows)]
    for section in sections(mechanism, motion):
        body = table_html(section.heads, section.rows) if section.heads else text_html(section.text)
        parts += [f"<h2>{html.escape(section.title)}</h2>", body]
    text = text_of(data)
    coded = base64.b64encode(text.encode()).decode()
    parts += [
        "<h2>Model file</h2>",
        f'<p><a download="{name}.yaml" href="data:text/yaml;base64,{coded}">Save it as a file</a>,'
        " and open that in the studio or by <code>kempe studio</code>.</p>",
        text_html(text),
        "<h2>Python</h2>",
        text_html(script_of(mechanism.model, data)),
    ]
    head = f'<meta charset="utf-8"><title>{name}</title><style>{STYLE}{WIDE}</style>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>'
    )


def _drawing(desk: Desk, motion: "Trajectory | None") -> str:
    """A player of the motion, or the mechanism where it stands."""
    if motion is not None and len(motion) > 1:
        return page_html(player_html(standing(motion, points_of_interest(motion))))
    try:
        return desk.mechanism.svg()
    except KempeError:  # what does not fit is told below
        return ""
