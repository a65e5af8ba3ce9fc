"""A batch is, variant by variant, what `kinematics` gives on the branch of the mechanism itself."""

import math

import numpy as np
import pytest

import kempe


def compared(mechanism, columns, outputs, *, every=1, tolerance=1e-9, **how):
    """The batch, each variant of which is like a sweep of its own."""
    found = mechanism.batch(columns, outputs=outputs, derivatives=2, **how)
    start = mechanism.assemble()
    for k in range(0, len(found), every):
        try:
            alone = found.variant(k).kinematics(start=start, **how)
        except kempe.KempeError:
            assert found.outcomes[k] in ("NotReached", "Refused"), k
            assert found.samples[k] == 0
            continue
        n = len(alone)
        assert (found.outcomes[k], found.samples[k]) == (alone.outcome.name, n), found.why(k)
        for name in outputs:
            mine, own = found[name], alone[name]
            if hasattr(own, "velocity"):
                orders = (own.position, own.velocity, own.acceleration)
            else:
                orders = (own.values, own.rate, own.acceleration)
            for a, b in zip(mine.orders, orders, strict=True):
                size = np.abs(b).max(initial=1e-300)
                assert np.abs(a[k, :n] - b).max(initial=0.0) < tolerance * size, (k, name)
                assert np.isnan(a[k, n:]).all()
    return found


def test_in_space_with_a_cross_and_a_ball() -> None:
    rssr = kempe.gallery.rssr()
    usual = {k: v for k, v in rssr.parameters.items() if isinstance(v, float)}
    rng = np.random.default_rng(4)
    columns = {k: v * rng.uniform(0.97, 1.03, 24) for k, v in list(usual.items())[:3]}
    found = compared(rssr, columns, [rssr.model.moving[-1].name], until=1.0, steps=90)
    assert found.is_done.any()


def test_redundant_hinges_in_space() -> None:
    spatial = kempe.gallery.four_bar(start=0.0, plane=False)
    rng = np.random.default_rng(5)
    columns = {"crank": rng.uniform(0.8, 1.2, 17), "rocker": rng.uniform(2.8, 3.2, 17)}
    found = compared(spatial, columns, ["coupler.P", "rocker.angle"], until=1.0)
    assert found.is_done.all()


def test_dead_points() -> None:
    found = compared(
        kempe.gallery.four_bar(start=0.0),
        {
            "crank": np.linspace(0.5, 1.9, 41),
            "rocker": np.linspace(3.4, 2.0, 41),
        },
        ["rocker.angle", "coupler.P"],
        until=1.0,
        steps=100,
        tolerance=1e-7,
    )
    assert {"Done", "DeadPoint"} <= set(found.outcomes)


@kempe.parametric
def decided(crank=30.0, ground=100.0, offset=0.0):
    """Starts elsewhere, and has another coupler, where the crank is long."""
    coupler = 90.0 if crank < 33.0 else 95.0
    start = 0.3 if crank + coupler > ground + 22.0 else 0.0
    m = kempe.Builder("decided", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", 70.0)
    middle = m.bar("coupler", coupler, points={"P": (45.0, offset)})
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(ground, 0))
    m.drive(first.angle, start=start, rpm=60)
    return m.build()


def test_what_decides_by_comparisons_is_followed() -> None:
    rng = np.random.default_rng(6)
    columns = {
        "crank": rng.uniform(28.0, 38.0, 400),
        "ground": rng.uniform(95.0, 105.0, 400),
        "offset": rng.uniform(-5.0, 5.0, 400),
    }
    found = compared(decided(), columns, ["coupler.P", "crank.angle"], every=7, until=1.0, steps=60)
    assert found.notes == ()  # nothing was built one by one
    assert np.ptp(found["crank.angle"].values[:, 0]) == pytest.approx(0.3)


@kempe.parametric
def tilted(angle=10.0, length=50.0):
    """A number that is no sum: the cosine of a parameter, taken out of sight."""
    m = kempe.Builder("tilted", plane=True, units="mm")
    crank, rod, rocker = m.bar("crank", 20.0), m.bar("rod", length), m.bar("rocker", 45.0)
    turned = math.radians(angle)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(rocker.start, m.ground.at(60.0 * math.cos(turned), 60.0 * math.sin(turned)))
    m.drive(crank.angle, start=0.2, rpm=60)
    return m.build()


def test_what_is_no_sum_is_built_one_by_one() -> None:
    rng = np.random.default_rng(7)
    columns = {"angle": rng.uniform(-20.0, 20.0, 120), "length": rng.uniform(45.0, 60.0, 120)}
    found = compared(tilted(), columns, ["rod.end", "rocker.angle"], every=9, until=1.0, steps=60)
    assert "120 variants were built one by one" in found.notes[0]


def test_a_number_that_is_zero_in_the_mechanism_itself() -> None:
    rng = np.random.default_rng(8)
    columns = {"offset": rng.uniform(-30.0, 30.0, 64)}
    found = compared(decided(), columns, ["coupler.P"], every=5, until=1.0, steps=40)
    assert found.is_done.all()


def test_threads_do_not_change_a_bit() -> None:
    columns = {"crank": np.linspace(0.5, 1.5, 333)}
    mechanism = kempe.gallery.four_bar(start=0.0)
    one, many = (
        mechanism.batch(columns, until=1.0, outputs=["rocker.angle"], threads=n) for n in (1, 3)
    )
    assert np.array_equal(one["rocker.angle"].values, many["rocker.angle"].values, equal_nan=True)
