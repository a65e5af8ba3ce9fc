"""Measures: one scalar formula of two marker frames each."""

from kempe.measures.abstract import AbstractMeasure, Wrapped
from kempe.measures.back import CROSS, Back
from kempe.measures.bearing import Bearing
from kempe.measures.coordinate import Coordinate
from kempe.measures.displacement import SLIDES, Displacement
from kempe.measures.distance import Distance
from kempe.measures.gauge import Gauge
from kempe.measures.heading import Heading
from kempe.measures.held import Held
from kempe.measures.inclination import Inclination
from kempe.measures.sum import Sum
from kempe.measures.turn import TURNS, Turn

__all__ = [
    "CROSS",
    "SLIDES",
    "TURNS",
    "AbstractMeasure",
    "Back",
    "Bearing",
    "Coordinate",
    "Displacement",
    "Distance",
    "Gauge",
    "Heading",
    "Held",
    "Inclination",
    "Sum",
    "Turn",
    "Wrapped",
]
