"""A drive: a measure follows a law."""

from dataclasses import dataclass
from typing import final

from kempe.drives.law import AbstractLaw
from kempe.measures.gauge import Gauge


@final
@dataclass(frozen=True, slots=True)
class Drive:
    """A measure between two markers follows a law of time.

    phi = measure(X_WI, X_WJ) - f(t)
    """

    gauge: Gauge
    law: AbstractLaw
    name: str = ""
