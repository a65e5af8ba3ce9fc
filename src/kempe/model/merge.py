"""Two mechanisms as one: grounds become one ground, chosen bodies become one body."""

from collections.abc import Mapping
from dataclasses import replace

from kempe.errors import BadConnection, UnknownName, nearest_name
from kempe.geometry import GROUND, Marker, Pose
from kempe.model.body import MEASURED, Body
from kempe.model.editing import moved_parts, renamed
from kempe.model.model import Model
from kempe.model.shape import BodyShape

Identity = Mapping[str, str | tuple[str, Pose]]


def merge_models(
    a: Model,
    b: Model,
    *,
    identify: Identity | None = None,
    rename: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Model:
    """The parts of both models; `rename` gives parts of b other names first.

    `identify` says which body of b (by its new name) is which body of a: {"crank": "rocker"}
    makes their frames one; {"crank": ("rocker", X_RC)} puts b's body frame at the pose X_RC in a's
    body. The grounds are one unless a pose says where b's ground lies in a's: a drive on
    'lever.angle', counted from b's ground, is then one on 'lever.angle_there'. The points of a body
    that becomes one with another stay points of it, under their own names where those are free.

    Source: [Sung] ch. IV, the combination of mechanism classes.
    """
    second = renamed(b, dict(rename or {}))
    same = {GROUND: (GROUND, Pose.identity())}
    for theirs, ours in (identify or {}).items():
        same[theirs] = (ours, Pose.identity()) if isinstance(ours, str) else ours
    _check(a, second, {k: v[0] for k, v in same.items()})

    def moved(marker: Marker) -> Marker:
        if marker.body not in same:
            return marker
        body, X = same[marker.body]
        pose = X @ marker.pose
        x, y, z = (float(c) for c in pose.position)
        return Marker(body, (x, y, z), pose.rotation)

    stays = {body.name for body in _others(second, same)}
    is_turned = moved(Marker(GROUND)) != Marker(GROUND)

    def called(name: str) -> str:
        """A body's coordinate that b counts from its own ground, where this lies elsewhere."""
        part, _, word = name.rpartition(".")
        return f"{name}_there" if is_turned and part in stays and word in MEASURED else name

    joined = moved_parts(second, moved, called)
    return Model(
        name=name or f"{a.name} + {b.name}",
        plane=a.plane,
        bodies=(*_with_points(a, second, same), *_others(second, same)),
        joints=(*a.joints, *joined["joints"]),
        drives=(*a.drives, *joined["drives"]),
        couplers=(*a.couplers, *joined["couplers"]),
        gauges=(*a.gauges, *joined["gauges"]),
        forces=(*a.forces, *joined["forces"]),
        events=(*a.events, *joined["events"]),
        rates=(*a.rates, *joined["rates"]),
        outputs=(*a.outputs, *joined["outputs"]),
        gravity=a.gravity,
        length_unit=a.length_unit,
    )


def _check(a: Model, b: Model, same: dict[str, str]) -> None:
    """An error where one is planar and the other is not, or `same` names what there is not."""
    if a.plane != b.plane:
        raise BadConnection(
            f"{a.name!r} is {'planar' if a.plane else 'spatial'} and {b.name!r} is not: build both"
            " with the same plane=..."
        )
    ours = {GROUND, *(body.name for body in a.bodies)}
    theirs = {GROUND, *(body.name for body in b.bodies)}
    for second, first in same.items():
        for name, known, whose in ((second, theirs, b.name), (first, ours, a.name)):
            if name not in known:
                raise UnknownName(
                    f"{whose!r} has no body {name!r} to identify.{nearest_name(name, known)}",
                    name=name,
                )


def _others(b: Model, same: dict[str, tuple[str, Pose]]) -> list[Body]:
    """The bodies of b that stay bodies of their own, their guesses seen from a's ground."""
    X = same[GROUND][1]
    return [
        replace(body, guess=None if body.guess is None else X @ body.guess)
        for body in b.bodies
        if body.name not in same
    ]


def _with_points(a: Model, b: Model, same: dict[str, tuple[str, Pose]]) -> list[Body]:
    extra: dict[str, dict[str, tuple[float, float, float]]] = {}
    shapes: dict[str, tuple[BodyShape, ...]] = {}
    for body in b.bodies:
        if body.name in same:
            ours, X = same[body.name]
            for point, place in body.points.items():
                x, y, z = (float(c) for c in (X @ Marker(body.name, place).pose).position)
                extra.setdefault(ours, {})[point] = (x, y, z)
            moved = (replace(shape, at=X @ shape.at) for shape in body.shapes)
            shapes[ours] = (*shapes.get(ours, ()), *moved)
    known = {body.name for body in a.bodies}
    ground = [Body(GROUND)] if GROUND not in known and shapes.get(GROUND) else []
    return [
        replace(
            body,
            points={**extra.get(body.name, {}), **body.points},
            shapes=_together(body.shapes, shapes.get(body.name, ())),
        )
        for body in (*a.bodies, *ground)
    ]


def _together(ours: tuple[BodyShape, ...], theirs: tuple[BodyShape, ...]) -> tuple[BodyShape, ...]:
    """The shapes of two bodies that are one; those of the second with other names where needed."""
    taken = [shape.name for shape in ours]
    for shape in theirs:
        name, k = shape.name, 2
        while name in taken:
            name, k = f"{shape.name}_{k}", k + 1
        taken.append(name)
    return (*ours, *(replace(s, name=n) for s, n in zip(theirs, taken[len(ours) :], strict=True)))
