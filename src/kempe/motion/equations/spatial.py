"""Bodies and joints in space as equations of second degree.

Bodies that stand as one are one part. Orientations are written by `orientations`, places by the
points that joints share: from the ground a part has its place from the one before it, and where
two ways meet they must lead to one point. Rods, and bodies that are nothing but rods, are one row
each: what spin they have is no unknown.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra import Expression, Op
from kempe.algebra.expression import lifted
from kempe.compile.layout.elements import JointElement, rows_of, value_of
from kempe.compile.layout.layout import Layout
from kempe.constraints import (
    AbstractBarConstraint,
    AbstractConstraint,
    AbstractPointAndSurface,
    Distance,
    DistanceFromSurface,
    OnCurve,
    Unknown,
)
from kempe.errors import UnsolvableKind
from kempe.geometry import GROUND, Axis, Marker, Pose, Rotation, Vector
from kempe.measures import Distance as DistanceBetween
from kempe.measures import Gauge, Held, Wrapped
from kempe.motion.equations.exact_numbers import LEAST
from kempe.motion.equations.exactness import ExactFrame, ExactPlace, Numbers, given
from kempe.motion.equations.gears import exact, hold_coupler, linear_law
from kempe.motion.equations.legs import Leg, legs_of
from kempe.motion.equations.orientations import (
    Direction,
    Orientations,
    combined,
    plain,
    snapped,
    square_to,
)
from kempe.motion.equations.platform import Strut, platform_basis
from kempe.motion.equations.question import (
    WHOLE_TURN,
    Clock,
    Holding,
    Limited,
    machine_size,
)
from kempe.motion.equations.reach import FAR, Reach
from kempe.motion.equations.rewriting import SHORTEST, Directions, cleared
from kempe.motion.equations.rigid_parts import RigidParts
from kempe.motion.equations.spatial_joints import (
    Frame,
    SpatialJoint,
    has_sorted_rows,
    shown_value,
    spatial_joint,
    with_holding,
)
from kempe.motion.equations.system import FullSystem
from kempe.motion.equations.turning_along import turns_along

FloatArray = NDArray[np.float64]
PARTS = ("x", "y", "z", *(f"{axis}{part}" for axis in "uvw" for part in "xyz"))
TRACKS = (OnCurve, AbstractPointAndSurface)  # what tells where a point is
SOMEWHERE = 0.37  # of the width of a domain: away from edges and symmetries
NOTHING_UNKNOWN = "nothing, since every joint is held"


def spatial_equations(
    layout: Layout,
    held: Sequence[Holding] = (),
    stops: Sequence[Limited] = (),
    read: Sequence[Gauge] = (),
    *,
    freedom: int = 0,
    clock: Clock | None = None,
) -> FullSystem:
    """The rows of all joints of a model in space, without its drives, as few as describe it.

    Readings are twelve for every body: its place (m) and the columns of its rotation. Gauges to
    `read` become readings too: of an angle, its sine and its cosine. With a `freedom` that is left
    no unknowns are taken of which x and -x are one position, for a curve may lead from x to -x.
    With a `clock` its drives follow time, which is an unknown and a reading t (s).
    """
    writing = _Writing(layout, machine_size(layout, held, stops), held, stops)
    writing.read = (*read, *(gauge for gauge, _ in (clock.drives if clock else ())))
    writing.write(is_curve=freedom > 0)
    if clock is not None:
        writing.follow(clock)
    for gauge in read:
        writing.read_gauge(gauge)
    return writing.equations


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """Rows of a holding that is of no joint's own freedom."""

    gauge: Gauge
    value: float


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Coupled:
    """sum of shares times gauges = constant: a coupler, or a screw."""

    gauges: tuple[Gauge, ...]
    shares: tuple[Fraction, ...]
    constant: Fraction
    source: str


@final
class _Writing:
    """The equations of one layout in space, while they are written."""

    def __init__(
        self, layout: Layout, size: float, held: Sequence[Holding], stops: Sequence[Limited]
    ) -> None:
        self.layout, self.equations = layout, FullSystem()
        self.scale = 2.0 ** round(math.log2(size))
        elements = layout.elements[: layout.first_drive]
        own = [h for e in elements if isinstance(e, JointElement) for h in _own_holdings(e)]
        all_joints = [e for e in elements if isinstance(e, JointElement)]
        joints = [spatial_joint(e) for e in all_joints if has_sorted_rows(e.joint)]
        # of three frames and more, or with a formula alone: nothing but rows
        self.others = [e for e in all_joints if not has_sorted_rows(e.joint)]
        self.coupled = _coupled(elements)
        joints, self.held = _with_held(joints, [*own, *held], size)
        self.read: tuple[Gauge, ...] = ()  # read at every solution, once all is written
        self.limits: dict[str, tuple[float, float]] = {}
        self.stops = [stop for stop in stops if not self._is_slide(joints, stop, size)]
        self.rigid = RigidParts([b.name for b in layout.model.moving], joints, size)
        self.joints = list(self.rigid.joints)
        asked = [*(h.gauge for h in self.held), *(g for c in self.coupled for g in c.gauges)]
        busy = {m.body for gauge in asked for m in (gauge.I, gauge.J)}
        busy |= {m.body for e in self.others for m in e.markers}
        held_parts = {self.rigid.part(b)[0] for b in busy}
        put = {b.name: Frame.of(b.guess) for b in layout.model.moving if b.guess is not None}
        self.legs = legs_of(self.rigid, self.joints, held_parts, put)
        gone = {id(j) for leg in self.legs for j in leg.joints}
        self.joints = [j for j in self.joints if id(j) not in gone]
        self.struts = self._struts()
        self.halves: tuple[str, ...] = ()  # unknowns of which x and -x are one position
        self.places: dict[str, tuple[Any, FloatArray]] = {}  # of parts: P, and of which point
        self.exact_places: dict[str, tuple[ExactPlace, Numbers]] = {}  # the same, as is known
        markers = [m for j in joints for m in (j.I, j.J)]
        markers += [m for e in self.others for m in e.markers]
        frames = (ExactFrame.of(m.position, Frame.of(m.pose).R) for m in markers)
        self.is_aligned = self.rigid.is_known and all(frame.is_known for frame in frames)
        self.equations.rounded = not self.is_aligned
        self.reach = Reach(self.equations, self.scale)
        self.bars = Directions(self.equations, self.scale, plane=False)
        self.tracks: dict[str, AbstractConstraint] = {}  # by joint: what tells a place already
        self.own: dict[tuple[str, str], Expression] = {}  # unknowns of joints, by their names

    # -- parts -------------------------------------------------------------------------------

    def point(self, body: str, p: FloatArray) -> tuple[str, FloatArray]:
        """The part of a body, and a point of the body in the axes of the part's orientation."""
        part, X = self.rigid.part(body)
        _, R = self.rigid.orientation(part)
        return part, R @ (X.p + X.R @ p)

    def direction(self, body: str, v: FloatArray) -> tuple[str, FloatArray]:
        """The orientation of a body, and a vector of the body in it."""
        name, R = self.rigid.orientation(body)
        return name, snapped(R @ v)

    def _struts(self) -> list[Strut]:
        """All distances that are held: rods, legs, and gauges of distances."""
        found = []
        for joint in self.joints:
            for constraint in joint.rest:
                if isinstance(constraint, Distance):
                    found.append(self._strut(joint.I, joint.J, constraint.length, joint.name))
        for holding in self.held:
            gauge = holding.gauge
            if isinstance(gauge.measure, DistanceBetween) and holding.value > 0.0:
                found.append(self._strut(gauge.I, gauge.J, holding.value, gauge.name))
        for leg in self.legs:
            A, B = (self.point(body, p) for body, p in leg.ends)
            found.append(Strut(*A, *B, leg.length, leg.name))
        return found

    def _strut(self, I: Marker, J: Marker, length: float, name: str) -> Strut:
        A, B = (self.point(m.body, np.array(m.position)) for m in (I, J))
        return Strut(*A, *B, length, name)

    # -- everything --------------------------------------------------------------------------

    def write(self, *, is_curve: bool) -> None:
        """All unknowns, rows and readings."""
        self._directions(is_curve=is_curve)
        self._place()
        for joint in self.joints:
            self._rows(joint)
        for element in self.others:
            self._other(element)
        self.reach.bound()
        self._follow_sleeves()
        for strut in self.struts:
            self._write_strut(strut)
        for holding in self.held:
            self._hold(holding)
        for coupled in self.coupled:
            self._couple(coupled)
        for stop in self.stops:
            self._stop(stop)
        for name, off, is_exact in self.rigid.off:
            self._equate(self.equations.number(off), "1", name, is_exact=is_exact)
        for body in self.layout.model.moving:
            self._read(body.name)
        for (of, word), value in self.own.items():
            self.equations.read(f"{of}.{word}", value)
        self._tell()

    def _follow_sleeves(self) -> None:
        """Sleeves of one loop go as far as its turns say, which no length bounds."""
        sleeves = {j.name for j in self.joints if j.turn == "hinge" and j.angle is None}
        followed = self.reach.follow(sleeves)
        if followed:
            names = " and ".join(
                [", ".join(followed[:-1]), followed[-1]] if followed[1:] else followed
            )
            far = FAR * self.scale
            self.equations.notes.append(
                f"{names} {'were' if followed[1:] else 'was'} followed as far as {far:g} m either"
                " way, and nothing is said of positions beyond; limits= asks for other bounds."
            )

    def _tell(self) -> None:
        forms = sorted(self.turns.forms)
        if self.struts and not any(s.is_written for s in self.struts):
            forms.append("rods as distances")
        if not forms:  # an empty form is one of the plane
            forms.append("displacements of slides" if self.reach.slides else NOTHING_UNKNOWN)
        self.equations.form = ", ".join(forms)
        self.equations.halves = self.halves
        moving = [body.name for body in self.layout.model.moving]
        self.equations.loose = tuple(body for body in moving if self._leg(body) is not None)
        turned = [leg.name for leg in self.legs if leg.crossed is not None]
        if turned:
            self.equations.notes.append(
                f"{'Each of ' * (len(turned) > 1)}{', '.join(turned)} also fits turned half round"
                " about its own line, which is not listed."
            )
        spins = [leg.name for leg in self.legs if leg.crossed is None]
        if spins:
            self.equations.notes.append(
                f"{', '.join(spins)} can spin about {'its' if len(spins) == 1 else 'their'} own"
                f" line{'s' * (len(spins) > 1)}; one spin is shown."
            )

    def _directions(self, *, is_curve: bool) -> None:
        found: list[Direction] = []
        for joint in self.joints:
            axes = list(zip(joint.bodies, (joint.X_I.R[:, 2], joint.X_J.R[:, 2]), strict=True))
            ends = [self.direction(*axis) for axis in axes]
            if joint.turn != "hinge" or joint.angle is not None:
                continue
            known = [self.rigid.exact_direction(*axis) for axis in axes]
            if ends[0][0] != ends[1][0]:
                exact = {end[0]: v for end, v in zip(ends, known, strict=True)}
                found.append(Direction(dict(ends), exact=exact, source=joint.name))
            else:
                gap = float(np.abs(ends[0][1] - ends[1][1]).max())
                is_exact = None not in known[0] and known[0] == known[1]
                self._equate(self.equations.number(gap), "1", joint.name, is_exact=is_exact)
        for joint in self.joints:  # axes that rows speak of describe a body well
            for constraint in joint.rest:
                if hasattr(constraint, "a") and hasattr(constraint, "b"):
                    for m, axis in ((joint.I, constraint.a), (joint.J, constraint.b)):
                        name, v = self.direction(m.body, _column(m, axis))
                        exact = {name: self.rigid.exact_direction(m.body, _column(m, axis))}
                        found.append(Direction({name: v}, exact=exact, source=joint.name))
        names = {self.rigid.orientation(b.name)[0] for b in self.layout.model.moving} - {GROUND}
        busy = {self.rigid.orientation(leg.part)[0] for leg in self.legs}
        self.turns = Orientations(self.equations, sorted(names - busy), found)
        for name in names - busy:
            self.turns.flat[name] = self._ends_of_struts(name)
        self.frame = self._frame(found)
        if not platform_basis(self, names - busy, only_flat=is_curve):
            self.turns.write(self.frame)

    def _frame(self, directions: Sequence[Direction]) -> FloatArray:
        """Axes of the ground in those that are written: its first hinge axis is z, exactly.

        They are the same where anything is asked of the world's axes, as of a coordinate.
        """
        if self.others or not all(turns_along(formula) for formula in self._formulas()):
            return np.eye(3)
        for d in directions:
            if GROUND in d.coordinates and d.is_shared:
                z = d.coordinates[GROUND]
                return snapped(np.array([*square_to(z), z]))
        return np.eye(3)

    def _formulas(self) -> Iterator[Callable[[Pose, Pose], Any]]:
        """All that is asked of two markers each, beyond places and turns."""
        asked = [*(h.gauge for h in self.held), *(s.gauge for s in self.stops), *self.read]
        asked += [gauge for coupled in self.coupled for gauge in coupled.gauges]
        yield from (gauge.measure.value for gauge in asked)
        for joint in self.joints:
            for c in joint.rest:
                if not isinstance(c, Distance):
                    yield partial(_at_unknowns, c)
            yield from (side.value for side in joint.sides)

    def _ends_of_struts(self, name: str) -> FloatArray:
        """Ends (k, 3) of rods on the parts of an orientation, each from the first of its part."""
        found: list[FloatArray] = []
        first: dict[str, FloatArray] = {}
        for strut in sorted(self.struts, key=lambda s: s.length):
            for part, p in strut.ends:
                if self.rigid.orientation(part)[0] == name:
                    found.append(p - first.setdefault(part, p))
        return np.array(found).reshape(-1, 3)

    # -- places ------------------------------------------------------------------------------

    def _place(self) -> None:
        """Where every part is: told by the joints from the ground on, else unknown."""
        busy = {leg.part for leg in self.legs}
        parts = {self.rigid.part(b.name)[0] for b in self.layout.model.moving} - busy
        self.places.setdefault(GROUND, (Vector(0.0, 0.0, 0.0), np.zeros(3)))
        self.exact_places[GROUND] = ExactPlace({}), given((0.0, 0.0, 0.0))
        waiting = [j for j in self.joints if j.place != "free"]
        while parts - self.places.keys():
            joint, track = self._next(waiting), self._track(parts)
            if joint is not None:
                waiting.remove(joint)
                self._carry(joint)
            elif track is not None:
                self._put_on_track(*track)
            else:
                self._float(min(parts - self.places.keys()))
        self.closing = waiting

    def _next(self, waiting: list[SpatialJoint]) -> SpatialJoint | None:
        """A joint from a part with a place to one without; points before lines."""
        order = {part: k for k, part in enumerate(self.places)}
        best: tuple[tuple[bool, int], SpatialJoint] | None = None
        for joint in waiting:
            ends = [self.rigid.part(body)[0] for body in joint.bodies]
            known = [order[end] for end in ends if end in order]
            if len(known) == 1 and ends[0] != ends[1]:
                key = (joint.place == "line", known[0])
                if best is None or key < best[0]:
                    best = key, joint
        return None if best is None else best[1]

    def _track(self, parts: set[str]) -> tuple[SpatialJoint, Any] | None:
        """A curve or surface of a part with a place that a point of one without is held on."""
        for joint in self.joints:
            on, (first, second) = joint.rest, (self.rigid.part(body)[0] for body in joint.bodies)
            is_track = len(on) == 1 and isinstance(on[0], TRACKS) and on[0].unknowns
            if is_track and first in self.places and second in parts - self.places.keys():
                return joint, on[0]
        return None

    def _put_on_track(self, joint: SpatialJoint, on: Any) -> None:
        """p_J = p_I + R_I C(t), or S(u, v): the place of a part needs no unknowns then."""
        own = [self._own(joint.name, u) for u in on.unknowns]
        there = on.curve.point(*own) if isinstance(on, OnCurve) else on.place(*own)
        new, q = self.point(joint.J.body, np.array(joint.J.position))
        self.places[new] = self.pose(joint.I).point(there), q
        self.tracks[joint.name] = on

    def _own(self, joint: str, unknown: Unknown) -> Expression:
        """A parameter of a curve or surface, in units of about the machine's size."""
        if (joint, unknown.name) in self.own:
            return self.own[joint, unknown.name]
        factor, domain = 2.0 ** round(math.log2(unknown.scale / self.scale)), unknown.domain
        place = self.equations.unknown(
            f"{joint}.{unknown.name}",
            domain.low * factor,
            domain.high * factor,
            period=domain.period * factor,
            is_limit=domain.is_bounded and not domain.period,
        )
        value = place / self.equations.number(factor)
        self.turns.forms.add("places on curves and surfaces")
        self.own[joint, unknown.name] = value
        return value

    def _carry(self, joint: SpatialJoint) -> None:
        """Give a part its place by a joint to one that has one."""
        ends = [
            self.point(body, X.p)
            for body, X in zip(joint.bodies, (joint.X_I, joint.X_J), strict=True)
        ]
        forward = ends[0][0] in self.places
        (known, p), (new, q) = ends if forward else ends[::-1]
        there = self.at(known, p)
        if joint.place == "line":
            along = self._slid(joint)
            there = there + along if forward else there - along
        self.places[new] = there, q
        bodies = joint.bodies if forward else joint.bodies[::-1]
        frames = (joint.X_I, joint.X_J) if forward else (joint.X_J, joint.X_I)
        self.exact_places[new] = (
            self._exact_at(bodies[0], frames[0].p, joint),
            self.rigid.exact_point(bodies[1], frames[1].p),
        )
        self.reach.carry(new, known, self._away(known, p), joint)

    def _slid(self, joint: SpatialJoint) -> Vector:
        """The way from I to J along the axis of a joint, in metres."""
        name, axis = self.direction(joint.I.body, joint.X_I.R[:, 2])
        z = self.turns.vector(name, axis)
        if joint.slide is not None:
            return z * joint.slide
        low, high = self.limits.get(joint.name, (-math.inf, math.inf))
        s = self.equations.unknown(
            f"{joint.name}.displacement",
            low / self.scale,
            high / self.scale,
            is_limit=joint.name in self.limits,
        )
        self.reach.slides[joint.name] = len(self.equations.unknowns) - 1
        return z * (self.scale * s)

    def _float(self, part: str) -> None:
        """A part that nothing carries: its place is unknown, at the end of its shortest rod."""
        e = self.equations
        struts = enumerate(self.struts)
        ends = [(s.length, k, p) for k, s in struts for own, p in s.ends if own == part]
        origin = min(ends, key=lambda end: end[:2])[2] if ends else np.zeros(3)
        self.turns.forms.add("places of bodies")
        self.places[part] = (
            Vector(*(self.scale * e.unknown(f"{part}.{word}") for word in "xyz")),
            origin,
        )

    def at(self, part: str, p: FloatArray) -> Vector:
        """A point of a part in the world, in metres; p in the axes of its orientation."""
        place, origin = self.places[part]
        name, _ = self.rigid.orientation(part)
        away = (p - origin) / self.scale
        if not np.abs(snapped(away)).any():
            return place  # type: ignore[no-any-return]
        return place + self.turns.vector(name, snapped(away)) * self.scale  # type: ignore[no-any-return]

    def _exact_at(self, body: str, p: FloatArray, joint: SpatialJoint | None = None) -> ExactPlace:
        """A point of a body in the world, as far as it is known, slid along the axis of a joint."""
        part, _ = self.rigid.part(body)
        name, _ = self.rigid.orientation(part)
        free = ExactPlace({}, is_free=True), given((0.0, 0.0, 0.0))
        place, origin = self.exact_places.get(part, free)
        made = place.moved(name, self.rigid.exact_point(body, p)).moved(name, origin, -1)
        if joint is not None and joint.place == "line":
            own = self.rigid.orientation(joint.I.body)[0]
            axis = self.rigid.exact_direction(joint.I.body, joint.X_I.R[:, 2])
            made = made.slid(*self._as_it_stands(own, axis))
        return made

    def _as_it_stands(self, name: str, axis: Numbers) -> tuple[str, Numbers]:
        """A direction of an orientation, as one of the ground where the two share it exactly."""
        for d in self.turns.directions:
            if None not in axis and d.exact.get(name) == axis and GROUND in d.exact:
                return GROUND, d.exact[GROUND]
        return name, axis

    def _standing(self, k: int) -> dict[str, Numbers]:
        """The k-th axis of the written ground in every orientation that keeps it."""
        for d in self.turns.directions:
            if d.constant is not None and abs(d.constant[k]) == 1.0:
                return d.exact
        return {GROUND: given(self.frame[k])}

    def _away(self, part: str, p: FloatArray) -> float:
        """How far (m) a point of a part is from the one that its place is of."""
        return float(np.linalg.norm(p - self.places[part][1]))

    # -- rows --------------------------------------------------------------------------------

    def pose(self, marker: Marker) -> Pose:
        """X_WM, traced."""
        leg = self._leg(marker.body)
        if leg is not None:
            place, basis = self._leg_frame(leg, marker.body)

            def vector(v: FloatArray) -> Vector:
                return combined(zip(snapped(v).tolist(), basis, strict=True))

            away = vector(np.array(marker.position) / self.scale) * self.scale
            return Pose(place + away, Rotation(*(vector(_column(marker, a)) for a in Axis)))
        name, R = self.rigid.orientation(marker.body)
        axes = [self.turns.vector(name, snapped(R @ _column(marker, a))) for a in Axis]
        part, p = self.point(marker.body, np.array(marker.position))
        return Pose(self.at(part, p), Rotation(*axes))

    def _rows(self, joint: SpatialJoint) -> None:
        """What a joint says beyond places and turns that are told already."""
        if joint in self.closing:
            self._close(joint)
        rest = [c for c in joint.rest if not isinstance(c, Distance)]
        if not rest and not joint.sides:
            return
        X = self.pose(joint.I), self.pose(joint.J)
        for constraint in rest:
            if self.tracks.get(joint.name) is not constraint:
                self._said(constraint, X, (joint.I, joint.J), joint.name)
        for side in joint.sides:
            self.equations.keep_positive(self._traced(side.value(*X)), joint.name)

    def _other(self, element: JointElement) -> None:
        """The rows of a joint of more than two frames, or of one that is a formula alone."""
        joint, X = element.joint, [self.pose(m) for m in element.markers]
        for constraint in joint.constraints:
            self._said(constraint, X, element.markers, joint.name)
        if not joint.constraints:
            who = f"{type(joint).__name__}.phi (joint {joint.name!r})"
            rows = rows_of(lambda: joint.phi(*X), len(joint.row_units), who)
            for row, unit in zip(rows, joint.row_units, strict=True):
                self._equate(row, unit, joint.name)
        for side in joint.sides:
            self.equations.keep_positive(self._traced(side.value(X[0], X[1])), joint.name)

    def _said(self, own: Any, X: Sequence[Pose], markers: Sequence[Marker], source: str) -> None:
        """The rows of a constraint at poses, with its unknowns, without quotients by lengths."""
        args = [*X, *(self._own(source, u) for u in own.unknowns)]
        units, formula = own.rows, partial(own.phi, *args)
        if isinstance(own, AbstractBarConstraint):
            own, bars = self.bars.put_into(own, list(X), tuple(markers), source)
            formula = partial(own.rows_along, bars, *args)
            if own.implied:
                parted = own.parted(bars, *args)
                units = parted.units
                formula = partial(self.bars.off_bar, bars[0], parted, source)
        rows = rows_of(formula, len(units), f"{type(own).__name__}.phi (joint {source!r})")
        if type(own).arrows is not AbstractConstraint.arrows:
            for u in own.arrows(*X):
                square = self._traced((u / self.scale).square)
                self.equations.keep_positive(square - SHORTEST * SHORTEST, source)
            rows = [cleared(self._traced(row), self.equations.inputs) for row in rows]
        for row, unit in zip(rows, units, strict=True):
            self._equate(row, unit, source)
        if isinstance(own, DistanceFromSurface) and own.unknowns:
            self._bound_offset(own, X, args[len(X) :], source)

    def _bound_offset(
        self, own: DistanceFromSurface, X: Sequence[Pose], uv: Sequence[Any], source: str
    ) -> None:
        """|p_J - S|^2 = length^2 follows: it bounds a place where unit normals do not."""
        gap = (X[1].position - X[0].point(own.surface.point(*uv))) / self.scale
        share = self.equations.number(own.length / self.scale)
        self.equations.imply(self._traced(gap.square) - share * share, source)

    def _close(self, joint: SpatialJoint) -> None:
        """p_J = p_I, or p_I + s z: two ways from the ground lead to one point."""
        (A, p), (B, q) = (
            self.point(body, X.p)
            for body, X in zip(joint.bodies, (joint.X_I, joint.X_J), strict=True)
        )
        gap = self.at(B, q) - self.at(A, p)
        if joint.place == "line":
            gap = gap - self._slid(joint)
        self.reach.close((A, self._away(A, p)), (B, self._away(B, q)), joint)
        way = self._exact_at(joint.J.body, joint.X_J.p)
        way = way.less(self._exact_at(joint.I.body, joint.X_I.p, joint))
        for k, row in enumerate(gap):
            is_exact = way.vanishes_along(self._standing(k))
            self._equate(row, "m", joint.name, is_exact=is_exact)

    def _write_strut(self, strut: Strut) -> None:
        """abs(p_B - p_A)^2 = length^2, in units of the machine's size."""
        if strut.is_written:
            return
        d = (self.at(*strut.ends[1]) - self.at(*strut.ends[0])) / self.scale
        square = self.equations.number(strut.length / self.scale)
        self._equate(d.square - square * square, "1", strut.name)

    def _equate(self, row: Any, unit: str, source: str, *, is_exact: bool | None = None) -> None:
        """Ask that a row vanish; one without unknowns must do so exactly, or it is doubtful."""
        value = self._traced(row)
        value = value / self.equations.number(self.scale) if unit == "m" else value
        if value.constant is None or abs(value.constant) > LEAST:
            self.equations.equate(value, source)
        elif not (self.is_aligned and value.constant == 0.0 if is_exact is None else is_exact):
            self.equations.doubt(source, abs(value.constant))

    def _hold(self, holding: _Held) -> None:
        """A measure at a value; sin(a - value) = 0 and cos(a - value) > 0 of an angle a."""
        gauge = holding.gauge
        if isinstance(gauge.measure, DistanceBetween) and holding.value > 0.0:
            return  # one of the struts
        X = self.pose(gauge.I), self.pose(gauge.J)
        read = value_of(lambda: gauge.measure.value(*X), gauge.name)
        if not isinstance(read, Wrapped):
            self._equate(self._traced(read) - holding.value, gauge.unit, gauge.name)
            return
        y, x = self._arms(gauge, read)
        c, s = math.cos(holding.value), math.sin(holding.value)
        self._equate(y * c - x * s, "1", gauge.name)
        self.equations.keep_positive(x * c + y * s, gauge.name)

    def _couple(self, coupled: _Coupled) -> None:
        """Turns in whole ratios, and displacements, as a product of cosine-sine pairs."""
        number, source = self.equations.number, coupled.source
        arms, shares, slides = [], [], []
        for gauge, share in zip(coupled.gauges, coupled.shares, strict=True):
            X = self.pose(gauge.I), self.pose(gauge.J)
            read = value_of(lambda g=gauge, X=X: g.measure.value(*X), gauge.name)  # type: ignore[misc]
            if isinstance(read, Wrapped):
                arms.append(self._arms(gauge, read))
                shares.append(share)
            else:
                slides.append((share, self._traced(read)))
        if arms:
            row, side = hold_coupler(arms, shares, coupled.constant, number, source, slides)
            self._equate(row, "1", source)
            self.equations.keep_positive(side, source)
            return
        units = {gauge.unit for gauge in coupled.gauges}
        terms = [exact(c, number) * value for c, value in slides]
        row = sum(terms, -exact(coupled.constant, number))
        self._equate(row, "m" if units == {"m"} else "1", source)

    def _arms(self, gauge: Gauge, read: Wrapped) -> tuple[Expression, Expression]:
        """(sine, cosine) of a wrapped angle, up to a common positive factor."""
        angle = self._traced(read.angle)
        graph = angle.graph
        if angle.constant is not None:  # of bodies that stand still
            return angle.sin(), angle.cos()
        if graph.ops[angle.node] != Op.ATAN2:
            raise UnsolvableKind(
                f"{gauge.name!r} reads an angle that is no plain arc tangent: the certified search"
                " cannot take it."
            )
        y, x = (Expression(graph, a) for a in graph.args[angle.node])
        return y, x

    def read_gauge(self, gauge: Gauge) -> None:
        """Have a measure read at every solution; of an angle, its sine and its cosine."""
        X = self.pose(gauge.I), self.pose(gauge.J)
        value = value_of(lambda: gauge.measure.value(*X), gauge.name)
        if not isinstance(value, Wrapped):
            self.equations.read(gauge.name, self._traced(value))
            return
        sine, cosine = self._arms(gauge, value)
        self.equations.read(f"{gauge.name} sine", sine)
        self.equations.read(f"{gauge.name} cosine", cosine)

    def _is_slide(self, joints: Sequence[SpatialJoint], stop: Limited, size: float) -> bool:
        """Whether a limit is one of a slide, whose displacement it then bounds."""
        for joint in joints:
            ends = [shown_value(joint, stop.gauge, x, "slide", size) for x in (stop.low, stop.high)]
            if ends[0] is not None and ends[1] is not None:
                low, high = self.limits.get(joint.name, (-math.inf, math.inf))
                low, high = max(low, min(ends[0], ends[1])), min(high, max(ends[0], ends[1]))
                if low >= high:
                    return False  # apart from one before: both at once, as rows of their own
                self.limits[joint.name] = (low, high)
                return True
        return False

    def _stop(self, stop: Limited) -> None:
        """Keep a measure between two values: it becomes an unknown of its own."""
        e, gauge = self.equations, stop.gauge
        X = self.pose(gauge.I), self.pose(gauge.J)
        read = value_of(lambda: gauge.measure.value(*X), gauge.name)
        name = f"limit of {gauge.name}"
        if not isinstance(read, Wrapped):
            unit = self.scale if gauge.unit == "m" else 1.0
            u = e.unknown(name, stop.low / unit, stop.high / unit, is_limit=True)
            value = self._traced(read)
            self._equate(value - self._traced(u * unit), gauge.unit, gauge.name)
            return
        if stop.high - stop.low >= WHOLE_TURN:
            return  # every position has a turn within
        self._at_angle(gauge, read, e.unknown(name, stop.low, stop.high, is_limit=True))

    def follow(self, clock: Clock) -> None:
        """Measures that are what their laws give at a time, which is an unknown."""
        t = clock.time(self.equations)
        for gauge, law in clock.drives:
            X, value = (self.pose(gauge.I), self.pose(gauge.J)), self._traced(law.value(t))
            read = value_of(lambda g=gauge, X=X: g.measure.value(*X), gauge.name)  # type: ignore[misc]
            if isinstance(read, Wrapped):
                self._at_angle(gauge, read, value)
            elif isinstance(gauge.measure, DistanceBetween):
                way, v = (X[1].position - X[0].position) / self.scale, value / self.scale
                self._equate(way.square - v * v, "1", gauge.name)
                self.equations.keep_positive(v, gauge.name)
            else:
                self._equate(self._traced(read) - value, gauge.unit, gauge.name)

    def _at_angle(self, gauge: Gauge, read: Wrapped, value: Expression) -> None:
        """A measured angle is a value: sin(a - value) = 0 and cos(a - value) > 0."""
        sine, cosine = self._arms(gauge, read)
        c, s = value.cos(), value.sin()
        self.equations.equate(sine * c - cosine * s, gauge.name)
        self.equations.keep_positive(cosine * c + sine * s, gauge.name)

    # -- readings ----------------------------------------------------------------------------

    def _read(self, body: str) -> None:
        """Place and axes of a body in the world."""
        leg = self._leg(body)
        if leg is not None:
            place, axes = self._leg_frame(leg, body)
        else:
            name, R = self.rigid.orientation(body)
            axes = [self.turns.vector(name, snapped(R @ e)) for e in np.eye(3)]
            place = self.at(*self.point(body, np.zeros(3)))
        back = self.frame.T
        for k, v in enumerate((place, *axes)):
            there = [plain(row) @ v for row in back]
            for word, value in zip(PARTS[3 * k : 3 * k + 3], there, strict=True):
                self.equations.read(f"{body}.{word}", self._traced(value))

    def _leg(self, body: str) -> Leg | None:
        """The rod that a body is part of."""
        part, _ = self.rigid.part(body)
        return next((leg for leg in self.legs if leg.part == part), None)

    def _leg_frame(self, leg: Leg, body: str) -> tuple[Vector, list[Vector]]:
        """Place and axes of a body that is a rod: along its line, and across what it crosses."""
        start, end = (self.at(*self.point(owner, p)) for owner, p in leg.ends)
        d = (end - start) / leg.length
        if leg.crossed is None:
            a = self.frame @ leg.shown
            across = plain(a) - d * (plain(a) @ d)
        else:
            name, v = self.direction(*leg.crossed)
            across = self.turns.vector(name, v).cross(d) * leg.sign
        n = across / self._traced(across.square).sqrt()
        basis = (d, n, d.cross(n))
        _, X = self.rigid.part(body)
        own = leg.axes

        def vector(v: FloatArray) -> Vector:
            return combined(zip(snapped(own.T @ v).tolist(), basis, strict=True))

        place = start + vector((X.p - leg.start) / self.scale) * self.scale
        return place, [vector(X.R @ e) for e in np.eye(3)]

    def _traced(self, value: Any) -> Expression:
        return lifted(self.equations.graph, value)


def _at_unknowns(constraint: AbstractConstraint, *X: Pose) -> Any:
    """Rows of a constraint at poses, its own unknowns somewhere in their domains."""
    domains = [u.domain for u in constraint.unknowns]
    ends = [(d.low, d.width) if d.is_bounded else (0.0, 1.0) for d in domains]
    return constraint.phi(*X, *(low + SOMEWHERE * width for low, width in ends))


def _column(marker: Marker, axis: Axis) -> FloatArray:
    return np.array(marker.rotation.axis(axis), dtype=np.float64)


def _own_holdings(element: JointElement) -> list[Holding]:
    """What a joint holds by itself, one measure at a time."""
    pairs = zip(element.held, element.gauges, strict=False)
    return [Holding(gauge, held.value or 0.0) for held, gauge in pairs if _is_plain(held)]


def _is_plain(held: Held) -> bool:
    return len(held.measures) == 1 and held.coefficients[0] == 1.0


def _coupled(elements: Sequence[Any]) -> list[_Coupled]:
    """Couplers, and what joints hold of more than one measure, as screws do."""
    made = []
    for element in elements:
        if not isinstance(element, JointElement):
            told = linear_law(element.coupler, element.name)
            made.append(_Coupled(element.coupler.gauges, tuple(told[0]), told[1], element.name))
            continue
        for held in element.held:
            if _is_plain(held):
                continue
            I, J = element.joint.markers
            gauges = tuple(Gauge(element.name, m, I, J) for m in held.measures)
            shares = tuple(Fraction(c) for c in held.coefficients)
            made.append(_Coupled(gauges, shares, Fraction(held.value or 0.0), element.name))
    return made


def _with_held(
    joints: list[SpatialJoint], held: Sequence[Holding], size: float
) -> tuple[list[SpatialJoint], list[_Held]]:
    """Joints with what is held of their freedoms, and the holdings that are of none."""
    made, others = list(joints), []
    for holding in held:
        for k, joint in enumerate(made):
            kept = with_holding(joint, holding, size)
            if kept is not None:
                made[k] = kept
                break
        else:
            others.append(_Held(holding.gauge, holding.value))
    return made, others
