"""Documents that stand on others: `use`, `merge` and `remove`."""

import dataclasses
import math

import pytest

import kempe
from kempe.errors import FileError
from kempe.files.documents.document import read_document

USE = "version: 1\nuse: gallery/four_bar\n"


@pytest.mark.parametrize("name", kempe.gallery.MECHANISMS)
def test_every_mechanism_of_the_gallery_can_be_used(document, name, same):
    model = document(f"version: 1\nuse: gallery/{name}").model
    known = kempe.gallery.MECHANISMS[name]().model
    assert same(model.bodies, known.bodies)
    assert same(model.joints, known.joints)
    assert model.name == known.name


def test_dimensions_are_in_the_documents_units(document, same):
    text = (
        USE + "units: {length: mm}\ndimensions: {crank: 3 cm, coupler: 90, rocker: 70, ground: 100}"
    )
    known = kempe.gallery.four_bar(crank=30, coupler=90, rocker=70, ground=100, units="mm").model
    assert same(document(text).model, known)


def test_dimensions_are_made_of_parameters(document):
    text = USE + "parameters: {a: 1.2}\ndimensions: {crank: a, ground: 3 * a + 0.4, point: [a, 0]}"
    model = document(text).model
    assert model.body("crank").points["end"][0] == 1.2
    assert model.body("coupler").points["P"] == (1.2, 0.0, 0.0)


def test_own_parts_join_those_that_are_used(document):
    text = USE + (
        "name: mine\nremove: [crank.angle]\nbodies: {pointer: {length: 1}}\n"
        "joints: {weld: {type: fixed, I: coupler, J: pointer}}\ndrives: {rocker.angle: 1}"
    )
    model = document(text).model
    assert [b.name for b in model.bodies] == ["crank", "coupler", "rocker", "pointer"]
    assert [d.gauge.name for d in model.drives] == ["rocker.angle"]
    assert model.name == "mine"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("use: gallery/fourbar", "Did you mean 'four_bar'"),
        ("use: galery/four_bar", "Did you mean 'gallery'"),
        ("use: four_bar", "names no library"),
        ("use: os/system", "names no library"),
        ("use: gallery/four_bar\ndimensions: {crnk: 1}", "Did you mean 'crank'"),
        ("use: gallery/four_bar\ndimensions: {crank: -1}", "must be a positive number"),
        ("use: gallery/four_bar\ndimensions: {crank: 5 %}", "is a share of something"),
        ("use: gallery/four_bar\ndimensions: {point: [5 %, 0]}", "is a share of something"),
        (
            "use: gallery/four_bar\nparameters: {p: 50 %}\ndimensions: {crank: p}",
            "is a share of something",
        ),
        ("use: gallery/four_bar\ndimensions: {point: [1]}", "2 or 3 coordinates"),
        ("use: gallery/four_bar_chain\ndimensions: {loops: 1000000}", "add up to 1000"),
        ("use: gallery/four_bar_chain\ndimensions: {loops: 1.5}", "a whole number"),
        ("use: gallery/four_bar\nplane: false", "is planar"),
        ("use: gallery/four_bar\nbodies: {crank: {}}", "two parts are called 'crank'"),
        ("use: gallery/four_bar\nbodies: {A: {}}", "two parts are called 'A'"),
        ("use: gallery/four_bar\ndrives: {crank.angle: 1}", "driven already"),
        ("use: gallery/four_bar\nremove: [crnk]", "there is no part 'crnk'"),
        ("use: gallery/four_bar\nremove: [crank]", "hold on to it"),
        ("remove: [crank]", "nothing to remove"),
        ("dimensions: {crank: 1}", "those of `use`"),
        (
            "use: gallery/four_bar\nmerge: [{use: gallery/four_bar}, {use: gallery/four_bar}]",
            "both",
        ),
        ("merge: [{use: gallery/four_bar}]", "at least 2"),
        ("merge: [{use: gallery/four_bar}, {use: gallery/slider_crank}]", "two things are called"),
        ("merge: [{use: gallery/four_bar}, {}]", "from `use` or from `file`"),
        ("merge: [{use: gallery/four_bar, rename: {A: B}}, {use: gallery/four_bar}]", "the first"),
        ("merge: [{file: ../a.yaml}, {file: b.yaml}]", "leads out of the folder"),
        ("merge: [{file: /etc/passwd}, {file: b.yaml}]", "leads out of the folder"),
        ("merge: [{file: nowhere.yaml}, {file: b.yaml}]", "no such file"),
        ("merge: [{file: a.txt}, {file: b.yaml}]", "ends in"),
    ],
)
def test_what_cannot_be_stood_on_is_refused(document, text, says):
    says = says.replace("both", "cannot stand together")
    with pytest.raises(FileError) as refusal:
        _ = document(f"version: 1\n{text}").model
    assert says in refusal.value.message


RENAMED = "{crank: arm, A: E, B: F, C: G, rod: bar}"


def test_merge_joins_bodies_and_places_them(document, same):
    text = (
        "version: 1\nmerge:\n- use: gallery/four_bar\n- use: gallery/slider_crank\n"
        f"  rename: {RENAMED}\n"
        "  identify: {arm: rocker, ground: {body: ground, at: [4, 0], angle: 90 deg}}\n"
    )
    other = kempe.gallery.slider_crank().model
    turned = kempe.Pose(kempe.Vector(4.0, 0.0, 0.0), kempe.Rotation.planar(math.pi / 2))
    known = kempe.model.merge_models(
        kempe.gallery.four_bar().model,
        other,
        identify={"arm": "rocker", "ground": ("ground", turned)},
        rename={"crank": "arm", "A": "E", "B": "F", "C": "G", "rod": "bar"},
    )
    assert same(document(text).model, known)


def test_files_are_merged_from_the_same_folder(tmp_path, same):
    kempe.gallery.four_bar().save(tmp_path / "one.yaml")
    kempe.gallery.slider_crank().save(tmp_path / "two.json")
    both = tmp_path / "both.yaml"
    both.write_text(
        "version: 1\nname: both\nmerge:\n- file: one.yaml\n- file: two.json\n"
        f"  rename: {RENAMED}\n  identify: {{arm: crank}}\nremove: [arm.angle]\n",
        encoding="utf-8",
    )
    model = read_document(both).model
    assert len(model.joints) == 8
    assert model.body("bar").name == "bar"
    flat = kempe.Mechanism(model).save(tmp_path / "flat.json")
    assert same(kempe.load(flat).model, dataclasses.replace(model))


def test_a_file_that_merges_itself_is_refused(tmp_path):
    for name, other in (("a", "b"), ("b", "a")):
        text = f"version: 1\nmerge: [{{file: {other}.yaml}}, {{use: gallery/four_bar}}]"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match="merged into itself"):
        _ = read_document(tmp_path / "a.yaml").model


def test_a_mistake_in_a_merged_file_names_that_file(tmp_path):
    (tmp_path / "bad.yaml").write_text("version: 1\nbodies: {a: {size: 1}}", encoding="utf-8")
    whole = tmp_path / "whole.yaml"
    whole.write_text("version: 1\nmerge: [{file: bad.yaml}, {file: bad.yaml}]", encoding="utf-8")
    with pytest.raises(FileError) as refusal:
        _ = read_document(whole).model
    assert refusal.value.path.endswith("bad.yaml")
    assert refusal.value.line == 2
