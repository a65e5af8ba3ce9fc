"""One body on one joint, against time histories of MSC ADAMS.

Source: Project Chrono (BSD-3-Clause), data of its unit tests of joints: six digits over 5 s, here
every half second. The tolerances of
positions are those within which an independent solver agrees with each history.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from kempe import Builder, Inertia, Marker, Rotation
from kempe.forces import LineSpring
from kempe.joints import Cylindrical, Prismatic, Revolute, Rod, Spherical, Universal

CASES = json.loads((Path(__file__).parent / "adams" / "joints.json").read_text())
AXIAL = {"cylindrical": Cylindrical, "prismatic": Prismatic, "revolute": Revolute}
#: Beside the position's tolerance: rates grow with the pendulum's w of about 3 rad/s, and with
#: six digits of values up to 30.
PER_SECOND = 5.0
#: Attitudes of a pendulum 2 m long, per metre.
PER_METRE = 1.0


def built(case):
    m = Builder("one joint", gravity=case["gravity"])
    R = Rotation.from_matrix(case["rotation"] or np.eye(3))
    body = m.body(
        "pendulum",
        at=case["position"],
        rotation=R,
        inertia=Inertia(case["mass"], (0, 0, 0), case["inertia"]),
        velocity=case["velocity"],
        spin=case["spin"],
    )
    matrix, centre = R.matrix(), np.array(case["position"])

    def marker(name, at, *axes):
        """A place and axes given in the world, seen from the body."""
        if name == "ground":
            place, turn = np.array(at, float), np.eye(3)
        else:
            place, turn = matrix.T @ (np.array(at) - centre), matrix.T
        axis = axes[0] if axes else (0, 0, 1)
        frame = Rotation.from_matrix(turn @ Rotation.with_z(axis).matrix())
        return Marker(name, tuple(place.tolist()), frame)

    for joint in case["joints"]:
        i, j = joint["body_i"], joint["body_j"]
        if joint["type"] in AXIAL:
            kind, at, z = AXIAL[joint["type"]], joint["anchor"], joint["axis"]
            m.add(kind(marker(i, at, z), marker(j, at, z)), "joint")
        elif joint["type"] == "spherical":
            m.add(Spherical(marker(i, joint["anchor"]), marker(j, joint["anchor"])), "joint")
        elif joint["type"] == "universal":
            at = joint["anchor"]
            ends = (marker(i, at, joint["axis_i"]), marker(j, at, joint["axis_j"]))
            m.add(Universal(*ends), "joint")
        else:
            ends = (marker(i, joint["anchor_i"]), marker(j, joint["anchor_j"]))
            m.add(Rod(*ends, length=joint["length"]), "joint")
    for spring in case["forces"]:
        ends = (marker(spring[f"body_{end}"], spring[f"anchor_{end}"]) for end in ("i", "j"))
        force = LineSpring(*ends, spring["stiffness"], spring["damping"], spring["free_length"])
        m.force(force, "spring")
    assert body.name == "pendulum"
    return m.build()


@pytest.mark.parametrize("name", CASES)
def test_a_body_on_a_joint_moves_as_in_adams(name):
    case = CASES[name]
    rows = np.array(case["rows"])
    column = {word: k for k, word in enumerate(case["columns"])}
    motion = built(case).simulate(until=5.0, steps=10)
    close = case["position_tolerance"]

    def told(letters, prefix=""):
        return rows[:, [column[prefix + letter] for letter in letters]]

    assert motion.outcome.is_done
    found = motion["pendulum"]
    assert np.abs(found.position - told("xyz")).max() < close
    assert np.abs(found.velocity - told("xyz", "v")).max() < PER_SECOND * close
    assert np.abs(found.acceleration - told("xyz", "a")).max() < PER_SECOND**2 * close
    quaternions = motion.motion.q[:, 3:7]
    turned = np.array([np.abs(q @ e) for q, e in zip(quaternions, told("0123", "e"), strict=True)])
    assert np.abs(turned - 1.0).max() < PER_METRE * close
    if case["joints"]:
        size = np.linalg.norm(motion["joint.force"].values, axis=1)
        assert np.abs(size - np.linalg.norm(told("xyz", "R"), axis=1)).max() < (
            PER_SECOND**2 * close * case["mass"]
        )
