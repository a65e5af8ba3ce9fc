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


@pytest.mark.parametrize("name", MECHANISMS)
def test_calls_of_a_builder_make_every_mechanism_of_the_gallery_again(name: str) -> None:
    data = document_data(MECHANISMS[name]().model)
    model = read(data)
    script = script_of(model, data)
    assert "TEXT" not in script
    made = made_by(script.partition("\nprint(")[0])  # what the check says is tested elsewhere
    assert document_data(made) == document_data(model)
    assert [body.name for body in made.bodies] == [body.name for body in model.bodies]


def test_a_written_script_runs_to_its_end_and_says_the_check(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = document_data(MECHANISMS["engine"]().model)
    made_by(script_of(read(data), data | {"run": {"analysis": "dynamics", "until": 2}}))
    assert "DOF 1" in capsys.readouterr().out


def test_parameters_stay_where_the_rest_needs_more_than_short_calls() -> None:
    data = copy.deepcopy(OWN)
    data["parameters"]["stiff"] = {"value": 2, "unit": "N/mm"}
    spring = {"type": "spring_damper", "gauge": "reach", "stiffness": "stiff", "free": "far"}
    data["forces"] = {"spring": spring}
    data["gauges"] = {"reach": {"measure": {"type": "distance"}, "I": "ground", "J": "block"}}
    data["rates"] = {"reach": "3 mm/s"}
    data["events"] = {"stop": {"type": "stop", "gauge": "reach", "low": 20}}
    data["bodies"]["block"] |= {"inertia": {"mass": 0.2}, "spin": 0.1, "angle": 20}
    data["joints"]["C"]["J"] = {"body": "block", "at": [0, 0], "angle": 30}
    script = script_of(read(data), data)
    assert "TEXT" not in script
    assert 'm.bar("class", r, ' in script
    assert document_data(made_by(script)) == document_data(read(data))


def test_lengths_that_do_not_divide_well_come_back_to_the_last_digit() -> None:
    data = copy.deepcopy(OWN)
    data["units"] = {"length": "m", "angle": "rad", "shown": "in"}
    data["parameters"] = {"r": 0.1 + 0.2, "far": 1 / 3}
    data["bodies"]["class"]["at"] = [1 / 7, -0.0]
    script = script_of(read(data), data)
    assert "TEXT" not in script
    assert document_data(made_by(script)) == document_data(read(data))


def test_points_of_the_ground_which_no_call_gives_stay_text() -> None:
    data = copy.deepcopy(OWN) | {"name": 'a """ b \\ \\" c"'}
    data["bodies"]["ground"] = {"points": {"P": [1, 2]}}
    script = script_of(read(data), data)
    assert "TEXT" in script
    assert made_by(script).name == data["name"]


@pytest.mark.parametrize(
    ("section", "name", "entry"),
    [
        ("parameters", "r", "__import__('os').abort()"),
        ("bodies", "block", {"at": ["__import__('os').abort()", 0]}),
        ("joints", "A", {"type": "revolute", "I": "ground", "J": "class.start);abort("}),
        ("run", "until", "1);abort("),
    ],
)
def test_what_would_be_code_is_not_written(section: str, name: str, entry: Any) -> None:
    data = copy.deepcopy(OWN)
    data.setdefault(section, {})[name] = entry
    script = script_of(read(OWN), data)
    assert "TEXT" not in script
    assert "abort" not in script.partition("\n# motion")[0]
    assert all("abort" not in line or line.startswith("#") for line in script.splitlines())
    assert document_data(made_by(script)) == document_data(read(OWN))


def test_names_that_would_be_code_are_texts() -> None:
    data = copy.deepcopy(OWN) | {"name": '"); abort(); ("'}
    data["bodies"]["'); abort(); ('"] = {"at": [1, 2], "points": {"__class__": [1, 2]}}
    script = script_of(read(data), data)
    assert document_data(made_by(script)) == document_data(read(data))
