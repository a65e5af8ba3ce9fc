"""Asking a mechanism for all its assemblies and motions: names and units at the door."""

from collections.abc import Callable, Mapping
from typing import Any

from kempe.compile.layout import Layout
from kempe.compile.names import gauges_by_name
from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.geometry import GROUND
from kempe.measures import Gauge
from kempe.motion import Effort, Holding, Progress, Stop, planar_equations, reduced
from kempe.motion import assemblies as all_assemblies
from kempe.motion import motions as all_motions
from kempe.results.assemblies import Assemblies
from kempe.results.motion_map import MotionMap
from kempe.units import in_si

Number = float | str
Range = tuple[Number, Number]
Watch = Callable[[Progress], None]


def assemblies_of(
    layout: Layout,
    held: Mapping[str, Number] | None,
    limits: Mapping[str, Range] | None,
    at: Number | None,
    effort: Effort,
) -> Assemblies:
    """Every way to put the mechanism together."""
    system = _system(layout, held, limits, at)
    return all_assemblies(system, layout.model.name, _bodies(layout), effort)


def motions_of(
    layout: Layout,
    held: Mapping[str, Number] | None,
    limits: Mapping[str, Range] | None,
    at: Number | None,
    effort: Effort,
) -> MotionMap:
    """Every way the mechanism can move."""
    system = _system(layout, held, limits, at)
    return all_motions(system, layout.model.name, _bodies(layout), effort)


def _bodies(layout: Layout) -> list[str]:
    return [body.name for body in layout.model.moving]


def _system(
    layout: Layout,
    held: Mapping[str, Number] | None,
    limits: Mapping[str, Range] | None,
    at: Number | None,
) -> Any:
    holdings = [
        Holding(_gauge(layout, name), _value(layout, name, value))
        for name, value in (held or {}).items()
    ]
    if at is not None:
        time = in_si(at, "s")
        for drive in layout.model.drives:
            if drive.gauge.name not in (held or {}):
                holdings.append(Holding(drive.gauge, float(drive.law.value(time))))
    stops = []
    for name, ends in (limits or {}).items():
        low, high = (_value(layout, name, end) for end in ends)
        if not low < high:
            raise BadNumber(f"the limits of {name!r}, {ends[0]} ... {ends[1]}, leave no room.")
        stops.append(Stop(_gauge(layout, name), low, high))
    return reduced(planar_equations(layout, holdings, stops))


def _gauge(layout: Layout, name: str) -> Gauge:
    gauges = gauges_by_name(layout.model)
    if name not in gauges:
        known = [n for n in gauges if not n.startswith(f"{GROUND}.")]
        raise UnknownName(f"there is no {name!r} to hold or limit.{nearest_name(name, known)}")
    return gauges[name]


def _value(layout: Layout, name: str, value: Number) -> float:
    gauge = _gauge(layout, name)
    return in_si(value, gauge.unit, layout.model.length_unit if gauge.unit == "m" else None)
