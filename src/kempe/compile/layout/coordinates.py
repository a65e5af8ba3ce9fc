"""Where the numbers of every body lie in q and in v: body after body, own unknowns last."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.charts import AbstractChart

Places = NDArray[np.intp]
Bodies = Sequence[int] | NDArray[np.integer[Any]]


@final
@dataclass(frozen=True)
class Coordinates:
    """The places of bodies of one chart in coordinates q and velocities v.

    Slices and places index the last axis: of one sample, q[c.q_of(k)], or of many, q[:, c.q_of(k)].
    Displacements, loads and weights are ordered as v is. Bodies are numbered from 0.
    """

    chart: AbstractChart
    n_bodies: int

    @property
    def n_each(self) -> int:
        """How many velocities one body has: the size of its block of M and of J."""
        return self.chart.n_v

    @cached_property
    def bodies_q(self) -> slice:
        """The coordinates of all bodies."""
        return slice(0, self.n_bodies * self.chart.n_q)

    @cached_property
    def bodies_v(self) -> slice:
        """The velocities of all bodies."""
        return slice(0, self.n_bodies * self.chart.n_v)

    @cached_property
    def own_q(self) -> slice:
        """The own unknowns of elements among the coordinates."""
        return slice(self.bodies_q.stop, None)

    @cached_property
    def own_v(self) -> slice:
        """The rates of the own unknowns of elements among the velocities."""
        return slice(self.bodies_v.stop, None)

    def q_of(self, body: int) -> slice:
        """The coordinates of a body."""
        return slice(body * self.chart.n_q, (body + 1) * self.chart.n_q)

    def v_of(self, body: int) -> slice:
        """The velocities of a body."""
        return slice(body * self.chart.n_v, (body + 1) * self.chart.n_v)

    def place_of(self, body: int) -> slice:
        """Those coordinates of a body that are lengths: where its origin is."""
        return slice(body * self.chart.n_q, body * self.chart.n_q + self.chart.n_linear)

    def turn_of(self, body: int) -> slice:
        """Those coordinates of a body that say how it is turned: its angle, or a quaternion."""
        return slice(body * self.chart.n_q + self.chart.n_linear, (body + 1) * self.chart.n_q)

    def way_of(self, body: int) -> slice:
        """Those velocities of a body that are linear."""
        return slice(body * self.chart.n_v, body * self.chart.n_v + self.chart.n_linear)

    def spin_of(self, body: int) -> slice:
        """Those velocities of a body that are angular."""
        return slice(body * self.chart.n_v + self.chart.n_linear, (body + 1) * self.chart.n_v)

    @cached_property
    def angles(self) -> slice:
        """The angles of all bodies of a plane in q, and their rates in v."""
        assert self.chart.is_flat
        return slice(self.chart.n_linear, self.bodies_q.stop, self.chart.n_q)

    def angle_of(self, body: int) -> int:
        """The angle of a body of a plane in q, and its rate in v."""
        return body * self.chart.n_q + self.chart.n_linear

    @cached_property
    def is_angular(self) -> NDArray[np.bool_]:
        """Which velocities of the bodies are angular, (n,)."""
        return np.tile(np.array(self.chart.angular, dtype=bool), self.n_bodies)

    @cached_property
    def is_turn(self) -> NDArray[np.bool_]:
        """Which coordinates of the bodies say how they are turned, (n,)."""
        return np.tile(np.arange(self.chart.n_q) >= self.chart.n_linear, self.n_bodies)

    def q_by_body(self, q: Any) -> Any:
        """The coordinates of the bodies as a view, (..., bodies, n) of (..., n_q)."""
        return q[..., self.bodies_q].reshape(*q.shape[:-1], self.n_bodies, self.chart.n_q)

    def v_by_body(self, v: Any) -> Any:
        """The velocities of the bodies as a view, (..., bodies, n) of (..., n_v)."""
        return v[..., self.bodies_v].reshape(*v.shape[:-1], self.n_bodies, self.chart.n_v)

    def places(self, q: Any) -> Any:
        """Where the origins of the bodies are, (..., bodies, 2) in the plane, 3 in space."""
        return self.q_by_body(q)[..., : self.chart.n_linear]

    def turns(self, q: Any) -> Any:
        """How the bodies are turned, (..., bodies, 1) angles in the plane, 4 numbers in space."""
        return self.q_by_body(q)[..., self.chart.n_linear :]

    def all_q_of(self, bodies: Bodies) -> Places:
        """The places in q of the coordinates of these bodies, one body after the other."""
        return _all_of(bodies, self.chart.n_q)

    def all_v_of(self, bodies: Bodies) -> Places:
        """The places in v of the velocities of these bodies, one body after the other."""
        return _all_of(bodies, self.chart.n_v)

    def group_of_each(self, n_own: int) -> Places:
        """A number for every velocity: that of its body, and one more for every own unknown."""
        bodies = np.repeat(np.arange(self.n_bodies), self.chart.n_v)
        return np.concatenate([bodies, self.n_bodies + np.arange(n_own)])

    def body_of(self, columns: Any) -> tuple[Any, Any]:
        """The body that velocities belong to, and which of its velocities each is."""
        return columns // self.chart.n_v, columns % self.chart.n_v

    def column_of(self, body: Any, part: Any) -> Any:
        """The place in v of one of the velocities of a body; the inverse of `body_of`."""
        return body * self.chart.n_v + part

    def coordinate_of(self, body: Any, part: Any) -> Any:
        """The place in q of one of the coordinates of a body."""
        return body * self.chart.n_q + part


def _all_of(bodies: Bodies, size: int) -> Places:
    return np.add.outer(np.array(bodies, dtype=np.intp) * size, np.arange(size)).ravel()
