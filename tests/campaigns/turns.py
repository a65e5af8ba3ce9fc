"""Promise: gears, belts, racks, screws, planetary trains and springs run for a million turns.

In both plans, in the plane and in space, with a few samples or many; the outcome is `Done`, angles
are right to the rounding of the angle itself, speeds to rounding, and nothing slips by a turn.

Oracle: the closed forms: ratios of teeth and radii, Willis' formula, s = lead a / 2 pi, and the
cosine of a flywheel on a torsion spring.
"""

import math

import numpy as np

import kempe as kp
from kempe.couplers import Belt, Combination, GearPair, RackAndPinion, ScrewCoupler
from kempe.forces import TorsionSpring
from kempe.joints import Screw

CASES = 8
MOST, MOST_IN_SPACE, MOST_SIMULATED = 6.0, 4.5, 3.0  # powers of ten, of turns
ROUNDING = 64 * np.finfo(float).eps  # of the largest angle: a few sums and products of it
SPEED = 1e-9  # of the speed: it is solved for at a position that is known to rounding
SIMULATED = 1e-5  # of the amplitude, at the tolerance 1e-8 of a step, over some hundred steps


def attempt(rng: np.random.Generator) -> list[str]:
    """One train, turned up to a million times, or a flywheel on a wound spring."""
    kinds = (_wheels, _wheels, _rack, _screw, _planetary, _linkage, _spring)
    return kinds[rng.integers(len(kinds))](rng)


def _turns(rng: np.random.Generator, most: float) -> float:
    return float(10.0 ** rng.uniform(0.0, most))


def _wheel(m: kp.Builder, name: str, x: float) -> object:
    wheel = m.body(name, at=(x, 0), angle=0)
    m.revolute(m.ground.at(x, 0), wheel.at(0, 0), name=f"pin_{name}")
    return wheel


def _judged(
    rng: np.random.Generator, m: kp.Builder, turns: float, ratios: dict[str, float], case: str
) -> list[str]:
    """What is wrong where every named measure should be so many times the drive's angle."""
    plan, steps = str(rng.choice(["small", "large"])), int(rng.integers(1, 40))
    run = m.build().kinematics(until=turns, steps=steps, plan=plan)
    case = f"{case}, {turns!r} turns in {steps} steps, plan {plan}"
    if not run.outcome.is_done or len(run) != steps + 1:
        return [f"{len(run)} samples, {run.outcome}: {case}"]
    wrong = []
    for name, ratio in ratios.items():
        expected = ratio * math.tau * run.t
        off = float(np.abs(run[name].values - expected).max())
        if not off <= ROUNDING * math.tau * turns * max(1.0, *map(abs, ratios.values())):
            wrong.append(f"{name} is off by {off}: {case}")
        off = float(np.abs(run[name].rate - ratio * math.tau).max())
        if not off <= SPEED * math.tau * max(1.0, abs(ratio)):
            wrong.append(f"the rate of {name} is off by {off}: {case}")
    return wrong


def _wheels(rng: np.random.Generator) -> list[str]:
    """A train of two to five wheels, meshing, belted or tied by a formula."""
    plane = bool(rng.integers(2))
    m = kp.Builder("wheels", plane=plane)
    a, ratio, ratios = _wheel(m, "w0", 0.0), 1.0, {"w0.angle": 1.0}
    m.drive(a.angle, rpm=60)
    words = []
    for k in range(1, int(rng.integers(2, 6))):
        b = _wheel(m, f"w{k}", float(k))
        p, q = (int(n) for n in rng.integers(7, 90, 2))
        if abs(ratio) * p > 3.0 * q:  # faster wheels take more steps than a case may
            p, q = q, p
        how = int(rng.integers(4))
        pair = (a.angle, b.angle)
        if how == 0:
            internal = bool(rng.integers(2))
            m.couple(GearPair(pair, teeth=(p, q), internal=internal), f"c{k}")
            ratio *= p / q if internal else -p / q
        elif how == 1:
            crossed = bool(rng.integers(2))
            m.couple(Belt(pair, radii=(p / 97.0, q / 97.0), crossed=crossed), f"c{k}")
            ratio *= -p / q if crossed else p / q
        elif how == 2:
            m.couple(Combination(pair, coefficients=(float(p), float(-q))), f"c{k}")
            ratio *= p / q
        else:
            m.couple(GearPair(pair, teeth=(p / 7.0, p / 7.0)), f"c{k}")  # one to one
            ratio *= -1.0
        ratios[f"w{k}.angle"] = ratio
        words.append((how, p, q))
        a = b
    turns = _turns(rng, MOST if plane else MOST_IN_SPACE)
    return _judged(rng, m, turns, ratios, f"train {words}, plane={plane}")


def _rack(rng: np.random.Generator) -> list[str]:
    """A rack that goes thousands of times as far as it is long."""
    m = kp.Builder("rack", plane=bool(rng.integers(2)))
    radius = float(rng.uniform(0.01, 2.0))
    pinion = _wheel(m, "pinion", 0.0)
    rack = m.body("rack", at=(0, -radius))
    slide = m.prismatic(m.ground.at(0, -radius), rack.at(0, 0), name="slide")
    m.couple(RackAndPinion((slide.displacement, pinion.angle), radius=radius), "mesh")
    m.drive(pinion.angle, rpm=60)
    ratios = {"pinion.angle": 1.0, "slide.displacement": radius}
    return _judged(rng, m, _turns(rng, MOST_IN_SPACE), ratios, f"rack of radius {radius!r}")


def _screw(rng: np.random.Generator) -> list[str]:
    """A spindle as one joint, or as a coupler between a turn and a slide."""
    lead = float(rng.uniform(0.001, 0.5) * rng.choice([-1.0, 1.0]))
    turns = _turns(rng, MOST_IN_SPACE)
    m = kp.Builder("screw")
    if rng.integers(2):
        nut = m.body("nut", at=(0, 0, 0))
        screw = m.add(Screw(m.ground.at(0, 0, 0), nut.at(0, 0, 0), lead=lead, start=0.0), "screw")
        m.drive(screw.angle, rpm=60)
        ratios = {"screw.angle": 1.0, "nut.z": lead / math.tau}
        return _judged(rng, m, turns, ratios, f"screw joint of lead {lead!r}")
    spindle = m.body("spindle", at=(0, 0, 0))
    turn = m.revolute(m.ground.at(0, 0, 0), spindle.at(0, 0, 0), name="bearing")
    nut = m.body("nut", at=(0, 0.3, 0))
    slide = m.prismatic(m.ground.at(0, 0.3, 0), nut.at(0, 0, 0), along=(0, 0, 1), name="slide")
    m.couple(ScrewCoupler((slide.displacement, turn.angle), lead=lead), "thread")
    m.drive(turn.angle, rpm=60)
    ratios = {"bearing.angle": 1.0, "slide.displacement": lead / math.tau}
    return _judged(rng, m, turns, ratios, f"spindle of lead {lead!r}")


def _planetary(rng: np.random.Generator) -> list[str]:
    """Willis: (w_sun - w_carrier) / (w_ring - w_carrier) = -ring / sun; planets agree."""
    sun, planet, planets = (int(n) for n in (*rng.integers(8, 60, 2), rng.integers(1, 4)))
    held = str(rng.choice(["ring", "sun", "carrier"]))
    ring = sun + 2 * planet
    train = kp.gallery.planetary_train(sun=sun, planet=planet, planets=planets, held=held)
    w_sun, w_ring, w_arm = {
        "ring": (1.0, 0.0, sun / (sun + ring)),
        "sun": (0.0, 1.0, ring / (sun + ring)),
        "carrier": (1.0, -sun / ring, 0.0),
    }[held]
    w_planet = w_arm - (w_sun - w_arm) * sun / planet
    ratios = {"sun.angle": w_sun, "ring.angle": w_ring, "carrier.angle": w_arm}
    ratios |= {f"planet{k + 1}.angle": w_planet for k in range(planets)}
    case = f"planetary train {sun, planet, planets}, {held} held"
    return _judged(rng, train.edit(), _turns(rng, 5.0), ratios, case)


def _linkage(rng: np.random.Generator) -> list[str]:
    """A gear drives the crank of a four-bar: after N turns the rocker is where it was."""
    teeth = (int(rng.integers(10, 40)), int(rng.integers(10, 40)))
    turns = float(teeth[1] * int(10.0 ** rng.uniform(0.0, 3.5)))
    m = kp.gallery.four_bar().edit()
    m.remove("crank.angle")
    wheel = _wheel(m, "wheel", -1.0)
    m.couple(GearPair((wheel.angle, m.part("crank").angle), teeth=teeth, internal=True), "mesh")
    m.drive(wheel.angle, rpm=60)
    plan, steps = str(rng.choice(["small", "large"])), int(rng.integers(2, 9))
    run = m.build().kinematics(until=turns, steps=steps, plan=plan)
    case = f"four-bar behind gears {teeth}, {turns} turns in {steps} steps, plan {plan}"
    if not run.outcome.is_done:
        return [f"{len(run)} samples, {run.outcome}: {case}"]
    first, last = run["rocker.angle"].values[[0, -1]]
    if not abs(last - first) <= 100 * ROUNDING * math.tau * turns:
        return [f"the rocker comes back {last - first} rad off: {case}"]
    return []


def _spring(rng: np.random.Generator) -> list[str]:
    """A flywheel unwinds a torsion spring: a = -A (1 - cos w t), w = sqrt(k / I)."""
    plane = bool(rng.integers(2))
    wound = math.tau * _turns(rng, MOST_SIMULATED if plane else 1.5)
    inertia, stiffness = float(rng.uniform(0.1, 3.0)), float(rng.uniform(0.5, 20.0))
    m = kp.Builder("flywheel", plane=plane, gravity=(0, 0, 0))
    mass = kp.Inertia(1.0, np.zeros(3), inertia * np.eye(3))
    wheel = m.body("wheel", at=(0, 0), angle=0, inertia=mass)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0), name="pin")
    m.force(TorsionSpring(wheel.angle, stiffness=stiffness, theta_init=wound), "spring")
    w = math.sqrt(stiffness / inertia)
    plan = str(rng.choice(["small", "large"]))
    run = m.build().simulate(until=math.tau / w, steps=24, plan=plan)
    case = f"spring wound by {wound} rad, I = {inertia}, k = {stiffness}, plane={plane}, {plan}"
    if not run.outcome.is_done:
        return [f"{len(run)} samples, {run.outcome}: {case}"]
    expected = -wound * (1.0 - np.cos(w * run.t))
    off = float(np.abs(run["wheel.angle"].values - expected).max())
    return [f"the wheel is off by {off} rad: {case}"] if not off <= SIMULATED * wound else []
