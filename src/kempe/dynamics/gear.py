"""Gear's backward differences, as a method of simulations."""

from dataclasses import dataclass
from typing import final

from kempe.algebra.native import core
from kempe.errors import BadNumber
from kempe.geometry.number import finite

HIGHEST = 6


@final
@dataclass(frozen=True, slots=True)
class Gear:
    """Backward differences with an extrapolating predictor and Newton's method as the corrector.

    Without `order` and `step` both vary with the error: `simulate(..., method="gear")`. With both,
    every step has that length (s) and that order, 1 to 6, and no error is estimated: the tolerance
    only says when Newton's method is done. The first steps, and those after an impact or where a
    law changes over, are made by a one-step method of order 5. Corrections are small enough below
    `newton_tolerance` of what a step may err by: the tolerance where its length is given, and else
    a tenth of it, for errors of all steps add up. A step that takes more than `newton_iterations`
    of them is made anew, shorter.

    Source: [Gear] and [GearGuptaLeimkuhler].

    Examples:
        >>> from kempe.dynamics import Gear
        >>> from kempe.gallery import double_pendulum
        >>> swing = double_pendulum().simulate(until=0.1, method=Gear())
        >>> swing.motion.recipe.method
        'gear'
    """

    order: int | None = None  # of every step
    step: float | None = None  # s, of every step
    most_order: int = 5  # where it varies
    newton_tolerance: float = 0.05
    newton_iterations: int = 10

    def __post_init__(self) -> None:
        if (self.order is None) is not (self.step is None):
            raise BadNumber("Gear: give both order and step, or neither, where both vary.")
        for word, order in (("order", self.order), ("most_order", self.most_order)):
            if order is not None and not 1 <= order <= HIGHEST:
                raise BadNumber(f"Gear: {word} must be 1 to {HIGHEST}, it is {order}.")
        if self.step is not None and not finite(self.step, "Gear: step") > 0.0:
            raise BadNumber(f"Gear: step must be longer than nothing, it is {self.step:g} s.")
        if not finite(self.newton_tolerance, "Gear: newton_tolerance") > 0.0:
            raise BadNumber(
                f"Gear: newton_tolerance must be positive, it is {self.newton_tolerance:g}."
            )
        if self.newton_iterations < 2:
            raise BadNumber(
                f"Gear: newton_iterations must be 2 or more, it is {self.newton_iterations}."
            )

    @property
    def settings(self) -> "core.GearSettings":
        """The settings as the core takes them."""
        return core.GearSettings(
            order=self.order or 0,
            step=float(self.step or 0.0),
            most_order=self.most_order,
            newton_tolerance=float(self.newton_tolerance),
            newton_iterations=self.newton_iterations,
        )
