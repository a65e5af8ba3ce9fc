"""Many variants at once: the verdict of assembly is that of the closed form."""

import runpy
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import kempe
from kempe.errors import AssemblyError

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="benchmarks are in the checkout only")


@pytest.fixture(scope="module")
def campaign():
    """The functions of the campaign."""
    with mock.patch("sys.path", [str(FOLDER), *sys.path]):
        return runpy.run_path(str(FOLDER / "assembly_verdicts.py"))


def test_no_verdict_on_a_random_four_bar_is_wrong(campaign):
    found = campaign["verdicts"](4000, 7)
    assert (found.wrong, found.wrong_reach) == (0, 0)
    assert 0.2 * found.count < found.fit < 0.95 * found.count
    assert 0.2 * found.count < found.reach < 0.95 * found.count


def test_one_four_bar_at_a_time_gets_the_same_verdict(campaign):
    links = campaign["lengths"](120, np.random.default_rng(11))
    for (a, b, c, d), exists in zip(links, campaign["exists"](links), strict=True):
        four_bar = kempe.gallery.four_bar(crank=a, coupler=b, rocker=c, ground=d)
        try:
            four_bar.assemble()
            closes = True
        except AssemblyError as error:
            closes = not error.facts["infeasible"]
        assert closes == exists, (a, b, c, d)
