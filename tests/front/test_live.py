"""The live loop: what a program sets is what a page is told, and the other way round."""

import contextlib
import json
import math
import re
from typing import Any

import numpy as np
import pytest

import kempe
from kempe.errors import KempeError
from kempe.gallery import four_bar
from tests.browser import CHROMIUM, FLAGS

pytest.importorskip("uvicorn")
httpx = pytest.importorskip("httpx")
client = pytest.importorskip("websockets.sync.client")

CLOSED = 1e-6  # m, rad: what is dragged is closed to a fraction of this


@contextlib.contextmanager
def page(view: Any) -> Any:
    """A page that looks at a view: its socket."""
    base = view.url.split("/?")[0]
    cookie = httpx.get(view.url).headers["set-cookie"].split(";")[0]
    given = {"origin": base, "additional_headers": {"Cookie": cookie}}
    with client.connect(f"{base.replace('http', 'ws')}/ws", **given) as socket:
        yield socket


def told(socket: Any) -> Any:
    return json.loads(socket.recv(timeout=60))


@pytest.fixture
def mechanism() -> kempe.Mechanism:
    return four_bar(crank=30, coupler=90, rocker=70, ground=100, point=(45, 40), units="mm")


def test_the_loop_of_a_program_is_seen_and_what_is_dragged_is_read(
    mechanism: kempe.Mechanism, capsys: pytest.CaptureFixture[str]
) -> None:
    with mechanism.live(show="address") as view:
        assert view.url in capsys.readouterr().out
        with page(view) as socket:
            first = told(socket)
            assert first["scene"]["bodies"][0]["name"] == "crank"
            assert {one["name"] for one in first["sliders"]} >= {"crank.angle", "rocker"}
            assert view.set({"crank.angle": "60 deg"}).is_done
            view.draw()
            shown = told(socket)
            assert math.degrees(shown["poses"][8]) == pytest.approx(95.2, abs=0.05)
            target = [0.03 * math.cos(1.5), 0.03 * math.sin(1.5)]
            socket.send(json.dumps({"drag": ["crank.end", target]}))
            answer = told(socket)
            assert answer["answer"]
            assert answer["values"]["crank.angle"] == pytest.approx(1.5)
            assert view.values["crank.angle"] == pytest.approx(1.5)
            socket.send(json.dumps({"set": {"crank.angle": 2.0}}))
            told(socket)
            assert view.values["crank.angle"] == pytest.approx(2.0)


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "{}", '{"set": {"x": 1}}', '{"drag": [1]}', '{"drag": ["x", ["a"]]}',
             '{"drag": ["crank.end", [1e999]]}', '{"set": {"rocker": 1e9}}']
)  # fmt: skip
def test_whatever_a_page_sends_is_answered(mechanism: kempe.Mechanism, text: str) -> None:
    with mechanism.live(show="address") as view, page(view) as socket:
        told(socket)
        socket.send(text)
        answer = told(socket)
        while not answer.get("answer"):
            answer = told(socket)
        assert len(answer.get("poses", answer.get("text"))) > 0
        assert view.set({"crank.angle": 0.5}).is_done


def test_a_parameter_is_set_and_the_rest_follows(mechanism: kempe.Mechanism) -> None:
    with mechanism.live(show="nowhere") as view:
        view.set({"crank.angle": 1.0})
        view.set({"rocker": 75})
        assert view.mechanism.parameters["rocker"] == 75
        assert view.values["crank.angle"] == pytest.approx(1.0)
        view.draw()


def test_nobody_sees_it_without_the_token(mechanism: kempe.Mechanism) -> None:
    with mechanism.live(show="address") as view:
        base = view.url.split("/?")[0]
        for path in ("/", "/live.js", "/ws"):
            assert httpx.get(base + path).status_code == 403
        cookie = {"cookie": httpx.get(view.url).headers["set-cookie"].split(";")[0]}
        assert "mountLivePage" in httpx.get(f"{base}/live.js", headers=cookie).text
        assert httpx.get(f"{base}/x", headers=cookie).status_code == 404


def test_a_place_that_is_none_is_refused(mechanism: kempe.Mechanism) -> None:
    with pytest.raises(KempeError, match="`show` is one of"):
        mechanism.live(show="paper")


def test_a_page_in_space_draws_solids_that_follow() -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    mechanism = kempe.gallery.rssr()
    name = mechanism.model.drives[0].gauge.name
    with mechanism.live(show="address") as view, playwright.sync_playwright() as driver:
        flags = [*FLAGS, "--enable-unsafe-swiftshader"]
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        seen, complaints = chromium.new_page(viewport={"width": 500, "height": 480}), []
        seen.on("pageerror", lambda error: complaints.append(str(error)))
        seen.goto(view.url)
        picture = seen.locator(".view-space canvas")
        picture.wait_for()
        before = picture.screenshot()
        slider = seen.locator("input[type=range]").first
        slider.evaluate("one => { one.value = 90; one.dispatchEvent(new Event('input')); }")
        shown = seen.locator("output").first
        playwright.expect(shown).to_have_text(re.compile(r"^90"))
        assert picture.screenshot() != before
        assert view.values[name] == pytest.approx(0.5 * math.pi)
        view.set({name: "200 deg"})  # beyond the slider's end: it shows the rest of the turn
        view.draw()
        playwright.expect(shown).not_to_have_text(re.compile(r"^90"))
        assert float(slider.input_value()) % 360.0 == pytest.approx(200.0)
        chromium.close()
        assert complaints == []


@pytest.mark.parametrize("name", ["four_bar", "rssr"])
@pytest.mark.parametrize("solids", [True, False], ids=["solids", "lines"])
def test_a_point_follows_the_pointer_on_its_branch(name: str, solids: bool) -> None:
    """Half a turn of the crank by hand, in the plane and in space: the loop stays closed."""
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no chromium on this machine")
    mechanism = getattr(kempe.gallery, name)()
    drive = mechanism.model.drives[0].gauge.name
    with mechanism.live(show="address") as view, playwright.sync_playwright() as driver:
        flags = [*FLAGS, "--enable-unsafe-swiftshader" if solids else "--disable-3d-apis"]
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=flags)
        seen, complaints = chromium.new_page(viewport={"width": 700, "height": 600}), []
        seen.on("pageerror", lambda error: complaints.append(str(error)))
        seen.goto(view.url)
        where = "Kempe.page.where('crank.end')"
        seen.wait_for_function(f"{where} !== null")
        pivot, first = seen.evaluate("Kempe.page.where('crank')"), seen.evaluate(where)
        began = view.values[drive]
        seen.mouse.move(*first)
        seen.mouse.down()
        for k in range(1, 11):  # across the pivot's picture to where the point is opposite
            share = k / 10.0
            middle = [
                p + (f - p) * math.cos(math.pi * share) for p, f in zip(pivot, first, strict=True)
            ]
            across = [-(first[1] - pivot[1]), first[0] - pivot[0]]
            goal = [m + c * math.sin(math.pi * share) for m, c in zip(middle, across, strict=True)]
            seen.mouse.move(*goal)
            seen.wait_for_timeout(60)
        seen.mouse.up()
        seen.wait_for_function(
            "([x, y]) => { const p = Kempe.page.where('crank.end');"
            " return Math.hypot(p[0] - x, p[1] - y) > 20; }",
            arg=first,
        )
        turned = abs(math.remainder(view.values[drive] - began, math.tau))
        assert turned > 0.5
        kept = mechanism.assemble(view._hand.poses, values=view.values)
        np.testing.assert_allclose(kept.q[: len(view._hand.q)], view._hand.q, atol=CLOSED)
        chromium.close()
        assert complaints == []
