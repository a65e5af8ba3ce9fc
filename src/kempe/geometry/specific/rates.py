"""Rates of specific coordinates, as a body starts with them."""

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np

from kempe.errors import BadNumber, SingularCoordinates
from kempe.geometry.number import Floats
from kempe.geometry.pose import Pose

if TYPE_CHECKING:
    from kempe.geometry.specific.abstract import AbstractOrientator, AbstractTranslator

# Singular values of G or H below this share of the largest: some rate means nothing there.
SINGULAR_RATES = 1e-6


@final
@dataclass(frozen=True, slots=True)
class SpecificRates:
    """Rates of the coordinates of an orientation or of a place; None leaves one open.

    s' = B w with B = G^-1, C B = 0, or s' = H^-1 v

    `SpecificRates(EulerParameters(), (0, 0, 0, 5))` spins a body in line with the world by 10 rad/s
    about z: w = 2 e0 u' - ...

    Source: [Pissanetzky] sec. 3.6; [KohPark] Fig. 10 gives its bars rates of Euler parameters.
    """

    coordinates: "AbstractOrientator | AbstractTranslator"
    rates: tuple[float | None, ...]

    def __post_init__(self) -> None:
        names = self.coordinates.names
        rates = tuple(None if r is None else float(r) for r in self.rates)
        if len(rates) != len(names):
            raise BadNumber(
                f"{self.coordinates!r} has {len(names)} coordinates ({', '.join(names)}), here are"
                f" {len(rates)} rates: give None for what is left open."
            )
        if not all(r is None or math.isfinite(r) for r in rates):
            raise BadNumber(f"the rates of {self.coordinates!r} must be finite: {rates}.")
        object.__setattr__(self, "rates", rates)

    @property
    def is_turning(self) -> bool:
        """Whether these are coordinates of an orientation."""
        from kempe.geometry.specific.abstract import AbstractOrientator

        return isinstance(self.coordinates, AbstractOrientator)

    def matrix(self, X: Pose) -> Floats:
        """B (n, 3) at a pose: s' = B w, or s' = B v, world axes."""
        from kempe.geometry.rotations.euler import GimbalLock
        from kempe.geometry.specific.abstract import AbstractOrientator
        from kempe.geometry.specific.kinematics import (
            OrientationCoordinates,
            TranslationCoordinates,
        )

        if isinstance(self.coordinates, AbstractOrientator):
            turning = OrientationCoordinates(self.coordinates)
            with warnings.catch_warnings(action="ignore", category=GimbalLock):  # refused below
                s = turning.coordinates(X.rotation.quaternion())
            forth = np.vstack([turning.G(s, axes="reference"), turning.C(s)])
        else:
            moving = TranslationCoordinates(self.coordinates)
            s = moving.coordinates(np.array([float(c) for c in X.position]))
            forth = moving.H(s)
        values = np.linalg.svd(forth, compute_uv=False)
        if not values[-1] > SINGULAR_RATES * values[0]:
            raise SingularCoordinates(
                f"{self.coordinates!r} is singular where the body starts: not all of its rates mean"
                " something there. Give the velocity or spin itself, or other coordinates."
            )
        return np.asarray(np.linalg.pinv(forth)[:, :3])
