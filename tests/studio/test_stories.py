"""Whole stories in the studio's page, with the system's Chromium."""

import json
import math
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.browser import CHROMIUM, FLAGS

TOP = Path(__file__).resolve().parents[2]
AXE = TOP / "studio" / "node_modules" / "axe-core" / "axe.min.js"
PAGE = TOP / "src" / "kempe" / "studio" / "page" / "index.html"

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    pytest.mark.skipif(not PAGE.exists(), reason="the studio's page is not built: make setup"),
]


@dataclass
class Server:
    """A studio that listens, and the folder it works in."""

    folder: Path
    process: subprocess.Popen[str] = field(init=False)
    url: str = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "kempe.cli", "studio", "--no-browser", "--json"]
        self.process = subprocess.Popen(
            [*command, str(self.folder)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        self.url = json.loads(self.process.stdout.readline())["url"]

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("studio"))
    yield made
    made.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*FLAGS, "--enable-unsafe-swiftshader"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    yield from _page(browser, server)


def _page(browser: Any, server: Server, **look: Any) -> Iterator[Any]:
    """A page that has started, with an empty drawing; no error may appear on its console."""
    size = look.pop("viewport", {"width": 1280, "height": 800})
    context = browser.new_context(viewport=size, reduced_motion="reduce", **look)
    page = context.new_page()
    page.set_default_timeout(30_000)  # a busy machine starts a process slowly
    said: list[str] = []
    # The browser itself notes that a request was answered with 400: a refusal, no error.
    page.on(
        "console",
        lambda one: (
            said.append(one.text) if one.type == "error" and "400" not in one.text else None
        ),
    )
    page.on("pageerror", lambda one: said.append(str(one)))
    page.goto(server.url)
    page.get_by_role("heading", level=1).wait_for(state="attached")
    yield page
    assert said == []
    context.close()


def library(page: Any) -> Any:
    """The library, opened where it does not open by itself."""
    dialog = page.get_by_role("dialog", name="Start from")
    page.wait_for_timeout(150)
    if not dialog.is_visible():
        page.get_by_role("button", name="Library").click()
    dialog.wait_for()
    return dialog


def opened(page: Any, name: str) -> None:
    """An entry of the gallery."""
    dialog = library(page)
    dialog.get_by_label("Find a mechanism").fill(name)
    dialog.get_by_role("button").filter(has=page.get_by_text(name, exact=True)).first.click()
    dialog.wait_for(state="detached")


def empty(page: Any) -> None:
    library(page).get_by_role("button", name="An empty drawing: Plane").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_text("Nothing is drawn yet").wait_for()


def screen(page: Any, name: str) -> None:
    page.get_by_role("navigation").get_by_role("button", name=name).click()


LINKAGE = re.compile("(four-bar|slider-crank|six-bar) 1")
SCREENS = ("Edit", "Move", "Configurations", "Forces and plots", "Design")


def centre(locator: Any) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def handle(page: Any, point: str) -> Any:
    return page.locator(f'.handle[data-point="{point}"]')


def test_from_the_library_one_drags_sweeps_and_plots(page: Any) -> None:
    opened(page, "four bar")
    screen(page, "Move")
    page.get_by_role("slider", name="Time").wait_for()
    page.locator(".track input:enabled").wait_for(timeout=60_000)
    before = centre(handle(page, "crank.end"))
    page.mouse.move(*before)
    page.mouse.down()
    for k in range(1, 9):
        page.mouse.move(before[0] - 12 * k, before[1] - 10 * k)
        page.wait_for_timeout(30)
    page.mouse.up()
    page.wait_for_timeout(200)
    after = centre(handle(page, "crank.end"))
    assert abs(after[0] - before[0]) > 20
    # The way without dragging: the arrow keys on the focused point.
    handle(page, "crank.end").focus()
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    page.wait_for_timeout(300)
    assert centre(handle(page, "crank.end")) != after
    page.get_by_role("button", name="Run the motion").click()
    page.locator(".chip", has_text="Velocities").click()
    page.locator(".shaft.velocity text").wait_for()
    assert page.locator(".shaft.velocity text").text_content().endswith("m/s")
    page.get_by_label("Of the body").select_option("coupler")
    page.locator(".centrodes .moving").wait_for(state="attached")
    assert "L" in page.locator(".centrodes .moving").get_attribute("d")
    screen(page, "Forces and plots")
    page.get_by_role("button", name="Run the motion").click()
    page.get_by_role("button", name="rocker.angle", exact=True).click()
    page.locator(".plot canvas").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    table = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert table[0].startswith("t (s),rocker.angle")
    angles = [float(row.split(",")[1]) for row in table[1:]]
    # The gallery's four-bar has bars 1, 3.5, 3 on a ground of 4: the swing of the rocker of a
    # crank-rocker by the cosine rule in its two dead points.
    swing = math.acos((3**2 + 4**2 - 4.5**2) / 24) - math.acos((3**2 + 4**2 - 2.5**2) / 24)
    unit = 180 / math.pi if "deg" in table[0] else 1.0
    assert max(angles) - min(angles) == pytest.approx(swing * unit, rel=2e-3)


def _drawn(page: Any) -> dict[str, Any]:
    """The document as the YAML mirror says it."""
    from ruamel.yaml import YAML

    screen(page, "Edit")
    page.get_by_role("tab", name="YAML").click()
    text = page.get_by_label("The model file").input_value()
    return dict(YAML(typ="safe").load(text))


@pytest.mark.row("B10")
def test_a_four_bar_is_drawn_from_nothing_with_the_mouse_and_moves(page: Any) -> None:
    empty(page)
    frame = page.locator(".canvas").bounding_box()
    spots = [(240, 520), (300, 400), (560, 330), (640, 520)]
    places = [(frame["x"] + x, frame["y"] + y) for x, y in spots]
    for k, place in enumerate(places):
        page.mouse.move(place[0] - 5, place[1])
        page.mouse.click(*place)
        if k:
            page.get_by_role("button", name=f"bar{k}", exact=True).wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("p")
    for count, k in ((3, 0), (4, 3)):
        page.mouse.click(*places[k])
        page.locator("details", has_text="Joints").get_by_role("button").nth(count - 1).wait_for()
    page.get_by_role("button", name="Drive", exact=True).click()
    middle = [(a + b) / 2 for a, b in zip(places[0], places[1], strict=True)]
    page.mouse.click(*middle)
    page.get_by_role("button", name="bar1.angle", exact=True).wait_for()
    document = _drawn(page)
    assert list(document["bodies"]) == ["bar1", "bar2", "bar3"]
    assert len(document["joints"]) == 4
    screen(page, "Move")
    page.locator(".track input:enabled").wait_for(timeout=60_000)


def test_a_four_bar_is_drawn_from_nothing_with_the_keyboard_alone(page: Any) -> None:
    empty(page)
    keys = page.keyboard

    def typed(label: str, text: str) -> None:
        """Text in a line that is reached with Tab."""
        for _ in range(60):
            keys.press("Tab")
            if page.evaluate(
                "l => document.activeElement.closest('label')?.innerText.startsWith(l)", label
            ):
                break
        else:
            pytest.fail(f"Tab does not reach '{label}'")
        keys.press("Control+a")
        keys.type(text)

    def bar(start: str, *, to: str = "", length: str = "", angle: str = "") -> None:
        keys.press("Escape")
        page.evaluate("document.activeElement.blur()")
        keys.press("l")
        typed("From", start)
        if to:
            typed("To", to)
        if length:
            typed("Length", length)
            typed("Angle", angle)
        count = page.locator("details", has_text="Bodies").get_by_role("button").count()
        keys.press("Enter")
        page.locator("details", has_text="Bodies").get_by_role("button").nth(count).wait_for()

    bar("0, 0", length="30", angle="60")
    bar("bar1.end", length="90", angle="10")
    bar("bar2.end", to="110, 0")
    for count, point in ((2, "bar1.start"), (3, "bar3.end")):
        keys.press("Escape")
        page.evaluate("document.activeElement.blur()")
        keys.press("p")
        typed("At", point)
        keys.press("Enter")
        page.locator("details", has_text="Joints").get_by_role("button").nth(count).wait_for()
    document = _drawn(page)
    assert document["bodies"]["bar1"]["length"] == 30
    assert [joint["type"] for joint in document["joints"].values()] == ["revolute"] * 4
    assert {"body": "ground", "at": [110, 0]} in [
        joint["I"] for joint in document["joints"].values()
    ]


def chosen(page: Any, tool: str) -> None:
    page.get_by_role("toolbar", name="Tools").get_by_role("button", name=tool, exact=True).click()


def clicked(page: Any, *places: tuple[int, int]) -> None:
    """Clicks on the drawing, px from its corner."""
    frame = page.locator(".canvas").bounding_box()
    for x, y in places:
        page.mouse.move(frame["x"] + x - 3, frame["y"] + y)
        page.mouse.click(frame["x"] + x, frame["y"] + y)


def part(page: Any, name: str) -> None:
    """Wait for a part in the list of parts."""
    page.locator(".parts").get_by_role("button", name=name, exact=True).wait_for()


def given(page: Any, **fields: str) -> None:
    """Fill the lines of the tool, and give them."""
    form = page.locator(".draft-form")
    for label, text in fields.items():
        form.get_by_label(label.replace("_", " "), exact=True).fill(text)
    form.get_by_role("button", name="Add").click()


def test_gears_and_a_rack_are_drawn_with_the_mouse_and_turn(page: Any) -> None:
    empty(page)
    chosen(page, "Gears")
    clicked(page, (300, 300), (450, 300))
    part(page, "gear1")
    chosen(page, "Rack")
    clicked(page, (300, 300), (300, 380))
    part(page, "mesh1")
    chosen(page, "Drive")
    clicked(page, (450, 300))
    part(page, "wheel2.angle")
    document = _drawn(page)
    assert list(document["bodies"]) == ["wheel1", "wheel2", "rack1"]
    assert document["couplers"]["gear1"]["teeth"] == [20, 40]
    radius = document["couplers"]["mesh1"]["radius"]
    heights = [document["bodies"][name]["at"][1] for name in ("wheel1", "rack1")]
    assert radius == heights[0] - heights[1] > 0
    screen(page, "Forces and plots")
    page.get_by_role("button", name="Run the motion").click()
    page.get_by_role("button", name="rack1.x", exact=True).click()
    page.locator(".plot canvas").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    table = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    along = [float(row.split(",")[1]) for row in table[1:]]
    # One turn of 40 teeth is two of 20, the other way round.
    assert along[-1] - along[0] == pytest.approx(-2 * 2 * math.pi * radius, rel=1e-6)  # mm


def test_slot_damper_motor_and_curve_are_given_in_words(page: Any) -> None:
    empty(page)
    chosen(page, "Bar")
    page.locator(".draft-form").get_by_label("Angle (deg)").fill("40")
    given(page, **{"From": "0, 0", "Length (mm)": "30"})
    part(page, "bar1")
    page.locator(".draft-form").get_by_label("Angle (deg)").fill("15")
    given(page, **{"From": "-40, 0", "Length (mm)": "120"})
    part(page, "bar2")
    chosen(page, "Ground pin")
    for point, joint in (("bar1.start", "A"), ("bar2.start", "B")):
        given(page, At=point)
        part(page, joint)
    chosen(page, "Slot")
    given(page, From="bar1.end", To="bar2")
    part(page, "slot1")
    chosen(page, "Damper")
    given(page, From="bar2.end", To="100, 60", Damping="25 N s/m")
    part(page, "damper1")
    chosen(page, "Motor")
    given(page, Body="bar1", Torque_at_rest="0.2 N m")
    part(page, "motor1")
    chosen(page, "Wheel")
    given(page, At="0, 200")
    part(page, "wheel1")
    chosen(page, "Point")
    given(page, Body="wheel1", At="20, 0")
    handle(page, "wheel1.P").wait_for()
    chosen(page, "Curve")
    given(page, Point_that_runs_on_it="wheel1.P")
    for count, place in enumerate(("20, 200", "30, 230", "-20, 240", "-40, 190"), 1):
        given(page, Next_place=place)
        page.get_by_text("1 place so far" if count == 1 else f"{count} places so far").wait_for()
    page.get_by_role("button", name="Finish the curve").click()
    part(page, "track1")
    chosen(page, "Select")
    place = page.get_by_role("button", name="track1, place 2: drag, or press the arrow keys")
    place.focus()
    page.keyboard.press("ArrowUp")
    document = _drawn(page)
    joints, forces = document["joints"], document["forces"]
    assert joints["slot1"]["I"]["body"] == "bar2"
    assert joints["slot1"]["J"] == "bar1.end"
    assert len(joints["track1"]["curve"]["points"]) == 4
    assert forces["damper1"]["damping"] == "25 N s/m"
    assert forces["motor1"] == {
        "type": "dc_motor", "gauge": "bar1.angle", "stall": "0.2 N m", "no_load": "300 rpm",
    }  # fmt: skip


WRONG = """\
version: 1
name: too short
plane: true
units: {length: mm, angle: deg}
bodies:
  crank: {length: 30}
  coupler: {length: 20}
  rocker: {length: 25}
joints:
  A: {type: revolute, I: ground, J: crank.start}
  B: {type: revolute, I: crank.end, J: coupler.start}
  C: {type: revolute, I: coupler.end, J: rocker.end}
  D: {type: revolute, I: {body: ground, at: [100, 0]}, J: rocker.start}
"""


def test_a_wrong_length_is_explained_and_a_click_mends_it(page: Any) -> None:
    empty(page)
    page.get_by_role("tab", name="YAML").click()
    page.get_by_label("The model file").fill(WRONG)
    page.locator(".caption-problem").wait_for()
    assert "mm" in page.locator(".caption-problem").inner_text()
    page.get_by_role("tab", name="Check").click()
    page.get_by_role("button", name="Take me there").click()
    page.locator(".gap").wait_for()
    assert page.locator(".gap text").text_content().endswith("mm")
    assert page.locator(".selected path").count() >= 3
    fix = page.locator(".fixes .button.main").first
    fix.wait_for()
    fix.click()
    page.get_by_text("It goes together.").wait_for()
    assert page.locator(".caption-problem").count() == 0


def test_a_redundant_joint_is_shown_and_a_click_mends_it_and_a_freedom_is_seen_to_move(
    page: Any,
) -> None:
    opened(page, "bennett")
    screen(page, "Edit")
    page.get_by_role("tab", name="Check").click()
    page.get_by_role("heading", name="Freedoms: 1, 0 with the drive").wait_for()
    page.get_by_role("button", name="Take me there").click()
    assert page.locator(".gap text").text_content() == "hinge2"
    page.get_by_role("button", name="Show it move").click()
    page.locator(".caption p", has_text="link1, link2, link3").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.locator(".proposals .button.main").click()
    page.get_by_text("Nothing is redundant.").wait_for()
    page.keyboard.press("Control+z")
    page.locator(".proposals .button.main").wait_for()


def test_several_parts_are_chosen_copied_renamed_and_deleted_together(page: Any) -> None:
    opened(page, "four bar")
    screen(page, "Edit")
    part = page.locator(".parts")
    part.get_by_role("button", name="crank", exact=True).click()
    part.get_by_role("button", name="rocker", exact=True).click(modifiers=["Shift"])
    page.get_by_role("heading", name="2 parts selected").wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+d")
    part.get_by_role("button", name="rocker copy", exact=True).click()
    page.get_by_label("Name", exact=True).fill("arm")
    page.keyboard.press("Enter")
    part.get_by_role("button", name="arm", exact=True).wait_for()
    part.get_by_role("button", name="crank copy", exact=True).click(modifiers=["Control"])
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Delete")
    part.get_by_role("button", name="arm", exact=True).wait_for(state="detached")
    assert list(_drawn(page)["bodies"]) == ["crank", "coupler", "rocker"]


def test_at_a_dead_point_the_pointer_comes_off_and_the_other_branch_is_on_offer(page: Any) -> None:
    opened(page, "double rocker")
    screen(page, "Move")
    page.locator(".track input:enabled").wait_for(timeout=60_000)
    held, other = handle(page, "crank.end"), handle(page, "coupler.end")
    ground = centre(handle(page, "crank.start"))
    x, y = centre(held)
    page.mouse.move(x, y)
    page.mouse.down()
    # Round its pivot, further than it can go; every step is small, so that a flip would be seen.
    before, longest = centre(other), 0.0
    for k in range(1, 40):
        turn = -0.05 * k
        dx, dy = x - ground[0], y - ground[1]
        page.mouse.move(
            ground[0] + dx * math.cos(turn) - dy * math.sin(turn),
            ground[1] + dx * math.sin(turn) + dy * math.cos(turn),
        )
        page.wait_for_timeout(40)
        now = centre(other)
        longest, before = max(longest, math.dist(now, before)), now
        if page.locator(".dead-point").is_visible():
            break
    page.locator(".dead-point .button.main").first.wait_for()
    page.locator(".tether").wait_for(state="attached")
    page.mouse.up()
    stuck = centre(other)
    assert longest < 0.3 * math.dist(stuck, ground)
    page.locator(".dead-point .button.main").first.click()
    page.locator(".dead-point").wait_for(state="detached")
    assert math.dist(centre(other), stuck) > 5 or math.dist(centre(held), (x, y)) > 5


def test_events_are_marked_on_the_play_bar_and_modes_are_seen_to_swing(page: Any) -> None:
    opened(page, "bouncing ball")
    screen(page, "Forces and plots")
    page.get_by_label("Duration").fill("1.5 s")
    page.get_by_role("button", name="Simulate", exact=True).click()
    mark = page.locator(".moment").first
    mark.wait_for()
    said = str(mark.get_attribute("aria-label"))
    mark.click()
    assert page.locator(".clock").inner_text() == said.rpartition(", ")[2]
    opened(page, "simple pendulum")
    page.get_by_role("button", name="Modes", exact=True).click()
    page.locator(".side").get_by_role("button", name="Play", exact=True).first.click()
    page.locator(".caption p", has_text="Mode 1").wait_for()
    before = page.locator(".layer-bodies, .stage-picture").first.inner_html()
    page.wait_for_timeout(400)
    assert page.locator(".layer-bodies, .stage-picture").first.inner_html() != before


def test_a_mistake_in_the_text_is_told_at_its_line_and_the_drawing_stays(page: Any) -> None:
    opened(page, "four bar")
    screen(page, "Edit")
    page.get_by_role("tab", name="YAML").click()
    mirror = page.get_by_label("The model file")
    good = mirror.input_value()
    line = good.splitlines().index(next(x for x in good.splitlines() if "revolute" in x)) + 1
    mirror.fill(good.replace("revolute", "revolut", 1))
    page.get_by_role("button", name=f"line {line}").wait_for()
    assert page.locator(".gutter .bad").inner_text() == str(line)
    assert page.locator(".mirror-says").inner_text().count("revolute") >= 1
    assert handle(page, "crank.end").count() == 1
    mirror.fill(good)
    page.get_by_text("The text and the drawing agree.").wait_for()


def test_both_assemblies_of_a_four_bar_are_found_and_one_switches_to_the_other(page: Any) -> None:
    opened(page, "four bar")
    screen(page, "Configurations")
    page.get_by_role("button", name="Find all").click()
    page.locator(".legend").wait_for(timeout=60_000)
    assert page.locator(".thumb").count() == 2
    assert page.locator(".promise").first.inner_text().startswith("complete")
    heights = []
    for k in range(2):
        page.locator(".thumb").nth(k).click()
        page.locator(f"li:nth-child({k + 1}) > .thumb[aria-pressed=true]").wait_for()
        page.wait_for_timeout(150)
        ground, rocker = handle(page, "crank.start"), handle(page, "coupler.end")
        heights.append(centre(rocker)[1] - centre(ground)[1])
    assert min(heights) < -50
    assert max(heights) > 50
    page.get_by_role("slider", name="Map of the motion curves").focus()
    page.keyboard.press("ArrowRight")
    page.locator(".bead").wait_for()


def test_the_double_pendulum_runs_and_is_plotted(page: Any) -> None:
    opened(page, "double pendulum")
    screen(page, "Forces and plots")
    page.get_by_label("Duration").fill("1 s")
    page.get_by_role("button", name="Simulate", exact=True).click()
    page.get_by_label("Quantity or formula").fill("energy.total")
    page.get_by_role("button", name="Plot it").click()
    page.locator(".plot canvas").wait_for()
    page.get_by_role("slider", name="Time").press("End")
    page.keyboard.press("t")
    assert "J" in page.locator(".plot-value").inner_text()
    assert "kinetic" in str(page.locator(".energy").get_attribute("aria-label"))
    page.get_by_label("Choose a body").select_option("upper")
    page.locator(".balance .shaft").first.wait_for()
    assert "weight" in str(page.locator(".balance").text_content())


def test_all_assemblies_of_a_stewart_platform_are_found_and_it_plays(page: Any) -> None:
    opened(page, "stewart")
    page.locator(".view-space canvas").wait_for()
    screen(page, "Move")
    page.locator(".track input:enabled").wait_for(timeout=60_000)
    picture = page.locator(".view-space canvas").screenshot()
    page.get_by_role("slider", name="Time").fill("300")
    page.wait_for_timeout(400)
    assert page.locator(".view-space canvas").screenshot() != picture
    screen(page, "Configurations")
    page.get_by_role("button", name="Find all").click()
    page.locator(".thumb").nth(7).wait_for(timeout=60_000)
    assert page.locator(".thumb").count() == 8
    assert page.locator(".promise").first.inner_text().startswith("complete")
    page.locator(".thumb").nth(3).click()
    page.locator("li:nth-child(4) > .thumb[aria-pressed=true]").wait_for()
    page.locator(".said", has_text="can move in 6 independent ways").wait_for(timeout=60_000)


def test_a_path_is_sketched_and_a_mechanism_that_draws_it_is_taken_and_led_nearer(
    page: Any,
) -> None:
    empty(page)
    screen(page, "Design")
    x, y = centre(page.locator(".canvas"))
    page.mouse.move(x + 150, y)
    page.mouse.down()
    for k in range(1, 48):
        turn = 2 * math.pi * k / 48
        page.mouse.move(x + 150 * math.cos(turn), y - 80 * math.sin(turn) - 20 * math.cos(2 * turn))
    page.mouse.up()
    page.get_by_role("button", name="Find mechanisms").click()
    page.locator(".offer").first.wait_for(timeout=90_000)
    page.locator(".offers .thumb").first.click()
    page.get_by_role("heading", level=1, name=LINKAGE).wait_for(state="attached")
    page.locator(".track input:enabled").wait_for(timeout=60_000)
    page.get_by_label("Seconds at most").fill("2")
    page.get_by_role("button", name="Lead it nearer").click()
    page.locator(".side .promise").wait_for(timeout=90_000)
    assert ".P off by" in page.locator(".side .promise").inner_text()
    assert _drawn(page)["parameters"]["crank"] > 0
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    page.get_by_role("heading", level=1, name="mechanism", exact=True).wait_for(state="attached")


def test_a_linkage_in_space_is_drawn_placed_by_its_arrows_and_driven(page: Any) -> None:
    library(page).get_by_role("button", name="An empty drawing: Space").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.locator(".view-space canvas").wait_for()
    given(page, From="0, 0, 0", To="0, 0, 30")
    part(page, "bar1")
    given(page, From="bar1.end", To="100, 0, 60")
    part(page, "A")
    form = page.locator(".draft-form")
    form.get_by_label("Joints where it meets points").select_option("universal")
    form.get_by_label("Axis").fill("y")
    given(page, From="bar2.end", To="100, 60, 0")
    part(page, "B")
    chosen(page, "Joint")
    for body, point, axis, name in (
        ("bar1", "bar1.start", "y", "C"),
        ("bar3", "bar3.end", "x", "D"),
    ):
        form.get_by_label("First body").select_option("ground")
        form.get_by_label("Second body").select_option(body)
        given(page, At=point, **{"Axis (x, y, z or numbers)": axis})
        part(page, name)
    chosen(page, "Drive")
    given(page, Joint="C")
    part(page, "C.angle")
    chosen(page, "Solid")
    given(page, At="0, 120, 0")
    part(page, "cuboid1")
    chosen(page, "Select")
    page.locator(".parts").get_by_role("button", name="cuboid1", exact=True).click()
    arrow = page.get_by_role("button", name="Move cuboid1 along z")
    arrow.focus()
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Turn cuboid1 about x").focus()
    page.keyboard.press("ArrowUp")
    x, y = centre(arrow.locator("circle"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 40, steps=4)
    page.mouse.up()
    page.locator(".view-cube .face", has_text="Top").click()
    document = _drawn(page)
    box = document["bodies"]["cuboid1"]
    assert box["at"][:2] == [0, 120]
    assert box["at"][2] > 0
    assert "matrix" in box or "axis" in box
    assert document["joints"]["A"]["I"] == "bar1.end"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Delete")
    screen(page, "Move")
    page.locator(".track input:enabled").wait_for(timeout=60_000)


def dropped(page: Any, name: str, content: bytes) -> None:
    """A file that is let go over the page."""
    data = page.evaluate_handle(
        """([name, bytes]) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], name));
            return data;
        }""",
        [name, list(content)],
    )
    page.dispatch_event(".studio", "dragover", {"dataTransfer": data})
    page.dispatch_event(".studio", "drop", {"dataTransfer": data})


def test_files_of_every_format_are_dropped_and_what_is_wrong_with_one_is_said(page: Any) -> None:
    empty(page)
    formats = {path.suffix: path for path in sorted((TOP / "examples" / "foreign").iterdir())}
    assert set(formats) == {".asmt", ".dxf", ".json", ".pmks", ".sdf", ".urdf", ".xml"}
    for path in [*formats.values(), TOP / "examples" / "models" / "four_bar.yaml"]:
        dropped(page, path.name, path.read_bytes())
        page.locator(".part").first.wait_for()
        shut = page.get_by_role("dialog")
        page.wait_for_timeout(100)
        if shut.is_visible():
            page.keyboard.press("Escape")
        page.get_by_role("button", name=f"Undo: open {path.name}").click()
        page.locator(".part").first.wait_for(state="detached")
    dropped(page, "wrong.urdf", b"<robot")
    page.get_by_role("alert").wait_for()
    assert page.locator(".part").count() == 0


@pytest.mark.parametrize("name", ["engine.asmt", "four_bar.urdf"])
def test_a_file_of_another_program_opens_and_plays(page: Any, name: str) -> None:
    empty(page)
    library(page).locator("input[type=file]").set_input_files(TOP / "examples" / "foreign" / name)
    page.locator(".part").first.wait_for()
    page.get_by_role("dialog", name="Start from").wait_for(state="detached")
    page.wait_for_timeout(100)
    if page.get_by_role("dialog", name="Left out of the file").is_visible():
        page.keyboard.press("Escape")
    if name.endswith(".asmt"):
        screen(page, "Move")
    else:  # a robot has no drives: it falls
        screen(page, "Forces and plots")
        page.get_by_label("Duration").fill("0.5 s")
        page.get_by_role("button", name="Simulate", exact=True).click()
    page.locator(".track input:enabled").wait_for(timeout=60_000)
    clock = page.locator(".clock")
    start = clock.inner_text()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    page.wait_for_function(
        "start => document.querySelector('.clock').innerText !== start", arg=start
    )


def test_fifty_steps_are_undone(page: Any) -> None:
    empty(page)
    page.get_by_role("tab", name="Parameters").click()
    start = page.evaluate("document.title")
    for k in range(50):
        page.get_by_label("Name", exact=True).fill(f"a{k}")
        page.get_by_label("Value", exact=True).fill(str(k + 1))
        page.get_by_role("button", name="Add a parameter").click()
        page.get_by_role("textbox", name=f"a{k}", exact=True).wait_for()
    page.evaluate("document.activeElement.blur()")
    for k in reversed(range(50)):
        page.keyboard.press("Control+z")
        page.get_by_role("textbox", name=f"a{k}", exact=True).wait_for(state="detached")
    assert page.locator(".parameter").count() == 0
    assert page.evaluate("document.title") == start


def test_after_the_server_was_killed_the_drawing_is_there_again(
    browser: Any, tmp_path: Path
) -> None:
    server = Server(tmp_path)
    try:
        pages = _page(browser, server)
        page = next(pages)
        opened(page, "slider crank")
        page.wait_for_timeout(1200)
        context = page.context
        server.kill()
        context.close()
        server.start()
        page = next(_page(browser, server))
        page.get_by_role("heading", level=1, name="slider-crank").wait_for(state="attached")
        page.context.close()
    finally:
        server.kill()


def test_a_print_shows_the_drawing_and_what_was_found(page: Any) -> None:
    opened(page, "four bar")
    screen(page, "Configurations")
    page.get_by_role("button", name="Find all").click()
    page.locator(".legend").wait_for(timeout=60_000)
    page.emulate_media(media="print")
    page.wait_for_timeout(200)
    assert page.locator(".canvas").bounding_box()["height"] > 300
    assert page.locator(".thumb").first.is_visible()
    assert page.locator(".map > svg").is_visible()
    assert not page.locator(".topbar").is_visible()
    page.emulate_media(media="screen")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_serious_violation_of_accessibility_on_any_screen(
    browser: Any, server: Server, scheme: str
) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not there: make setup")
    pages = _page(browser, server, color_scheme=scheme)
    page = next(pages)
    opened(page, "four bar")
    for name in SCREENS:
        screen(page, name)
        page.wait_for_timeout(300)
        assert _violations(page) == [], name
    screen(page, "Edit")
    for name in ("Parameters", "Check", "YAML", "Python"):
        page.get_by_role("tab", name=name).click()
        page.wait_for_timeout(200)
        assert _violations(page) == [], name
    for key in ("?", "Control+k", "Control+e"):
        page.keyboard.press(key)
        page.get_by_role("dialog").wait_for()
        assert _violations(page) == [], key
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("tab", name="YAML").click()
    page.get_by_label("The model file").fill(WRONG)
    page.locator(".caption-problem").wait_for()
    page.get_by_role("tab", name="Check").click()
    page.get_by_role("button", name="Take me there").click()
    assert _violations(page) == [], "a wrong length"
    opened(page, "bennett")
    page.locator(".view-space canvas").wait_for()
    page.get_by_role("tab", name="Properties").click()
    page.locator(".parts").get_by_role("button", name="link1", exact=True).click()
    assert _violations(page) == [], "space"
    library(page)
    assert _violations(page) == [], "library"
    next(pages, None)


def _violations(page: Any) -> list[str]:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize(("wide", "high"), [(390, 844), (640, 400)], ids=["telephone", "zoom"])
def test_every_screen_fits_a_telephone_and_a_zoom_of_two(
    browser: Any, server: Server, wide: int, high: int
) -> None:
    pages = _page(browser, server, viewport={"width": wide, "height": high})
    page = next(pages)
    opened(page, "four bar")
    for name in SCREENS:
        screen(page, name)
        page.wait_for_timeout(200)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= wide
        box = page.locator(".canvas").bounding_box()
        assert box["width"] >= wide - 10
        assert box["height"] >= 0.28 * high
    next(pages, None)


STOPPED = """\
version: 1
name: crank with a stop
plane: true
units: {length: mm, angle: deg}
bodies:
  crank: {at: [0, 0], length: 30}
joints:
  A: {type: revolute, I: ground, J: crank.start}
drives:
  crank.angle: {type: ramp, speed: 360}
events:
  buffer: {type: stop, gauge: crank.angle, high: 90}
"""


def typed_in(page: Any, text: str) -> None:
    """A model file that is written in the mirror."""
    screen(page, "Edit")
    page.get_by_role("tab", name="YAML").click()
    page.get_by_label("The model file").fill(text)
    page.get_by_text("The text and the drawing agree.").wait_for()


def test_a_limit_that_a_sweep_passes_is_marked_on_the_play_bar(page: Any) -> None:
    empty(page)
    typed_in(page, STOPPED)
    screen(page, "Move")
    mark = page.locator(".moment")
    mark.wait_for()
    assert mark.get_attribute("aria-label") == "high limit of buffer, 0.250 s"
    mark.click()
    assert page.locator(".clock").inner_text() == "0.250 s"
    # The bar goes from 0 to 1 s: a quarter of its way.
    track, dot = page.locator(".moments").bounding_box(), centre(mark)
    assert (dot[0] - track["x"]) / track["width"] == pytest.approx(0.25, abs=0.02)


def test_a_dead_point_is_marked_where_the_sweep_ends(page: Any) -> None:
    empty(page)
    # Its crank can turn up to where coupler and rocker are in line: 60, 100 and 2 x 50 are the
    # sides of a triangle, cos = 0.3.
    typed_in(
        page,
        WRONG.replace("30}", "60, angle: 40, at: [0, 0]}")
        .replace("20}", "50}")
        .replace("25}", "50}")
        + "drives:\n  crank.angle: {type: ramp, start: 40, speed: 60}\n",
    )
    screen(page, "Move")
    mark = page.locator(".moment")
    mark.wait_for()
    name, _, when = str(mark.get_attribute("aria-label")).rpartition(", ")
    assert name == "dead point"
    assert float(when.split()[0]) == pytest.approx(
        (math.degrees(math.acos(0.3)) - 40) / 60, abs=2e-3
    )


def test_the_play_bar_steps_loops_and_has_speeds(page: Any) -> None:
    empty(page)
    typed_in(page, STOPPED)
    screen(page, "Move")
    page.locator(".track input:enabled").wait_for(timeout=60_000)
    clock = page.locator(".clock")
    assert clock.inner_text() == "0.000 s"
    page.locator(".playbar").get_by_role("button", name="Step forward").click()
    after = float(clock.inner_text().split()[0])
    assert 0.0 < after < 0.05
    page.get_by_role("slider", name="Time").fill("990")
    page.get_by_label("Speed").select_option("5")
    page.locator(".playbar").get_by_role("button", name="Play", exact=False).click()
    # In a loop it begins anew; without, it stands still at its end.
    page.wait_for_function("() => parseFloat(document.querySelector('.clock').innerText) < 0.9")
    loop = page.locator(".playbar [aria-pressed]")
    assert loop.get_attribute("aria-pressed") == "true"
    loop.click()
    page.wait_for_function("() => document.querySelector('.clock').innerText === '1.000 s'")
    page.locator(".playbar").get_by_role("button", name="Play", exact=False).wait_for()


def test_an_end_near_a_point_snaps_to_it_and_says_its_name(page: Any) -> None:
    empty(page)
    chosen(page, "Bar")
    page.locator(".draft-form").get_by_label("Angle (deg)").fill("40")
    given(page, **{"From": "0, 0", "Length (mm)": "30"})
    part(page, "bar1")
    page.keyboard.press("Escape")
    chosen(page, "Bar")
    x, y = centre(handle(page, "bar1.end"))
    page.mouse.move(x + 60, y + 40)
    assert page.locator(".draft text").text_content() != "bar1.end"
    assert page.locator(".draft-snap").count() == 0
    page.mouse.move(x + 7, y - 6)
    page.locator(".draft-snap").wait_for()
    assert page.locator(".draft text").text_content() == "bar1.end"
    page.mouse.click(x + 7, y - 6)
    page.mouse.move(x + 80, y + 60)
    page.mouse.click(x + 80, y + 60)
    part(page, "bar2")
    document = _drawn(page)
    (joint,) = document["joints"].values()
    assert {joint["I"], joint["J"]} == {"bar1.end", "bar2.start"}


def test_a_quantity_is_dropped_on_the_plots_and_their_cursors_keep_step(page: Any) -> None:
    opened(page, "four bar")
    screen(page, "Forces and plots")
    page.get_by_role("button", name="Run the motion").click()
    region = page.get_by_role("region", name="Plots")
    for count, name in enumerate(("rocker.angle", "coupler.angle"), 1):
        page.get_by_role("button", name=name, exact=True).drag_to(region)
        page.locator(".plot canvas").nth(count - 1).wait_for()
    assert page.locator(".plot-name").all_inner_texts() == ["rocker.angle", "coupler.angle"]
    places = """() => [...document.querySelectorAll('.plot .u-cursor-x')]
        .map(one => new DOMMatrix(getComputedStyle(one).transform).m41)"""
    # The clock moves both cursors,
    page.get_by_role("slider", name="Time").fill("500")
    page.wait_for_timeout(150)
    first, second = page.evaluate(places)
    over = page.locator(".plot .u-over").first.bounding_box()
    assert first == pytest.approx(second, abs=1.5)
    assert first == pytest.approx(0.5 * over["width"], abs=0.05 * over["width"])
    # so does the pointer over one of them,
    page.mouse.move(over["x"] + 0.25 * over["width"], over["y"] + 20)
    page.wait_for_timeout(150)
    first, second = page.evaluate(places)
    assert first == pytest.approx(second, abs=1.5)
    assert first == pytest.approx(0.25 * over["width"], abs=0.05 * over["width"])
    # and a click there is where the drawing goes.
    end = float(page.locator(".clock").inner_text().split()[0]) * 2
    page.mouse.click(over["x"] + 0.25 * over["width"], over["y"] + 20)
    page.wait_for_timeout(150)
    assert float(page.locator(".clock").inner_text().split()[0]) == pytest.approx(
        0.25 * end, rel=0.1
    )


def test_curves_differ_by_dash_too_and_what_happens_is_announced(page: Any) -> None:
    opened(page, "double rocker")
    screen(page, "Configurations")
    page.get_by_role("button", name="Find all").click()
    page.locator(".legend").wait_for(timeout=60_000)
    told = page.locator(".legend li:not(.key) path").all()
    dashes = [one.get_attribute("stroke-dasharray") or "" for one in told]
    assert len(set(dashes)) == len(dashes) >= 2
    drawn = page.locator(".map > svg path").all()
    assert set(dashes) <= {one.get_attribute("stroke-dasharray") or "" for one in drawn}
    screen(page, "Edit")
    chosen(page, "Ground pin")
    assert "Ground pin" in page.locator(".spoken").inner_text()


def test_where_motion_is_to_be_reduced_nothing_fades_or_slides(
    browser: Any, server: Server
) -> None:
    moving = """() => [...document.querySelectorAll('*')].filter(one => {
        const style = getComputedStyle(one);
        return style.transitionDuration.split(', ').some(x => parseFloat(x) > 0)
            || style.animationName !== 'none';
    }).map(one => one.className)"""
    pages = _page(browser, server)
    page = next(pages)
    opened(page, "four bar")
    for name in SCREENS:
        screen(page, name)
        assert page.evaluate(moving) == [], name
    next(pages, None)


def test_a_bar_that_starts_on_the_middle_of_another_is_hinged_there(page: Any) -> None:
    empty(page)
    chosen(page, "Bar")
    page.locator(".draft-form").get_by_label("Angle (deg)").fill("30")
    given(page, **{"From": "0, 0", "Length (mm)": "200"})
    part(page, "bar1")
    page.keyboard.press("Escape")
    chosen(page, "Bar")
    ends = [centre(handle(page, f"bar1.{end}")) for end in ("start", "end")]
    x, y = ((a + b) / 2 for a, b in zip(*ends, strict=True))
    page.mouse.move(x + 5, y - 3)
    page.locator(".draft-snap").wait_for()
    assert page.locator(".draft text").text_content() == "middle of bar1"
    page.mouse.click(x + 5, y - 3)
    page.mouse.move(x + 60, y + 90)
    page.mouse.click(x + 60, y + 90)
    part(page, "bar2")
    page.keyboard.press("Escape")
    # A spring from a place on the line that is not its middle.
    chosen(page, "Spring")
    near = [0.75 * a + 0.25 * b for a, b in zip(*ends, strict=True)]
    page.mouse.move(near[0], near[1] + 3)
    assert page.locator(".draft text").text_content() == "on bar1"
    page.mouse.click(near[0], near[1] + 3)
    page.mouse.click(near[0], near[1] + 120)
    part(page, "spring1")
    document = _drawn(page)
    points = document["bodies"]["bar1"]["points"]
    assert points["P"] == [100, 0]
    assert points["Q"][0] == pytest.approx(50, abs=3)
    assert points["Q"][1] == 0
    (joint,) = document["joints"].values()
    assert {joint["I"], joint["J"]} == {"bar1.P", "bar2.start"}
    assert "bar1.Q" in document["forces"]["spring1"].values()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert "points" not in _drawn(page)["bodies"]["bar1"]


def test_a_pin_at_the_end_of_a_bar_stands_where_the_end_was_put(page: Any) -> None:
    empty(page)
    chosen(page, "Bar")
    given(page, From="-20, 60", To="40, -180")
    part(page, "bar1")
    chosen(page, "Ground pin")
    given(page, At="bar1.end")
    part(page, "A")
    assert _drawn(page)["joints"]["A"]["I"] == {"body": "ground", "at": [40, -180]}


@pytest.mark.parametrize("paper", ["Plane", "Space"])
def test_what_is_typed_beyond_the_picture_comes_into_it(page: Any, paper: str) -> None:
    library(page).get_by_role("button", name=f"An empty drawing: {paper}").click()
    page.get_by_role("dialog").wait_for(state="detached")
    chosen(page, "Bar")
    last = ", 900" if paper == "Space" else ""
    given(page, From=f"0, 0{last and ', 0'}", To=f"30, 10{last and ', 0'}")
    part(page, "bar1")
    given(page, From=f"3000, 2000{last}", To=f"3100, 2500{last}")
    part(page, "bar2")
    page.wait_for_timeout(300)
    frame = page.locator(".canvas").bounding_box()
    for name in ("bar1.start", "bar2.end"):
        x, y = centre(handle(page, name))
        assert 0 <= x - frame["x"] <= frame["width"]
        assert 0 <= y - frame["y"] <= frame["height"]


def test_a_complaint_is_gone_on_the_next_screen(page: Any) -> None:
    empty(page)
    chosen(page, "Bar")
    page.locator(".draft-form").get_by_label("From").fill("nowhere")
    page.locator(".draft-form").get_by_role("button", name="Add").click()
    page.get_by_role("alert").filter(has_text="two numbers such as 30, 40").wait_for()
    screen(page, "Move")
    page.get_by_role("alert").wait_for(state="detached")


def test_ghosts_traces_forces_and_accelerations_are_shown_with_their_values(page: Any) -> None:
    opened(page, "door closer")
    screen(page, "Forces and plots")
    page.get_by_label("Duration").fill("1 s")
    page.get_by_role("button", name="Simulate", exact=True).click()
    page.locator(".track input:enabled").wait_for(timeout=60_000)
    page.get_by_role("slider", name="Time").fill("300")
    page.evaluate("document.activeElement.blur()")
    values = page.locator(".load-value")
    values.first.wait_for()
    assert all(re.fullmatch(r"[\d.]+ N( m)?", one) for one in values.all_text_contents())
    for key, what in (("f", ".load-value"), ("t", ".trace"), ("h", ".ghost")):
        shown = page.locator(what)
        before = shown.count() > 0
        assert before == (what != ".ghost")
        page.keyboard.press(key)
        page.wait_for_timeout(150)
        assert (shown.count() > 0) != before, what
    screen(page, "Move")
    page.locator(".chip", has_text="Accelerations").click()
    arrow = page.locator(".shaft.acceleration text")
    arrow.first.wait_for()
    assert re.fullmatch(r"[\d.]+ m/s²", str(arrow.first.text_content()))
    page.locator(".chip", has_text="Accelerations").click()
    arrow.first.wait_for(state="detached")


def test_a_long_run_tells_how_far_it_is_and_is_cancelled_by_its_button(page: Any) -> None:
    opened(page, "double pendulum")
    screen(page, "Forces and plots")
    page.get_by_label("Duration").fill("2000 s")
    page.get_by_role("button", name="Simulate", exact=True).click()
    task = page.locator(".task", has_text="Simulate")
    page.locator(".task-text", has_text="t = ").wait_for()
    share = float(task.locator("progress").get_attribute("value"))
    assert 0.0 < share < 1.0
    task.get_by_role("button", name="Cancel").click()
    task.wait_for(state="detached")
    page.get_by_label("Duration").fill("0.2 s")
    page.get_by_role("button", name="Simulate", exact=True).click()
    page.locator(".track input:enabled").wait_for(timeout=60_000)
