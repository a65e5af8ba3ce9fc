"""Positions of a grid, reached from neighbour to neighbour, and what inputs move there."""

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name, measure_named, points_by_name
from kempe.equations import equations_of
from kempe.equations.equations import Sampled
from kempe.errors import BadNumber, KempeError, ModelError, UnknownName, nearest_name, whole_number
from kempe.front.dexterity import Dexterity
from kempe.front.parts import by_name
from kempe.front.requests.sweep import set_by_hand, still_measured
from kempe.front.trajectory import Trajectory
from kempe.kinematics.sweep.live import Live
from kempe.names import names_in
from kempe.outcome import DONE
from kempe.results import Motion
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Cell = tuple[int, ...]

MOST: Final = 1_000_000  # positions of a grid
AT_ONCE: Final = 2000  # positions whose Jacobians are held
SINGULAR: Final = 1e-9  # of the largest: a smaller singular value of rows or of inputs is none
FIRST: Final = 200  # cells that are tried to begin with, the nearest first


@final
@dataclass(frozen=True, slots=True, eq=False)
class AskedDexterity:
    """The arguments of `Mechanism.dexterity`."""

    of: str | Sequence[str]
    inputs: Sequence[str]
    over: Mapping[str, Any]
    count: int
    length: float | str | None

    def of_mechanism(self, mechanism: "Mechanism") -> Dexterity:
        """The answer: the grid reached, then the rates at all of its positions."""
        layout = mechanism.layout
        of, inputs = names_in(self.of), names_in(self.inputs)
        if not of or not inputs:
            raise BadNumber("what is moved, and by what? Give `of` and `inputs`.")
        for what, names in (("of", of), ("inputs", inputs)):
            for name in names:
                if names.count(name) > 1:
                    raise BadNumber(f"`{what}` names {name!r} twice: name each once.", name=name)
        length = None if self.length is None else in_si(self.length, "m")
        if length is not None and not 0.0 < length < math.inf:
            raise BadNumber(f"`length` is a length above 0, not {self.length!r}.")
        scales = _scales(layout, of, inputs, length)
        over = self._grid(layout, inputs)
        q, is_reached = _Flood(layout, over).run()
        rates = _rates(layout, q, of, inputs)
        return _told(mechanism.name, (of, inputs, over), is_reached, rates, scales, length)

    def _grid(self, layout: Layout, inputs: Sequence[str]) -> dict[str, FloatArray]:
        whole_number("count", self.count, 2)
        given = by_name(self.over, "a grid", "(low, high)")
        for name in inputs if not given else ():
            raise BadNumber(
                f"over what? Give the range of {name!r}, or of other measures: {{{name!r}: (low,"
                " high)}."
            )
        made = {}
        for name, values in given.items():
            unit = measure_named(layout.model, name, "sweep").unit
            made[name] = _axis(name, values, unit, self.count)
        if math.prod(len(x) for x in made.values()) > MOST:
            raise BadNumber(f"a grid has {MOST:,} positions at most: take a smaller `count`.")
        return made


def _axis(name: str, given: Any, unit: str, count: int) -> FloatArray:
    """The values of one name: two ends in `count` values, or all of an array."""
    if isinstance(given, str) or not hasattr(given, "__len__"):
        raise BadNumber(f"the range of {name!r} is (low, high) or an array.", name=name)
    many = len(given)
    try:
        x = np.array([float(in_si(v, unit)) for v in given], dtype=np.float64)
    except (TypeError, ValueError):
        raise BadNumber(f"the range of {name!r} is no numbers.", name=name) from None
    if not np.isfinite(x).all() or many < 2 or not (np.diff(x) > 0.0).all():
        raise BadNumber(f"the values of {name!r} must be finite and grow: (low, high).", name=name)
    return np.linspace(x[0], x[1], count) if many == 2 else x


def _scales(
    layout: Layout, of: Sequence[str], inputs: Sequence[str], length: float | None
) -> tuple[FloatArray, FloatArray]:
    """By what rates of what is read, and of inputs, are multiplied."""
    points, gauges = points_by_name(layout.model), gauges_by_name(layout.model)
    for name in (*of, *inputs):
        if name not in gauges and not (name in points and name in of):
            known = [*gauges, *(points if name in of else ())]
            noun = "measure or point" if name in of else "measure"
            raise UnknownName(f"there is no {noun} {name!r}.{nearest_name(name, known)}", name=name)
    width = 2 if layout.model.plane else 3
    of_units = [u for n in of for u in ([gauges[n].unit] if n in gauges else ["m"] * width)]
    in_units = [gauges[name].unit for name in inputs]
    for what, units in (("of", of_units), ("inputs", in_units)):
        if len(set(units)) > 1 and length is None:
            raise BadNumber(
                f"`{what}` has lengths and angles, which no number compares: give a `length` that"
                " angles are multiplied by, such as that of the tool."
            )
    if len(of_units) > len(inputs):
        raise BadNumber(
            f"{len(inputs)} inputs cannot move {len(of_units)} coordinates at will: name as many"
            " inputs, or fewer of `of`.",
        )
    return _factors(of_units, length), _factors(in_units, length)


def _factors(units: Sequence[str], length: float | None) -> FloatArray:
    """The length for angles beside lengths, else 1."""
    far = length if length is not None and len(set(units)) > 1 else 1.0
    return np.array([far if unit == "rad" else 1.0 for unit in units])


@final
class _Flood:
    """A grid, reached from where the mechanism stands to the neighbours of what is reached."""

    def __init__(self, layout: Layout, over: Mapping[str, FloatArray]) -> None:
        self.axes = list(over.values())
        self.shape = tuple(len(x) for x in self.axes)
        model, poses = set_by_hand(layout, tuple(over))
        self.live = Live(model, start=poses)
        self.size = [float(np.ptp(x)) for x in self.axes]

    def run(self) -> tuple[FloatArray, BoolArray]:
        """Coordinates (reached, n_q) in the order of the grid, and which cells were reached."""
        is_reached = np.zeros(self.shape, dtype=bool)
        found = np.full((*self.shape, len(self.live.q)), np.nan)
        begun = self._begun()
        states = deque([(begun, self.live.place)])
        is_reached[begun], found[begun] = True, self.live.q
        while states:
            cell, place = states.popleft()
            for other in self._neighbours(cell):
                if is_reached[other]:
                    continue
                self.live.stand(place)
                if self._went(other):
                    is_reached[other], found[other] = True, self.live.q
                    states.append((other, self.live.place))
        return found[is_reached], is_reached

    def _went(self, cell: Cell) -> bool:
        values = [x[k] for x, k in zip(self.axes, cell, strict=True)]
        try:
            return self.live.go_to(values) == DONE
        except KempeError:
            return False

    def _begun(self) -> Cell:
        """The cell that is reached first, one of the nearest to where the mechanism stands."""
        here, home = self.live.values, self.live.place
        away = np.zeros(self.shape)
        for k, (x, size, value) in enumerate(zip(self.axes, self.size, here, strict=True)):
            off = ((x - value) / (size or 1.0)) ** 2
            away += off.reshape([-1 if j == k else 1 for j in range(len(self.shape))])
        for number in np.argsort(away, axis=None, kind="stable")[:FIRST]:
            cell = tuple(int(k) for k in np.unravel_index(int(number), self.shape))
            self.live.stand(home)
            if self._went(cell):
                return cell
        raise ModelError(
            "none of the positions of the grid near the mechanism's own is reached: give ranges"
            " that it can stand in."
        )

    def _neighbours(self, cell: Cell) -> Iterator[Cell]:
        for k, size in enumerate(self.shape):
            for step in (-1, 1):
                if 0 <= cell[k] + step < size:
                    yield (*cell[:k], cell[k] + step, *cell[k + 1 :])


def _rates(
    layout: Layout, q: FloatArray, of: Sequence[str], inputs: Sequence[str]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """What `of` reads (k, m), and its rates (k, m, f) and those of the inputs (k, n, f).

    They belong to a basis of the f motions that the joints allow at each position.
    """
    bare = Layout(still_measured(replace(layout.model, drives=()), layout.model))
    equations = equations_of(bare)
    weights, rows = bare.step_weights, equations.row_weights
    n = len(inputs)
    parts: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    for first in range(0, len(q), AT_ONCE):
        some = np.ascontiguousarray(q[first : first + AT_ONCE])
        J = Sampled(equations, some, np.zeros(len(some))).jacobians()
        J = rows[:, None] * J / weights
        if first == 0:
            _refuse_other_freedoms(J, n, bare.n_v)
        basis = np.linalg.svd(J, full_matrices=True)[2][:, bare.n_v - n :]
        v = (basis / weights).reshape(-1, bare.n_v)
        many = np.ascontiguousarray(np.repeat(some, n, axis=0))
        motion = Motion(np.arange(float(len(many))), many, v, np.zeros_like(v), DONE)
        moved = Trajectory(bare, motion)
        values, out = _read(moved, of, n)
        parts.append((values, out, _read(moved, inputs, n)[1]))
    values, out, put = (np.concatenate(x) for x in zip(*parts, strict=True))
    return values, out, put


def _refuse_other_freedoms(J: FloatArray, n: int, n_v: int) -> None:
    """A ModelError where joints leave more or fewer freedoms than there are inputs."""
    sizes = np.linalg.svd(J, compute_uv=False)
    ranks = (sizes > SINGULAR * sizes[:, :1]).sum(axis=1) if sizes.shape[1] else np.zeros(1, int)
    freedoms = n_v - int(ranks.max())
    if freedoms != n:
        inputs = f"{n} input{'s' * (n != 1)}"
        raise ModelError(
            f"it has {freedoms} freedom{'s' * (freedoms != 1)} without its drives and {inputs}:"
            " name as many inputs as there are freedoms."
        )


def _read(moved: Trajectory, names: Sequence[str], n: int) -> tuple[FloatArray, FloatArray]:
    """Values (k, m) and rates (k, m, n) of points and measures."""
    values, rates = [], []
    for name in names:
        channel: Any = moved[name]
        is_point = hasattr(channel, "position")
        values.append(channel.position if is_point else channel.values[:, None])
        rates.append(channel.velocity if is_point else channel.rate[:, None])
    value, rate = np.hstack(values), np.hstack(rates)
    k = len(value) // n
    return value[::n], rate.reshape(k, n, -1).transpose(0, 2, 1)


def _told(
    name: str,
    asked: tuple[tuple[str, ...], tuple[str, ...], dict[str, FloatArray]],
    is_reached: BoolArray,
    rates: tuple[FloatArray, FloatArray, FloatArray],
    scales: tuple[FloatArray, FloatArray],
    length: float | None,
) -> Dexterity:
    """y' = B c and u' = A c of a basis give J = B A^-1."""
    values, B, A = rates
    B, A = scales[0][:, None] * B, scales[1][:, None] * A
    size = np.linalg.svd(A, compute_uv=False)
    fails = size[:, -1] <= SINGULAR * size[:, 0]
    safe = np.where(fails[:, None, None], np.eye(A.shape[1]), A)
    J = np.linalg.solve(safe.transpose(0, 2, 1), B.transpose(0, 2, 1)).transpose(0, 2, 1)
    s = np.linalg.svd(J, compute_uv=False)
    largest = np.where(s[:, 0] > 0.0, s[:, 0], 1.0)
    conditioning = np.where(fails, 0.0, s[:, -1] / largest)
    manipulability = np.where(fails, np.inf, s.prod(axis=1))
    J[fails], s[fails] = np.nan, np.nan
    shape = is_reached.shape

    def spread(x: Any) -> FloatArray:
        made = np.full((*shape, *x.shape[1:]), np.nan)
        made[is_reached] = x
        return made

    of, inputs, over = asked
    return Dexterity(
        name,
        of,
        inputs,
        over,
        is_reached,
        values=spread(values),
        jacobian=spread(J),
        singular_values=spread(s),
        manipulability=spread(manipulability),
        conditioning=spread(conditioning),
        length=length,
    )
