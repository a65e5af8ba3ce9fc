"""Efforts by any function of a measure and of time, and a block that they push."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from kempe import Builder, Inertia, Mechanism
from kempe.forces import AbstractForce, Action
from kempe.forces.instant import Instant
from kempe.measures import Gauge


@final
@dataclass(frozen=True)
class Effort(AbstractForce):
    """f = law(m, t): m.value and m.rate are what the measure shows."""

    gauge: Gauge
    law: Callable[[Any, Any], Any]

    def action(self, now: Instant) -> Action:
        return Action.along(self.law(now.gauges[0], now.t))


def block(
    *forces: Callable[[Gauge], AbstractForce], x: float = 0.0, v: float = 0.0, gravity: float = 0.0
) -> Mechanism:
    """A block of 1 kg that slides along x."""
    m = Builder("block", plane=True, gravity=(gravity, 0))
    inertia = Inertia(1.0, (0, 0, 0), 0.1 * np.eye(3))
    body = m.body("block", at=(x, 0), angle=0.0, inertia=inertia, velocity=(v, 0))
    for number, force in enumerate(forces):
        m.force(force(body.x), f"force{number}")
    return m.build()
