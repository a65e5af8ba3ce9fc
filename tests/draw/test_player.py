"""The player in a real browser."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kempe import gallery
from kempe.draw import (
    DrawnBody,
    Frame,
    JointSymbol,
    PoseSeries,
    Scene,
    Series,
    Trace,
    link,
    write_player,
)
from kempe.draw.formats.svg import scene_items
from kempe.draw.view.camera import fitted
from kempe.draw.view.paper import body_names
from kempe.pictures.animation import standing
from tests.browser import CHROMIUM, FLAGS

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

# Lines are compared; solids have a browser of their own.
FLAT = [*FLAGS, "--disable-3d-apis"]
HOSTILE = "</script><script>window.harm = 1</script><img src=x onerror='window.harm = 1'>"
SAME_PX = 0.05  # both round to 0.01 px, from numbers with seven digits
PATIENCE = 5000  # ms that a slow machine may take to show the next frame

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium on this machine: the player's page is not tried"
)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=FLAT)
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens a scene's page; afterwards nothing may have been complained of or asked for."""
    contexts, complaints, requests = [], [], []

    def open_page(scene, *, calm=True, size=(1000, 720), scheme="light"):
        path = write_player(scene, tmp_path / "scene.html")
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce" if calm else "no-preference",
            color_scheme=scheme,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.endswith("/scene.html")] == []


def crank(page):
    """The path data of the crank's outline."""
    return page.locator('.edge[data-part="crank"]').first.get_attribute("d")


def clock(page):
    """The time shown, in s."""
    return float(page.locator(".clock").inner_text().split()[0])


def stage_size(page):
    """Width and height of the picture in px."""
    return page.evaluate(
        """() => {
            const stage = document.querySelector(".stage");
            return [stage.clientWidth, stage.clientHeight];
        }"""
    )


def moved(page, before):
    """Wait until the crank is elsewhere."""
    page.wait_for_function(
        """before => {
            const crank = document.querySelector('.edge[data-part="crank"]');
            return crank.getAttribute("d") !== before;
        }""",
        arg=before,
        timeout=PATIENCE,
    )


def test_space_sets_the_crank_in_motion_and_stops_it(opened, fourbar):
    page = opened(fourbar)
    before = crank(page)
    assert clock(page) == 0.0
    page.keyboard.press("Space")
    moved(page, before)
    page.keyboard.press("Space")
    stopped = crank(page)
    page.wait_for_timeout(150)
    assert crank(page) == stopped


def test_it_plays_at_once_unless_the_reader_wants_calm(opened, fourbar):
    page = opened(fourbar, calm=False)
    moved(page, crank(page))
    calm = opened(fourbar, calm=True)
    calm.wait_for_timeout(150)
    assert clock(calm) == 0.0


def test_arrows_step_by_one_sample_and_end_keys_go_to_the_ends(opened, fourbar):
    page = opened(fourbar)
    for key, index in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", 11),
        ("End", 120),
        ("ArrowRight", 120),
        ("Home", 0),
        ("ArrowLeft", 0),
    ):
        page.keyboard.press(key)
        assert clock(page) == pytest.approx(fourbar.times[index], abs=0.0006), key


SCENES = ["fourbar", "slider_crank", "rssr", "belts", "belts_in_space"]
MACHINES = ["excavator_arm", "geneva_drive", "engine", "wobble_plate"]
SEEN = 30  # the sample that is compared


@pytest.mark.parametrize("which", [*SCENES, "solids_in_space", "plate_with_holes"])
@pytest.mark.parametrize("size", [(1000, 720), (390, 800)])
def test_the_browser_draws_what_the_svg_export_draws(opened, which, size, request):
    compare_drawings(opened, request.getfixturevalue(which), size)


@pytest.mark.parametrize("name", MACHINES)
def test_the_browser_draws_machines_as_the_svg_export_does(opened, name):
    mechanism = gallery.MECHANISMS[name]()
    course = gallery.COURSES.get(name)
    motion = (
        mechanism.simulate(until=0.2 * course.until, steps=SEEN + 2)
        if course
        else mechanism.kinematics(until=1.0, steps=SEEN + 2)
    )
    scene = replace(standing(motion, ()), loads=(), reactions=())
    compare_drawings(opened, scene, (900, 640))


def compare_drawings(opened, scene, size):
    page = opened(scene, size=size)
    for _ in range(SEEN // 10):
        page.keyboard.press("PageDown")
    camera = fitted(scene, *stage_size(page))
    live = page.evaluate(
        """() => [...document.querySelectorAll('.stage-picture > g:not(.layer-grid) > path')]
               .filter(path => !path.closest('.layer-scale'))
               .map(path => [path.getAttribute('class'), path.getAttribute('d')])"""
    )
    still = [(item.kind, item.d) for item in scene_items(scene, camera, index=SEEN)]
    assert [kind for kind, _ in live] == [kind for kind, _ in still]
    for (kind, drawn), (_, wanted) in zip(live, still, strict=True):
        if kind.split()[0] == "trace":  # live traces end with the point now, once more
            drawn = drawn.rsplit("L", 1)[0]
        assert re.sub(r"-?[\d.]+(e-?\d+)?", "#", drawn) == re.sub(r"-?[\d.]+", "#", wanted), kind
        ours, theirs = numbers(drawn), numbers(wanted)
        assert np.abs(ours - theirs).max(initial=0.0) < SAME_PX, kind


def test_in_space_what_lies_in_front_stays_in_front_while_it_plays(opened):
    motion = gallery.spatial_slider_crank().kinematics(until=1.0, steps=24)
    page = opened(standing(motion, ()))
    for _ in motion.t[:-1]:
        parts = page.evaluate(
            """() => [...document.querySelectorAll('.layer-bodies > path.solid')]
                   .map(path => path.getAttribute('data-part'))"""
        )
        on_block = [part for part in parts if part.startswith(("cross", "guide"))]
        assert on_block == sorted(on_block, reverse=True)  # the guide's block, then the cross on it
        page.keyboard.press("ArrowRight")


def test_the_browser_writes_names_where_the_svg_export_does(opened, fourbar):
    page = opened(fourbar)
    page.keyboard.press("n")
    live = page.evaluate(
        """() => [...document.querySelectorAll('.layer-names > text')]
               .map(text => [text.textContent, +text.getAttribute('x'), +text.getAttribute('y')])"""
    )
    camera = fitted(fourbar, *stage_size(page))
    poses = [(body, body.motion.pose(0)) for body in fourbar.bodies]
    still = [text for body, at in poses for text in body_names(camera, body, at)]
    assert [words for words, *_ in live] == [text.text for text in still]
    for (words, x, y), text in zip(live, still, strict=True):
        assert abs(x - text.x) + abs(y - text.y) < SAME_PX, words


def numbers(d):
    """The coordinates in path data; the turn of an arc is in degrees modulo a half turn."""
    arcs = re.sub(r"A(\S+) (\S+) (\S+)", lambda arc: f"A{arc[1]} {arc[2]} 0", d)
    return np.array([float(word) for word in re.findall(r"-?\d+\.?\d*", arcs)])


def test_between_samples_the_links_stay_joined(opened, fourbar):
    page = opened(fourbar)
    page.locator(".scrub").evaluate(
        "(scrub) => { scrub.value = '104.2'; scrub.dispatchEvent(new Event('input')); }"
    )
    ends = [numbers(crank(page))[2:4]]
    corners = numbers(page.locator('.edge[data-part="coupler"]').get_attribute("d"))
    gap = np.hypot(*(ends[0] - corners.reshape(-1, 2)).T).min()
    assert gap < SAME_PX  # the crank's end lies on a corner of the coupler


def test_keys_switch_trace_names_ghosts_and_plots(opened, fourbar):
    page = opened(fourbar)
    for key, what, on in (
        ("t", ".trace-all", True),
        ("n", ".name", False),
        ("h", ".ghost", False),
        ("g", ".plots:not([hidden])", True),
    ):
        assert (page.locator(f".view {what}").count() > 0) is on
        page.keyboard.press(key)
        assert (page.locator(f".view {what}").count() > 0) is not on
        page.keyboard.press(key)
        assert (page.locator(f".view {what}").count() > 0) is on


def test_the_question_mark_opens_help_and_escape_closes_it(opened, fourbar):
    page = opened(fourbar)
    page.keyboard.press("?")
    assert page.locator("dialog.help").is_visible()
    page.keyboard.press("Space")  # on the focused button: closes, and does not play
    page.keyboard.press("Escape")
    assert not page.locator("dialog.help").is_visible()
    assert clock(page) == 0.0


def test_every_control_has_a_name_and_can_be_reached_by_tab(opened, fourbar):
    page = opened(fourbar)
    controls = page.locator(".controls :is(button, input, select)")
    names = [control.get_attribute("aria-label") for control in controls.all()]
    assert all(names)
    assert len(set(names)) == len(names)
    reached = set()
    for _ in names:
        page.keyboard.press("Tab")
        reached.add(page.evaluate("() => document.activeElement.getAttribute('aria-label')"))
    assert reached == set(names)


def test_the_cursor_of_a_plot_shows_the_value_now(opened, fourbar):
    page = opened(fourbar)
    page.keyboard.press("End")
    shown = float(page.locator(".plot-value").first.inner_text())
    assert shown == pytest.approx(fourbar.series[0].values[-1], rel=1e-3)  # four digits


def test_dragging_turns_a_spatial_scene_and_moves_a_planar_one(opened, fourbar, rssr):
    for scene, part in ((fourbar, ".stand"), (rssr, ".foot")):
        page = opened(scene)
        first = page.locator(part).first
        before = numbers(first.get_attribute("d"))
        page.mouse.move(300, 200)
        page.mouse.down()
        page.mouse.move(360, 230, steps=4)
        page.mouse.up()
        after = numbers(page.locator(part).first.get_attribute("d"))
        if scene.plane:
            shift = (after - before).reshape(-1, 2)
            assert np.abs(shift - [60, 30]).max() < SAME_PX
        else:
            assert np.abs(after - before).max() > 1.0
        page.keyboard.press("0")
        again = numbers(page.locator(part).first.get_attribute("d"))
        assert np.abs(again - before).max() < SAME_PX


def test_hovering_names_what_is_under_the_pointer(opened, fourbar):
    page = opened(fourbar)
    box = page.locator('.edge[data-part="rocker"]').bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.locator(".tip").inner_text() == "rocker"
    page.mouse.move(5, 300)
    assert not page.locator(".tip").is_visible()


def test_a_body_by_itself_has_its_own_arrows_and_leaves_the_others_faint(opened):
    scene = standing(gallery.door_closer().simulate(until=0.4, steps=40), ())
    page = opened(scene)
    page.keyboard.press("End")
    page.locator(".bodies").select_option(label="arm")
    acting = [load for load in scene.reactions + scene.loads if "arm" in (load.body, load.back)]
    pointed = page.locator(".load-head").evaluate_all("all => all.map(one => one.dataset.part)")
    assert {part.split(":")[0] for part in pointed} <= {load.name for load in acting}
    assert len(pointed) >= 2
    assert all(part.endswith((" N", " N m")) for part in pointed)
    assert page.locator('.apart[data-part="door"]').count() > 0
    assert page.locator('.apart[data-part="arm"]').count() == 0
    assert page.locator(".layer-scale text").text_content().endswith(" N")
    page.keyboard.press("b")  # the next of the list, and round to all of them
    page.locator(".bodies").select_option(label="all bodies")
    assert page.locator(".apart").count() == 0


def test_hostile_names_are_shown_as_words_and_do_nothing(opened):
    t = np.linspace(0.0, 1.0, 5)
    body = DrawnBody(
        HOSTILE,
        PoseSeries(np.zeros((5, 2)), t),
        link([(0, 0), (1, 0)]),
        {HOSTILE: (1, 0)},
        colour=0,
    )
    scene = Scene(
        HOSTILE,
        True,
        t,
        [body],
        [JointSymbol(HOSTILE, "pin", Frame(None, (0, 0)), Frame(HOSTILE, (0, 0)))],
        traces=[Trace(HOSTILE, (1, 0), HOSTILE)],
        series=[Series(HOSTILE, HOSTILE, t)],
        unit=HOSTILE,
    )
    page = opened(scene)
    page.keyboard.press("n")
    page.mouse.move(*centre(page.locator(".stage .dot").last.bounding_box()))
    assert page.title() == HOSTILE
    assert HOSTILE in page.locator(".tip").inner_text()
    assert page.locator(".name").first.text_content() == HOSTILE
    assert page.locator("img").count() == 0
    assert page.evaluate("() => window.harm") is None


def centre(box):
    """The middle of a bounding box."""
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_saved_picture_is_a_complete_svg(opened, fourbar, tmp_path):
    page = opened(fourbar)
    with page.expect_download() as download:
        page.keyboard.press("s")
    saved = tmp_path / "saved.svg"
    download.value.save_as(saved)
    root = ET.fromstring(Path(saved).read_text(encoding="utf-8"))
    assert root.find("{http://www.w3.org/2000/svg}title").text == fourbar.title
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 20


def test_a_motion_that_closes_goes_round_and_another_starts_again(opened, fourbar):
    one_way = Scene("arm", True, fourbar.times / 20.0, fourbar.bodies[:1])
    half = Scene(
        "arm",
        True,
        [0.0, 0.05],
        [DrawnBody("crank", PoseSeries(np.zeros((2, 2)), [0.0, 1.0]), link([(0, 0), (1, 0)]))],
    )
    for scene, closes in ((one_way, True), (half, False)):
        page = opened(scene)
        assert (
            page.evaluate(
                """() => Kempe.mount(document.createElement('div'),
                   JSON.parse(document.getElementById('kempe-scene').textContent)).closes"""
            )
            is closes
        )


def test_a_single_sample_shows_no_play_button(opened):
    body = DrawnBody("arm", PoseSeries([[0, 0]], [0.5]), link([(0, 0), (0.1, 0)]))
    page = opened(Scene("still", True, [0.0], [body]))
    assert not page.locator("button.play").is_visible()
    assert page.locator('.edge[data-part="arm"]').count() == 1


def test_it_follows_the_readers_light_or_dark_setting(opened, fourbar):
    papers = {
        opened(fourbar, scheme=scheme).evaluate(
            "() => getComputedStyle(document.querySelector('.kempe')).backgroundColor"
        )
        for scheme in ("light", "dark")
    }
    assert len(papers) == 2
