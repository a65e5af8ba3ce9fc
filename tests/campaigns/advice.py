"""Promise: whoever follows a sentence of `check`, or of its refusal, ends up better off.

Oracle: the sentence is read and followed, word by word, with nothing of what made it: joints are
replaced, axes straightened, lengths changed, drives started elsewhere. Then the mechanism has what
the sentence promised.

The cases are loops of hinges in space with an axis askew, loops with more rows than they need, bars
pulled straight, and drives at a dead centre or on one hinge under two names.
"""

import dataclasses
import math
import re

import numpy as np

import kempe as kp
from kempe.errors import AssemblyError, DriveError
from kempe.geometry import Rotation

CASES = 12
LOOPS = ("bennett", "bricard", "sarrus")


def attempt(rng: np.random.Generator) -> list[str]:
    """One kind of trouble, of random size."""
    troubles = (askew, overclosed, stretched, dead_centre, one_hinge_twice)
    return troubles[int(rng.integers(len(troubles)))](rng)


def four_bar_in_space(rng: np.random.Generator) -> kp.Mechanism:
    """Parallel hinges in space: three rows more than it needs."""
    m = kp.Builder("hinges in space")
    lengths = [1.0, *rng.uniform(2.6, 3.4, 2).tolist()]
    names = ("crank", "coupler", "rocker")
    crank, coupler, rocker = (m.bar(n, x) for n, x in zip(names, lengths, strict=True))
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.start, name="B")
    m.revolute(coupler.end, rocker.end, name="C")
    m.revolute(rocker.start, m.ground.at(3.5, 0), name="D")
    m.drive(crank.angle, start=float(rng.uniform(0.5, 2.5)), rpm=60)
    return m.build()


def some_loop(rng: np.random.Generator) -> kp.Mechanism:
    name = str(rng.choice(["four", *LOOPS]))
    return four_bar_in_space(rng) if name == "four" else kp.gallery.MECHANISMS[name]()


def askew(rng: np.random.Generator) -> list[str]:
    """A hinge tilted by 1e-7 ... 1e-2 rad about any axis square to its own."""
    mechanism = some_loop(rng)
    hinges = [j.name for j in mechanism.model.joints if type(j).__name__ == "Revolute"]
    name = str(rng.choice(hinges))
    tilt, way = 10.0 ** rng.uniform(-7, -2), rng.uniform(0, math.tau)
    J = mechanism.model.joint(name).J
    builder = mechanism.edit()
    turn = Rotation.about((math.cos(way), math.sin(way), 0.0), float(tilt))
    builder.reattach(name, J=dataclasses.replace(J, rotation=J.rotation @ turn))
    tilted = builder.build()
    try:
        said = str(tilted.check())
    except AssemblyError as refusal:
        said = refusal.message
    found = re.search(r"check\(align=([-0-9.e]+)\)", said)
    if found is None:
        return []
    case = f"{mechanism.name}, {name!r} tilted by {tilt:.3g} at {way:.3g}"
    try:
        report = tilted.check(align=float(found[1]))
    except AssemblyError as refusal:
        return [f"align={found[1]} was advised and is refused ({refusal.message[:80]}): {case}"]
    return [] if report.is_ready else [f"align={found[1]} was advised and {report}: {case}"]


def overclosed(rng: np.random.Generator) -> list[str]:
    """Every joint that is told to be made looser is."""
    mechanism = some_loop(rng)
    report = mechanism.check()
    builder = mechanism.edit()
    for number in report.drives:
        builder.remove(number)
    gone = 0
    for sentence in map(str, report.looser):
        found = re.match(r"make '(.+)' .*\((\w+)\)(?: that turns about (x|y))?.*: (\d+)", sentence)
        if found is None:
            return [f"nobody can follow {sentence!r}"]
        old = mechanism.model.joint(found[1])
        J = old.J
        if found[3]:
            axis, angle = ((0, 1, 0), 0.5) if found[3] == "x" else ((1, 0, 0), -0.5)
            J = dataclasses.replace(J, rotation=J.rotation @ Rotation.about(axis, angle * math.pi))
        builder.replace(old.name, getattr(kp.joints, found[2])(old.I, J, name=old.name))
        gone += int(found[4])
    after = builder.build().check()
    case = f"{mechanism.name}: {'; '.join(map(str, report.looser))}"
    if after.mobility != report.mobility:
        return [f"looser joints give DOF {after.mobility} instead of {report.mobility}: {case}"]
    left = report.redundant_rows - gone
    if after.redundant_rows != left:
        return [f"{after.redundant_rows} redundant rows are left instead of {left}: {case}"]
    return []


def stretched(rng: np.random.Generator) -> list[str]:
    """Bars whose lengths add up to the distance of their pins."""
    n = int(rng.integers(2, 5))
    lengths = rng.uniform(0.5, 2.0, n)
    m = kp.Builder("stretched", plane=True)
    turn = float(rng.uniform(0, math.tau))
    way = np.array([math.cos(turn), math.sin(turn)])
    place, end, bars = np.zeros(2), m.ground.at(0, 0), []
    for k, length in enumerate(lengths):
        bar = m.bar(f"bar{k}", float(length), at=tuple(place.tolist()), angle=turn)
        m.revolute(end, bar.start, name=f"pin{k}")
        place, end = place + length * way, bar.end
        bars.append(bar)
    x, y = place.tolist()
    m.revolute(end, m.ground.at(x, y), name=f"pin{n}")
    mechanism = m.build()
    report = mechanism.check()
    case = f"bars {lengths.tolist()} at {turn:.6g}"
    if report.mobility != 0:
        return [f"DOF {report.mobility} instead of 0: {case}"]
    found = re.search(
        r"on '(\w+)' put '(\w+)' and '(\w+)' 1% (further apart|nearer to each other)", str(report)
    )
    if found is None:
        return [f"nothing is advised, though a longer bar helps: {case}"] if n > 2 else []
    body, one, two, apart = found.groups()
    share = 0.01 if apart == "further apart" else -0.01
    builder = mechanism.edit()
    joint = mechanism.model.joint(two)
    side = "I" if joint.I.body == body else "J"
    here = getattr(joint, side).position
    other = mechanism.model.joint(one)
    there = (other.I if other.I.body == body else other.J).position
    moved = [b + share * (b - a) for a, b in zip(there, here, strict=True)]
    place_of = dataclasses.replace(getattr(joint, side), position=tuple(moved))
    builder.reattach(two, **{side: place_of})
    for k, b in enumerate(mechanism.model.moving):  # out of the line, where nothing tells two ways
        guess = b.guess
        assert guess is not None
        bent = Rotation.planar(turn + (0.1 if k % 2 else -0.1))
        builder.replace(b.name, dataclasses.replace(b, guess=kp.Pose(guess.position, bent)))
    after = builder.build().check()
    if after.mobility < 1 or after.is_singular:
        return [f"following {found[0]!r} leads to {after}: {case}"]
    return []


def dead_centre(rng: np.random.Generator) -> list[str]:
    """A slider driven from where crank and rod are in line."""
    crank, rod = float(rng.uniform(0.5, 1.5)), float(rng.uniform(2.0, 4.0))
    far = crank + rod if rng.random() < 0.5 else rod - crank

    def built(start: float, lean: float) -> kp.Mechanism:
        m = kp.Builder("dead centre", plane=True)
        turn = 0.0 if far > rod else math.pi
        a = m.bar("crank", crank, at=(0, 0), angle=turn + lean)
        b = m.bar("rod", rod, at=(crank * math.cos(turn), 0.0), angle=0.0)
        s = m.body("slider", at=(start, 0), angle=0.0)
        m.revolute(m.ground.at(0, 0), a.start)
        m.revolute(a.end, b.start)
        m.revolute(b.end, s.at(0, 0))
        m.prismatic(m.ground.at(0, 0), s.at(0, 0))
        m.drive(s.x, start=start, speed=-0.01 if far > rod else 0.01)
        return m.build()

    case = f"crank {crank}, rod {rod}, slider at {far}"
    report = built(far, 0.0).check()
    if report.is_ready:
        return [f"a dead centre is called ready: {case}"]
    try:
        built(far, 0.0).kinematics(until=1.0, steps=3)
        return [f"what check calls not ready is swept: {case}"]
    except DriveError as refusal:
        if "at another value" not in refusal.message:
            return [f"the refusal says {refusal.message!r}: {case}"]
    elsewhere = built(far + (-0.05 if far > rod else 0.05), 0.2)
    if not elsewhere.check().is_ready:
        return [f"the drive at another value is not ready either: {case}"]
    done = elsewhere.kinematics(until=1.0, steps=3).outcome
    return [] if done.is_done else [f"from another value it ends {done}: {case}"]


def one_hinge_twice(rng: np.random.Generator) -> list[str]:
    """Two bars in a row, their first hinge driven under two names."""
    angles = rng.uniform(-1, 1, 2).tolist()

    def built(second: str) -> kp.Mechanism:
        m = kp.Builder("two names", plane=True)
        a = m.bar("a", 1.0, at=(0, 0), angle=angles[0])
        tip = (math.cos(angles[0]), math.sin(angles[0]))
        b = m.bar("b", 1.0, at=tip, angle=angles[1])
        hinge = m.revolute(m.ground.at(0, 0), a.start, name="hinge")
        m.revolute(a.end, b.start)
        m.drive(a.angle, start=angles[0], rpm=1)
        other = hinge.angle if second == "hinge.angle" else b.angle
        m.drive(other, start=angles[0] if second == "hinge.angle" else angles[1], rpm=1)
        return m.build()

    report = built("hinge.angle").check()
    if report.is_ready or set(report.idle_drives) != {"a.angle", "hinge.angle"}:
        return [f"two drives on one hinge: {report} (angles {angles})"]
    if "Remove the drive on 'hinge.angle', and drive 'b.angle' from" not in str(report):
        return [f"nothing is advised: {report}"]
    after = built("b.angle")
    if not after.check().is_ready or not after.kinematics(until=0.1, steps=2).outcome.is_done:
        return [f"another measure driven is no better: {after.check()} (angles {angles})"]
    return []
