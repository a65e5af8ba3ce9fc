"""Lists of a family's words in the manual, made from the classes when the manual is built.

A page that says `<!-- words: couplers -->` gets the couplers in that place: the first sentence and
the equation of every class that the room exports, and what it is told.
"""

import dataclasses
import importlib
import inspect
import re
from typing import Any

ROOMS = {
    "constraints": "kempe.constraints.AbstractConstraint",
    "measures": "kempe.measures.AbstractMeasure",
    "joints": "kempe.joints.AbstractJoint",
    "couplers": "kempe.couplers.AbstractCoupler",
    "drives": "kempe.drives.AbstractLaw",
    "solids": "kempe.geometry.solids.AbstractSolid",
}
PLACE = re.compile(r"<!-- words: (\w+) -->")
INHERITED = {"I", "J", "name", "gauges"}


def members(room: str) -> list[type]:
    """The classes of a family that its room exports, in the order of their names."""
    path, _, base_name = ROOMS[room].rpartition(".")
    module = importlib.import_module(path)
    base = getattr(module, base_name)
    found = (getattr(module, name) for name in module.__all__)
    return sorted(
        (
            kind
            for kind in found
            if inspect.isclass(kind) and issubclass(kind, base) and not is_pattern(kind)
        ),
        key=lambda kind: kind.__name__,
    )


def is_pattern(kind: type) -> bool:
    """Whether the class is only there to be derived from."""
    return kind.__name__.startswith("Abstract")


def word_list(room: str) -> str:
    """A table: the word in Python and in a file, what it says, its equation."""
    rows = [row(kind) for kind in members(room)]
    return "\n".join(["| word | | |", "|---|---|---|", *rows])


def row(kind: type) -> str:
    """One line of the table."""
    paragraphs = (inspect.getdoc(kind) or "").split("\n\n")
    formula = next((p for p in paragraphs[1:] if is_formula(p)), "")
    said, shown = cell(paragraphs[0]).replace("|", "&#124;"), cell(formula)  # code keeps its bars
    told = ", ".join(f"`{f.name}`" for f in dataclasses.fields(kind) if f.name not in INHERITED)
    code = f"`{shown}`" if shown else ""
    return f"| **{kind.__name__}**<br>{told} | {said} | {code} |"


def is_formula(paragraph: str) -> bool:
    """Whether a paragraph of a docstring is its equation."""
    first = paragraph.strip().split("\n", 1)[0]
    return " = " in first and not first.startswith((">>>", "Source", "Own"))


def cell(text: str) -> str:
    """Text that stays in its cell."""
    return re.sub(r"\s+", " ", text).strip()


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What MkDocs calls for every page."""
    return PLACE.sub(lambda found: word_list(found[1]), markdown)
