"""Documents of linkages that draw a path: all their lengths and places are parameters."""

import math
from collections.abc import Mapping
from typing import Any

DIGITS = 7
ABOUT = {
    "ax": "ground pivot of the crank",
    "bx": "ground pivot of the rocker",
    "ex": "ground pivot of the follower",
    "sx": "a place that the slider moves through",
    "jx": "where the link hangs on the coupler",
    "px": "the point that draws, along its bar",
    "py": "and across it",
}
PIVOTS = {"A": ("ax", "ay"), "D": ("bx", "by"), "E": ("ex", "ey")}


def linkage_document(
    kind: str, numbers: Mapping[str, float], *, unit: str, name: str
) -> dict[str, Any]:
    """The document of a "four-bar", "slider-crank" or "six-bar" of an atlas.

    `numbers` are the parameters of its mechanism: lengths in `unit`, angles in rad. The crank makes
    one turn a second.
    """
    make = {"four-bar": _four_bar, "slider-crank": _slider_crank, "six-bar": _six_bar}[kind]
    bodies, joints = make(numbers)
    angles = {key: x for key, x in numbers.items() if key in ("start", "tilt") or "_angle" in key}
    start = _degrees(numbers["start"])
    return {
        "version": 1,
        "name": name,
        "plane": True,
        "units": {"length": unit, "angle": "deg"},
        "parameters": {
            key: _told(key, _tidy(x)) for key, x in numbers.items() if key not in angles
        },
        "bodies": bodies,
        "joints": joints,
        "drives": {"crank.angle": {"type": "ramp", "start": start, "speed": "60 rpm"}},
    }


Parts = tuple[dict[str, Any], dict[str, Any]]


def _four_bar(numbers: Mapping[str, float]) -> Parts:
    bodies = {
        "crank": _bar("crank", numbers["start"], at="A"),
        "coupler": _bar("coupler", numbers["coupler_angle"], points={"P": ["px", "py"]}),
        "rocker": _bar("rocker", numbers["rocker_angle"], at="D"),
    }
    return bodies, _loop()


def _loop() -> dict[str, Any]:
    return {
        "A": _hinge(_ground("A"), "crank.start"),
        "B": _hinge("crank.end", "coupler.start"),
        "C": _hinge("coupler.end", "rocker.end"),
        "D": _hinge(_ground("D"), "rocker.start"),
    }


def _slider_crank(numbers: Mapping[str, float]) -> Parts:
    crank = numbers["crank"], numbers["start"]
    rod = numbers["rod"], numbers["rod_angle"]
    pin = [
        _tidy(first + sum(length * turn(angle) for length, angle in (crank, rod)))
        for first, turn in ((numbers["ax"], math.cos), (numbers["ay"], math.sin))
    ]
    bodies = {
        "crank": _bar("crank", numbers["start"], at="A"),
        "rod": _bar("rod", numbers["rod_angle"], points={"P": ["px", "py"]}),
        "slider": {"at": pin},
    }
    along = [math.cos(numbers["tilt"]), math.sin(numbers["tilt"]), 0.0]
    joints = {
        "A": _hinge(_ground("A"), "crank.start"),
        "B": _hinge("crank.end", "rod.start"),
        "C": _hinge("rod.end", "slider"),
        "guide": {
            "type": "prismatic",
            "I": {"body": "ground", "at": ["sx", "sy"], "axis": along},
            "J": {"body": "slider", "at": [0.0, 0.0], "axis": along},
        },
    }
    return bodies, joints


def _six_bar(numbers: Mapping[str, float]) -> Parts:
    bodies = {
        "crank": _bar("crank", numbers["start"], at="A"),
        "coupler": _bar("coupler", numbers["coupler_angle"], points={"J": ["jx", "jy"]}),
        "rocker": _bar("rocker", numbers["rocker_angle"], at="D"),
        "link": _bar("link", numbers["link_angle"], points={"P": ["px", "py"]}),
        "follower": _bar("follower", numbers["follower_angle"], at="E"),
    }
    joints = {
        **_loop(),
        "J": _hinge("coupler.J", "link.start"),
        "F": _hinge("link.end", "follower.end"),
        "E": _hinge(_ground("E"), "follower.start"),
    }
    return bodies, joints


def _bar(length: str, angle: float, *, at: str = "", points: Any = None) -> dict[str, Any]:
    made: dict[str, Any] = {"at": list(PIVOTS[at])} if at else {}
    made |= {"angle": _degrees(angle), "length": length}
    return made | ({"points": points} if points else {})


def _hinge(first: Any, second: str) -> dict[str, Any]:
    return {"type": "revolute", "I": first, "J": second}


def _ground(pivot: str) -> dict[str, Any]:
    return {"body": "ground", "at": list(PIVOTS[pivot])}


def _degrees(angle: float) -> float:
    return _tidy(math.degrees(angle))


def _told(key: str, value: float) -> Any:
    return {"value": value, "doc": ABOUT[key]} if key in ABOUT else value


def _tidy(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
