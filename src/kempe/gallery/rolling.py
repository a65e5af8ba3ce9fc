"""What rolls and glides without slip: a sleigh, a disc, a rattleback and a bicycle."""

import math

import numpy as np

from kempe.front import Builder, Mechanism
from kempe.front.parts import BodyPart
from kempe.gallery.sketch_of_masses import G, let_go
from kempe.geometry import Inertia, Rotation
from kempe.geometry.curves import Ellipse
from kempe.geometry.number import positive
from kempe.geometry.solids import Cylinder
from kempe.joints import (
    KnifeEdge,
    Revolute,
    RollingDisc,
    RollingEllipsoid,
    RollingOnCurve,
    RollingOnSphere,
)

Triple = tuple[float, float, float]
NOWHERE = (0.0, 0.0, 0.0)


@let_go(6.0, "sleigh.blade")
def chaplygin_sleigh(
    *, ahead: float = 0.3, mass: float = 2.0, inertia: float = 0.1, speed: float = -0.6,
    spin: float = 0.4,
) -> Mechanism:  # fmt: skip
    """A sleigh on one blade and two smooth feet: thrown backwards it turns round and glides on.

    Its centre of mass is `ahead` of the blade, which does not slip sideways. Nothing brakes it, and
    yet it always ends up gliding straight on, its mass in front: a motion that no turning back of
    time undoes.

    Source: Sergei Chaplygin, 1911; [NeimarkFufaev].

    Examples:
        >>> import kempe
        >>> glide = kempe.gallery.chaplygin_sleigh().simulate(until=10.0)
        >>> bool(abs(glide["sleigh.angle"].rate[-1]) < 1e-3)  # it turns no more
        True
    """
    m = Builder("Chaplygin's sleigh", plane=True)
    points = {"blade": (0.0, 0.0), "left": (1.6 * ahead, 0.5), "right": (1.6 * ahead, -0.5)}
    sleigh = m.body(
        "sleigh",
        points={name: (x, y * ahead) for name, (x, y) in points.items()},
        outline=("blade", "left", "right"),
        at=(0, 0),
        angle=0.0,
        inertia=_inertia(mass, (ahead, 0.0, 0.0), (inertia, inertia, inertia)),
        velocity=(speed, 0.0),
        spin=spin,
    )
    m.add(KnifeEdge(m.ground.at(0, 0), sleigh.blade), "blade")
    return m.build()


@let_go(8.0, "disc.P")
def rolling_disc(
    *, radius: float = 0.5, mass: float = 1.0, lean: float = math.radians(20.0), speed: float = 1.6,
) -> Mechanism:  # fmt: skip
    """A coin that rolls off leaning: it goes round in loops, nods, and loses nothing.

    It sets out at `speed` (m/s), leaning by `lean` and not yet turning. Upright it stays up from
    v^2 = g r / 3 on.

    Source: [NeimarkFufaev].

    Examples:
        >>> import kempe
        >>> roll = kempe.gallery.rolling_disc().simulate(until=8.0)
        >>> energy = roll.energy.mechanical
        >>> bool(abs(energy - energy[0]).max() < 1e-7 * energy[0])
        True
    """
    m = Builder("rolling disc", gravity=(0, 0, -G))
    axis = (math.cos(lean), 0.0, math.sin(lean))
    turn = speed / positive(radius, "the radius of a disc")
    disc = m.body(
        "disc",
        points={"P": NOWHERE},
        at=(0, 0, radius * math.cos(lean)),
        rotation=Rotation.with_z(axis),
        inertia=Inertia(mass, np.zeros(3), mass * radius**2 * np.diag([0.25, 0.25, 0.5])),
        velocity=(0.0, speed, 0.0),
        spin=(-turn * axis[0], 0.0, -turn * axis[2]),
    )
    m.shape(disc, Cylinder(radius, 0.06 * radius), at=NOWHERE)
    m.add(RollingDisc(m.ground.at(0, 0, 0), disc.P, radius=radius), "floor")
    return m.build()


@let_go(4.0, "disc.P")
def disc_in_bowl(
    *, bowl: float = 1.0, radius: float = 0.25, mass: float = 1.0, angle: float = math.radians(70.0)
) -> Mechanism:
    """A disc that rolls to and fro in a round bowl: a pendulum half as long again as its path is.

    It is let go with its middle at `angle` (rad) from the lowest point of the `bowl` (m), and is
    slower than what slides by the root of 3/2. A point of its rim draws a hypocycloid.

    Own: by the balance of moments about where it touches.

    Examples:
        >>> import kempe
        >>> import math
        >>> period = 2.0 * math.pi * math.sqrt(1.5 * 0.75 / 9.81)
        >>> small = kempe.gallery.disc_in_bowl(angle=0.001).simulate(until=period)
        >>> x = small["disc.x"].values
        >>> bool(abs(x[-1] - x[0]) < 1e-6 * x[0])
        True
    """
    m = Builder("disc in a bowl", plane=True, gravity=(0, -G))
    apart = bowl - positive(radius, "the radius of a disc")
    disc = m.body(
        "disc",
        points={"P": (radius, 0.0), "middle": (0.0, 0.0)},
        at=(apart * math.sin(angle), -apart * math.cos(angle)),
        angle=angle,
        inertia=Inertia(mass, np.zeros(3), 0.5 * mass * radius**2 * np.eye(3)),
    )
    rolls = RollingOnSphere(m.ground.at(0, 0), disc.middle, sphere=bowl, radius=radius, inside=True)
    m.shape(disc, Cylinder(radius, 0.06 * radius))
    m.add(rolls, "bowl")
    return m.build()


@let_go(4.0, "wheel.P")
def wheel_in_hoop(
    *, wide: float = 1.0, high: float = 0.7, radius: float = 0.15, mass: float = 1.0,
    speed: float = 6.0,
) -> Mechanism:  # fmt: skip
    """A wheel that rolls round and round inside an oval hoop, which holds it also overhead.

    The hoop is an ellipse `wide` and `high` (m, half of each), the wheel starts at its lowest point
    at `speed` (m/s). It slows down on the way up and loses nothing; a point of its rim draws a
    roulette.

    Source: [NeimarkFufaev] for rolling without slip.

    Examples:
        >>> import kempe
        >>> round = kempe.gallery.wheel_in_hoop().simulate(until=4.0)
        >>> energy = round.energy.mechanical
        >>> bool(abs(energy - energy[0]).max() < 1e-7 * energy[0])
        True
    """
    m = Builder("wheel in a hoop", plane=True, gravity=(0, -G))
    low = high - positive(radius, "the radius of a wheel")
    wheel = m.body(
        "wheel",
        points={"P": (radius, 0.0), "middle": (0.0, 0.0)},
        at=(0.0, -low),
        angle=0.0,
        inertia=Inertia(mass, np.zeros(3), 0.5 * mass * radius**2 * np.eye(3)),
        velocity=(speed, 0.0),
    )
    hoop = Ellipse((0.0, 0.0), (wide, 0.0), (0.0, high))
    m.shape(wheel, Cylinder(radius, 0.06 * radius))
    m.add(RollingOnCurve(m.ground.at(0, 0), wheel.middle, curve=hoop, radius=radius), "hoop")
    return m.build()


@let_go(6.5, "stone.P")
def rattleback(
    *, a: float = 0.2, b: float = 0.03, c: float = 0.02, deep: float = 0.01, mass: float = 1.0,
    spin: float = -5.0, tilt: float = math.radians(0.5),
) -> Mechanism:  # fmt: skip
    """A boat-shaped stone that spins one way only: the other way it rattles and turns back.

    Its hull is an ellipsoid with semi-axes `a`, `b` and `c`, its centre of mass `deep` below that
    of the hull; its principal axes of inertia are turned a little against those of the hull.

    Source: [KaneLevinson], without its friction.

    Examples:
        >>> import kempe
        >>> spun = kempe.gallery.rattleback().simulate(until=10.0)
        >>> about_z = spun.motion.v[:, 5]
        >>> f"{about_z[0]:.1f}, then {about_z[-1]:.1f} rad/s"
        '-5.0, then 5.0 rad/s'
    """
    m = Builder("rattleback", gravity=(0, 0, -G))
    tensor = mass * 1e-4 * np.array([[2.0, -0.2, 0.0], [-0.2, 16.0, 0.0], [0.0, 0.0, 17.0]])
    hull: dict[str, Triple] = {
        "bow": (a, 0.0, 0.0), "left": (0.0, b, 0.0), "stern": (-a, 0.0, 0.0),
        "right": (0.0, -b, 0.0),
    }  # fmt: skip
    stone = m.body(
        "stone",
        points={"P": (a, 0.0, 0.0), "middle": NOWHERE, **hull},
        outline=tuple(hull),
        at=(0, 0, math.hypot(b * math.sin(tilt), c * math.cos(tilt))),
        rotation=Rotation.about((1.0, 0.0, 0.0), tilt),
        inertia=Inertia(mass, np.array([0.0, 0.0, -deep]), tensor),
        spin=(0.0, 0.0, spin),
    )
    m.add(RollingEllipsoid(m.ground.at(0, 0, 0), stone.middle, a=a, b=b, c=c), "table")
    return m.build()


@let_go(1.5, "frame.P")
def bicycle(*, speed: float = 4.6, push: float = 0.5) -> Mechanism:
    """The benchmark bicycle with its rider stiff and hands off: pushed aside it steers itself up.

    It runs at `speed` (m/s) and leans over at the rate `push` (rad/s). Between 4.292 and 6.024 m/s
    it comes back by itself; slower it weaves, faster it falls over slowly.

    Source: [Meijaard] table 1, seen with z up: F. J. W. Whipple's model of 1899.

    Examples:
        >>> import kempe
        >>> straight = kempe.gallery.bicycle(speed=5.0, push=0.0).linearize()
        >>> [round(float(s.real), 6) for s in straight.eigenvalues if abs(s) > 1e-3]
        [-0.322866, -0.775342, -0.775342, -14.07839]
    """
    w, trail, steer = 1.02, 0.08, math.pi / 10.0
    m = Builder("bicycle", gravity=(0, 0, -G))
    upward = (-math.sin(steer), 0.0, math.cos(steer))
    neck = (w + trail, 0.0, 0.0)
    leaning = {"spin": (push, 0.0, 0.0), "velocity": (speed, 0.0, 0.0)}
    bars: dict[str, Triple] = {"hub": (0.0, 0.0, 0.3), "P": (0.15, 0.0, 0.9)}
    bars["head"] = (0.75, 0.0, 0.9)
    frame = m.body(
        "frame",
        points={**bars, "neck": neck},
        outline=tuple(bars),
        at=(0, 0, 0),
        inertia=_inertia(85.0, (0.3, 0.0, 0.9), (9.2, 11.0, 2.8), -2.4),
        spin=leaning["spin"],
        velocity=leaning["velocity"],
    )
    fork = m.body(
        "fork",
        points={"head": bars["head"], "hub": (w, 0.0, 0.35), "neck": neck},
        outline=("head", "hub"),
        at=(0, 0, 0),
        inertia=_inertia(4.0, (0.9, 0.0, 0.7), (0.05892, 0.06, 0.00708), 0.00756),
        spin=leaning["spin"],
        velocity=leaning["velocity"],
    )
    m.add(Revolute(frame.neck.facing(upward), fork.neck.facing(upward)), "steering")
    rear, front = (2.0, (0.0603, 0.12, 0.0603)), (3.0, (0.1405, 0.28, 0.1405))
    _wheel(m, "rear", frame, (0.0, 0.3), _inertia(rear[0], NOWHERE, rear[1]), speed, push)
    _wheel(m, "front", fork, (w, 0.35), _inertia(front[0], NOWHERE, front[1]), speed, push)
    return m.build()


def _inertia(mass: float, centre: Triple, moments: Triple, xz: float = 0.0) -> Inertia:
    """Of a body that is alike left and right of its plane y = 0."""
    tensor = np.diag(moments)
    tensor[0, 2] = tensor[2, 0] = xz
    return Inertia(mass, np.array(centre), tensor)


def _wheel(
    m: Builder,
    name: str,
    holder: BodyPart,
    at: tuple[float, float],
    inertia: Inertia,
    speed: float,
    push: float,
) -> None:
    """A wheel at (x, radius) whose hub is that of its holder, and that rolls on the floor."""
    x, radius = at
    wheel = m.body(
        f"{name} wheel",
        points={"middle": NOWHERE},
        at=(x, 0, radius),
        inertia=inertia,
        spin=(push, speed / radius, 0.0),
        velocity=(speed, -push * radius, 0.0),
    )
    sideways = (0.0, 1.0, 0.0)
    m.shape(wheel, Cylinder(radius, 0.04), at=NOWHERE, rotation=Rotation.with_z(sideways))
    axle = wheel.middle.facing(sideways)
    m.add(Revolute(holder.hub.facing(sideways), axle), f"{name} hub")
    m.add(RollingDisc(m.ground.at(0, 0, 0), axle, radius=radius), f"{name} tyre")
