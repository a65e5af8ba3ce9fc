"""What is given to a builder, as the model takes it."""

from collections.abc import Sequence
from typing import Any

from kempe.errors import BadConnection, BadNumber
from kempe.front.parts import BodyPart
from kempe.geometry import Marker
from kempe.measures import Gauge
from kempe.units import in_si

Number = float | str
Triple = tuple[float, float, float]


def velocity_of(given: Sequence[Number] | None, units: str) -> Triple | None:
    """A velocity of two or three components, bare numbers in `units` per second."""
    if given is None:
        return None
    if len(given) not in (2, 3):
        raise BadNumber(f"a velocity has 2 or 3 components, these are {len(given)}: {given}.")
    x, y, z = (*(in_si(c, "m/s", f"{units}/s") for c in given), 0.0)[:3]
    return x, y, z


def spin_of(given: Number | Sequence[Number] | None) -> Triple | None:
    """An angular velocity in rad/s: about z, or three components."""
    if given is None:
        return None
    components = (0.0, 0.0, given) if isinstance(given, (int, float, str)) else tuple(given)
    if len(components) != 3:
        raise BadNumber(f"a spin has 1 or 3 components, these are {len(components)}: {given}.")
    x, y, z = (in_si(c, "rad/s") for c in components)
    return x, y, z


def marker_of(place: Any) -> Marker:
    """A place as a marker; a BadConnection where it is none."""
    if isinstance(place, Marker):
        return place
    if isinstance(place, BodyPart):
        return Marker(place.name)
    raise BadConnection(
        "a joint holds on to places such as crank.end or ground.at(0, 0), not to"
        f" {in_words(place)}."
    )


def in_words(thing: Any) -> str:
    """A wrong argument in a few words."""
    if isinstance(thing, Gauge):
        return f"the measure {thing.name!r}"
    if isinstance(thing, Marker):
        return f"a place on {thing.body!r}"
    return repr(thing)[:60]
