"""Benchmarks run on sizes too small to say anything about speed."""

import runpy
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"

IN_THE_CHECKOUT = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="benchmarks are in the checkout only"
)


def names_of(file: str) -> dict[str, Any]:
    """What a file of the benchmarks defines."""
    with mock.patch("sys.path", [str(FOLDER), *sys.path]):
        return runpy.run_path(str(FOLDER / file))


def assert_rows_say_what_was_measured(report: dict[str, Any]) -> None:
    """Of whom, in how many seconds."""
    for row in report["rows"]:
        assert list(row) == ["case", "who", "seconds", "per", "error"]
        assert row["seconds"] > 0.0
