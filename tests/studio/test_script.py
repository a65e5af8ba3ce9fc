"""The script of a document makes the model that the document says, digit by digit."""

import copy
from typing import Any

import pytest

from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.files.syntax.text import WRITERS
from kempe.gallery import MECHANISMS
from kempe.studio.documents.script import script_of

OWN: dict[str, Any] = {
    "version": 1,
    "name": 'a "slider" crank',
    "plane": True,
    "units": {"length": "mm", "angle": "deg"},
    "parameters": {"r": 30, "far": {"value": 90, "doc": "how far it reaches"}},
    "bodies": {
        "class": {"at": [0, 0], "angle": 40, "length": "r"},
        "long rod": {
            "length": "far + 2 * r", "points": {"P": ["far / 2", "1 cm"]}, "angle": "-9 deg",
        },
        "block": {"at": [170, 0]},
    },
    "joints": {
        "A": {"type": "revolute", "I": "ground", "J": "class.start"},
        "B": {"type": "revolute", "I": "class.end", "J": "long rod.start"},
        "C": {"type": "revolute", "I": "long rod.end", "J": "block"},
        "guide": {
            "type": "prismatic",
            "I": {"body": "ground", "at": [0, 0], "axis": [1, 0, 0]},
            "J": {"body": "block", "at": [0, 0], "axis": [1, 0, 0]},
        },
    },
    "drives": {"class.angle": {"type": "ramp", "start": 40, "speed": "60 rpm"}},
}  # fmt: skip


def read(data: dict[str, Any]) -> Any:
    return document_from(WRITERS[".yaml"](data).encode(), "model.yaml").model


def made_by(script: str) -> Any:
    made: dict[str, Any] = {}
    exec(compile(script, "script", "exec"), made)
    return made["mechanism"].model


def test_calls_of_a_builder_say_what_the_document_says() -> None:
    script = script_of(read(OWN), OWN)
    assert "kp.Builder(" in script
    assert "TEXT" not in script
    assert document_data(made_by(script)) == document_data(read(OWN))


CALLS = (
    "four_bar", "jansen", "cardan", "bennett", "double_pendulum", "hart", "gyroscope",
)  # fmt: skip


@pytest.mark.parametrize("name", [*CALLS, "engine"])
def test_a_script_makes_the_model_of_the_gallery_again(name: str) -> None:
    data = document_data(MECHANISMS[name]().model)
    script = script_of(read(data), data)
    assert ("TEXT" not in script) == (name in CALLS)
    assert document_data(made_by(script)) == document_data(read(data))


def test_a_text_with_quotes_and_backslashes_stays_as_it_is() -> None:
    data = copy.deepcopy(OWN) | {"name": 'a """ b \\ \\" c"', "gauges": {}}
    script = script_of(read(OWN), data)
    assert "TEXT" in script
    assert made_by(script).name == data["name"]


@pytest.mark.parametrize(
    ("section", "name", "entry"),
    [
        ("parameters", "r", "__import__('os').abort()"),
        ("bodies", "block", {"at": ["__import__('os').abort()", 0]}),
        ("joints", "A", {"type": "revolute", "I": "ground", "J": "class.start);abort("}),
    ],
)
def test_what_would_be_code_stays_text(section: str, name: str, entry: Any) -> None:
    data = copy.deepcopy(OWN)
    data[section][name] = entry
    script = script_of(read(OWN), data)
    calls = script.partition('TEXT = """')[0]
    assert "abort" not in calls
    assert "TEXT" in script
