"""Mass properties of a rigid body."""

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.geometry.number import finite, floats
from kempe.geometry.pose import Pose

# A tensor measured or typed in loses digits; a violation below this share of the largest
# principal moment is rounding, not a mistake.
TRIANGLE_TOLERANCE = 1e-9
SYMMETRIC = 1e-9  # of the largest entry, likewise


@final
@dataclass(frozen=True, slots=True, eq=False)
class Inertia:
    """Mass (kg), centre of mass (m) and inertia tensor about it (kg m^2), in the body's frame.

    For the plane a centre of two numbers and one number for the moment of inertia J about z are
    enough: the tensor is then that of a thin plate, diag(J / 2, J / 2, J). Text carries a unit:
    "80 g", "15 mm", "20 kg mm^2".

    Example:
        >>> import kempe
        >>> kempe.Inertia("80 g", ("15 mm", 0), "6 kg mm^2").tensor.diagonal().tolist()
        [3e-06, 3e-06, 6e-06]
    """

    mass: float
    centre: NDArray[np.float64]  # (3,)
    tensor: NDArray[np.float64]  # (3, 3)

    def __post_init__(self) -> None:
        centre = _numbers(self.centre, "m", "a centre of mass")
        tensor = _numbers(self.tensor, "kg*m^2", "an inertia tensor")
        if centre.shape == (2,):
            centre = np.append(centre, 0.0)
        if tensor.shape == () and np.isfinite(tensor):
            tensor = np.diag([0.5, 0.5, 1.0]) * float(tensor)
        elif tensor.shape == ():
            tensor = np.full((3, 3), float(tensor))  # and is refused below
        given: Any = self.mass
        given = given.item() if isinstance(given, np.generic) else given
        mass = finite(given, "a mass (kg)", "kg")
        if mass < 0.0:
            raise BadNumber(f"a mass is zero or more, not negative: this one is {mass:g} kg.")
        if centre.shape != (3,) or tensor.shape != (3, 3):
            raise BadNumber(
                "a centre of mass has 3 numbers (2 in the plane) and an inertia tensor 3 x 3 (1 in"
                f" the plane), these have {centre.shape} and {tensor.shape}."
            )
        if not (np.isfinite(centre).all() and np.isfinite(tensor).all()):
            raise BadNumber("a centre of mass or an inertia tensor has a value that is not finite.")
        if np.abs(tensor - tensor.T).max() > SYMMETRIC * np.abs(tensor).max():
            raise BadNumber("an inertia tensor must be symmetric: make I_ij = I_ji.")
        tensor = 0.5 * tensor + 0.5 * tensor.T
        a, b, c = np.linalg.eigvalsh(tensor)
        if a < -TRIANGLE_TOLERANCE * c or a + b < c * (1 - TRIANGLE_TOLERANCE):
            raise BadNumber(
                f"no body has the principal moments {a:g}, {b:g}, {c:g} kg m^2: the two smaller"
                " must add up to the largest or more. Check units and signs of the products.",
                moments=(float(a), float(b), float(c)),
            )
        object.__setattr__(self, "mass", mass)
        object.__setattr__(self, "centre", centre)
        object.__setattr__(self, "tensor", tensor)

    def about_origin(self) -> NDArray[np.float64]:
        """Tensor about the frame's origin: I + m (|c|^2 1 - c c^T) (Huygens-Steiner)."""
        c = self.centre
        return self.tensor + self.mass * (float(c @ c) * np.eye(3) - np.outer(c, c))

    def seen_from(self, X_AB: Pose) -> "Inertia":
        """Mass properties that were given in frame B, in frame A: R I R^T about R c + r."""
        m = X_AB.matrix()
        R, r = m[:3, :3], m[:3, 3]
        tensor = R @ self.tensor @ R.T
        return Inertia(self.mass, R @ self.centre + r, 0.5 * (tensor + tensor.T))

    def __add__(self, other: "Inertia") -> "Inertia":
        """Both bodies as one, given in the same frame."""
        mass = self.mass + other.mass
        if mass == 0.0:
            return Inertia(0.0, np.zeros(3), self.tensor + other.tensor)
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        tensor = -mass * (float(centre @ centre) * np.eye(3) - np.outer(centre, centre))
        tensor = tensor + self.about_origin() + other.about_origin()
        return Inertia(mass, centre, 0.5 * (tensor + tensor.T))


def _numbers(given: Any, unit: str, what: str) -> NDArray[np.float64]:
    """Numbers in SI, or texts with a unit, as an array of the same shape."""
    if isinstance(given, str):
        return np.array(finite(given, what, unit))
    if isinstance(given, list | tuple):
        rows = [_numbers(one, unit, what) for one in given]
        if len({row.shape for row in rows}) > 1:
            raise BadNumber(f"{what} must be numbers in rows of one length, not {given!r}.")
        return np.array(rows)
    return np.array(floats(given, what))
