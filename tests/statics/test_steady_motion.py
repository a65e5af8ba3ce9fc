"""Small motions about steady rolling: published eigenvalues, closed forms, equations by hand."""

import math

import numpy as np
import pytest

import kempe
from kempe.errors import BadNumber
from kempe.forces import JointFriction, SpringDamper
from kempe.joints import KnifeEdge
from kempe.statics.steady_motion import eigenvalues_without_rest
from tests.dynamics.discs import leaning_disc

G = 9.81
#: Of eigenvalues of up to 25 1/s, through derivatives that are exact to rounding.
CLOSE = 1e-11
#: What arithmetic of another order leaves of fourteen printed digits.
DIGITS = 1e-12

#: [Meijaard] table 2: speed (m/s), weave (real and imaginary part), capsize, castering (1/s).
PUBLISHED = [
    (1.0, 3.52696170990070, 0.80774027519930, -3.13423125066578, -7.11008014637442),
    (2.0, 2.68234517512745, 1.68066296590675, -3.07158645641514, -8.67387984831735),
    (3.0, 1.70675605663975, 2.31582447384325, -2.63366137253667, -10.35101467245920),
    (4.0, 0.41325331521125, 3.07910818603206, -1.42944427361326, -12.15861426576447),
    (5.0, -0.77534188219585, 4.46486771378823, -0.32286642900409, -14.07838969279822),
    (6.0, -1.52644486584142, 5.87673060598709, -0.00406690076970, -16.08537123098026),
    (7.0, -2.13875644258362, 7.19525913329805, 0.10268170574766, -18.15788466125262),
    (8.0, -2.69348683581097, 8.46037971396931, 0.14327879765713, -20.27940894394569),
    (9.0, -3.21675402252485, 9.69377351531791, 0.15790184030917, -22.43788559040858),
    (10.0, -3.72016840437287, 10.90681139476287, 0.16105338653172, -24.62459635017404),
]


def moving(eigenvalues):
    """Those that are not 0, in an order of their own."""
    return np.sort_complex(eigenvalues[np.abs(eigenvalues) > 0.0])


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row[0]:g} m/s")
def test_the_benchmark_bicycle_has_its_published_eigenvalues(row):
    speed, real, imaginary, capsize, castering = row
    found = kempe.gallery.bicycle(speed=speed, push=0.0).linearize()
    assert not found.notes
    assert len(found.eigenvalues) == 10  # seven freedoms of place, three of velocity
    weave = complex(real, imaginary)
    expected = np.sort_complex(np.array([weave, weave.conjugate(), capsize, castering]))
    np.testing.assert_allclose(moving(found.eigenvalues), expected, rtol=DIGITS, atol=DIGITS)


def test_at_rest_the_bicycle_falls_as_published():
    found = moving(kempe.gallery.bicycle(speed=0.0, push=0.0).linearize().eigenvalues)
    expected = [-5.53094371765393, -3.13164324790656, 3.13164324790656, 5.53094371765393]
    np.testing.assert_allclose(found, expected, rtol=DIGITS)


@pytest.mark.parametrize(("speed", "is_stable"), [(4.2, False), (4.4, None), (5.9, None)])
def test_between_4_292_and_6_024_metres_a_second_no_mode_grows(speed, is_stable):
    """None, not True: where it is and which way it goes nothing brings back."""
    assert kempe.gallery.bicycle(speed=speed, push=0.0).linearize().is_stable is is_stable


def test_a_simulated_bicycle_comes_back_as_its_slowest_modes_say():
    """Of leaning, late: what is left falls by the weave's real part, e^(-0.775 t), or faster."""
    motion = kempe.gallery.bicycle(speed=5.0, push=0.05).simulate(until=6.0, steps=600)
    lean = motion["steering.angle"].values
    assert motion.outcome.is_done
    early, late = np.abs(lean[100:200]).max(), np.abs(lean[500:]).max()
    assert late < early * math.exp(-0.3 * 4.0)


@pytest.mark.parametrize("speed", [1.5, 3.0, 8.0])
def test_an_upright_disc_wobbles_at_its_closed_frequency(speed):
    """s^2 = (m g r A - C (C + m r^2) w^2) / (A (A + m r^2)): stable from v^2 = g r / 3 on."""
    r, mass = 0.5, 1.0
    A, C = mass * r * r / 4, mass * r * r / 2
    square = (mass * G * r * A - C * (C + mass * r * r) * (speed / r) ** 2) / A / (A + mass * r * r)
    found = kempe.gallery.rolling_disc(lean=0.0, speed=speed, radius=r, mass=mass).linearize()
    np.testing.assert_allclose(moving(found.eigenvalues) ** 2, square, rtol=CLOSE)
    slow = kempe.gallery.rolling_disc(lean=0.0, speed=math.sqrt(0.99 * G * r / 3)).linearize()
    fast = kempe.gallery.rolling_disc(lean=0.0, speed=math.sqrt(1.01 * G * r / 3)).linearize()
    assert (slow.is_stable, fast.is_stable) == (False, None)


def disc_rates(x, r, mass, A, C):
    """(lean, w_a, w_t, w_u)' of a disc in its own leaning frame: axis, tangent, up in its plane.

    Own: Newton and Euler about the contact point, written by hand.
    """
    lean, a, t, u = x
    tan = np.sin(lean) / np.cos(lean)
    own = mass * r * r
    return np.array(
        [
            -t,
            own * u * t / (C + own),
            (-(C + own) * u * a + A * u * u * tan - mass * G * r * np.sin(lean)) / (A + own),
            C / A * t * a - u * t * tan,
        ]
    )


@pytest.mark.parametrize("lean", [0.2, 0.6, 1.0])
def test_a_disc_that_goes_round_a_circle_nods_as_hand_written_equations_say(lean):
    """About a steady circle, which turns as a whole: complex steps of the equations by hand."""
    r, mass, ring = 0.5, 1.3, 0.8
    A, C = mass * r * r / 4, mass * r * r / 2
    mechanism, W = leaning_disc(lean, ring, r, mass)
    spin = -W * (ring + r * math.sin(lean)) / r
    start = np.array([lean, W * math.sin(lean) + spin, 0.0, W * math.cos(lean)])
    assert np.abs(disc_rates(start, r, mass, A, C)).max() < 1e-12 * W**2
    J = np.array([disc_rates(start + 1e-30j * e, r, mass, A, C).imag / 1e-30 for e in np.eye(4)]).T
    expected, _ = eigenvalues_without_rest(J)
    found = mechanism.linearize()
    assert not found.notes
    own = np.concatenate([expected, [1j * W, -1j * W]])  # the pair is where the circle is
    for value in own:
        assert np.abs(found.eigenvalues - value).min() < 1e-9
    assert len(moving(found.eigenvalues)) == len(own)


def test_a_gliding_sleigh_forgets_its_turning_at_the_rate_of_its_speed():
    """In the plane: w' = -(m a / (I + m a^2)) u w about gliding straight on at u."""
    a, mass, inertia, u = 0.3, 2.0, 0.1, 1.7
    glide = kempe.gallery.chaplygin_sleigh(
        ahead=a, mass=mass, inertia=inertia, speed=u, spin=0.0
    ).linearize()
    rate = -mass * a * u / (inertia + mass * a * a)
    np.testing.assert_allclose(moving(glide.eigenvalues), [rate], rtol=CLOSE)
    assert glide.speeds  # two speeds, three coordinates
    assert glide.K.shape == (2, 3)


def test_a_push_on_the_handlebars_answers_as_the_published_matrices_say():
    """y = G (s - A)^-1 B u of steering, from M, C1, K0 and K2 of [Meijaard] appendix."""
    M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
    K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
    K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
    C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
    v, names = 5.0, ("steering.angle",)
    bike = kempe.gallery.bicycle(speed=v, push=0.0).linearize(inputs=names, outputs=names)
    for f in (0.3, 1.0, 4.0):
        s = 2j * math.pi * f
        answer = np.linalg.inv(M * s * s + v * C1 * s + G * K0 + v * v * K2)[1, 1]
        np.testing.assert_allclose(bike.response([f])[0], answer, rtol=1e-9)


def test_a_motion_that_is_not_steady_is_told_of():
    sleigh = kempe.gallery.chaplygin_sleigh().linearize()
    assert "no steady motion" in sleigh.notes[0]


def test_friction_that_is_left_out_of_what_rolls_is_told():
    m = kempe.gallery.bicycle().edit()
    m.force(JointFriction(m.part("steering").angle, 0.1, radius="15 mm", creep=0.1), "bearing")
    assert any("left out of what rolls: 'bearing'" in note for note in m.build().linearize().notes)


def test_coordinates_cannot_be_chosen_where_speeds_are_fewer():
    with pytest.raises(BadNumber, match="leave `coordinates` out"):
        kempe.gallery.rolling_disc(lean=0.0).linearize(coordinates=("floor.x",))


def test_zeros_of_any_multiplicity_are_taken_off_before_eigenvalues_are_computed():
    random = np.random.default_rng(5)
    blocks = np.zeros((7, 7))
    blocks[0, 1] = blocks[1, 2] = blocks[3, 4] = 1.0  # chains of three and of two
    blocks[5:, 5:] = [[-1.0, 2.0], [-2.0, -1.0]]
    Q = random.normal(size=(7, 7))
    values, still = eigenvalues_without_rest(Q @ blocks @ np.linalg.inv(Q))
    np.testing.assert_allclose(np.sort_complex(values), [-1.0 - 2.0j, -1.0 + 2.0j], atol=1e-10)
    assert still.shape == (7, 2)


def test_a_skate_pulled_along_by_a_spring_swings_at_the_spring_s_frequency():
    """At rest: along the blade it swings, sideways the blade holds it, and turning is free."""
    m = kempe.Builder("skate", plane=True)
    skate = m.body("skate", at=(0, 0), angle=0.0, inertia=kempe.Inertia(2.0, (0, 0, 0), np.eye(3)))
    m.add(KnifeEdge(m.ground.at(0, 0), skate.at(0, 0)), name="blade")
    m.force(SpringDamper(skate.x, stiffness=50.0), "spring")
    found = moving(m.build().linearize().eigenvalues)
    np.testing.assert_allclose(found, [-5.0j, 5.0j], atol=1e-9)
