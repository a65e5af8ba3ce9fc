"""Linear systems of mechanisms, small enough for dense arithmetic to check them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Sparse:
    """A square matrix by its entries; `unit` marks those that are +-1 in every position."""

    size: int
    rows: Ints
    cols: Ints
    values: Floats
    unit: NDArray[np.uint8]

    @property
    def dense(self) -> Floats:
        matrix = np.zeros((self.size, self.size))
        np.add.at(matrix, (self.rows, self.cols), self.values)
        return matrix


def sparse_of(matrix: Floats) -> Sparse:
    """The entries of a dense matrix that are not zero."""
    rows, cols = np.nonzero(matrix)
    values = matrix[rows, cols]
    unit = (np.abs(values) == 1.0).astype(np.uint8)
    return Sparse(len(matrix), rows.astype(np.int32), cols.astype(np.int32), values, unit)


def random_matrix(size: int, seed: int, entries_per_row: float = 3.0) -> Sparse:
    """A sparse matrix of full rank: a few normal numbers per row and a scattered diagonal."""
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(size, size)) * (rng.random((size, size)) < entries_per_row / size)
    diagonal = rng.uniform(1.0, 2.0, size) * rng.choice([-1.0, 1.0], size)
    matrix[np.arange(size), rng.permutation(size)] += diagonal
    return sparse_of(matrix)


def four_bars(count: int, angle: float, wobble: float = 0.0, seed: int = 0) -> Sparse:
    """Jacobian of `count` parallelograms in a row: count + 1 rods at `angle`, count couplers.

    Coordinates x, y, theta of 2 count + 1 bodies; two rows per hinge and one for the drive of the
    first rod. At angle 0 all bars lie on one line and the matrix is singular. `wobble` tilts every
    bar by a random angle of that size, so that no two entries are alike.
    """
    rng = np.random.default_rng(seed)
    theta = np.concatenate([np.full(count + 1, angle), np.zeros(count)])
    theta = theta + wobble * rng.uniform(-1.0, 1.0, len(theta))
    entries: list[tuple[int, int, float, int]] = []

    def point(row: int, body: int, along: float, sign: float) -> None:
        dx, dy = -np.sin(theta[body]) * along, np.cos(theta[body]) * along
        entries.append((row, 3 * body, sign, 1))
        entries.append((row, 3 * body + 2, sign * dx, 0))
        entries.append((row + 1, 3 * body + 1, sign, 1))
        entries.append((row + 1, 3 * body + 2, sign * dy, 0))

    row = 0
    for rod in range(count + 1):
        point(row, rod, -0.5, 1.0)
        row += 2
    for k in range(count):
        for rod, end in ((k, -0.5), (k + 1, 0.5)):
            point(row, rod, 0.5, 1.0)
            point(row, count + 1 + k, end, -1.0)
            row += 2
    entries.append((row, 2, 1.0, 1))
    rows, cols, values, unit = zip(*entries, strict=True)
    return Sparse(
        row + 1,
        np.array(rows, np.int32),
        np.array(cols, np.int32),
        np.array(values),
        np.array(unit, np.uint8),
    )


@dataclass(frozen=True)
class Saddle:
    """Bodies with mass blocks, and joints as lists of (body, block of J)."""

    masses: list[Floats]
    joints: list[list[tuple[int, Floats]]]

    @property
    def layout(self) -> tuple[Ints, Ints, Ints, Ints]:
        starts = np.cumsum([0, *(len(j) for j in self.joints)])
        return (
            np.array([len(m) for m in self.masses], np.int32),
            np.array([self._rows(j) for j in self.joints], np.int32),
            starts.astype(np.int32),
            np.array([b for j in self.joints for b, _ in j], np.int32),
        )

    @property
    def mass_blocks(self) -> Floats:
        return np.concatenate([m.ravel() for m in self.masses])

    @property
    def jacobian_blocks(self) -> Floats:
        return np.concatenate([block.ravel() for j in self.joints for _, block in j])

    @property
    def M(self) -> Floats:
        first = np.cumsum([0, *(len(m) for m in self.masses)])
        matrix = np.zeros((first[-1], first[-1]))
        for k, mass in enumerate(self.masses):
            matrix[first[k] : first[k + 1], first[k] : first[k + 1]] = mass
        return matrix

    @property
    def J(self) -> Floats:
        first = np.cumsum([0, *(len(m) for m in self.masses)])
        row = np.cumsum([0, *(self._rows(j) for j in self.joints)])
        matrix = np.zeros((row[-1], first[-1]))
        for k, joint in enumerate(self.joints):
            for body, block in joint:
                matrix[row[k] : row[k + 1], first[body] : first[body + 1]] = block
        return matrix

    @staticmethod
    def _rows(joint: Sequence[tuple[int, Floats]]) -> int:
        return len(joint[0][1])

    def solution(self, f: Floats, g: Floats) -> tuple[Floats, Floats]:
        """Accelerations and joint forces J^T lam, which are unique even where lam is not."""
        M, J = self.M, self.J
        n = len(M)
        saddle = np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]])
        a = np.linalg.lstsq(saddle, np.concatenate([f, g]), rcond=1e-12)[0][:n]
        return a, f - M @ a


def skew(p: Floats) -> Floats:
    return np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])


def spatial_mass(rng: np.random.Generator) -> Floats:
    """Mass at the centre, and an inertia whose principal axes are not the body's."""
    root = rng.normal(size=(3, 3))
    mass = np.zeros((6, 6))
    mass[:3, :3] = rng.uniform(0.5, 2.0) * np.eye(3)
    mass[3:, 3:] = root @ root.T + 0.1 * np.eye(3)
    return mass


def spherical_chain(count: int, seed: int) -> Saddle:
    """Bodies in space, each hung on the one before by a spherical joint, the first on ground."""
    rng = np.random.default_rng(seed)
    masses = [spatial_mass(rng) for _ in range(count)]
    joints: list[list[tuple[int, Floats]]] = []
    for k in range(count):
        near = np.hstack([np.eye(3), -skew(rng.uniform(-1, 1, 3))])
        far = np.hstack([-np.eye(3), skew(rng.uniform(-1, 1, 3))])
        joints.append([(k, near)] if k == 0 else [(k - 1, far), (k, near)])
    return Saddle(masses, joints)


def planar_chain(count: int, seed: int) -> Saddle:
    """Bodies in the plane, hinged one to the next, the first to ground."""
    rng = np.random.default_rng(seed)
    masses = [np.diag(rng.uniform(0.1, 2.0, 3)) for _ in range(count)]
    joints: list[list[tuple[int, Floats]]] = []
    for k in range(count):
        near = np.array([[1.0, 0.0, rng.uniform(-1, 1)], [0.0, 1.0, rng.uniform(-1, 1)]])
        far = -np.array([[1.0, 0.0, rng.uniform(-1, 1)], [0.0, 1.0, rng.uniform(-1, 1)]])
        joints.append([(k, near)] if k == 0 else [(k - 1, far), (k, near)])
    return Saddle(masses, joints)


def hinged_parallelogram(angle: float, tilt: float = 0.0) -> Saddle:
    """Three bars and ground in space, four hinges about z: 20 rows, of which 3 say nothing new.

    Velocities (v of the centre, w), both in world axes. `tilt` turns the axis of the last hinge.
    """
    rng = np.random.default_rng(7)
    along = np.array([np.cos(angle), np.sin(angle), 0.0])
    across = np.array([1.0, 0.0, 0.0])
    centres = [0.5 * along, along + 0.5 * across, across + 0.5 * along]
    points = [np.zeros(3), along, along + across, across]
    pairs = [(None, 0), (0, 1), (1, 2), (2, None)]
    joints = []
    for k, (point, pair) in enumerate(zip(points, pairs, strict=True)):
        turn = tilt if k == 3 else 0.0
        square = np.array([[1.0, 0.0, 0.0], [0.0, np.cos(turn), np.sin(turn)]])
        joint = []
        for body, sign in zip(pair, (-1.0, 1.0), strict=True):
            if body is not None:
                block = np.zeros((5, 6))
                block[:3, :3] = np.eye(3)
                block[:3, 3:] = -skew(point - centres[body])
                block[3:, 3:] = square
                joint.append((body, sign * block))
        joints.append(joint)
    return Saddle([spatial_mass(rng) for _ in range(3)], joints)


@pytest.fixture(name="sparse_of")
def _sparse_of() -> Callable[[Floats], Sparse]:
    return sparse_of


@pytest.fixture(name="random_matrix")
def _random_matrix() -> Callable[..., Sparse]:
    return random_matrix


@pytest.fixture(name="four_bars")
def _four_bars() -> Callable[..., Sparse]:
    return four_bars


@pytest.fixture(name="spherical_chain")
def _spherical_chain() -> Callable[[int, int], Saddle]:
    return spherical_chain


@pytest.fixture(name="planar_chain")
def _planar_chain() -> Callable[[int, int], Saddle]:
    return planar_chain


@pytest.fixture(name="hinged_parallelogram")
def _hinged_parallelogram() -> Callable[..., Saddle]:
    return hinged_parallelogram


@pytest.fixture(name="saddle")
def _saddle() -> type[Saddle]:
    return Saddle
