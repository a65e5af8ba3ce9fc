"""Promise: a model that is written as kempe's own file and read again is the same, in every bit.

Linkages of the plane and chains in space with random joints, laws, forces, stops, points and
masses, by the builder; each as YAML or JSON, with everything worked out or as it stands. As ASMT,
DXF, URDF and MJCF what the reports do not list comes back: every body lies where it lay, with as
many freedoms.

Oracle: the numbers that went in, compared as bits; for other programs' files the positions of all
bodies in the model that was written.
"""

import tempfile
from pathlib import Path

import numpy as np

import kempe as kp
from kempe.drives import Harmonic, Polynomial, Ramp, Table, TextFormula
from kempe.files.documents.writer import document_data
from kempe.files.syntax.text import json_text

CASES = 20
SAME_PLACE = 1e-9  # m, of machines of 1 m


def attempt(rng: np.random.Generator) -> list[str]:
    """One mechanism, written and read again."""
    plane = bool(rng.random() < 0.6)
    mechanism = (_in_the_plane if plane else _in_space)(rng)
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("yaml", "json"):
            path = Path(folder) / f"a.{ending}"
            mechanism.save(path)
            again = kp.load(path)
            first, second = (json_text(document_data(m.model)) for m in (mechanism, again))
            if first != second:
                wrong.append(
                    f"a model is not the same after .{ending}: {_differing(first, second)}"
                )
        for ending in (*(("dxf",) if plane else ()), "asmt", "urdf", "xml"):
            wrong += _foreign(mechanism, Path(folder) / f"a.{ending}")
    return wrong


def _foreign(mechanism: kp.Mechanism, path: Path) -> list[str]:
    has_masses = all(body.inertia is not None for body in mechanism.model.moving)
    if path.suffix == ".xml" and not has_masses:  # refused, as MuJoCo would
        return []
    report = mechanism.export(path)
    again = kp.load(path)
    lost = {item.what for item in (*report.left_out, *again.imported.report.left_out)}
    if any(what.startswith(("joint", "coupler", "freedom", "body")) for what in lost):
        return []
    bodies = [b.name for b in mechanism.model.moving]
    found = [b.name for b in again.model.moving]
    links = (
        set(found) - set(bodies) if path.suffix == ".xml" else set()
    )  # between two of its joints
    if set(found) - links != set(bodies) or not all("_link_" in name for name in links):
        return [f"{path.suffix} has the bodies {found}, not {bodies}"]
    if path.suffix in (".asmt", ".xml"):  # a link of URDF has the frame of its joint
        places = [m.assemble().poses for m in (mechanism, again)]
        for body in bodies:
            a, b = (X[body].matrix() for X in places)
            if not np.abs(a - b).max() <= SAME_PLACE:
                return [f"body {body!r} lies elsewhere after {path.suffix}: {a} and {b}"]
    counts = [m.check().freedom for m in (mechanism, again)]
    if counts[0] != counts[1]:
        return [f"{counts[0]} freedoms are {counts[1]} after {path.suffix}"]
    return []


def _differing(first: str, second: str) -> str:
    for a, b in zip(first.splitlines(), second.splitlines(), strict=False):
        if a != b:
            return f"{a} and {b}"
    return f"{len(first)} and {len(second)} letters"


def _law(rng: np.random.Generator, start: float):
    a, b, c = (float(x) for x in rng.normal(size=3))
    laws = (
        Ramp(start, a, b),
        Harmonic(mean=start, amplitude=a, frequency=abs(b) + 0.1, phase=0.0),
        Polynomial((start, a, b, c)),
        TextFormula("a + b * sin(t) * exp(-t)", ("a", "b"), (start, b)),
        Table(((0.0, start), (0.5, start + a), (1.0, start + b))),
    )
    return laws[int(rng.integers(len(laws)))]


def _inertia(rng: np.random.Generator) -> kp.Inertia:
    a = rng.normal(size=(3, 3))
    spread = a @ a.T
    tensor = np.trace(spread) * np.eye(3) - spread
    return kp.Inertia(float(rng.uniform(0.1, 3)), rng.normal(size=3) * 0.1, tensor)


def _in_the_plane(rng: np.random.Generator) -> kp.Mechanism:
    """A chain of bars from the ground, and perhaps a dyad that closes it."""
    units = {"m": 1.0, "mm": 1e-3, "cm": 1e-2}
    word = str(rng.choice(list(units)))
    m, unit = kp.Builder("planar", plane=True, units=word), units[word]
    at, before, last, drives = np.zeros(2), m.ground.at(0, 0), 0.0, []
    for k in range(int(rng.integers(1, 5))):
        length, angle = float(rng.uniform(0.2, 1.0)), float(rng.uniform(-3, 3))
        points = {"P": tuple(rng.normal(size=2) / unit * 0.3)} if rng.random() < 0.5 else None
        bar = m.bar(
            f"bar{k}", length / unit, at=tuple(at / unit), angle=angle, points=points,
            mass=float(rng.uniform(0.1, 2)) if rng.random() < 0.4 else None,
        )  # fmt: skip
        joint = m.revolute(before, bar.start, name=f"pin{k}")
        if rng.random() < 0.5:
            drives.append((joint.angle, angle - last))
        last = angle
        before, at = bar.end, at + length * np.array([np.cos(angle), np.sin(angle)])
    if rng.random() < 0.5:
        slider = m.body("slider", at=tuple(at / unit))
        m.revolute(before, slider.at(0, 0), name="last")
        way = (float(np.cos(angle)), float(np.sin(angle)))
        m.prismatic(m.ground.at(*(at / unit)), slider.at(0, 0), along=way, name="rail")
    for gauge, start in drives[:1]:
        m.drive(gauge, Ramp(start, float(rng.uniform(1, 10))))
    return m.build()


def _in_space(rng: np.random.Generator) -> kp.Mechanism:
    """An open chain by hinges, sliders, sleeves, balls, crosses and welds in any direction."""
    m = kp.Builder("chain", gravity=tuple(float(x) for x in rng.normal(size=3)))
    before = m.ground.at(*(float(x) for x in rng.normal(size=3)))
    kinds = (
        kp.joints.Revolute,
        kp.joints.Prismatic,
        kp.joints.Cylindrical,
        kp.joints.Spherical,
        kp.joints.Universal,
        kp.joints.Fixed,
        kp.joints.ParallelAxes,
        kp.joints.PointOnLine,
    )
    for k in range(int(rng.integers(1, 4))):
        body = m.body(
            f"b{k}",
            points={"Q": tuple(float(x) for x in rng.normal(size=3))},
            inertia=_inertia(rng) if rng.random() < 0.6 else None,
        )
        after = body.at(*(float(x) for x in rng.normal(size=3) * 0.4))
        kind = kinds[int(rng.integers(len(kinds)))]
        ways = [tuple(float(x) for x in rng.normal(size=3)) for _ in range(2)]
        I, J = (marker.facing(way) for marker, way in zip((before, after), ways, strict=True))
        joint = m.add(kind(I, J), f"j{k}")
        if kind is kp.joints.Revolute and rng.random() < 0.7:
            m.drive(joint.angle, _law(rng, float(rng.uniform(-1, 1))))
        elif kind is kp.joints.Prismatic and rng.random() < 0.7:
            m.drive(joint.displacement, _law(rng, float(rng.uniform(-1, 1))))
        if rng.random() < 0.3:
            spring = kp.forces.LineSpring(
                m.ground.at(5, 5, 5), after, *(float(x) for x in rng.uniform(0, 9, 4))
            )
            m.force(spring, f"s{k}")
        before = body.at(*(float(x) for x in rng.normal(size=3) * 0.4))
    return m.build()
