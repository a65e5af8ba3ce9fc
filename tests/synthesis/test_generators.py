"""Exact four-bars: every one is found, each really moves through its positions."""

import cmath
import math

import numpy as np
import pytest
from scipy.optimize import fsolve

import kempe as kp
from kempe.errors import BadNumber
from kempe.synthesis import function_generators, motion_generators, path_generators

EXACT = 1e-9  # m: what a coupler point through given points is asked to miss them by at most


class ClosedForm:
    """A four-bar by the law of cosines, with nothing of kempe in it."""

    def __init__(self, crank, coupler, rocker, D, p):
        self.crank, self.coupler, self.rocker, self.D, self.p = crank, coupler, rocker, D, p

    def at(self, angle):
        """Coupler point, angle of the coupler, angle of the rocker."""
        B = cmath.rect(self.crank, angle)
        gap = self.D - B
        d = abs(gap)
        x = (self.coupler**2 - self.rocker**2 + d * d) / (2.0 * d)
        C = B + gap / d * complex(x, math.sqrt(self.coupler**2 - x * x))
        along = (C - B) / self.coupler
        return B + self.p * along, cmath.phase(along), cmath.phase(C - self.D)


BAR = ClosedForm(0.4, 1.1, 0.9, 1.0 + 0.0j, 0.5 + 0.3j)
ANGLES = np.radians([10.0, 50.0, 100.0, 150.0, 220.0])


def has_bars(found, bars):
    """Whether one of the four-bars has these bars, to eight digits."""
    return any(all(abs(one.lengths[name] - x) < 1e-8 for name, x in bars.items()) for one in found)


@pytest.mark.parametrize("given", [{"rocker": 0.9}, {"crank": 0.4, "rocker": 0.9}])
def test_three_and_four_points_are_met_exactly_by_the_swept_mechanism(given):
    points = [BAR.at(a)[0] for a in ANGLES[: 5 - len(given)]]
    found = path_generators([(z.real, z.imag) for z in points], [(0, 0), (1, 0)], **given)
    assert found.outcome == "complete"
    assert has_bars(found, {"crank": 0.4, "coupler": 1.1, "rocker": 0.9})
    assert found.sound
    for one in found.sound:
        seen = []
        solver = one.mechanism.solver()
        for angle in one.crank_angles:
            seen.append(complex(*solver.update({"crank.angle": float(angle)})["coupler.P"]))
        assert max(abs(np.array(seen) - np.array(points))) < EXACT


def rows_of_points(points, y):
    """Both bars keep their lengths: |R w + p - g|^2 = |w + p_1 - g|^2, by unknown angles."""
    w, turns = (complex(y[0], y[1]), complex(y[2], y[3])), [0.0, *y[4:]]
    rows = []
    for z, turn in list(zip(points, turns, strict=True))[1:]:
        for g, one in zip((0.0, 1.0), w, strict=True):
            lengths = abs(one * cmath.exp(1j * turn) + z - g) ** 2 - abs(one + points[0] - g) ** 2
            rows.append(lengths)
    return rows


def test_newton_from_many_starts_finds_no_path_that_is_not_listed():
    rng = np.random.default_rng(1)
    points = rng.uniform(-1.0, 1.0, (5, 2)) @ [1.0, 1.0j]
    found = path_generators([(z.real, z.imag) for z in points], [(0, 0), (1, 0)])
    assert found.outcome == "complete"
    hit = set()
    for _ in range(150):
        start = np.concatenate([rng.normal(0.0, 1.5, 4), rng.uniform(-3, 3, 4)])
        y, _, flag, _ = fsolve(lambda y: rows_of_points(points, y), start, full_output=True)
        if flag != 1 or max(map(abs, rows_of_points(points, y))) > 1e-10:
            continue
        B, C = complex(y[0], y[1]) + points[0], complex(y[2], y[3]) + points[0]
        if max(abs(B), abs(C)) > 50 or min(abs(B), abs(C - 1), abs(B - C)) < 1e-4:
            continue
        off = [max(abs(one.positions.B[0] - B), abs(one.positions.C[0] - C)) for one in found]
        assert min(off) < 1e-6
        hit.add(int(np.argmin(off)))
    assert len(hit) > 0.5 * len(found)


def test_five_poses_have_the_four_bar_that_made_them():
    poses = [(z.real, z.imag, turn) for z, turn, _ in map(BAR.at, ANGLES)]
    found = motion_generators(poses)
    assert found.outcome == "complete"
    assert has_bars(found, {"crank": 0.4, "coupler": 1.1, "rocker": 0.9, "ground": 1.0})
    mine = next(one for one in found.sound if abs(one.lengths["crank"] - 0.4) < 1e-8)
    assert mine.turns_fully
    assert mine.error < EXACT


def test_four_poses_have_it_on_the_line_of_its_pivots():
    poses = [(z.real, z.imag, turn) for z, turn, _ in map(BAR.at, ANGLES[:4])]
    found = motion_generators(poses, pivots_on=((0, 0), (1, 0)))
    assert has_bars(found, {"crank": 0.4, "coupler": 1.1, "rocker": 0.9, "ground": 1.0})
    assert len(found) <= 3  # a line meets the cubic of centre points three times


def test_three_poses_and_pivots_have_one_four_bar_as_a_linear_system_says():
    poses = [(0.0, 1.0, 0.0), (0.5, 1.2, 0.3), (1.0, 1.1, 0.7)]
    (one,) = motion_generators(poses, pivots=[(0, 0), (1, 0)])
    for g, joint in zip((0.0, 1.0), (one.positions.B[0], one.positions.C[0]), strict=True):
        A, b = [], []
        p1, t1 = complex(*poses[0][:2]), poses[0][2]
        for x, y, turn in poses[1:]:
            e, shift = cmath.exp(1j * (turn - t1)), complex(x, y) - g
            # |e z + shift|^2 = |z + p1 - g|^2 with z = joint - p1: linear in z
            k = shift * e.conjugate() - (p1 - g)
            A.append([k.real, k.imag])
            b.append(0.5 * (abs(p1 - g) ** 2 - abs(shift) ** 2))
        z = np.linalg.solve(A, b)
        assert abs(complex(*z) + p1 - joint) < 1e-12


def test_three_angles_obey_freudensteins_linear_equations():
    x, y = np.radians([45.0, 75.0, 105.0]), np.radians([80.0, 100.0, 130.0])
    (one,) = function_generators(x, y, input_start=x[0], output_start=y[0])
    # K1 cos y - K2 cos x + K3 = cos(x - y), K1 = d/a, K2 = d/c, K3 = (a2 - b2 + c2 + d2) / 2ac
    k1, k2, k3 = np.linalg.solve(
        np.column_stack([np.cos(y), -np.cos(x), np.ones(3)]), np.cos(x - y)
    )
    a, c = 1.0 / k1, 1.0 / k2
    b = math.sqrt(a * a + c * c + 1.0 - 2.0 * a * c * k3)
    assert np.allclose(
        [one.lengths[n] for n in ("crank", "coupler", "rocker")], [abs(a), b, abs(c)]
    )
    assert one.is_sound
    assert one.error < EXACT


@pytest.mark.parametrize("count", [4, 5])
def test_the_four_bar_that_made_angles_is_among_those_that_have_them(count):
    x = ANGLES[:count]
    y = np.array([BAR.at(a)[2] for a in x])
    start = {"input_start": x[0]} if count == 4 else {}
    found = function_generators(x, y, **start)
    assert found.outcome == "complete"
    assert has_bars(found, {"crank": 0.4, "coupler": 1.1, "rocker": 0.9})


def test_positions_in_another_order_are_an_order_defect_and_nothing_else():
    points = [BAR.at(a)[0] for a in ANGLES[[0, 2, 1, 3]]]
    found = path_generators([(z.real, z.imag) for z in points], [(0, 0), (1, 0)], crank=0.4)
    mine = next(one for one in found if abs(one.lengths["coupler"] - 1.1) < 1e-8)
    assert mine.defects == ("order",)


@pytest.mark.parametrize("start", [-2.0, 0.3, 1.9])
def test_a_crank_that_swings_the_long_way_has_its_positions_in_another_order(start):
    # It swings between 34 and 326 degrees about the pivots' line: past 180, and never past 0.
    swinging = ClosedForm(0.39, 1.09, 0.364, cmath.rect(1.017, start), 0.5 + 0.3j)
    poses = [
        (place.real, place.imag, turn)
        for place, turn, _ in (swinging.at(a + start) for a in np.radians([277, 66, 237, 301]))
    ]
    found = motion_generators(poses, pivots_on=((0, 0), (swinging.D.real, swinging.D.imag)))
    mine = next(one for one in found if has_bars([one], {"crank": 0.39, "rocker": 0.364}))
    assert mine.defects == ("order",)
    assert mine.error < EXACT
    assert np.degrees(np.diff(mine.crank_angles)).round(6).tolist() == [-211.0, 171.0, 64.0]


def test_positions_on_both_sides_of_the_diagonal_are_a_circuit_defect():
    def other(angle):  # the same bars put together on the other side
        z = ClosedForm(0.4, 1.1, 0.9, 1.0 + 0.0j, 0.5 - 0.3j).at(-angle)[0]
        return z.conjugate()

    points = [BAR.at(ANGLES[0])[0], other(ANGLES[1]), BAR.at(ANGLES[2])[0]]
    found = path_generators(
        [(z.real, z.imag) for z in points], [(0, 0), (1, 0)], crank=0.4, rocker=0.9
    )
    mine = next(one for one in found if abs(one.lengths["coupler"] - 1.1) < 1e-8)
    assert mine.defects == ("circuit",)
    assert len(mine.mechanism.motions().components) == 2


def test_units_and_places_far_away_change_nothing():
    points = [BAR.at(a)[0] * 25.0 + (300.0 + 40.0j) for a in ANGLES[:4]]
    found = path_generators(
        [(z.real, z.imag) for z in points], [(300, 40), (325, 40)], crank=10.0, units="mm"
    )
    assert has_bars(found, {"crank": 10.0, "coupler": 27.5, "rocker": 22.5})
    mine = next(one for one in found.sound if abs(one.lengths["coupler"] - 27.5) < 1e-7)
    assert mine.error < 1e-11  # m
    assert isinstance(mine.mechanism, kp.Mechanism)


SQUARE = [(0, 0), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("ask", "word"),
    [
        (lambda: path_generators(SQUARE, [(0, 0), (2, 0)]), "with `crank` and `rocker`"),
        (lambda: path_generators([(0, 0), (1, 0), (0, 0)], [(0, 0), (1, 1)]), "1 and 3"),
        (lambda: path_generators(SQUARE * 2, [(0, 0), (1, 1)]), "not for 6"),
        (lambda: path_generators(SQUARE, [(0, 0), (0, 0)], crank=1, rocker=1), "`pivots` number"),
        (lambda: path_generators(SQUARE, [(2, 0), (0, 3)], crank=-1, rocker=1), "positive"),
        (lambda: path_generators([(0, math.nan)] * 3, [(0, 0), (1, 1)]), "finite"),
        (lambda: motion_generators([(0, 0, 0)] * 3, pivots=[(0, 0), (1, 1)]), "1 and 2"),
        (lambda: motion_generators([(0, 0, 0), (1, 0, 1), (2, 0, 3)]), "missing"),
        (lambda: function_generators([0, 1, 2], [0, 1]), "as many"),
        (lambda: function_generators([0, 1, 1], [0, 1, 2]), "equal"),
        (lambda: function_generators([0, 1, 2], [0, 1, 2]), "2 of"),
        (lambda: path_generators(SQUARE, [(0, 0), (2, 0)], crank=1, rocker=1, reach=0), "above 1"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_sentence(ask, word):
    with pytest.raises(BadNumber, match=word):
        ask()
