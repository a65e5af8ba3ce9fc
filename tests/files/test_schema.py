"""The schema is made from the exports, and says the same as the reader."""

import dataclasses
import json
from pathlib import Path

import jsonschema
import pytest

import kempe.joints
from kempe.errors import FileError
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.files.schema.schema import ROOTS, families, family, json_schema, snake_case
from kempe.files.syntax.text import json_text
from kempe.joints import AbstractJoint
from kempe.units import Metres

ROOT = Path(__file__).resolve().parents[2]
VALIDATOR = jsonschema.Draft202012Validator


@pytest.fixture(scope="module")
def validator():
    schema = json_schema()
    VALIDATOR.check_schema(schema)
    return VALIDATOR(schema)


def test_an_example_is_valid_by_the_schema(example, validator):
    validator.validate(document_from(example.read_bytes(), example.name).data)


def test_a_generated_model_is_valid_by_the_schema(generator, validator):
    makes = generator(seed=7)
    for _ in range(50):
        validator.validate(json.loads(json_text(document_data(makes.model()))))


WRONG = [
    {"bodies": {}},
    {"version": 2},
    {"version": 1, "plane": "yes"},
    {"version": 1, "bodis": {}},
    {"version": 1, "bodies": {"a": {"lenght": 1}}},
    {"version": 1, "bodies": {"a": {"points": {"P": [1]}}}},
    {"version": 1, "joints": {"A": {"type": "weld2", "I": "a", "J": "b"}}},
    {"version": 1, "joints": {"A": {"type": "revolute", "I": "a"}}},
    {"version": 1, "joints": {"A": {"type": "rod", "I": "a", "J": "b", "length": True}}},
    {"version": 1, "drives": {"a": {"type": "formula"}}},
    {"version": 1, "gauges": {"a": {"measure": "trun", "I": "a", "J": "b"}}},
    {"version": 1, "run": {"steps": 0}},
]


@pytest.mark.parametrize("data", WRONG, ids=json.dumps)
def test_what_the_schema_refuses_the_reader_refuses_too(data, validator):
    assert not validator.is_valid(data)
    with pytest.raises(FileError):
        document_from(json.dumps(data).encode(), "wrong.json")


@pytest.mark.parametrize("base", ROOTS, ids=lambda base: base.__name__)
def test_every_exported_class_is_in_the_schema_or_says_why_not(base):
    known = family(base)
    room = __import__(base.__module__.rpartition(".")[0], fromlist=["__all__"])
    for name in room.__all__:
        member = getattr(room, name)
        if (
            isinstance(member, type)
            and issubclass(member, base)
            and not name.startswith("Abstract")
        ):
            assert snake_case(name) in known.words or "function" in known.unwritable[member]
    described = json.dumps(json_schema())
    for word, entry in known.words.items():
        assert f'"const": "{word}"' in described or f'"{word}"' in described
        assert json.dumps(entry.summary)[1:-1] in described


def test_a_python_function_has_no_word_in_a_file():
    laws = next(one for one in families() if one.name == "law")
    assert {made.__name__ for made in laws.unwritable} == {"Formula"}
    assert "formula" not in laws.words


def test_a_new_joint_is_known_as_soon_as_it_is_exported(monkeypatch, same):
    @dataclasses.dataclass(frozen=True)
    class SpringyPin(AbstractJoint):
        """A pin that this test has invented."""

        gap: Metres = 0.0
        rows = ("m",)

    monkeypatch.setattr(kempe.joints, "SpringyPin", SpringyPin, raising=False)
    monkeypatch.setattr(kempe.joints, "__all__", [*kempe.joints.__all__, "SpringyPin"])
    text = (
        "version: 1\nunits: {length: mm}\nbodies: {a: {}}\n"
        "joints: {J: {type: springy_pin, I: ground, J: a, gap: 3}}"
    )
    model = document_from(text.encode(), "new.yaml").model
    assert isinstance(model.joints[0], SpringyPin)
    assert model.joints[0].gap == 0.003
    assert "A pin that this test has invented." in json.dumps(json_schema())
    again = document_from(json_text(document_data(model)).encode(), "new.json").model
    assert same(again, model)
    monkeypatch.undo()
    with pytest.raises(FileError, match="there is no joint type 'springy_pin'"):
        document_from(text.encode(), "new.yaml")


@pytest.mark.parametrize(
    ("name", "word"),
    [("Revolute", "revolute"), ("PinInSlot", "pin_in_slot"), ("URDFJoint", "urdf_joint")],
)
def test_a_word_is_the_class_in_small_letters(name, word):
    assert snake_case(name) == word
