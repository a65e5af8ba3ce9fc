"""A machine is as large as its parts, however far its drives take it."""

import math

import pytest

import kempe
from kempe.couplers import GearPair, RackAndPinion, ScrewCoupler

RADIUS, LEAD = 0.3, 0.05  # m
PUT = 0.5  # m: where the rack is put
SIDES = [True, False]
STROKES = [5000.0, 1e5, -1e5, 1e6, -1e6]


def machine(coupler, stroke, *, plane, driven="rack", beside=False):
    """A wheel and a rack, one of them driven from `stroke` on; `beside` it a crank of its own."""
    m = kempe.Builder("rack", plane=plane)
    z = () if plane else (0.0,)
    wheel = m.body("wheel", at=(0, 0, *z), angle=0.0)
    rack = m.body("rack", at=(PUT, 1, *z), angle=0.0)
    hinge = m.revolute(m.ground.at(0, 0, *z), wheel.at(0, 0, *z), name="hinge")
    guide = m.prismatic(
        m.ground.at(0, 1, *z), rack.at(0, 0, *z), name="guide", along=(1, 0, *(z or (0.0,)))
    )
    size = {"radius": RADIUS} if coupler is RackAndPinion else {"lead": LEAD}
    m.couple(coupler((guide.displacement, hinge.angle), "pair", **size))
    if driven == "rack":
        m.drive(guide.displacement, start=stroke, speed=1.0)
    else:
        m.drive(hinge.angle, start=stroke / per_radian(coupler), speed=1.0)
    if beside:
        crank = m.bar("crank", 0.2)
        m.drive(m.revolute(m.ground.at(4, 0, *z), crank.start, name="own").angle, speed=1.0)
    return m.build()


def per_radian(coupler):
    return RADIUS if coupler is RackAndPinion else LEAD / math.tau


@pytest.mark.parametrize("plane", SIDES)
@pytest.mark.parametrize("plan", ["small", "large"])
@pytest.mark.parametrize("stroke", STROKES)
@pytest.mark.parametrize("coupler", [RackAndPinion, ScrewCoupler])
def test_a_rack_that_starts_very_far_off_turns_its_wheel(coupler, plane, plan, stroke):
    """Exact: angle = (displacement - where it was put) / radius."""
    built = machine(coupler, stroke, plane=plane)
    motion = built.kinematics(until=1.0, steps=2, plan=plan)
    assert motion.outcome.is_done
    exact = (stroke + motion.t - PUT) / per_radian(coupler)
    assert motion["hinge.angle"].values == pytest.approx(exact, rel=1e-12)
    assert motion["hinge.angle"].rate == pytest.approx([1.0 / per_radian(coupler)] * 3, rel=1e-9)


@pytest.mark.parametrize("plane", SIDES)
@pytest.mark.parametrize("beside", SIDES)
@pytest.mark.parametrize("driven", ["rack", "wheel"])
@pytest.mark.parametrize("stroke", [0.0, *STROKES])
def test_check_counts_the_freedoms_of_a_rack_wherever_it_starts(plane, beside, driven, stroke):
    report = machine(RackAndPinion, stroke, plane=plane, driven=driven, beside=beside).check()
    assert report.is_ready
    assert report.mobility == 1 + beside
    assert not report.is_singular
    assert not report.idle_drives


@pytest.mark.parametrize("plane", SIDES)
def test_the_size_of_a_machine_does_not_follow_its_drives(plane):
    sizes = {machine(RackAndPinion, s, plane=plane).layout.size for s in (2.0, 1e3, 1e6)}
    assert sizes == {1.0}  # the guide is 1 m above the wheel


@pytest.mark.parametrize("plane", SIDES)
def test_a_slide_alone_is_as_large_as_its_stroke(plane):
    m = kempe.Builder("slide", plane=plane)
    z = () if plane else (0.0,)
    slide = m.body("slide")
    guide = m.prismatic(m.ground.at(0, 0, *z), slide.at(0, 0, *z), along=(1, 0, 0))
    m.drive(guide.displacement, start=1e6, speed=1.0)
    motion = m.build().kinematics(until=1.0, steps=2)
    assert motion["slide.x"].values == pytest.approx(1e6 + motion.t, rel=1e-15)


@pytest.mark.parametrize("plane", SIDES)
@pytest.mark.parametrize("reach", [1e3, 1e6])
def test_gears_on_a_carriage_that_is_far_away_mesh(plane, reach):
    """Exact: 20 a + 10 b = 0, as put, on a carriage at any place."""
    m = kempe.Builder("carriage", plane=plane)
    z = () if plane else (0.0,)
    carriage = m.body("carriage", at=(0, 0, *z))
    guide = m.prismatic(m.ground.at(0, 0, *z), carriage.at(0, 0, *z), along=(1, 0, 0))
    angles = []
    for k in range(2):
        wheel = m.body(f"w{k}", at=(3.0 * k, 0, *z), angle=0.0)
        angles.append(m.revolute(carriage.at(3.0 * k, 0, *z), wheel.at(0, 0, *z), name=f"h{k}"))
    m.couple(GearPair((angles[0].angle, angles[1].angle), teeth=(20, 10)))
    m.drive(guide.displacement, start=reach, speed=1.0)
    m.drive(angles[0].angle, speed=math.tau)
    built = m.build()
    assert built.check().is_ready
    motion = built.kinematics(until=1.0, steps=4)
    assert motion["h1.angle"].values == pytest.approx(-2.0 * math.tau * motion.t, abs=1e-9)
    assert motion["w1.x"].values == pytest.approx(3.0 + reach + motion.t, rel=1e-14)
