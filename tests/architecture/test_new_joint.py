"""A joint added to a copy of the room is everywhere at once: its file and its export are enough."""

import importlib.util
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kempe
from kempe.cli import main
from kempe.draw import player_html, scene_svg
from kempe.files.documents.document import document_from
from kempe.pictures.animation import scene_of

ROOT = Path(__file__).resolve().parents[2]
ROOM = Path(kempe.joints.__file__)

NEW_FILE = '''
"""A pin on a parabola."""

from dataclasses import dataclass
from typing import Any, ClassVar, final

from kempe.geometry import Pose, X, Y
from kempe.joints.abstract import AbstractJoint
from kempe.measures import AbstractMeasure, Displacement
from kempe.units import Metres


@final
@dataclass(frozen=True)
class PinOnParabola(AbstractJoint):
    """J stays on a parabola in the frame of I.

    phi = y - x^2 / (4 focus)
    """

    focus: Metres = 0.25

    rows: ClassVar[tuple[str, ...]] = ("m",)
    freedom: ClassVar[tuple[AbstractMeasure, ...]] = (Displacement(X),)
    symbol: ClassVar[str] = "bead"

    def phi(self, X_WI: Pose, X_WJ: Pose) -> list[Any]:
        d = X_WJ.position - X_WI.position
        x, y = d @ X_WI.axis(X), d @ X_WI.axis(Y)
        return [y - x * x / (4.0 * self.focus)]
'''
EXPORT = "from kempe.joints.pin_on_parabola import PinOnParabola as PinOnParabola\n"

MODEL = b"""
version: 1
plane: true
units: {length: mm}
bodies:
  pin: {at: [500, 250]}
joints:
  curve: {type: pin_on_parabola, I: ground, J: pin, focus: 250}
  level: {type: absolute, I: ground, J: pin, angle: 0}
drives:
  pin.x: {start: 500, speed: "1 m/s"}
"""


@pytest.fixture
def room(tmp_path, monkeypatch):
    """kempe.joints with one more file and one more export, as a temporary package."""
    (tmp_path / "pin_on_parabola.py").write_text(NEW_FILE)
    exports = ROOM.read_text().replace("\nfrom ", f"\n{EXPORT}from ", 1)
    (tmp_path / "__init__.py").write_text(exports)
    spec = importlib.util.spec_from_file_location(
        "kempe.joints",
        tmp_path / "__init__.py",
        submodule_search_locations=[str(tmp_path), str(ROOM.parent)],
    )
    package = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "kempe.joints", package)
    monkeypatch.setattr(kempe, "joints", package)
    spec.loader.exec_module(package)
    yield package
    sys.modules.pop("kempe.joints.pin_on_parabola", None)


def built(room):
    m = kempe.Builder("parabola", plane=True)
    pin = m.body("pin", at=(0.5, 0.25))
    curve = m.add(room.PinOnParabola(m.ground.at(0, 0), pin.at(0, 0)), name="curve")
    m.hold(pin, angle=0.0)
    m.drive(curve.x, start=0.5, speed=1.0)
    return m.build().kinematics(until=1.0, steps=20)


def test_the_builder_takes_it_and_it_moves(room):
    x, y = built(room)["pin"].position.T
    np.testing.assert_allclose(x, np.linspace(0.5, 1.5, 21), atol=1e-12)
    np.testing.assert_allclose(y, x * x, atol=1e-12)


def test_it_is_a_word_of_the_schema(room, capsys):
    assert main(["schema", "--json"]) == 0
    schema = json.loads(capsys.readouterr().out)
    entry = schema["$defs"]["PinOnParabolaJoint"]
    assert entry["properties"]["type"]["const"] == "pin_on_parabola"
    assert "focus" in entry["properties"]
    assert "J stays on a parabola" in entry["description"]


def test_a_file_names_it_in_the_file_s_units_and_it_comes_back(room, tmp_path):
    mechanism = kempe.Mechanism(document_from(MODEL, "parabola.yaml").model)
    (curve, _) = mechanism.model.joints
    assert isinstance(curve, room.PinOnParabola)
    assert curve.focus == 0.25
    again = kempe.Mechanism.load(mechanism.save(tmp_path / "again.json"))
    assert repr(again.model.joints) == repr(mechanism.model.joints)
    y = again.kinematics(until=1.0, steps=4)["pin"].position[:, 1]
    np.testing.assert_allclose(y, np.linspace(0.5, 1.5, 5) ** 2, atol=1e-12)


def test_the_manual_lists_it_with_its_equation_and_its_pictures(room):
    spec = importlib.util.spec_from_file_location("joint_list", ROOT / "docs" / "joint_list.py")
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    page = hook.on_page_markdown((ROOT / "docs" / "joints.md").read_text(encoding="utf-8"))
    entry = re.split(r"^## PinOnParabola$", page, flags=re.MULTILINE)[1].split("\n## ")[0]
    assert "phi = y - x^2 / (4 focus)" in entry
    assert entry.count("data:image/svg+xml") == 2
    assert "`x` (m)" in entry


def test_it_is_drawn_as_it_says(room):
    scene = scene_of(built(room))
    curve = [joint for joint in scene.joints if joint.name == "curve"]
    assert [joint.symbol for joint in curve] == ["bead"]
    assert "solid" in scene_svg(replace(scene, joints=curve))
    assert "solid" not in scene_svg(replace(scene, joints=()))
    assert '"bead"' in player_html(scene)
