"""A mechanism at rest in its assembled position."""

import numpy as np

from kempe.compile.layout.layout import Layout
from kempe.equations import equations_of
from kempe.kinematics.check.assembly import assemble
from kempe.kinematics.closing.given_poses import moved_bodies
from kempe.outcome import DONE
from kempe.results import Motion


def still(layout: Layout, t: float = 0.0) -> Motion:
    """One sample: where everything is when put together at time t, velocities left at zero."""
    start = assemble(equations_of(layout), t)
    rest = np.zeros((1, layout.n_v))
    notes = moved_bodies(layout, start.q)
    return Motion(np.array([t]), start.q[None, :].copy(), rest, rest.copy(), DONE, notes=notes)
