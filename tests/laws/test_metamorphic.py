"""The same mechanism told otherwise moves the same, and asks the same of its joints.

A scene is moved rigidly, written in another order, mirrored, enlarged: positions, velocities,
accelerations and reactions go along, to 1e-9 of their size. Redundant joints are among the cases,
and their reactions go along as well: the choice among many is made by lengths, not by axes.
"""

import dataclasses
import typing
from dataclasses import dataclass, replace

import numpy as np
import pytest

import kempe
from kempe.drives import Drive, Formula
from kempe.geometry import GROUND, Inertia, Marker, Pose, Rotation, Vector
from kempe.measures import Coordinate, Displacement, Distance, Gauge, Turn
from kempe.model import Model
from kempe.units import Metres

ALIKE = 1e-9  # of the largest number of its kind
STEPS = 24
PLANAR = (
    "four_bar",
    "slider_crank",
    "jansen",
    "quick_return",
    "peaucellier_lipkin",
    "toggle_press",
)
SPATIAL = ("rssr", "bennett", "sarrus", "spatial_slider_crank", "cardan", "stewart")
FLAT_IN_SPACE = "four_bar in space"
CASES = (*PLANAR, *SPATIAL, FLAT_IN_SPACE)


@dataclass(frozen=True)
class Change:
    """What is done to a scene: lengths grow by `scale`, and points go to `matrix` p + `shift`.

    A matrix that mirrors, mirrors the bodies too, each in its own axes, and is diagonal. Markers
    keep their x and z axes then and turn y round: joints and their sides go by those two.
    """

    matrix: np.ndarray
    shift: np.ndarray
    scale: float = 1.0

    @property
    def mirror(self) -> np.ndarray:
        """What is done to a body in its own axes."""
        return self.matrix if np.linalg.det(self.matrix) < 0 else np.eye(3)

    @property
    def frame(self) -> np.ndarray:
        """What is done to a marker in its own axes."""
        return np.diag((1.0, -1.0 if np.linalg.det(self.matrix) < 0 else 1.0, 1.0))

    def marker(self, marker: Marker) -> Marker:
        own = self.matrix if marker.body == GROUND else self.mirror
        shift = self.shift if marker.body == GROUND else np.zeros(3)
        place = own @ np.array(marker.position) * self.scale + shift
        turned = self._turned(own, marker.rotation, self.frame)
        return Marker(marker.body, tuple(place.tolist()), turned)

    def _turned(self, own: np.ndarray, R: Rotation, frame: np.ndarray) -> Rotation:
        turned = own @ R.matrix() @ frame
        if R.angle is not None and turned[2, 2] > 1.0 - 1e-12:  # still of the plane
            return Rotation.planar(float(np.arctan2(turned[1, 0], turned[0, 0])))
        return Rotation.from_matrix(turned)

    def pose(self, X: Pose) -> Pose:
        place = self.matrix @ np.array([*X.position]) * self.scale + self.shift
        return Pose(Vector(*place.tolist()), self._turned(self.matrix, X.rotation, self.mirror))

    def inertia(self, inertia: Inertia) -> Inertia:
        M = self.mirror
        tensor = M @ inertia.tensor @ M * self.scale**2
        return Inertia(inertia.mass, M @ inertia.centre * self.scale, tensor)

    def sign(self, measure: object) -> float:
        """By which a measure changes in a mirror."""
        if isinstance(measure, Distance) or np.linalg.det(self.matrix) > 0:
            return 1.0
        assert isinstance(measure, (Turn, Displacement, Coordinate)), measure
        along = float(np.diag(self.frame)["XYZ".index(measure.axis.name)])
        return -along if isinstance(measure, Turn) else along

    def factor(self, gauge: Gauge) -> float:
        """By which a reading changes."""
        return self.sign(gauge.measure) * (self.scale if gauge.unit == "m" else 1.0)

    def part(self, part: typing.Any) -> typing.Any:
        """A joint or a gauge with its markers moved and its lengths grown."""
        hints = typing.get_type_hints(type(part), include_extras=True)
        news: dict[str, typing.Any] = {}
        for field in dataclasses.fields(part):
            value = getattr(part, field.name)
            if isinstance(value, Marker):
                news[field.name] = self.marker(value)
            elif isinstance(value, float) and hints[field.name] in (Metres, Metres | None):
                news[field.name] = value * self.scale
        return replace(part, **news)

    def drive(self, drive: Drive) -> Drive:
        k, law = self.factor(drive.gauge), drive.law
        return Drive(self.part(drive.gauge), Formula(lambda t: k * law.value(t)))

    def model(self, model: Model) -> Model:
        bodies = [
            replace(
                body,
                guess=body.guess and self.pose(body.guess),
                inertia=body.inertia and self.inertia(body.inertia),
                points={
                    name: self.marker(Marker("a body", point)).position
                    for name, point in body.points.items()
                },
            )
            for body in model.moving
        ]
        return replace(
            model,
            bodies=tuple(bodies),
            joints=tuple(map(self.part, model.joints)),
            drives=tuple(map(self.drive, model.drives)),
            gravity=tuple((self.matrix @ np.array(model.gravity) * self.scale).tolist()),
        )


def heavy(name: str) -> Model:
    """A mechanism of the gallery with masses, under gravity, every body put where it starts."""
    space = name == FLAT_IN_SPACE
    mechanism = kempe.gallery.four_bar(plane=False) if space else getattr(kempe.gallery, name)()
    model, poses = mechanism.model, mechanism.drag().poses
    bodies = [
        replace(body, guess=poses[body.name], inertia=lump(k, model.plane))
        for k, body in enumerate(model.moving)
    ]
    gravity = (1.1, -9.81, 0.0) if model.plane else (1.1, -9.81, 0.7)
    return replace(model, bodies=tuple(bodies), gravity=gravity)


def lump(k: int, plane: bool) -> Inertia:
    """Nothing about it is symmetric, except in the plane what must be."""
    off = 0.0 if plane else 0.01
    centre = (0.1 + 0.02 * k, 0.05, 0.0 if plane else -0.03)
    tensor = [[0.2, off, -off], [off, 0.3, 2 * off], [-off, 2 * off, 0.25 + 0.01 * k]]
    return Inertia(1.3 + 0.2 * k, np.array(centre), np.array(tensor))


def swept(model: Model) -> kempe.Trajectory:
    motion = kempe.Mechanism(model).kinematics(until=0.6, steps=STEPS, executor="vm")
    assert motion.outcome.is_done, motion.outcome
    return motion


def widened(values: np.ndarray) -> np.ndarray:
    """(n, 3), whether in the plane or in space; a planar torque is about z."""
    wide = np.zeros((len(values), 3))
    size = values.shape[1]
    wide[:, 2 if size == 1 else slice(0, size)] = values[:, 0] if size == 1 else values
    return wide


def assert_goes_along(before: kempe.Trajectory, after: kempe.Trajectory, change: Change) -> None:
    model, M, s = before.layout.model, change.matrix, change.scale
    axial = M * np.linalg.det(M)
    points = [body.name for body in model.moving]
    points += [f"{body.name}.{point}" for body in model.moving for point in body.points]
    kinds: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for name in points:
        for order in ("position", "velocity", "acceleration"):
            told = widened(getattr(before[name], order)) @ M.T * s
            told = told + change.shift if order == "position" else told
            kinds.setdefault(order, []).append((told, widened(getattr(after[name], order))))
    for joint in model.joints:
        for word, matrix, power in (("force", M, 1), ("torque", axial, 2)):
            told = widened(before[f"{joint.name}.{word}"].values) @ matrix.T * s**power
            kinds.setdefault(word, []).append((told, widened(after[f"{joint.name}.{word}"].values)))
    for drive in model.drives:
        name = drive.gauge.name
        told = before[f"{name}.power"].values * s**2
        kinds.setdefault("power", []).append((told, after[f"{name}.power"].values))
        k = change.sign(drive.gauge.measure) * s ** (1 if drive.gauge.unit == "m" else 2)
        told = before[f"{name}.effort"].values * k
        kinds.setdefault(f"effort, {drive.gauge.unit}", []).append(
            (told, after[f"{name}.effort"].values)
        )
    sizes = {kind: max(np.abs(told).max() for told, _ in pairs) for kind, pairs in kinds.items()}
    sizes["torque"] = max(sizes["torque"], sizes["force"] * s * before.layout.size)
    for kind, pairs in kinds.items():
        size = sizes[kind]
        worst = max(np.abs(told - found).max() for told, found in pairs)
        assert worst <= ALIKE * size, f"{kind}: off by {worst:.3g} of {size:.3g}"


@pytest.fixture(scope="module")
def original():
    kept: dict[str, tuple[Model, kempe.Trajectory]] = {}

    def of(name: str) -> tuple[Model, kempe.Trajectory]:
        if name not in kept:
            model = heavy(name)
            kept[name] = model, swept(model)
        return kept[name]

    return of


def planar_turn(angle: float) -> np.ndarray:
    return np.array(Rotation.planar(angle).matrix())


@pytest.mark.parametrize("name", CASES)
def test_a_scene_that_is_moved_moves_along(original, name: str) -> None:
    model, before = original(name)
    if model.plane:
        change = Change(planar_turn(0.8), np.array([3.0, -2.0, 0.0]))
    else:
        turn = Rotation.about((1.0, 2.0, -0.5), 1.1).matrix()
        change = Change(np.array(turn), np.array([3.0, -2.0, 1.5]))
    assert_goes_along(before, swept(change.model(model)), change)


@pytest.mark.parametrize("name", CASES)
def test_a_scene_that_is_mirrored_moves_as_in_a_mirror(original, name: str) -> None:
    model, before = original(name)
    sides = (-1.0, 1.0, 1.0) if model.plane else (1.0, 1.0, -1.0)
    change = Change(np.diag(sides), np.zeros(3))
    assert_goes_along(before, swept(change.model(model)), change)


@pytest.mark.parametrize("name", CASES)
def test_a_scene_that_is_enlarged_moves_alike(original, name: str) -> None:
    model, before = original(name)
    change = Change(np.eye(3), np.zeros(3), scale=1000.0)
    assert_goes_along(before, swept(change.model(model)), change)


@pytest.mark.parametrize("name", CASES)
def test_the_order_of_bodies_and_joints_does_not_matter(original, name: str) -> None:
    model, before = original(name)
    shuffle = np.random.default_rng(1876)
    told = replace(
        model,
        bodies=tuple(model.bodies[k] for k in shuffle.permutation(len(model.bodies))),
        joints=tuple(model.joints[k] for k in shuffle.permutation(len(model.joints))),
        drives=tuple(model.drives[::-1]),
    )
    assert_goes_along(before, swept(told), Change(np.eye(3), np.zeros(3)))


@pytest.mark.parametrize("units", ["mm", "cm", "inch", "km"])
def test_the_units_a_mechanism_is_told_in_do_not_matter(units: str) -> None:
    k = kempe.units.factor("m", units)
    lengths = {"crank": 1.0, "coupler": 3.5, "rocker": 3.0, "ground": 4.0}
    told = {name: length * k for name, length in lengths.items()}
    plain = kempe.gallery.four_bar(**lengths).kinematics(until=1.0, steps=STEPS)
    other = kempe.gallery.four_bar(**told, units=units).kinematics(until=1.0, steps=STEPS)
    for name in ("coupler.P", "rocker.end"):
        for order in ("position", "velocity", "acceleration"):
            one, two = (getattr(motion[name], order) for motion in (plain, other))
            np.testing.assert_allclose(two, one, atol=ALIKE * np.abs(one).max())
