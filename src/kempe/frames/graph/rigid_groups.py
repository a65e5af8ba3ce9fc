"""Rigid groups: frames that hang together by fixed poses, kept relative to one of them.

Every frame has an anchor, the highest ancestor that only fixed poses separate it from, and its pose
seen from there. A query inside a group is one product of two poses, however long the way. When a
pose changes, only what hangs below it is worked out again, all frames at once by doubling.
"""

from collections.abc import Iterable
from typing import final

import numpy as np
from numpy.typing import NDArray

from kempe.frames.states.arrays import FloatArray, turned

IntArray = NDArray[np.intp]
ROOT = -1


@final
class RigidGroups:
    """Parents, fixed poses and anchors of frames, by number."""

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.children: list[set[int]] = []
        self.is_rigid: list[bool] = []  # whether a fixed pose leads from the parent
        self._edge_p: FloatArray = np.zeros((16, 3))
        self._edge_R: FloatArray = np.zeros((16, 3, 3))
        self._p: FloatArray = np.zeros((16, 3))  # seen from the anchor
        self._R: FloatArray = np.zeros((16, 3, 3))
        self._anchor: IntArray = np.zeros(16, dtype=np.intp)
        self._stale: set[int] = set()

    def add(self) -> int:
        """A new frame without a parent; its number."""
        k = len(self.parent)
        if k == len(self._p):
            self._edge_p, self._edge_R = _doubled(self._edge_p), _doubled(self._edge_R)
            self._p, self._R = _doubled(self._p), _doubled(self._R)
            self._anchor = np.concatenate([self._anchor, self._anchor])
        self.parent.append(ROOT)
        self.children.append(set())
        self.is_rigid.append(False)
        self._stale.add(k)
        return k

    def hang(self, k: int, parent: int, pose: tuple[FloatArray, FloatArray] | None) -> None:
        """Hang a frame on a parent, by a fixed pose, or by a motion (None)."""
        if self.parent[k] != parent:
            if self.parent[k] != ROOT:
                self.children[self.parent[k]].discard(k)
            if parent != ROOT:
                self.children[parent].add(k)
            self.parent[k] = parent
        self.is_rigid[k] = pose is not None
        if pose is not None:
            self._edge_p[k], self._edge_R[k] = pose
        self._stale.add(k)

    def below(self, starts: Iterable[int]) -> list[int]:
        """The frames and everything that hangs on them, parents before children."""
        seen = dict.fromkeys(starts)
        stack = list(seen)
        while stack:
            for child in self.children[stack.pop()]:
                if child not in seen:
                    seen[child] = None
                    stack.append(child)
        return list(seen)

    def anchored(self, k: int) -> tuple[int, FloatArray, FloatArray]:
        """A frame's anchor, and its position and rotation seen from there."""
        if self._stale:
            self._refresh()
        return int(self._anchor[k]), self._p[k], self._R[k]

    def _refresh(self) -> None:
        """Work out anchors and poses below every frame that changed.

        In every round each pose is put behind that of the frame it points to, and then points to
        where that one pointed, so a chain of n takes log2 n rounds.

        Source: [HillisSteele], on pointers instead of an array.
        """
        stale = np.array(self.below(self._stale), dtype=np.intp)
        self._stale.clear()
        place = np.full(len(self.parent), -1, dtype=np.intp)
        place[stale] = np.arange(len(stale))
        parent = np.fromiter((self.parent[k] for k in stale.tolist()), np.intp, len(stale))
        is_rigid = np.fromiter((self.is_rigid[k] for k in stale.tolist()), bool, len(stale))
        p = np.where(is_rigid[:, None], self._edge_p[stale], 0.0)
        R = np.where(is_rigid[:, None, None], self._edge_R[stale], np.eye(3))
        anchor = stale.copy()
        ahead = np.where(is_rigid, place[np.maximum(parent, 0)], -1)  # -1: nothing more to put
        fresh = np.flatnonzero(is_rigid & (ahead < 0))  # their parents have not changed
        if len(fresh):
            up = parent[fresh]
            p[fresh] = self._p[up] + turned(self._R[up], p[fresh])
            R[fresh] = self._R[up] @ R[fresh]
            anchor[fresh] = self._anchor[up]
        while len(left := np.flatnonzero(ahead >= 0)):
            j = ahead[left]
            p[left] = p[j] + turned(R[j], p[left])
            R[left] = R[j] @ R[left]
            anchor[left] = anchor[j]
            ahead[left] = ahead[j]
        self._p[stale], self._R[stale], self._anchor[stale] = p, R, anchor


def _doubled(array: FloatArray) -> FloatArray:
    return np.concatenate([array, np.zeros_like(array)])
