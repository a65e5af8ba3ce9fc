"""Measures: one scalar formula of two marker frames each."""

from kempe.measures.abstract import AbstractMeasure, Wrapped
from kempe.measures.coordinate import Coordinate
from kempe.measures.displacement import Displacement
from kempe.measures.gauge import Gauge
from kempe.measures.held import Held
from kempe.measures.turn import Turn

__all__ = ["AbstractMeasure", "Coordinate", "Displacement", "Gauge", "Held", "Turn", "Wrapped"]
