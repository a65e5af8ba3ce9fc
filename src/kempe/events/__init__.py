"""Events: what happens at moments that the motion itself chooses."""

from kempe.events.abstract import AbstractEvent, AbstractMoment, Direction
from kempe.events.crossing import Crossing
from kempe.events.latch import Latch
from kempe.events.release import Release
from kempe.events.stop import Stop
from kempe.events.switch import Switch

__all__ = [
    "AbstractEvent",
    "AbstractMoment",
    "Crossing",
    "Direction",
    "Latch",
    "Release",
    "Stop",
    "Switch",
]
