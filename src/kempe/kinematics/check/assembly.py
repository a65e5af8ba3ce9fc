"""Putting a mechanism together: from a guess to a configuration that closes every loop."""

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.equations import Equations, equations_of
from kempe.errors import AssemblyError
from kempe.kinematics.check.misfit import not_assembled
from kempe.kinematics.closing.attempts import (
    fitting,
    found_by_complete_search,
    nearer_of_all,
    put_wrong,
    wrong_side,
)
from kempe.kinematics.closing.closing import (
    Closing,
    FloatArray,
)
from kempe.kinematics.closing.placement import Given, given_poses, moved_bodies
from kempe.kinematics.laws.drive_laws import refuse_undefined_start
from kempe.outcome import DONE
from kempe.results import Motion


def assemble(equations: Equations, t: float, given: Given | None = None) -> Closing:
    """The configuration nearest to what was given that closes every loop at time t.

    Given poses, the first guesses of the model if omitted, are kept as nearly as possible, and
    bodies without one go where these need them. An AssemblyError says what does not fit, by how
    much, and what would mend it; a DriveError, that a law has no value to start from.
    """
    refuse_undefined_start(equations.layout.model.drives, t)
    given = given_poses(equations.layout) if given is None else given
    if given is not None:
        check_given(equations, t, given)
    best, is_fit = fitting(equations, t, given)
    if is_fit:
        return best if given is None else nearer_of_all(equations, t, best, given)
    near, is_impossible = found_by_complete_search(equations, t, best, given)
    if near is not None:
        return near
    if not best.is_closed:
        raise not_assembled(equations, best, is_impossible=is_impossible)
    check_sides(equations.layout, best.q)
    return best


def check_given(equations: Equations, t: float, given: Given) -> None:
    """An AssemblyError where bodies were put together the wrong way round as they were given."""
    _refuse(put_wrong(equations, t, given))


def check_sides(layout: Layout, q: FloatArray) -> None:
    """An AssemblyError where a joint went together the wrong way round."""
    _refuse(wrong_side(layout, q))


def _refuse(wrong: tuple[str, str] | None) -> None:
    if wrong is not None:
        joint, said = wrong
        raise AssemblyError(
            f"joint {joint!r} went together the wrong way round: {said}. Turn one marker by 180"
            " degrees, give a better first guess, or say flip=True if that is on purpose.",
            joint=joint,
        )


def still(layout: Layout, t: float = 0.0) -> Motion:
    """One sample: where everything is when put together at time t, velocities left at zero."""
    start = assemble(equations_of(layout), t)
    rest = np.zeros((1, layout.n_v))
    notes = moved_bodies(layout, start.q)
    return Motion(np.array([t]), start.q[None, :].copy(), rest, rest.copy(), DONE, notes=notes)
