"""Scenes whose up is not z, turned so that they stand on the floor of the picture."""

from dataclasses import replace

import numpy as np

from kempe.draw.scene.coordinates import FloatArray, Vector
from kempe.draw.scene.motion import Motion
from kempe.draw.scene.parts import Body, Frame, Ground, JointSymbol, Load
from kempe.draw.scene.scene import Scene

STEEP = 0.95  # cosine: what points up less than this along an axis leaves z upright


def upright(scene: Scene, up: FloatArray) -> Scene:
    """The scene with the axis of the world that points along `up` drawn upright.

    The world's own axes keep their letters in the corner. In the plane, and where `up` lies between
    the axes, nothing changes.

    Own: a turn about a third axis by a quarter, or by half a turn where z points down.
    """
    length = float(np.linalg.norm(up))
    if scene.plane or not length > 0.0:
        return scene
    k = int(np.argmax(np.abs(up)))
    way = np.sign(up[k]) * np.eye(3)[k]
    if abs(up[k]) < STEEP * length or way[2] > 0.0:
        return scene
    # Half way between what is up and what shall be: w = 1 + way . z, (x, y, z) = way x z.
    turn = np.array([1.0 + way[2], *np.cross(way, [0.0, 0.0, 1.0])])
    if not turn.any():
        turn = np.array([0.0, 1.0, 0.0, 0.0])
    return _turned(scene, turn / np.linalg.norm(turn))


def _turned(scene: Scene, turn: FloatArray) -> Scene:
    P = Motion(np.zeros((1, 3)), turn[None]).matrix(0).round(12) + 0.0

    def point(p: Vector) -> tuple[float, ...]:
        return tuple((P @ np.array(p)).tolist())

    def frame(f: Frame) -> Frame:
        return f if f.body is not None else Frame(None, point(f.point), P @ f.axes)

    def body(b: Body) -> Body:
        placed = Motion(b.motion.position @ P.T, _product(turn, b.motion.quaternions))
        return replace(b, motion=placed)

    def joint(j: JointSymbol) -> JointSymbol:
        return replace(j, i=frame(j.i), j=frame(j.j))

    def load(one: Load) -> Load:
        return replace(one, at=one.at @ P.T, way=one.way @ P.T)

    pivots = [point(p) for p in scene.ground.pivots]
    lines = [[point(p) for p in line] for line in scene.ground.lines]
    return replace(
        scene,
        bodies=[body(b) for b in scene.bodies],
        joints=[joint(j) for j in scene.joints],
        ground=Ground(pivots, lines),
        loads=[load(one) for one in scene.loads],
        world=P @ scene.world,
    )


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Quaternion a (4,) times all of b (n, 4)."""
    scalar = a[0] * b[:, 0] - b[:, 1:] @ a[1:]
    vector = a[0] * b[:, 1:] + np.outer(b[:, 0], a[1:]) + np.cross(a[1:], b[:, 1:])
    return np.column_stack([scalar, vector])
