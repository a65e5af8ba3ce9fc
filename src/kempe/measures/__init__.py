"""Measures: one scalar formula of two marker frames each."""

from kempe.measures.abstract import AbstractMeasure as AbstractMeasure
from kempe.measures.abstract import Wrapped as Wrapped
from kempe.measures.back import CROSS as CROSS
from kempe.measures.back import Back as Back
from kempe.measures.bearing import Bearing as Bearing
from kempe.measures.coordinate import Coordinate as Coordinate
from kempe.measures.displacement import SLIDES as SLIDES
from kempe.measures.displacement import Displacement as Displacement
from kempe.measures.distance import Distance as Distance
from kempe.measures.gauge import Gauge as Gauge
from kempe.measures.heading import Heading as Heading
from kempe.measures.held import Held as Held
from kempe.measures.inclination import Inclination as Inclination
from kempe.measures.sum import Sum as Sum
from kempe.measures.thread import Thread as Thread
from kempe.measures.turn import TURNS as TURNS
from kempe.measures.turn import Turn as Turn
from kempe.names import exported

__all__ = exported(globals())
