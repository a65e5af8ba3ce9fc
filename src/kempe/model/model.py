"""The model: frozen data that says what a mechanism is."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, final

from kempe.couplers import AbstractCoupler
from kempe.drives import Drive
from kempe.errors import DuplicateName, UnknownName, nearest_name
from kempe.events import AbstractEvent
from kempe.forces import AbstractForce
from kempe.geometry import GROUND, Marker
from kempe.joints import AbstractJoint
from kempe.measures import Gauge
from kempe.model.body import Body
from kempe.model.output import Output
from kempe.model.planarity import stay_in_the_plane
from kempe.model.start_rate import StartRate
from kempe.names import refuse_built_in, refuse_unreadable
from kempe.notebook import table_html

Part = TypeVar("Part", Body, AbstractJoint)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Bodies, joints, drives, forces and gauges of one mechanism, in the plane or in space.

    `length_unit` is the unit lengths are shown in; the data itself is in SI units and radians.
    """

    name: str
    plane: bool
    bodies: tuple[Body, ...]  # the ground, if listed, lends its points and outline
    joints: tuple[AbstractJoint, ...]
    drives: tuple[Drive, ...] = ()
    couplers: tuple[AbstractCoupler, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)  # m/s^2
    length_unit: str = "m"
    forces: tuple[AbstractForce, ...] = ()
    rates: tuple[StartRate, ...] = ()  # what a simulation starts with
    outputs: tuple[Output, ...] = ()  # what tables show; all where none is chosen
    events: tuple[AbstractEvent, ...] = ()  # what happens along a simulation

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", "mechanism")  # messages begin with it
        self._refuse_unreadable_names()
        _refuse_duplicates("body", (b.name for b in self.bodies))
        _refuse_duplicates("joint", (j.name for j in self.joints))
        names = {b.name for b in self.bodies} | {GROUND}
        others: list[AbstractJoint | AbstractCoupler | AbstractForce | AbstractEvent] = []
        others += [*self.joints, *self.couplers, *self.forces, *self.events]
        parts = [*names, *(p.name for p in others)]
        _refuse_duplicates("body, joint, coupler, force or event", parts)
        drives = [d.name for d in self.drives if d.name and d.name != d.gauge.name]
        measures = {g.name for g in self.gauges}
        outputs = {one.name for one in self.outputs if one.name} - measures
        what = "part, drive, measure or output"
        _refuse_duplicates(what, [*parts, *drives, *sorted(measures), *sorted(outputs)])
        _refuse_duplicates("rate", (rate.gauge.name for rate in self.rates))
        for where, markers in self._holds:
            for marker in markers:
                _know(names, marker, where)
        _know_mentioned(self)
        if self.plane:
            stay_in_the_plane(self.bodies, self.joints)

    @property
    def _holds(self) -> Iterator[tuple[str, tuple[Marker, ...]]]:
        """Who holds on to bodies, in words, and by which markers."""

        def ends(gauges: Iterable[Gauge]) -> tuple[Marker, ...]:
            return tuple(marker for gauge in gauges for marker in (gauge.I, gauge.J))

        yield from ((f"joint {joint.name!r}", joint.markers) for joint in self.joints)
        yield from ((f"coupler {c.name!r}", ends(c.gauges)) for c in self.couplers)
        yield from ((f"force {f.name!r}", (*f.markers, *ends(f.gauges))) for f in self.forces)
        yield from ((f"event {e.name!r}", ends(e.gauges)) for e in self.events)
        yield from ((f"the drive on {d.gauge.name!r}", ends([d.gauge])) for d in self.drives)
        yield from ((f"the rate of {r.gauge.name!r}", ends([r.gauge])) for r in self.rates)

    def _refuse_unreadable_names(self) -> None:
        """Names that cannot be read, or mean something else; points refuse such themselves."""
        for what, parts in (
            ("body", self.bodies),
            ("joint", self.joints),
            ("coupler", self.couplers),
            ("force", self.forces),
            ("event", self.events),
            ("measure", self.gauges),
        ):
            for part in parts:
                refuse_unreadable(part.name, f"no {what}")
                refuse_built_in(part.name, what)
        for drive in self.drives:
            refuse_unreadable(drive.gauge.name, "no measure")
            refuse_built_in(drive.gauge.name, "measure")
            refuse_built_in(drive.name, "drive")
        for output in self.outputs:
            refuse_built_in(output.name, "output")

    @property
    def _counts(self) -> dict[str, int]:
        """How many parts of each kind there are, by the words for them."""
        kinds = {"moving bodies": self.moving, "joints": self.joints, "drives": self.drives}
        kinds |= {"couplers": self.couplers, "forces": self.forces, "events": self.events}
        return {word: len(parts) for word, parts in kinds.items() if parts}

    def __repr__(self) -> str:
        where = "in the plane" if self.plane else "in space"
        counts = ", ".join(f"{count} {word}" for word, count in self._counts.items()) or "nothing"
        return f"Model {self.name[:40]!r} {where}: {counts}: .bodies, .joints, .drives, .forces"

    def _repr_html_(self) -> str:
        """What a notebook shows: its parts by kind."""
        named: dict[str, Iterable[Body | AbstractJoint | AbstractCoupler | AbstractForce]] = {
            "moving bodies": self.moving,
            "joints": self.joints,
            "couplers": self.couplers,
            "forces": self.forces,
        }
        rows = [[word, ", ".join(part.name for part in parts)] for word, parts in named.items()]
        rows.append(["events", ", ".join(event.name for event in self.events)])
        rows.append(["drives", ", ".join(drive.gauge.name for drive in self.drives)])
        rows = [row for row in rows if row[1]]
        return table_html(["", self.name], rows)

    @property
    def moving(self) -> tuple[Body, ...]:
        """The bodies that are not the ground."""
        return tuple(b for b in self.bodies if b.name != GROUND)

    def body(self, name: str) -> Body:
        """The body of that name."""
        return _named("body", name, self.bodies)

    def joint(self, name: str) -> AbstractJoint:
        """The joint of that name."""
        return _named("joint", name, self.joints)


def _named(what: str, name: str, parts: Sequence[Part]) -> Part:
    """The part of a name; an UnknownName, with the nearest one there is, where it is none's."""
    for part in parts:
        if part.name == name:
            return part
    known = (part.name for part in parts)
    raise UnknownName(f"there is no {what} {name!r}.{nearest_name(name, known)}", name=name)


def _refuse_duplicates(what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DuplicateName(
                f"two things are called {name!r} ({what}): give each its own name.", name=name
            )
        seen.add(name)


def _know(names: set[str], marker: Marker, where: str) -> None:
    if marker.body not in names:
        raise UnknownName(
            f"{where} holds on to body {marker.body!r}, which there is not."
            f"{nearest_name(marker.body, names)}",
            name=marker.body,
        )


def _know_mentioned(model: Model) -> None:
    """An UnknownName where an event names a part that there is not."""
    families = (model.joints, model.couplers, model.forces, model.events, model.drives)
    known = {part.name for family in families for part in family if part.name}
    known |= {drive.gauge.name for drive in model.drives}
    for event in model.events:
        for name in event.mentioned:
            if name not in known:
                near = nearest_name(name, known)
                raise UnknownName(f"{event.called} names {name!r}, which there is not.{near}")
