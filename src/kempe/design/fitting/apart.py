"""Shapes of bodies that must keep apart while variants move: their distances, of many at once.

Corners of shapes are mostly sums of multiples of parameters, as numbers of a model are. Where all
are, fitted to some variants and seen to hold at others, those of all variants follow by one product
of matrices; else every variant is built.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from kempe.design.fitting.targets import Orders
from kempe.errors import BadNumber, KempeError
from kempe.geometry import GROUND
from kempe.interference.form import AbstractForm
from kempe.interference.planar_form import Footprint, PlanarForm, signed_distances
from kempe.interference.shapes import asked_pairs, forms_of
from kempe.model import Model
from kempe.names import names_in
from kempe.units import in_si

FloatArray = NDArray[np.float64]
Build = Callable[[Mapping[str, float]], Model]
Poses = tuple[FloatArray, FloatArray]  # places (variants, samples, 2 or 3), rotations (..., d, d)

CHECKED: Final = 5  # variants at which fitted corners must lie where built ones do
SAME: Final = 1e-9  # of the largest shape's reach: so near
LEEWAY: Final = 2e-3  # of the largest shape's reach, beyond the margin: what is aimed at
AT_ONCE: Final = 100_000  # places of two shapes that are measured together


@final
@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """Shapes of different bodies keep apart, by `margin` or more, during the whole run.

    Shapes are those of `Builder.shape`, or outlines where no body has one, as for
    `Trajectory.interference`: what meets in a joint is left out. With names of bodies or shapes in
    `between`, only these are looked at. `margin` is in m, or text with a unit.
    """

    between: Iterable[str] = ()
    margin: float | str = 0.0
    wanted: tuple[str, ...] = field(init=False, repr=False)
    metres: float = field(init=False, repr=False)

    def __post_init__(self) -> None:
        metres = in_si(self.margin, "m")
        if not 0.0 <= metres < math.inf:
            raise BadNumber(f"the margin is a length that is not below 0, not {self.margin!r}.")
        object.__setattr__(self, "wanted", names_in(self.between))
        object.__setattr__(self, "metres", metres)


@final
class Gaps:
    """`Apart` of variants whose parameters lie in a box: slacks, in shares of the largest shape."""

    def __init__(self, wish: Apart, build: Build, box: Mapping[str, tuple[float, float]]) -> None:
        self.wish, self.build = wish, build
        home = build({})
        self.is_flat = home.plane
        forms = forms_of(home)
        self.pairs = _pairs(home, forms, wish.wanted)
        if not self.pairs:
            raise BadNumber(
                f"no two shapes of {home.name!r} that do not meet in a joint could touch: there is"
                " nothing to keep apart."
            )
        kept = {name for pair in self.pairs for name in pair}
        self.bodies = {form.name: form.body for form in forms if form.name in kept}
        self.reach = max(form.reach for form in forms)
        self.leeway = LEEWAY * self.reach
        self.fit = _Fit.of(self, box) if self.is_flat else None

    @property
    def names(self) -> tuple[str, ...]:
        """What is read: the place of each body's frame, and how it is turned."""
        turn = "angle" if self.is_flat else "orientation"
        moving = dict.fromkeys(body for body in self.bodies.values() if body != GROUND)
        return tuple(name for body in moving for name in (body, f"{body}.{turn}"))

    def harder(self, missing: float) -> None:
        """Aim further beyond the margin, where so much (m) was missing between samples."""
        self.leeway = 2.0 * self.leeway + missing

    def forms(self, parameters: Mapping[str, float]) -> dict[str, AbstractForm] | None:
        """The shapes of a variant by name; None where it cannot be built."""
        try:
            found = {form.name: form for form in forms_of(self.build(parameters))}
        except KempeError:
            return None
        return found if found.keys() >= self.bodies.keys() else None

    def slacks(self, read: Mapping[str, Orders], columns: Mapping[str, FloatArray]) -> FloatArray:
        """How much more than the margin is between them, (variants, pairs x samples)."""
        poses = {body: self._poses(read, body) for body in set(self.bodies.values())}
        shape = next(p.shape[:2] for body, (p, _) in poses.items() if body != GROUND)
        poses = {body: _spread(pose, shape) for body, pose in poses.items()}
        aim = self.wish.metres + self.leeway
        if self.fit is not None:
            told = self.fit.gaps(columns, poses, aim)
        else:
            told = np.array([self._alone(k, columns, poses, aim) for k in range(shape[0])])
        return np.asarray((told - aim).reshape(shape[0], -1) / self.reach)

    def _alone(
        self, k: int, columns: Mapping[str, FloatArray], poses: Mapping[str, Poses], aim: float
    ) -> FloatArray:
        """Distances (pairs, samples) of one variant; NaN where it cannot be built."""
        forms = self.forms({name: float(column[k]) for name, column in columns.items()})
        samples = next(iter(poses.values()))[0].shape[1]
        found = np.full((len(self.pairs), samples), np.nan)
        if forms is None:
            return found
        for row, (first, second) in zip(found, self.pairs, strict=True):
            a, b = forms[first], forms[second]
            p, R = _relative(*(_solid(poses[form.body], k) for form in (a, b)))
            row[:] = np.linalg.norm(p + R @ b.centre - a.centre, axis=1) - a.reach - b.reach
            near = row < aim
            if near.any():
                row[near] = a.gaps(b, p[near], R[near]).distance
        return found

    def _poses(self, read: Mapping[str, Orders], body: str) -> Poses:
        if body == GROUND:
            d = 2 if self.is_flat else 3
            return np.zeros((1, 1, d)), np.eye(d)[None, None]
        place = read[body][0]
        if self.is_flat:
            c, s = (f(read[f"{body}.angle"][0]) for f in (np.cos, np.sin))
            return place, np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
        from scipy.spatial.transform import Rotation

        q = read[f"{body}.orientation"][0]
        known = np.where(np.abs(q).max(axis=-1, keepdims=True) > 0.0, q, [1.0, 0.0, 0.0, 0.0])
        R = Rotation.from_quat(known.reshape(-1, 4)[:, [1, 2, 3, 0]]).as_matrix()
        return place, R.reshape(*q.shape[:2], 3, 3)


def _pairs(model: Model, forms: list[AbstractForm], wanted: Sequence[str]) -> list[tuple[str, str]]:
    found, _ = asked_pairs(model, forms, wanted)
    return [(a.name, b.name) for a, b, _ in found]


def _spread(pose: Poses, shape: tuple[int, ...]) -> Poses:
    """A pose for every variant and sample, also where it is always the same."""
    p, R = pose
    return np.broadcast_to(p, (*shape, *p.shape[2:])), np.broadcast_to(R, (*shape, *R.shape[2:]))


def _solid(pose: Poses, k: int) -> tuple[FloatArray, FloatArray]:
    """The pose of variant k in space."""
    p, R = pose[0][k], pose[1][k]
    if p.shape[1] == 3:
        return p, R
    turned = np.broadcast_to(np.eye(3), (len(p), 3, 3)).copy()
    turned[:, :2, :2] = R
    return np.column_stack([p, np.zeros(len(p))]), turned


def _relative(
    a: tuple[FloatArray, FloatArray], b: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Where b lies in a: p (m, 3), R (m, 3, 3)."""
    back = a[1].transpose(0, 2, 1)
    return np.einsum("mij,mj->mi", back, b[0] - a[0]), back @ b[1]


@final
class _Fit:
    """Corners and radii of the footprints of all shapes, as sums of multiples of parameters."""

    def __init__(self, gaps: Gaps, home: dict[str, list[Footprint]], names: Sequence[str]) -> None:
        self.gaps_of, self.home, self.names = gaps, home, tuple(names)
        self.slopes = np.zeros((len(self.names), len(_numbers(home))))
        self.own, self.middle = _numbers(home), np.zeros(len(self.names))

    @classmethod
    def of(cls, gaps: Gaps, box: Mapping[str, tuple[float, float]]) -> "_Fit | None":
        """The fit for parameters in a box; None where they are no such sums, or not seen to be."""
        low, high = np.array(list(box.values())).T
        k = len(low)
        rng = np.random.default_rng(0)
        u = np.vstack([np.full(k, 0.5), rng.uniform(0.0, 1.0, (3 * (k + 1) + 2 * CHECKED, k))])
        seen: list[tuple[FloatArray, dict[str, list[Footprint]]]] = []
        for x in low + u * (high - low):
            forms = gaps.forms(dict(zip(box, x.tolist(), strict=True)))
            if forms is not None:
                seen.append((x, {name: _footprints(forms[name]) for name in gaps.bodies}))
            if len(seen) == k + 1 + CHECKED:
                break
        if len(seen) < k + 1 + CHECKED or len({_structure(one) for _, one in seen}) > 1:
            return None
        found = cls(gaps, seen[0][1], list(box))
        x, numbers = np.array([x for x, _ in seen]), np.array([_numbers(one) for _, one in seen])
        found.middle, found.own = x[0], numbers[0]
        scaled = (x - x[0]) / (high - low)
        slopes, *_ = np.linalg.lstsq(scaled[: k + 1], (numbers - numbers[0])[: k + 1], rcond=None)
        found.slopes = slopes / (high - low)[:, None]
        off = np.abs((x - x[0]) @ found.slopes + found.own - numbers).max(initial=0.0)
        return found if off <= SAME * gaps.reach else None

    def gaps(
        self, columns: Mapping[str, FloatArray], poses: Mapping[str, Poses], aim: float
    ) -> FloatArray:
        """Distances (variants, pairs, samples), exact where they are less than `aim`."""
        x = np.column_stack([columns[name] for name in self.names])
        numbers = iter(((x - self.middle) @ self.slopes + self.own).T)
        solids = {
            name: [_polygons(one, numbers, len(x)) for one in prints]
            for name, prints in self.home.items()
        }
        pairs = self.gaps_of.pairs
        shape = next(iter(poses.values()))[0].shape[:2]
        found = np.full((len(pairs), *shape), np.inf)
        for row, (first, second) in zip(found, pairs, strict=True):
            here, there = (poses[self.gaps_of.bodies[name]] for name in (first, second))
            for a in solids[first]:
                for b in solids[second]:
                    if a.shares_a_layer(b):
                        np.minimum(row, _between(a, here, b, there, aim), out=row)
        return np.asarray(found.transpose(1, 0, 2))


@final
@dataclass(frozen=True, slots=True, eq=False)
class _Polygons:
    """One footprint of many variants: corners (variants, n, 2), radii (variants,)."""

    corners: FloatArray
    radius: FloatArray
    layer: tuple[float, float]

    def shares_a_layer(self, other: "_Polygons") -> bool:
        a, b = self.layer, other.layer
        return max(a[0], b[0]) < min(a[1], b[1]) or a == b

    @property
    def circle(self) -> tuple[FloatArray, FloatArray]:
        """Centres (variants, 2) and radii (variants,) of circles that hold them."""
        centre = (self.corners.min(axis=1) + self.corners.max(axis=1)) / 2.0
        far = np.linalg.norm(self.corners - centre[:, None], axis=2).max(axis=1)
        return centre, far + self.radius


def _footprints(form: AbstractForm) -> list[Footprint]:
    assert isinstance(form, PlanarForm)
    return form.footprints


def _structure(prints: Mapping[str, list[Footprint]]) -> object:
    """What must be the same of variants that are fitted: how many corners, and layers."""
    return tuple((name, tuple((len(f.corners), f.layer) for f in prints[name])) for name in prints)


def _numbers(prints: Mapping[str, list[Footprint]]) -> FloatArray:
    every = [np.append(f.corners.ravel(), f.radius) for some in prints.values() for f in some]
    return np.concatenate(every)


def _polygons(of: Footprint, numbers: Iterable[FloatArray], count: int) -> _Polygons:
    """The footprint of all variants, from the next of their numbers."""
    each = iter(numbers)
    told = [next(each) for _ in range(of.corners.size + 1)]
    corners = np.stack(told[:-1], axis=1).reshape(count, -1, 2)
    return _Polygons(corners, told[-1], of.layer)


def _between(a: _Polygons, here: Poses, b: _Polygons, there: Poses, aim: float) -> FloatArray:
    """Signed distances (variants, samples); a lower bound where that is not below `aim`."""
    (p, R), (q, Q) = here, there
    (c, far), (d, wide) = a.circle, b.circle
    apart = q + np.einsum("vsij,vj->vsi", Q, d) - p - np.einsum("vsij,vj->vsi", R, c)
    found = np.linalg.norm(apart, axis=2) - (far + wide)[:, None]
    variants, samples = np.nonzero(found < aim)
    for first in range(0, len(variants), AT_ONCE):
        v, s = variants[first : first + AT_ONCE], samples[first : first + AT_ONCE]
        A, B = (
            pose[0][v, s][:, None] + np.einsum("mij,mnj->mni", pose[1][v, s], of.corners[v])
            for of, pose in ((a, here), (b, there))
        )
        found[v, s] = signed_distances(A, B) - a.radius[v] - b.radius[v]
    return np.asarray(found)
