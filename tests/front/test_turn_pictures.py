"""Pictures of a motion, a call each, and pictures that stand still as PNG and PDF."""

import re

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber, FileError, ModelError, UnknownName
from kempe.export.polygons import images
from kempe.export.svg_pages import picture_file, write_picture
from kempe.export.writing import write

EXACT = 1e-12  # of the largest value: products of a few numbers
BEGINNINGS = {".svg": b"<", ".png": b"\x89PNG", ".pdf": b"%PDF"}


@pytest.fixture(scope="module")
def four_bar():
    return kempe.gallery.four_bar(
        crank=30, coupler=90, rocker=70, ground=100, point=(45, 40), units="mm"
    )


@pytest.fixture(scope="module")
def turn(four_bar):
    return four_bar.kinematics(until=1.0, steps=20)


@pytest.mark.parametrize("sample", [0, 7, 13])
def test_the_image_of_a_body_is_the_body_turned_and_grown(turn, sample):
    position = turn.state(sample)
    for kind in ("velocity", "acceleration"):
        for image in images(position, kind):
            angle = turn[f"{image.body}.angle"]
            w, alpha = angle.rate[sample], angle.acceleration[sample]
            grown = abs(w) if kind == "velocity" else np.hypot(w * w, alpha)
            lengths = {"crank": 0.03, "rocker": 0.07, "coupler": 0.09}
            side = np.linalg.norm(image.ends[1] - image.ends[0])
            assert side == pytest.approx(grown * lengths[image.body], rel=1e-9), (kind, image.body)


def test_the_ends_are_what_the_points_have(turn):
    position, P = turn.state(5), turn["coupler.P"]
    for kind, wanted in (("velocity", P.velocity[5]), ("acceleration", P.acceleration[5])):
        by_body = {
            image.body: dict(zip(image.names, image.ends, strict=True))
            for image in images(position, kind)
        }
        assert by_body["coupler"]["P"] == pytest.approx(wanted, rel=1e-9)
        assert by_body["coupler"]["B"] == pytest.approx(by_body["crank"]["B"], rel=1e-9)
        assert np.abs(by_body["crank"]["A"]).max() <= EXACT
        assert np.abs(by_body["rocker"]["D"]).max() <= EXACT


def test_the_parts_of_a_relative_acceleration_are_square_to_each_other(turn):
    for image in images(turn.state(3), "acceleration"):
        across = image.ends[1:] - image.ends[0] - image.normal[1:]
        for along, other in zip(image.normal[1:], across, strict=True):
            assert abs(along @ other) <= 1e-9 * max(along @ along, other @ other)


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_every_picture_is_one_call_and_every_ending_is_written(turn, tmp_path, ending):
    drawn = turn.pictures
    made = {
        "still": drawn.still("0.25 s", trace=("coupler.P",)),
        "centrodes": drawn.centrodes("coupler"),
        "velocities": drawn.velocities(0.25),
        "accelerations": drawn.accelerations(0.25, units=("m",)),
        "hodograph": drawn.hodograph("coupler.P"),
        "phase": drawn.phase_portrait("rocker.angle"),
    }
    for name, picture in made.items():
        content = drawn.write(tmp_path / f"{name}{ending}", picture).read_bytes()
        assert content.startswith(BEGINNINGS[ending])
    assert re.fullmatch(r"Pictures of .*polar\(joint\)", repr(drawn))


def test_forces_and_energies_have_theirs():
    swing = kempe.gallery.double_pendulum().simulate(until=0.2, steps=10)
    assert len(swing.pictures.energies().axes[0].lines) == 5
    joint = swing.subject.joints[0].name
    polar = swing.pictures.polar(joint).axes[0]
    assert polar.get_aspect() == 1.0
    assert polar.lines[0].get_xydata()[0] == pytest.approx(swing[f"{joint}.force"].values[0])


def test_what_cannot_be_drawn_is_refused(turn, tmp_path):
    with pytest.raises(ModelError, match="was not simulated"):
        turn.pictures.energies()
    with pytest.raises(UnknownName, match="no point"):
        turn.pictures.hodograph("rocker.angle")
    with pytest.raises(BadNumber, match="no sample at"):
        turn.pictures.velocities(0.123456)
    with pytest.raises(FileError, match=r"\.svg, \.png, \.pdf"):
        turn.pictures.write(tmp_path / "a.gif", turn.pictures.still())
    with pytest.raises(FileError, match=r"\.svg, \.png, \.pdf"):
        turn.pictures.write(tmp_path / "a.jpg", turn.pictures.velocities())
    space = kempe.gallery.rssr().kinematics(until=0.1, steps=2)
    with pytest.raises(ModelError, match="belongs to the plane"):
        space.pictures.velocities()
    assert not list(tmp_path.iterdir())


def test_a_png_shows_the_colours_where_the_svg_has_them(turn):
    """The middle of the crank is blue, the paper in a corner is paper."""
    from io import BytesIO

    image = pytest.importorskip("PIL.Image")
    page = image.open(BytesIO(picture_file(turn.pictures.still(0.0), ".png"))).convert("RGB")
    assert page.size == (2 * 960, 2 * 600)
    assert page.getpixel((5, 5)) == (0xFC, 0xFB, 0xF8)
    colours = {colour for _, colour in page.getcolors(maxcolors=1 << 20)}
    assert (0x1D, 0x5F, 0xA6) in colours  # the outline of the first body


def test_a_motion_as_png_is_the_picture_that_its_svg_and_its_pdf_are(turn, tmp_path):
    write(turn, tmp_path / "a.png")
    turn.pictures.write(tmp_path / "b.png", turn.pictures.still())
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_picture_is_painted_on_dark_paper_too(turn, tmp_path):
    image = pytest.importorskip("PIL.Image")
    path = turn.pictures.write(tmp_path / "dark.png", turn.pictures.still(0.0), dark=True)
    page = image.open(path).convert("RGB")
    colours = {colour for _, colour in page.getcolors(maxcolors=1 << 20)}
    assert page.getpixel((5, 5)) == (0x11, 0x15, 0x1B)
    assert (0x6F, 0xB0, 0xF2) in colours  # the outline of the first body
    assert not {(0xFC, 0xFB, 0xF8), (0x1D, 0x5F, 0xA6)} & colours


def test_maps_and_assemblies_are_written_too(four_bar, tmp_path):
    found = four_bar.assemblies({"crank.angle": "60 deg"})
    pictures = four_bar.pictures(found)
    for ending, first in BEGINNINGS.items():
        path = pictures.write(tmp_path / f"all{ending}", pictures.each())
        assert path.read_bytes().startswith(first)


def test_hostile_names_stay_words(tmp_path):
    m = kempe.Builder("a $x_1$ & <b>", plane=True)
    m.revolute(m.ground.at(0, 0), m.bar("arm", 1.0).start, name="<i>&$\\frac{1}{0}$")
    position = m.build().assemble()
    path = write_picture(tmp_path / "named.pdf", position.svg())
    assert path.read_bytes().startswith(b"%PDF")


def test_curves_of_one_unit_that_differ_much_are_not_squeezed(turn):
    wide = turn.plot("crank.angle", "rocker.angle").axes
    assert len(wide) == 1  # 360 and 52 degrees are read in one panel
    swing = kempe.gallery.engine().simulate(until=0.4, steps=60)
    assert len(swing.plot("crank.angle", "rod.angle").axes) == 2  # thousands and thirty degrees
    assert len(swing.plot("energy.kinetic", "energy.potential").axes) == 1  # they are added up
    assert len(turn.plot("coupler.P", "crank.angle").axes) == 2
