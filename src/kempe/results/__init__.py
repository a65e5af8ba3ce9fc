"""Answers: frozen results that can be kept, reopened and drawn without a solver."""

from kempe.results.dragged import Dragged
from kempe.results.motion import Motion
from kempe.results.report import FreeMotion, JointCount, Report

__all__ = ["Dragged", "FreeMotion", "JointCount", "Motion", "Report"]
