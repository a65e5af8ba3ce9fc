"""One description of a moving picture, for every place that draws it.

The HTML player, the notebook, the studio and the SVG export read the same ``Scene``. It holds
results only: nothing here knows how the motion was found. Lengths are in m, times in s, angles in
rad; ``unit`` and ``unit_scale`` say in which unit lengths are shown.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import final

import numpy as np

from kempe.draw.scene.parts import (
    TILT_TOLERANCE,
    DrawnBody,
    Frame,
    Ground,
    JointSymbol,
    Load,
    Mark,
    PoseSeries,
    Series,
    Trace,
)
from kempe.draw.scene.shapes import (
    Document,
    FloatArray,
    Vector,
    perpendiculars,
    rounded,
    rounded_all,
    samples,
)
from kempe.draw.scene.symbols import SIZES, STAND_FOOT, STAND_OUTLINE, SYMBOLS
from kempe.errors import nearest_name
from kempe.geometry.rotations import Matrix, product

TIME_DIGITS = 10  # a microsecond in an hour
ZERO_SHARE = 1e-9  # of the scene's size: smaller coordinates are round-off
STEEP = 0.95  # cosine: what points up less than this along an axis leaves z upright


@final
@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A mechanism in motion, ready to be drawn.

    Examples:
        >>> from kempe.draw import DrawnBody, Frame, JointSymbol, PoseSeries, Scene, link
        >>> crank = DrawnBody("crank", PoseSeries([[0, 0]], [0.5]), link([(0, 0), (0.03, 0)]))
        >>> pin = JointSymbol("A", "pin", Frame(None, (0, 0)), Frame("crank", (0, 0)))
        >>> scene = Scene("one link", True, [0.0], [crank], [pin], unit="mm", unit_scale=1000)
    """

    title: str
    plane: bool
    times: FloatArray  # (n,) s, increasing
    bodies: Sequence[DrawnBody]
    joints: Sequence[JointSymbol] = ()
    ground: Ground = field(default_factory=Ground)
    traces: Sequence[Trace] = ()
    series: Sequence[Series] = ()
    marks: Sequence[Mark] = ()
    loads: Sequence[Load] = ()
    reactions: Sequence[Load] = ()  # of joints and drives; players show them on request
    free: Sequence[str] = ()  # bodies of which loads and reactions are all that acts on them
    unit: str = "m"
    unit_scale: float = 1.0  # shown length = unit_scale * length in m
    names: bool = False  # whether a player starts with names shown
    world: FloatArray = field(default_factory=lambda: np.eye(3))  # columns: where x, y, z are drawn

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", _clock(self.times))
        for name in ("bodies", "joints", "traces", "series", "marks", "loads", "reactions", "free"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if not (math.isfinite(self.unit_scale) and self.unit_scale > 0.0):
            raise ValueError(f"unit_scale must be a positive number, not {self.unit_scale}.")
        self._require_bodies()
        self._require_references()
        for series in self.series:
            if series.values.shape != self.times.shape:
                raise ValueError(
                    f"series '{series.name}' has the shape {series.values.shape}; "
                    f"there are {len(self.times)} times, so it must be ({len(self.times)},)."
                )
        for load in (*self.loads, *self.reactions):
            if len(load.at) != len(self.times):
                raise ValueError(
                    f"load '{load.name}' has {len(load.at)} samples "
                    f"but there are {len(self.times)} times."
                )
        for mark in self.marks:
            if not self.times[0] <= mark.time <= self.times[-1]:
                raise ValueError(
                    f"mark '{mark.name}' at {mark.time} s is outside the motion, "
                    f"which runs from {self.times[0]} s to {self.times[-1]} s."
                )

    def _require_bodies(self) -> None:
        seen: set[str] = set()
        for body in self.bodies:
            if body.name in seen:
                raise ValueError(f"two bodies are called '{body.name}': give each its own name.")
            seen.add(body.name)
            if len(body.motion) != len(self.times):
                raise ValueError(
                    f"body '{body.name}' has {len(body.motion)} poses "
                    f"but there are {len(self.times)} times."
                )
            if self.plane and body.motion.lean > TILT_TOLERANCE:
                raise ValueError(
                    f"body '{body.name}' leans out of the plane "
                    f"by {math.degrees(body.motion.lean):.3g} deg. "
                    "Use plane=False, or turn it about z only."
                )

    def _require_references(self) -> None:
        names = [body.name for body in self.bodies]
        wanted = [
            (frame.body, f"joint '{joint.name}': body")
            for joint in self.joints
            for frame in (joint.i, joint.j)
        ]
        wanted += [(trace.body, f"trace '{trace.name}': body") for trace in self.traces]
        for name, what in wanted:
            if name is not None and name not in names:
                raise ValueError(f"{what} '{name}' is not known.{nearest_name(name, names)}")

    def body(self, name: str) -> DrawnBody:
        """The body of that name."""
        for body in self.bodies:
            if body.name == name:
                return body
        known = nearest_name(name, [body.name for body in self.bodies])
        raise ValueError(f"body '{name}' is not known.{known}")

    def pose(self, frame: Frame, index: int) -> tuple[FloatArray, FloatArray]:
        """Position (3,) and axes (3, 3) in the world of a joint's frame at one sample."""
        axes = self.drawn_axes(frame)
        if frame.body is None:
            return np.array(frame.point), axes
        X_WB = self.body(frame.body).motion.pose(index)
        return X_WB.r + X_WB.R @ np.array(frame.point), X_WB.R @ axes

    def drawn_axes(self, frame: Frame) -> FloatArray:
        """The frame's axes as they are drawn: in the plane, a lying z has x towards the reader."""
        z = frame.axes[:, 2]
        if not self.plane:
            return frame.axes
        return np.column_stack([*perpendiculars(z), z])

    def travel(self, joint: JointSymbol) -> tuple[float, float]:
        """How far (m) the guided frame goes along the guiding frame's axis, least and most."""
        guide, guided = joint.guiding
        base, along = self._path(guide)
        tip, _ = self._path(guided)
        way = np.sum((tip - base) * along, axis=1)
        return float(way.min()), float(way.max())

    def _path(self, frame: Frame) -> tuple[FloatArray, FloatArray]:
        """World position and axis (n, 3) of a frame, or (1, 3) where it stands still."""
        point = np.array(frame.point)
        if frame.body is None:
            return point[None, :], frame.axes[:, 2][None, :]
        motion = self.body(frame.body).motion
        return motion.carried(point[None, :])[:, 0], motion.matrices() @ frame.axes[:, 2]

    @property
    def size(self) -> float:
        """The largest coordinate (m) that occurs."""
        reach = [float(np.abs(body.motion.position).max(initial=0.0)) for body in self.bodies]
        reach += [float(np.abs(body.corners).max(initial=0.0)) for body in self.bodies]
        return max(reach, default=0.0)

    def document(self) -> Document:
        """The scene as plain data: what ``to_json`` writes."""
        order = {body.name: k for k, body in enumerate(self.bodies)}
        zero = ZERO_SHARE * self.size
        used = sorted({joint.symbol for joint in self.joints})
        return {
            "kempe": "scene",
            "version": 1,
            "title": self.title,
            **({"names": True} if self.names else {}),
            "plane": self.plane,
            **({} if (self.world == np.eye(3)).all() else {"world": self.world.tolist()}),
            "unit": self.unit,
            "unit_scale": rounded(self.unit_scale),
            "times": [rounded(float(t), TIME_DIGITS) for t in self.times],
            "bodies": [body.document(plane=self.plane, zero=zero) for body in self.bodies],
            "joints": [self._joint(joint, order) for joint in self.joints],
            "ground": {
                "pivots": [rounded_all(point) for point in self.ground.pivots],
                "lines": [[rounded_all(point) for point in line] for line in self.ground.lines],
            },
            "traces": [
                {"body": order[trace.body], "point": rounded_all(trace.point), "name": trace.name}
                for trace in self.traces
            ],
            "series": [
                {"name": row.name, "unit": row.unit, "values": rounded_all(row.values.tolist())}
                for row in self.series
            ],
            "marks": [{"time": mark.time, "name": mark.name} for mark in self.marks],
            "loads": [load.document(zero, order) for load in self.loads],
            "reactions": [load.document(zero, order) for load in self.reactions],
            "free": [order[name] for name in self.free],
            "symbols": {name: SYMBOLS[name].document() for name in used},
            "sizes": SIZES.document(),
            "stand": {"outline": STAND_OUTLINE, "foot": STAND_FOOT},
        }

    def _joint(self, joint: JointSymbol, order: dict[str, int]) -> Document:
        def plain(frame: Frame) -> Document:
            return {
                "body": None if frame.body is None else order[frame.body],
                "point": rounded_all(frame.point),
                "axes": rounded_all(self.drawn_axes(frame).T.ravel().tolist(), ZERO_SHARE),
            }

        guide, guided = joint.guiding
        return {
            "name": joint.name,
            "symbol": joint.symbol,
            "i": plain(guide),
            "j": plain(guided),
            "travel": rounded_all(self.travel(joint)),
            "radii": rounded_all(joint.guiding_radii),
            **({"reach": rounded_all(joint.reach)} if any(joint.reach) else {}),
        }

    def to_json(self) -> str:
        """The scene as compact JSON, numbers with seven significant digits."""
        return json.dumps(
            self.document(), ensure_ascii=False, allow_nan=False, separators=(",", ":")
        )


def _clock(times: object) -> FloatArray:
    """Times that go forward, at least one."""
    clock = samples(times, "times")
    if clock.ndim != 1 or not len(clock):
        raise ValueError(f"times must be (n,) with n at least 1, not {clock.shape}.")
    late = np.flatnonzero(np.diff(clock) <= 0.0)
    if len(late):
        k = int(late[0])
        raise ValueError(
            f"times must increase: sample {k + 1} at {clock[k + 1]} s "
            f"does not come after {clock[k]} s."
        )
    return clock


def upright(scene: Scene, up: FloatArray) -> Scene:
    """The scene with the axis of the world that points along `up` drawn upright.

    The world's own axes keep their letters in the corner. In the plane, and where `up` lies between
    the axes, nothing changes.

    Own: a turn about a third axis by a quarter, or by half a turn where z points down.
    """
    length = float(np.linalg.norm(up))
    if scene.plane or not length > 0.0:
        return scene
    k = int(np.argmax(np.abs(up)))
    way = np.sign(up[k]) * np.eye(3)[k]
    if abs(up[k]) < STEEP * length or way[2] > 0.0:
        return scene
    # Half way between what is up and what shall be: w = 1 + way . z, (x, y, z) = way x z.
    turn = np.array([1.0 + way[2], *np.cross(way, [0.0, 0.0, 1.0])])
    if not turn.any():
        turn = np.array([0.0, 1.0, 0.0, 0.0])
    return _turned(scene, turn / np.linalg.norm(turn))


def _turned(scene: Scene, turn: FloatArray) -> Scene:
    P = Matrix().of_quaternions(turn).round(12) + 0.0

    def point(p: Vector) -> tuple[float, ...]:
        return tuple((P @ np.array(p)).tolist())

    def frame(f: Frame) -> Frame:
        return f if f.body is not None else Frame(None, point(f.point), P @ f.axes)

    def body(b: DrawnBody) -> DrawnBody:
        placed = PoseSeries(b.motion.position @ P.T, product(turn, b.motion.quaternions))
        return replace(b, motion=placed)

    def joint(j: JointSymbol) -> JointSymbol:
        return replace(j, i=frame(j.i), j=frame(j.j))

    def load(one: Load) -> Load:
        return replace(one, at=one.at @ P.T, way=one.way @ P.T)

    pivots = [point(p) for p in scene.ground.pivots]
    lines = [[point(p) for p in line] for line in scene.ground.lines]
    return replace(
        scene,
        bodies=[body(b) for b in scene.bodies],
        joints=[joint(j) for j in scene.joints],
        ground=Ground(pivots, lines),
        loads=[load(one) for one in scene.loads],
        reactions=[load(one) for one in scene.reactions],
        world=P @ scene.world,
    )
