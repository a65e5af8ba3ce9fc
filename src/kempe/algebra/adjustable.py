"""Numbers that change while a program runs."""

from typing import final


@final
class Adjustable(float):
    """A number that stays an input of its program, also where it is 0, 1 or -1.

    Other numbers of a model fold into its formulas at these values, and a program made for a
    folded one serves no other value.
    """

    __slots__ = ()
