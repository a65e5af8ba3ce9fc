"""The page of a mechanism that a program moves: drawn as the player draws, told where to stand."""

from importlib import resources

from kempe.draw.formats.html import made_script, player_style
from kempe.draw.view.theme import theme_css

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


def _shown(*, solids: bool) -> str:
    """The drawing as one object; with `solids` it brings along what draws space with three.js."""
    return made_script("live") + (made_script("space") if solids else "")


def live_script(*, solids: bool = False) -> str:
    """The script of the page; with `solids` it draws space as solids, where the browser can."""
    return f"{_shown(solids=solids)}Kempe.page = Kempe.mountLivePage();\n"


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
