"""Drives: a measure follows a law of time."""

from kempe.drives.drive import Drive
from kempe.drives.formula import Formula
from kempe.drives.law import AbstractLaw
from kempe.drives.ramp import Ramp
from kempe.drives.text_formula import TextFormula

__all__ = ["AbstractLaw", "Drive", "Formula", "Ramp", "TextFormula"]
