"""Mechanisms: it never jumps, it tells you why, and it shows every way they go together.

    import kempe as kp

    m = kp.Builder("arm", plane=True, units="mm")            # or kp.gallery.four_bar(), kp.load(f)
    arm = m.bar("arm", 30, points={"P": (40, 5)})            # bodies: bar, body
    m.revolute(m.ground.at(0, 0), arm.start)                 # joints: revolute, prismatic, add(...)
    m.drive(arm.angle, rpm=60)                               # drives; m.force(...), m.couple(...)
    arm = m.build()
    print(arm.check())                                       # freedoms, redundancy, in words
    turn = arm.kinematics(until=1.0)                         # or simulate, statics, motions, batch
    print(turn["arm.P"].speed.max("m/s"), turn.names[:4])    # everything by its name
    turn.animate("arm.html")                                 # .gif .mp4 .glb; plot(), to_csv()

Manual: `docs/index.md` of the source; commands: `kempe --help`.
"""

from typing import TYPE_CHECKING, Any

from kempe import forking  # noqa: F401  a fork waits for what is loaded on first use, from here on

__version__ = "0.1.0"

if TYPE_CHECKING:
    from kempe import gallery as gallery
    from kempe.algebra.functions import Interpolation as Interpolation
    from kempe.algebra.functions import acos as acos
    from kempe.algebra.functions import asin as asin
    from kempe.algebra.functions import atan2 as atan2
    from kempe.algebra.functions import cos as cos
    from kempe.algebra.functions import exp as exp
    from kempe.algebra.functions import log as log
    from kempe.algebra.functions import maximum as maximum
    from kempe.algebra.functions import minimum as minimum
    from kempe.algebra.functions import sin as sin
    from kempe.algebra.functions import smooth_step as smooth_step
    from kempe.algebra.functions import sqrt as sqrt
    from kempe.algebra.functions import tan as tan
    from kempe.algebra.functions import tanh as tanh
    from kempe.algebra.functions import where as where
    from kempe.constraints import AbstractConstraint as AbstractConstraint
    from kempe.errors import KempeError as KempeError
    from kempe.forces import AbstractForce as AbstractForce
    from kempe.front import Builder as Builder
    from kempe.front import Mechanism as Mechanism
    from kempe.front import Trajectory as Trajectory
    from kempe.front import load as load
    from kempe.front import merge as merge
    from kempe.front import parametric as parametric
    from kempe.front.requests.motions import verify as verify
    from kempe.front.sweep import sweep as sweep
    from kempe.geometry import Inertia as Inertia
    from kempe.geometry import Marker as Marker
    from kempe.geometry import Pose as Pose
    from kempe.geometry import Rotation as Rotation
    from kempe.geometry import Vector as Vector
    from kempe.geometry import X as X
    from kempe.geometry import Y as Y
    from kempe.geometry import Z as Z
    from kempe.joints import AbstractJoint as AbstractJoint
    from kempe.measures import AbstractMeasure as AbstractMeasure
    from kempe.motion.search.search import Effort as Effort
    from kempe.outcome import Outcome as Outcome
    from kempe.results.maps.motion_map import MotionMap as MotionMap

# name -> room; a room is imported when one of its names is first asked for
_ROOMS = {
    "kempe.algebra.functions": "Interpolation acos asin atan2 cos exp log maximum minimum sin"
    " smooth_step sqrt tan tanh where",
    "kempe.constraints": "AbstractConstraint",
    "kempe.errors": "KempeError",
    "kempe.forces": "AbstractForce",
    "kempe.front": "Builder Mechanism Trajectory load merge parametric",
    "kempe.front.requests.motions": "verify",
    "kempe.front.sweep": "sweep",
    "kempe.geometry": "Inertia Marker Pose Rotation Vector X Y Z",
    "kempe.joints": "AbstractJoint",
    "kempe.measures": "AbstractMeasure",
    "kempe.motion.search.search": "Effort",
    "kempe.outcome": "Outcome",
    "kempe.results.maps.motion_map": "MotionMap",
}
_WHERE = {name: room for room, names in _ROOMS.items() for name in names.split()}

__all__ = [*_WHERE, "__version__", "gallery"]


def __getattr__(name: str) -> Any:
    import importlib

    room = _WHERE.get(name)
    if room is None:
        return _room(name)
    value = getattr(importlib.import_module(room), name)
    globals()[name] = value
    return value


def _room(name: str) -> Any:
    """A room by its name, as in kempe.gallery or kempe.forces; AttributeError where there is none.

    So `import kempe` is enough, and a room is imported when it is first named.
    """
    import importlib

    whole = f"kempe.{name}"
    if not name.startswith("_"):
        try:
            return importlib.import_module(whole)
        except ModuleNotFoundError as trouble:
            if trouble.name != whole:
                raise
    raise AttributeError(f"kempe has no {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
