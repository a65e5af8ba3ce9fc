"""YAML 1.2, with the place of every value."""

import pytest

from kempe.errors import FileError
from kempe.files.syntax.text import is_plain_text, plain_value, yaml_text
from kempe.files.syntax.yaml_reader import YamlSource


def read(text):
    return YamlSource("a.yaml", text.encode())


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("1e-3", 0.001),
        ("1E3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("010", 10),
        ("0o17", 15),
        ("0xff", 255),
        ("+12", 12),
        ("-0.0", -0.0),
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("no", "no"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2001-12-14", "2001-12-14"),
        ("1e", "1e"),
        ("0x", "0x"),
        ("'1'", "1"),
        ('"true"', "true"),
        ("30 mm", "30 mm"),
    ],
)
def test_a_word_means_what_yaml_1_2_says(word, value):
    found = read(f"a: {word}").data["a"]
    assert found == value
    assert type(found) is type(value)


def test_infinity_is_read_and_refused_later_as_a_number():
    assert plain_value(".inf") == float("inf")
    assert plain_value("-.Inf") == -float("inf")
    assert str(plain_value(".NaN")) == "nan"


def test_a_number_of_a_thousand_digits_is_read_at_once():
    assert plain_value("1" * 5000) == float("inf")


def test_every_value_and_key_has_its_place():
    source = read("a:\n  b: [1, {c: 2}]\nd: e\n")
    assert source.position(("a", "b", 1, "c")) == (2, 14)
    assert source.position(("a", "b", 1, "c"), of_key=True) == (2, 11)
    assert source.position(("d",)) == (3, 4)
    assert source.position(("a", "b"), of_key=True) == (2, 3)
    assert source.position(("a", "nowhere", "x")) == (2, 3)


def test_an_alias_stands_where_its_anchor_does():
    source = read("a: &x {b: 1}\nc: *x\n")
    assert source.data == {"a": {"b": 1}, "c": {"b": 1}}
    assert source.position(("c", "b")) == (1, 11)


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("", 1, 1, "empty"),
        ("# only a comment", 1, 1, "empty"),
        ("a: 1\nb: 2\na: 3", 3, 1, "a second time"),
        ("a: 1\n---\nb: 2", 2, 1, "one document"),
        ("? [1, 2]\n: 3", 1, 3, "a name must be a word"),
        ("&k *a : 1", 1, 4, "this is no YAML"),
        ("*a", 1, 1, "names no anchor"),
        ("a: &a [*a]", 1, 8, "inside what it repeats"),
        ("<<: {a: 1}", 1, 1, "no merge key"),
        ("a: !!float 3", 1, 4, "tags"),
        ("a: !x 3", 1, 4, "tags"),
        ("a: [1, 2", 1, 9, "this is no YAML"),
        ("a: 'x", 1, 6, "this is no YAML"),
        ("a: b: c", 1, 5, "this is no YAML"),
        ("a:\n\t- b", 2, 1, "this is no YAML"),
        ("a: \x07", 1, 4, "may not stand in YAML"),
        ("@a", 1, 1, "this is no YAML"),
    ],
)
def test_what_is_no_plain_yaml_is_refused_at_its_place(text, line, column, says):
    with pytest.raises(FileError, match=says) as refusal:
        read(text)
    assert (refusal.value.line, refusal.value.column) == (line, column)


@pytest.mark.parametrize("text", ['a: "\\Uffffffff"', "a: \ud800"])
def test_what_confuses_the_parser_is_refused_all_the_same(text):
    with pytest.raises(FileError):
        YamlSource("a.yaml", text.encode(errors="surrogatepass"))


TEXTS = [
    "1",
    "1e3",
    "on",
    "null",
    "",
    " a",
    "a ",
    "a: b",
    "a #b",
    "#",
    "'",
    '"',
    "\\",
    "-",
    "é",
    "x-y",
]


ODD_TEXTS = ["\u2028", "\x7f", "a\nb", "\U0001f600", "...", "---", "%a", "x-y"]


@pytest.mark.parametrize("text", [*TEXTS, *ODD_TEXTS])
def test_every_text_survives_as_a_key_and_as_a_value(text):
    data = {"doc": text, "parameters": {text or "empty": text}, "list": [text, {"x": text}]}
    assert read(yaml_text(data)).data == data


def test_plain_words_stay_without_quotes():
    assert is_plain_text("crank.end")
    assert is_plain_text("2 * crank")
    assert not is_plain_text("1e3")
    assert not is_plain_text("true")
