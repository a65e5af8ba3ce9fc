"""The document of a four-bar that draws a path: all its dimensions are parameters."""

import math
from collections.abc import Mapping
from typing import Any

DIGITS = 7
LENGTHS = ("ax", "ay", "bx", "by", "crank", "coupler", "rocker", "px", "py")
ABOUT = {
    "ax": "ground pivot of the crank",
    "bx": "ground pivot of the rocker",
    "px": "the point that draws, along the coupler",
    "py": "and across it",
}


def four_bar_document(numbers: Mapping[str, float], *, unit: str, name: str) -> dict[str, Any]:
    """A four-bar with pivots (ax, ay), (bx, by) and coupler point P (px, py).

    `numbers` are lengths in `unit`, and the angles start, coupler_angle, rocker_angle in rad. The
    crank makes one turn a second.
    """
    angles = {
        body: _tidy(math.degrees(numbers[key]))
        for body, key in (
            ("crank", "start"),
            ("coupler", "coupler_angle"),
            ("rocker", "rocker_angle"),
        )
    }
    start = {"body": "ground", "at": ["ax", "ay"]}
    far = {"body": "ground", "at": ["bx", "by"]}
    return {
        "version": 1,
        "name": name,
        "plane": True,
        "units": {"length": unit, "angle": "deg"},
        "parameters": {key: _told(key, _tidy(numbers[key])) for key in LENGTHS},
        "bodies": {
            "crank": {"at": ["ax", "ay"], "angle": angles["crank"], "length": "crank"},
            "coupler": {
                "angle": angles["coupler"],
                "length": "coupler",
                "points": {"P": ["px", "py"]},
            },
            "rocker": {"at": ["bx", "by"], "angle": angles["rocker"], "length": "rocker"},
        },
        "joints": {
            "A": {"type": "revolute", "I": start, "J": "crank.start"},
            "B": {"type": "revolute", "I": "crank.end", "J": "coupler.start"},
            "C": {"type": "revolute", "I": "coupler.end", "J": "rocker.end"},
            "D": {"type": "revolute", "I": far, "J": "rocker.start"},
        },
        "drives": {"crank.angle": {"type": "ramp", "start": angles["crank"], "speed": "60 rpm"}},
    }


def _told(key: str, value: float) -> Any:
    return {"value": value, "doc": ABOUT[key]} if key in ABOUT else value


def _tidy(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
