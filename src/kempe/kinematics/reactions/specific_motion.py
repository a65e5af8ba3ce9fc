"""A mechanism's motion and constraints in specific coordinates of its bodies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations
from kempe.equations.equations import Sampled
from kempe.equations.programs import raw_program
from kempe.equations.rank import independent_rows
from kempe.errors import BadNumber, ModelError, UnknownName, nearest_name
from kempe.geometry import Inertia
from kempe.geometry.specific import (
    AbstractOrientator,
    AbstractTranslator,
    BodyCoordinates,
    BodyEquations,
    SystemEquations,
)
from kempe.kinematics.closing.curve_ends import refuse_curves
from kempe.kinematics.reactions.loads import applied_loads
from kempe.results import Motion
from kempe.results.state import State

FloatArray = NDArray[np.float64]
MASSLESS = Inertia(0.0, np.zeros(3), np.zeros((3, 3)))


@final
@dataclass(frozen=True, slots=True, eq=False)
class SpecificMotion:
    """Samples of a motion in specific coordinates, with the constraints expressed in them.

    J_s s'' = gamma_s at every sample, of the rows of joints and drives that do not repeat others.
    """

    system: SystemEquations  # the moving bodies, in the model's order
    names: tuple[str, ...]  # (n,), of the coordinates, as "crank.phi"
    s: FloatArray  # (k, n)
    rate: FloatArray  # (k, n)
    second: FloatArray  # (k, n)
    jacobian: FloatArray  # (k, m, n), J_s
    gamma: FloatArray  # (k, m), gamma_s
    twist_jacobian: FloatArray  # (k, m, 6 b), J
    twist_gamma: FloatArray  # (k, m)
    weight: FloatArray  # (k, 6 b), what gravity does: force in world, torque in body axes
    load: FloatArray  # (k, 6 b), what forces, stops, latches and friction do, likewise

    def accelerations(self, wrenches: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """s'' and the multipliers under gravity, the model's forces and other wrenches (k, 6 b).

        Of a driven mechanism s'' is `second`, and the multipliers are what its joints and drives
        exert.
        """
        pushed = self.weight + self.load
        pushed = pushed if wrenches is None else pushed + wrenches
        return self.system.accelerations(
            self.s, self.rate, pushed, self.twist_jacobian, self.twist_gamma
        )


# A set for all bodies, or one for each by name: an orientation's alone, or place and orientation.
Sets = AbstractOrientator | BodyCoordinates
Chosen = Sets | Mapping[str, Sets]


def specific_motion(
    layout: Layout,
    motion: Motion,
    chosen: Chosen,
    translator: AbstractTranslator | None = None,
) -> SpecificMotion:
    """A motion in space written in specific coordinates: one set for all bodies, or one for each.

    Source: [Pissanetzky] sec. 3.9.
    """
    if layout.model.plane:
        raise ModelError(
            f"{layout.model.name!r} is in the plane, where x, y and the angle are specific"
            " coordinates already: build it with plane=False."
        )
    at, moving = layout.coordinates, layout.model.moving
    sets = _sets(layout, chosen, translator)
    inertias = [body.inertia or MASSLESS for body in moving]
    system = SystemEquations(
        tuple(BodyEquations(each, one) for each, one in zip(sets, inertias, strict=True))
    )
    refuse_curves(layout, "written in coordinates of your own")
    places, turns = at.places(motion.q), at.turns(motion.q)
    v, a = at.v_by_body(motion.v), at.v_by_body(motion.a)
    ss = [c.coordinates(places[:, k], turns[:, k]) for k, c in enumerate(sets)]
    rates = [c.rates(ss[k], v[:, k]) for k, c in enumerate(sets)]
    seconds = [c.accelerations(ss[k], rates[k], a[:, k]) for k, c in enumerate(sets)]
    s, rate, second = (np.concatenate(parts, axis=1) for parts in (ss, rates, seconds))
    J, gamma = twist_rows(layout, motion)
    turned = np.stack([c.place(ss[k])[1] for k, c in enumerate(sets)], axis=1)
    return SpecificMotion(
        system,
        tuple(f"{b.name}.{w}" for b, c in zip(moving, sets, strict=True) for w in c.names),
        s,
        rate,
        second,
        system.constraint_jacobian(s, J),
        system.constraint_acceleration(s, rate, J, gamma),
        J,
        gamma,
        _weight(layout, turned, inertias),
        applied_loads(layout, motion),
    )


def _sets(
    layout: Layout, chosen: Chosen, translator: AbstractTranslator | None
) -> list[BodyCoordinates]:
    """The coordinates of every moving body, in the model's order."""
    names = [body.name for body in layout.model.moving]
    if not isinstance(chosen, Mapping):
        return [_set(chosen, translator)] * len(names)
    for name in chosen:
        if name not in names:
            near = nearest_name(str(name), names)
            raise UnknownName(f"coordinates are given for {name!r}, no moving body.{near}")
    left = [name for name in names if name not in chosen]
    if left:
        raise BadNumber(
            f"no coordinates are given for {', '.join(map(repr, left[:5]))}: every moving body"
            " needs a set, such as EulerParameters()."
        )
    return [_set(chosen[name], translator) for name in names]


def _set(given: Any, translator: AbstractTranslator | None) -> BodyCoordinates:
    if isinstance(given, BodyCoordinates):
        return given
    if not isinstance(given, AbstractOrientator):
        raise BadNumber(
            "specific coordinates are a set of an orientation, such as EulerAngles('XYZ'), or"
            f" BodyCoordinates of both, not {given!r}."
        )
    return BodyCoordinates(given) if translator is None else BodyCoordinates(given, translator)


def twist_rows(layout: Layout, motion: Motion) -> tuple[FloatArray, FloatArray]:
    """J (k, m, 6 b) and gamma (k, m) with J V' = gamma, of the rows that do not repeat others."""
    equations = Equations(layout, raw_program(layout))
    samples, turns = Sampled(equations, motion.q, motion.t), equations.program.shape.n_turns
    at = State(float(motion.t[0]), motion.q[0], turns=np.zeros(turns))
    kept = sorted(independent_rows(equations.scaled_jacobian(at)))
    return samples.jacobians()[:, kept], samples.right_hand(motion.v)[1][:, kept]


def _weight(layout: Layout, A: FloatArray, inertias: list[Inertia]) -> FloatArray:
    """(m g, c x A^T m g) of every body."""
    F = np.zeros((*A.shape[:2], 6))
    for j, inertia in enumerate(inertias):
        pull = inertia.mass * np.array(layout.model.gravity)
        F[:, j, :3] = pull
        F[:, j, 3:] = np.cross(inertia.centre, pull @ A[:, j])
    return F.reshape(len(F), -1)
