"""What a cell of a notebook ends with shows itself: whole HTML, and one short line."""

from html.parser import HTMLParser

import pytest

import kempe as kp
from kempe.frames import FrameGraph, Rigid
from kempe.notebook import table_html
from kempe.sweeps import Statics

LONGEST = 200  # characters of a line that says what a thing is


class Balanced(HTMLParser):
    """Reads a page and knows which of its elements were not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def shown(thing: object) -> str:
    """The text of what a notebook shows, once it is known to be whole."""
    page = Balanced()
    page.feed(thing._repr_html_())
    assert page.open == []
    return "".join(page.text)


@pytest.fixture(scope="module")
def things() -> dict[str, object]:
    bars = kp.gallery.four_bar()
    turn = bars.kinematics(until=1.0, steps=12)
    swing = kp.gallery.double_pendulum().simulate(until=0.1, steps=4)
    return {
        "mechanism": bars,
        "trajectory": turn,
        "point": turn["coupler.P"],
        "angle": turn["rocker.angle"],
        "speed": turn["coupler.P"].speed,
        "force": swing["top.force"],
        "energy": swing.energy,
        "report": bars.check(),
        "assemblies": bars.assemblies(at=0),
        "motions": bars.motions(),
        "map pictures": bars.pictures(bars.motions()),
        "assembly pictures": bars.pictures(bars.assemblies(at=0)),
        "sweep": kp.sweep(
            bars, over={"crank": [0.9, 1.0]}, analysis=Statics(["crank.angle"]), executor="serial"
        ),
        "names": turn.registry,
        "state": turn.state(0),
        "linearization": kp.gallery.simple_pendulum().linearize(),
        "pictures": turn.pictures,
        "count": bars.count(),
        "provenance": turn.provenance,
        "circuits": bars.circuits(),
        "interference": kp.gallery.excavator_arm().kinematics(until=0.1, steps=2).interference(),
        "batch": bars.batch({"crank": [0.9, 1.0] * 15}, until=1.0, outputs=["coupler.P"], steps=2),
        "gradient": turn.gradient("rocker.angle", ["crank"]),
        "curvature": turn["coupler.P"].curvature,
        "radius": turn["coupler.P"].curvature.radius,
        "outcome": turn.outcome,
        "model": bars.model,
        "transmission": turn.transmission,
        "relative": turn.relative("coupler"),
        "frames": crane(),
        "frame": crane().state("camera", seen_from="ground"),
        **{f"part {k}": part for k, part in enumerate(parts_of(bars.model))},
    }


def crane() -> FrameGraph:
    """A graph of three frames."""
    graph = FrameGraph("ground")
    graph.add("boom", "ground", Rigid([0, 0, 2]))
    graph.add("camera", "boom", Rigid([10, 0, 1]))
    return graph


def parts_of(model: object) -> list[object]:
    """A measure and a marker."""
    gauge = model.drives[0].gauge
    return [gauge, gauge.J]


#: words of what is shown
WORDS = {
    "mechanism": "four-bar",
    "trajectory": "13 samples",
    "point": "coupler.P.y",
    "angle": "rocker.angle",
    "speed": "peak to peak",
    "force": "top.force",
    "energy": "kinetic",
    "report": "How the freedoms are counted",
    "assemblies": "2 assemblies",
    "motions": "loop",
    "map pictures": "2: loop",
    "assembly pictures": "2 assemblies",
    "sweep": "2 variants",
    "names": "coupler.P",
    "state": "four-bar",
    "linearization": "mode 1",
    "pictures": "four-bar",
    "count": "12 unknowns",
    "provenance": "kempe",
    "circuits": "2 circuits",
    "interference": "pairs",
    "batch": "10 more",
    "gradient": "crank",
    "curvature": "coupler.P.curvature",
    "radius": "peak to peak",
    "outcome": "Done",
    "model": "crank, coupler, rocker",
    "transmission": "transmission angle",
    "relative": "centrodes",
    "frames": "camera",
    "frame": "angular velocity",
    "part 0": "crank seen from ground",
    "part 1": "x axis",
}
EXACT = ("part 0", "part 1")  # tell every number: what is written and read again is compared


@pytest.mark.parametrize("name", WORDS)
def test_a_cell_shows_what_it_ends_with(things, name):
    assert WORDS[name] in shown(things[name])


def test_the_motion_plays_in_a_frame_of_its_own(things):
    page = things["trajectory"]._repr_html_()
    assert page.startswith('<iframe srcdoc="')
    assert 'sandbox="allow-scripts"' in page
    assert "&lt;script" in page  # inside the frame, and nowhere else
    assert "<script" not in page


def test_every_repr_is_one_short_line(things):
    bars = kp.gallery.four_bar()
    m = bars.edit()
    turn = things["trajectory"]
    more = [m, m.part("crank"), m.part("A"), m.ground, turn.transmission, turn.relative("coupler")]
    latched = kp.gallery.geneva_drive().simulate(until=2.0, steps=8)
    more += [bars.drag(), bars.solver(), *bars.loops(), latched.reactions, *latched.events]
    short = [thing for name, thing in things.items() if name not in EXACT]
    for thing in [*short, *more, turn["coupler.P"].curvature]:
        assert "\n" not in repr(thing)
        assert len(repr(thing)) <= LONGEST, repr(thing)
    assert repr(kp.Builder("new")) == "Builder 'new': nothing yet; .build() makes it"
    assert repr(m.part("crank")) == "Body 'crank': .at(x, y), .start, .end, .angle, .x, .y"
    assert repr(m.part("A")) == "Revolute 'A': .angle"


def test_a_name_with_markup_in_it_is_text():
    assert "<b>" not in table_html(["<b>"], [["<b>"]], "<b>")
    m = kp.Builder("<script>alert(1)</script>", plane=True)
    bar = m.bar("bar", 1)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.drive(bar.angle, rpm=60)
    turn = m.build().kinematics(until=1.0, steps=4)
    for thing in (turn, m.build(), m.build().check()):
        assert "<script>alert" not in thing._repr_html_()
