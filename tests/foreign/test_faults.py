"""Faults of every class through every importer: one line that names the file, or a model; no more.

Malformed: what is no such file at all. Hostile: names that steer a terminal, entities, nesting.
Path: names and meshes that lead elsewhere. HTML: names that are markup, on a page. Limits: numbers,
names and files that are too large.
"""

import os
from html import escape
from pathlib import Path

import pytest

import kempe
from kempe.errors import FileError, KempeError
from kempe.files.syntax.source import LARGEST_FILE
from kempe.foreign.opening import JSON, READERS, read_foreign

EXAMPLES = {
    path.suffix: path
    for path in sorted((Path(__file__).resolve().parents[2] / "examples" / "foreign").iterdir())
}
ENDINGS = [*READERS, JSON]
XML = (".urdf", ".sdf", ".xml", ".mjcf")
SCRIPT = "<script>alert(1)</script>"
MALFORMED = {
    "empty": b"",
    "blank": b"\n \t\n" * 9,
    "zeros": b"\0" * 999,
    "bytes": bytes(range(256)) * 9,
    "utf16": "<robot name='x'/>".encode("utf-16"),
    "prose": b"Once upon a time there was a four-bar.\n" * 9,
    "page": b"<!doctype html><html><body><h1>404</h1></body></html>",
    "model": b'{"version": 1, "joints": 7, "links": []}',
}
NAMES = {
    "terminal": "\x1b[2J\x1b]0;x\x07",
    "bidi": "\u202ecrank\u2066",
    "path": "../../../etc/passwd",
    "windows": "C:\\con",
    "html": SCRIPT,
    "quotes": "\"'`;--",
    "long": "x" * 20_000,
    "blank": "   ",
    "ground": "ground",
    "formula": "__import__('os').system('true')",
    "number": "1e999",
}


def example(ending):
    return EXAMPLES[".xml" if ending == ".mjcf" else ending]


def read(path):
    """What is read, or None where it is refused as it must be; the folder stays as it is."""
    before = sorted(os.listdir(path.parent))
    try:
        return read_foreign(path)
    except FileError as mistake:
        said = str(mistake)
        assert str(path) in said
        assert all(letter.isprintable() for letter in said)
        assert len(said) < 2_000
        return None
    finally:
        assert sorted(os.listdir(path.parent)) == before


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_importer_has_an_example(ending):
    assert read(example(ending)).model.moving


@pytest.mark.parametrize("fault", MALFORMED)
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_no_such_file_is_refused_in_one_line(tmp_path, ending, fault):
    path = tmp_path / f"a{ending}"
    path.write_bytes(MALFORMED[fault])
    assert read(path) is None


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_was_cut_off_is_refused_or_read_as_far_as_it_goes(tmp_path, ending, share):
    content = example(ending).read_bytes()
    path = tmp_path / f"a{ending}"
    path.write_bytes(content[: int(share * len(content))])
    read(path)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_a_hostile_name_is_made_harmless_or_refused(tmp_path, ending, name):
    given = NAMES[name]
    text = example(ending).read_text(encoding="utf-8")
    assert "crank" in text
    written = escape(given) if ending in XML else given
    if ending == JSON:
        written = given.encode("unicode_escape").decode().replace('"', "'").replace("\\x", "\\u00")
    path = tmp_path / f"a{ending}"
    path.write_text(text.replace("crank", written), encoding="utf-8")
    found = read(path)
    if found is None:
        return
    assert all(letter.isprintable() or letter == "\n" for letter in str(found.report))
    for body in found.model.bodies:
        assert body.name.isprintable()
        assert "." not in body.name
        assert body.name == body.name.strip()


@pytest.mark.parametrize("ending", [".asmt", ".sdf"])
def test_markup_in_names_stays_text_on_a_page(tmp_path, ending):
    text = example(ending).read_text(encoding="utf-8")
    path = tmp_path / f"a{ending}"
    path.write_text(text.replace("crank", escape(SCRIPT) if ending in XML else SCRIPT))
    mechanism = kempe.load(path)
    try:
        motion = mechanism.kinematics(until=0.1, steps=2)
    except KempeError:  # nothing drives it
        motion = mechanism.simulate(until=0.01, steps=2)
    page = motion.animate(tmp_path / "a.html").read_text(encoding="utf-8")
    assert SCRIPT not in page


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    for ending in ENDINGS[:-1]:
        path = tmp_path / f"a{ending}"
        with path.open("wb") as file:
            file.truncate(LARGEST_FILE + 1)
        assert read(path) is None
        path.unlink()


@pytest.mark.parametrize("number", ["1e400", "-1e400", "nan", "inf", "9" * 500, "1e-400"])
@pytest.mark.parametrize("ending", [e for e in ENDINGS if e != JSON])
def test_numbers_beyond_all_limits_are_refused_or_read(tmp_path, ending, number):
    text = example(ending).read_text(encoding="utf-8")
    path = tmp_path / f"a{ending}"
    path.write_text(text.replace("0.1", number), encoding="utf-8")
    read(path)
