"""Changing a model: every change gives a new one, the old stays as it was."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from kempe.couplers import AbstractCoupler
from kempe.drives import Drive
from kempe.errors import BadConnection, DuplicateName, ModelError, UnknownName, nearest_name
from kempe.events import AbstractEvent
from kempe.forces import AbstractForce
from kempe.geometry import GROUND, Marker
from kempe.joints import AbstractJoint
from kempe.measures import Gauge
from kempe.model.body import Body
from kempe.model.model import Model
from kempe.model.output import Output
from kempe.names import refuse_no_texts

Part = Body | AbstractJoint | AbstractCoupler | AbstractForce | AbstractEvent | Drive
T = TypeVar("T", AbstractForce, AbstractEvent)
Move = Callable[[Marker], Marker]
KINDS: dict[str, type] = {
    "bodies": Body,
    "joints": AbstractJoint,
    "couplers": AbstractCoupler,
    "forces": AbstractForce,
    "events": AbstractEvent,
    "drives": Drive,
}


def part_names(model: Model) -> list[str]:
    """The names of all parts: bodies, joints, ..., gauges, and drives by their measures."""
    named: list[Body | AbstractJoint | AbstractCoupler | AbstractForce | AbstractEvent] = []
    named += [*model.bodies, *model.joints, *model.couplers, *model.forces, *model.events]
    measures = [*model.gauges, *(d.gauge for d in model.drives)]
    return [*(part.name for part in named), *dict.fromkeys(g.name for g in measures)]


def added(model: Model, part: Part) -> Model:
    """The model with one more part."""
    (word,) = (word for word, kind in KINDS.items() if isinstance(part, kind))
    more: Any = {word: (*getattr(model, word), part)}
    return replace(model, **more)


def removed(model: Model, name: str) -> Model:
    """The model without the part of that name; a body must not be held on to any more.

    Of a gauge and the drive on it, which share a name, the drive goes first.
    """
    _know(model, name)
    is_driven = any(d.gauge.name == name for d in model.drives)
    if any(b.name == name for b in model.bodies):
        holders = _holders(model, name)
        if holders:
            raise ModelError(
                f"body {name!r} cannot be removed while {', '.join(map(repr, holders))}"
                " hold on to it: remove or re-attach them first.",
                body=name,
                holders=tuple(holders),
            )
    return replace(
        model,
        bodies=tuple(b for b in model.bodies if b.name != name),
        joints=tuple(j for j in model.joints if j.name != name),
        couplers=tuple(c for c in model.couplers if c.name != name),
        forces=tuple(f for f in model.forces if f.name != name),
        events=tuple(e for e in model.events if not _needs(e, name)),
        drives=tuple(d for d in model.drives if d.gauge.name != name),
        gauges=tuple(g for g in model.gauges if is_driven or g.name != name),
        outputs=tuple(output for output in model.outputs if not output.mentions(name)),
    )


def replaced(model: Model, name: str, part: Part) -> Model:
    """The model with another part in the place of the one of that name, which it takes on.

    A part that has a name of its own keeps it.
    """
    _know(model, name)
    if not isinstance(part, Drive) and not part.name:
        part = replace(part, name=name)

    def swap(parts: tuple[Any, ...], kind: type) -> tuple[Any, ...]:
        known = [_name(p) == name for p in parts]
        if any(known) and not isinstance(part, kind):
            raise ModelError(
                f"{name!r} is a {kind.__name__.removeprefix('Abstract').lower()} and cannot be"
                f" replaced by a {type(part).__name__}."
            )
        return tuple(part if same else p for p, same in zip(parts, known, strict=True))

    if isinstance(part, AbstractJoint):
        model = _read_off(model, name, part)
    parts: Any = {word: swap(getattr(model, word), kind) for word, kind in KINDS.items()}
    return replace(model, **parts)


def _read_off(model: Model, name: str, new: AbstractJoint) -> Model:
    """The model whose drives, couplers, forces and gauges read a joint's measures off a new one."""
    old = next((j for j in model.joints if j.name == name), None)
    if old is None:
        return model
    mine = {f"{name}.{measure.word}": measure for measure in old.measures}
    words = {measure.word: measure for measure in new.measures}

    def read(gauge: Gauge) -> Gauge:
        measure = mine.get(gauge.name)
        if measure != gauge.measure or (gauge.I, gauge.J) != (old.I, old.J):
            return gauge
        if measure.word not in words:
            raise ModelError(
                f"{gauge.name!r} is in use, and {type(new).__name__} has no {measure.word!r}:"
                f" remove what uses it first.{nearest_name(measure.word, words)}"
            )
        return replace(gauge, measure=words[measure.word], I=new.I, J=new.J)

    return replace(model, **_gauged_parts(model, read, lambda marker: marker))


def _gauged_parts(model: Model, gauge: Callable[[Gauge], Gauge], move: Move) -> dict[str, Any]:
    """The parts that read gauges, with every gauge exchanged and the markers of forces moved."""

    def inside(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(inside(entry) for entry in value)
        if isinstance(value, Marker):
            return move(value)
        return gauge(value) if isinstance(value, Gauge) else value

    def within(part: T) -> T:
        held = {one.name: inside(getattr(part, one.name)) for one in fields(part) if one.init}
        return replace(part, **held)

    return {
        "couplers": tuple(replace(c, gauges=tuple(map(gauge, c.gauges))) for c in model.couplers),
        "forces": tuple(within(f) for f in model.forces),
        "events": tuple(within(e) for e in model.events),
        "drives": tuple(replace(d, gauge=gauge(d.gauge)) for d in model.drives),
        "gauges": tuple(map(gauge, model.gauges)),
        "rates": tuple(replace(r, gauge=gauge(r.gauge)) for r in model.rates),
    }


def renamed(model: Model, names: dict[str, str]) -> Model:
    """The model with parts called otherwise, everywhere they are mentioned."""
    for old in names:
        _know(model, old)
    called = [GROUND, *(names.get(n, n) for n in part_names(model) if n != GROUND)]
    for name in names.values():
        if called.count(name) > 1:
            raise DuplicateName(f"there is a part called {name!r} already.", name=name)

    def new(name: str) -> str:
        if name in names:
            return names[name]
        head, dot, tail = name.partition(".")
        return f"{names.get(head, head)}{dot}{tail}"

    def moved(marker: Marker) -> Marker:
        return replace(marker, body=names.get(marker.body, marker.body))

    bodies = tuple(replace(b, name=names.get(b.name, b.name)) for b in model.bodies)
    return replace(model, bodies=bodies, **moved_parts(model, moved, new))


def reattached(model: Model, joint: str, ends: Mapping[str, Marker]) -> Model:
    """The model with a joint's markers I or J moved to other places, bodies included.

    Example: reattached(model, "joint7", {"J": Marker("link", (1.0, 0.0, 0.0))})
    """
    found = model.joint(joint)
    for end, marker in ends.items():
        if end not in ("I", "J") or not isinstance(marker, Marker):
            raise BadConnection(
                f"joint {joint!r} has the ends I and J, which hold on to markers: {end}={marker!r}"
                " is neither."
            )
    there = {"I": found.I, "J": found.J, **ends}
    return replaced(model, joint, replace(found, I=there["I"], J=there["J"]))


def moved_parts(model: Model, move: Move, name: Callable[[str], str]) -> dict[str, Any]:
    """All parts but bodies, with every marker moved and every name renewed."""

    def gauge(g: Gauge) -> Gauge:
        return replace(g, name=name(g.name), I=move(g.I), J=move(g.J))

    parts = _gauged_parts(model, gauge, move)
    parts["joints"] = tuple(joint.moved(move) for joint in model.joints)
    for word in ("joints", "couplers", "forces"):
        parts[word] = tuple(replace(part, name=name(part.name)) for part in parts[word])

    def text(formula: str) -> str:
        return Output(formula).renamed(name).text

    parts["events"] = tuple(event.renamed(name, text) for event in parts["events"])
    return parts | {"outputs": tuple(output.renamed(name) for output in model.outputs)}


def _name(part: object) -> str:
    return part.gauge.name if isinstance(part, Drive) else str(getattr(part, "name", ""))


def _needs(event: AbstractEvent, name: str) -> bool:
    """Whether an event is that of a name, or cannot be without the part of that name."""
    when = getattr(event, "when", "")
    return name in (event.name, *event.mentioned) or bool(when and Output(when).mentions(name))


def _holders(model: Model, body: str) -> list[str]:
    holders = [j.name for j in model.joints if any(m.body == body for m in j.markers)]
    for coupler in model.couplers:
        if any(body in (g.I.body, g.J.body) for g in coupler.gauges):
            holders.append(coupler.name)
    for force in model.forces:
        held = (*force.markers, *(m for g in force.gauges for m in (g.I, g.J)))
        if any(m.body == body for m in held):
            holders.append(force.name)
    for event in model.events:
        if any(body in (g.I.body, g.J.body) for g in event.gauges):
            holders.append(event.name)
    measures = [*model.gauges, *(d.gauge for d in model.drives)]
    return holders + list(dict.fromkeys(g.name for g in measures if body in (g.I.body, g.J.body)))


def _know(model: Model, name: str) -> None:
    refuse_no_texts([name])
    names = part_names(model)
    if name not in names:
        raise UnknownName(f"there is no part {name!r}.{nearest_name(name, names)}", name=name)
    if name == GROUND:
        raise ModelError("the ground stays as it is: it cannot be removed, replaced or renamed.")
