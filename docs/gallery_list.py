"""The gallery in the manual, made from the entries themselves when the manual is built.

A page that says `<!-- gallery -->` gets the cards of all entries in that place, with what picks
among them. Every entry has a page of its own, `gallery/NAME.md`: its player, what to notice, what
`check` says, a plot, the program, the model file and its dimensions.
"""

import html
import inspect
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kempe import Mechanism, Trajectory
from kempe.errors import KempeError
from kempe.export.plots import picture_bytes
from kempe.gallery import COURSES, MECHANISMS
from kempe.kinematics.check.check import check

PLACE = "<!-- gallery -->"
PICTURES = Path(__file__).parent / "pictures" / "gallery"
FOLDER = "gallery"  # on the site: pages of entries, and below it what they show
PLAYER = "pictures/player.html"  # on the site
STEPS = 120
PATHS = 480  # of a simulation, which takes longer and winds more
#: word on a button -> what it says when pointed at
KINDS = {
    "plane": "all bodies move in one plane",
    "space": "bodies move in space",
    "driven": "drives say how it moves",
    "forces": "masses and forces say how it moves",
    "loops": "closed loops",
    "gears": "gears, belts, racks and other couplers",
    "curves": "points, bars and bodies on curves and surfaces",
    "contact": "bodies that touch, stop or latch",
}


@lru_cache(maxsize=2)
def made(name: str) -> Mechanism:
    """The entry with its own dimensions."""
    return MECHANISMS[name]()


def gallery_list() -> str:
    """Buttons that pick, and a card for every entry."""
    buttons = "".join(
        f'<button type="button" data-kind="{kind}" title="{says}" aria-pressed="false">{kind}'
        "</button>"
        for kind, says in KINDS.items()
    )
    search = '<input type="search" placeholder="Name or word" aria-label="Name or word">'
    cards = "".join(card(name) for name in MECHANISMS)
    return (
        f'<div class="gallery-picks">{search}{buttons}<output></output></div>\n'
        f'<div class="gallery-cards">{cards}</div>'
    )


def card(name: str) -> str:
    """The picture of an entry, its name and its first sentence, leading to its page."""
    first = sentence(name)
    image = ""
    if (PICTURES / f"{name}.svg").is_file():
        image = f'<img loading="lazy" alt="" src="pictures/gallery/{name}.svg">'
    words = html.escape(f"{name} {made(name).name} {first}".lower(), quote=True)
    return (
        f'<a class="gallery-card" href="{FOLDER}/{name}.html" data-words="{words}"'
        f' data-kinds="{" ".join(kinds(name))}">{image}<strong>{html.escape(made(name).name)}'
        f"</strong><code>{name}</code><span>{html.escape(first)}</span></a>"
    )


def kinds(name: str) -> list[str]:
    """Which buttons show an entry."""
    model = made(name).model
    runs = any(hasattr(joint, word) for joint in model.joints for word in ("curve", "surface"))
    touching = bool(model.events) or any(hasattr(force, "restitution") for force in model.forces)
    is_so = {
        "plane": model.plane,
        "space": not model.plane,
        "driven": bool(model.drives),
        "forces": name in COURSES,
        "loops": len(model.joints) > len(model.moving),
        "gears": bool(model.couplers),
        "curves": runs,
        "contact": touching,
    }
    return [kind for kind in KINDS if is_so[kind]]


def entry_page(name: str) -> str:
    """The page of one entry as Markdown."""
    text, _, example = (inspect.getdoc(MECHANISMS[name]) or "").partition("\n\nExamples:\n")
    first, _, more = text.partition("\n\n")
    parts = [f"# {made(name).name}", first, player_frame(name)]
    if more:
        parts += ["## What to notice", more]
    parts += [f"`kempe check {name}`: {check(made(name).layout)}", plotted(name)]
    parts += ["## As a program", program(name)]
    if example:
        parts.append(f"```python\n{inspect.cleandoc(example)}\n```")
    return "\n\n".join(part for part in [*parts, model_file(name), dimensions(name)] if part)


def sentence(name: str) -> str:
    """What an entry is, in its own first sentence."""
    return (inspect.getdoc(MECHANISMS[name]) or "").partition("\n")[0]


def player_frame(name: str) -> str:
    """The entry's player, or its picture where nothing of it moves."""
    if does_move(name):
        title = html.escape(made(name).name, quote=True)
        return f'<iframe class="player" src="players/{name}.html" title="{title}"></iframe>'
    if not (PICTURES / f"{name}.svg").is_file():
        return ""
    return f"![{made(name).name}](../pictures/gallery/{name}.svg)"


def does_move(name: str) -> bool:
    """Whether there is a motion to play: by drives or by forces."""
    return name in COURSES or bool(made(name).model.drives)


def program(name: str) -> str:
    """The lines that make the page's player, and the same on the command line."""
    if not does_move(name):
        return f"```python\nimport kempe\n\nprint(kempe.gallery.{name}().check())\n```"
    course = COURSES.get(name)
    call = f"simulate(until={course.until:g})" if course else "kinematics(until=1.0)"
    traced = f", trace={course.trace!r}" if course and course.trace else ""
    command = f"simulate {name} --until {course.until:g}" if course else f"run {name}"
    return (
        f"```python\nimport kempe\n\nmechanism = kempe.gallery.{name}()\n"
        f'mechanism.{call}.animate("{name}.html"{traced})\n```\n\n'
        f"```sh\nkempe {command} -o {name}.html\n```"
    )


def model_file(name: str) -> str:
    """The entry as kempe writes it, folded away."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.yaml"
        try:
            made(name).save(path)
        except KempeError as refusal:
            return f"It has no model file: {refusal}"
        lines = path.read_text(encoding="utf-8").splitlines()
    inside = "\n".join(f"    {line}".rstrip() for line in ["```yaml", *lines, "```"])
    return (
        f'## As a file\n\n??? example "{name}.yaml, {len(lines)} lines"\n\n{inside}\n\n'
        f"`kempe new {name}` writes it."
    )


def plotted(name: str) -> str:
    """A plot of its motion, and the command that draws it."""
    shown = worth_plotting(made(name))
    if not shown:
        return ""
    command = f"kempe plot {name} {' '.join(shown)} --rate"
    return f"`{command}`:\n\n![{', '.join(shown)} over time](plots/{name}.svg)"


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


@lru_cache(maxsize=2)
def motion(name: str) -> Trajectory:
    """One second of its motion, or its course."""
    if name in COURSES:
        return made(name).simulate(until=COURSES[name].until, steps=PATHS)
    return made(name).kinematics(until=1.0, steps=STEPS)


def plot(name: str) -> bytes:
    """What is worth plotting of its motion, and its rate."""
    return picture_bytes(motion(name).plot(*worth_plotting(made(name)), rate=True), ".svg")


def dimensions(name: str) -> str:
    """What it takes, with defaults: numbers are m and rad."""
    rows = [
        f"| `{p.name}` | {_shown(p.default)} |"
        for p in inspect.signature(MECHANISMS[name]).parameters.values()
    ]
    table = ["## Dimensions", "", "| dimension | default |", "|---|---|", *rows]
    return "\n".join(table) if rows else ""


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_shown(v) for v in value)})"
    return f"{value:.6g}" if isinstance(value, float) else f"{value}"


def player(name: str) -> bytes:
    """The page that plays an entry."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "player.html"
        trace = COURSES[name].trace if name in COURSES else ()
        motion(name).animate(page, trace=trace)
        return page.read_bytes()


def on_page_markdown(markdown: str, **_: Any) -> str:
    """What MkDocs calls for every page."""
    return markdown.replace(PLACE, gallery_list()) if PLACE in markdown else markdown


def on_files(files: Any, *, config: Any) -> Any:
    """What MkDocs calls once: pages of entries, their plots and players join the site's files."""
    from mkdocs.structure.files import File

    def add(place: str, content: str | bytes) -> None:
        files.append(File.generated(config, place, content=content))

    for name in MECHANISMS:
        add(f"{FOLDER}/{name}.md", entry_page(name))
        if worth_plotting(made(name)):
            add(f"{FOLDER}/plots/{name}.svg", plot(name))
        if does_move(name):
            page = player(name)
            add(f"{FOLDER}/players/{name}.html", page)
            if name == "jansen":
                add(PLAYER, page)
    return files
