"""Tables: rows that lack columns, and their way through Arrow and back."""

import numpy as np

from kempe.sweeps.store import from_arrow, to_arrow
from kempe.sweeps.table import SweepTable, columns_of_rows, joined

ROWS = [{"a": 1.0, "curve": [1.0, 2.0, 3.0], "word": "x"}, {"a": 2.0, "n": 3}, {}]


def table(first: int, rows) -> SweepTable:
    texts = ["Done"] * len(rows)
    return SweepTable.of(
        first, {"p": np.arange(float(len(rows)))}, columns_of_rows(rows), texts, texts
    )


def same(one: SweepTable, other: SweepTable) -> None:
    assert list(one.columns) == list(other.columns)
    for name, column in one.columns.items():
        np.testing.assert_array_equal(column, other.columns[name], err_msg=name)


def test_what_a_row_lacks_is_missing():
    found = table(0, ROWS).columns
    np.testing.assert_array_equal(found["a"], [1.0, 2.0, np.nan])
    np.testing.assert_array_equal(found["curve"], [[1.0, 2.0, 3.0], [np.nan] * 3, [np.nan] * 3])
    np.testing.assert_array_equal(found["n"], [np.nan, 3.0, np.nan])
    assert found["word"].tolist() == ["x", "", ""]


def test_whole_numbers_and_truths_stay_such():
    found = columns_of_rows([{"n": 1, "b": True}, {"n": 2, "b": False}])
    assert (found["n"].dtype.kind, found["b"].dtype.kind) == ("i", "b")


def test_tables_of_different_columns_are_joined_in_order():
    found = joined([table(0, ROWS[:1]), SweepTable.lost(1, {"p": np.array([9.0])}, "gone")])
    assert found.columns["number"].tolist() == [0, 1]
    assert found.columns["outcome"].tolist() == ["Done", "Lost"]
    assert list(found.columns)[-2:] == ["outcome", "message"]
    np.testing.assert_array_equal(found.columns["curve"], [[1.0, 2.0, 3.0], [np.nan] * 3])


def test_a_table_goes_through_arrow_unchanged():
    whole = table(5, ROWS)
    same(from_arrow(to_arrow(whole)), whole)
    assert to_arrow(whole).column("a").null_count == 1
