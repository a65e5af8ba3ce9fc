"""Cross-sections of beams: how stiff and how heavy a metre of them is."""

import math
from dataclasses import dataclass, fields
from typing import final

from kempe.geometry.number import positive

POISSON = 0.3  # of steel, nearly


@final
@dataclass(frozen=True, slots=True)
class Section:
    """What a metre of a beam along x does: bends about y and z, twists about x, and has mass.

    bending_z = E I_z,  I_z = integral of y^2 dA,  so that M_z = E I_z / (radius of curvature)

    Source: [Timoshenko1951] ch. 11 for the torsion of rectangles.
    """

    bending_z: float  # N m^2: in the plane x y
    bending_y: float  # N m^2: in the plane x z
    twisting: float  # N m^2: G J
    mass: float  # kg/m
    polar: float  # kg m: the moment of inertia of a metre about x

    def __post_init__(self) -> None:
        for field in fields(self):
            value = positive(getattr(self, field.name), f"the {field.name} of a section")
            object.__setattr__(self, field.name, value)

    @classmethod
    def rectangle(
        cls,
        height: float | str,
        width: float | str,
        *,
        young: float | str,
        density: float | str,
        poisson: float = POISSON,
    ) -> "Section":
        """A bar `height` high (along y) and `width` wide (along z), m.

        I_z = w h^3 / 12,  I_y = h w^3 / 12,  G J by the series of a rectangle

        `young` (Pa) and `density` (kg/m^3) are those of its material, and so is `poisson`.
        """
        h, w = (positive(x, "a side of a section", "m") for x in (height, width))
        E, rho = positive(young, "Young's modulus", "Pa"), positive(density, "a density", "kg/m^3")
        I_z, I_y = w * h**3 / 12.0, h * w**3 / 12.0
        G = E / (2.0 * (1.0 + poisson))
        J = _torsion_constant(max(h, w), min(h, w))
        return cls(E * I_z, E * I_y, G * J, rho * h * w, rho * (I_y + I_z))

    @classmethod
    def circle(
        cls,
        radius: float | str,
        *,
        young: float | str,
        density: float | str,
        poisson: float = POISSON,
    ) -> "Section":
        """A round bar of a `radius` (m): I = pi r^4 / 4, J = 2 I.

        `young` (Pa) and `density` (kg/m^3) are those of its material, and so is `poisson`.
        """
        r = positive(radius, "the radius of a section", "m")
        E, rho = positive(young, "Young's modulus", "Pa"), positive(density, "a density", "kg/m^3")
        I = math.pi * r**4 / 4.0
        G = E / (2.0 * (1.0 + poisson))
        return cls(E * I, E * I, 2.0 * G * I, rho * math.pi * r * r, 2.0 * rho * I)


def _torsion_constant(long: float, short: float) -> float:
    """J of a rectangle: a b^3 / 3 (1 - 192 b / (pi^5 a) sum tanh(n pi a / 2 b) / n^5), n odd."""
    terms = (math.tanh(n * math.pi * long / (2.0 * short)) / n**5 for n in range(1, 40, 2))
    rest = 192.0 * short / (math.pi**5 * long) * sum(terms)
    return long * short**3 / 3.0 * (1.0 - rest)
