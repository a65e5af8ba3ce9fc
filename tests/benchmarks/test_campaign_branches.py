"""A sample of the campaign over random linkages; all of it: benchmarks/campaign_branches.py."""

import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"

pytestmark = [
    pytest.mark.skipif(not FOLDER.is_dir(), reason="benchmarks are in the checkout only"),
    pytest.mark.core,
]

SEED = 20261115


@pytest.fixture(scope="module")
def campaign():
    """The module of the campaign."""
    import importlib

    with mock.patch("sys.path", [str(FOLDER), *sys.path]):
        yield importlib.import_module("campaign_branches")


@pytest.mark.parametrize(
    ("kind", "count", "steps"),
    [
        ("four-bar", 150, 360),
        ("four-bar", 100, 7),
        ("narrow four-bar", 60, 90),
        ("Watt I", 25, 90),
        ("Watt II", 25, 90),
        ("Stephenson I", 25, 90),
        ("Stephenson III", 25, 90),
    ],
)
def test_no_linkage_jumps_and_every_dead_point_is_in_its_place(campaign, kind, count, steps):
    for k, linkage in enumerate(campaign.linkages(kind, count, SEED)):
        found = campaign.verdict(linkage, steps)
        assert not found.faults, (k, linkage)


def test_a_linkage_on_the_wrong_branch_would_be_found(campaign):
    """The judge itself: the same linkage, told to be on its other side."""
    from dataclasses import replace

    with mock.patch("sys.path", [str(FOLDER), *sys.path]):
        from linkage_campaigns import verdict as judge

    linkage = next(campaign.linkages("four-bar", 1, SEED))
    built = judge.built
    with mock.patch.object(judge, "built", lambda one: built(replace(one, side=-one.side))):
        found = judge.verdict(linkage, 20)
    assert any("other side" in fault for fault in found.faults)


def test_another_process_gives_the_same_bits(campaign):
    command = [sys.executable, str(FOLDER / "campaign_branches.py")]
    sizes = ["--four", "12", "--narrow", "4", "--six", "4", "--steps", "60"]
    runs = [
        subprocess.run([*command, *sizes], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    hashes = [run.splitlines()[-1] for run in runs]
    assert hashes[0] == hashes[1]
    assert hashes[0].startswith("0 at fault")
