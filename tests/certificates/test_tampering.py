"""Maps that were tampered with: each is found out, with a sentence that says what is wrong.

The honest maps hold, as they are and out of a file. Every tampering is made on a map in memory, so
that nothing but the proof stands in its way.
"""

import dataclasses
import json

import numpy as np
import pytest

import kempe
from kempe.archive import HEADER
from kempe.errors import FileError
from kempe.results.maps.certificate import Cover, Origin, Promise

HONEST = {
    "loops": lambda: kempe.gallery.four_bar().motions(),
    "arcs": lambda: kempe.gallery.slider_crank().motions(limits={"slider.x": (2.5, 3.5)}),
    "places": lambda: kempe.gallery.four_bar(
        crank=1.0, coupler=2.0, rocker=1.0, ground=2.0
    ).motions(),
    "sides": lambda: kempe.gallery.hypocycloid().motions(),
    "circles": lambda: kempe.gallery.barton_piston().motions(),
    "angles": lambda: kempe.gallery.four_bar().motions(limits={"crank.angle": (0.5, 2.0)}),
    "empty": lambda: kempe.gallery.four_bar(
        crank=1.0, coupler=1.0, rocker=1.0, ground=9.0
    ).motions(),
}


def two_parts():
    """A four-bar, and beside it two bars that stand still either way up."""
    m = kempe.Builder("two parts", plane=True)
    crank, coupler, rocker = m.bar("crank", 0.4), m.bar("coupler", 1.0), m.bar("rocker", 0.9)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(1.1, 0))
    p, q = m.bar("p", 1.0), m.bar("q", 1.2)
    m.revolute(m.ground.at(0, 3), p.start)
    m.revolute(p.end, q.end)
    m.revolute(q.start, m.ground.at(1, 3))
    return m.build().motions()


HONEST["parts"] = two_parts
_MADE: dict[str, kempe.MotionMap] = {}

replace = dataclasses.replace


def honest(name):
    if name not in _MADE:
        _MADE[name] = HONEST[name]()
    return _MADE[name]


def numbered(motions, components):
    return replace(
        motions, components=tuple(replace(c, number=k) for k, c in enumerate(components))
    )


def first_component(motions, **changes):
    first, *rest = motions.components
    return replace(motions, components=(replace(first, **changes), *rest))


def charts(motions, **changes):
    """The first component with other arrays: each a function of the old one."""
    first = motions.components[0]
    made = {key: np.array(value) for key, value in first.charts.items() if key in changes}
    return first_component(
        motions, charts=dict(first.charts) | {k: changes[k](v) for k, v in made.items()}
    )


def block(motions, **changes):
    """The first block with other fields, for all of its components."""
    old = motions.blocks[0]
    new = replace(old, **changes)
    components = tuple(replace(c, block=new) if c.block is old else c for c in motions.components)
    return replace(motions, blocks=(new, *motions.blocks[1:]), components=components)


def cover(motions, **changes):
    old = motions.covers[0]
    return replace(motions, covers=(replace(old, **changes), *motions.covers[1:]))


def place(motions, **changes):
    first, *rest = motions.singular
    return replace(motions, singular=(replace(first, **changes), *rest))


def end(motions, **changes):
    first = motions.components[0]
    return first_component(motions, ends=(replace(first.ends[0], **changes), first.ends[1]))


def at(index, value):
    """An array with one entry, or row, that is another."""

    def changed(array):
        array[index] = value(array[index])
        return array

    return changed


def tape_with(tape, **changes):
    return replace(tape, **changes)


def other_constant(tape):
    """A tape in which one constant, not 0 and not 1, is the next double."""
    constants = tape.constants.copy()
    k = next(k for k, c in enumerate(constants) if abs(c) not in (0.0, 1.0, 2.0))
    constants[k] = np.nextafter(constants[k], np.inf)
    return tape_with(tape, constants=constants)


def origin(motions, **changes):
    return replace(motions, origin=replace(motions.origin, **changes))


def other_number(motions):
    """The model in the file with one length changed in its last digit."""
    text = motions.origin.written()
    data = json.loads(text)

    def walk(node):
        for key, value in node.items() if isinstance(node, dict) else enumerate(node):
            if isinstance(value, float) and value not in (0.0, 1.0):
                node[key] = float(np.nextafter(value, np.inf))
                return True
            if isinstance(value, (dict, list)) and walk(value):
                return True
        return False

    assert walk(data["joints"]) or walk(data["bodies"])
    return replace(
        motions,
        origin=Origin(motions.origin.held, motions.origin.limits, document=json.dumps(data)),
    )


def swapped(names, i, j):
    names = list(names)
    names[i], names[j] = names[j], names[i]
    return tuple(names)


def without_a_chart(motions):
    keys = ("p", "A", "C", "h", "w", "contraction", "lean", "from", "to", "links", "link_radii")
    return charts(motions, **{key: (lambda a: np.delete(a, 2, axis=0)) for key in keys})


def backwards(motions):
    keys = ("p", "A", "C", "h", "w", "contraction", "lean", "from", "to")
    return charts(motions, **{key: (lambda a: a[::-1].copy()) for key in keys})


def without_a_side(motions):
    old = motions.blocks[0]
    return block(motions, n_sides=0, tape=tape_with(old.tape, outputs=old.tape.outputs[:-1]))


def moved_place(motions):
    old = motions.singular[0]
    d = 0.01
    return place(
        motions, lows=old.lows + d, highs=old.highs + d, low=old.low + d, high=old.high + d
    )


def smaller_place(motions):
    old = motions.singular[0]
    middle = 0.5 * (old.low + old.high)
    lows = np.clip(old.lows, middle, None) + 1e-5
    highs = np.maximum(np.clip(old.highs, middle, None) + 1e-5, lows)
    return place(
        motions,
        lows=lows,
        highs=highs,
        low=lows.min(axis=0),
        high=highs.max(axis=0),
        size=float((highs.max(axis=0) - lows.min(axis=0)).max()),
        width=float((highs - lows).max()),
    )


def promising(outcome):
    """Only the promise is another."""
    return lambda motions: replace(motions, outcome=outcome)


def without_places(motions):
    """Called complete, with nothing left that says otherwise but the ends."""
    return replace(motions, singular=(), outcome=Promise.COMPLETE)


def as_limits(motions):
    """The same, and the ends that led into places are said to be finished loops' remains."""
    made = []
    for c in motions.components:
        ends = tuple(replace(e, kind="limit", limit="crank.c at most", place=-1) for e in c.ends)
        made.append(replace(c, ends=ends))
    return replace(motions, singular=(), outcome=Promise.COMPLETE, components=tuple(made))


TAMPERINGS = {
    # what is listed
    "a component is deleted": ("loops", lambda m: numbered(m, m.components[1:]), "not listed"),
    "a component is deleted, its number left": (
        "loops",
        lambda m: replace(m, components=m.components[1:]),
        "not numbered in order",
    ),
    "all components are deleted": ("loops", lambda m: replace(m, components=()), "not listed"),
    "a component is listed twice": (
        "loops",
        lambda m: numbered(m, (*m.components, m.components[0])),
        "have a point in common",
    ),
    "an arc between limits is deleted": (
        "arcs",
        lambda m: numbered(m, m.components[1:]),
        "not listed",
    ),
    "a component is put into an empty list": (
        "empty",
        lambda m: replace(m, components=honest("loops").components),
        "block that is none of the map",
    ),
    "a combination of parts is deleted": (
        "parts",
        lambda m: numbered(m, m.components[1:]),
        "3 of 4 combinations",
    ),
    "a position of what stands still is deleted": (
        "parts",
        lambda m: numbered(m, m.components[::2]),
        "block 1: there may be solutions that are not listed",
    ),
    "a position of what stands still is moved": (
        "parts",
        lambda m: replace(
            m,
            components=tuple(
                replace(c, x=np.where(c.x == c.x[5], c.x + 1e-12, c.x)) for c in m.components
            ),
        ),
        "farther off than its radius",
    ),
    # what is promised
    "complete becomes complete_except": (
        "loops",
        promising(Promise.COMPLETE_EXCEPT),
        "lists no place",
    ),
    "complete becomes certified_partial": (
        "loops",
        promising(Promise.CERTIFIED_PARTIAL),
        "everything was searched",
    ),
    "complete becomes numerical": ("loops", promising(Promise.NUMERICAL), "no row was left out"),
    "complete_except becomes complete": (
        "places",
        promising(Promise.COMPLETE),
        "lists places where nothing is promised",
    ),
    "places are removed and complete is said": ("places", without_places, "leads into"),
    "places are removed and ends called limits": ("places", as_limits, "does not meet"),
    "certified_partial becomes complete": (
        "loops",
        lambda m: cover(m, unknown=at(-1, lambda _: Cover.OPEN)(m.covers[0].unknown.copy())),
        "not searched",
    ),
    "a bound of rows is made up": ("loops", lambda m: replace(m, within=1e-9), "hold only within"),
    "boxes are said to be left": (
        "loops",
        lambda m: replace(m, unsearched=replace(m.unsearched, boxes=3)),
        "not searched",
    ),
    # domain, sides, limits, circles
    "the domain is shrunk": (
        "loops",
        lambda m: block(m, high=at(0, lambda x: 0.5)(m.blocks[0].high.copy())),
        "the model says",
    ),
    "the domain is shifted": (
        "loops",
        lambda m: block(m, low=m.blocks[0].low + 0.25, high=m.blocks[0].high + 0.25),
        "the model says",
    ),
    "a limit is forgotten": (
        "arcs",
        lambda m: block(m, limited=np.zeros_like(m.blocks[0].limited)),
        "the model says",
    ),
    "a limit is made up": (
        "loops",
        lambda m: block(m, limited=at(0, lambda _: 1.0)(m.blocks[0].limited.copy())),
        "the model says",
    ),
    "an unknown is put on a circle": (
        "loops",
        lambda m: block(m, period=at(0, lambda _: 2.25)(m.blocks[0].period.copy())),
        "the model says",
    ),
    "the limit that was asked for is dropped": (
        "arcs",
        lambda m: origin(m, limits={}),
        "of another mechanism or question",
    ),
    "the limit that was asked for is wider": (
        "arcs",
        lambda m: origin(m, limits={"slider.x": (2.5, 3.75)}),
        "the model says",
    ),
    "a measure is said to have been held": (
        "loops",
        lambda m: origin(m, held={"crank.angle": 1.0}),
        "",
    ),
    "a side is dropped": ("sides", without_a_side, "the side of"),
    "a circle is cut open": (
        "circles",
        lambda m: block(m, period=np.zeros_like(m.blocks[0].period)),
        "the model says",
    ),
    "a loop of a curve is deleted": (
        "circles",
        lambda m: numbered(m, m.components[1:]),
        "not listed",
    ),
    "an arc within an angle is deleted": (
        "angles",
        lambda m: numbered(m, m.components[1:]),
        "not listed",
    ),
    # equations and readings
    "a coefficient is changed in its last digit": (
        "loops",
        lambda m: block(m, tape=other_constant(m.blocks[0].tape)),
        "is not what the model says",
    ),
    "a row is counted as redundant": (
        "loops",
        lambda m: block(m, n_equations=m.blocks[0].n_equations - 1, n_redundant=1),
        "freedom",
    ),
    "counts of rows do not add up": (
        "loops",
        lambda m: block(m, n_redundant=2),
        "do not fit its tape",
    ),
    "readings are swapped": (
        "loops",
        lambda m: replace(m, readings=replace(m.readings, names=swapped(m.readings.names, 0, 4))),
        "readings are not those of the model",
    ),
    "bodies are swapped": (
        "loops",
        lambda m: replace(m, readings=replace(m.readings, bodies=swapped(m.readings.bodies, 0, 1))),
        "bodies that are read",
    ),
    "outputs of readings are swapped": (
        "loops",
        lambda m: replace(
            m,
            readings=replace(
                m.readings,
                tape=tape_with(m.readings.tape, outputs=m.readings.tape.outputs[::-1].copy()),
            ),
        ),
        "the reading",
    ),
    "a number of a reading is changed": (
        "loops",
        lambda m: replace(m, readings=replace(m.readings, tape=other_constant(m.readings.tape))),
        "the reading",
    ),
    "unknowns are swapped": (
        "loops",
        lambda m: replace(m, unknowns=swapped(m.unknowns, 0, 2)),
        "",
    ),
    "an unknown is renamed": (
        "loops",
        lambda m: replace(m, unknowns=("arm.c", *m.unknowns[1:])),
        "the model has no unknown 'arm.c'",
    ),
    "an unknown is named twice": (
        "loops",
        lambda m: replace(m, unknowns=(m.unknowns[1], *m.unknowns[1:])),
        "no unknown twice",
    ),
    # model and derivation
    "a length of the model is changed in its last digit": (
        "loops",
        other_number,
        "is not what the model says",
    ),
    "another model is put in": (
        "loops",
        lambda m: origin(m, model=kempe.gallery.slider_crank().layout.model),
        "the map is called",
    ),
    "the map is given another name": (
        "loops",
        lambda m: replace(m, name="six-bar"),
        "the map is called 'six-bar'",
    ),
    "the model is taken out": (
        "loops",
        lambda m: replace(m, origin=None),
        "carries no model",
    ),
    "a step of the derivation is dropped": (
        "loops",
        lambda m: replace(m, steps=m.steps[1:]),
        "no step says how",
    ),
    "a step is said to follow from another row": (
        "loops",
        lambda m: replace(m, steps=((m.steps[0][0], "a wish"), *m.steps[1:])),
        "which says nothing",
    ),
    "an unknown that is kept is said to be eliminated": (
        "loops",
        lambda m: replace(m, steps=((m.unknowns[0], m.steps[0][1]), *m.steps)),
        "is no such unknown",
    ),
    "a block is missing": (
        "loops",
        lambda m: replace(m, blocks=(), covers=(), components=()),
        "do not share out the unknowns",
    ),
    # charts, links, samples
    "a chart is moved": ("loops", lambda m: charts(m, p=at(3, lambda x: x + 0.05)), "chart 3"),
    "a chart is widened": ("loops", lambda m: charts(m, w=at(3, lambda x: 9.0 * x)), "chart 3"),
    "a chart is lengthened": ("loops", lambda m: charts(m, h=at(3, lambda x: 4.0 * x)), "chart 3"),
    "a chart is turned": ("loops", lambda m: charts(m, A=at(3, lambda x: x[::-1])), "chart 3"),
    "a chart is made of what is no number": (
        "loops",
        lambda m: charts(m, A=at((3, 0), lambda x: np.nan)),
        "are not all numbers",
    ),
    "a chart is dropped": ("loops", without_a_chart, "link"),
    "charts run backwards": ("loops", backwards, "link"),
    "a link is moved": ("loops", lambda m: charts(m, links=at(2, lambda x: x + 1e-3)), "link 2"),
    "links are swapped": (
        "loops",
        lambda m: charts(m, links=lambda a: a[[1, 0, *range(2, len(a))]]),
        "link",
    ),
    "the radius of a link is made smaller": (
        "loops",
        lambda m: charts(m, link_radii=lambda a: 0.0 * a),
        "than its radius",
    ),
    "the radius of the start is made smaller": (
        "loops",
        lambda m: first_component(
            m,
            radius=0.0 * m.components[0].radius,
            charts=dict(m.components[0].charts) | {"start_radius": 0.0},
        ),
        "than its radius",
    ),
    "the start is moved": (
        "loops",
        lambda m: first_component(m, x=m.components[0].x + 1e-6),
        "its start is not where its charts say",
    ),
    "a loop is called an arc": ("loops", lambda m: first_component(m, closed=False), "do not fit"),
    # ends
    "an arc is called a loop": ("arcs", lambda m: first_component(m, closed=True), "do not fit"),
    "an end is dropped": (
        "arcs",
        lambda m: first_component(m, ends=m.components[0].ends[:1]),
        "an arc has 1 ends",
    ),
    "an end is moved": (
        "arcs",
        lambda m: end(m, x=m.components[0].ends[0].x + 1e-3),
        "its end in chart",
    ),
    "the bodies at an end are moved": (
        "arcs",
        lambda m: end(m, q=m.components[0].ends[0].q + 1e-6),
        "does not read what it says",
    ),
    "an end is called singular": (
        "arcs",
        lambda m: end(m, kind="singular", limit=""),
        "leads into no place",
    ),
    "an end is called unfinished": (
        "arcs",
        lambda m: end(m, kind="unfinished", limit=""),
        "a component is unfinished",
    ),
    "an end is at the other limit": (
        "arcs",
        lambda m: end(m, limit=m.components[0].ends[1].limit),
        "does not meet",
    ),
    "an end is at a limit of something else": (
        "arcs",
        lambda m: end(m, limit="crank.angle at most"),
        "none of the model",
    ),
    # places
    "a place is removed": (
        "places",
        lambda m: replace(m, singular=m.singular[:1]),
        "leads into a place",
    ),
    "a place is moved": ("places", moved_place, "does not lie in the place"),
    "a place is made smaller": ("places", smaller_place, ""),
    "a branch of a place is dropped": (
        "places",
        lambda m: place(m, branches=m.singular[0].branches[1:]),
        "",
    ),
    "the bounds of a place are others": (
        "places",
        lambda m: place(m, high=m.singular[0].high + 1.0),
        "its bounds are not those of its boxes",
    ),
    "a place is said to be larger": (
        "places",
        lambda m: place(m, size=0.5),
        "its size is",
    ),
    "boxes of a place are counted wrong": (
        "places",
        lambda m: place(m, boxes=m.singular[0].boxes + 1),
        "it counts",
    ),
    # cover
    "a part of the cover is dropped": (
        "loops",
        lambda m: cover(m, unknown=m.covers[0].unknown[:-1]),
        "do not belong together",
    ),
    "a cut of the cover is dropped": (
        "loops",
        lambda m: cover(m, at=m.covers[0].at[:-1]),
        "do not belong together",
    ),
    "a part of the cover was not looked at": (
        "arcs",
        lambda m: cover(m, unknown=at(-1, lambda _: Cover.OPEN)(m.covers[0].unknown.copy())),
        "not searched",
    ),
    "a cut is nowhere": (
        "loops",
        lambda m: cover(m, at=at(0, lambda _: np.nan)(m.covers[0].at.copy())),
        "or nowhere",
    ),
    "an unknown is cut that there is none of": (
        "loops",
        lambda m: cover(m, unknown=at(0, lambda _: 77)(m.covers[0].unknown.copy())),
        "that there is none of",
    ),
    "the cover is taken out": ("loops", lambda m: replace(m, covers=(None,)), "was not searched"),
    "there is no cover": ("loops", lambda m: replace(m, covers=()), "covers"),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_map_holds_as_it_is_and_out_of_a_file(name, tmp_path):
    motions = honest(name)
    proved = motions.verify()
    assert proved.holds, str(proved)
    again = kempe.MotionMap.load(motions.save(tmp_path / "map.npz")).verify()
    assert again == proved


@pytest.mark.parametrize("what", TAMPERINGS)
def test_a_tampering_is_found_out_in_words(what):
    name, tamper, said = TAMPERINGS[what]
    proved = tamper(honest(name)).verify()
    assert not proved.holds
    words = " | ".join((*proved.failures, *proved.unproved))
    assert words
    assert said in words


def test_there_are_tamperings_enough():
    assert len(TAMPERINGS) >= 30


@pytest.mark.parametrize("cut", ["another domain", "one part", "moved cuts"])
def test_a_cover_that_is_cut_otherwise_is_a_proof_all_the_same(cut):
    """The cuts are no claim: the halves of a box are the box, wherever it is cut."""
    motions = honest("loops")
    old = motions.covers[0]
    made = {
        "another domain": {"low": old.low + 0.3, "high": old.high - 0.2},
        "one part": {"unknown": np.array([Cover.DONE], dtype=np.int16), "at": np.zeros(0)},
        "moved cuts": {"at": old.at + 0.01},
    }[cut]
    assert cover(motions, **made).verify().holds


def test_a_map_of_another_mechanism_is_refused():
    motions = honest("loops")
    assert kempe.verify(motions, kempe.gallery.four_bar()).holds
    other = kempe.gallery.four_bar(crank=31, units="mm")
    proved = kempe.verify(motions, other)
    assert not proved.holds
    assert "its model differs" in proved.failures[0]


@pytest.mark.parametrize(
    "damage", ["cut off", "garbage", "version", "format", "no model", "bad model"]
)
def test_a_damaged_file_is_a_typed_error(damage, tmp_path):
    import zipfile

    path = honest("loops").save(tmp_path / "map.npz")
    content = path.read_bytes()
    if damage == "cut off":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "garbage":
        path.write_bytes(b"kempe" * 1000)
    else:
        changed = tmp_path / "changed.npz"
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(changed, "w") as new:
            for member in old.namelist():
                data = old.read(member)
                if member == HEADER:
                    header = json.loads(data)
                    if damage == "no model":
                        del header["origin"]["model"]
                    elif damage == "bad model":
                        header["origin"]["model"] = '{"version": 1, "joints": 7}'
                    else:
                        header[damage] = 99
                    data = json.dumps(header).encode()
                new.writestr(member, data)
        path = changed
    with pytest.raises(FileError):
        kempe.MotionMap.load(path).verify()
