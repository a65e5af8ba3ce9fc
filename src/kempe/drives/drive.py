"""A drive: a measure follows a law."""

from dataclasses import dataclass
from typing import final

from kempe.drives.law import AbstractLaw
from kempe.errors import BadConnection
from kempe.measures.gauge import Gauge
from kempe.names import refuse_unreadable


@final
@dataclass(frozen=True, slots=True)
class Drive:
    """A measure between two markers follows a law of time.

    phi = measure(X_WI, X_WJ) - f(t)
    """

    gauge: Gauge
    law: AbstractLaw
    name: str = ""

    def __post_init__(self) -> None:
        if self.name:
            refuse_unreadable(self.name, "no drive")
        if self.gauge.I.body == self.gauge.J.body:
            raise BadConnection(
                f"nothing can drive {self.gauge.name!r}: it is read between two places of"
                f" {self.gauge.I.body!r}, which never change. Drive a measure of a moving part.",
                name=self.gauge.name,
            )
