"""A broken file is refused with a typed error, or is a valid model after all: never a traceback.

20 model files are changed 10,000 times in all: characters and lines of their YAML, and values,
keys and members of their data, which goes through the JSON reader (it is much faster).
"""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kempe.drives import Formula
from kempe.errors import FileError
from kempe.files.documents.document import document_from
from kempe.files.documents.writer import document_data
from kempe.files.syntax.text import json_text
from kempe.model import Model

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "models").glob("*.yaml"))[:20]
CHANGES = 10_000
OF_TEXT = 100  # changes of each file's characters; the others change its data
OF_DATA = CHANGES // 20 - OF_TEXT

PIECES = st.sampled_from(
    [*"{}[]:,&*!|>'\"%@`#-?~ \n\t\\0", ": ", "- ", "\n  ", "!!x ", "&a ", "*a", "<<: ", "1e999"]
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**25), 10**25),
    st.floats(),
    st.sampled_from(
        ["", " ", "t", "pi", "ground", "crank.", ".x", "1 mm", "1 kg", "2 * crank", "1/0", "__x__"]
    ),
    st.sampled_from(["revolute", "rod", "ramp", "turn", "x", "é", "\ud800", "a.b.c", "30 mm mm"]),
    st.text(max_size=8),
    st.lists(st.integers(-3, 3), max_size=4),
    st.dictionaries(st.sampled_from(["type", "I", "at", "body", "x"]), st.integers(), max_size=2),
)


def readable(content: bytes, name: str) -> None:
    """The content is refused with a FileError, or it is a model that can be written and read."""
    model, mistake = read(content, name)
    if mistake is not None:
        assert mistake.path
        assert "\n" not in str(mistake)
    elif model is not None and not holds_a_function(model):
        again = document_from(json_text(document_data(model)).encode(), "again.json").model
        assert len(again.joints) == len(model.joints)


def read(content: bytes, name: str) -> tuple[Model | None, FileError | None]:
    try:
        document = document_from(content, name)
        _ = document.run
        return document.model, None
    except FileError as mistake:
        return None, mistake


def holds_a_function(model: Model) -> bool:
    """A library may bring a law that no file can hold."""
    return any(isinstance(drive.law, Formula) for drive in model.drives)


def test_there_are_twenty_files_to_change():
    assert len(EXAMPLES) == 20
    assert 20 * (OF_TEXT + OF_DATA) == CHANGES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_changed_characters_never_end_in_a_traceback(path):
    text = path.read_text(encoding="utf-8")

    @settings(max_examples=OF_TEXT, database=None)
    @given(data=st.data())
    def check(data: Any) -> None:
        changed = text
        for _ in range(data.draw(st.integers(1, 3))):
            start = data.draw(st.integers(0, len(changed)))
            length = data.draw(st.sampled_from([0, 0, 1, 1, 2, 5, 40]))
            piece = data.draw(st.one_of(PIECES, st.just(""), st.text(max_size=3)))
            changed = changed[:start] + piece + changed[start + length :]
        readable(changed.encode(errors="surrogatepass"), "changed.yaml")

    check()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_changed_values_never_end_in_a_traceback(path):
    whole = dict(document_from(path.read_bytes(), path.name).data)
    places = list(paths(whole))

    @settings(max_examples=OF_DATA, database=None)
    @given(data=st.data())
    def check(data: Any) -> None:
        changed = copy.deepcopy(whole)
        for _ in range(data.draw(st.integers(1, 3))):
            place = data.draw(st.sampled_from(places))
            change(changed, place, data)
        readable(json.dumps(changed).encode(), "changed.json")

    check()


def paths(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in members:
        yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from paths(value, (*path, key))


def change(whole: Any, place: tuple[Any, ...], data: Any) -> None:
    """One change at a place: another value, another key, a copy, or nothing left."""
    inside = whole
    for key in place[:-1]:
        if not isinstance(inside, (dict, list)) or not has(inside, key):
            return
        inside = inside[key]
    key = place[-1]
    if not isinstance(inside, (dict, list)) or not has(inside, key):
        return
    kind = data.draw(st.sampled_from(["value", "value", "value", "key", "drop", "swap"]))
    if kind == "drop":
        del inside[key]
    elif kind == "key" and isinstance(inside, dict):
        inside[data.draw(st.one_of(st.text(max_size=6), st.sampled_from(KEYS)))] = inside.pop(key)
    elif kind == "swap":
        others = list(inside.values()) if isinstance(inside, dict) else inside
        inside[key] = copy.deepcopy(data.draw(st.sampled_from(others)))
    else:
        inside[key] = data.draw(ODD)


KEYS = ["length", "points", "angle", "axis", "matrix", "quaternion", "type", "law", "use", "merge"]


def has(inside: Any, key: Any) -> bool:
    return key in inside if isinstance(inside, dict) else key in range(len(inside))
