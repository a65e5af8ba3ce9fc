"""Small ASMT files of our own writing, from parts, joints and motions in Python."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

Frame = tuple[Sequence[float], np.ndarray]
HERE = ((0.0, 0.0, 0.0), np.eye(3))


def indented(depth: int, *lines: str) -> list[str]:
    return ["\t" * depth + line for line in lines]


def row(numbers: Sequence[float]) -> str:
    return "".join(f"{float(x)!r} \t" for x in numbers)


def frame(depth: int, at: Frame) -> list[str]:
    """Position3D and RotationMatrix."""
    place, R = at
    return [
        *indented(depth, "Position3D", "\t" + row(place), "RotationMatrix"),
        *indented(depth + 1, *(row(r) for r in R)),
    ]


def value(depth: int, label: str, text: object) -> list[str]:
    return indented(depth, label, f"\t{text}")


@dataclass
class Part:
    """A part: its markers by name, where it was put, and what it weighs."""

    markers: dict[str, Frame] = field(default_factory=dict)
    at: Frame = HERE
    mass: float = 1.0
    moments: Sequence[float] = (1.0, 1.0, 1.0)
    centre: Frame = HERE
    velocity: Sequence[float] = (0.0, 0.0, 0.0)
    spin: Sequence[float] = (0.0, 0.0, 0.0)


def points(depth: int, markers: dict[str, Frame]) -> list[str]:
    lines = indented(depth, "RefPoints")
    for name, at in markers.items():
        lines += [*indented(depth + 1, "RefPoint"), *frame(depth + 2, HERE)]
        lines += indented(depth + 2, "Markers", "\tMarker")
        lines += [*value(depth + 4, "Name", name), *frame(depth + 4, at)]
    return [*lines, *indented(depth, "RefCurves", "RefSurfaces")]


def part_lines(name: str, part: Part) -> list[str]:
    lines = [*indented(2, "Part"), *value(3, "Name", name), *frame(3, part.at)]
    lines += [*value(3, "Velocity3D", row(part.velocity)), *value(3, "Omega3D", row(part.spin))]
    lines += [*indented(3, "FeatureOrder", "PrincipalMassMarker"), *value(4, "Name", "MassMarker")]
    lines += [*frame(4, part.centre), *value(4, "Mass", part.mass)]
    lines += [*value(4, "MomentOfInertias", row(part.moments)), *value(4, "Density", 1.0)]
    return [*lines, *points(3, part.markers)]


def members(depth: int, listed: Sequence[dict[str, object]]) -> list[str]:
    lines: list[str] = []
    for entry in listed:
        lines += indented(depth, str(entry["kind"]))
        for label, text in entry.items():
            if label != "kind":
                lines += value(depth + 1, label, text)
    return lines


def asmt_text(
    parts: dict[str, Part],
    ground: dict[str, Frame] | None = None,
    joints: Sequence[dict[str, object]] = (),
    motions: Sequence[dict[str, object]] = (),
    limits: Sequence[dict[str, object]] = (),
    forces: Sequence[dict[str, object]] = (),
    gravity: Sequence[float] = (0.0, 0.0, 0.0),
    times: Sequence[float] = (0.0, 1.0, 0.1),
    series: Sequence[str] = (),
) -> bytes:
    """A whole file; markers are named as in "/A/part/marker" and "/A/marker"."""
    lines = ["OndselSolver", "Assembly", *value(1, "Name", "A"), *frame(1, HERE)]
    lines += [*value(1, "Velocity3D", row((0, 0, 0))), *value(1, "Omega3D", row((0, 0, 0)))]
    lines += [*points(1, ground or {}), *indented(1, "Parts")]
    for name, part in parts.items():
        lines += part_lines(name, part)
    lines += indented(1, "KinematicIJs", "ConstraintSets", "\tJoints")
    lines += [*members(3, joints), *indented(2, "Motions"), *members(3, motions)]
    lines += [*indented(2, "Limits"), *members(3, limits), *indented(2, "GeneralConstraintSets")]
    lines += [*indented(1, "ForceTorques"), *members(2, forces)]
    lines += [*value(1, "ConstantGravity", row(gravity)), *indented(1, "SimulationParameters")]
    for word, number in zip(("tstart", "tend", "hout"), times, strict=True):
        lines += value(2, word, number)
    return ("\n".join([*lines, *series]) + "\n").encode()


@pytest.fixture
def part() -> type[Part]:
    return Part


@pytest.fixture
def asmt() -> Callable[..., bytes]:
    """asmt(parts, ground, joints, ...) is the text of a file."""
    return asmt_text


@pytest.fixture
def pendulum() -> bytes:
    """A bar on a hinge, driven by half a turn a second."""
    return asmt_text(
        {
            "bar": Part(
                {"eye": HERE, "tip": ((2.0, 0.0, 0.0), np.eye(3))}, centre=((1, 0, 0), np.eye(3))
            )
        },
        {"pin": HERE},
        joints=[hinge("/A/pin", "/A/bar/eye")],
        motions=[
            {
                "kind": "RotationalMotion",
                "Name": "turn",
                "MotionJoint": "/A/hinge",
                "RotationZ": "pi*time",
            }
        ],
        gravity=(0.0, -9.81, 0.0),
    )


def hinge(I: str, J: str, name: str = "hinge") -> dict[str, object]:
    return {"kind": "RevoluteJoint", "Name": name, "MarkerI": I, "MarkerJ": J}
