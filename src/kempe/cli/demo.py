"""`kempe demo`."""

import json
import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from kempe.cli.options import AsJson, output_option


def demo(
    *,
    output: Annotated[Path, output_option("The page to write.")] = Path("demo.html"),
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page where there is a browser.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Show a moving four-bar with its coupler curve, in one page that needs no network.

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
    opened = open_browser and _has_screen() and webbrowser.open(path.resolve().as_uri())
    if as_json:
        facts = {"page": str(path), "opened": bool(opened), "rocker_swing_deg": float(swing)}
        print(json.dumps(facts))
        return
    print("A four-bar: crank 30, coupler 90, rocker 70, ground 100 mm; one turn per second.")
    print(f"The rocker swings {swing}; point P moves at up to {speed}.")
    print(f"{path} is open in the browser." if opened else f"Open {path} in a browser to see it.")


def _has_screen() -> bool:
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
