"""Answers: frozen results that can be kept, reopened and drawn without a solver."""

from kempe.results.dragged import Dragged
from kempe.results.energy import Energy, energy_of
from kempe.results.motion import Motion, Recipe
from kempe.results.provenance import Provenance
from kempe.results.report import FreeMotion, JointCount, Report
from kempe.results.subject import Subject

__all__ = [
    "Dragged",
    "Energy",
    "FreeMotion",
    "JointCount",
    "Motion",
    "Provenance",
    "Recipe",
    "Report",
    "Subject",
    "energy_of",
]
