"""Which forms a mechanism has: declared shapes of bodies, or else their outlines."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kempe.constraints import Coincident
from kempe.errors import ModelError, UnknownName, about, nearest_name
from kempe.geometry import GROUND, Marker
from kempe.geometry.solids import ConvexPart
from kempe.interference.form import AbstractForm
from kempe.interference.planar_form import PlanarForm
from kempe.interference.spatial_form import SpatialForm
from kempe.model import Body, Model
from kempe.model.shape import BodyShape

FloatArray = NDArray[np.float64]

OUTLINE = "outline"  # what the form of a body without shapes is called
FLAT = 1e-6  # of the extent: as pictures judge what lies in one plane


def forms_of(model: Model) -> list[AbstractForm]:
    """The forms of all bodies: their shapes, or outlines where no body of the model has a shape.

    An outline is taken as pictures draw it: a line, the convex hull of points in one plane, or a
    spider of lines.
    """
    if any(body.shapes for body in model.bodies):
        return [_shaped(model, body, shape) for body in model.bodies for shape in body.shapes]
    found = [_outlined(model, body) for body in model.moving]
    forms = [form for form in found if form is not None]
    if len(forms) < 2:
        raise ModelError(
            f"{model.name!r} has fewer than two bodies with a shape or an outline: give them some,"
            " with m.shape(body, Cuboid((0.1, 0.1, 0.1)))."
        )
    return forms


def _shaped(model: Model, body: Body, shape: BodyShape) -> AbstractForm:
    name = f"{body.name}.{shape.name}"
    with about(f"shape {name!r}"):
        parts = [part.seen_from(shape.at) for part in shape.solid.convex_parts]
        if model.plane:
            return PlanarForm(body.name, name, parts, is_flat=False)
        shell = shape.solid.shell
        if shell is None:
            return SpatialForm(body.name, name, parts)
        corners = np.array([part.points for part in parts])
        return SpatialForm(body.name, name, parts, (corners, shell.is_closed))


def _outlined(model: Model, body: Body) -> AbstractForm | None:
    held = [m.position for j in model.joints for m in j.markers if m.body == body.name]
    points = [body.points[name] for name in body.outline] or held
    corners = np.unique(np.array([*points, *held], dtype=float).reshape(-1, 3), axis=0)
    if len(corners) < 2:
        return None
    name = f"{body.name}.{OUTLINE}"
    if model.plane:
        return PlanarForm(body.name, name, [ConvexPart(corners)], is_flat=True)
    middle = corners.mean(axis=0)
    _, sizes, axes = np.linalg.svd(corners - middle)
    if len(corners) == 2 or sizes[1] < FLAT * sizes[0]:
        along = (corners - middle) @ axes[0]
        return SpatialForm(body.name, name, [ConvexPart(corners[[along.argmin(), along.argmax()]])])
    if len(corners) == 3 or sizes[2] < FLAT * sizes[0]:
        return SpatialForm(body.name, name, [ConvexPart(corners)])
    spider = [ConvexPart(np.array([middle, corner])) for corner in corners]
    return SpatialForm(body.name, name, spider)


def asked_pairs(
    model: Model, forms: list[AbstractForm], names: Sequence[str], *, joined: bool = False
) -> tuple[list[tuple[AbstractForm, AbstractForm, str]], list[tuple[str, str, str]]]:
    """Pairs of forms to look at, with the joint of their bodies; and those left out, by name.

    With `names` of bodies or shapes only these are looked at; what meets in a joint only if
    `joined`. An UnknownName where a name is none.
    """
    _refuse_unknown(names, forms)
    found, left_out = [], []
    for a, b, joint, meets in pairs_of(model, forms):
        if names and not all(form.body in names or form.name in names for form in (a, b)):
            continue
        if meets and not joined:
            left_out.append((a.name, b.name, joint))
        else:
            found.append((a, b, joint))
    return found, left_out


def _refuse_unknown(names: Sequence[str], forms: Sequence[AbstractForm]) -> None:
    known = [*dict.fromkeys(f.body for f in forms), *(f.name for f in forms)]
    for name in names:
        if name not in known:
            near = nearest_name(name, known)
            raise UnknownName(f"there is no body or shape {name!r} to look at.{near}", name=name)


def pairs_of(
    model: Model, forms: list[AbstractForm]
) -> Iterator[tuple[AbstractForm, AbstractForm, str, bool]]:
    """Pairs of forms of different bodies, the joint between these, and whether they meet in it.

    They do where one marker of the joint lies in the one form and the other in the other. Bodies
    that a third one carries on one pin are joined likewise.
    """
    size = max(form.reach for form in forms)
    for k, a in enumerate(forms):
        for b in forms[k + 1 :]:
            if a.body == b.body:
                continue
            if isinstance(a, PlanarForm) and isinstance(b, PlanarForm) and not a.shares_a_layer(b):
                continue
            joints = list(_between(model, a.body, b.body))
            meets = [n for n, I, J in joints if _meet(a, b, I, J, FLAT * size)]
            named = meets or [name for name, _, _ in joints]
            yield a, b, named[0] if named else "", bool(meets)


def _between(model: Model, a: str, b: str) -> Iterator[tuple[str, Marker, Marker]]:
    """The joints of two bodies, with the marker on a and that on b; and two on one pin."""
    yield from _direct(model, a, b)
    for third in sorted({GROUND, *(body.name for body in model.bodies)} - {a, b}):
        for first, on_a, at in _direct(model, a, third, is_pin=True):
            for second, on_b, place in _direct(model, b, third, is_pin=True):
                if at.position == place.position:
                    yield f"{first} and {second}", on_a, on_b


def _direct(
    model: Model, a: str, b: str, *, is_pin: bool = False
) -> Iterator[tuple[str, Marker, Marker]]:
    """The joints between two bodies themselves; where a pin is meant, those that share a point."""
    for joint in model.joints:
        if is_pin and not any(isinstance(c, Coincident) for c in joint.constraints):
            continue
        if (joint.I.body, joint.J.body) == (a, b):
            yield joint.name, joint.I, joint.J
        elif (joint.I.body, joint.J.body) == (b, a):
            yield joint.name, joint.J, joint.I


def _meet(a: AbstractForm, b: AbstractForm, on_a: Marker, on_b: Marker, within: float) -> bool:
    spots: Iterable[tuple[AbstractForm, Marker]] = ((a, on_a), (b, on_b))
    return all(form.holds(np.array(m.position, dtype=float), within) for form, m in spots)
