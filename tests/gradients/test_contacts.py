"""Slopes through contacts that give way and rub are those of closed forms."""

import numpy as np
import pytest

import kempe as kp
from kempe.forces import SphereOnPlane
from kempe.geometry import Inertia, Y

TINY = 1e-200
DIGITS = 1e-10  # of the largest slope, beside a step in the imaginary direction
RUN = {"until": 0.9, "steps": 9, "tolerance": 1e-13}
G = 9.81


@kp.parametric
def ball(mass=1.0, height=0.4, stiffness=4000.0, damping=0.0, radius=0.05, floor=0.0):
    """A disc that falls on a floor that gives way."""
    m = kp.Builder("ball", plane=True, gravity=(0, -G))
    body = m.body("disc", at=(0.0, height), inertia=Inertia(mass, (0, 0, 0), np.eye(3)))
    how = {"damping": damping} if damping else {}
    m.force(
        SphereOnPlane(
            m.ground.at(0, floor),
            body.at(0, 0),
            normal=Y,
            radius=radius,
            stiffness=stiffness,
            **how,
        )
    )
    return m.build()


HOME = {
    "mass": 1.0,
    "height": 0.4,
    "stiffness": 4000.0,
    "damping": 0.0,
    "radius": 0.05,
    "floor": 0.0,
}


def meets(mass, height, stiffness, damping, radius, floor):
    """When it touches and parts (s), and the gap and its rate at a time after the touch.

    Underdamped: m x'' = -m g - k x - c x' while the floor presses, that is k x + c x' < 0.
    """
    drop = height - radius - floor
    touch = np.sqrt(2.0 * drop / G)
    v = -G * touch
    decay, rest = damping / (2.0 * mass), -mass * G / stiffness
    w = np.sqrt(stiffness / mass - decay**2)
    first, second = -rest, (v - decay * rest) / w

    def pressed(s):
        e, c, d = np.exp(-decay * s), np.cos(w * s), np.sin(w * s)
        x = rest + e * (first * c + second * d)
        speed = e * (c * (w * second - decay * first) - d * (w * first + decay * second))
        return x, speed

    s = 0.9 * np.pi / w  # it parts where k x + c x' = 0: by Newton's method
    for _ in range(60):
        x, speed = pressed(s)
        force = stiffness * x + damping * speed
        s = s - force / (stiffness * speed - damping * (G + force / mass))
    return touch, touch + s, pressed


def fall_and_bounce(t, mass, height, stiffness, damping, radius, floor):
    """The height in closed form, until it touches a second time; numbers may be complex."""
    touch, part, pressed = meets(mass, height, stiffness, damping, radius, floor)
    x, speed = pressed(part - touch)
    found = []
    for now in t:
        if now <= touch.real:
            found.append(height - radius - floor - 0.5 * G * now * now)
        elif now <= part.real:
            found.append(pressed(now - touch)[0])
        else:
            found.append(x + speed * (now - part) - 0.5 * G * (now - part) ** 2)
    return np.array(found) + radius + floor


def by_complex_step(f, home, name):
    x = {key: complex(value) for key, value in home.items()}
    x[name] += TINY * 1j
    return np.imag(f(**x)) / TINY


@pytest.mark.parametrize("damping", [0.0, 12.0])
def test_a_ball_on_a_floor_that_gives_way_has_the_slopes_of_its_closed_form(damping):
    run = ball(damping=damping).simulate(**{**RUN, "until": 0.5})
    assert [e.kind for e in run.events][:2] == ["touch", "lift-off"]
    names = [name for name in HOME if name != "damping" or damping]
    slope = run.gradient("disc.y", names)
    home = {**HOME, "damping": damping}
    for name in names:
        true = by_complex_step(lambda **x: fall_and_bounce(run.t, **x), home, name)
        off = np.abs(slope[name] - true).max()
        assert off <= DIGITS * max(1e-3, np.abs(true).max()), (name, off)


@kp.parametric
def skid(mass=1.0, height=0.4, stiffness=4000.0, speed=1.5, friction=0.3, creep=0.05, px=0.0):
    """A disc that falls on a floor while it flies along: it rubs, and begins to turn."""
    m = kp.Builder("skid", plane=True, gravity=(0, -G))
    moment = Inertia(mass, (0, 0, 0), 0.01 * np.eye(3))
    body = m.body(
        "disc", points={"P": (px, 0.01)}, at=(0.0, height), inertia=moment, velocity=(speed, 0)
    )
    how = {"normal": Y, "radius": 0.05, "stiffness": stiffness}
    touching = {"friction": friction, "creep": creep}
    m.force(SphereOnPlane(m.ground.at(0, 0), body.at(0, 0), **how, **touching))
    return m.build()


def flown(t, mass, height, stiffness, speed, friction, creep, steps=3000):
    """x and the angle after it parted, at times t: the way along the floor by Runge and Kutta.

    The floor presses by N(t) in closed form, whatever happens along it.
    """
    touch, part, pressed = meets(mass, height, stiffness, 0.0, 0.05, 0.0)

    def rates(s, y):
        gap = pressed(s)[0]
        arm = 0.05 + 0.5 * gap
        slip = y[2] + y[3] * arm
        push = friction * stiffness * gap * slip / np.sqrt(slip * slip + creep * creep)
        return np.array([y[2], y[3], push / mass, push * arm / 0.01])

    y, h = np.array([speed * touch, 0.0, speed, 0.0], dtype=complex), (part - touch) / steps
    for k in range(steps):
        s = k * h
        a = rates(s, y)
        b = rates(s + h / 2.0, y + h / 2.0 * a)
        c = rates(s + h / 2.0, y + h / 2.0 * b)
        d = rates(s + h, y + h * c)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return np.array([y[:2] + (now - part) * y[2:] for now in t])


def test_a_disc_that_rubs_on_a_floor_has_the_slopes_of_its_equations_by_hand():
    home = {"mass": 1.0, "height": 0.4, "stiffness": 4000.0, "speed": 1.5, "friction": 0.3}
    home["creep"] = 0.05
    run = skid().simulate(until=0.5, steps=5, tolerance=1e-13)
    late = run.t > 0.35
    along, turned = (run.gradient(name, list(home)) for name in ("disc.x", "disc.angle"))
    for name in home:
        true = by_complex_step(lambda **x: flown(run.t[late], **x), home, name)
        off = np.abs(np.stack([along[name], turned[name]], axis=1)[late] - true).max()
        assert off <= DIGITS * max(1e-3, np.abs(true).max()), (name, off)


def test_the_adjoint_of_a_path_through_a_contact_is_the_forward_gradient():
    goal = skid(speed=1.4).simulate(until=0.5, steps=10)["disc.P"].position
    error = kp.gradients.PathError("disc.P", goal)
    run = skid().simulate(until=0.5, steps=10, tolerance=1e-12)
    back, along = run.gradient(error), run.gradient(lambda r: error(r))
    assert "adjoint" in " ".join(back.notes)
    assert "adjoint" not in " ".join(along.notes)
    assert back.value == pytest.approx(along.value, rel=1e-12)
    assert np.abs(back.values - along.values).max() <= 1e-9 * np.abs(along.values).max()
