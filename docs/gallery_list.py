"""The list of the gallery in the manual, made from the entries themselves when the manual is built.

A page that says `<!-- gallery -->` gets the list in that place: text from each function's
docstring, the picture that tools/gallery_pictures.py wrote.
"""

import inspect
from pathlib import Path
from typing import Any

from kempe.gallery import MECHANISMS
from kempe.kinematics import check

PLACE = "<!-- gallery -->"
PICTURES = Path(__file__).parent / "pictures" / "gallery"


def gallery_list() -> str:
    """The list as Markdown, one section an entry."""
    return "\n\n".join(section(name) for name in MECHANISMS)


def section(name: str) -> str:
    """Heading, picture, what the function says of itself, and its dimensions."""
    parts = [f"## {name}", *picture(name), said(name), checked(name), dimensions(name)]
    return "\n\n".join(part for part in parts if part)


def picture(name: str) -> list[str]:
    """The link to the picture, where there is one."""
    if not (PICTURES / f"{name}.svg").is_file():
        return []
    return [f"![{MECHANISMS[name]().name}](pictures/gallery/{name}.svg)"]


def said(name: str) -> str:
    """The docstring, with its example as code."""
    text, _, example = (inspect.getdoc(MECHANISMS[name]) or "").partition("\n\nExamples:\n")
    return f"{text}\n\n```python\n{inspect.cleandoc(example)}\n```" if example else text


def checked(name: str) -> str:
    """What `check` says of it."""
    return f"`kempe check {name}`: {check(MECHANISMS[name]().layout, ranges=False)}"


def dimensions(name: str) -> str:
    """What it takes, with defaults: numbers are m and rad."""
    rows = [
        f"| `{p.name}` | {_shown(p.default)} |"
        for p in inspect.signature(MECHANISMS[name]).parameters.values()
    ]
    return "\n".join(["| dimension | default |", "|---|---|", *rows]) if rows else ""


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_shown(v) for v in value)})"
    return f"{value:.6g}" if isinstance(value, float) else f"{value}"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What MkDocs calls for every page."""
    return markdown.replace(PLACE, gallery_list()) if PLACE in markdown else markdown
