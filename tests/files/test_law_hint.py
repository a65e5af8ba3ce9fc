"""A law of time with units inside is refused with how to write it, and that works."""

import math
import re

import pytest

import kempe
from kempe.errors import KempeError

DEGREE = math.pi / 180.0


def text(law, parameters=""):
    return f"""
version: 1
name: m
plane: true
units: {{angle: deg}}
parameters: {{w: 30 deg/s{parameters}}}
bodies:
  a: {{points: {{start: [0, 0], end: [1, 0]}}}}
joints:
  A: {{type: revolute, I: ground, J: a.start}}
drives:
  a.angle: '{law}'
"""


@pytest.mark.parametrize(
    ("law", "exact"),
    [
        ("90 deg/s * t", lambda t: 90 * DEGREE * t),
        ("90 deg/s*t + 5 deg", lambda t: (90 * t + 5) * DEGREE),
        ("3 rad/s^2 * t^2", lambda t: 3 * t**2),
        ("5 deg * sin(2*t)", lambda t: 5 * DEGREE * math.sin(2 * t)),
        ("w * t + 5 deg", lambda t: (30 * t + 5) * DEGREE),
        ("2 t", lambda t: 2 * DEGREE * t),
        ("0.25 turn/s * t", lambda t: 0.25 * math.tau * t),
    ],
)
def test_the_advised_way_of_writing_a_law_with_units_means_what_was_meant(tmp_path, law, exact):
    file = tmp_path / "m.yaml"
    file.write_text(text(law))
    with pytest.raises(KempeError) as caught:
        kempe.load(file)
    said = re.search(r"As a law of t write '([^']*)'(?:, with (.*) among)?", str(caught.value))
    more = ", " + said[2].replace(" and ", ", ") if said[2] else ""
    file.write_text(text(said[1], more))
    motion = kempe.load(file).kinematics(until=1.0, steps=4)
    assert motion["a.angle"].values == pytest.approx([exact(t) for t in motion.t], abs=1e-12)


@pytest.mark.parametrize("law", ["5 kg", "3 m/s * t", "5 bananas * t", "1 s * t", "90 deg/s * ("])
def test_what_is_no_law_of_an_angle_is_refused_without_such_advice(tmp_path, law):
    file = tmp_path / "m.yaml"
    file.write_text(text(law))
    with pytest.raises(KempeError) as caught:
        kempe.load(file)
    assert "As a law of" not in str(caught.value)
