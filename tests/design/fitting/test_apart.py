"""Shapes that must keep apart: distances of many variants, and designs that keep them."""

import math

import numpy as np
import pytest

import kempe as kp
from kempe.design.fitting.apart import Gaps
from kempe.errors import BadNumber, KempeError, UnknownName
from kempe.front.requests.on_branch import on_branch
from kempe.geometry.solids import Cuboid, Cylinder, Plate
from kempe.synthesis import Apart, Follow

NEAR = 1e-9  # m: two ways to the same distance
POST, RADIUS, HALF = 0.07 + 0.065j, 0.006, 0.004  # m


@kp.parametric
def wiper(crank=30.0, coupler=90.0, rocker=70.0, wide=8.0):
    m = kp.Builder("wiper", plane=True, units="mm")
    first, last = m.bar("crank", crank), m.bar("rocker", rocker)
    middle = m.bar("coupler", coupler)
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, middle.start)
    m.revolute(middle.end, last.end)
    m.revolute(last.start, m.ground.at(100, 0))
    m.drive(first.angle, rpm=60)
    long, half = 1e-3 * (rocker + 10), 0.5e-3 * wide
    notched = ((-long, -half), (long, -half), (long, half), (0.0, 0.3 * half), (-long, half))
    m.shape(last, Plate(notched, 0.005), at=(rocker / 2, 0), name="blade")
    m.shape(m.ground, Cylinder(RADIUS, 0.005), at=(1e3 * POST.real, 1e3 * POST.imag), name="post")
    m.shape(m.ground, Cuboid((0.02, 0.03, 0.005)), at=(0, -60), name="case")
    m.shape(m.ground, Cuboid((0.5, 0.5, 0.005)), at=(0, 0, 20), name="cover")
    return m.build()


@kp.parametric
def arm(length=1.0, height=0.6):
    m = kp.Builder("arm")
    body = m.bar("arm", length)
    m.revolute(m.ground.at(0, 0), body.start)
    m.shape(body, Cuboid((length, 0.1, 0.02)), at=(length / 2, 0, 0), name="beam")
    m.shape(m.ground, Cylinder(0.1, 1.0), at=(0.3, height, 0), name="column")
    m.drive(body.angle, speed=1)
    return m.build()


@pytest.mark.parametrize(
    ("made", "box", "is_fitted"),
    [
        (wiper(), {"crank": (20, 35), "rocker": (60, 80), "wide": (4, 9)}, True),
        (wiper(), {"crank": (20, 35), "wide": (-4, 9)}, False),  # corners in another order
        (arm(), {"length": (0.4, 0.7), "height": (0.5, 0.8)}, False),
    ],
)
def test_distances_of_variants_are_those_that_interference_tells_of_each(made, box, is_fitted):
    gaps = Gaps(Apart(margin=100.0), lambda p: made.with_parameters(p).model, box)
    assert (gaps.fit is not None) == is_fitted
    rng = np.random.default_rng(4)
    columns = {name: rng.uniform(*pair, 4) for name, pair in box.items()}
    found = made.batch(columns, until=0.9, steps=11, outputs=gaps.names)
    read = {name: (found[name].values,) for name in gaps.names}
    slacks = gaps.slacks(read, columns).reshape(4, len(gaps.pairs), -1)
    seen = 0
    for k in range(4):
        try:
            one = made.with_parameters({name: float(x[k]) for name, x in columns.items()})
        except BadNumber:  # a plate that crosses itself
            assert np.isnan(slacks[k]).all()
            continue
        one = on_branch(made, one.parameters, (0.9, 11, None))
        motion = one.kinematics(until=0.9, steps=11)
        told = motion.interference()
        for row, (first, second) in zip(slacks[k], gaps.pairs, strict=True):
            pair = told[first, second]
            distances = gaps.reach * row + 100.0 + gaps.leeway
            assert np.abs(distances - pair.gaps(motion.t)).max() < NEAR
            seen += 1
    assert seen > 2


def swing(mechanism, crank, coupler):
    made = mechanism.with_parameters({"crank": crank, "coupler": coupler})
    values = made.kinematics(until=1.0, steps=24)["rocker.angle"].values
    return Follow("rocker.angle", values - values[0], free=True)


def room_of_the_post(mechanism):
    """The least distance of the blade's middle line from the post's middle, by complex numbers."""
    run = mechanism.kinematics(until=1.0, steps=5000)
    start, end = (run[f"rocker.{word}"].position @ [1.0, 1j] for word in ("start", "end"))
    along = (end - start) / abs(end - start)
    at = (POST - start) * along.conj()
    return float(np.abs(at.imag)[at.real > 0.0].min())


def test_a_design_keeps_shapes_apart_and_pays_for_it():
    margin = 0.002
    bounds = {"crank": (20.0, 45.0), "coupler": (60.0, 120.0), "rocker": (50.0, 90.0)}
    made, how = wiper(wide=2e3 * HALF), {"until": 1.0, "steps": 24, "starts": 64, "keep": 2}
    free = made.design(bounds, swing(made, 36.0, 84.0), **how)
    assert room_of_the_post(free.mechanism) < RADIUS + HALF
    require = [Apart(between=["rocker.blade", "ground.post"], margin=margin)]
    held = made.design(bounds, swing(made, 36.0, 84.0), require=require, **how)
    assert held.is_kept, held.message
    told = held.mechanism.kinematics(until=1.0).interference(between=["rocker", "ground"])
    assert told["rocker.blade", "ground.post"].gap > margin
    assert room_of_the_post(held.mechanism) > RADIUS + margin
    assert held.square_sum > free.square_sum


def test_shapes_that_cannot_keep_apart_are_told():
    target = Follow("rocker.angle", [0.0, -0.3], free=True)
    found = wiper().design(
        {"coupler": (88.0, 92.0)}, target, 0.5, 24, starts=8, keep=1, require=[Apart()]
    )
    assert not found.is_kept
    assert 0.004 < found.broken["Apart"] < 0.02
    assert "not kept: Apart by" in found.message


def test_what_cannot_be_kept_apart_is_refused():
    target = Follow("rocker.angle", [0.0, -0.3], free=True)
    for require, kind, words in (
        (Apart(["blade"]), UnknownName, "no body or shape 'blade'"),
        (Apart(["rocker"]), BadNumber, "nothing to keep apart"),
    ):
        with pytest.raises(kind, match=words):
            wiper().design({"crank": (20, 40)}, target, 0.5, starts=4, require=[require])
    for margin in (-1.0, math.nan, "3 deg"):
        with pytest.raises(KempeError):
            Apart(margin=margin)


def test_a_variant_starts_on_the_branch_that_its_distances_were_measured_on():
    """A model without first guesses is put together anew for every variant, on either branch."""
    made, sides = wiper(), set()
    for crank in np.linspace(20.0, 33.0, 8):
        values = {"crank": float(crank), "wide": -2.0}
        led = made.batch({n: [x] for n, x in values.items()}, 0.5, 5, outputs=["rocker.angle"])
        wanted = led["rocker.angle"].values[0]
        alone = made.with_parameters(values).kinematics(0.5, 5)["rocker.angle"].values
        sides.add(bool(np.abs(alone - wanted).max() < 1e-6))
        found = on_branch(made, values, (0.5, 5, None))
        assert np.abs(found.kinematics(0.5, 5)["rocker.angle"].values - wanted).max() < NEAR
        assert found.parameters["crank"] == crank
    assert sides == {True, False}
