"""The layout: where every body's coordinates and every element's numbers lie."""

import hashlib
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.charts import PLANAR, SPATIAL, AbstractChart
from kempe.compile.layout.coordinates import Coordinates
from kempe.compile.layout.elements import (
    CouplerElement,
    Described,
    DriveElement,
    Element,
    JointElement,
    all_numbers,
    structure,
)
from kempe.compile.layout.numbers import in_plane, is_literal
from kempe.compile.layout.size import size_of_bodies
from kempe.compile.layout.velocity_elements import VelocityElement
from kempe.constraints import Unknown
from kempe.geometry import GROUND, Marker, Pose
from kempe.joints import AbstractJoint
from kempe.model import Model

GROUND_INDEX = -1
ORIGIN = Pose.identity()
EXTENT_SHARE = 0.01
MOST_PREPARED = 16  # starts of one model, in several plans and at several times

T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True, eq=False)
class Everything:
    """What a complete search says of one mechanism at one time."""

    starts: tuple[NDArray[np.float64], ...]  # (n_q,) each: at assemblies, and along motions
    is_impossible: bool  # proved: there is no assembly at all


class CompleteSearch(Protocol):
    """Whom a layout may ask for every assembly, where searches from many starts found none.

    The room that can answer lies above those that put mechanisms together; a layout that was made
    there brings the question's address along.
    """

    def __call__(self, layout: "Layout", t: float) -> Everything | None:
        """What there is at time t (s); None where that is not known."""


@final
@dataclass(frozen=True, eq=False)
class Layout:
    """Coordinates, elements and parameters of one model, in a fixed order."""

    model: Model
    complete_search: CompleteSearch | None = None  # asked where no start leads near, or to one
    has_velocity_rows: bool = False  # whether rows that hold velocities alone follow the others

    @cached_property
    def _prepared(self) -> OrderedDict[Hashable, Any]:
        return OrderedDict()

    def prepared(self, key: Hashable, kind: type[T]) -> T | None:
        """What was kept under a key, of that kind; None where it is none of the last few."""
        found: T | None = self._prepared.get(key)
        return found

    def keep(self, key: Hashable, made: T) -> T:
        """What was made for the layout, kept under a key with the last few, and gone with it.

        It is kept here, and not in a table of layouts, because it may refer to the layout: a table
        would then keep both for ever.
        """
        self._prepared[key] = made
        while len(self._prepared) > MOST_PREPARED:
            self._prepared.popitem(last=False)
        return made

    def __reduce__(self) -> tuple[object, ...]:
        """A layout is pickled as its model: the rest follows from it."""
        return Layout, (self.model, self.complete_search, self.has_velocity_rows)

    @cached_property
    def rolls(self) -> bool:
        """Whether joints of the model hold velocities alone, as wheels do that do not slip."""
        return any(joint.velocity_units for joint in self.model.joints)

    @cached_property
    def moving(self) -> "Layout":
        """The layout with the rows of velocities after all others; itself where there are none."""
        if not self.rolls or self.has_velocity_rows:
            return self
        return Layout(self.model, self.complete_search, has_velocity_rows=True)

    @property
    def chart(self) -> AbstractChart:
        """The chart of the bodies."""
        return PLANAR if self.model.plane else SPATIAL

    @cached_property
    def coordinates(self) -> Coordinates:
        """Where every body's numbers lie in q and v."""
        return Coordinates(self.chart, self.n_bodies)

    def displacement(
        self, q: NDArray[np.float64], other: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The displacement (n_v,) from q to another configuration, in m and rad.

        Ways are in world axes, turns the rotation vectors of R^T R' in body axes; own unknowns
        follow as they are.
        """
        at = self.coordinates
        moved = self.chart.displacement(at.q_by_body(q), at.q_by_body(other))
        return np.concatenate([moved.ravel(), other[at.own_q] - q[at.own_q]])

    @cached_property
    def body_index(self) -> dict[str, int]:
        """Place of every moving body; the ground has none (-1)."""
        names = {body.name: k for k, body in enumerate(self.model.moving)}
        return names | {GROUND: GROUND_INDEX}

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """The joints, the couplers, the drives, then what joints hold of velocities alone."""
        held = [_in_plane(j) for j in self.model.joints] if self.model.plane else self.model.joints
        joints: list[Element] = [JointElement.put(j, self._put) for j in held]
        couplers: list[Element] = [CouplerElement.put(c, self._put) for c in self.model.couplers]
        drives = [DriveElement(d) for d in self.model.drives]
        rolling = [VelocityElement(j) for j in held if j.velocity_units]
        return (*joints, *couplers, *drives, *(rolling if self.has_velocity_rows else ()))

    def _put(self, markers: Sequence[Marker]) -> list[Pose]:
        """X_WM of markers where the bodies were first put, at the origin if nowhere else."""
        return [self._guesses.get(m.body, ORIGIN) @ m.pose for m in markers]

    @cached_property
    def _guesses(self) -> dict[str, Pose]:
        return {b.name: b.guess for b in self.model.moving if b.guess is not None}

    @property
    def first_drive(self) -> int:
        """The number of the first element that is a drive."""
        return len(self.model.joints) + len(self.model.couplers)

    @cached_property
    def n_bodies(self) -> int:
        """How many bodies move."""
        return len(self.model.moving)

    @property
    def n_q(self) -> int:
        """How many coordinates there are: those of the bodies, then the own unknowns."""
        return self.n_bodies * self.chart.n_q + self.n_own

    @property
    def n_v(self) -> int:
        """How many velocities there are."""
        return self.n_bodies * self.chart.n_v + self.n_own

    @cached_property
    def own_unknowns(self) -> tuple[tuple[int, Unknown], ...]:
        """The unknowns of elements themselves, each with its element's number."""
        return tuple((k, u) for k, e in enumerate(self.elements) for u in e.unknowns)

    @property
    def n_own(self) -> int:
        """How many unknowns the elements have themselves."""
        return len(self.own_unknowns)

    def own_guess(self, poses: Mapping[str, Pose]) -> NDArray[np.float64]:
        """First values of the own unknowns, the bodies put at X_WB."""
        found: list[float] = []
        for element in self.elements:
            if element.unknowns:
                X = [poses.get(m.body, ORIGIN) @ m.pose for m in element.markers]
                found += element.first_unknowns(X)
        return np.array(found, dtype=np.float64)

    @cached_property
    def step_weights(self) -> NDArray[np.float64]:
        """1 / size for linear displacements and own unknowns, 1 for angles: (n_v,)."""
        own = [unknown.scale / self.size for _, unknown in self.own_unknowns]
        return np.concatenate([np.where(self.coordinates.is_angular, 1.0, 1.0 / self.size), own])

    @cached_property
    def parameters(self) -> NDArray[np.float64]:
        """The lifted numbers of all elements, in order: markers first, then their own."""
        values = [x for e in self.elements for x in all_numbers(e) if not is_literal(x)]
        return np.array(values, dtype=np.float64)

    @cached_property
    def structure(self) -> str:
        """Everything a program depends on, in words; two models that share it share a program."""
        lines = [f"chart {type(self.chart).__name__} bodies {self.n_bodies}"]
        for word, bodies in zip(self.structures, self.riding, strict=True):
            lines.append(f"{word}@{','.join(map(str, bodies))}")
        return "\n".join(lines)

    @cached_property
    def key(self) -> str:
        """SHA-256 of the structure."""
        return hashlib.sha256(self.structure.encode()).hexdigest()

    @cached_property
    def structures(self) -> list[str]:
        """What the traced form of every element depends on."""
        return [structure(element) for element in self.elements]

    @cached_property
    def riding(self) -> list[list[int]]:
        """Body indices of the markers of every element."""
        return [self.markers_of(element) for element in self.elements]

    @cached_property
    def is_built_in(self) -> bool:
        """Whether the key is known without tracing anything."""
        return all(e.is_built_in for e in self.elements)

    @cached_property
    def size(self) -> float:
        """Characteristic length (m): the largest offset of a joint on a moving body.

        Not below a hundredth of the largest offset at all, where rounding sets the limit. Where all
        offsets are 0, as of a block on one rail, bodies, forces and stops tell it. Where a drive in
        metres, a rack or a screw starts counts as far as the machine reaches: a rack may have gone
        a thousand times further than its pinion is large.
        """
        markers = [m for e in self.elements for m in e.markers]
        held = [abs(x) for e in self.elements for x in e.lengths]
        moving = max(
            [abs(c) for m in markers if m.body != GROUND for c in m.position] + held, default=0.0
        )
        extent = max([moving] + [abs(c) for m in markers for c in m.position])
        gone = max((abs(x) for e in self.elements for x in e.strokes), default=0.0)
        if extent > 0.0:
            gone = min(gone, extent)
        largest = max(moving, gone, EXTENT_SHARE * extent)
        return largest if largest > 0.0 else size_of_bodies(self.model)

    def markers_of(self, element: Described) -> list[int]:
        """Body indices of the markers of an element or a force, -1 for the ground."""
        return [self.body_index[m.body] for m in element.markers]


def _in_plane(joint: AbstractJoint) -> AbstractJoint:
    is_off = any(in_plane(marker) is not marker for marker in joint.markers)
    return joint.moved(in_plane) if is_off else joint
