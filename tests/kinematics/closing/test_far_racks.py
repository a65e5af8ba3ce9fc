"""Racks and screws start after many turns and far strokes, and readings count what was turned."""

import math

import numpy as np
import pytest

import kempe
from kempe.couplers import Belt, Combination, GearPair, RackAndPinion, ScrewCoupler
from kempe.joints import Screw

RADIUS, LEAD = 0.3, 0.05  # m
AT = (0.5, 1.0)  # where the rack is put
ALONG = (math.cos(0.5), math.sin(0.5), 0.0)
PUT = (AT[0]) * ALONG[0] + (AT[1] - 1.0) * ALONG[1]  # its displacement there, of a guide at (0, 1)
SIDES = [True, False]


def machine(coupler, start, *, plane, driven, put=True):
    """A wheel and a slide, one of them driven from `start` on."""
    m = kempe.Builder("rack", plane=plane)
    z = () if plane else (0.0,)
    wheel = m.body("wheel", **({"at": (0, 0, *z), "angle": 0.0} if put else {}))
    rack = m.body("rack", **({"at": (*AT, *z), "angle": 0.0} if put else {}))
    hinge = m.revolute(m.ground.at(0, 0, *z), wheel.at(0, 0, *z), name="hinge")
    guide = m.prismatic(m.ground.at(0, 1, *z), rack.at(0, 0, *z), name="guide", along=ALONG)
    size = {"radius": RADIUS} if coupler is RackAndPinion else {"lead": LEAD}
    m.couple(coupler((guide.displacement, hinge.angle), "pair", **size))
    m.drive(hinge.angle if driven == "wheel" else guide.displacement, start=start, speed=1.0)
    return m.build()


def per_radian(coupler):
    return RADIUS if coupler is RackAndPinion else LEAD / math.tau


@pytest.mark.parametrize("plane", SIDES)
@pytest.mark.parametrize("put", SIDES)
@pytest.mark.parametrize("turns", [0, 1, 100, 1000, 10**4, 10**6, -1000, 1000.4])
@pytest.mark.parametrize("coupler", [RackAndPinion, ScrewCoupler])
def test_a_wheel_that_starts_after_many_turns_has_moved_its_rack(coupler, plane, put, turns):
    """Exact: displacement = where it was put + radius * angle."""
    start = math.tau * turns
    motion = machine(coupler, start, plane=plane, driven="wheel", put=put).kinematics(
        until=1.0, steps=2
    )
    assert motion.outcome.is_done
    placed = PUT if put else -math.sin(0.5)
    exact = placed + per_radian(coupler) * (start + motion.t)
    rounding = 1e-9 + 1e-14 * abs(start)
    assert motion["guide.displacement"].values == pytest.approx(exact, abs=rounding, rel=1e-13)
    assert motion["hinge.angle"].values == pytest.approx(start + motion.t, rel=1e-13, abs=1e-9)


@pytest.mark.parametrize("plane", SIDES)
@pytest.mark.parametrize("stroke", [0.0, 1.0, 30.0, 1000.0, -1000.0])
@pytest.mark.parametrize("coupler", [RackAndPinion, ScrewCoupler])
def test_a_rack_that_starts_far_off_has_turned_its_wheel(coupler, plane, stroke):
    """Exact: angle = (displacement - where it was put) / radius, whole turns counted."""
    motion = machine(coupler, stroke, plane=plane, driven="rack").kinematics(until=1.0, steps=2)
    exact = (stroke + motion.t - PUT) / per_radian(coupler)
    assert motion["hinge.angle"].values == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert motion["wheel.angle"].values == pytest.approx(exact, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("plane", SIDES)
@pytest.mark.parametrize("start", [0.0, 2.9, -3.1, 100 * math.tau, 1e4 * math.tau + 1.0])
@pytest.mark.parametrize("kind", ["gears", "inner", "belt", "chain"])
def test_readings_of_a_mesh_obey_its_row_from_the_first_sample_on(plane, start, kind):
    """Exact: n_a a + n_b b = 0 as put, or r_a a = r_b b of a belt."""
    m = kempe.Builder("mesh", plane=plane)
    z = () if plane else (0.0,)
    hinges = []
    for k in range(3):
        wheel = m.body(f"w{k}", at=(3.0 * k, 0, *z), angle=0.0)
        hinges.append(m.revolute(m.ground.at(3.0 * k, 0, *z), wheel.at(0, 0, *z), name=f"h{k}"))
    angles = [hinge.angle for hinge in hinges]
    ratios = [1.0]
    for k in range(2 if kind == "chain" else 1):
        if kind == "belt":
            m.couple(Belt((angles[k], angles[k + 1]), radii=(1.3, 1.0)))
        else:
            m.couple(GearPair((angles[k], angles[k + 1]), teeth=(26, 20), internal=kind == "inner"))
        ratios.append(ratios[-1] * (1.3 if kind in ("belt", "inner") else -1.3))
    if kind != "chain":
        m.fixed(m.ground.at(6, 0, *z), m.part("w2").at(0, 0, *z))
        m.remove("h2")
    m.drive(angles[0], start=start, speed=math.tau)
    motion = m.build().kinematics(until=1.0, steps=4)
    for k, ratio in enumerate(ratios):
        exact = ratio * (start + math.tau * motion.t)
        for name in (f"h{k}.angle", f"w{k}.angle"):
            assert motion[name].values == pytest.approx(exact, rel=1e-12, abs=1e-9), name
        assert float(m.build().assemble()[f"h{k}.angle"]) == pytest.approx(
            ratio * start, rel=1e-12, abs=1e-9
        )


def small_rack(kind, radius, start):
    """A wheel or a screw of small advance, its slide put at `start` (m)."""
    m = kempe.Builder("rack", plane=kind != "screw")
    inertia = kempe.Inertia(1.0, (0, 0, 0), np.eye(3))
    if kind == "screw":
        nut = m.body("slide", at=(0, 0, start), inertia=inertia)
        joint = Screw(m.ground.at(0, 0, 0), nut.at(0, 0, 0), lead=math.tau * radius)
        return m, m.add(joint, "guide").displacement
    slide = m.body("slide", at=(start, 0), inertia=inertia)
    wheel = m.body("wheel", at=(0, 1), inertia=inertia)
    guide = m.prismatic(m.ground.at(0, 0), slide.at(0, 0), name="guide")
    m.revolute(m.ground.at(0, 1), wheel.at(0, 0), name="hinge")
    measures = (guide.displacement, wheel.angle)
    if kind == "combination":
        m.couple(Combination(measures, coefficients=(1.0, -radius), constant=start), "mesh")
    else:
        m.couple(RackAndPinion(measures, radius=radius), "mesh")
    return m, guide.displacement


@pytest.mark.parametrize("kind", ["rack", "combination", "screw"])
@pytest.mark.parametrize(("radius", "start"), [(1e-3, 1e3), (1e-5, 1e2), (1e-5, 1e6)])
def test_where_a_rack_of_small_advance_begins_changes_nothing(kind, radius, start):
    """Driven or given its rate, the slide goes as fast as it is told to."""
    m, stroke = small_rack(kind, radius, start)
    m.rate(stroke, 1e-3)
    thrown = m.build().simulate(until=0.1, steps=2)
    assert thrown["guide.displacement"].rate == pytest.approx(1e-3, rel=1e-9)
    assert thrown.notes == ()
    m, stroke = small_rack(kind, radius, start)
    m.drive(stroke, start=start, speed=1e-3)
    driven = m.build().kinematics(until=0.1, steps=2)
    assert driven.outcome.is_done
    assert driven["guide.displacement"].rate == pytest.approx(1e-3, rel=1e-9)
