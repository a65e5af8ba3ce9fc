"""Whole stories of a page and its server: a document that is edited, moved, computed, kept."""

import base64
import cmath
import html
import math
import re
import signal
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

import kempe
from kempe.studio.documents.endings import KINDS, _missing
from tests.studio.conftest import FOUR_BAR

EXAMPLES = Path(__file__).parents[2] / "examples"
SWING = 51.8  # deg: the rocker of crank 30, coupler 90, rocker 70, ground 100, in closed form


def swing_of(crank: float, coupler: float, rocker: float, ground: float) -> float:
    """How far a rocker swings, from the triangles of its two dead centres, rad."""
    angles = []
    for reach in (coupler + crank, coupler - crank):
        angles.append(math.acos((ground**2 + rocker**2 - reach**2) / (2 * ground * rocker)))
    return angles[0] - angles[1]


def test_a_page_is_welcomed_with_the_document_and_its_mechanism(page: Any) -> None:
    found = page.ask("hello")
    assert found["version"] == kempe.__version__
    document, shown = found["document"], found["shown"]
    assert document["data"]["bodies"]["crank"] == {"at": [0, 0], "length": "a"}
    assert document["text"].startswith("# A four-bar.")
    assert shown["is_assembled"]
    assert [body["name"] for body in shown["scene"]["bodies"]] == ["crank", "coupler", "rocker"]
    assert [drive["name"] for drive in shown["drives"]] == ["crank.angle"]
    assert {"crank.end", "coupler.P", "rocker.start"} <= {p["name"] for p in shown["points"]}
    assert shown["parameters"] == [{"name": "a", "given": 30, "value": 30.0, "unit": ""}]


def test_a_dragged_crank_keeps_every_bar_as_long_as_it_is(page: Any) -> None:
    for k in range(1, 12):
        angle = 0.2 * k
        target = [0.03 * math.cos(angle), 0.03 * math.sin(angle)]
        stance = page.ask("drag", point="crank.end", target=target)
        x, y, turn, u, v, tilt, s, t, lean = stance["poses"]
        assert stance["outcome"] == "Done"
        assert math.hypot(x, y) < 1e-12
        assert math.isclose(turn, angle, abs_tol=1e-9)
        assert math.hypot(u - target[0], v - target[1]) < 1e-9
        head = (u + 0.09 * math.cos(tilt), v + 0.09 * math.sin(tilt))
        assert math.dist(head, (s + 0.07 * math.cos(lean), t + 0.07 * math.sin(lean))) < 1e-9
    assert math.isclose(stance["values"]["crank.angle"], 2.2, abs_tol=1e-9)


def test_of_drags_that_wait_the_newest_is_computed(page: Any) -> None:
    numbers = [
        page.send("drag", point="crank.end", target=[0.03 * math.cos(a), 0.03 * math.sin(a)])
        for a in (0.01 * k for k in range(1, 41))
    ]
    answers = {}
    while len(answers) < len(numbers):
        message = page.next()
        if "re" in message:  # the document is kept meanwhile, and that is told too
            answers[message["re"]] = page.result_of(message)
    assert not answers[numbers[-1]]["skipped"]
    assert math.isclose(answers[numbers[-1]]["values"]["crank.angle"], 0.4, abs_tol=1e-9)
    assert all(answers[n]["skipped"] == (not answers[n]["poses"]) for n in numbers)


def test_beyond_reach_the_drag_says_so_and_offers_the_other_branch(page: Any) -> None:
    stance = page.ask("drag", point="rocker.end", target=[1.0, 1.0])
    assert stance["outcome"] == "LimitReached"
    assert "from its target" in stance["text"]
    assert stance["others"]
    other = stance["others"][0]
    taken = page.ask("adopt", source="branch", number=1)
    assert taken["poses"] == pytest.approx(other["poses"])
    assert taken["poses"][8] * stance["poses"][8] < 0.0  # the rocker points to the other side


def test_a_slider_goes_where_it_is_set_on_the_branch(page: Any) -> None:
    up = page.ask("drive", values={"crank.angle": "60 deg"})
    assert up["values"]["crank.angle"] == pytest.approx(math.pi / 3)
    lean = math.degrees(up["poses"][8])
    assert lean == pytest.approx(95.2, abs=0.05)  # closed form of crank 30 at 60 deg


def test_an_edit_is_a_step_that_undo_takes_back(page: Any) -> None:
    before = page.ask("hello")["document"]
    after = page.set("bodies", "rocker", "length", to=75)["document"]
    assert after["data"]["bodies"]["rocker"]["length"] == 75
    assert after["revision"] == before["revision"] + 1
    assert after["text"].replace("length: 75", "length: 70") == before["text"]
    assert page.ask("undo")["document"]["text"] == before["text"]
    assert page.ask("redo")["document"]["data"] == after["data"]


def test_fifty_steps_are_undone_and_done_again(page: Any) -> None:
    texts = [page.ask("hello")["document"]["text"]]
    for k in range(50):
        texts.append(page.set("bodies", "rocker", "length", to=70 + 0.1 * k)["document"]["text"])
    for text in reversed(texts[:-1]):
        assert page.ask("undo")["document"]["text"] == text
    assert page.ask("redo", steps=50)["document"]["text"] == texts[-1]
    assert page.ask("undo", steps=50)["document"]["text"] == texts[0]


def test_a_slider_of_a_parameter_is_one_step(page: Any) -> None:
    before = page.ask("hello")["document"]["text"]
    for value in range(31, 40):
        change = page.set("parameters", "a", to=value, merge="a")
    assert change["shown"]["parameters"][0]["value"] == 39
    assert page.ask("undo")["document"]["text"] == before


def test_what_means_nothing_is_refused_and_the_document_stays(page: Any) -> None:
    before = page.ask("hello")["document"]
    path = ["bodies", "rocker", "length"]
    for value in ("three", "3 s", -1, None, {"a": 1}):
        operation = {"op": "set", "path": path, "value": value}
        error = page.refused("edit", operations=[operation])
        assert error["kind"] == "mistake"
        assert error["text"]
    assert page.ask("hello")["document"] == before


def test_a_text_is_refused_with_its_line(page: Any) -> None:
    error = page.refused("text", text="version: 1\nname: x\nbodies:\n  a: {lenght: 3}\n")
    assert "Did you mean 'length'?" in error["text"]
    assert (error["problems"][0]["line"], error["problems"][0]["column"]) == (4, 7)


def test_what_does_not_close_is_kept_told_and_mended_by_a_click(page: Any) -> None:
    shown = page.set("bodies", "rocker", "length", to=300)["shown"]
    assert not shown["is_assembled"]
    problem = shown["problems"][0]
    assert "cannot be closed" in problem["text"]
    assert problem["path"][0] == "joints"
    assert problem["path"][1] in FOUR_BAR
    assert set(problem["bodies"]) == {"crank", "coupler", "rocker"}
    checked = page.ask("check")
    assert checked["freedom"] is None
    assert checked["fixes"]
    mended = page.ask("edit", operations=checked["fixes"][0]["operations"])
    assert mended["shown"]["is_assembled"]


def test_a_body_is_renamed_wherever_it_is_named(page: Any) -> None:
    rename = {"op": "rename", "path": ["bodies", "crank"], "to": "arm"}
    document = page.ask("edit", operations=[rename])["document"]
    assert "crank" not in document["text"]
    assert list(document["data"]["drives"]) == ["arm.angle"]
    assert "# A four-bar." in document["text"]


def test_a_body_goes_with_all_that_holds_on_to_it(page: Any) -> None:
    gone = {"op": "delete", "path": ["bodies", "rocker"], "cascade": True}
    data = page.ask("edit", operations=[gone])["document"]["data"]
    assert list(data["joints"]) == ["A", "B"]


def test_bodies_start_where_they_were_dragged_to(page: Any) -> None:
    target = [0.03 * math.cos(2.0), 0.03 * math.sin(2.0)]
    stance = page.ask("drag", point="crank.end", target=target)
    change = page.ask("edit", operations=[{"op": "place"}])
    lean = change["document"]["data"]["bodies"]["rocker"]["angle"]
    assert float(lean.removesuffix(" deg")) == pytest.approx(math.degrees(stance["poses"][8]))


def test_a_mechanism_is_drawn_from_nothing(page: Any) -> None:
    page.ask("new", name="drawn", units="mm")
    bars = {"crank": 30, "coupler": 90, "rocker": 70}
    joints = [
        ("ground", "crank.start"),
        ("crank.end", "coupler.start"),
        ("coupler.end", "rocker.end"),
        ({"body": "ground", "at": [100, 0]}, "rocker.start"),
    ]
    operations: list[dict[str, Any]] = [
        {"op": "set", "path": ["bodies", name], "value": {"length": length}}
        for name, length in bars.items()
    ]
    operations += [
        {"op": "set", "path": ["joints", f"j{k}"], "value": {"type": "revolute", "I": i, "J": j}}
        for k, (i, j) in enumerate(joints)
    ]
    law = {"type": "ramp", "speed": "60 rpm"}
    operations.append({"op": "set", "path": ["drives", "crank.angle"], "value": law})
    for operation in operations:
        change = page.ask("edit", operations=[operation])
    assert change["shown"]["is_assembled"]
    page.ask("sweep")
    lean = page.ask("read", names=["rocker.angle"])["columns"][0]["values"]
    assert max(lean) - min(lean) == pytest.approx(swing_of(30, 90, 70, 100), abs=1e-3)


def test_a_sweep_is_read_by_name(page: Any) -> None:
    played = page.ask("sweep", steps=720)
    assert played["outcome"] == "Done"
    assert len(played["scene"]["times"]) == 721
    assert {"rocker.angle", "coupler.P"} <= set(played["names"])
    found = page.ask("read", names=["rocker.angle", "coupler.P"], against="crank.angle")
    assert found["against"]["unit"] == "rad"
    assert [column["name"] for column in found["columns"]][1:] == ["coupler.P.x", "coupler.P.y"]
    lean = found["columns"][0]["values"]
    assert math.degrees(max(lean) - min(lean)) == pytest.approx(SWING, abs=0.05)
    assert found["times"] == pytest.approx([k / 720 for k in range(721)])
    units = [(column["shown_unit"], column["shown"]) for column in found["columns"]]
    assert units == [("deg", pytest.approx(180 / math.pi)), ("mm", 1000.0), ("mm", 1000.0)]


def test_arrows_have_the_speed_and_acceleration_of_a_point_on_a_circle(page: Any) -> None:
    page.ask("sweep", steps=8)
    (told,) = page.ask("vectors", points=["crank.end"])["points"]
    w, r = 2.0 * math.pi, 0.03
    assert [math.hypot(*v) for v in told["velocity"]] == pytest.approx([w * r] * 9)
    assert [math.hypot(*a) for a in told["acceleration"]] == pytest.approx([w * w * r] * 9)
    assert told["velocity"][0] == pytest.approx([0.0, w * r, 0.0], abs=1e-12)
    assert "no point" in page.refused("vectors", points=["crank.angle"])["text"]


def test_centrodes_roll_on_each_other(page: Any) -> None:
    page.ask("sweep", steps=360)
    pair = page.ask("centrodes", body="rocker")
    (fixed,), (moving,) = pair["fixed"], pair["moving"]  # a hinge of the ground: one point
    assert max(math.dist(place, [0.1, 0.0]) for place in fixed) < 1e-9
    assert max(math.hypot(*place) for place in moving) < 1e-9
    pair = page.ask("centrodes", body="coupler")
    for fixed, moving in zip(pair["fixed"], pair["moving"], strict=True):
        steps = [
            (math.dist(*f), math.dist(*m))
            for f, m in zip(pairwise(fixed), pairwise(moving), strict=True)
            if math.dist(*f) < 0.01
        ]
        assert sum(f for f, _ in steps) == pytest.approx(sum(m for _, m in steps), rel=1e-3)


def test_both_assemblies_are_found_and_switched_between(page: Any) -> None:
    found = page.ask("assemblies", held={"crank.angle": "60 deg"})
    assert found["promise"] == "complete"
    leans = sorted(math.degrees(member["poses"][8]) for member in found["members"])
    assert leans == pytest.approx([-129.2, 95.2], abs=0.05)
    for member in found["members"]:
        stance = page.ask("adopt", source="assembly", number=member["number"])
        assert stance["poses"] == pytest.approx(member["poses"])
        start = page.ask("sweep", steps=4)["scene"]["bodies"][2]["rotation"][0]
        assert math.sin(start) * math.sin(member["poses"][8]) > 0.0  # the sweep keeps that branch


def test_every_motion_comes_as_a_curve_that_one_can_go_to(page: Any) -> None:
    number = page.send("motions", axes=["crank.angle", "rocker.angle"])
    found = page.answer(number)["result"]
    assert found["axes"] == ["crank.angle", "rocker.angle"]
    assert len(found["components"]) == 2
    events = [event for event in page.events if event["type"] == "found"]
    assert [event["component"] for event in events] == found["components"]
    assert all(event["axes"] == found["axes"] for event in events)
    curve = found["components"][0]
    assert len(curve["across"]) == len(curve["up"]) == len(curve["frames"])
    stance = page.ask("adopt", source="component", number=curve["number"], sample=7)
    assert stance["poses"] == pytest.approx(curve["frames"][7])


def test_a_curve_comes_while_others_are_searched_and_cancelling_keeps_it(page: Any) -> None:
    page.ask("open", source="gallery", name="kempe_trisector")  # takes minutes
    number = page.send("motions")
    while (event := page.next())["type"] != "found":
        pass
    first = event["component"]
    assert page.ask("cancel", of=number)["was_running"] is True
    answers = [event for event in page.events if event.get("re") == number]
    kept = page.result_of(([a for a in answers if a["type"] == "done"] or [page.answer(number)])[0])
    assert kept["promise"] == "certified_partial"
    assert first["across"] == kept["components"][0]["across"]
    stance = page.ask("adopt", source="component", number=first["number"], sample=3)
    assert stance["poses"] == pytest.approx(first["frames"][3])


BULGE = 2e-5  # m: of an arc over its chord, between neighbours of 360 places


def coupler_curve(bars: tuple[float, float, float, float], place: complex) -> list[complex]:
    """A coupler point of a four-bar (crank, coupler, rocker, ground) as its crank turns."""
    crank, coupler, rocker, ground = bars
    found = []
    for k in range(60):
        joint = crank * cmath.exp(2j * math.pi * k / 60)
        gap = ground - joint
        along = (coupler**2 - rocker**2 + abs(gap) ** 2) / (2 * abs(gap))
        other = joint + gap / abs(gap) * complex(along, math.sqrt(coupler**2 - along**2))
        found.append(joint + place * (other - joint) / coupler)
    return found


def off_line(z: complex, line: list[complex]) -> float:
    """How far a place is from a line through places."""
    found = math.inf
    for a, b in pairwise(line):
        share = ((z - a) / (b - a)).real if a != b else 0.0
        found = min(found, abs(z - a - min(1.0, max(0.0, share)) * (b - a)))
    return found


def test_a_sketched_path_is_drawn_by_a_linkage_that_is_taken_and_refined(page: Any) -> None:
    path = [1e-3 * z for z in coupler_curve((30.0, 90.0, 70.0, 100.0), 45 + 40j)]
    sketch = [[z.real, z.imag] for z in path]
    found = page.ask("design", path=sketch, count=2)
    point = found["candidates"][0]["point"]
    nearest = [complex(*place) for place in found["candidates"][0]["curve"]]
    size = max(abs(z - w) for z in path for w in path)
    assert max(min(abs(z - w) for w in nearest) for z in path) < 0.1 * size
    page.ask("take", number=1)
    refined = page.ask("refine", point=point, path=sketch, seconds=3.0)
    assert refined["rms"] < 0.01 * size
    change = page.ask("edit", operations=refined["fix"]["operations"])
    assert change["shown"]["is_assembled"]
    page.ask("sweep", until=1.0, steps=360)
    x, y = (column["values"] for column in page.ask("read", names=[point])["columns"])
    drawn = [complex(*place) for place in zip(x, y, strict=True)]
    rms = math.sqrt(sum(off_line(z, drawn) ** 2 for z in path) / len(path))
    assert rms == pytest.approx(refined["rms"], abs=BULGE)
    assert page.ask("undo")["document"]["undo"] == "take linkage 1"


def test_a_path_that_is_none_and_parameters_that_are_missing_are_explained(page: Any) -> None:
    same = [[0.0, 0.0]] * 4
    assert "differ" in page.refused("design", path=same)["text"]
    assert "no linkage 9" in page.refused("take", number=9)["text"]
    square = [[0.0, 0.0], [0.01, 0.0], [0.01, 0.01]]
    page.ask("text", text=FOUR_BAR.replace("{a: 30}", "{}").replace("length: a", "length: 30"))
    assert "parameters" in page.refused("refine", point="coupler.P", path=square)["text"]
    page.ask("new", plane=False)
    assert "plane" in page.refused("design", path=square)["text"]


def test_a_linkage_is_drawn_in_space_and_stands_where_it_was_put(page: Any) -> None:
    def bar(name: str, length: float, start: Any, end: Any, *joints: dict[str, Any]) -> None:
        path = ["bodies", name]
        lay = {"op": "lay", "path": path, "at": start, "to": end}
        body = {"op": "set", "path": path, "value": {"length": length}}
        page.ask("edit", operations=[body, lay, *joints])

    def joined(name: str, kind: str, first: str, second: str, **at: Any) -> dict[str, Any]:
        path = ["joints", name]
        return {"op": "join", "path": path, "type": kind, "first": first, "second": second, **at}

    page.ask("new", plane=False)
    bar("crank", 30, [0, 0, 0], [0, 0, 0.03])
    ball = joined("A", "spherical", "crank", "rod", at="crank.end")
    bar("rod", 104.403, "crank.end", [0.1, 0, 0.06], ball)
    fork = joined("B", "universal", "rod", "rocker", at="rod.end", axis=[0, 1, 0])
    bar("rocker", 84.8528, "rod.end", [0.1, 0.06, 0], fork)
    feet = [
        joined("C", "revolute", "ground", "crank", at="crank.start", axis=[0, 1, 0]),
        joined("D", "revolute", "ground", "rocker", at="rocker.end", axis=[1, 0, 0]),
    ]
    drive = {"op": "set", "path": ["drives", "C.angle"], "value": {"start": 0, "speed": "60 rpm"}}
    told = page.ask("edit", operations=[*feet, drive])
    assert told["shown"]["is_assembled"]
    data = told["document"]["data"]
    assert data["bodies"]["rod"]["length"] == pytest.approx(math.sqrt(100**2 + 30**2), rel=1e-12)
    assert data["joints"]["D"]["I"]["at"] == pytest.approx([100, 60, 0], abs=1e-9)
    assert page.ask("check")["freedom"] == 0
    page.ask("sweep", until=0.48, steps=24)
    ends = page.ask("read", names=["crank.end", "rod.end", "rocker.end"])["columns"]
    columns = [column["values"] for column in ends]
    for k in range(25):
        a, b, c = ([columns[3 * n + m][k] for m in range(3)] for n in range(3))
        assert math.dist(a, b) == pytest.approx(math.hypot(0.1, 0.03), rel=1e-9)
        assert math.dist(b, c) == pytest.approx(0.06 * math.sqrt(2), rel=1e-9)
        assert a[1] == pytest.approx(0.0, abs=1e-12)  # the crank turns about y


def test_a_body_of_space_is_moved_and_turned_by_numbers(page: Any) -> None:
    page.ask("new", plane=False)
    page.set("bodies", "box", to={"at": [10, 0, 0], "points": {"P": [5, 0, 0]}})
    quarter = {"op": "move", "path": ["bodies", "box"], "by": [0.0, 0.02, 0.0]}
    page.ask("edit", operations=[quarter | {"turn": [0.0, 0.0, math.pi / 2]}])
    told = page.ask("edit", operations=[quarter | {"by": [0, 0, 0], "turn": [math.pi / 2, 0, 0]}])
    box = told["document"]["data"]["bodies"]["box"]
    assert box["at"] == [10.0, 20.0, 0.0]
    # x went to y by the first turn, and y to z by the second.
    w, x, y, z = told["shown"]["scene"]["bodies"][0]["rotation"][:4]
    x_axis = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
    assert x_axis == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    page.set("parameters", "far", to=10)
    page.set("bodies", "box", "at", to=["far", 0, 0])
    assert "'far'" in page.refused("edit", operations=[quarter])["text"]
    wrong = {"op": "join", "path": ["joints", "A"], "type": "revolut", "first": "ground"}
    said = page.refused("edit", operations=[wrong | {"second": "box", "at": [0, 0, 0]}])
    assert "revolute" in said["text"]


def test_a_pendulum_is_simulated_rests_and_swings(page: Any) -> None:
    page.ask("open", source="gallery", name="simple_pendulum")
    number = page.send("simulate", until="20 s", steps=100)
    assert page.answer(number)["result"]["is_simulated"]
    rest = page.ask("statics")
    assert rest["is_stable"] is True
    (mode,) = page.ask("modes")["modes"]
    assert mode["frequency"] > 0.0
    assert mode["frames"][0] == pytest.approx(mode["frames"][-1], abs=1e-6)


def test_the_forces_on_a_body_at_rest_are_in_balance(page: Any) -> None:
    page.ask("open", source="gallery", name="double_pendulum")
    page.ask("statics")
    loads = page.ask("free_body", body="upper")["loads"]
    assert {load["name"] for load in loads} >= {"weight"}
    total = [sum(load["force"][k] for load in loads) for k in range(3)]
    assert total == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize(
    ("name", "body", "force"), [("door_closer", "door", "spring"), ("flyball_governor", "", "")]
)
def test_a_free_body_shows_springs_and_dampers_too(
    page: Any, name: str, body: str, force: str
) -> None:
    document = page.ask("open", source="gallery", name=name)["document"]["data"]
    page.ask("simulate", until=0.2, steps=8)
    for one in [body] if body else document["bodies"]:
        found = page.ask("free_body", body=one, sample=5)
        assert found["is_all"]
        assert force in " ".join(load["name"] for load in found["loads"])


def test_what_redundant_joints_do_is_said_to_be_unknown(page: Any) -> None:
    page.ask("open", source="gallery", name="bennett")
    page.ask(
        "edit",
        operations=[
            {"op": "set", "path": ["bodies", one, "inertia"], "value": {"mass": 1.0}}
            for one in ("link1", "link2", "link3")
        ],
    )
    page.ask("sweep", steps=4)
    assert "redundant" in page.refused("free_body", body="link2")["text"]


def test_a_long_computation_is_cancelled_and_the_next_is_answered(page: Any) -> None:
    page.ask("open", source="gallery", name="double_pendulum")
    number = page.send("simulate", until=1e6, steps=20_000)
    while True:
        event = page.next()
        if event["type"] == "progress" and event["re"] == number and event["part"] is not None:
            break
    assert page.ask("cancel", of=number)["was_running"] is True
    ended = [event for event in page.events if event.get("re") == number]
    error = (ended or [page.answer(number)])[-1]
    assert error["error"]["kind"] == "cancelled"
    assert page.ask("simulate", until=0.1, steps=4)["outcome"] == "Done"


FILMS = (".mp4", ".webm", ".gif")  # in test_video, and they take their time


@pytest.mark.parametrize("ending", [ending for ending in KINDS if ending not in FILMS])
def test_what_is_exported_can_be_fetched(page: Any, studio: Any, ending: str) -> None:
    if _missing(*KINDS[ending][2:]):
        pytest.skip(f"needs {KINDS[ending][2]}")
    for body, length in (("crank", "a"), ("coupler", 90), ("rocker", 70)):  # MuJoCo wants masses
        solid = {"type": "slender_bar", "length": length}
        page.set("bodies", body, "inertia", to={"solid": solid, "mass": 1})
    page.ask("sweep", steps=6)
    written = page.ask("export", ending=ending)
    got = studio.get(written["url"])
    assert got.status_code == 200
    assert len(got.content) == written["size"]
    assert "attachment" in got.headers["content-disposition"]


def test_every_export_of_kempe_is_one_of_the_studio() -> None:
    from kempe.export import mechanism_report, writing
    from kempe.files.syntax.text import WRITERS
    from kempe.foreign.exporting import WRITTEN

    known = {
        *WRITERS,
        *WRITTEN,
        *writing.ENDINGS,
        *(".report" + e for e in mechanism_report.ENDINGS),
    }
    same = {".yml", ".mjcf"}  # as .yaml and .xml
    assert known - same <= set(KINDS)


def test_the_script_makes_the_same_mechanism(page: Any, tmp_path: Path) -> None:
    script = page.ask("python")["text"]
    assert 'crank = m.bar("crank", a, at=(0, 0))' in script
    made: dict[str, Any] = {}
    exec(compile(script, "script", "exec"), made)
    turn = made["mechanism"].kinematics(until=1.0, steps=720)
    assert float(turn["rocker.angle"].ptp("deg")) == pytest.approx(SWING, abs=0.05)


@pytest.mark.parametrize("path", sorted((EXAMPLES / "foreign").iterdir()), ids=lambda p: p.name)
def test_a_dropped_file_of_another_program_is_opened_with_a_report(
    page: Any, studio: Any, path: Path
) -> None:
    got = studio.post(f"/api/import?name={path.name}", path.read_bytes()).json()
    assert got["type"] == "done", got
    assert isinstance(got["result"]["report"], list)
    assert got["result"]["change"]["shown"]["is_assembled"]
    assert page.ask("undo")["document"]["name"] == "four-bar"


def test_the_page_of_a_whole_document_plays_and_opens_again(page: Any, studio: Any) -> None:
    text = page.ask("hello")["document"]["text"]
    whole = studio.get(page.ask("export", ending=".document.html")["url"]).text
    assert "kempe-player" in whole or "srcdoc" in whole
    assert "DOF 1, with the drive 0" in whole
    assert "://" not in re.sub(
        r'xmlns="[^"]*"|http://www.w3.org/[0-9a-zA-Z/]*', "", html.unescape(whole)
    )
    coded = re.search("href=.data:text/yaml;base64,([^'\"]+)", whole)
    assert coded is not None
    again = base64.b64decode(coded.group(1)).decode()
    changed = page.ask("text", text=again)["document"]["data"]
    assert changed == page.ask("text", text=text)["document"]["data"]
    page.set("bodies", "rocker", "length", to=300)
    broken = page.ask("export", ending=".document.html")
    assert "no motion" in broken["report"][0]
    assert "cannot be closed" in studio.get(broken["url"]).text


@pytest.mark.parametrize("name", ["x.exe", "x", "../x.sh", "a.yaml", "a.asmt", "a.xml", "a.json"])
def test_a_dropped_file_that_is_none_is_refused_in_words(page: Any, studio: Any, name: str) -> None:
    before = page.ask("hello")["document"]["data"]
    got = studio.post(f"/api/import?name={name}", b"\x00\xff nothing: [")
    assert got.status_code == 400
    assert got.json()["error"]["text"]
    assert page.ask("hello")["document"]["data"] == before


def test_another_page_is_told_of_a_change(page: Any, studio: Any) -> None:
    other = studio.page()
    other.ask("hello")
    change = page.set("bodies", "rocker", "length", to=71)
    while (event := other.next())["type"] != "changed":
        pass
    assert event["change"]["document"] == change["document"]
    other.socket.close()


def test_saving_writes_the_file_as_it_was_typed(page: Any, studio: Any) -> None:
    saved = page.ask("save", path="saved.yaml")
    assert saved["document"]["is_saved"]
    text = page.ask("hello")["document"]["text"]
    assert "saved.yaml" in [entry["name"] for entry in page.ask("library")["entries"]]
    assert "# the shortest" in text
    page.set("bodies", "rocker", "length", to=72)
    assert not page.ask("hello")["document"]["is_saved"]
    assert page.ask("open", source="file", name="saved.yaml")["document"]["text"] == text


def test_killed_it_comes_back_with_everything(start: Callable[[Path], Any], tmp_path: Path) -> None:
    file = tmp_path / "four_bar.yaml"
    file.write_text(FOUR_BAR)
    studio = start(file)
    page = studio.page()
    for k in range(12):
        text = page.set("bodies", "rocker", "length", to=70 + k)["document"]["text"]
    page.refused("text", text="version: 1\nbodies: [")
    time.sleep(1.0)  # what is promised: all but the last second
    studio.end(signal.SIGKILL)
    assert file.read_text() == FOUR_BAR
    again = start(file)
    page = again.page()
    found = page.ask("hello")
    assert "here again" in found["recovered"]
    assert found["document"]["text"] == text
    assert not found["document"]["is_saved"]
    assert page.ask("undo", steps=12)["document"]["text"] == FOUR_BAR
    page.ask("redo", steps=12)
    page.ask("save")
    assert again.end() == 0
    assert file.read_text() == text
    assert not list((tmp_path / ".kempe-studio").iterdir())


def test_a_worker_that_is_killed_begins_anew(page: Any, studio: Any) -> None:
    children = Path(f"/proc/{studio.process.pid}/task/{studio.process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not list the children of a process")
    page.ask("check")
    import os

    for child in children.read_text().split():
        os.kill(int(child), signal.SIGKILL)
    time.sleep(0.2)
    assert page.ask("drag", point="crank.end", target=[0.0, 0.03])["outcome"] == "Done"
    assert page.ask("check")["freedom"] == 0


def test_nobody_without_the_cookie_gets_anything(studio: Any) -> None:
    for path in ("/", "/ws", "/api/schema", "/api/messages", "/api/exports/x", "/assets/x.js"):
        assert httpx.get(studio.base + path).status_code == 403
        assert studio.get(path, origin="http://evil.example").status_code == 403
        assert studio.get(path, host="evil.example").status_code == 403
    assert studio.get("/api/schema").json()["title"].startswith("kempe model file")
    assert "$defs" in studio.get("/api/messages").json()
