"""Answers: frozen results that can be kept, reopened and drawn without a solver."""

from kempe.results.motion import Motion

__all__ = ["Motion"]
