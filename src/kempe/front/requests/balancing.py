"""Counterweights: where masses belong so that what moves shakes its frame least.

With the acceleration a(p) of every place p of a body, which is linear in p, moving bodies push the
frame with

    F = -sum m a(c),    M = -sum m c x a(c) - sum_ij S_ij (R e_i) x (a(e_i) - a(0))_j

S being second moments about the centre c. A counterweight adds a point mass at its radius; the
least squares of F and, where a length l is given, of M / l over the whole motion decide how heavy
it is, and in which direction.

Source: [BerkofLowen], where two counterweights cancel the force of a four-bar for good; least
squares over any motion of any machine: Own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from kempe.errors import BadNumber, ModelError
from kempe.front.balance import Balance, Counterweight, Shaking
from kempe.front.parts import by_name
from kempe.front.requests.sweep import Over
from kempe.geometry import GROUND, Inertia, Marker
from kempe.kinematics.observe.observation import observe_point
from kempe.model import Model
from kempe.units import in_si

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]

SETTLED = 1e-15


@final
@dataclass(frozen=True, slots=True, eq=False)
class Moving:
    """Places and accelerations of a body's origin, (n, d), and of its unit vectors, (d, n, d)."""

    place: FloatArray
    acceleration: FloatArray
    axes: FloatArray
    turning: FloatArray

    @classmethod
    def of(cls, run: "Trajectory", body: str) -> "Moving":
        """How one body of a trajectory moves."""
        size = 2 if run.layout.model.plane else 3
        origin = observe_point(run.layout, run.motion, Marker(body))
        units: list[Any] = [tuple(float(k == j) for j in range(3)) for k in range(size)]
        ends = [observe_point(run.layout, run.motion, Marker(body, unit)) for unit in units]
        axes = np.array([end[0] - origin[0] for end in ends])
        turning = np.array([end[2] - origin[2] for end in ends])
        return cls(origin[0], origin[2], axes, turning)

    def at(self, p: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Places and accelerations (n, d) of the point p (d,) of the body."""
        place = self.place + np.einsum("j,jnd->nd", p, self.axes)
        return place, self.acceleration + np.einsum("j,jnd->nd", p, self.turning)

    def shaken(self, mass: float, p: FloatArray, S: FloatArray | None = None) -> FloatArray:
        """Force and moment (n, d and 1 or 3) of a mass at p, with second moments S about it."""
        place, a = self.at(p)
        moment = mass * cross(place, a)
        if S is not None:
            for i, j in np.ndindex(S.shape):
                moment = moment + S[i, j] * cross(self.axes[i], self.turning[j])
        return -np.hstack([mass * a, moment])


def cross(a: FloatArray, b: FloatArray) -> FloatArray:
    """a x b, (n, 3); of vectors in the plane (n, 1)."""
    if a.shape[1] == 3:
        return np.cross(a, b)
    return (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])[:, None]


def balanced(
    mechanism: "Mechanism",
    radii: Mapping[str, float | str],
    span: tuple[float | str | None, int, Over | None],
    length: float | str | None,
) -> Balance:
    """The balance that `Mechanism.balance` is asked for."""
    model = mechanism.model
    found = {
        name: _radius(model, name, given)
        for name, given in by_name(radii, "a balance", "radius").items()
    }
    if not found:
        raise BadNumber("where do counterweights go? Give bodies and radii, {'crank': '40 mm'}.")
    heavy = [body for body in model.moving if body.inertia is not None and body.inertia.mass > 0.0]
    if not heavy:
        raise ModelError(f"no body of {mechanism.name!r} has a mass, so nothing shakes.")
    l = None if length is None else in_si(length, "m", model.length_unit)
    if l is not None and not l > 0.0:
        raise BadNumber(f"`length` must be positive, it is {length!r}.")
    until, steps, over = span
    run = mechanism.kinematics(until, steps, over=over)
    if not run.outcome.is_done:
        raise BadNumber(f"it cannot be moved so far: {run.outcome.message}")
    size = 2 if model.plane else 3
    shaken = np.zeros((len(run.t), 3 if model.plane else 6))
    for body in heavy:
        assert body.inertia is not None
        tensor = body.inertia.tensor
        S = 0.5 * np.trace(tensor) * np.eye(3) - tensor
        if model.plane:  # whatever it is across the plane, J about z is what turns
            S = 0.5 * tensor[2, 2] * np.eye(2)
        centre = body.inertia.centre[:size]
        shaken += Moving.of(run, body.name).shaken(body.inertia.mass, centre, S)
    moving = {name: Moving.of(run, name) for name in found}
    weights = _least(shaken, moving, found, size, l)
    after = shaken.copy()
    for name, weight in weights.items():
        after += moving[name].shaken(weight.mass, weight.place)
    return Balance(
        type(mechanism)(_weighted(model, weights)), weights, run.t, _as_told(shaken, size),
        _as_told(after, size),
    )  # fmt: skip


def _radius(model: Model, name: str, given: float | str) -> float:
    model.body(name)
    if name == GROUND:
        raise BadNumber("a counterweight on the ground moves nothing: name a body that moves.")
    radius = in_si(given, "m", model.length_unit)
    if not radius > 0.0:
        raise BadNumber(f"the radius on {name!r} must be positive, it is {given!r}.", name=name)
    return radius


def _least(
    shaken: FloatArray, moving: Mapping[str, Moving], radii: Mapping[str, float], size: int,
    length: float | None,
) -> dict[str, Counterweight]:  # fmt: skip
    """The counterweights that leave least: first with masses left out, then as they are."""
    kinds = np.ones(shaken.shape[1])
    kinds[size:] = 0.0 if length is None else 1.0 / length
    span = float(np.abs(shaken * kinds).max()) or 1.0

    def told(u: FloatArray) -> dict[str, Counterweight]:
        found = {}
        for name, moment in zip(radii, u.reshape(-1, size), strict=True):
            product = float(np.linalg.norm(moment))  # kg m
            place = radii[name] * (moment / product if product else np.eye(size)[0])
            found[name] = Counterweight(product / radii[name], place)
        return found

    def residuals(u: FloatArray) -> FloatArray:
        left = shaken.copy()
        for name, weight in told(u).items():
            left += moving[name].shaken(weight.mass, weight.place)
        return np.asarray((left * kinds / span).ravel())

    columns = [
        np.hstack([-body.turning[j], np.zeros((len(shaken), shaken.shape[1] - size))]).ravel()
        for body in moving.values()
        for j in range(size)
    ]
    begun, *_ = np.linalg.lstsq(np.array(columns).T, -(shaken * (kinds == 1.0)).ravel(), rcond=None)
    scale = max(float(np.abs(begun).max()), 1e-12)
    found = least_squares(
        residuals, begun, x_scale=scale, jac="3-point", ftol=SETTLED, xtol=SETTLED, gtol=SETTLED
    )
    return told(found.x)


def _weighted(model: Model, weights: Mapping[str, Counterweight]) -> Model:
    """The model with the counterweights as parts of its bodies."""
    bodies = []
    for body in model.bodies:
        if body.name in weights:
            weight = weights[body.name]
            centre = np.append(weight.place, np.zeros(3 - len(weight.place)))
            more = Inertia(weight.mass, centre, np.zeros((3, 3)))
            made = more if body.inertia is None else body.inertia + more
            bodies.append(replace(body, inertia=made))
        else:
            bodies.append(body)
    return replace(model, bodies=tuple(bodies))


def _as_told(shaken: FloatArray, size: int) -> Shaking:
    moment = shaken[:, size:]
    return Shaking(shaken[:, :size], moment[:, 0] if size == 2 else moment)
