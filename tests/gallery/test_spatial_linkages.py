"""Linkages in space, many of them with more joint rows than they need.

Sources of the figures: the loop closures in closed form; Haug's spatial slider-crank; the RSSR's
distance equation P cos b + Q sin b = S.
"""

import math

import numpy as np
import pytest

import kempe

EXACT = 1e-12
RATES = 1e-9


def test_the_slider_in_space_stands_where_the_rod_reaches(run):
    turn = run("spatial_slider_crank")
    a = turn["axle.angle"].values
    square = 0.3**2 - (0.1 - 0.08 * np.sin(a)) ** 2 - (0.12 + 0.08 * np.cos(a)) ** 2
    np.testing.assert_allclose(turn["slider.x"].values, np.sqrt(square), atol=EXACT)
    assert turn["slider.x"].values[0] == pytest.approx(0.2, abs=EXACT)


def test_the_slider_in_space_moves_as_fast_as_the_closed_form_says(run):
    turn = run("spatial_slider_crank")
    a, x = turn["axle.angle"].values, turn["slider.x"].values
    slope = 0.08 * ((0.1 - 0.08 * np.sin(a)) * np.cos(a) + (0.12 + 0.08 * np.cos(a)) * np.sin(a))
    np.testing.assert_allclose(turn["slider.x"].rate, 2 * math.pi * slope / x, atol=1e-11)


@pytest.mark.parametrize(
    ("upper", "degrees", "psi"),
    [
        (True, 0, 0.9923964349663068),
        (True, 180, 1.7533505248601609),
        (False, 0, -1.5223993404168548),
    ],
)
def test_the_rssr_s_rocker_stands_as_published(run, upper, degrees, psi):
    turn = run("rssr", upper=upper, steps=360)
    assert turn["rocker_bearing.angle"].values[degrees] == pytest.approx(psi, abs=EXACT)


@pytest.mark.parametrize(
    ("degrees", "psi", "rate", "acceleration"),
    [
        (0, 0.9923964349663068, -0.2754550658189215, 2.5769983116109225),
        (5, 0.9828518229534255, -0.1616735664082043, 2.6270716912189362),
        (10, 0.9782981308890557, -0.0471753527273772, 2.6102267322266766),
    ],
)
def test_the_rssr_s_rocker_turns_as_published(degrees, psi, rate, acceleration):
    """At a crank speed of 2 rad/s: one turn per second is pi times that."""
    turn = kempe.gallery.rssr().kinematics(until=1.0, steps=360)
    rocker = turn["rocker_bearing.angle"]
    assert rocker.values[degrees] == pytest.approx(psi, abs=1e-10)
    assert rocker.rate[degrees] / math.pi == pytest.approx(rate, abs=RATES)
    assert rocker.acceleration[degrees] / math.pi**2 == pytest.approx(acceleration, abs=RATES)


@pytest.mark.parametrize("upper", [True, False])
def test_the_rssr_s_crank_turns_fully_in_both_modes(run, upper):
    turn = run("rssr", upper=upper)
    rocker = turn["rocker_bearing.angle"].values
    assert rocker[-1] == pytest.approx(rocker[0], abs=1e-10)
    gap = turn["crank.end"].position - turn["rocker.end"].position
    np.testing.assert_allclose(np.linalg.norm(gap, axis=1), 5.0, atol=10 * EXACT)


def test_bennett_s_angles_keep_their_product(run):
    """tan(a / 2) tan(b / 2) = sin((B + A) / 2) / sin((B - A) / 2), A and B the twists."""
    turn = run("bennett")
    A = math.radians(40.0)
    B = math.asin(0.4 * math.sin(A) / 0.3)
    constant = math.sin(0.5 * (B + A)) / math.sin(0.5 * (B - A))
    a, b = (0.5 * turn[f"hinge{k}.angle"].values for k in (1, 2))
    # without tangents, which are infinite twice a turn
    np.testing.assert_allclose(np.sin(a) * np.sin(b), constant * np.cos(a) * np.cos(b), atol=1e-11)
    for k in (1, 2):  # opposite hinges are alike
        both = turn[f"hinge{k}.angle"].values + turn[f"hinge{k + 2}.angle"].values
        np.testing.assert_allclose(np.cos(both), 1.0, atol=EXACT)


def test_bennett_s_hinges_turn_all_the_way_round(run):
    turn = run("bennett")
    for k in range(1, 5):
        assert turn[f"hinge{k}.angle"].ptp("deg") == pytest.approx(360.0, abs=1e-9)
    assert turn.redundant


def test_a_bennett_loop_of_the_wrong_proportions_does_not_move():
    """Half a millimetre on one link: three rows no longer repeat what the others say."""
    mechanism = kempe.gallery.bennett()
    m = mechanism.edit()
    joint = mechanism.model.joint("hinge2")
    x, y, z = joint.I.position
    m.reattach("hinge2", I=kempe.Marker("link1", (x + 5e-4, y, z), joint.I.rotation))
    with pytest.raises(kempe.KempeError):
        m.build().kinematics(until=1.0)


def test_bricard_s_angles_keep_their_sum(run):
    """cos a + cos b + cos a cos b = 0, every other hinge alike."""
    turn = run("bricard")
    angles = [turn[f"hinge{k}.angle"].values for k in range(1, 7)]
    a, b = np.cos(angles[0]), np.cos(angles[1])
    np.testing.assert_allclose(a + b + a * b, 0.0, atol=EXACT)
    for k in (2, 3, 4, 5):
        np.testing.assert_allclose(np.cos(angles[k]), (a, b)[k % 2], atol=10 * EXACT)
    assert turn.redundant


def test_bricard_s_links_start_on_the_edges_of_a_cube(run):
    turn = run("bricard")
    corners = [turn[f"link{k}.end"].position[0] for k in range(1, 6)]
    edges = np.diff(np.array([np.zeros(3), *corners]), axis=0)
    np.testing.assert_allclose(np.sort(np.abs(edges), axis=1)[:, :2], 0.0, atol=EXACT)
    np.testing.assert_allclose(np.linalg.norm(edges, axis=1), 1.0, atol=EXACT)


def test_sarrus_plate_rises_straight_and_level(run):
    turn = run("sarrus")
    P, a = turn["plate.P"].position, turn["foot_x.angle"].values
    assert np.abs(P[:, :2]).max() < EXACT
    np.testing.assert_allclose(P[:, 2], 0.6 * np.sin(a), atol=EXACT)
    for corner in "abcd":
        np.testing.assert_allclose(turn[f"plate.{corner}"].position[:, 2], P[:, 2], atol=EXACT)
    assert len(turn.redundant) == 1


def ring(radius, spread):
    angles = [k * 2 * math.pi / 3 + s * spread for k in range(3) for s in (-1, 1)]
    return radius * np.array([[math.cos(a), math.sin(a), 0.0] for a in angles])


def test_every_leg_of_the_platform_is_as_long_as_it_is_driven(run):
    turn = run("stewart")
    feet, heads = ring(0.5, math.radians(20)), ring(0.3, math.radians(40))
    mean = np.linalg.norm(heads + np.array([0, 0, 0.6]) - feet, axis=1)
    for k in range(6):
        leg = turn[f"platform.head{k + 1}"].position - feet[k]
        phase = k * math.pi / 3
        law = mean[k] + 0.06 * (np.sin(2 * math.pi * turn.t + phase) - math.sin(phase))
        np.testing.assert_allclose(np.linalg.norm(leg, axis=1), law, atol=EXACT)


def test_legs_of_one_length_lift_the_platform_straight(run):
    turn = run("stewart", phases=(0.0,) * 6)
    P = turn["platform.P"].position
    reach = ring(0.3, math.radians(40))[0] - ring(0.5, math.radians(20))[0]
    length = math.hypot(*reach[:2], 0.6) + 0.06 * np.sin(2 * math.pi * turn.t)
    assert np.abs(P[:, :2]).max() < EXACT
    np.testing.assert_allclose(
        P[:, 2], np.sqrt(length**2 - reach[0] ** 2 - reach[1] ** 2), atol=EXACT
    )


@pytest.mark.parametrize("cylinders", [1, 3, 5])
def test_the_wobble_plate_s_pistons_stand_where_its_rim_says(run, cylinders):
    """The plate's normal n runs round a cone; its y axis is square to n and to x."""
    turn = run("wobble_plate", cylinders=cylinders)
    a, tilt = turn["shaft.angle"].values, math.radians(15.0)
    n = np.column_stack(
        [math.sin(tilt) * np.cos(a), math.sin(tilt) * np.sin(a), np.full(len(a), math.cos(tilt))]
    )
    y = np.cross(n, [1.0, 0.0, 0.0])
    y /= np.linalg.norm(y, axis=1)[:, None]
    x = np.cross(y, n)
    for k in range(cylinders):
        place = 2 * math.pi * k / cylinders
        bore = 0.08 * np.array([math.cos(place), math.sin(place), 0.0])
        ball = bore[0] * x + bore[1] * y
        off = np.sum((ball - bore)[:, :2] ** 2, axis=1)
        lift = ball[:, 2] + np.sqrt(0.12**2 - off)
        np.testing.assert_allclose(turn[f"piston{k + 1}.z"].values, lift, atol=EXACT)


def test_the_rods_of_the_octahedral_platform_swing_and_stay_as_driven(run):
    turn = run("octahedral_platform", stroke=0.05)
    first = turn["rod1.length"].values
    np.testing.assert_allclose(first - first[0], 0.05 * np.sin(2 * math.pi * turn.t), atol=EXACT)
    assert np.ptp(turn["rod2.length"].values) < EXACT


@pytest.mark.parametrize("upper", [True, False])
def test_the_arcs_of_the_spherical_four_bar_close_by_the_cosine_rule(run, upper):
    turn = run("spherical_four_bar", upper=upper)
    a, base = turn["crank_hinge.angle"].values, math.radians(80.0)
    crank, coupler, rocker = (math.radians(arc) for arc in (30.0, 70.0, 60.0))
    # from the crank's end to the base's hinge, by the sides' cosine rule; both lean along -y and y
    diagonal = math.cos(crank) * math.cos(base) - math.sin(crank) * math.sin(base) * np.cos(a)
    told = math.cos(coupler) * math.cos(rocker) - math.sin(coupler) * math.sin(rocker) * np.cos(
        turn["rocker_hinge.angle"].values
    )
    np.testing.assert_allclose(told, diagonal, atol=EXACT)


def test_the_hand_of_the_arm_is_led_straight_and_does_not_turn(run):
    turn = run("six_r_arm")
    way = turn["link6.P"].position - turn["link6.P"].position[0]
    along = turn["rail.displacement"].values
    np.testing.assert_allclose(np.linalg.norm(way, axis=1), np.abs(along), atol=EXACT)
    assert np.ptp(turn["link6.orientation"].values, axis=0).max() < 1e-9


# -- all motions and assemblies of linkages in space ---------------------------------------------

SOLVED = 1e-9


def test_the_rscr_stands_where_ball_and_pin_are_as_far_apart_as_the_link_is_long():
    """Seen along the rocker's axis: P cos b + Q sin b = S, two angles b for every a."""
    mechanism = kempe.gallery.rscr()
    assert str(mechanism.motions()) == "RSCR four-bar: 2 loops - complete."
    z = np.array([0.0, 1.0, 0.3]) / math.hypot(1.0, 0.3)
    x = np.array([1.0, 0.0, 0.0])
    y = np.cross(z, x)
    for a in (0.4, 2.0, 5.0):
        d = np.array([4.0, 0.5, 1.0]) - (math.cos(a), math.sin(a), 0.0)
        P, Q = 5.0 * (d @ x), 5.0 * (d @ y)
        S = 16.0 - 2.5**2 - (d @ x) ** 2 - (d @ y) ** 2
        spread = math.acos(S / math.hypot(P, Q))
        wanted = sorted(math.remainder(math.atan2(Q, P) + s * spread, math.tau) for s in (-1, 1))
        found = mechanism.assemblies({"crank_bearing.angle": a})
        assert found.outcome == "complete"
        angles = sorted(math.remainder(at["rocker_bearing.angle"], math.tau) for at in found)
        assert angles == pytest.approx(wanted, abs=SOLVED)


def test_goldberg_s_hinges_are_two_of_bennett_s_linkages_on_its_one_loop():
    """tan(a1 / 2) tan(a2 / 2) of the one, tan(a4 / 2) tan(a3 / 2) of the other; a4 = pi - a1."""
    mechanism = kempe.gallery.goldberg()
    found = mechanism.motions()
    assert found.outcome == "numerical"
    (loop,) = found.components
    assert loop.closed
    path = mechanism.follow(loop, 0.1)
    h = [0.5 * path[f"hinge{k}.angle"].values for k in range(1, 6)]
    A = math.radians(40.0)
    B, C = (math.asin(side * math.sin(A) / 0.3) for side in (0.4, 0.35))
    one = math.sin(0.5 * (B + A)) / math.sin(0.5 * (B - A))
    other = math.sin(0.5 * (A + C)) / math.sin(0.5 * (A - C))
    near = 1e-7  # rows that were left out hold within 1e-9 there
    np.testing.assert_allclose(
        np.sin(h[0]) * np.sin(h[1]), one * np.cos(h[0]) * np.cos(h[1]), atol=near
    )
    np.testing.assert_allclose(
        np.sin(h[3]) * np.sin(h[2]), -other * np.cos(h[3]) * np.cos(h[2]), atol=near
    )
    np.testing.assert_allclose(np.cos(2.0 * (h[0] + h[3])), -1.0, atol=near)
    np.testing.assert_allclose(np.cos(2.0 * (h[1] + h[2] + h[4])), -1.0, atol=near)


def test_a_miura_vertex_folds_in_three_ways_that_meet_where_it_lies_flat():
    mechanism = kempe.gallery.miura_vertex()
    found = mechanism.motions()
    assert found.outcome == "complete_except"
    assert len(found.components) == 6
    assert [len(place.branches) for place in found.singular] == [4, 4, 4]
    part = mechanism.motions(limits={"fold1.angle": (0.1, 3.0)})
    assert part.outcome == "complete"
    slopes = []
    for arc in part.components:
        path = mechanism.follow(arc, 0.1)
        tan = [np.tan(0.5 * path[f"fold{k}.angle"].values) for k in range(4)]
        slope = round(float(tan[0][0] / tan[1][0]), 6)
        slopes.append(slope)
        np.testing.assert_allclose(tan[0], slope * tan[1], atol=1e-7 * np.abs(tan[1]).max())
        np.testing.assert_allclose(tan[2], tan[0], atol=1e-7 * np.abs(tan[1]).max())
        np.testing.assert_allclose(np.abs(tan[3]), tan[1], rtol=1e-7)
    assert sorted(slopes) == pytest.approx([-1.0 / math.cos(math.radians(60.0)), 0.0], abs=1e-6)


def torsions_by_newton(first, rng, starts=120):
    """Torsions 2 to 6 that close a ring of six tetrahedral atoms with this torsion 1."""
    angle = math.acos(-1.0 / 3.0) - math.pi
    c, s = math.cos(angle), math.sin(angle)
    bend = np.array([[c, 0, -s, 0], [0, 1, 0, 0], [s, 0, c, 0], [0, 0, 0, 1.0]])
    shift = np.eye(4)
    shift[2, 3] = 1.0

    def rows(t):
        X = np.broadcast_to(np.eye(4), (len(t), 4, 4))
        for k in range(6):
            turn = np.zeros((len(t), 4, 4))
            turn[:, 2, 2] = turn[:, 3, 3] = 1.0
            turn[:, 0, 0] = turn[:, 1, 1] = np.cos(t[:, k])
            turn[:, 1, 0], turn[:, 0, 1] = np.sin(t[:, k]), -np.sin(t[:, k])
            X = X @ shift @ turn @ bend
        return np.concatenate([X[:, :3, 3], (X - np.eye(4))[:, :3, :3].reshape(-1, 9)], axis=1)

    t = rng.uniform(-math.pi, math.pi, (starts, 6))
    t[:, 0] = first
    for _ in range(40):
        f = rows(t)
        J = np.stack([rows(t + 1e-6 * e) - f for e in np.eye(6)[1:]], axis=2) / 1e-6
        step = (np.linalg.pinv(J, rcond=1e-6) @ f[..., None])[..., 0]
        t[:, 1:] -= np.clip(step, -0.4, 0.4)
    good = t[np.abs(rows(t)).max(axis=1) < SOLVED]
    return {tuple(row) for row in np.round(np.remainder(good + math.pi, math.tau) - math.pi, 5)}


def test_a_ring_of_six_has_the_boats_and_twists_that_newton_finds_and_a_stiff_chair():
    ring = kempe.gallery.cyclohexane()
    for degrees in (30.0, 50.0):
        found = ring.assemblies({"bond1.angle": math.radians(degrees)})
        listed = {
            tuple(round(math.remainder(at[f"bond{k}.angle"], math.tau), 5) for k in range(1, 7))
            for at in found
        }
        assert len(found) == len(listed) == 2
        assert listed == torsions_by_newton(math.radians(degrees), np.random.default_rng(3))
    assert ring.check().mobility == 1
    assert kempe.gallery.cyclohexane(boat=False).check().mobility == 0


def test_the_delta_robot_s_plate_hangs_where_three_spheres_meet():
    """Held cranks: two points; a held plate: two angles of every crank."""
    mechanism = kempe.gallery.delta_robot()
    hips = dict(zip(("hip1", "hip2", "hip3"), (0.3, 0.7, 0.1), strict=True))
    found = mechanism.assemblies({f"{name}.angle": a for name, a in hips.items()})
    assert (len(found), found.outcome) == (2, "complete")
    spokes = [np.array([math.cos(t), math.sin(t), 0.0]) for t in (0, math.tau / 3, -math.tau / 3)]
    for at in found:
        for d, a in zip(spokes, hips.values(), strict=True):
            knee = (0.15 + 0.2 * math.cos(a)) * d - (0, 0, 0.2 * math.sin(a))
            assert np.linalg.norm(at["plate.P"] - knee) == pytest.approx(0.45, abs=SOLVED)
    P = np.array([0.05, -0.03, -0.45])
    found = mechanism.assemblies(dict(zip(("plate.x", "plate.y", "plate.z"), P, strict=True)))
    wanted = []
    for d in spokes:
        A, B = P @ d - 0.15, -P[2]
        C = (A * A + B * B + (P @ np.cross(d, (0, 0, 1))) ** 2 + 0.2**2 - 0.45**2) / 0.4
        middle, spread = math.atan2(B, A), math.acos(C / math.hypot(A, B))
        wanted.append([middle - spread, middle + spread])
    assert (len(found), found.outcome) == (8, "complete")
    for k, both in enumerate(wanted, start=1):
        angles = sorted(math.remainder(at[f"hip{k}.angle"], math.tau) for at in found)
        both = sorted(math.remainder(a, math.tau) for a in both)
        assert angles == pytest.approx([a for a in both for _ in range(4)], abs=1e-7)
