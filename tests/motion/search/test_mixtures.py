"""Linkages that move though they count too many rows: one loop each, against closed forms."""

import math

import numpy as np
import pytest

import kempe
from tests.motion._machines_in_space import residual_along

ROWS = 1e-9  # of joints, in machines of the size of 1
WITHIN = 1e-6  # bounds of rows along a loop that is drawn by charts as long as its bends
RELATION = 1e-7  # of tangents and cosines at samples


def angles(mechanism, component, *names):
    moved = mechanism.follow(component, 0.05)
    return [moved[name].values for name in names]


@pytest.mark.parametrize(
    ("short", "long", "twist"),
    [(0.3, 0.4, 0.7), (0.2, 0.5, 0.3), (0.3, 0.31, 1.2), (0.1, 0.3, 0.25)],
)
def test_bennett_s_linkage_has_one_loop_along_which_its_angles_keep_their_relation(
    short, long, twist
):
    mechanism = kempe.gallery.bennett(short=short, long=long, twist=twist)
    found = mechanism.motions()
    assert (str(found.outcome), len(found), len(found.singular)) == ("numerical", 1, 0)
    (loop,) = found.components
    assert loop.closed
    assert 0.0 < found.within < WITHIN
    assert residual_along(mechanism, loop) < ROWS
    other = math.asin(long * math.sin(twist) / short)
    ratio = math.sin(0.5 * (other + twist)) / math.sin(0.5 * (other - twist))
    first, second = angles(mechanism, loop, "hinge1.angle", "hinge2.angle")
    sines = np.sin(0.5 * first) * np.sin(0.5 * second)
    cosines = np.cos(0.5 * first) * np.cos(0.5 * second)
    np.testing.assert_allclose(sines, ratio * cosines, atol=RELATION * ratio)
    assert np.ptp(first) > 1.9 * math.pi  # it turns all the way round


def test_bricard_s_linkage_has_one_loop_with_every_other_hinge_alike():
    mechanism = kempe.gallery.bricard()
    found = mechanism.motions()
    assert (str(found.outcome), len(found), len(found.singular)) == ("numerical", 1, 0)
    (loop,) = found.components
    assert loop.closed
    assert found.within < WITHIN
    names = [f"hinge{k}.angle" for k in range(1, 7)]
    a, b, *others = (np.cos(angle) for angle in angles(mechanism, loop, *names))
    np.testing.assert_allclose(a + b + a * b, 0.0, atol=RELATION)
    for k, other in enumerate(others):
        np.testing.assert_allclose(other, (a, b)[k % 2], atol=RELATION)


def test_the_verifier_reads_sums_of_rows_as_the_model_s():
    mechanism = kempe.gallery.bennett()
    proved = mechanism.motions().verify()
    assert not proved.failures
    assert proved.charts > 0
    assert any("rows left out hold within" in said for said in proved.unproved)


def test_a_map_of_another_bennett_is_refused():
    found = kempe.gallery.bennett().motions()
    other = kempe.gallery.bennett(short=0.31)
    assert kempe.verify(found, other).failures
