"""The pictures of the studio in the manual, taken in the system's Chromium.

Run `.venv/bin/python docs/pictures/studio.py` with the page built; it writes docs/pictures/studio.
"""

import io
import json
import math
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent / "studio"
WIDE, TALL = 1180, 720
COLOURS = 200


def main() -> None:
    """Take all of them."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(TOP))
    from tests.browser import CHROMIUM, FLAGS

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "kempe.cli", "studio", folder, "--no-browser", "--json"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        flags = [*FLAGS, "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        try:
            for name, show in PICTURES.items():
                context = browser.new_context(
                    viewport={"width": WIDE, "height": TALL}, reduced_motion="reduce"
                )
                page = context.new_page()
                page.set_default_timeout(60_000)
                page.goto(url)
                page.get_by_role("heading", level=1).wait_for(state="attached")
                show(page)
                page.locator(".notice .button").evaluate_all("all => all.forEach(b => b.click())")
                page.mouse.move(2, TALL - 2)
                page.wait_for_timeout(600)
                _keep(FOLDER / f"{name}.png", page.screenshot())
                context.close()
        finally:
            browser.close()
            server.send_signal(signal.SIGINT)
            server.wait(60)


def _keep(path: Path, content: bytes) -> None:
    """A picture of few colours, which is small."""
    from PIL import Image

    picture = Image.open(io.BytesIO(content)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def _library(page: Any) -> Any:
    page.wait_for_timeout(300)
    dialog = page.get_by_role("dialog", name="Start from")
    if not dialog.is_visible():
        page.get_by_role("button", name="Library").click()
    dialog.wait_for()
    return dialog


def _opened(page: Any, name: str) -> None:
    dialog = _library(page)
    dialog.get_by_label("Find a mechanism").fill(name)
    dialog.get_by_role("button").filter(has=page.get_by_text(name, exact=True)).first.click()
    dialog.wait_for(state="detached")


def _screen(page: Any, name: str) -> None:
    page.get_by_role("navigation").get_by_role("button", name=name).click()


def _part(page: Any, name: str) -> None:
    page.locator(".parts").get_by_role("button", name=name, exact=True).click()


def edit(page: Any) -> None:
    """A coupler that is selected."""
    _opened(page, "four bar")
    _part(page, "coupler")


def move(page: Any) -> None:
    """A leg with its ghosts and the path of its foot."""
    _opened(page, "jansen")
    _screen(page, "Move")
    page.locator(".track input:enabled").wait_for()
    page.get_by_role("button", name="Ghosts").click()
    page.get_by_role("slider", name="Time").fill("120")


def configurations(page: Any) -> None:
    """Both assemblies of a four-bar over the map of its motions."""
    _opened(page, "four bar")
    _screen(page, "Configurations")
    page.get_by_role("button", name="Find all").click()
    page.locator(".legend").wait_for()
    page.locator(".thumb").first.click()


def space(page: Any) -> None:
    """A body of a Stewart platform with its gizmo, and the cube."""
    _opened(page, "stewart")
    page.locator(".view-space canvas").wait_for()
    page.wait_for_timeout(800)
    page.keyboard.press("0")
    _part(page, "platform")


def design(page: Any) -> None:
    """A four-bar over the path that was sketched."""
    _library(page).get_by_role("button", name="An empty drawing: Plane").click()
    page.get_by_role("dialog").wait_for(state="detached")
    _screen(page, "Design")
    box = page.locator(".canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for k in range(61):
        turn = 2 * math.pi * k / 60
        radius = 1 + 0.22 * math.cos(2 * turn) + 0.08 * math.sin(turn)
        page.mouse.move(x + 130 * radius * math.cos(turn), y - 95 * radius * math.sin(turn))
        if k == 0:
            page.mouse.down()
    page.mouse.up()
    page.get_by_role("button", name="Find mechanisms").click()
    page.locator(".offer").first.wait_for()
    page.locator(".offers .thumb").nth(1).click()
    page.locator(".track input:enabled").wait_for()
    page.get_by_role("slider", name="Time").fill("300")
    page.locator(".side").evaluate("side => side.scrollTo(0, 0)")


SHORT = """\
version: 1
name: too short
plane: true
units: {length: mm}
bodies:
  crank: {length: 30, at: [0, 0], angle: 60 deg}
  coupler: {length: 40, at: [15, 26]}
  rocker: {length: 20, at: [100, 0], angle: 100 deg}
joints:
  A: {type: revolute, I: ground, J: crank.start}
  B: {type: revolute, I: crank.end, J: coupler.start}
  C: {type: revolute, I: coupler.end, J: rocker.end}
  D: {type: revolute, I: {body: ground, at: [100, 0]}, J: rocker.start}
"""


def check(page: Any) -> None:
    """A loop that does not close: where it gapes, and lengths that would do."""
    _library(page).get_by_role("button", name="An empty drawing: Plane").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("tab", name="YAML").click()
    page.get_by_label("The model file").fill(SHORT)
    page.locator(".caption-problem").wait_for()
    page.get_by_role("tab", name="Check").click()
    page.get_by_role("button", name="Take me there").click()
    page.locator(".proposals").wait_for()
    page.locator(".task").first.wait_for(state="detached")


def forces(page: Any) -> None:
    """A door shown free, with all that acts on it, beside plots that keep step."""
    _opened(page, "door closer")
    _screen(page, "Forces and plots")
    page.get_by_label("Duration").fill("2 s")
    page.get_by_role("button", name="Simulate", exact=True).click()
    page.locator(".track input:enabled").wait_for()
    for name in ("door.angle", "energy.kinetic"):
        page.get_by_label("Quantity or formula").fill(name)
        page.get_by_role("button", name="Plot it").click()
    page.get_by_label("Choose a body").select_option("door")
    page.get_by_role("slider", name="Time").fill("350")
    page.locator(".loads").wait_for()
    page.wait_for_timeout(1500)
    page.locator(".loads").scroll_into_view_if_needed()


PICTURES: dict[str, Callable[[Any], None]] = {
    "edit": edit,
    "move": move,
    "configurations": configurations,
    "space": space,
    "design": design,
    "check": check,
    "forces": forces,
}

if __name__ == "__main__":
    main()
