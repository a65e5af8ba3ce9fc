"""A joint of somebody else's package is a word of model files: the package announces it."""

import os
import subprocess
import sys
from pathlib import Path

MODULE = '''
from dataclasses import dataclass
from typing import ClassVar

import kempe as kp


@dataclass(frozen=True)
class Groove(kp.AbstractJoint):
    """The origin of J rides on the parabola y = a x^2 of marker I."""

    a: float = 0.0

    rows: ClassVar[tuple[str, ...]] = ("m",)

    def phi(self, X_WI, X_WJ):
        d = X_WJ.position - X_WI.position
        x, y = d @ X_WI.axis(kp.X), d @ X_WI.axis(kp.Y)
        return [y - self.a * x * x]
'''
MODEL = """version: 1
name: pin in a groove
plane: true
bodies:
  carriage: {}
  pin: {}
joints:
  rail: {type: prismatic, I: {body: ground, axis: [1, 0, 0]}, J: {body: carriage, axis: [1, 0, 0]}}
  lift: {type: prismatic, I: {body: carriage, axis: [0, 1, 0]}, J: {body: pin, axis: [0, 1, 0]}}
  groove: {type: groove, I: ground, J: pin, a: 0.5}
drives:
  rail.displacement: {start: -1.0, speed: 2.0}
"""
SCRIPT = """
import kempe as kp
mechanism = kp.load("press.yaml")
turn = mechanism.kinematics(until=1.0, steps=8)
lift = turn["lift.displacement"].values - 0.5 * turn["rail.displacement"].values ** 2
assert abs(lift).max() < 1e-12, lift
mechanism.save("again.json")
assert type(kp.load("again.json").model.joint("groove")).__name__ == "Groove"
"""


def announced(folder: Path, target: str) -> subprocess.CompletedProcess[str]:
    """The script, run where a package announces a joint."""
    info = folder / "grooves-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: grooves\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[kempe.joints]\ngroove = {target}\n")
    (folder / "grooves.py").write_text(MODULE)
    (folder / "press.yaml").write_text(MODEL)
    there = {**os.environ, "PYTHONPATH": str(folder)}
    words = [sys.executable, "-c", SCRIPT]
    return subprocess.run(words, cwd=folder, env=there, capture_output=True, text=True, check=False)


def test_an_announced_joint_is_read_runs_and_is_written(tmp_path):
    ran = announced(tmp_path, "grooves:Groove")
    assert ran.returncode == 0, ran.stderr


def test_one_that_cannot_be_loaded_is_told_and_the_others_stay(tmp_path):
    ran = announced(tmp_path, "grooves:Gone")
    assert "grooves:Gone, of kempe.joints, cannot be loaded" in ran.stderr
    assert "groove" in ran.stderr.splitlines()[-1]
