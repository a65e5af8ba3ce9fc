"""The outline of an ASMT file, and where it is broken."""

import pytest

from kempe.errors import FileError
from kempe.foreign.asmt.outline import Entry, number_of, outline_of

HEAD = b"any program\nAssembly\n"


def test_values_stand_one_tab_below_their_label():
    outline = outline_of(HEAD + b"\tName\n\t\tThe (odd) | name #1 \n\tXs\n\t\t1 \t2.5e-3 \n", "a")
    assert outline.assembly.value("Name") == "The (odd) | name #1"
    assert outline.assembly.numbers("Xs", 2) == (1.0, 2.5e-3)
    assert outline.assembly.must("Xs").line == 5


def test_lines_after_the_word_time_series_are_kept_with_their_numbers():
    outline = outline_of(HEAD + b"\tName\n\t\tA\nTimeSeries\nNumber\tInput\t1\n\nX 1\n", "a")
    assert outline.series == ((6, "Number\tInput\t1"), (8, "X 1"))


def test_latin_letters_and_line_ends_of_windows_are_read():
    outline = outline_of(b"x\r\nAssembly\r\n\tName\r\n\t\tBr\xfccke\r\n", "a")
    assert outline.assembly.value("Name") == "Br\xfccke"


def test_numbers_may_be_denormal_or_end_in_d():
    entry = Entry("", 1, "a")
    assert number_of("2.45e-321", entry) == 2.45e-321
    assert number_of("-2.0d", entry) == -2.0


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", 1),
        (b"one\ntwo\n", 2),
        (HEAD + b"\tName\n\t\t\t\tA\n", 4),
        (HEAD + b"\t" * 60 + b"A\n", 3),
        (HEAD + b"\tName\n\t\tA\nParts\n", 5),
    ],
)
def test_what_is_no_outline_is_refused_with_its_line(content, line):
    with pytest.raises(FileError) as mistake:
        outline_of(content, "a.asmt")
    assert (mistake.value.path, mistake.value.line) == ("a.asmt", line)


@pytest.mark.parametrize("word", ["nan", "inf", "1e999", "1_0", "0x1", "1.2.3", "d", "--1", "٣"])
def test_what_is_no_finite_number_is_refused(word):
    with pytest.raises(FileError, match="number"):
        number_of(word, Entry("", 7, "a.asmt"))


def test_a_label_that_stands_twice_is_refused_where_it_stands_again():
    outline = outline_of(HEAD + b"\tName\n\t\tA\n\tName\n\t\tB\n", "a")
    with pytest.raises(FileError, match="second time") as mistake:
        outline.assembly.value("Name")
    assert mistake.value.line == 5
