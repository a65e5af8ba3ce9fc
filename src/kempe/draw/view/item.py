"""One path of a picture."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class Item:
    """One path: its layer, CSS classes, data, stroke width in px, and nearness within a layer."""

    layer: str
    kind: str
    d: str
    width: float | None = None
    near: float = 0.0
