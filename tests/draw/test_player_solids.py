"""The player's page in space, in a browser that draws solids."""

import itertools

import numpy as np
import pytest

import kempe
from kempe.draw import player_html, write_player
from tests.browser import CHROMIUM, FLAGS

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

SOLID = [*FLAGS, "--enable-unsafe-swiftshader"]
MOST = 1_000_000  # bytes of a page

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
]


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=SOLID)
        yield chromium
        chromium.close()


def test_it_draws_solids_that_move_and_says_which_is_under_the_pointer(browser, rssr, tmp_path):
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 700, "height": 500})
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.goto(write_player(rssr, tmp_path / "scene.html").as_uri())
    canvas = page.locator(".stage.solid canvas")
    pictures = []
    for key in ("Home", "PageDown", "Shift+ArrowRight", "3", "0"):
        page.keyboard.press(key)
        page.wait_for_timeout(60)
        pictures.append(canvas.screenshot())
    assert all(a != b for a, b in itertools.pairwise(pictures))
    assert pictures[1] == pictures[4]  # all is shown again as it was
    page.evaluate("window.player = Kempe.mountPage()")
    page.wait_for_timeout(60)  # until it is laid out
    places = page.evaluate(
        """() => {
            const { stage } = window.player;
            const middle = (a, b) => a.map((x, k) => (x + b[k]) / 2);
            return stage.motion.scene.bodies
                .map((body, b) => [body.name, b, body.shapes.find((shape) => shape.form === "bar")])
                .filter(([, , bar]) => bar)
                .map(([name, b, { points }]) => [name, stage.view.place(b, middle(...points))])
                .map(([name, place]) => [name, stage.view.project(place)]);
        }"""
    )
    assert len(places) >= 2
    for name, (x, y) in places:
        page.mouse.move(x, y)
        assert page.locator(".tip").inner_text() == name
    assert complaints == []
    context.close()


def test_only_pages_in_space_carry_what_draws_solids(fourbar, rssr):
    plane, space = player_html(fourbar), player_html(rssr)
    assert "KempeSpace=" not in plane
    assert "KempeSpace=" in space
    assert max(len(plane), len(space)) < MOST
    assert len(plane) < 0.3 * len(space)


def test_a_driven_leg_is_a_barrel_that_keeps_its_length_and_a_rod_that_comes_out(browser, tmp_path):
    motion = kempe.gallery.octahedral_platform().kinematics(until=1.0, steps=8)
    page = browser.new_page()
    page.goto(motion.animate(tmp_path / "legs.html").as_uri())
    page.evaluate("window.player = Kempe.mountPage()")
    lengths = page.evaluate(
        """() => {
            const { view } = window.player.stage;
            const long = (mesh) => mesh.geometry.parameters.height;
            return view.motion.times.map((time) => {
                view.draw(time);
                return view.spans.map(([span]) => span.object.children.map(long));
            });
        }"""
    )
    legs = np.array(lengths)  # (sample, leg, part): stem, barrel, collar, rod
    assert legs.shape[1:] == (6, 4)
    assert np.ptp(legs[:, :, 1], axis=0).max() < 1e-6
    assert np.ptp(legs[:, 0, 3]) > 0.1  # m; the leg that is driven
    page.close()
