"""Names: what looks alike is refused at every door that names something."""

import json
import unicodedata

import pytest

import kempe as kp
from kempe.errors import KempeError, ModelError, UnknownName
from kempe.forces import SpringDamper
from kempe.frames import FrameGraph
from kempe.measures import Distance
from kempe.names import flaw_of

COMPOSED, PIECES = "caf\u00e9", "cafe\u0301"
UNREADABLE = {
    "a blank after": "a ",
    "a blank before": " a",
    "blanks alone": "  ",
    "a zero width space": "a\u200b",
    "a zero width joiner": "a\u200db",
    "a mark of direction": "a\u202eb",
    "a soft hyphen": "a\u00adb",
    "a blank that does not break": "a\u00a0b",
    "a byte order mark": "\ufeffa",
    "a tab": "a\tb",
    "a line": "a\nb",
    "an escape": "a\x1b[2J",
    "a filler of Hangul": "\u3164",
    "a selector of variants": "a\ufe0f",
    "a blank of Braille": "a\u2800",
    "half of a pair": "a\ud800",
    "letters in pieces": PIECES,
}
# Files put letters together before anything else is asked.
IN_FILES = {kind: name for kind, name in UNREADABLE.items() if name != PIECES}
READABLE = ["a", "a b", "Kurbel 1", COMPOSED, "连杆", "β", "ω²", "a-b", "x\u0323\u0304", "🔧"]


def body(m, name):
    m.body(name)


def bar(m, name):
    m.bar(name, 1)


def kinematic_point(m, name):
    m.point(name, at=(0, 0))


def point_of_a_body(m, name):
    m.body("plate", points={name: (1, 0)})


def joint(m, name):
    m.revolute(m.ground.at(2, 0), m.part("crank").end, name=name)


def drive(m, name):
    m.drive(m.part("crank").angle, rpm=1, name=name)


def force(m, name):
    m.force(SpringDamper(m.part("hinge").angle, 10), name)


def gauge(m, name):
    m.gauge(name, Distance(), m.ground.at(0, 0), m.part("crank").end)


def stick(m, name):
    m.stick(name, m.ground.at(0, 0), m.part("crank").end, 1)


def flexible_stick(m, name):
    m.stick(name, m.ground.at(0, 0), m.part("crank").end)


def output(m, name):
    m.output("2 * t", name=name)


def new_name(m, name):
    m.rename({"crank": name})


DOORS = [body, bar, kinematic_point, point_of_a_body, joint, drive, force, gauge, stick]
DOORS += [flexible_stick, output, new_name]


def built(m, door, name):
    door(m, name)
    return m.build()


@pytest.fixture
def m():
    m = kp.Builder("named", plane=True)
    crank = m.bar("crank", 1)
    m.revolute(m.ground.at(0, 0), crank.start, name="hinge")
    return m


@pytest.mark.parametrize("name", UNREADABLE.values(), ids=UNREADABLE.keys())
@pytest.mark.parametrize("door", DOORS)
def test_the_builder_refuses_what_nobody_can_tell_apart(m, door, name):
    with pytest.raises(ModelError, match="can be called"):
        built(m, door, name)


@pytest.mark.parametrize("name", READABLE)
@pytest.mark.parametrize("door", DOORS)
def test_the_builder_takes_names_of_all_languages(m, door, name):
    door(m, name)
    assert m.build()


SECTIONS = {
    "bodies": {"length": 1},
    "joints": {"type": "revolute", "I": "ground", "J": "crank.end"},
    "gauges": {"measure": "turn", "I": "ground", "J": "crank"},
    "forces": {"type": "spring_damper", "gauge": "hinge.angle", "stiffness": 1},
    "parameters": 1,
}


def document(section, name):
    whole = {
        "version": 1,
        "plane": True,
        "bodies": {"crank": {"length": 1}},
        "joints": {"hinge": {"type": "revolute", "I": "ground", "J": "crank.start"}},
    }
    if section == "points":
        whole["bodies"]["crank"]["points"] = {name: [1, 0]}
    elif section == "drives":
        whole["drives"] = {"hinge.angle": {"law": "t", "name": name}}
    elif section == "outputs":
        whole["outputs"] = [{"name": name, "value": "2 * t"}]
    else:
        whole.setdefault(section, {})[name] = SECTIONS[section]
    return whole


@pytest.mark.parametrize("section", [*SECTIONS, "points", "drives", "outputs"])
@pytest.mark.parametrize("name", IN_FILES.values(), ids=IN_FILES.keys())
@pytest.mark.parametrize("ending", [".json", ".yaml"])
def test_files_refuse_them_too(section, name, ending, tmp_path):
    text = json.dumps(document(section, name), ensure_ascii=True)
    (path := tmp_path / f"model{ending}").write_text(text)
    with pytest.raises(KempeError) as caught:
        kp.load(path)
    assert not set(str(caught.value)) & set("\u200b\u200d\u202e\u00ad\u00a0\ufeff\x1b")


@pytest.mark.parametrize("ending", [".json", ".yaml"])
def test_a_file_in_pieces_is_put_together(ending, tmp_path):
    text = json.dumps(document("bodies", PIECES), ensure_ascii=False)
    (path := tmp_path / f"model{ending}").write_text(text, encoding="utf-8")
    assert COMPOSED in [b.name for b in kp.load(path).model.bodies]


@pytest.mark.parametrize("name", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_frames_refuse_them_too(name):
    with pytest.raises(ModelError, match="no frame can be called"):
        FrameGraph("world").add(name, "world")


def test_a_name_that_is_no_text_is_refused_in_words(m):
    with pytest.raises(ModelError, match="a name is text"):
        m.body(3)


def test_who_asks_in_pieces_for_a_composed_name_is_told_so(m):
    m.body(COMPOSED)
    with pytest.raises(UnknownName, match="composed form"):
        m.part(PIECES)


def test_every_character_is_seen_or_refused():
    """Oracle: Unicode's categories: what is no letter, mark, number or sign cannot be a name."""
    for code in range(0x30000):
        character = chr(code)
        if unicodedata.category(character)[0] in "CZ" and character != " ":
            assert flaw_of(f"a{character}b"), hex(code)
