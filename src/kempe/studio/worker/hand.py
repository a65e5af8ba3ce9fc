"""A mechanism in the hand: dragged, driven by sliders, wiggled, put elsewhere."""

import math
from dataclasses import replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.errors import KempeError, UnknownName
from kempe.front.hand import Hand as Holding
from kempe.front.mechanism import Mechanism
from kempe.kinematics.closing.closing import close
from kempe.kinematics.closing.placement import body_pose, gauge_reading
from kempe.motion.search.search import Effort
from kempe.outcome import Outcome
from kempe.results.reports.free_motion import FreeMotion
from kempe.studio.messages.answers import Frames, OtherBranch, Stance
from kempe.studio.worker.desk import Desk

FloatArray = NDArray[np.float64]

SAME = 1e-6  # of a size of the machine, or rad: positions no further apart are one
SEARCHED = 8  # bodies: of larger mechanisms no other branches are looked for at a dead point
SECONDS = 0.25  # for that search
SWING, FRAMES = 0.15, 32  # of a wiggle: sizes of the machine or rad, and positions


@final
class Hand:
    """What moves the mechanism of a desk, and what it needs to go on from where it stands."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._held: Holding | None = None
        self._others: list[FloatArray] = []
        self._stuck: FloatArray | None = None

    def let_go(self) -> None:
        """Forget what was held: the document has changed, or the position."""
        self._held, self._others, self._stuck = None, [], None

    def stance(
        self, outcome: Outcome | None = None, distance: float = 0.0, *, branches: bool = True
    ) -> Stance:
        """Where it stands."""
        desk = self.desk
        assert desk.stage is not None
        layout, q = desk.layout, desk.q
        is_done = outcome is None or outcome.is_done
        return Stance(
            poses=desk.stage.poses(q),
            outcome="Done" if outcome is None else outcome.name,
            text="" if outcome is None else outcome.message,
            advice="" if outcome is None else outcome.advice,
            distance=distance,
            values=self.values(layout, q),
            others=self._branches() if branches and not is_done else [],
        )

    @staticmethod
    def values(layout: Layout, q: FloatArray) -> dict[str, float]:
        """The driven measures at q."""
        drives = layout.model.drives
        return {d.gauge.name: gauge_reading(layout, q, d.gauge) for d in drives}

    def drag(self, point: str, target: list[float]) -> Stance:
        """Pull a point towards a target of the scene."""
        desk, holding = self.desk, self._holding()
        assert desk.stage is not None
        goal = [f"{c!r} m" for c in desk.stage.point(target)]
        there = holding.drag(point, goal)
        desk.q = holding.q
        is_held = "hold it where it is" in there.outcome.message
        return self.stance(there.outcome, there.distance, branches=not is_held)

    def _holding(self) -> Holding:
        """The mechanism, taken up where it stands."""
        if self._held is None:
            self._held = Holding(self.desk.closed(), self.desk.q)
        return self._held

    def drive(self, values: dict[str, float | str]) -> Stance:
        """Set driven measures; where there is no drive, any measures."""
        holding = self._holding()
        snapshot = holding.drive(values)
        self.desk.q = holding.q
        return self.stance(snapshot.outcome)

    def rest(self) -> Stance:
        """Back to where the document says that it starts."""
        self.let_go()
        self.desk.q = self.desk.home.copy()
        return self.stance()

    def adopt(self, q: FloatArray) -> Stance:
        """Go on from the position q."""
        if len(q) != self.desk.layout.n_q:
            raise UnknownName("that position is of another mechanism: look for it again.")
        self.let_go()
        self.desk.q = q.copy()
        return self.stance()

    def branch(self, number: int) -> FloatArray:
        """The position of a branch that was offered last."""
        if not 1 <= number <= len(self._others):
            raise UnknownName(f"there is no branch {number} on offer.")
        return self._others[number - 1]

    def _branches(self) -> list[OtherBranch]:
        """Other positions with the same driven values, looked for where it first got stuck."""
        desk = self.desk
        layout, q = desk.layout, desk.q
        assert desk.stage is not None
        if not layout.model.drives or len(layout.model.moving) > SEARCHED:
            return []
        if self._stuck is None or not self._is_near(layout, q, self._stuck):
            self._stuck = q.copy()
            self._others = self._found(layout, q)
        return [
            OtherBranch(number=k, text=f"another branch ({k})", poses=desk.stage.poses(other))
            for k, other in enumerate(self._others, 1)
        ]

    def _found(self, layout: Layout, q: FloatArray) -> list[FloatArray]:
        held: dict[str, float | str] = dict(self.values(layout, q))
        try:
            found = self.desk.mechanism.assemblies(held, effort=Effort(seconds=SECONDS))
        except KempeError:
            return []
        others = [state.q[: layout.n_q].copy() for state in found]
        return [other for other in others if not self._is_near(layout, other, q)]

    @staticmethod
    def _is_near(layout: Layout, one: FloatArray, other: FloatArray) -> bool:
        at = layout.coordinates
        apart = np.abs(at.places(one) - at.places(other)).max(initial=0.0)
        if not layout.model.plane:
            return bool(apart < SAME * layout.size)
        turned = np.abs(np.sin(0.5 * (at.turns(one) - at.turns(other)))).max(initial=0.0)
        return bool(apart < SAME * layout.size and turned < SAME)

    def wiggle(self, number: int) -> Frames:
        """Positions along freedom `number`, there and back, drives let go, joints closed."""
        desk, mechanism = self.desk, self.desk.closed()
        assert desk.stage is not None
        bare = Mechanism(replace(mechanism.model, drives=()))
        free = bare.check().free
        if not 1 <= number <= len(free):
            raise UnknownName(f"there is no freedom {number}: it has {len(free)}.")
        d = self._along(desk.layout, desk.q, free[number - 1])
        equations = equations_of(Layout(bare.model))
        shares = np.sin(np.linspace(0.0, 2.0 * math.pi, FRAMES + 1))
        frames = []
        for share in shares:
            moved = equations.program.retract(desk.q, SWING * share * d)
            if len(equations.program.shape.rows):
                closed = close(equations, moved, 0.0)
                moved = closed.q if closed.is_closed else moved
            frames.append(desk.stage.poses(moved))
        return Frames(frames=frames)

    @staticmethod
    def _along(layout: Layout, q: FloatArray, motion: FreeMotion) -> FloatArray:
        """Velocities of all bodies: lengths in world, spins in body axes."""
        at, d = layout.coordinates, np.zeros(layout.n_v)
        places = {body.name: k for k, body in enumerate(layout.model.moving)}
        for one in motion.motions:
            k = places[one.body]
            d[at.way_of(k)] = np.array(one.velocity)[: at.chart.n_linear]
            if layout.model.plane:
                d[at.spin_of(k)] = one.spin[2]
            else:
                turn = body_pose(layout, q, one.body).rotation
                columns = np.array([list(map(float, c)) for c in (turn.x, turn.y, turn.z)])
                d[at.spin_of(k)] = columns @ np.array(one.spin)
        largest = max(1.0, float(np.abs(d).max(initial=0.0)) / max(layout.size, 1.0))
        return d / largest
