"""Promise: any position is a start, also one that has turned, and the run goes on from there.

A train of wheels, racks, screws, nuts, planets and arms in the plane or in space, each at its own
place and askew, driven on one of its measures by a ramp. It is run to t1, several turns on; the
position there (a sample, one read back from a file, one pickled, a solver's, an assembly of it)
starts the same mechanism with its law moved on by t1. Everything that is read and its rate are
compared, and drags that start there; the position is drawn.

Oracle: closed forms. Every angle and displacement of the train is linear in the driven turn; bodies
are placed by Rodrigues' formula.
"""

import math
import pickle
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import kempe as kp
from kempe.couplers import Belt, Combination, GearPair, RackAndPinion, ScrewCoupler
from kempe.joints import Cylindrical, Prismatic, Revolute, Screw
from tests.campaigns.starts import rotation

CASES = 4
REMEMBERED = (14, 15, 37)  # drags and assemblies that left the position they started from
ROUNDING = 1e-9  # of the largest angle or way: a position is closed to about 1e-12 of the size
RATES = 1e-7  # of the largest rate
DRAGGED = ("a sample", "a saved run", "an assembly")  # starts of a drag too
POINT = np.array([0.3, 0.1, 0.2])
TIPPED = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])  # z into the plane, exactly

Place = tuple[np.ndarray, np.ndarray]  # origin and axes


@dataclass(frozen=True)
class Axes:
    """Axes of a marker as NumPy and kempe write them; in the plane with the angle they turn by."""

    matrix: np.ndarray
    written: kp.Rotation
    angle: float = 0.0

    @classmethod
    def planar(cls, angle: float) -> "Axes":
        return cls(rotation((0, 0, 1), angle), kp.Rotation.planar(angle), angle)

    @classmethod
    def of(cls, matrix: np.ndarray) -> "Axes":
        return cls(matrix, kp.Rotation(*(kp.Vector(*matrix[:, k]) for k in range(3))))


class Turn(NamedTuple):
    """An angle of the train: zero + slope times the first wheel's turn."""

    gauge: Any
    zero: float | None  # not known: a body's own, wherever that begins
    slope: float


class Mount(NamedTuple):
    """A body of the train, and the axis it moves about and along."""

    name: str
    body: Any
    I: kp.Marker
    J: kp.Marker
    first: float  # rad, what a joint there reads at first
    ahead: float  # m
    place: Callable[[float, float], Place]  # after a turn and a way


class Train:
    """The parts of a train, and what each of its names must read, by the first wheel's turn."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng, self.plane = rng, bool(rng.integers(2))
        self.builder = kp.Builder("train", plane=self.plane)
        self.names: dict[str, tuple[float, float]] = {}  # value at first, slope
        self.poses: dict[str, Callable[[float], Place]] = {}
        self.turns: list[Turn] = []
        self.angles: dict[str, float] = {}  # first angles of bodies, in the plane
        self.hinged(self.mount("turn"), 1.0)
        kinds = [self.wheel, self.wheel, self.rack, self.arm]
        kinds += [] if self.plane else [self.screw, self.screw]
        for _ in range(rng.integers(1, 6)):
            kinds[rng.integers(len(kinds))]()

    def somewhere(self, reach: float) -> np.ndarray:
        """A place within reach of an origin, in the plane where that is all there is."""
        return self.rng.uniform(-reach, reach, 3) * (1, 1, not self.plane)

    def askew(self, *, tipped: bool) -> Axes:
        """Any axes, or any that a joint in the plane may have."""
        rng = self.rng
        if not self.plane:
            return Axes.of(rotation(rng.normal(size=3), rng.uniform(-3, 3)))
        flat = Axes.planar(float(rng.uniform(-3, 3)))
        return Axes.of(flat.matrix @ TIPPED) if tipped else flat

    def mount(self, kind: str, base: str = "ground") -> Mount:
        """A body on an axis of another that moves by no turn of its own; markers are askew."""
        rng, name = self.rng, f"b{len(self.poses) + 1}"
        I, J = (self.askew(tipped=kind == "slide") for _ in range(2))
        p, pJ = self.somewhere(1.0), self.somewhere(0.5)
        first = 0.0 if kind == "slide" else float(rng.uniform(-3, 3))
        ahead = 0.0 if kind == "turn" else float(rng.uniform(-0.5, 0.5))
        under = self.poses.get(base, lambda _: (np.zeros(3), np.eye(3)))(0.0)
        on, axes = under[0] + under[1] @ p, under[1] @ I.matrix

        def place(turn: float, way: float) -> Place:
            R = axes @ rotation((0, 0, 1), first + turn) @ J.matrix.T
            return on + (ahead + way) * axes[:, 2] - R @ pJ, R

        at, R = place(0.0, 0.0)
        if self.plane:
            # a hinge in the plane reads the difference of the angles, whole turns and all
            turned = self.angles.get(base, 0.0) + I.angle + first - J.angle
            angle = turned if kind == "turn" else math.atan2(R[1, 0], R[0, 0])
            self.angles[name] = angle
            points = {"P": tuple(POINT[:2])}
            body = self.builder.body(name, at=tuple(at[:2]), angle=angle, points=points)
        else:
            points = {"P": tuple(POINT)}
            turned_by = Axes.of(R).written
            body = self.builder.body(name, at=tuple(at), rotation=turned_by, points=points)
        markers = kp.Marker(base, tuple(p), I.written), kp.Marker(name, tuple(pJ), J.written)
        return Mount(name, body, *markers, first, ahead, place)

    def moves(self, on: Mount, turn: float, way: float, base: str = "ground") -> None:
        """A body turns and slides by so much for each turn of the first wheel."""
        if base == "ground":
            self.poses[on.name] = lambda a: on.place(turn * a, way * a)
            return
        under = self.poses[base]
        p0, R0 = under(0.0)

        def carried(a: float) -> Place:
            (pb, Rb), (p, R) = under(a), on.place(turn * a, way * a)
            return pb + Rb @ R0.T @ (p - p0), Rb @ R0.T @ R

        self.poses[on.name] = carried

    def hinged(self, on: Mount, slope: float, base: str = "ground") -> Any:
        """A hinge for a body that will turn so much."""
        hinge = self.builder.add(Revolute(on.I, on.J), f"h_{on.name}")
        self.names[f"h_{on.name}.angle"] = (on.first, slope)
        self.moves(on, slope, 0.0, base)
        self.turns.append(Turn(hinge.angle, on.first, slope))
        if self.plane and base == "ground":
            self.turns.append(Turn(on.body.angle, None, slope))
        return hinge

    def pick(self) -> Turn:
        """Any turn of the train, to tie another to."""
        return self.turns[self.rng.integers(len(self.turns))]

    def wheel(self) -> None:
        """A wheel that meshes, is belted or tied to any turn."""
        rng, by, on = self.rng, self.pick(), self.mount("turn")
        n, other = [float(n) for n in rng.integers(8, 40, 2)], bool(rng.integers(2))
        r, c = rng.uniform(0.05, 0.3, 2), rng.uniform(0.3, 2, 2) * rng.choice([-1, 1], 2)
        kind, sign = int(rng.integers(4)), 1 if other else -1
        ratio = [sign * n[0] / n[1], -sign * r[0] / r[1], -c[0] / c[1], -n[0] / n[1]][kind]
        own = self.hinged(on, by.slope * ratio).angle
        pair = (by.gauge, own)
        coupler: Any = [
            lambda: GearPair(pair, teeth=(n[0], n[1]), internal=other),
            lambda: Belt(pair, radii=tuple(r), crossed=other),
            lambda: Combination(pair, coefficients=tuple(c), constant=None),
            lambda: GearPair(pair[::-1], teeth=(n[1], n[0])),
        ][kind]()
        self.builder.couple(coupler, f"c_{on.name}")

    def rack(self) -> None:
        """A slider behind a pinion or a spindle."""
        rng, by, on = self.rng, self.pick(), self.mount("slide")
        slide = self.builder.add(Prismatic(on.I, on.J), f"s_{on.name}")
        pair, r = (slide.displacement, by.gauge), float(rng.uniform(-0.1, 0.1))
        if rng.integers(2):
            self.builder.couple(RackAndPinion(pair, radius=r), f"c_{on.name}")
        else:
            self.builder.couple(ScrewCoupler(pair, lead=math.tau * r), f"c_{on.name}")
        self.names[f"s_{on.name}.displacement"] = (on.ahead, by.slope * r)
        self.moves(on, 0.0, by.slope * r)

    def arm(self) -> None:
        """A hinge on another body, tied to a turn: a planet seen from its arm."""
        rng, by = self.rng, self.pick()
        base = str(rng.choice(list(self.poses)))
        on = self.mount("turn", base)
        n = [float(n) for n in rng.integers(8, 40, 2)]
        hinge = self.hinged(on, -by.slope * n[0] / n[1], base)
        self.builder.couple(GearPair((by.gauge, hinge.angle), teeth=(n[0], n[1])), f"c_{on.name}")

    def screw(self) -> None:
        """A body on a screw, or on a sleeve whose slide is coupled to its own turn."""
        rng, m, by = self.rng, self.builder, self.pick()
        lead, on = float(rng.uniform(0.02, 0.2) * rng.choice([-1, 1])), self.mount("screw")
        if rng.integers(2):
            joint = m.add(Screw(on.I, on.J, lead=lead), f"w_{on.name}")
        else:
            joint = m.add(Cylindrical(on.I, on.J), f"w_{on.name}")
            m.couple(ScrewCoupler((joint.displacement, joint.angle), lead=lead), f"l_{on.name}")
        c = rng.uniform(0.3, 2, 2) * rng.choice([-1, 1], 2)
        tie = Combination((by.gauge, joint.angle), coefficients=tuple(c), constant=None)
        m.couple(tie, f"c_{on.name}")
        turn = -by.slope * c[0] / c[1]
        way = turn * lead / math.tau
        self.names[f"w_{on.name}.angle"] = (on.first, turn)
        self.names[f"w_{on.name}.displacement"] = (on.ahead, way)
        self.moves(on, turn, way)
        self.turns.append(Turn(joint.angle, on.first, turn))

    def run_off(self, run: kp.Trajectory, a: np.ndarray, speed: float, what: str) -> list[str]:
        """Every name of a trajectory that is not what it must be at the turns a."""
        wrong = []
        for name, (zero, slope) in self.names.items():
            off = np.abs(run[name].values - zero - slope * a)
            if not off.max() <= ROUNDING * max(1, np.abs(slope * a).max()):
                wrong.append(f"{what}: {name} is off by {off.max()} at sample {off.argmax()}")
            off = np.abs(run[name].rate - slope * speed)
            if not off.max() <= RATES * max(1, abs(slope * speed)):
                wrong.append(f"{what}: rate of {name} is off by {off.max()}")
        d = 2 if self.plane else 3
        for name, pose in self.poses.items():
            places = [pose(x) for x in a]
            dues = {name: [p[:d] for p, _ in places]}
            dues[f"{name}.P"] = [(p + R[:, :d] @ POINT[:d])[:d] for p, R in places]
            for point, due in dues.items():
                off = np.abs(run[point].position - due)
                if not off.max() <= 100 * ROUNDING * max(1, np.abs(due).max()):
                    wrong.append(f"{what}: {point} is off by {off.max()}")
        return wrong

    def position_off(self, read: Any, a: float, what: str) -> list[str]:
        """Every name of a position, or of the last sample of a trajectory."""
        wrong = []
        for name, (zero, slope) in self.names.items():
            got, due = read[name], zero + slope * a
            value = float(got.values[-1] if isinstance(read, kp.Trajectory) else got)
            if not abs(value - due) <= ROUNDING * max(1, abs(due)):
                wrong.append(f"{what}: {name} is {value}, due {due}")
        return wrong


def positions(mechanism: kp.Mechanism, run: kp.Trajectory) -> Iterator[tuple[str, Any]]:
    """The last position of a run in many forms; those with velocities first."""
    here = run.state()
    with tempfile.TemporaryDirectory() as folder:
        files = here.save(Path(folder) / "here.npz"), run.save(Path(folder) / "run.npz")
        loaded = [kp.Trajectory.load(file) for file in files]
    yield "a sample", here
    yield "a time", run.at(float(run.t[-1]))
    yield "a saved position", loaded[0].state()
    yield "a saved run", loaded[1].state()
    yield "a pickled one", pickle.loads(pickle.dumps(here))
    yield "the run", run
    yield "an assembly", mechanism.assemble(here)
    yield "a pickled assembly", pickle.loads(pickle.dumps(mechanism.assemble(here)))


def attempt(rng: np.random.Generator) -> list[str]:
    """One train, run, and run on from where it came."""
    train = Train(rng)
    known = [turn for turn in train.turns if turn.zero is not None]
    gauge, zero, slope = known[rng.integers(len(known))]
    speed = float(rng.uniform(1, 40) * rng.choice([-1, 1]))  # of the first turn
    until, on = float(rng.uniform(0.3, 2)), float(rng.uniform(0.05, 0.5))
    there, a = zero + slope * speed * until, speed * until
    train.builder.drive(gauge, start=zero, speed=slope * speed)
    first = train.builder.build()
    edited = first.edit()
    edited.remove(gauge.name)
    edited.drive(gauge, start=there, speed=slope * speed)
    later = edited.build()
    case = f"plane={train.plane}, {gauge.name} driven, {speed!r} rad/s to {until!r} s"
    case += f", {train.names}"
    run = first.kinematics(until=until, steps=int(rng.integers(1, 40)))
    if not run.outcome.is_done:
        return [f"first run: {run.outcome}: {case}"]
    wrong = train.run_off(run, speed * run.t, speed, "first run")
    solver = first.solver()
    solver.update({gauge.name: zero + (there - zero) * rng.uniform(0, 1)})
    starts = [*positions(first, run), ("a solver", solver.update({gauge.name: there}))]
    starts.append(("values", first.assemble(values={gauge.name: there})))
    starts.append(("a moment", later.assemble(at=0.0)))
    for word, start in starts:
        wrong += train.position_off(start, a, word)
        again = later.kinematics(until=on, steps=7, start=start)
        if not again.outcome.is_done or again.notes:
            wrong.append(f"on from {word}: {again.outcome} {again.notes}")
            continue
        wrong += train.run_off(again, a + speed * again.t, speed, f"on from {word}")
        if word in DRAGGED:
            wrong += train.position_off(first.drag(start=start).trajectory, a, f"drag from {word}")
    here = run.state()
    here.svg()
    for name, (_, own) in train.names.items():
        if not abs(here.rate(name) - own * speed) <= 1e-6 * max(1, abs(own * speed)):
            wrong.append(f"a sample: rate of {name} is {here.rate(name)}, due {own * speed}")
    return [f"{fault}: {case}" for fault in wrong]
