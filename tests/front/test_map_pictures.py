"""Pictures of a motion map: every component, at positions of the map itself."""

from xml.etree import ElementTree

import pytest

import kempe
from kempe.errors import BadNumber, UnknownName

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def four_bar():
    mechanism = kempe.gallery.four_bar()
    return mechanism.pictures(mechanism.motions())


@pytest.fixture(scope="module")
def converter():
    mechanism = kempe.gallery.barton_converter()
    return mechanism.pictures(mechanism.motions())


def drawn(text, kind):
    found = ElementTree.fromstring(text).iter(f"{SVG}path")
    return [p for p in found if p.get("class", "").split()[0] == kind]


def test_a_coupler_curve_is_drawn_for_every_component(four_bar):
    text = four_bar.path("coupler.P")
    curves = drawn(text, "trace")
    assert len(curves) == 2
    assert {c.get("class") for c in curves} == {"trace c0", "trace c1"}
    assert all(c.get("d").endswith("Z") for c in curves)
    assert "1: loop" in text


def test_the_output_is_plotted_against_the_drive(four_bar):
    text = four_bar.plot("rocker.angle", against="crank.angle")
    assert len(drawn(text, "trace")) == 2
    assert "crank.angle (deg)" in text


def test_many_placements_are_faint_and_few_are_drawn_each(converter):
    dense, sparse = converter.placements(0, 40), converter.placements(0, 3)
    assert len(drawn(dense, "ghost")) == 3 * 40  # three bars
    assert len(drawn(sparse, "line")) == 3 * 3
    assert len(drawn(sparse, "rail")) == 3  # line, circle and spline
    assert not drawn(sparse, "ghost")


def test_a_component_plays_in_a_page(converter, tmp_path):
    page = converter.animate(tmp_path / "loop.html", 1, trace="white")
    text = page.read_text()
    assert "<html" in text
    assert "motion converter" in text


def test_a_picture_is_written_as_it_is(converter, tmp_path):
    text = converter.path("white")
    assert converter.write(tmp_path / "path.svg", text).read_text() == text


def test_what_cannot_be_drawn_is_said(converter):
    with pytest.raises(BadNumber, match="no component 7"):
        converter.placements(7)
    with pytest.raises(BadNumber, match="0 placements"):
        converter.placements(0, 0)
    with pytest.raises(UnknownName):
        converter.path("nobody")
    with pytest.raises(UnknownName, match="no point"):
        converter.path("white.x")


def test_curves_cannot_be_dragged_and_say_so():
    with pytest.raises(kempe.KempeError, match="cannot be dragged"):
        kempe.gallery.barton_piston().drag()


def test_assemblies_are_drawn_over_each_other(tmp_path):
    mechanism = kempe.gallery.barton_stuck()
    found = mechanism.assemblies()
    pictures = mechanism.pictures(found)
    text = pictures.write(tmp_path / "all.svg", pictures.placements()).read_text()
    assert "2 assemblies - complete" in text
    assert text.count('class="dot') == 3 * len(found)


def test_a_node_is_marked_where_arcs_run_into_it():
    flat = kempe.gallery.parallelogram()
    plain = kempe.gallery.four_bar()
    for mechanism, dots in ((flat, True), (plain, False)):
        text = mechanism.pictures(mechanism.motions()).path("coupler.P")
        assert ('class="dot' in text) == dots
