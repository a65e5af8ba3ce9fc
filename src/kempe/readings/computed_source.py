"""A computed motion: channels are read off it through the formulas of the mechanism."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import final

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.errors import UnknownName, nearest_name
from kempe.kinematics.check.check import check
from kempe.kinematics.closing.placement import first_guess
from kempe.kinematics.observe.observation import observe_gauge, observe_point
from kempe.kinematics.reactions.reactions import Reactions
from kempe.model import Model
from kempe.pictures.outlines import Outlines, outlines
from kempe.readings.body_readings import drive_words, reading, reading_names
from kempe.readings.channel import Channel, PointChannel, ScalarChannel
from kempe.readings.force_readings import (
    WORDS,
    applied_channel,
    force_channel,
    force_names,
    reactions_of,
)
from kempe.readings.source import AbstractSource
from kempe.results import Motion, Provenance, Subject
from kempe.results.provenance import provenance_of
from kempe.results.subject import subject_of


@final
class Observed(AbstractSource):
    """A motion and the layout of the mechanism that moved."""

    def __init__(self, layout: Layout, motion: Motion) -> None:
        self._layout = layout
        self._motion = motion

    @property
    def motion(self) -> Motion:
        return self._motion

    @property
    def layout(self) -> Layout:
        return self._layout

    @cached_property
    def subject(self) -> Subject:
        return subject_of(self._layout)

    @cached_property
    def provenance(self) -> Provenance:
        return provenance_of(self._layout, self._motion)

    @cached_property
    def outlines(self) -> Outlines:
        q = self._motion.q
        return outlines(self._layout, q[0] if len(q) else first_guess(self._layout, 0, 0.0))

    @cached_property
    def names(self) -> tuple[str, ...]:
        model = self._layout.model
        known = (*points_by_name(model), *gauges_by_name(model), *force_names(model))
        more = reading_names(model, is_simulated=self._motion.is_simulated)
        return tuple(dict.fromkeys((*known, *more)))

    @cached_property
    def _reactions(self) -> Reactions:
        return reactions_of(self._layout, self._motion)

    def channel(self, name: str) -> Channel:
        layout, motion, model = self._layout, self._motion, self._layout.model
        point = points_by_name(model).get(name)
        if point is not None:
            return PointChannel(
                name, motion.t, *observe_point(layout, motion, point), shown=model.length_unit
            )
        gauge = gauges_by_name(model).get(name)
        if gauge is not None:
            shown = "rad" if gauge.unit == "rad" else model.length_unit
            values = observe_gauge(layout, motion, gauge)
            return ScalarChannel(name, motion.t, *values, unit=gauge.unit, shown=shown)
        applied = applied_channel(layout, motion, name)
        if applied is not None:
            return applied
        more = reading(layout, motion, name)
        if more is not None:
            return more
        drive = _drive_reading(model, name)
        if drive is not None:
            return replace(force_channel(layout, motion, self._reactions, drive), name=name)
        if name.rpartition(".")[2] in WORDS:
            return force_channel(layout, motion, self._reactions, name)
        known = nearest_name(name, self.names)
        raise UnknownName(f"there is no {name!r} to read.{known}", name=name)

    def cut(self, samples: slice, hinges: Mapping[str, float]) -> AbstractSource:
        motion = replace(self._motion.cut(samples), hinges=dict(hinges))
        return Observed(self._layout, motion)

    def count(self) -> str:
        start = float(self._motion.t[0]) if len(self._motion) else 0.0
        report = check(self._layout, start)
        return f"{report.count_table()}\n\n{report}"


def _drive_reading(model: Model, name: str) -> str | None:
    """ "motor.torque" of a drive called motor as "crank.angle.effort"."""
    part, _, word = name.rpartition(".")
    for drive in model.drives:
        if drive.name and drive.name == part and word in drive_words(drive):
            return f"{drive.gauge.name}.{'power' if word == 'power' else 'effort'}"
    return None
