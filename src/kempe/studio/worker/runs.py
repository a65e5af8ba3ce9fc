"""Motions for a page: swept, simulated, read, looked at body by body."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import KempeError, ModelError, UnknownName
from kempe.front.mechanism import Mechanism
from kempe.front.trajectory import Trajectory
from kempe.geometry import GROUND
from kempe.kinematics.observe.relative_motion import Centrode
from kempe.pictures.animation import MOST_FRAMES, free_body, points_of_interest, standing
from kempe.readings.channel import PointChannel
from kempe.readings.unit_choice import unit_choice
from kempe.results.reports.free_motion import FreeMotion
from kempe.studio.messages.answers import (
    ActingLoad,
    CentrodePair,
    Checked,
    Column,
    Columns,
    FreeBodyDiagram,
    Mode,
    ModeList,
    Played,
    PointVectors,
    RestPosition,
    Stance,
    VectorList,
)
from kempe.studio.messages.requests import FreeBody, Read, Simulate, Sweep, Vectors
from kempe.studio.worker.desk import Desk
from kempe.studio.worker.problems import fixes_of_report
from kempe.studio.worker.stage import resting
from kempe.units import in_si

FloatArray = NDArray[np.float64]
Say = Callable[[float | None, str], None]
AXES = "xyz"
MOST_MODES = 24


@final
class Runs:
    """The analyses of a desk, and the last motion for what is read off it."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.motion: Trajectory | None = None

    def last(self) -> Trajectory:
        """The last motion."""
        if self.motion is None:
            raise ModelError("there is no motion yet: run a sweep or a simulation first.")
        return self.motion

    def start(self) -> "Trajectory":
        """Where the mechanism stands, as the start of a run."""
        self.desk.closed()
        return resting(self.desk.layout, self.desk.q)

    def check(self) -> Checked:
        """Freedoms, redundant joints, what is wrong."""
        desk = self.desk
        mechanism = desk.mechanism
        if not desk.is_assembled:
            return Checked(
                words=desk.problems[0].text if desk.problems else "",
                freedom=None,
                freedoms=[],
                redundant=[],
                problems=desk.problems,
                fixes=desk.fixes,
            )
        report = mechanism.check()
        return Checked(
            words=str(report),
            freedom=report.freedom_left,
            freedoms=[", ".join(motion.bodies[:6]) for motion in self._free()],
            redundant=[*report.redundant_joints],
            problems=[],
            fixes=fixes_of_report(report, desk.data),
        )

    def _free(self) -> list[FreeMotion]:
        """What can move with the drives let go; `wiggle` counts them alike."""
        return list(Mechanism(replace(self.desk.mechanism.model, drives=())).check().free)

    def sweep(self, asked: Sweep) -> Played:
        """The motion as drives turn."""
        mechanism = self.desk.closed()
        if asked.until is None and asked.over is None:
            reach: dict[str, Any] = {"until": 1.0}
        elif asked.over is not None:
            name, low, high = asked.over
            if not isinstance(name, str):
                raise UnknownName("`over` begins with the name of a measure.")
            reach = {"over": (name, low, high)}
        else:
            reach = {"until": asked.until}
        turn = mechanism.kinematics(
            **reach,
            steps=asked.steps,
            through=asked.through,
            start=self.start(),
        )
        return self._played(turn, asked.trace, asked.plots)

    def simulate(self, asked: Simulate, say: Say) -> Played:
        """The motion under forces."""
        mechanism, until = self.desk.closed(), in_si(asked.until, "s")

        def progress(t: float) -> None:
            say(min(1.0, t / until) if until > 0.0 else None, f"t = {t:.4g} s")

        ran = mechanism.simulate(
            until=until, steps=asked.steps, start=self.start(), progress=progress
        )
        return self._played(ran, asked.trace, asked.plots)

    def _played(self, found: Trajectory, trace: list[str], plots: list[str]) -> Played:
        self.motion = found
        points = trace or list(points_of_interest(found))
        scene = standing(found, points, plots)
        outcome = found.outcome
        return Played(
            scene=scene.document(),
            outcome=outcome.name,
            text=outcome.message,
            advice=outcome.advice,
            notes=list(found.notes),
            names=list(found.names),
            summary=found.summary() if len(found) > 1 else "",
            is_simulated=found.motion.is_simulated,
        )

    def sample(self, number: int) -> FloatArray:
        """The position of frame `number` of the last motion, as its scene has them."""
        pick = self._frames()
        q = self.last().motion.q[pick[min(number, len(pick) - 1)]]
        return np.array(q[: self.desk.layout.n_q])

    def _frames(self) -> NDArray[np.intp]:
        """Which samples of the last motion are frames of its scene."""
        n = len(self.last())
        if n <= MOST_FRAMES:
            return np.arange(n)
        return np.unique(np.linspace(0, n - 1, MOST_FRAMES).round().astype(np.intp))

    def read(self, asked: Read) -> Columns:
        """Quantities over the samples, points by their coordinates."""
        found = self.last()
        against = self._columns(found, asked.against)[0]
        columns = [column for name in asked.names for column in self._columns(found, name)]
        return Columns(times=found.t.tolist(), against=against, columns=columns)

    def _columns(self, found: Trajectory, name: str) -> list[Column]:
        if name == "t":
            return [Column(name="t", unit="s", values=found.t.tolist(), shown_unit="s")]
        channel = found[name]
        if isinstance(channel, PointChannel):
            values, unit = channel.position, "m"
        else:
            values, unit = np.asarray(channel.values), str(getattr(channel, "unit", ""))
        choice = unit_choice((self.desk.unit, "deg"))

        def column(head: str, numbers: FloatArray) -> Column:
            shown_unit, shown = choice.shown(unit), choice.factor(unit)
            return Column(
                name=head, unit=unit, values=_finite(numbers), shown_unit=shown_unit, shown=shown
            )

        if values.ndim == 1:
            return [column(name, values)]
        letters = AXES if values.shape[1] <= len(AXES) else ""
        heads = [f"{name}.{letters[k] if letters else k}" for k in range(values.shape[1])]
        return [column(head, values[:, k]) for k, head in enumerate(heads)]

    def free_body(self, asked: FreeBody) -> FreeBodyDiagram:
        """All that acts on a body at one frame: joints, drives, forces, its weight."""
        found = self.last()
        names = [body.name for body in found.subject.bodies]
        if asked.body not in names:
            raise UnknownName(f"there is no moving body {asked.body!r}.", name=asked.body)
        pick = self._frames()
        acting, is_all = free_body(found, asked.body, int(pick[min(asked.sample, len(pick) - 1)]))
        loads: dict[str, ActingLoad] = {}
        for load in acting:
            sign = 1.0 if load.body == asked.body else -1.0
            does = self._seen(sign * load.newtons * load.way)[0]
            name = "weight" if load.name == f"weight of {asked.body}" else load.name
            none = [0.0, 0.0, 0.0]
            told = loads.setdefault(
                name, ActingLoad(name=name, at=self._seen(load.at)[0], force=none, torque=none)
            )
            loads[name] = told.model_copy(update={"torque" if load.is_torque else "force": does})
        if not loads:
            raise ModelError(self._unknown(found, asked.body))
        return FreeBodyDiagram(body=asked.body, loads=list(loads.values()), is_all=is_all)

    @staticmethod
    def _unknown(found: Trajectory, body: str) -> str:
        """Why no force on a body is known."""
        try:
            _ = found.reactions
        except KempeError as mistake:
            return f"nothing is known of the forces on {body!r}: {mistake}"
        if any(one.inertia is not None for one in found.layout.model.moving):
            return (
                f"what acts on {body!r} is not determined: its joints are redundant, and share"
                " their forces in any way. The check says which of them, and what would mend it."
            )
        return (
            f"nothing is known of the forces on {body!r}: give the bodies masses, and run it again."
        )

    def centrodes(self, body: str) -> CentrodePair:
        """The centrodes of a body against the ground."""
        if not self.last().subject.plane:
            raise ModelError("centrodes are those of a motion in the plane.")
        pair = self.last().relative(body, GROUND).centrodes
        return CentrodePair(fixed=_points(pair.fixed), moving=_points(pair.moving))

    def vectors(self, asked: Vectors) -> VectorList:
        """Velocities and accelerations of points, frame by frame."""
        found, pick = self.last(), self._frames()
        told = []
        for name in asked.points:
            channel = found[name]
            if not isinstance(channel, PointChannel):
                raise UnknownName(f"{name!r} is no point: points have velocities.", name=name)
            turned = [self._seen(v[pick]) for v in (channel.velocity, channel.acceleration)]
            told.append(PointVectors(name=name, velocity=turned[0], acceleration=turned[1]))
        return VectorList(points=told)

    def _seen(self, vectors: FloatArray) -> list[list[float]]:
        """Vectors of the world in the axes of the scene; one without a value is nothing long."""
        whole = np.zeros((len(vectors), 3))
        whole[:, : vectors.shape[1]] = np.nan_to_num(vectors)
        assert self.desk.stage is not None
        found: list[list[float]] = (whole @ self.desk.stage.scene.world.T).tolist()
        return found

    def statics(self) -> RestPosition:
        """Where it rests."""
        mechanism = self.desk.closed()
        found = mechanism.statics(start=self.start())
        self.motion = found.trajectory
        q = found.trajectory.motion.q[0][: self.desk.layout.n_q]
        assert self.desk.stage is not None
        stance = Stance(
            poses=self.desk.stage.poses(q),
            outcome=found.outcome.name,
            text=found.outcome.message,
            advice=found.outcome.advice,
        )
        return RestPosition(stance=stance, words=found.report, is_stable=found.stable)

    def modes(self) -> ModeList:
        """Small motions about where it rests, each as a swing to be played."""
        mechanism, stage = self.desk.closed(), self.desk.stage
        assert stage is not None
        found = mechanism.linearize()
        modes = []
        for number, mode in enumerate(found.modes[:MOST_MODES], 1):
            swing = found.motion(number, steps=36)
            modes.append(
                Mode(
                    number=number,
                    frequency=mode.frequency,
                    damping=mode.damping,
                    text=str(mode),
                    frames=[stage.poses(q) for q in swing.motion.q],
                )
            )
        return ModeList(words=str(found), modes=modes)


def _finite(values: FloatArray) -> list[float | None]:
    return [x if math.isfinite(x) else None for x in np.asarray(values, dtype=float).tolist()]


def _points(centrode: Centrode) -> list[list[list[float]]]:
    """Its pieces."""
    return [piece[:, :2].tolist() for piece in centrode.pieces()]
