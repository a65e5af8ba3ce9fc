"""Mechanisms: it never jumps, it tells you why, and it shows every way they go together."""

from typing import TYPE_CHECKING, Any

from kempe import forking  # noqa: F401  a fork waits for what is loaded on first use, from here on

__version__ = "0.1.0"

if TYPE_CHECKING:
    from kempe import gallery
    from kempe.algebra.functions import (
        Interpolation,
        acos,
        asin,
        atan2,
        cos,
        exp,
        log,
        maximum,
        minimum,
        sin,
        smooth_step,
        sqrt,
        tan,
        tanh,
        where,
    )
    from kempe.constraints import AbstractConstraint
    from kempe.dynamics.gear import Gear
    from kempe.errors import KempeError
    from kempe.forces import AbstractForce
    from kempe.front import Builder, Mechanism, Trajectory, load, merge, parametric
    from kempe.front.requests.motions import verify
    from kempe.geometry import Inertia, Marker, Pose, Rotation, Vector, X, Y, Z
    from kempe.joints import AbstractJoint
    from kempe.measures import AbstractMeasure
    from kempe.motion.search.search import Effort
    from kempe.outcome import Outcome
    from kempe.results.maps.motion_map import MotionMap

# name -> room; a room is imported when one of its names is first asked for
_ROOMS = {
    "kempe.algebra.functions": "Interpolation acos asin atan2 cos exp log maximum minimum sin"
    " smooth_step sqrt tan tanh where",
    "kempe.constraints": "AbstractConstraint",
    "kempe.dynamics.gear": "Gear",
    "kempe.errors": "KempeError",
    "kempe.forces": "AbstractForce",
    "kempe.front": "Builder Mechanism Trajectory load merge parametric",
    "kempe.front.requests.motions": "verify",
    "kempe.geometry": "Inertia Marker Pose Rotation Vector X Y Z",
    "kempe.joints": "AbstractJoint",
    "kempe.measures": "AbstractMeasure",
    "kempe.motion.search.search": "Effort",
    "kempe.outcome": "Outcome",
    "kempe.results.maps.motion_map": "MotionMap",
}
_WHERE = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [
    "AbstractConstraint",
    "AbstractForce",
    "AbstractJoint",
    "AbstractMeasure",
    "Builder",
    "Effort",
    "Gear",
    "Inertia",
    "Interpolation",
    "KempeError",
    "Marker",
    "Mechanism",
    "MotionMap",
    "Outcome",
    "Pose",
    "Rotation",
    "Trajectory",
    "Vector",
    "X",
    "Y",
    "Z",
    "__version__",
    "acos",
    "asin",
    "atan2",
    "cos",
    "exp",
    "gallery",
    "load",
    "log",
    "maximum",
    "merge",
    "minimum",
    "parametric",
    "sin",
    "smooth_step",
    "sqrt",
    "tan",
    "tanh",
    "verify",
    "where",
]


def __getattr__(name: str) -> Any:
    import importlib

    if name == "gallery":
        return importlib.import_module("kempe.gallery")
    room = _WHERE.get(name)
    if room is None:
        raise AttributeError(f"kempe has no {name!r}")
    value = getattr(importlib.import_module(room), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
