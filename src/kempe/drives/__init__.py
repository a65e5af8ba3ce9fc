"""Drives: a measure follows a law of time."""

from kempe.drives.drive import Drive
from kempe.drives.formula import Formula
from kempe.drives.law import AbstractLaw
from kempe.drives.ramp import Ramp

__all__ = ["AbstractLaw", "Drive", "Formula", "Ramp"]
