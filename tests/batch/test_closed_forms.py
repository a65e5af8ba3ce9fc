"""Batches against closed forms: four-bars, slider-cranks, and whether they go round at all."""

import numpy as np
import pytest
from scipy import stats

import kempe
from kempe.front.batch import Batch


@kempe.parametric
def four_bar(crank=30.0, coupler=90.0, rocker=70.0, ground=100.0, px=45.0, py=40.0):
    m = kempe.Builder("four-bar", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", rocker)
    middle = m.bar("coupler", coupler, points={"P": (px, py)})
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(ground, 0))
    m.drive(first.angle, rpm=60)
    return m.build()


def placed(a, b, c, d, px, py, crank):
    """Rocker angles and coupler points (m) of four-bars in mm, C left of the way from B to D."""
    B = a * np.exp(1j * crank)
    way = d - B
    r = np.abs(way)
    cosine = (b * b + r * r - c * c) / (2 * b * r)
    with np.errstate(invalid="ignore"):  # what does not close has no place
        along = way / r * np.exp(1j * np.arccos(cosine))
    C = B + b * along
    return np.angle(C - d), (B + (px + 1j * py) * along) * 1e-3


def some(count: int, spread: float = 0.25) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(11)
    usual = {"crank": 30, "coupler": 90, "rocker": 70, "ground": 100, "px": 45, "py": 40}
    return {k: v * (1 + spread * rng.uniform(-1, 1, count)) for k, v in usual.items()}


def test_four_bars_are_where_the_triangle_puts_them() -> None:
    found = four_bar().batch(some(1003), until=1.0, outputs=["rocker.angle", "coupler.P"])
    lengths = [found.parameters[k][:, None] for k in found.parameters]
    angle, P = placed(*lengths, 2 * np.pi * found.t)
    turned = np.exp(1j * found["rocker.angle"].values)
    points = found["coupler.P"].values
    done = found.is_done
    assert done.sum() > 900
    assert np.abs(turned - np.exp(1j * angle))[done].max() < 1e-10
    assert np.abs(points[..., 0] + 1j * points[..., 1] - P)[done].max() < 1e-11


def test_four_bars_end_where_the_triangle_cannot_be_closed() -> None:
    found = four_bar().batch(some(2000, 0.45), until=1.0, outputs=["rocker.angle"])
    a, b, c, d = (found.parameters[k][:, None] for k in ("crank", "coupler", "rocker", "ground"))
    r = np.abs(d - a * np.exp(2j * np.pi * found.t))
    closes = (np.abs(b - c) < r) & (r < b + c)
    until = np.where(closes.all(axis=1), closes.shape[1], (~closes).argmax(axis=1))
    assert np.array_equal(found.samples, until)
    expected = np.where(until == closes.shape[1], "Done", "DeadPoint")
    expected = np.where(until == 0, "NotReached", expected)
    assert np.array_equal(found.outcomes, expected)
    assert set(expected) == {"Done", "DeadPoint", "NotReached"}
    values = found["rocker.angle"].values
    assert np.array_equal(np.isfinite(values).sum(axis=1), until)


def test_rates_are_derivatives_of_the_values() -> None:
    found = four_bar().batch(
        some(64, 0.1), until=1.0, steps=4000, outputs=["rocker.angle", "coupler.P"], derivatives=2
    )
    h = found.t[1]
    for name in found.names:
        channel = found[name]
        first = (channel.values[:, 2:] - channel.values[:, :-2]) / (2 * h)
        second = (
            channel.values[:, 2:] - 2 * channel.values[:, 1:-1] + channel.values[:, :-2]
        ) / h**2
        assert np.abs(first - channel.rate[:, 1:-1]).max() < 1e-3 * np.abs(channel.rate).max()
        assert np.abs(second - channel.acceleration[:, 1:-1]).max() < 1e-3 * np.abs(second).max()


def test_slider_cranks() -> None:
    rng = np.random.default_rng(2)
    press = kempe.gallery.slider_crank(crank=1.0, rod=3.0)
    cranks, rods = rng.uniform(0.8, 1.2, 300), rng.uniform(2.5, 4.0, 300)
    found = press.batch(
        {"crank": cranks, "rod": rods}, until=2.0, outputs=["slider.x", "crank.angle"]
    )
    angle = found["crank.angle"].values
    expected = cranks[:, None] * np.cos(angle) + np.sqrt(
        rods[:, None] ** 2 - (cranks[:, None] * np.sin(angle)) ** 2
    )
    assert found.is_done.all()
    assert np.abs(found["slider.x"].values - expected).max() < 1e-12
    assert np.allclose(np.ptp(angle, axis=1), 4 * np.pi)  # whole turns are counted


def test_distributions_are_drawn_alike_every_time() -> None:
    asked = {"crank": stats.norm(30.0, 0.1), "rocker": 71.0}
    first, again = (
        four_bar().batch(asked, until=1.0, outputs=["rocker.angle"], count=37, seed=5)
        for _ in range(2)
    )
    assert len(first) == 37
    assert np.array_equal(first.parameters["crank"], again.parameters["crank"])
    assert np.array_equal(first["rocker.angle"].values, again["rocker.angle"].values)
    assert first.parameters["crank"].std() == pytest.approx(0.1, rel=0.4)
    assert isinstance(first, Batch)
