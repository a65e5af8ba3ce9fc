"""The plan of a mechanism: one program for the whole step, or tiles of like elements.

It is decided here for every analysis. Tiles are quicker to make, and to run where there are many;
how many that is depends on how much of a step is solved on the tape.
"""

from kempe.compile.layout.dynamic_layout import DynamicLayout
from kempe.compile.layout.layout import Layout
from kempe.errors import MissingPart

PLANS = ("auto", "small", "large")
# Joints, couplers and drives up to which a step of a sweep is one program; about 5,000 operations.
FEW_ELEMENTS = 60
# Rows up to which a step of a simulation is; with the masses a row has more operations.
FEW_ROWS = 64


def is_large(layout: Layout, plan: str = "auto") -> bool:
    """Whether the steps of a sweep are made of tiles.

    Unknowns of elements themselves have no place in tiles.
    """
    _refuse_unknown(plan)
    if layout.n_own and plan == "large":
        raise MissingPart(
            "the large plan knows no points on curves: leave plan='auto', or use plan='small'."
        )
    many = len(layout.elements) > FEW_ELEMENTS and not layout.n_own
    return plan == "large" or (plan == "auto" and many)


def is_dynamics_large(layout: DynamicLayout, rows: int, plan: str = "auto") -> bool:
    """Whether the steps of a simulation with so many rows are made of tiles.

    Tiles need the mass and the inertia of every body.
    """
    _refuse_unknown(plan)
    if plan == "large" and layout.massless:
        raise MissingPart(
            f"body {layout.massless[0]!r} has no mass, or no inertia about some axis, and the"
            " plan 'large' needs both of every body. Leave the plan to 'auto', or take 'small'."
        )
    return plan == "large" or (plan == "auto" and rows > FEW_ROWS and not layout.massless)


def _refuse_unknown(plan: str) -> None:
    if plan not in PLANS:
        raise MissingPart(f"there is no plan {plan!r}: use one of {', '.join(PLANS)}.")
