"""What is seen of a mechanism: its scene, and its positions as the scene's numbers."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import points_by_name
from kempe.draw import Scene
from kempe.geometry import GROUND
from kempe.geometry.rotations import product
from kempe.model import Model
from kempe.pictures.animation import points_of_interest, standing
from kempe.results.maps.component import quaternions

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
STANDS = {True: [0.0, 0.0, 0.0], False: [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]}  # by plane


@final
@dataclass(frozen=True, eq=False)
class Stage:
    """The scene of a mechanism, and how its coordinates become poses of that scene."""

    layout: Layout
    scene: Scene

    @classmethod
    def of(cls, trajectory: "Trajectory") -> "Stage":
        """The stage of a motion or of a single position."""
        trace = points_of_interest(trajectory) if len(trajectory) > 1 else ()
        return cls(trajectory.layout, standing(trajectory, trace))

    def poses(self, q: FloatArray) -> list[float]:
        """Places and turns of all bodies of the scene at q, one body after the other."""
        at, plane = self.layout.coordinates, self.layout.model.plane
        bodies = at.q_by_body(q[: self.layout.n_q])
        if not plane and not (self.scene.world == np.eye(3)).all():
            turn = quaternions(self.scene.world.T[None])[0]
            turned = product(turn, at.turns(q))
            bodies = np.hstack([at.places(q) @ self.scene.world.T, turned])
        numbers: list[float] = bodies.ravel().tolist()
        if self.scene.bodies and self.scene.bodies[-1].name == GROUND:
            numbers += STANDS[plane]
        return numbers

    def point(self, target: list[float]) -> list[float]:
        """A point of the scene in the mechanism's own world."""
        if self.layout.model.plane:
            return target[:2]
        whole = np.array([*target, 0.0][:3])
        found: list[float] = (self.scene.world.T @ whole).tolist()
        return found


def named_points(model: Model) -> list[dict[str, Any]]:
    """Every point that has a name, where it is on its body, and whether it can be dragged."""
    return [
        {
            "name": name,
            "body": marker.body,
            "at": [float(c) for c in marker.position],
            "is_draggable": marker.body != GROUND,
        }
        for name, marker in points_by_name(model).items()
    ]
