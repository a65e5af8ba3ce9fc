"""Numbers that change while a program runs."""

from typing import final


@final
class Adjustable(float):
    """A number that stays an input of its program, also where it is 0.

    Any other number of a model folds into its formulas where it is 0, and a program made for that
    serves no other value.
    """

    __slots__ = ()
