"""`kempe demo`."""

import importlib.util
import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.cli.options import AsJson, output_option

if TYPE_CHECKING:
    from kempe.front import Mechanism


def demo(
    *,
    output: Annotated[Path, output_option("The page to write.")] = Path("demo.html"),
    open_browser: Annotated[
        bool,
        typer.Option("--open/--no-open", help="Open it where there is a browser: in the studio."),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Show a moving four-bar: a page that needs no network, and where there is a screen the studio.

    Example: kempe demo -o four_bar.html
    """
    from kempe.endings import refuse_unwritable
    from kempe.gallery import four_bar
    from kempe.pictures.animation import MOVING

    refuse_unwritable(output, MOVING, "a moving picture")
    mechanism = four_bar(crank=30, coupler=90, rocker=70, ground=100, point=(45, 40), units="mm")
    turn = mechanism.kinematics(until=1.0, steps=240)
    path = turn.animate(output, trace="coupler.P")
    swing, speed = turn["rocker.angle"].ptp("deg"), turn["coupler.P"].speed.max()
    can_open = open_browser and _has_screen()
    in_studio = can_open and not as_json and _has_studio()
    opened = can_open and not in_studio and webbrowser.open(path.resolve().as_uri())
    if as_json:
        facts = {"page": str(path), "opened": bool(opened), "rocker_swing_deg": float(swing)}
        print(json.dumps(facts))
        return
    print("A four-bar: crank 30, coupler 90, rocker 70, ground 100 mm; one turn per second.")
    print(f"The rocker swings {swing}; point P moves at up to {speed}.")
    if in_studio:
        print(f"{path} is a page that plays it. Here it is in the studio, to be drawn on:")
        _open_studio(mechanism, path.with_suffix(".yaml"))
        return
    print(f"{path} is open in the browser." if opened else f"Open {path} in a browser to see it.")
    if _has_studio():
        print("To draw on, drag and measure it: kempe studio")


def _has_studio() -> bool:
    """Whether the studio can run: its packages are there, and its page was built."""
    import kempe

    page = Path(kempe.__file__).parent / "studio" / "page" / "index.html"
    packages = ("starlette", "uvicorn", "websockets")
    return page.is_file() and all(importlib.util.find_spec(name) for name in packages)


def _open_studio(mechanism: "Mechanism", model: Path) -> None:
    """The studio with the mechanism in a file beside the page; one that is there is kept."""
    from kempe.cli.studio import studio

    studio(model if model.exists() else mechanism.save(model))


def _has_screen() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
