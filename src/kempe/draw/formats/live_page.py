"""The page of a mechanism that a program moves: drawn as the player draws, told where to stand."""

from functools import cache
from importlib import resources

from kempe.draw.formats.html import DRAWING_NAMES, SCRIPTS, player_style, solid_script
from kempe.draw.view.theme import theme_css

DRAWING = SCRIPTS[: SCRIPTS.index("plots.js")]  # the player's parts that draw
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>kempe</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/live.css">
</head>
<body>
<main id="kempe-live"></main>
<script src="/live.js"></script>
</body>
</html>
"""


@cache
def _parts() -> str:
    formats = resources.files("kempe.draw.formats")
    names = [f"player/{name}" for name in DRAWING] + ["live/live.js"]
    return "\n".join(formats.joinpath(name).read_text(encoding="utf-8") for name in names)


def _shown(*, solids: bool) -> str:
    """The drawing as one object; with `solids` it brings along what draws space with three.js."""
    names = ("element", "mountLive", "mountLivePage", *(DRAWING_NAMES if solids else ()))
    given = ", ".join(dict.fromkeys(names))
    core = f'const Kempe = (() => {{\n"use strict";\n{_parts()}\nreturn {{ {given} }};\n}})();\n'
    return core + (solid_script() if solids else "")


def live_script(*, solids: bool = False) -> str:
    """The script of the page; with `solids` it draws space as solids, where the browser can."""
    return f"{_shown(solids=solids)}Kempe.mountLivePage();\n"


def live_module(*, solids: bool = False) -> str:
    """The script of a notebook's widget, as a module that exports `render`."""
    render = (
        "function render({ model, el }) {\n"
        '  const root = Kempe.element("div");\n  el.append(root);\n'
        "  Kempe.mountLive(root, {\n"
        "    send: (message) => model.send(message),\n"
        '    listen: (callback) => model.on("msg:custom", callback),\n'
        "  });\n  model.send({ begin: true });\n}\n"
    )
    return f"{_shown(solids=solids)}{render}export default {{ render }};\n"


def live_style() -> str:
    """The rules of page and widget."""
    own = resources.files("kempe.draw.formats").joinpath("live/live.css")
    return theme_css() + player_style() + own.read_text(encoding="utf-8")
