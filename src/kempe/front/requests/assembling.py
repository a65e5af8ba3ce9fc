"""From what a user wishes, by name, to an assembly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import measure_named
from kempe.drives import Drive, Setting
from kempe.equations import Equations, equations_of
from kempe.equations.rank import REDUNDANT, SINGULAR, drive_rows, independent_rows
from kempe.errors import (
    AssemblyError,
    BadNumber,
    DriveError,
    ModelError,
    UnknownName,
    about,
    nearest_name,
)
from kempe.front.position import Assembly, FloatArray
from kempe.front.requests.every_assembly import searchable
from kempe.front.requests.start import Start, Started, started
from kempe.front.trajectory import Trajectory, TurnedAngles
from kempe.geometry import GROUND, Pose, Rotation, Vector
from kempe.kinematics.check.assembly import assemble, check_given, check_sides
from kempe.kinematics.check.misfit import not_assembled, not_with_locks
from kempe.kinematics.closing.attempts import (
    KEPT,
    SAME,
    Search,
    found_by_complete_search,
    has_sides,
    nearer_of_all,
)
from kempe.kinematics.closing.closing import Closing
from kempe.kinematics.closing.nearest import (
    CONTRADICTION,
    Nearest,
    Wish,
    nearest,
    nearest_velocities,
)
from kempe.kinematics.closing.placement import (
    Given,
    Guesses,
    body_pose,
    first_guess,
    gauge_reading,
    given_of,
    moved_bodies,
)
from kempe.kinematics.closing.winding import initial_turns
from kempe.kinematics.laws.drive_laws import law_rate
from kempe.measures import Gauge
from kempe.names import refuse_no_texts
from kempe.outcome import DONE
from kempe.readings.part_readings import measured_in_si
from kempe.results import Motion
from kempe.units import in_si

Number = float | str
Place = Pose | Sequence[Number] | Number
FAINT = 1e-3  # weight of a body that was not named: it goes where the others need it
COORDINATES = {True: ("x", "y", "angle"), False: ("x", "y", "z")}  # by plane


@final
@dataclass(frozen=True)
class Request:
    """What `Mechanism.assemble` was asked for."""

    near: "Mapping[str, Place] | Start"
    values: Mapping[str, Number]
    weights: Mapping[str, float]
    locked: Sequence[str]
    rates: Mapping[str, Number]
    twists: Mapping[str, Sequence[Number]]
    at: Number | None


def assembled(layout: Layout, asked: Request) -> Assembly:
    """The assembly nearest to what was asked for; an AssemblyError where there is none."""
    if not layout.model.moving:
        raise ModelError(f"{layout.model.name!r} has no body to put together: add one.")
    t = 0.0 if asked.at is None else in_si(asked.at, "s")
    near = wishes(layout, asked.near)
    q, start, refused = _first(layout, t)
    given = _given(layout, q, near)
    held, gauges = _locks(layout, asked.locked)
    given = replace(given, locked=held if held.any() else None)
    settled = {g.name: (g, gauge_reading(layout, given.q, g)) for g in gauges}
    for name, value in asked.values.items():
        gauge = measure_named(layout.model, name)
        with about(f"the value of {name!r}"):
            settled[name] = gauge, measured_in_si(layout.model, gauge, value)
    drives = [Drive(gauge, Setting(value, value)) for gauge, value in settled.values()]
    if asked.at is not None:
        drives += [d for d in layout.model.drives if d.gauge.name not in settled]
    begun = None if isinstance(asked.near, Mapping) else started(layout, asked.near)
    if begun is not None and not settled:
        given = replace(given, turned=begun.angles)
    there = searchable(replace(layout.model, drives=tuple(drives)))
    equations = equations_of(there)
    weights = _weights(layout, asked.weights, given)
    if start is not None and not (near or asked.weights or asked.locked or settled):
        last = initial_turns(equations, t, start.q, given.turned)
        found = _standing(layout, replace(start, turns=last), given)
    else:
        check_given(equations, t, given)
        found = _nearest(equations, Wish(given.q, weights, held, given.turned), given, t)
        found = replace(found, at=replace(found.at, starts=1 + Search(equations, t, given).count))
    is_impossible = False
    if not (found.at.is_closed and has_sides(there, found.at.q)):
        other, is_impossible = found_by_complete_search(equations, t, found.at, given)
        if other is not None:
            found = nearest(equations, Wish(given.q, weights, held), t, start=other)
    if not found.at.is_closed:
        if held.any():
            locked = tuple(asked.locked)
            raise not_with_locks(equations, found.at, locked, is_impossible=is_impossible)
        raise not_assembled(equations, found.at, is_impossible=is_impossible)
    check_sides(there, found.at.q)
    trust = weights[layout.coordinates.bodies_v]
    v, slow = _velocities(there, found.at.q, t, asked, trust)
    J = equations.scaled_jacobian(found.at)[:, ~held]
    freedom = int((~held).sum()) - len(independent_rows(np.ascontiguousarray(J)))
    notes = moved_bodies(layout, found.at.q, _told(layout, given, near))
    if refused and asked.at is None and not settled:
        slow = (*slow, f"no analysis can start: {refused} Here the drives are let go")
    rows, still = (found.at.q[None].copy(), v[None].copy()), np.zeros((1, len(v)))
    motion = Motion(np.array([t]), *rows, still, DONE, notes=(*notes, *slow))
    if begun is not None or settled:
        motion = replace(motion, angles=_angles(there, motion, begun, settled))
    return Assembly.of(Trajectory(layout, motion), found=found, freedom=freedom)


def _angles(
    there: Layout,
    motion: Motion,
    begun: Started | None,
    settled: Mapping[str, tuple[Gauge, float]],
) -> Mapping[str, float]:
    """Readings (rad) that have turned: as was asked for, as couplers say, as at a start."""
    told = [drive.gauge for drive in there.model.drives]
    told += [gauge for coupler in there.model.couplers if settled for gauge in coupler.gauges]
    kept = {} if begun is None else begun.apart_from(there, told)
    return TurnedAngles(lambda: Trajectory(there, replace(motion, angles=kept)), 0)


def wishes(layout: Layout, near: "Mapping[str, Place] | Start") -> Mapping[str, object]:
    """A wish by name, whichever way it was given."""
    if isinstance(near, Mapping):
        return near
    begun = started(layout, near)
    return {} if begun is None else begun.poses


def _standing(layout: Layout, start: Closing, given: Given) -> Nearest:
    """The start of every analysis, and how far it is from what was given."""
    moved = layout.displacement(given.kept(layout, start.q), start.q)
    return Nearest(start, moved, 0)


def _nearest(equations: Equations, wish: Wish, given: Given, t: float) -> Nearest:
    """The closed configuration nearest to the wish, of those that several searches find.

    The first of them begins where the wish is; what was not wished stays near where it begins.
    """
    first = nearest(equations, wish, t)
    is_fit = first.at.is_closed and has_sides(equations.layout, first.at.q)
    if is_fit and given.distance(equations.layout, first.at.q) <= KEPT:
        return first
    other = Search(equations, t, given).nearest()
    if other is None:
        return first
    second = nearest(equations, wish, t, start=nearer_of_all(equations, t, other, given))
    if not (second.at.is_closed and has_sides(equations.layout, second.at.q)):
        return first
    far = [_weighted(equations.layout, wish, one) for one in (first, second)]
    return second if not is_fit or far[1] < far[0] * (1.0 - SAME) else first


def _weighted(there: Layout, wish: Wish, found: Nearest) -> float:
    """|W d|, d the displacement from the wish."""
    return float(np.linalg.norm(wish.weights * found.moved * there.step_weights))


def _first(layout: Layout, t: float) -> tuple[FloatArray, Closing | None, str]:
    """Coordinates of all bodies to begin with: the start of every analysis, or why there is none.

    Where what was given does not go together at all, nothing is said of analyses.
    """
    try:
        start = assemble(equations_of(layout), t)
    except AssemblyError as refused:
        return first_guess(layout, 0, t), None, str(refused) if layout.model.drives else ""
    return start.q.copy(), start, ""


def _given(layout: Layout, q: FloatArray, near: Mapping[str, object]) -> Given:
    """What is wished: places and coordinates that are named, else all first guesses."""
    chart, at = layout.chart, layout.coordinates
    if not near:
        own = given_of(layout, Guesses.of(layout.model))
        return replace(own, q=own.kept(layout, q))
    q, counts = q.copy(), np.zeros(layout.n_v, dtype=bool)
    anywhere: dict[str, bool] = {}
    for k, body in enumerate(layout.model.moving):
        if body.guess is not None and not body.anywhere:
            q[at.q_of(k)] = chart.coordinates(body.guess)
    refuse_no_texts(near)
    for name, place in near.items():
        body_name, _, word = name.partition(".")
        k = _body(layout, body_name, "near")
        with about(f"the place of {name!r}"):
            if word:
                number = _coordinate(layout, name, word)
                q[at.q_of(k)][number] = _number(layout, word, place)
                counts[at.v_of(k)][number] = True
            else:
                q[at.q_of(k)] = chart.coordinates(_pose(layout, q, body_name, place))
                counts[at.way_of(k)] = True
                counts[at.spin_of(k)] = isinstance(place, Pose) or layout.model.plane
        anywhere[body_name] = not counts[at.way_of(k)].all()
    poses = {name: body_pose(layout, q, name) for name in anywhere}
    guesses = Guesses(poses, frozenset(name for name, only in anywhere.items() if only))
    return Given(guesses, q, counts)


def _told(layout: Layout, given: Given, near: Mapping[str, object]) -> Guesses | None:
    """The wishes whose change is told; None for the model's own guesses."""
    if not near:
        return None
    at, index = layout.coordinates, layout.body_index
    poses = given.guesses.poses.items()
    kept = {name: X for name, X in poses if given.counts[at.spin_of(index[name])][-1]}
    return Guesses(kept, given.guesses.anywhere & kept.keys())


def _pose(layout: Layout, q: FloatArray, body: str, place: object) -> Pose:
    """A pose, or the numbers of one: (x, y, angle) in the plane, (x, y, z) in space."""
    if isinstance(place, Pose):
        return place
    words = COORDINATES[layout.model.plane]
    if isinstance(place, str) or not isinstance(place, Sequence) or len(place) != 3:
        raise BadNumber(
            f"it is a Pose or 3 numbers ({', '.join(words)}), not {place!r}.", body=body
        )
    numbers = [_number(layout, word, c) for word, c in zip(words, place, strict=True)]
    if layout.model.plane:
        return Pose(Vector(numbers[0], numbers[1], 0.0), Rotation.planar(numbers[2]))
    return Pose(Vector(*numbers), body_pose(layout, q, body).rotation)


def _number(layout: Layout, word: str, value: object) -> float:
    if not isinstance(value, (int, float, str)):
        raise BadNumber(f"it is a number or text with a unit, not {value!r}.")
    return in_si(value, "rad") if word == "angle" else in_si(value, "m", layout.model.length_unit)


def _body(layout: Layout, name: str, where: str) -> int:
    if name == GROUND or name not in layout.body_index:
        known = [b.name for b in layout.model.moving]
        raise UnknownName(
            f"`{where}` names {name!r}, which is no moving body.{nearest_name(name, known)}",
            name=name,
        )
    return layout.body_index[name]


def _coordinate(layout: Layout, name: str, word: str) -> int:
    words = COORDINATES[layout.model.plane]
    if word not in words:
        raise UnknownName(f"{name!r} is no coordinate.{nearest_name(word, words)}", name=name)
    return words.index(word)


def _locks(layout: Layout, locked: Sequence[str]) -> tuple[np.ndarray, list[Gauge]]:
    """Displacements that are held, and measures that are held by a row of their own."""
    if isinstance(locked, str):
        raise BadNumber(f'`locked` is a list of names: write locked=["{locked}"].')
    at = layout.coordinates
    held, gauges = np.zeros(layout.n_v, dtype=bool), []
    for name in locked:
        body, _, word = name.partition(".")
        if not word and body not in (j.name for j in layout.model.joints):
            held[at.v_of(_body(layout, body, "locked"))] = True
        elif body in layout.body_index and word in COORDINATES[layout.model.plane]:
            held[at.v_of(_body(layout, body, "locked"))][_coordinate(layout, name, word)] = True
        else:
            gauges.append(measure_named(layout.model, name))
    return held, gauges


def _weights(layout: Layout, asked: Mapping[str, float], given: Given) -> FloatArray:
    flat = np.where(given.counts, 1.0, FAINT) if given.counts.any() else np.ones(layout.n_v)
    weights = layout.coordinates.v_by_body(flat)
    for name, weight in asked.items():
        if not 0.0 < weight < np.inf:
            raise BadNumber(
                f"the weight of {name!r} is {weight!r}: it must be positive; what must not move at"
                " all is `locked`."
            )
        body_name, _, word = name.partition(".")
        k = _body(layout, body_name, "weights")
        if word == "angle" and not layout.model.plane:
            flat[layout.coordinates.spin_of(k)] *= weight
        elif word:
            weights[k, _coordinate(layout, name, word)] *= weight
        else:
            weights[k] *= weight
    return flat


def _velocities(
    there: Layout, q: FloatArray, t: float, asked: Request, weights: FloatArray
) -> tuple[FloatArray, tuple[str, ...]]:
    """Velocities that the joints allow: given rates exactly, given twists as nearly as can be.

    Drives that cannot move at their rate, as in a dead point, are told in words: nobody asked for
    that rate.
    """
    rates: dict[str, tuple[Drive, float]] = {}
    if asked.at is not None:
        for drive in there.model.drives:
            rates[drive.gauge.name] = drive, law_rate(drive.law, t)
    for name, value in asked.rates.items():
        gauge = measure_named(there.model, name)
        plain = there.model.length_unit if gauge.unit == "m" else None
        with about(f"the rate of {name!r}"):
            rate = in_si(value, f"{gauge.unit}/s", None if plain is None else f"{plain}/s")
        reading = gauge_reading(there, q, gauge)
        rates[name] = Drive(gauge, Setting(reading, reading)), rate
    driven = replace(there.model, drives=tuple(drive for drive, _ in rates.values()))
    moving = Layout(driven).moving
    equations = equations_of(moving)
    last = initial_turns(equations, 0.0, q)
    entries = equations.evaluate(q, t, last)[1]
    J = equations.program.dense_jacobian(entries) / moving.step_weights
    right = equations.program.right_hand(equations.parameters, q, t, np.zeros(moving.n_v))[0].copy()
    of_joints = [r.element < moving.first_drive for r in equations.program.shape.rows]
    right[np.array(of_joints, dtype=bool)] = 0.0
    right[drive_rows(equations)] = [rate for _, rate in rates.values()]
    sizes = np.array([moving.size if r.unit == "m" else 1.0 for r in equations.program.shape.rows])
    wanted, trust = _twists(moving, q, asked.twists, weights)
    v, missed = nearest_velocities(J / sizes[:, None], right / sizes, wanted, trust)
    fast = max(float(np.abs(x).max(initial=0.0)) for x in (right / sizes, wanted))
    if not rates or missed <= CONTRADICTION * fast:
        return v / moving.step_weights, _trembling(J / sizes[:, None], list(rates))
    names = _listed(list(rates))
    if asked.rates:
        raise DriveError(
            f"the rates of {names} cannot be had together in this position: the nearest motion"
            f" misses one by {missed:.3g} of its unit. Give fewer of them, or other values.",
            missed=missed,
        )
    return v / moving.step_weights, (
        f"{names} cannot move here as fast as the drives ask for: velocities are those of the"
        f" nearest motion, which misses them by {missed:.3g} of their unit",
    )


def _trembling(J: FloatArray, rates: list[str]) -> tuple[str, ...]:
    """A note where rates are had only because rounding leaves the position beside a dead point."""
    shares = np.linalg.svd(J, compute_uv=False) if rates else np.zeros(0)
    counted = shares[shares > REDUNDANT]
    if not counted.size or counted[-1] > SINGULAR:
        return ()
    return (
        f"it stands in a singular position, to rounding: the velocities that {_listed(rates)} would"
        " need there are as large as rounding makes them",
    )


def _listed(names: list[str]) -> str:
    return ", ".join(repr(name) for name in names)


def _twists(
    layout: Layout,
    q: FloatArray,
    given: Mapping[str, Sequence[Number]],
    weights: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Wished velocities, scaled, and how much each body's matter; 0 and little where not given."""
    at, unit = layout.coordinates, layout.model.length_unit
    wanted, trust = np.zeros(layout.n_v), np.ones(layout.n_v)
    trust[at.bodies_v] = weights
    for k, body in enumerate(layout.model.moving):
        if given and body.name not in given:
            trust[at.v_of(k)] *= FAINT
    for body_name, twist in given.items():
        k = _body(layout, body_name, "twists")
        words = ("vx, vy, w", "vx, vy, vz, wx, wy, wz")[not layout.model.plane]
        if isinstance(twist, str) or len(twist) != at.n_each:
            raise BadNumber(f"the twist of {body_name!r} is {words} in world axes, not {twist!r}.")
        with about(f"the twist of {body_name!r}"):
            numbers = [
                in_si(c, "rad/s") if angular else in_si(c, "m/s", f"{unit}/s")
                for c, angular in zip(twist, at.is_angular[at.v_of(k)], strict=True)
            ]
        wanted[at.v_of(k)] = numbers
        if not layout.model.plane:  # spins are kept in body axes
            R_WB = body_pose(layout, q, body_name).rotation.matrix()
            wanted[at.spin_of(k)] = R_WB.T @ wanted[at.spin_of(k)]
    return wanted * layout.step_weights, trust
