"""MJCF files that kempe writes: MuJoCo loads them, and they move there as here."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import kempe
from kempe.errors import ModelError

ROOT = Path(__file__).resolve().parents[3]
# MuJoCo's equalities are stiff springs, which give way by some 1e-9 of the machine's size.
SOFT = 2e-6

WHOLE = """<mujoco><compiler angle="radian"/><worldbody>
<body name="a"><joint name="x" axis="0 1 0" stiffness="3" springref="0.4" damping="0.01" ref="0.2"/>
  <geom type="box" size="0.1 0.1 0.3" pos="0.1 0 -0.3"/>
  <body name="b" pos="0 0.2 -0.6"><joint name="y" type="slide" axis="0 0 1" range="-0.05 0.5"
    damping="1"/><geom size="0.1"/><site name="s" pos="0 0 0.1"/></body></body>
<body name="c" pos="0.7 0 0"><joint name="z" axis="0 -1 0"/><geom size="0.1" pos="0 0 -0.2"/></body>
<body name="d" pos="0 2 0"><joint type="ball"/>
  <geom type="ellipsoid" size="0.1 0.2 0.3" pos="1 0 0"/>
  <body name="e" pos="2 0 0"><geom size="0.05"/><joint name="w" axis="0 0 1"/></body></body>
<site name="h" pos="0 1 0"/></worldbody>
<equality><joint joint1="z" joint2="x" polycoef="0 -1.5"/></equality>
<tendon><spatial name="t" stiffness="20" damping="0.1" springlength="0.3">
<site site="h"/><site site="s"/></spatial></tendon></mujoco>"""


def test_read_and_written_again_a_file_moves_alike_in_mujoco(mujoco, tmp_path):
    (tmp_path / "first.xml").write_text(WHOLE)
    again = tmp_path / "again.xml"
    report = kempe.load(tmp_path / "first.xml").export(again)
    assert [item.what for item in report.left_out if "shapes" not in item.what] == []
    ours, theirs = (mujoco(tmp_path / f"{name}.xml", 0.5) for name in ("again", "first"))
    assert ours["masses"] == pytest.approx(theirs["masses"])
    for a, b in zip(ours["samples"], theirs["samples"], strict=True):
        for body, place in b["bodies"].items():
            np.testing.assert_allclose(a["bodies"][body], place, atol=SOFT, err_msg=body)


@pytest.mark.parametrize(
    "name", ["double_pendulum", "hanging_four_bar", "falling_bricard", "pendulum_chain"]
)
def test_a_mechanism_of_the_gallery_moves_in_mujoco_as_here(mujoco, tmp_path, name):
    mechanism = kempe.gallery.MECHANISMS[name]()
    report = mechanism.export(tmp_path / "a.xml")
    assert not report.left_out
    found = mujoco(tmp_path / "a.xml", 0.3)
    motion = mechanism.simulate(until=0.3, steps=10)
    moved = 0.0
    for body in found["masses"]:
        wanted = np.array([sample["bodies"][body] for sample in found["samples"]])
        place = motion[body].position
        size = max(1e-3, float(np.abs(wanted).max()))
        np.testing.assert_allclose(place, wanted[:, : place.shape[1]], atol=SOFT * size)
        moved = max(moved, float(np.ptp(wanted, axis=0).max()))
    assert moved > 1e-3


@pytest.mark.parametrize("name", ["engine", "bicycle", "heavy_top", "geneva_drive"])
def test_what_is_written_is_xml_with_every_body(tmp_path, name):
    mechanism = kempe.gallery.MECHANISMS[name]()
    mechanism.save(tmp_path / "a.xml")
    names = {body.get("name") for body in ElementTree.parse(tmp_path / "a.xml").iter("body")}
    assert names == {body.name for body in mechanism.model.moving}


def test_a_body_without_mass_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(ModelError, match="MuJoCo moves none without"):
        kempe.gallery.four_bar().save(tmp_path / "a.xml")
    assert not list(tmp_path.iterdir())


def test_what_the_format_cannot_hold_is_listed(tmp_path):
    report = kempe.load(ROOT / "examples" / "foreign" / "engine.asmt").export(tmp_path / "a.xml")
    assert [item.what for item in report.left_out] == ["drive on 'main bearing.angle'"]
