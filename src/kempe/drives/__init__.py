"""Drives: a measure follows a law of time."""

from kempe.drives.cycloidal import Cycloidal
from kempe.drives.drive import Drive
from kempe.drives.formula import Formula
from kempe.drives.harmonic import Harmonic
from kempe.drives.law import AbstractLaw
from kempe.drives.modified_sine import ModifiedSine
from kempe.drives.piecewise import Piecewise
from kempe.drives.polynomial import Polynomial
from kempe.drives.ramp import Ramp
from kempe.drives.rise import AbstractRise
from kempe.drives.setting import Setting
from kempe.drives.table import Table
from kempe.drives.text_formula import TextFormula

__all__ = [
    "AbstractLaw",
    "AbstractRise",
    "Cycloidal",
    "Drive",
    "Formula",
    "Harmonic",
    "ModifiedSine",
    "Piecewise",
    "Polynomial",
    "Ramp",
    "Setting",
    "Table",
    "TextFormula",
]
