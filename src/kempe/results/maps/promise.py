"""What a list of motions or assemblies promises: four words that are never merged."""

from enum import StrEnum
from typing import final


@final
class Promise(StrEnum):
    """How sure a list of solutions is.

    - complete: for the system with these exact coefficients, every solution in the domain lies on
      one of the listed components; each is one connected, regular curve (or one point).
    - complete_except: the same outside the listed singular or unresolved places.
    - certified_partial: what is listed is certified; that nothing is missing is not.
    - numerical: not certified.
    """

    COMPLETE = "complete"
    COMPLETE_EXCEPT = "complete_except"
    CERTIFIED_PARTIAL = "certified_partial"
    NUMERICAL = "numerical"
