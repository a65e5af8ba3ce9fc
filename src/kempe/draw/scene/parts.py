"""The parts of a scene: bodies and where they go, joints, ground, loads, traces, quantities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.draw.scene.shapes import (
    Document,
    FloatArray,
    Shape,
    Vector,
    perpendiculars,
    rounded,
    rounded_all,
    samples,
    triple,
    triples,
)
from kempe.draw.scene.symbols import SYMBOLS
from kempe.errors import nearest_name
from kempe.geometry.frozen_points import picklable, restore
from kempe.geometry.rotations import Matrix

UNIT_TOLERANCE = 1e-3  # a quaternion further from length 1 than this is a mistake, not round-off
TILT_TOLERANCE = 1e-6  # rad by which a body may lean out of the plane
ZERO_TURN = 1e-9  # rad: smaller angles are round-off
AROUND = np.concatenate([np.eye(3), -np.eye(3)])  # the ways out of a place
SQUARE_TOLERANCE = 1e-6  # on R^T R = 1 of a joint's frame


@final
@dataclass(frozen=True, slots=True, eq=False)
class BodyPose:
    """Where a body's frame is at one moment: p_WP = r + R p_BP."""

    r: FloatArray  # (3,) m
    R: FloatArray  # (3, 3)

    def carry(self, points: FloatArray) -> FloatArray:
        """World positions (m, 3) of points (m, 3) of the body."""
        return np.asarray(self.r + points @ self.R.T)


@final
@dataclass(frozen=True, slots=True, eq=False)
class PoseSeries:
    """The pose X_WB of a body's frame over time.

    p_WP = position + R(rotation) p_BP
    """

    position: FloatArray  # (n, 3) or (n, 2), m, of the body's origin in the world
    rotation: FloatArray  # (n,) rad about z, or (n, 4) unit quaternion (w, x, y, z) of R_WB

    def __post_init__(self) -> None:
        position = samples(self.position, "position")
        rotation = samples(self.rotation, "rotation")
        if position.ndim != 2 or position.shape[1] not in (2, 3):
            raise ValueError(f"position must be (n, 2) or (n, 3), not {position.shape}.")
        if rotation.ndim not in (1, 2) or (rotation.ndim == 2 and rotation.shape[1] != 4):
            raise ValueError(
                f"rotation must be (n,) angles or (n, 4) quaternions, not {rotation.shape}."
            )
        if len(rotation) != len(position):
            raise ValueError(f"there are {len(position)} positions but {len(rotation)} rotations.")
        if position.shape[1] == 2:
            position = np.column_stack([position, np.zeros(len(position))])
        object.__setattr__(self, "position", position)
        object.__setattr__(self, "rotation", _unit(rotation) if rotation.ndim == 2 else rotation)

    def __len__(self) -> int:
        return len(self.position)

    @property
    def quaternions(self) -> FloatArray:
        """Rotations (n, 4), each on the side of the one before it, so that they can be blended."""
        if self.rotation.ndim == 1:
            half = 0.5 * self.rotation
            zero = np.zeros_like(half)
            return np.column_stack([np.cos(half), zero, zero, np.sin(half)])
        turned = np.sum(self.rotation[1:] * self.rotation[:-1], axis=1) < 0.0
        sign = np.where(np.concatenate([[0], np.cumsum(turned)]) % 2 == 1, -1.0, 1.0)
        return self.rotation * sign[:, None]

    @property
    def lean(self) -> float:
        """The largest angle in rad between the body's z axis and the world's."""
        if self.rotation.ndim == 1:
            return 0.0
        half = np.hypot(self.rotation[:, 1], self.rotation[:, 2]).max(initial=0.0)
        return 2.0 * float(np.arcsin(min(half, 1.0)))

    @property
    def angles(self) -> FloatArray:
        """Turns (n,) about z in rad, unwrapped; what a body that leans does besides is lost."""
        if self.rotation.ndim == 1:
            return np.unwrap(self.rotation)
        return np.unwrap(2.0 * np.arctan2(self.rotation[:, 3], self.rotation[:, 0]))

    @property
    def stays(self) -> bool:
        """Whether the frame is in one place all the time."""
        return all(bool((x == x[:1]).all()) for x in (self.position, self.rotation))

    def pose(self, index: int) -> "BodyPose":
        """Where the frame is at one sample."""
        one = PoseSeries(self.position[index][None], self.rotation[index][None])
        return BodyPose(self.position[index], np.array(one.matrices()[0]))

    def matrices(self) -> FloatArray:
        """Rotation matrices R_WB (n, 3, 3)."""
        return Matrix().of_quaternions(self.quaternions)

    def carried(self, points: FloatArray) -> FloatArray:
        """World positions (n, m, 3) of points (m, 3) of the body."""
        turned = np.einsum("nij,mj->nmi", self.matrices(), points)
        return np.array(self.position[:, None, :] + turned)


def _unit(quaternions: FloatArray) -> FloatArray:
    """Quaternions of length 1, refused where they are too far from it to be rotations."""
    length = np.linalg.norm(quaternions, axis=1)
    off = np.abs(length - 1.0)
    if (off > UNIT_TOLERANCE).any():
        worst = int(off.argmax())
        raise ValueError(
            f"the quaternion of sample {worst} has length {length[worst]:.6g}: "
            "rotations are unit quaternions (w, x, y, z)."
        )
    return np.array(quaternions / length[:, None])


@final
@dataclass(frozen=True, slots=True, eq=False)
class DrawnBody:
    """A part that moves: its name, its outline and where it goes."""

    name: str
    motion: PoseSeries
    shapes: Sequence[Shape] = ()
    points: Mapping[str, Vector] = field(default_factory=dict)  # of interest, in the body's frame
    colour: int | None = None  # index into the palette; None is the colour of steel

    def __post_init__(self) -> None:
        if self.colour is not None and self.colour < 0:
            raise ValueError(f"body '{self.name}': colour is an index from 0, not {self.colour}.")
        points = {
            name: triple(point, f"point '{name}' of body '{self.name}'")
            for name, point in self.points.items()
        }
        object.__setattr__(self, "shapes", tuple(self.shapes))
        object.__setattr__(self, "points", MappingProxyType(points))

    __getstate__ = picklable
    __setstate__ = restore

    @property
    def corners(self) -> FloatArray:
        """Points (m, 3) of the body that a picture must have room for."""
        rows = [shape.corners for shape in self.shapes]
        named = np.array(list(self.points.values()), dtype=float).reshape(-1, 3)
        return np.concatenate([*rows, named])

    def document(self, *, plane: bool, zero: float) -> Document:
        """The plain data a player reads; (x, y, angle) in the plane, else (x, y, z, w, x, y, z)."""
        position = self.motion.position[:, : 2 if plane else 3]
        rotation = self.motion.angles if plane else self.motion.quaternions
        return {
            "name": self.name,
            "colour": self.colour,
            "shapes": [shape.document() for shape in self.shapes],
            "points": [[name, rounded_all(point)] for name, point in self.points.items()],
            "position": rounded_all(position.ravel().tolist(), zero),
            "rotation": rounded_all(rotation.ravel().tolist(), ZERO_TURN),
        }


@final
@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A joint's marker on a body, or on the ground (``body`` is None); z is the joint's axis."""

    body: str | None
    point: Vector
    axes: FloatArray = field(default_factory=lambda: np.eye(3))  # R_BI: columns are x, y, z

    def __post_init__(self) -> None:
        where = "the ground" if self.body is None else f"body '{self.body}'"
        axes = samples(self.axes, f"the axes of a frame on {where}")
        if axes.shape != (3, 3):
            raise ValueError(f"the axes of a frame on {where} must be (3, 3), not {axes.shape}.")
        if np.abs(axes.T @ axes - np.eye(3)).max() > SQUARE_TOLERANCE:
            raise ValueError(f"the axes of a frame on {where} must be square and of length 1.")
        object.__setattr__(self, "point", triple(self.point, f"a frame on {where}"))
        object.__setattr__(self, "axes", axes)

    @classmethod
    def along(cls, body: str | None, point: Vector, axis: Vector) -> "Frame":
        """A frame of which only the joint's axis matters."""
        z = np.array(triple(axis, "the axis of a frame"))
        length = float(np.linalg.norm(z))
        if length == 0.0:
            raise ValueError("the axis of a frame must have a direction; it is (0, 0, 0).")
        z = z / length
        return cls(body, point, np.column_stack([*perpendiculars(z), z]))


@final
@dataclass(frozen=True, slots=True)
class JointSymbol:
    """What joins two bodies, and the word for how it is drawn (a key of ``SYMBOLS``)."""

    name: str
    symbol: str
    i: Frame
    j: Frame
    radii: tuple[float, float] = (0.0, 0.0)  # m, of the wheels at both frames that it goes round
    # m, of a barrel or a cylinder: its back and mouth along the guiding axis, left and right of it
    reach: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if self.symbol not in SYMBOLS:
            raise ValueError(
                f"joint '{self.name}': symbol '{self.symbol}' is not known."
                f"{nearest_name(self.symbol, SYMBOLS)}"
            )

    @property
    def guiding(self) -> tuple[Frame, Frame]:
        """The frame that guides and the frame that is guided: the ground always guides."""
        return (self.j, self.i) if self.j.body is None else (self.i, self.j)

    @property
    def guiding_radii(self) -> tuple[float, float]:
        """The radii in the order of `guiding`."""
        return self.radii[::-1] if self.j.body is None else self.radii


@final
@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """A force as an arrow, or a torque as one that goes round: where, which way, how far.

    ``newtons`` is how much force, or torque, one metre of ``way`` stands for. A torque goes round
    ``way``, by the right hand, at half its length.
    """

    name: str
    at: FloatArray  # (n, 3) m, world
    way: FloatArray  # (n, 3) m, world
    newtons: float = 1.0  # N/m, or N m/m
    is_torque: bool = False
    body: str | None = None  # what it acts on; None is the ground
    back: str | None = None  # what the opposite acts on, `body` itself if nothing does

    def __post_init__(self) -> None:
        at, way = samples(self.at, "at"), samples(self.way, "way")
        if at.ndim != 2 or at.shape[1] != 3 or at.shape != way.shape:
            raise ValueError(
                f"load '{self.name}': at and way must both be (n, 3), not {at.shape}, {way.shape}."
            )
        object.__setattr__(self, "at", at)
        object.__setattr__(self, "way", way)

    def reached(self, chosen: NDArray[np.intp]) -> FloatArray:
        """Points (m, 3) that its arrow reaches at some samples."""
        at, way = self.at[chosen], self.way[chosen]
        if not self.is_torque:
            return at + way
        half = 0.5 * np.linalg.norm(way, axis=1)[:, None, None]
        around: FloatArray = (at[:, None] + half * AROUND).reshape(-1, 3)
        return around

    def document(self, zero: float, order: Mapping[str, int]) -> dict[str, object]:
        """The plain data a player reads; coordinates below `zero` are round-off.

        ``order`` numbers the bodies.
        """
        numbers = np.hstack([self.at, self.way]).ravel().tolist()
        return {
            "name": self.name,
            "values": rounded_all(numbers, zero),
            "newtons": rounded(self.newtons),
            "isTorque": self.is_torque,
            "body": order.get(self.body or ""),
            "back": order.get(self.back or ""),
        }


@final
@dataclass(frozen=True, slots=True)
class Ground:
    """What stands still: hatched pivots and hatched lines, besides those that joints bring."""

    pivots: Sequence[Vector] = ()
    lines: Sequence[Sequence[Vector]] = ()

    def __post_init__(self) -> None:
        lines = tuple(triples(line, "a line of the ground", at_least=2) for line in self.lines)
        object.__setattr__(self, "pivots", triples(self.pivots, "the ground's pivots", at_least=0))
        object.__setattr__(self, "lines", lines)

    @property
    def corners(self) -> FloatArray:
        """Points (m, 3) that a picture must have room for."""
        points = [*self.pivots, *(point for line in self.lines for point in line)]
        return np.array(points, dtype=float).reshape(-1, 3)


@final
@dataclass(frozen=True, slots=True)
class Trace:
    """The curve that a point of a body draws."""

    body: str
    point: Vector
    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", triple(self.point, f"the point of trace '{self.name}'"))


@final
@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """A quantity over time, for a small plot beside the picture."""

    name: str
    unit: str
    values: FloatArray  # (n,) in ``unit``

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", samples(self.values, f"series '{self.name}'"))


@final
@dataclass(frozen=True, slots=True)
class Mark:
    """A moment worth a tick on the play bar: a dead point, a limit."""

    time: float
    name: str
