"""Names of other programs become names that a file of kempe can hold, each of them once."""

import pytest

from kempe.files.documents.writer import _check_name
from kempe.foreign.imported import Ledger
from kempe.foreign.legal_names import LegalNames, OwnNames, legalized

# A Devanagari letter that Unicode's composed form takes apart, so that a text grows by it.
COMES_APART = "\u0958"
NAMES = ["x" * 5000, "x" * 199 + " y", COMES_APART * 200, "a.b", " ", "\u202e", "x" * 200]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_that_comes_many_times_is_legal_each_time(name):
    names = LegalNames(Ledger("a.urdf"))
    found = [names.part(name, "body", 1) for _ in range(120)]
    found += [names.part(f"{name}_limit", "limit", 1) for _ in range(3)]
    assert len(set(found)) == len(found)
    for one in found:
        _check_name(one)


def test_points_that_are_called_as_what_is_read_stay_legal():
    names = LegalNames(Ledger("a.urdf")).points(["angle", "angle", "x" * 5000, "x" * 5000])
    assert len(set(names)) == 4
    for one in names:
        _check_name(one)


def test_a_number_is_put_after_what_is_taken():
    names = OwnNames(("ground", "rod_2"))
    assert [names.new(n) for n in ("ground", "rod", "rod", "rod")] == [
        "ground_2",
        "rod",
        "rod_3",
        "rod_4",
    ]


def test_many_of_one_name_are_numbered_in_linear_time():
    """A hundred thousand: counted anew from 2 each time these would be five milliards of looks."""
    names = OwnNames()
    assert [names.new("rod") for _ in range(100_000)][-1] == "rod_100000"


def test_what_is_left_of_a_name_is_as_long_as_a_file_holds():
    assert len(legalized("x" * 300, "body")) == 200
