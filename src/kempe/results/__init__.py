"""Answers: frozen results that can be kept, reopened and drawn without a solver."""

from kempe.results.dragged import Dragged
from kempe.results.motion import Motion, Pass, Recipe, StepControl
from kempe.results.provenance import Provenance
from kempe.results.report import FreeMotion, JointCount, Report
from kempe.results.subject import Subject

__all__ = [
    "Dragged",
    "FreeMotion",
    "JointCount",
    "Motion",
    "Pass",
    "Provenance",
    "Recipe",
    "Report",
    "StepControl",
    "Subject",
]
