"""The plan of a mechanism: one program for the whole step, or tiles of like elements."""

from kempe.compile.layout.layout import Layout
from kempe.errors import MissingPart

# Joints and drives up to which the whole step is one program; about 5,000 operations.
SMALL_PLAN = 60


def is_large(layout: Layout, plan: str = "auto") -> bool:
    """Whether the step is made of tiles; unknowns of elements themselves have no place in them."""
    if layout.n_own and plan == "large":
        raise MissingPart(
            "the large plan knows no points on curves: leave plan='auto', or use plan='small'."
        )
    many = len(layout.elements) > SMALL_PLAN and not layout.n_own
    return plan == "large" or (plan == "auto" and many)
