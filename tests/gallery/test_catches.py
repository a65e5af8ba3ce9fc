"""A ball and a trebuchet: what happens, in order, and that energies add up."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import kempe


def test_a_trebuchet_drags_lifts_lets_go_and_the_stone_flies_in_a_parabola() -> None:
    shot = kempe.gallery.trebuchet().simulate(until=6.0, steps=600, tolerance=1e-10)
    kinds = [event.kind for event in shot.events]
    assert kinds == ["contact", "departure", "release", "crossing"]
    go, landed = shot.events[2], shot.events[3]
    assert shot.outcome.is_done
    (x, y), (vx, vy) = go.q[3:5], go.v[3:5]
    t = landed.t - go.t
    assert landed.q[3] == pytest.approx(x + vx * t, abs=1e-6)
    assert landed.q[4] == pytest.approx(y + vy * t - 0.5 * 9.81 * t * t, abs=1e-6)
    assert landed.q[4] == pytest.approx(0.05, abs=1e-12)
    assert np.ptp(shot.energy.total) <= 1e-8 * shot.energy.kinetic.max()
    after = shot.t > go.t
    assert np.abs(shot["hook.force"].values[after]).max() == 0.0


def test_a_ball_with_a_speed_bounces_along_and_slides_on() -> None:
    fall = kempe.gallery.bouncing_ball(restitution=0.6, speed=0.5).simulate(until=2.5)
    over = math.sqrt(2.0 / 9.81) * 1.6 / 0.4
    assert fall.events[-1].kind == "contact"
    assert fall.events[-1].t == pytest.approx(over, abs=1e-9)
    assert fall["ball.x"].values == pytest.approx(0.5 * fall.t, abs=1e-12)


HEIGHT, LONG, SHORT, SLING, WEIGHT, BEAM, STONE, G = 3.0, 4.0, 1.0, 3.0, 1500.0, 100.0, 10.0, 9.81


def shot_by_hand() -> tuple[float, float, list[float]]:
    """When the stone leaves the trough, when the sling lets go, and x, y, x', y' of it there.

    Lagrange's equations: of the arm's angle a while the stone slides, M(a) a'' + M' a'^2 / 2 + V'
    = 0 with M = I + m x_a^2, and of a and of the sling's angle b from where it carries the stone.
    """
    turning = BEAM * ((LONG + SHORT) ** 2 / 12.0 + (0.5 * (LONG - SHORT)) ** 2) + WEIGHT * SHORT**2
    moment = G * (BEAM * 0.5 * (LONG - SHORT) - WEIGHT * SHORT)  # V' = moment cos a

    def slide(a):
        """dx/da of the stone, a may have an imaginary step."""
        high = HEIGHT + LONG * np.sin(a)
        return -LONG * np.sin(a) + high * LONG * np.cos(a) / np.sqrt(SLING**2 - high**2)

    def dragged(t, y):
        x_a, bend = slide(y[0]), np.imag(slide(y[0] + 1e-30j)) / 1e-30
        pull = -STONE * x_a * bend * y[1] ** 2 - moment * math.cos(y[0])
        return [y[1], pull / (turning + STONE * x_a**2)]

    def pressed(t, y):
        """What is left of the stone's weight on the trough (N)."""
        high = HEIGHT + LONG * math.sin(y[0])
        bend = np.imag(slide(y[0] + 1e-30j)) / 1e-30
        along = slide(y[0]) * dragged(t, y)[1] + bend * y[1] ** 2
        return STONE * G - STONE * along * high / math.sqrt(SLING**2 - high**2)

    pressed.terminal = True
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}
    start = [-math.asin(HEIGHT / LONG), 0.0]
    first = solve_ivp(dragged, (0.0, 5.0), start, events=pressed, **options)
    a, rate = first.y[:, -1]
    b = math.pi + math.asin((HEIGHT + LONG * math.sin(a)) / SLING)  # from the tip to the stone
    # y = h + L sin a + s sin b = 0 goes on being so just there
    turn = -LONG * math.cos(a) * rate / (SLING * math.cos(b))

    def carried(t, y):
        apart = y[0] - y[1]
        mixed = STONE * LONG * SLING
        mass = [
            [turning + STONE * LONG**2, mixed * math.cos(apart)],
            [mixed * math.cos(apart), STONE * SLING**2],
        ]
        swing = [-mixed * math.sin(apart) * y[3] ** 2, mixed * math.sin(apart) * y[2] ** 2]
        swing[0] -= (moment + STONE * G * LONG) * math.cos(y[0])
        swing[1] -= STONE * G * SLING * math.cos(y[1])
        return [y[2], y[3], *np.linalg.solve(mass, swing)]

    def let_go(t, y):
        return y[0] - math.radians(78.0)

    let_go.terminal = True
    lifted = float(first.t[-1])
    second = solve_ivp(
        carried, (lifted, lifted + 5.0), [a, b, rate, turn], events=let_go, **options
    )
    a, b, rate, turn = second.y[:, -1]
    stone = [
        LONG * math.cos(a) + SLING * math.cos(b),
        HEIGHT + LONG * math.sin(a) + SLING * math.sin(b),
        -LONG * math.sin(a) * rate - SLING * math.sin(b) * turn,
        LONG * math.cos(a) * rate + SLING * math.cos(b) * turn,
    ]
    return lifted, float(second.t[-1]), stone


def test_a_trebuchet_lifts_and_lets_go_when_lagranges_equations_by_hand_say() -> None:
    lifted, let_go, stone = shot_by_hand()
    shot = kempe.gallery.trebuchet().simulate(until=let_go + 0.1, steps=10, tolerance=1e-11)
    departure, release = shot.events[1:3]
    assert departure.t == pytest.approx(lifted, abs=1e-8)
    assert release.t == pytest.approx(let_go, abs=1e-8)
    assert [*release.q[3:5], *release.v[3:5]] == pytest.approx(stone, abs=1e-6)
