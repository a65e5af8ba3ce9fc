"""Players of the gallery in a real browser: a few of them, or all where KEMPE_WHOLE is set."""

import os

import pytest

from kempe.gallery import COURSES, MECHANISMS
from tests.browser import CHROMIUM, FLAGS

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine"),
]

STEPS = 48
CHOSEN = ("four_bar", "wobble_plate", "trebuchet", "stewart", "barton_surface_five_bars")
MOVING = [name for name in MECHANISMS if name in COURSES or MECHANISMS[name]().model.drives]
TRIED = MOVING if os.environ.get("KEMPE_WHOLE") else CHOSEN
SLACK = 2  # px: strokes are half as wide again as the line they follow
SIZE = {"width": 800, "height": 560}

#: parts of the drawing that leave the paper, and pairs of words whose boxes overlap both ways
LOOK = """slack => {
    const paper = document.querySelector('.stage').getBoundingClientRect();
    const box = (made) => made.getBoundingClientRect();
    const beyond = (b) => Math.max(
        paper.left - b.left, paper.top - b.top, b.right - paper.right, b.bottom - paper.bottom);
    const drawn = ['under', 'bodies', 'top', 'traces'].map((layer) => `.layer-${layer} > path`);
    const words = [...document.querySelectorAll('.layer-names > text, .space-names > span')]
        .filter((made) => made.textContent && box(made).width > 0);
    const parts = [...document.querySelectorAll(drawn.join(',')), ...words];
    const clipped = parts.filter((made) => box(made).width + box(made).height > 0)
        .filter((made) => !made.matches('.rail') && beyond(box(made)) > slack)
        .map((made) => made.dataset.part || made.textContent);
    const overlapping = [];
    words.forEach((one, i) => words.slice(0, i).forEach((other) => {
        const [a, b] = [box(one), box(other)];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (Math.min(wide, high) > slack) overlapping.push([one.textContent, other.textContent]);
    }));
    return { clipped, overlapping, words: words.length };
}"""
#: points of space that are drawn and lie outside the picture
OUTSIDE = """() => {
    const { view } = Kempe.page.stage;
    const { clientWidth, clientHeight } = view.element;
    return view.reach.map((point) => view.project(point.toArray()))
        .filter(([x, y]) => x < 0 || y < 0 || x > clientWidth || y > clientHeight);
}"""


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        flags = [*FLAGS, "--enable-unsafe-swiftshader"]
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield chromium
        chromium.close()


@pytest.mark.parametrize("name", TRIED)
def test_a_player_moves_with_all_of_it_on_the_paper_and_its_words_apart(browser, name, tmp_path):
    mechanism = MECHANISMS[name]()
    course = COURSES.get(name)
    motion = (
        mechanism.simulate(until=course.until, steps=STEPS)
        if course
        else mechanism.kinematics(until=1.0, steps=STEPS)
    )
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.goto(motion.animate(tmp_path / "page.html").as_uri())
    page.keyboard.press("n")
    pictures = []
    for key in ("Home", "PageDown", "End"):
        page.keyboard.press(key)
        page.wait_for_timeout(50)  # until the next frame is drawn
        seen = page.evaluate(LOOK, SLACK)
        assert seen["words"] > 0
        assert (seen["clipped"], seen["overlapping"]) == ([], []), key
        if not mechanism.model.plane:
            assert page.evaluate(OUTSIDE) == [], key
        pictures.append(page.locator(".stage").screenshot())
    assert pictures[0] != pictures[1]
    assert complaints == []
    context.close()
