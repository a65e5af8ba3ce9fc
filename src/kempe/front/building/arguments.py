"""What is given to a builder, as the model takes it."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from kempe.drives import AbstractLaw, Formula, Ramp
from kempe.errors import BadConnection, BadNumber, UnknownName, about, nearest_name
from kempe.forces import AbstractForce
from kempe.front.building.handles import BodyPart
from kempe.geometry import Marker
from kempe.geometry.specific import SpecificRates
from kempe.measures import Gauge
from kempe.units import in_si

Number = float | str
Triple = tuple[float, float, float]


def point_of(given: Any, units: str, name: str = "", body: str = "") -> Triple:
    """Two or three coordinates in metres, bare numbers in `units`; of a body's point, if named."""
    if name:
        with about(f"point {name!r} of body {body!r}"):
            return point_of(given, units)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadNumber(f"a point has 2 or 3 coordinates, this one is {given!r}.")
    numbers = [in_si(c, "m", units) for c in given]
    if len(numbers) not in (2, 3):
        raise BadNumber(f"a point has 2 or 3 coordinates, this one has {len(numbers)}: {given}.")
    x, y, z = (*numbers, 0.0)[:3]
    return x, y, z


def refuse_unmeasured(what: str, measure: object) -> None:
    """A BadConnection where a drive or a rate is given what is no measure."""
    if not isinstance(measure, Gauge):
        raise BadConnection(
            f"{what} needs something to measure, such as crank.angle, not {in_words(measure)}."
        )


def refuse_no_force(force: object) -> None:
    """A BadConnection where something else is given as a force."""
    if not isinstance(force, AbstractForce):
        raise BadConnection(
            f"a force is a thing such as SpringDamper(hinge.angle, 10), not {in_words(force)}."
        )


def refuse_other_bodies(what: str, markers: Iterable[Marker], known: Collection[str]) -> None:
    """UnknownName where a part holds on to a body that there is not."""
    for marker in markers:
        if marker.body not in known:
            raise UnknownName(
                f"{what} holds on to body {marker.body!r}, which there is not."
                f"{nearest_name(marker.body, known)}"
            )


def refuse_outline(body: str, outline: Sequence[str], places: Collection[str]) -> None:
    """UnknownName where an outline goes through a point that the body has not."""
    for corner in outline:
        if corner not in places:
            near = nearest_name(corner, places)
            raise UnknownName(f"the outline of {body!r} names point {corner!r}.{near}")


def law_of(
    measure: Gauge,
    units: str,
    law: AbstractLaw | Callable[[Any], Any] | None,
    start: Number,
    speed: Number,
    rpm: float | None,
    acceleration: Number,
) -> AbstractLaw:
    """The law of a drive: one that is given, a function of time, or a ramp by numbers."""
    if law is None:
        return ramp_of(measure, units, start, speed, rpm, acceleration)
    return law if isinstance(law, AbstractLaw) else Formula(law)


def ramp_of(
    measure: Gauge,
    units: str,
    start: Number,
    speed: Number,
    rpm: float | None,
    acceleration: Number,
) -> Ramp:
    """The law of a drive that is given by numbers, lengths in `units`."""
    unit = measure.unit
    plain = units if unit == "m" else "rad"
    rate = in_si(speed, f"{unit}/s", f"{plain}/s")
    if rpm is not None:
        if unit != "rad":
            raise BadConnection(
                f"{measure.name!r} is a length: give its speed per second, not rpm."
            )
        rate = in_si(rpm, "s") * math.tau / 60.0
    second = in_si(acceleration, f"{unit}/s**2", f"{plain}/s**2")
    return Ramp(in_si(start, unit, plain), rate, second)


def velocity_of(
    given: Sequence[Number] | SpecificRates | None, units: str
) -> Triple | SpecificRates | None:
    """A velocity of two or three components, bare numbers in `units` per second."""
    if given is None or isinstance(given, SpecificRates):
        return given
    if len(given) not in (2, 3):
        raise BadNumber(f"a velocity has 2 or 3 components, these are {len(given)}: {given}.")
    x, y, z = (*(in_si(c, "m/s", f"{units}/s") for c in given), 0.0)[:3]
    return x, y, z


def spin_of(
    given: Number | Sequence[Number] | SpecificRates | None,
) -> Triple | SpecificRates | None:
    """An angular velocity in rad/s: about z, or three components."""
    if given is None or isinstance(given, SpecificRates):
        return given
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
