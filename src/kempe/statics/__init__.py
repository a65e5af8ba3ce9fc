"""Where a mechanism rests under its forces, whether it stays there, and how it shakes around it."""

from kempe.statics.equilibrium import statics
from kempe.statics.linearization import Asked, linearized
from kempe.statics.path import Path, equilibrium_path
from kempe.statics.preload import Preloaded, preloaded

__all__ = [
    "Asked",
    "Path",
    "Preloaded",
    "equilibrium_path",
    "linearized",
    "preloaded",
    "statics",
]
