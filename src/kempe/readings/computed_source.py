"""A computed motion: channels are read off it through the formulas of the mechanism."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import final

from kempe.compile.layout.layout import Layout
from kempe.kinematics.check.check import check
from kempe.kinematics.closing.placement import first_guess
from kempe.pictures.outlines import Outlines, outlines
from kempe.readings.model_readings import registry_of
from kempe.readings.registry import Registry
from kempe.readings.source import AbstractSource
from kempe.results import Motion, Provenance, Subject
from kempe.results.provenance import provenance_of
from kempe.results.subject import subject_of


@final
class Observed(AbstractSource):
    """A motion and the layout of the mechanism that moved."""

    def __init__(self, layout: Layout, motion: Motion) -> None:
        super().__init__()
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

    @property
    def registry(self) -> Registry:
        return registry_of(self._layout.model, is_simulated=self._motion.is_simulated)

    def cut(self, samples: slice, hinges: Mapping[str, float]) -> AbstractSource:
        motion = replace(self._motion.cut(samples), hinges=dict(hinges))
        return Observed(self._layout, motion)

    def count(self) -> str:
        start = float(self._motion.t[0]) if len(self._motion) else 0.0
        report = check(self._layout, start)
        return f"{report.count_table()}\n\n{report}"
