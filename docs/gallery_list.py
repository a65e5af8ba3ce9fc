"""The list of the gallery in the manual, made from the entries themselves when the manual is built.

A page that says `<!-- gallery -->` gets the list in that place: text from each function's
docstring, the picture that tools/gallery_pictures.py wrote, what `check` says, and a plot of one
second of its motion.
"""

import inspect
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kempe import Mechanism
from kempe.export.plots import picture_bytes
from kempe.gallery import COURSES, MECHANISMS
from kempe.kinematics.check.check import check

PLACE = "<!-- gallery -->"
PICTURES = Path(__file__).parent / "pictures" / "gallery"
PLOTS = "pictures/gallery/plots"  # on the site; they are drawn when it is built
PLAYER = "pictures/player.html"  # on the site
STEPS = 120
PATHS = 480  # of a simulation, which takes longer and winds more


def gallery_list() -> str:
    """The list as Markdown, one section an entry."""
    return "\n\n".join(section(name) for name in MECHANISMS)


def section(name: str) -> str:
    """Heading, picture, what the function says of itself, and its dimensions."""
    parts = [f"## {name}", *picture(name), said(name), checked(name), plotted(name)]
    return "\n\n".join(part for part in [*parts, dimensions(name)] if part)


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
    return f"`kempe check {name}`: {check(MECHANISMS[name]().layout)}"


def plotted(name: str) -> str:
    """A plot of its motion, and the command that draws it."""
    shown = worth_plotting(MECHANISMS[name]())
    if not shown:
        return ""
    command = f"kempe plot {name} {' '.join(shown)} --rate"
    return f"`{command}`:\n\n![{', '.join(shown)} over time]({PLOTS}/{name}.svg)"


def worth_plotting(mechanism: Mechanism) -> tuple[str, ...]:
    """Its first point P, or else how its last body turns or moves; nothing where nothing moves."""
    if not mechanism.model.drives and not any(b.inertia for b in mechanism.model.bodies):
        return ()
    bodies = mechanism.model.moving
    points = [f"{body.name}.P" for body in bodies if "P" in body.points]
    if points:
        return (points[0],)
    last = bodies[-1].name
    return (f"{last}.angle",) if mechanism.model.plane else (last,)


def plot(name: str) -> bytes:
    """One second of its motion, or its course: what is worth plotting, and its rate."""
    mechanism = MECHANISMS[name]()
    if name in COURSES:
        motion = mechanism.simulate(until=COURSES[name].until, steps=PATHS)
    else:
        motion = mechanism.kinematics(until=1.0, steps=STEPS)
    return picture_bytes(motion.plot(*worth_plotting(mechanism), rate=True), ".svg")


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


def player() -> bytes:
    """The page that plays on the first page of the manual."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "player.html"
        leg = MECHANISMS["jansen"]()
        leg.kinematics(until=1.0, steps=STEPS).animate(page, trace="foot.P")
        return page.read_bytes()


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What MkDocs calls for every page."""
    return markdown.replace(PLACE, gallery_list()) if PLACE in markdown else markdown


def on_files(files: Any, *, config: Any) -> Any:
    """What MkDocs calls once: the plots and the player of the first page join the site's files."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, PLAYER, content=player()))

    for name in MECHANISMS:
        if worth_plotting(MECHANISMS[name]()):
            place = f"{PLOTS}/{name}.svg"
            files.append(File.generated(config, place, content=plot(name)))
    return files
