"""Interference: every pair of shapes along a motion."""

from collections.abc import Sequence
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber, ModelError, about
from kempe.interference.following import Followed, followed
from kempe.interference.form import AbstractForm, Gaps
from kempe.interference.pair_motion import PairMotion, pair_motion
from kempe.interference.search import Search, Stretch
from kempe.interference.shapes import asked_pairs, forms_of
from kempe.results import Motion
from kempe.results.interference import Interference, ShapePair, Touch

FloatArray = NDArray[np.float64]

TOUCHING = 1e-10  # of the smaller shape: a distance that rounding could have left
TOLERANCE = 1e-5  # of the smaller shape: the depth of the faintest touch that is surely found


@final
class _Pair:
    """Two forms and how they move against each other."""

    def __init__(
        self, layout: Layout, motion: Motion, along: Followed, a: AbstractForm, b: AbstractForm
    ) -> None:
        self.a, self.b = a, b
        self.motion: PairMotion = pair_motion(layout, motion, along, a, b)

    def measured(self, t: FloatArray) -> Gaps:
        """Gaps and nearest points, in the frame of a."""
        return self.a.gaps(self.b, *self.motion.relative(t))

    def gaps(self, t: FloatArray) -> FloatArray:
        """Signed distances (m,) at times (m,)."""
        return self.measured(t).distance

    def least(self) -> FloatArray:
        """Lower bounds (n,) of the gap at all samples, by the spheres around both."""
        away = np.linalg.norm(self.motion.places - self.a.centre, axis=1)
        return np.asarray(away - self.a.reach - self.b.reach)

    def answer(self, joint: str, margin: float, tolerance: float | None) -> ShapePair:
        """When they touch, or how near they come."""
        size = min(self.a.reach, self.b.reach) or max(self.a.reach, self.b.reach)
        touching = margin + TOUCHING * size
        depth = TOLERANCE * size if tolerance is None else tolerance
        speeds = self.motion.speeds(self.b.reach)
        off = np.where(self.motion.is_known, self.motion.off, 0.0)
        search = Search(self.gaps, self.motion.t, speeds, off, self.least(), touching, depth)
        found = search.run()
        at = self.measured(np.array([found.nearest]))
        spots = (at.first[0], at.second[0])
        first, second = (self.motion.in_world(found.nearest, spot) for spot in spots)
        gap = float(at.distance[0])
        least = max(gap - found.floor, 0.0) if self.motion.is_known.all() else np.inf
        return ShapePair(
            self.a.name,
            self.b.name,
            tuple(self._touch(stretch) for stretch in found.stretches),
            gap,
            found.nearest,
            (first, second),
            self.a.is_convex and self.b.is_convex,
            joint,
            float(least),
            self.gaps,
        )

    def _touch(self, stretch: Stretch) -> Touch:
        at = self.measured(np.array([stretch.start, stretch.deepest]))
        middle = (at.first + at.second) / 2.0
        first, last = float(self.motion.t[0]), float(self.motion.t[-1])
        return Touch(
            stretch.start,
            stretch.end,
            max(-float(at.distance[1]), 0.0) + 0.0,
            stretch.deepest,
            self.motion.in_world(stretch.start, middle[0]),
            self.motion.in_world(stretch.deepest, middle[1]),
            stretch.start > first,
            stretch.end < last,
        )


def interference(
    layout: Layout,
    motion: Motion,
    *,
    between: Sequence[str] = (),
    joined: bool = False,
    margin: float = 0.0,
    tolerance: float | None = None,
) -> Interference:
    """Which shapes of bodies touch along a motion; see `Trajectory.interference`."""
    if len(motion) < 2:
        raise ModelError("interference needs a motion of two samples or more.")
    for what, given in (("margin", margin), ("tolerance", tolerance)):
        if given is not None and not (0.0 <= given < np.inf):
            raise BadNumber(f"the {what} is a length that is not below 0, not {given}.")
    model, forms = layout.model, forms_of(layout.model)
    asked, left_out = asked_pairs(model, forms, between, joined=joined)
    along, pairs = followed(layout, motion, forms), []
    for a, b, joint in asked:
        pair = _Pair(layout, motion, along, a, b)
        with about(f"{a.name} - {b.name}"):
            pairs.append(pair.answer(joint, margin, tolerance))
    return Interference(
        model.name,
        motion.t,
        tuple(sorted(pairs, key=lambda pair: (not pair.touches, pair.gap))),
        tuple(left_out),
        margin,
        TOLERANCE * max(f.reach for f in forms) if tolerance is None else tolerance,
        model.length_unit,
    )
