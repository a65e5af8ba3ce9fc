"""Maps of points in space, proved again from their model alone; a changed map is found out."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import kempe
from kempe.algebra import Op
from kempe.compile.layout.layout import Layout
from kempe.geometry.curves import Circle
from kempe.geometry.surfaces import CylinderSurface, TorusSurface
from kempe.motion.verify.enclosures.spans import is_positive
from kempe.motion.verify.written.from_model import from_model
from kempe.motion.verify.written.planar_rows import Asked
from kempe.motion.verify.written.polynomial import Ring
from tests.certificates import test_tampering as tampering


def parallel_bars():
    """A bar from the middle of a circle's axis to it, and one of fixed length parallel to it."""
    m = kempe.Builder("parallel bars")
    P = m.point("P", at=(1, 0, 0.5), on=Circle((0, 0, 0.5), 1.0))
    Q = m.point("Q", at=(2, 1, 0.5))
    first = m.stick("first", m.ground.at(0, 0, 0), P)
    second = m.stick("second", m.ground.at(1, 1, 0), Q, 0.7)
    first.parallel_to(second, name="parallel")
    return m.build()


def on_a_ring(radius):
    m = kempe.Builder("ring")
    P = m.point("P", on=TorusSurface((0, 0, 0), 2.0, 0.5))
    m.stick("bar", m.ground.at(0, 0, 0), P, radius)
    return m.build()


def on_a_short_cylinder():
    m = kempe.Builder("cylinder")
    P = m.point("P", on=CylinderSurface((0, 0, 0), 1.0, limits=(-0.2, 3.0)))
    m.stick("bar", m.ground.at(1, 0, 0), P, 0.5)
    return m.build()


HONEST = {
    "parallel": parallel_bars,
    "ring": lambda: on_a_ring(2.0),
    "empty": lambda: on_a_ring(0.9),
    "arcs": on_a_short_cylinder,
    "patch": lambda: kempe.gallery.barton_offset_point(),
}
LISTED = {"parallel": 2, "ring": 2, "empty": 0, "arcs": 1, "patch": 1}
_MADE: dict[str, kempe.MotionMap] = {}


def honest(name):
    if name not in _MADE:
        _MADE[name] = HONEST[name]().motions()
    return _MADE[name]


@pytest.mark.parametrize("name", HONEST)
def test_a_map_of_points_in_space_is_proved_again_from_its_file(name, tmp_path):
    assert len(honest(name)) == LISTED[name]
    proved = kempe.MotionMap.load(honest(name).save(tmp_path / "map.npz")).verify()
    assert str(proved).endswith("links hold, and nothing is missing.")
    assert proved.holds


FIGURES = (
    "barton_surface_five_bars",
    "barton_triangle_on_tracks",
    "barton_triangle_on_surface",
    "barton_tangent_face",
)


@pytest.mark.parametrize("name", FIGURES)
def test_the_rows_of_the_paper_s_figures_are_those_of_their_joints(name):
    """Written once more and multiplied out, term by term."""
    mechanism = getattr(kempe.gallery, name)()
    found = mechanism.motions(effort=kempe.Effort(seconds=0.01))
    (block,) = found.blocks
    written = from_model(found, Layout(mechanism.model), Asked())
    assert not written.failures
    assert not written.unproved
    assert bool(written.derived.written.divisors) == (name == "barton_tangent_face")
    bounds = {
        written.derived.ring.numbers[n]: (b.low, b.high)
        for n, b in written.derived.written.bounds.items()
    }
    assert all(is_positive(d.value, bounds) for d in written.derived.written.divisors)
    assert len(written.blocks[0].rows) == block.n_equations
    other = tampering.other_constant(block.tape)
    forged = replace(found, blocks=(replace(block, tape=other),))
    failures = from_model(forged, Layout(mechanism.model), Asked()).failures
    assert any("is not what the model says" in text for text in failures)


def test_a_length_that_vanishes_somewhere_is_not_called_positive():
    ring = Ring(["v"])
    v, one = ring.of(0), ring.number(1)
    cosine = ring.apply(Op.COS, [v])
    turn = {0: (0.0, 6.3)}
    assert is_positive(one + cosine.scaled(Fraction(7, 10)), turn)
    assert not is_positive(one + cosine, turn)
    assert not is_positive(cosine, turn)


def moved(motions):
    return tampering.charts(motions, p=lambda p: p + 0.05)


def swapped_readings(motions):
    read = motions.readings
    outputs = read.tape.outputs.copy()
    outputs[[0, 1]] = outputs[[1, 0]]
    other = replace(read, tape=replace(read.tape, outputs=outputs))
    components = tuple(replace(c, readings=other) for c in motions.components)
    return replace(motions, readings=other, components=components)


def shorter(motions):
    """The cylinder ends earlier than in the model."""
    old = motions.blocks[0]
    high = old.high.copy()
    high[int(np.argmax(old.limited))] *= 0.5
    return tampering.block(motions, high=high)


TAMPERINGS = {
    "a component is deleted": (
        "ring",
        lambda m: tampering.numbered(m, m.components[1:]),
        "not listed",
    ),
    "a component is deleted, of bars": (
        "parallel",
        lambda m: tampering.numbered(m, m.components[:1]),
        "not listed",
    ),
    "an arc is deleted": ("arcs", lambda m: replace(m, components=()), "not listed"),
    "a component is put into an empty list": (
        "empty",
        lambda m: replace(m, components=honest("ring").components),
        "block that is none of the map",
    ),
    "a ring without solutions has solutions in its file": (
        "empty",
        lambda m: replace(m, origin=honest("ring").origin),
        "is not what the model says",
    ),
    "charts are moved": ("arcs", moved, ""),
    "a length is another in its last digit": ("patch", tampering.other_number, ""),
    "readings are swapped": ("arcs", swapped_readings, "is not what the model says"),
    "a cylinder ends earlier": ("arcs", shorter, "the model says"),
    "what bounds a cylinder is forgotten": (
        "arcs",
        lambda m: tampering.block(m, limited=np.zeros_like(m.blocks[0].limited)),
        "the model says",
    ),
    "complete becomes numerical": (
        "ring",
        tampering.promising(kempe.results.maps.certificate.Promise.NUMERICAL),
        "no row was left out",
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_map_of_points_that_was_changed_is_refused(name):
    which, change, said = TAMPERINGS[name]
    proved = change(honest(which)).verify()
    assert proved.failures
    assert said in " ".join(proved.failures)
