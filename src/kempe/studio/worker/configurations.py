"""Every way a mechanism can be put together and move, for a page."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.trace.part_names import gauges_by_name
from kempe.errors import KempeError, UnknownName
from kempe.front.trajectory import Trajectory
from kempe.interruption import Interrupted
from kempe.kinematics.closing.placement import gauge_reading
from kempe.measures import Gauge
from kempe.motion.search.search import Effort, Progress
from kempe.results.maps.component import Component
from kempe.results.maps.motion_map import MotionMap
from kempe.studio.messages.answers import (
    AssemblyList,
    AssemblyMember,
    MotionComponent,
    MotionCurves,
)
from kempe.studio.messages.requests import Assemblies, Motions
from kempe.studio.worker.desk import Desk
from kempe.studio.worker.runs import Say
from kempe.units import factor

FloatArray = NDArray[np.float64]
Found = Callable[[list[str], list[str], MotionComponent], None]

SECONDS = 120.0  # of a search
MOST_MEMBERS = 500  # assemblies that are sent
MOST_COMPARED, FEW = 40, 16  # measures and assemblies that are looked at for differences
FEWEST_TOLD, MOST_TOLD = 2, 4  # measures under an assembly
DIGITS = 12  # of a turn, or of the size: what lies beyond is round-off
SAME = 1e-6  # rad, or m: less is no difference
MOST_POSITIONS = 240  # of a component
STEPS = (0.02, 0.1, 0.5)  # between positions of a component, finest first
MOST_EARLY = 60  # components that are drawn while others are searched
LAST = 1.0  # s for drawing what an interrupted search has found


@final
class Configurations:
    """The last assemblies and motions that were found for a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._assemblies: list[FloatArray] = []
        self._components: dict[int, FloatArray] = {}  # by the numbers that people see

    def _effort(self, say: Say) -> Effort:
        def progress(now: Progress) -> None:
            found = f"{now.components} found, {now.boxes} boxes looked at, {now.seconds:.0f} s"
            say(min(1.0, now.seconds / SECONDS), found)

        return Effort(seconds=SECONDS, progress=progress)

    def assemblies(self, asked: Assemblies, say: Say) -> AssemblyList:
        """Every assembly with measures held; with the drives as they start where none are."""
        desk, stage = self.desk, self.desk.stage
        assert stage is not None
        layout = desk.layout
        at = None if asked.held else 0.0
        held = dict(asked.held) or None
        try:
            found = desk.mechanism.assemblies(held, at=at, effort=self._effort(say))
        except Interrupted as stop:  # what was found until then is kept
            found = stop.result
        self._assemblies = [state.q[: layout.n_q].copy() for state in found.states]
        members = []
        for number, q in enumerate(self._assemblies[:MOST_MEMBERS], 1):
            values = self._told(q)
            text = ", ".join(self._worded(name, x) for name, x in values.items())
            members.append(
                AssemblyMember(number=number, poses=stage.poses(q), text=text, values=values)
            )
        return AssemblyList(words=str(found), promise=str(found.outcome), members=members)

    def _told(self, q: FloatArray) -> dict[str, float]:
        """A few measures of bodies, by which these assemblies are told apart best.

        Own: one after the other that which leaves most of them different.
        """
        layout = self.desk.layout
        gauges = gauges_by_name(layout.model)
        parts = ("angle", "x", "y") if layout.model.plane else ("x", "y", "z")
        names = [f"{body.name}.{part}" for part in parts for body in layout.model.moving]
        known = [name for name in names if name in gauges][:MOST_COMPARED]
        rest = [name for name in known if self._differs(gauges[name])] or known
        read = {name: self._rounded(gauges[name]) for name in rest}
        told, kinds = list[str](), 0
        while rest and len(told) < MOST_TOLD:
            counts = {
                name: len(set(zip(*(read[one] for one in (*told, name)), strict=True)))
                for name in rest
            }
            best = max(rest, key=lambda name: counts[name])
            if len(told) >= FEWEST_TOLD and counts[best] <= kinds:
                break
            kinds = counts[best]
            told.append(best)
            rest.remove(best)
        return {name: gauge_reading(layout, q, gauges[name]) for name in told}

    def _rounded(self, gauge: Gauge) -> list[int]:
        """A measure in the first assemblies, in steps of what is no difference."""
        layout = self.desk.layout
        scale = SAME if gauge.unit == "rad" else SAME * layout.size
        return [round(gauge_reading(layout, q, gauge) / scale) for q in self._assemblies[:FEW]]

    def _differs(self, gauge: Gauge) -> bool:
        """Whether a measure is not the same in all assemblies."""
        found = [gauge_reading(self.desk.layout, q, gauge) for q in self._assemblies[:FEW]]
        return max(found) - min(found) > SAME * max(1.0, abs(found[0]))

    def _worded(self, name: str, value: float) -> str:
        if name.endswith(".angle"):
            return f"{name} {np.degrees(round(value, DIGITS)):.4g} deg"
        unit, size = self.desk.layout.model.length_unit, self.desk.layout.size
        value = size * round(value / size, DIGITS)
        return f"{name} {value * factor('m', unit):.4g} {unit}"

    def motions(self, asked: Motions, say: Say, tell: Found) -> MotionCurves:
        """Every motion, as curves over two measures; each is told as soon as it is certified.

        Interrupted, it is what was found until then.
        """
        desk, axes, early = self.desk, self._axes(asked.axes), dict[int, MotionComponent]()
        known_gauges = gauges_by_name(desk.layout.model)
        units = [known_gauges[name].unit for name in axes]
        self._components = {}

        def told(component: Component) -> None:
            if len(early) < MOST_EARLY:
                early[component.number] = self._curve(component, axes)
                tell(axes, units, early[component.number])

        effort, end = replace(self._effort(say), found=told), math.inf
        try:
            found = desk.mechanism.motions(dict(asked.held) or None, effort=effort)
        except Interrupted as stop:
            found, end = stop.result, time.monotonic() + LAST
        curves, words = [], str(found)
        components = found.components if isinstance(found, MotionMap) else ()
        for component in components:
            known = early.get(component.number)
            if known is not None:
                curves.append(known.model_copy(update={"text": self._said(component)}))
            elif time.monotonic() < end:
                curves.append(self._curve(component, axes))
                tell(axes, units, curves[-1])
        if missing := len(components) - len(curves):
            words = f"{words} {missing} of them are not drawn, since it was stopped."
        return MotionCurves(
            words=words, promise=str(found.outcome), axes=axes, units=units, components=curves
        )

    def _axes(self, asked: list[str]) -> list[str]:
        """The measures over which curves are drawn: asked for, driven, and the last that turns."""
        layout = self.desk.layout
        known = gauges_by_name(layout.model)
        driven = [drive.gauge.name for drive in layout.model.drives]
        turning = [f"{body.name}.angle" for body in reversed(layout.model.moving)]
        others = [name for name in (*turning, *known) if name in known and name not in driven]
        chosen = [*asked, *driven, *others]
        for name in asked:
            if name not in known:
                raise UnknownName(f"there is no measure {name!r} to draw over.", name=name)
        return list(dict.fromkeys(chosen))[:2]

    def _curve(self, component: Component, axes: list[str]) -> MotionComponent:
        stage = self.desk.stage
        assert stage is not None
        motion = self._followed(component)
        n = len(motion)
        pick = np.unique(np.linspace(0, n - 1, min(n, MOST_POSITIONS)).round().astype(np.intp))
        q = motion.motion.q[pick][:, : self.desk.layout.n_q]
        self._components[component.number + 1] = q
        across, up = (self._read(motion, name)[pick] for name in (axes * 2)[:2])
        turns = np.flatnonzero(np.diff(np.sign(np.diff(across)))) + 1
        last = len(pick) - 1
        singular = [
            (0, last)[k] for k, end in enumerate(component.ends[:2]) if end.kind == "singular"
        ]
        return MotionComponent(
            number=component.number + 1,
            kind="loop" if component.closed else "arc",
            text=self._said(component),
            across=across.tolist(),
            up=up.tolist(),
            frames=[stage.poses(one) for one in q],
            singular=singular,
            turning=[int(k) for k in turns],
        )

    @staticmethod
    def _said(component: Component) -> str:
        """A component in words, counted from 1."""
        return repr(replace(component, number=component.number + 1))

    def _followed(self, component: Component) -> Trajectory:
        """The motion along a component, finely where that is not too much."""
        for step in STEPS:
            if component.length / step < 10 * MOST_POSITIONS:
                break
        return self.desk.mechanism.follow(component, step)

    @staticmethod
    def _read(motion: Trajectory, name: str) -> FloatArray:
        try:
            values = np.asarray(motion[name].values, dtype=float)
        except KempeError:
            values = motion.t
        found: FloatArray = np.nan_to_num(values)
        return found

    def position(self, source: str, number: int, sample: int) -> FloatArray:
        """The position of an assembly, or of a place of a component."""
        if source == "assembly":
            if not 1 <= number <= len(self._assemblies):
                raise UnknownName(f"there is no assembly {number}: look for them first.")
            return self._assemblies[number - 1]
        if number not in self._components:
            raise UnknownName(f"there is no component {number}: look for motions first.")
        q = self._components[number]
        found: FloatArray = q[min(sample, len(q) - 1)]
        return found
