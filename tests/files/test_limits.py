"""Limits count all that a document brings in, and are reached before time and memory are spent."""

import io
import json
import zipfile

import numpy as np
import pytest

import kempe
from kempe import errors
from kempe.errors import FileError, nearest_name
from kempe.files.documents.document import document_from, read_document
from kempe.files.syntax.source import (
    LARGEST_YAML,
    MOST_BODIES,
    MOST_FILES,
    MOST_USED,
    MOST_YAML_VALUES,
)
from kempe.results.maps.motion_map import MotionMap


def test_files_that_fan_out_are_counted_in_all(tmp_path, monkeypatch):
    """60^4 mechanisms of five small files."""
    for level in range(4):
        members = ", ".join([f"{{file: level{level + 1}.yaml}}"] * 60)
        (tmp_path / f"level{level}.yaml").write_text(f"version: 1\nmerge: [{members}]\n")
    (tmp_path / "level4.yaml").write_text("version: 1\nplane: true\n")
    document = read_document(tmp_path / "level0.yaml")
    with pytest.raises(FileError, match=f"reads {MOST_FILES} other files at most"):
        _ = document.model


def test_variants_of_a_document_have_the_whole_budget_each(tmp_path):
    (tmp_path / "part.yaml").write_text("version: 1\nplane: true\nbodies: {a: {}}\n")
    text = "version: 1\nparameters: {x: 1}\nmerge: [{file: part.yaml}, {file: other.yaml}]\n"
    (tmp_path / "other.yaml").write_text("version: 1\nplane: true\nbodies: {b: {}}\n")
    (tmp_path / "whole.yaml").write_text(text)
    document = read_document(tmp_path / "whole.yaml")
    for k in range(MOST_FILES + 2):
        assert len(document.with_parameters({"x": k}).model.bodies) == 2


def test_links_of_mechanisms_from_a_library_are_counted_in_all():
    one = "{{use: gallery/pendulum_chain, dimensions: {{links: {}}}}}"
    for counts in ((MOST_USED + 1, 1), (MOST_USED - 5, 6)):
        members = ", ".join(one.format(count) for count in counts)
        with pytest.raises(FileError, match=f"add up to {MOST_USED}"):
            _ = document_from(f"version: 1\nmerge: [{members}]\n".encode(), "a.yaml").model


def test_a_nearest_name_is_looked_for_among_a_few(monkeypatch):
    compared = []
    original = errors.difflib.get_close_matches

    def watched(name, names, **options):
        compared.append(len(names))
        return original(name, names, **options)

    monkeypatch.setattr(errors.difflib, "get_close_matches", watched)
    names = [f"body number {k:06d}" for k in range(99_000)]
    assert "'body number 004711'" in nearest_name("body numbr 004711", names)
    assert nearest_name("x" * 10**6, names).startswith(" There are")
    assert max(compared) <= errors.MOST_COMPARED


#: content -> words of the refusal
LARGE = {
    "YAML": (b"a: " + b"x" * LARGEST_YAML, "a.yaml", "write it as JSON"),
    "YAML of values": (b"a: [" + b"1," * MOST_YAML_VALUES + b"]", "a.yaml", "write it as JSON"),
    "a tag": (b"a: !" + b"x" * 5000 + b" 1", "a.yaml", "more than 1000 characters"),
    "a key": (json.dumps({"version": 1, "x" * 10**6: 1}).encode(), "a.json", "a key has at most"),
    "a list": (
        json.dumps({"version": 1, "outputs": [1] * 100_001}).encode(),
        "a.json",
        "a list has at most",
    ),
}


@pytest.mark.parametrize("case", LARGE)
def test_what_is_too_large_is_refused(case):
    content, name, says = LARGE[case]
    with pytest.raises(FileError, match=says):
        document_from(content, name)


def test_formulas_of_parameters_are_counted_in_all():
    parameters = {f"p{k}": " + ".join(["1"] * 2000) for k in range(30)}
    content = json.dumps({"version": 1, "parameters": parameters}).encode()
    with pytest.raises(FileError, match="may have 200000 characters"):
        _ = document_from(content, "a.json").scope


def archive(shape: tuple[int, ...], count: int) -> bytes:
    buffer, content = io.BytesIO(), io.BytesIO()
    form = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(content, form)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("kempe.json", "{}")
        file.writestr("t.npy", content.getvalue() + bytes(8 * count))
    return buffer.getvalue()


@pytest.mark.parametrize("load", [kempe.Trajectory.load, MotionMap.load])
def test_a_result_that_unpacks_to_much_or_lies_about_its_size_is_refused(load, tmp_path):
    path = tmp_path / "a.npz"
    path.write_bytes(archive((17 * 10**6,), 17 * 10**6))  # 136 MB of zeros in 0.1 MB
    with pytest.raises(FileError, match="unpacks to"):
        load(path)
    path.write_bytes(archive((1 << 40,), 1))
    with pytest.raises(FileError, match="damaged"):
        load(path)


def test_bodies_are_counted_before_they_are_built():
    bodies = {f"b{k}": {} for k in range(MOST_BODIES + 1)}
    content = json.dumps({"version": 1, "bodies": bodies}).encode()
    with pytest.raises(FileError, match=f"at most {MOST_BODIES} bodies"):
        _ = document_from(content, "a.json").model
