"""A component of a motion map as a trajectory: to plot, to animate, to trace points."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import BadNumber
from kempe.front.trajectory import Trajectory
from kempe.outcome import DONE
from kempe.results import Motion
from kempe.results.maps.component import Component

FloatArray = NDArray[np.float64]


def follow(layout: Layout, component: Component, step: float) -> Trajectory:
    """Samples of a component over its length; a loop comes back to where it began.

    Velocities are those of unit speed along the curve, by differences of neighbouring samples.
    """
    if component.readings.bodies != tuple(b.name for b in layout.model.moving):
        raise BadNumber(
            f"this component is of another mechanism than {layout.model.name!r}: its bodies are"
            f" {', '.join(component.readings.bodies)}."
        )
    samples = component.sample(step)
    t, q = samples.length, samples.q
    if component.closed:
        q = np.vstack([q, _home(layout, q)])
        t = np.append(t, component.length)
    v = np.gradient(q, t, axis=0, edge_order=1) if len(t) > 1 else np.zeros_like(q)
    a = np.gradient(v, t, axis=0, edge_order=1) if len(t) > 1 else np.zeros_like(q)
    return Trajectory(layout, Motion(t, np.ascontiguousarray(q), v, a, DONE))


def _home(layout: Layout, q: FloatArray) -> FloatArray:
    """The first position again, its angles counted on from the last."""
    angles = layout.coordinates.angles
    home: FloatArray = q[0].copy()
    home[angles] += 2.0 * np.pi * np.round((q[-1, angles] - home[angles]) / (2.0 * np.pi))
    return home
