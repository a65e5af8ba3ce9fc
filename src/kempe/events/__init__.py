"""Events: what happens at moments that the motion itself chooses."""

from kempe.events.abstract import AbstractEvent as AbstractEvent
from kempe.events.abstract import AbstractMoment as AbstractMoment
from kempe.events.abstract import Direction as Direction
from kempe.events.crossing import Crossing as Crossing
from kempe.events.latch import Latch as Latch
from kempe.events.release import Release as Release
from kempe.events.stop import Stop as Stop
from kempe.events.switch import Switch as Switch
from kempe.names import exported

__all__ = exported(globals())
