"""What locked parts prevent."""

from dataclasses import replace

import numpy as np

from kempe.equations import Equations
from kempe.errors import AssemblyError
from kempe.kinematics.check.misfit import failing_loop, not_assembled
from kempe.kinematics.closing.closing import Closing, close
from kempe.units import factor


def not_with_locks(
    equations: Equations,
    best: Closing,
    locked: tuple[str, ...],
    *,
    is_impossible: bool = False,
) -> AssemblyError:
    """Why a mechanism does not close with these parts held where they are.

    `is_impossible` says it is proved that it does not close with nothing held either.
    """
    loose = close(equations, best.q, best.t)
    if not loose.is_closed:
        loose = replace(loose, starts=best.starts)
        return not_assembled(equations, loose, is_impossible=is_impossible)
    phi, _, _ = equations.evaluate(best.q, best.t, best.turns)
    weighted = np.abs(phi) * equations.row_weights
    worst = int(np.argmax(weighted))
    row = equations.program.shape.rows[worst]
    joint = equations.layout.elements[row.element].name
    loop = failing_loop(equations, weighted, joint)
    where = repr(equations.layout.model.name) if loop is None else f"the loop {loop}"
    names = ", ".join(repr(name) for name in locked)
    unit, scale = row.unit, 1.0
    if unit == "m":
        unit, scale = (
            equations.layout.model.length_unit,
            factor("m", equations.layout.model.length_unit),
        )
    return AssemblyError(
        f"with {names} locked, {where} does not close: the best fit leaves {joint!r} open by"
        f" {abs(phi[worst]) * scale:.6g} {'rad' if unit == '1' else unit}. It closes with nothing"
        f" locked: unlock {'it' if len(locked) == 1 else 'one of them'}, or put"
        f" {'it' if len(locked) == 1 else 'them'} elsewhere with `near`.",
        joint=joint,
        misfit=float(abs(phi[worst])),
        residual=best.residual,
        locked=locked,
        loop=() if loop is None else loop.bodies,
    )
