"""Drives: a measure follows a law of time."""

from kempe.drives.cycloidal import Cycloidal as Cycloidal
from kempe.drives.drive import Drive as Drive
from kempe.drives.formula import Formula as Formula
from kempe.drives.harmonic import Harmonic as Harmonic
from kempe.drives.law import AbstractLaw as AbstractLaw
from kempe.drives.modified_sine import ModifiedSine as ModifiedSine
from kempe.drives.piecewise import Piecewise as Piecewise
from kempe.drives.polynomial import Polynomial as Polynomial
from kempe.drives.ramp import Ramp as Ramp
from kempe.drives.rise import AbstractRise as AbstractRise
from kempe.drives.setting import Setting as Setting
from kempe.drives.table import Table as Table
from kempe.drives.text_formula import TextFormula as TextFormula
from kempe.names import exported

__all__ = exported(globals())
