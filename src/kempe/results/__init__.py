"""Answers: frozen results that can be kept, reopened and drawn without a solver."""

from kempe.results.dragged import Dragged
from kempe.results.energy import Energy, energy_of
from kempe.results.event import Event
from kempe.results.motion import Motion, Pass, Recipe, StepControl
from kempe.results.provenance import Provenance
from kempe.results.reports.counts import (
    DriveRange,
    JointCount,
    LoopCount,
    Looser,
    NearlyRedundant,
    SingularPart,
    Straightened,
)
from kempe.results.reports.free_motion import BodyMotion, FreeMotion
from kempe.results.reports.report import Report
from kempe.results.subject import Subject

__all__ = [
    "BodyMotion",
    "Dragged",
    "DriveRange",
    "Energy",
    "Event",
    "FreeMotion",
    "JointCount",
    "LoopCount",
    "Looser",
    "Motion",
    "NearlyRedundant",
    "Pass",
    "Provenance",
    "Recipe",
    "Report",
    "SingularPart",
    "StepControl",
    "Straightened",
    "Subject",
    "energy_of",
]
