"""What a mechanism is designed for, at the door: targets, and what must hold."""

from kempe.design.fitting.apart import Apart as Apart
from kempe.design.fitting.requirements import Between as Between
from kempe.design.fitting.requirements import Inside as Inside
from kempe.design.fitting.requirements import Transmission as Transmission
from kempe.design.fitting.requirements import Where as Where
from kempe.design.fitting.targets import Follow as Follow
from kempe.design.fitting.targets import Trace as Trace
