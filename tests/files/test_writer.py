"""What is written is read back to the last digit."""

import dataclasses
import json

import pytest

import kempe
from kempe.drives import Drive, Formula
from kempe.errors import FileError, ModelError
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data, write_model
from kempe.files.schema.schema import ROOTS, family
from kempe.files.syntax.text import json_text, yaml_text
from kempe.geometry import Marker
from kempe.geometry.solids import AbstractSolid
from kempe.joints import AbstractJoint, Revolute
from kempe.model import Body, Model

MODELS = 1_000
BATCHES = 20  # so that the workers share them
YAML_EVERY = 5  # the YAML reader is slow: every fifth model goes through it as well


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_generated_model_comes_back_from_its_file_exactly(batch, generator, same):
    makes = generator(seed=batch)
    for k in range(MODELS // BATCHES):
        model = makes.model()
        data = document_data(model)
        back = document_from(json_text(data).encode(), "model.json").model
        assert same(model, back), f"seed {batch}, model {k}"
        if k % YAML_EVERY == 0:
            back = document_from(yaml_text(data).encode(), "model.yaml").model
            assert same(model, back), f"seed {batch}, model {k}, YAML"


def test_the_generated_models_hold_every_class_that_a_file_can_name(generator):
    makes = generator(seed=0)
    for _ in range(400):
        makes.model()
    kept = (base for base in ROOTS if base is not AbstractSolid)  # a model keeps what follows
    known = {word.made for base in kept for word in family(base).words.values()}
    assert known <= makes.seen


def test_writing_twice_gives_the_same_text(generator):
    for seed in range(20):
        data = document_data(generator(seed).model())
        again = document_data(document_from(json_text(data).encode(), "m.json").model)
        assert json_text(again) == json_text(data)


@pytest.mark.parametrize("name", kempe.gallery.MECHANISMS)
def test_a_mechanism_of_the_gallery_survives_its_file(name, same, tmp_path):
    make = kempe.gallery.MECHANISMS[name]
    model = make().model
    if any(isinstance(drive.law, Formula) for drive in model.drives):
        with pytest.raises(FileError, match=r"the drive on .* cannot be written"):
            write_model(model, tmp_path / "model.yaml")
        assert not list(tmp_path.iterdir())
        return
    for ending in (".yaml", ".yml", ".json"):
        path = write_model(model, tmp_path / f"model{ending}")
        assert same(kempe.load(path).model, model)


def test_numbers_keep_all_their_digits(document):
    numbers = [0.1 + 0.2, 1e-300, 5e-324, 1.7976931348623157e308, -0.1, 1 / 3]
    for number in numbers:
        model = Model("m", False, (Body("a", {"P": (number, 0.0, 0.0)}),), ())
        for text in (json_text(document_data(model)), yaml_text(document_data(model))):
            assert document(text).model.bodies[0].points["P"][0] == number


def test_canonical_json_sorts_the_fields_of_a_part_and_keeps_the_order_of_parts():
    bodies = tuple(Body(name) for name in ("z", "a"))
    joint = Revolute(Marker("z"), Marker("a", (1.0, 0.0, 0.0)), "J")
    text = json_text(document_data(Model("m", True, bodies, (joint,))))
    data = json.loads(text)
    assert list(data) == sorted(data)
    assert list(data["bodies"]) == ["z", "a"]
    assert list(data["joints"]["J"]) == ["I", "J", "type"]
    assert list(data["joints"]["J"]["J"]) == ["at", "body"]


def test_a_joint_that_nobody_exports_is_refused_by_name():
    @dataclasses.dataclass(frozen=True)
    class Own(AbstractJoint):
        rows = ("m",)

    model = Model("m", True, (Body("a"),), (Own(Marker("ground"), Marker("a"), "mine"),))
    with pytest.raises(FileError, match=r"joint 'mine' cannot be written .* it is a Own"):
        document_data(model)


def test_two_drives_on_one_measure_cannot_be_written():
    model = kempe.gallery.four_bar().model
    twice = dataclasses.replace(model, drives=model.drives * 2)
    with pytest.raises(FileError, match=r"two drives of the name 'crank\.angle'"):
        document_data(twice)


@pytest.mark.parametrize("name", ["a\nb", " a", "a\u0301", "\ud800", "\u202e"])
def test_a_name_that_cannot_be_read_back_is_not_even_that_of_a_body(name):
    with pytest.raises(ModelError, match="no body can be called"):
        document_data(Model("m", True, (Body(name),), ()))


def test_a_name_that_is_too_long_for_a_file_is_not_written():
    with pytest.raises(FileError, match="is no name that a file can hold"):
        document_data(Model("m", True, (Body("x" * 201),), ()))


def test_a_python_function_is_refused_with_the_name_of_its_drive():
    model = kempe.gallery.four_bar().model
    law = Formula(lambda t: 0.1 * t)
    changed = dataclasses.replace(model, drives=(Drive(model.drives[0].gauge, law),))
    with pytest.raises(FileError, match=r"the drive on 'crank.angle'.*TextFormula"):
        document_data(changed)


def test_a_file_is_not_touched_when_writing_fails(tmp_path):
    target = tmp_path / "model.yaml"
    target.write_text("precious", encoding="utf-8")
    model = kempe.gallery.four_bar().model
    law = Formula(lambda t: 0.1 * t)
    changed = dataclasses.replace(model, drives=(Drive(model.drives[0].gauge, law),))
    with pytest.raises(FileError):
        write_model(changed, target)
    assert target.read_text(encoding="utf-8") == "precious"


def test_the_writers_know_the_endings_that_the_readers_know():
    from kempe.files.documents.document import READERS
    from kempe.files.syntax.text import WRITERS

    assert set(READERS) == set(WRITERS)
