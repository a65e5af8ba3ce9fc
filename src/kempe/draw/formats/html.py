"""A page that plays a scene: one file, no network, nothing to install."""

import base64
import hashlib
import html
import os
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from kempe.disk import replace_file
from kempe.draw.scene.scene import Scene
from kempe.draw.view.theme import theme_css, theme_variables
from kempe.errors import MissingPart

# What could end the data block of a page, or a line of a script, is spelled by its number.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


@cache
def _part(name: str) -> str:
    return (resources.files("kempe.draw.formats") / "player" / name).read_text(encoding="utf-8")


def player_script(*, solids: bool = False) -> str:
    """The player as one script that defines ``Kempe.mount(element, scene, options)``.

    With ``solids`` it brings three.js along and draws space with it, where the browser can.
    """
    return made_script("player") + (made_script("space") if solids else "")


@cache
def made_script(name: str) -> str:
    """A script that is built of studio/ (TypeScript): "player", "live" or "space".

    A MissingPart where it was not built: a wheel brings them along, a checkout needs `make setup`.
    """
    made = resources.files("kempe.draw.formats") / "player" / "made" / f"{name}.js"
    if not made.is_file():
        raise MissingPart(
            f"a page that moves needs {name}.js, which this installation has not: it is built from"
            " studio/. Run `make setup` in the checkout, or install the wheel.",
            package=f"{name}.js",
            extra="",
        )
    return made.read_text(encoding="utf-8") + "\n"


def player_style() -> str:
    """The rules of the player's own furniture; those of the drawing are ``theme_css()``."""
    return theme_variables() + _part("player.css")


def embedded_json(scene: Scene) -> str:
    """A scene's JSON that no name in it can break out of when it stands in a page."""
    return scene.to_json().translate(_ESCAPES)


def player_html(scene: Scene) -> str:
    """A self-contained page that plays a scene, with keys, plots and traces.

    Its security policy lets the page's own scripts and styles run, known by their digests, and
    nothing else: no name in a scene can become a script, and nothing is fetched.
    """
    theme, style = theme_css(), player_style()
    script = player_script(solids=not scene.plane) + "Kempe.page = Kempe.mountPage();\n"
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; "
        f"style-src {_digest(theme)} {_digest(style)}; base-uri 'none'; form-action 'none'"
    )
    return _filled(
        _part("player.html"),
        {
            "policy": policy,
            "title": html.escape(scene.title),
            "theme": theme,
            "style": style,
            "scene": embedded_json(scene),
            "script": script,
        },
    )


def _digest(text: str) -> str:
    """A content security policy's word for one inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _filled(template: str, words: Mapping[str, str]) -> str:
    """A template with its {{names}} replaced once; what comes in is not looked at again."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: words[found[1]], template)


def write_player(scene: Scene, path: str | os.PathLike[str]) -> Path:
    """Write the page to a file, whole or not at all, and return its path."""
    return replace_file(Path(path), player_html(scene).encode())
