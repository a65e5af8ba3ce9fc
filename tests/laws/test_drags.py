"""Whatever the gallery shows can be taken in the hand: loops stay closed, nothing gets farther."""

from typing import Any

import numpy as np
import pytest

import kempe
from kempe.compile.trace.part_names import points_by_name
from kempe.errors import MissingPart, ModelError
from kempe.gallery import MECHANISMS
from kempe.geometry import GROUND, Pose

# Rows in m and direction cosines; loops are closed to 1e-12 of a machine of a few metres, and
# redundant rows hold to 1e-9.
CLOSED = 1e-8
DRAGS = 6


def misfit(mechanism: kempe.Mechanism, poses: dict[str, Pose]) -> float:
    """The largest row of any joint's own formula."""
    X = {**poses, "ground": Pose.identity()}
    rows: list[Any] = []
    for joint in mechanism.model.joints:
        for constraint in joint.constraints:
            rows += constraint.phi(*(X[m.body] @ m.pose for m in joint.markers))
    return float(np.abs(rows).max(initial=0.0))


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_of_the_gallery_is_dragged_with_its_loops_closed(name, rng) -> None:
    mechanism = MECHANISMS[name]()
    if any(joint.velocity_units for joint in mechanism.model.joints):
        with pytest.raises(ModelError, match="has no positions to drag it to"):
            mechanism.drag()
        return
    if mechanism.layout.n_own:
        with pytest.raises(MissingPart, match="have parameters that this cannot find"):
            mechanism.drag()
        return
    drag = mechanism.drag()
    size = 2 if mechanism.model.plane else 3
    points = {n: m for n, m in points_by_name(mechanism.model).items() if m.body != GROUND}
    moved = 0.0
    for _ in range(DRAGS):
        point = list(points)[rng.integers(len(points))]
        X_WP = drag.poses[points[point].body] @ points[point].pose
        here = np.array(X_WP.position, dtype=float)[:size]
        target = here + mechanism.layout.size * rng.uniform(-0.2, 0.2, size)
        there = drag.to(point, [f"{c} m" for c in target])
        assert there.distance <= np.linalg.norm(target - here) + CLOSED
        assert misfit(mechanism, dict(there.poses)) < CLOSED
        assert there.outcome.name in ("Done", "LimitReached", "Bifurcation")
        moved = max(moved, float(np.linalg.norm(there.position - here)))
    assert moved > 1e-3 * mechanism.layout.size
