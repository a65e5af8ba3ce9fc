"""JSON without repeated names, with the place of a value when it is asked for."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kempe.errors import FileError
from kempe.files.syntax.json_reader import JsonSource

DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-100, 100) | st.text(max_size=5),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside),
    max_leaves=12,
)


def read(text):
    return JsonSource("a.json", text.encode())


def test_every_value_and_key_has_its_place():
    source = read('{\n "a": {"b": [1, {"c":  2}]},\n "d" : "e"\n}')
    assert source.position(("a", "b", 1, "c")) == (2, 24)
    assert source.position(("a", "b", 1, "c"), of_key=True) == (2, 18)
    assert source.position(("d",)) == (3, 8)
    assert source.position(("d",), of_key=True) == (3, 2)
    assert source.position(("a", "x")) == (2, 7)
    assert source.position(()) == (1, 1)


@given(DATA, st.sampled_from([None, 1]))
def test_the_place_of_a_value_is_where_its_text_begins(data, indent):
    text = json.dumps(data, indent=indent)
    source = read(text)
    assert source.data == data
    for path, value in walked(data):
        line, column = source.position(path)
        rest = "\n".join([text.split("\n")[line - 1][column - 1 :], *text.split("\n")[line:]])
        assert json.JSONDecoder().raw_decode(rest)[0] == value


def walked(data, path=()):
    yield path, data
    if isinstance(data, dict):
        for key, value in data.items():
            yield from walked(value, (*path, key))
    if isinstance(data, list):
        for k, value in enumerate(data):
            yield from walked(value, (*path, k))


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("", 1, 1, "no JSON"),
        ('{"a": 1,\n "a": 2}', 2, 2, "'a' stands here a second time"),
        ('{"b": [1, {"a": {"c": 1, "c": 2}}]}', 1, 26, "'c' stands here a second time"),
        ('{"a": {"b": 1}, "c": {"b": 1, "d": 1, "b": 2}, "x" 1}', 1, 39, "a second time"),
        ('{"a": "NaN", "b": NaN}', 1, 19, "NaN is no number"),
        ("[1, -Infinity]", 1, 5, "-Infinity is no number"),
        ("[1] 2", 1, 5, "no JSON"),
        ("{\"a\": 'b'}", 1, 7, "no JSON"),
        ("[" * 65 + "]" * 65, 1, 65, "more than 64 deep"),
        ('["\\\\", "\\"[[", ' + "[" * 64, 1, 79, "more than 64 deep"),
    ],
)
def test_what_is_no_plain_json_is_refused_at_its_place(text, line, column, says):
    with pytest.raises(FileError, match=says) as refusal:
        read(text)
    assert (refusal.value.line, refusal.value.column) == (line, column)


def test_a_byte_order_mark_is_no_mistake():
    assert JsonSource("a.json", b"\xef\xbb\xbf[1]").data == [1]


def test_sixty_four_levels_are_not_too_deep():
    assert read("[" * 64 + "]" * 64).data
