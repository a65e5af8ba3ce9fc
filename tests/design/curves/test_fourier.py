"""Descriptors of curves: what must not change them, and what must."""

import numpy as np
import pytest

from kempe.design.curves.fourier import KS, described

SAME = 1e-3  # of descriptors of norm 1: curves are followed in straight pieces


def bean(n=400):
    s = np.arange(n) * 2.0 * np.pi / n
    return (
        np.exp(1j * s) * 2.0 + 0.5 * np.exp(-1j * s) + 0.4 * np.exp(2j * s) + 0.2j * np.exp(3j * s)
    )


def apart(a, b):
    """The distance of two curves in the nearer of their forms."""
    return min(np.linalg.norm(a.vectors - x.vectors) for x in (b, b.other_form()))


@pytest.mark.parametrize("seed", range(6))
def test_a_curve_moved_turned_scaled_reversed_and_begun_later_is_the_same(seed):
    rng = np.random.default_rng(seed)
    z = bean()
    w = np.roll(z, int(rng.integers(400)))[:: int(rng.choice([1, -1]))]
    w = w * rng.uniform(0.01, 100.0) * np.exp(1j * rng.uniform(-4, 4)) + complex(
        *rng.normal(size=2)
    )
    assert apart(described(z[None]), described(w[None])) < SAME


def test_another_curve_is_far_away_and_a_mirrored_one_is_the_conjugate():
    z = bean()
    other = z + 0.5 * (z / abs(z)) ** 4
    assert apart(described(z[None]), described(other[None])) > 0.05
    assert apart(described(z.conj()[None]), described(z[None])) > 0.03
    mirrored = described(z[None]).mirrored()
    assert apart(described(z.conj()[None]), mirrored) < SAME


def test_a_slender_ellipse_has_the_harmonics_of_its_expansion():
    """Axes 1 + e and 1 over the length: t = s + (e / 4) sin 2s, so c_-1 = 3 e / 8, c_3 = e / 8."""
    s = np.arange(20000) * 2.0 * np.pi / 20000
    e = 1e-2
    c = described(((1.0 + e) * np.cos(s) + 1j * np.sin(s))[None]).c[0]
    by_k = dict(zip(KS.tolist(), abs(c), strict=True))
    assert by_k[-1] == pytest.approx(3.0 * e / 8.0, rel=0.02)
    assert by_k[3] == pytest.approx(e / 8.0, rel=0.02)
