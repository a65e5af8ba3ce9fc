"""What is said of a motion agrees with the motion, for every entry of the gallery."""

import numpy as np
import pytest

import kempe
from kempe.gallery import COURSES, MECHANISMS

STEP = 1e-3  # s
# A central difference is off by STEP^2 / 6 times the third derivative, some thousand times the
# first at 60 rpm.
DIFFERENCE = 2e-3
# Velocities of some m/s from samples that are solved to 1e-13, over conditions up to 1e4.
CLOSE = 1e-8
SOME = 4  # bodies looked at in large mechanisms


MOVING = [n for n, make in MECHANISMS.items() if make().model.drives and n not in COURSES]


@pytest.fixture(scope="module", params=MOVING)
def motion(request: pytest.FixtureRequest) -> kempe.Trajectory:
    """The first twentieth of a second of an entry of the gallery."""
    return MECHANISMS[request.param]().kinematics(until=50 * STEP, steps=50)


def test_the_trend_of_the_condition_is_its_rate(motion: kempe.Trajectory) -> None:
    condition = motion.transmission.condition()
    rate = (condition.smallest[2:] - condition.smallest[:-2]) / (2.0 * STEP)
    scale = np.abs(rate).max() + 1e-6
    assert (condition.smallest > 0.0).all()
    assert np.abs(condition.trend[1:-1] - rate).max() < DIFFERENCE * scale


def test_a_body_turns_about_its_instant_centre_and_screws_about_its_axis(
    motion: kempe.Trajectory,
) -> None:
    check = turns_about_centre if motion.subject.plane else screws_about_axis
    for body in motion.subject.bodies[:SOME]:
        check(motion, body.name, [body.name, *(f"{body.name}.{point}" for point in body.points)])


def turns_about_centre(motion: kempe.Trajectory, body: str, points: list[str]) -> None:
    """v = rate k x arm, for every point of the body."""
    centre = motion.relative(body).instant_centre
    seen = centre.is_finite
    rate = motion[f"{body}.angle"].rate[seen]
    for point in (motion[name] for name in points):
        arm = point.position[seen] - centre.point[seen]
        turning = rate[:, None] * np.column_stack([-arm[:, 1], arm[:, 0]])
        np.testing.assert_allclose(point.velocity[seen], turning, atol=CLOSE)


def screws_about_axis(motion: kempe.Trajectory, body: str, points: list[str]) -> None:
    """Every point slides alike along the axis; the rest is square to the axis and to its arm."""
    axis = motion.relative(body).screw_axis
    turns = np.isfinite(axis.pitch)
    slides = []
    for point in (motion[name] for name in points):
        along = np.einsum("ni,ni->n", point.velocity, axis.direction)[turns]
        arm = (point.position - axis.point)[turns]
        across = point.velocity[turns] - along[:, None] * axis.direction[turns]
        np.testing.assert_allclose(np.einsum("ni,ni->n", across, arm), 0.0, atol=CLOSE)
        slides.append(along)
    np.testing.assert_allclose(slides, slides[:1] * len(slides), atol=CLOSE)


def test_every_point_has_a_path_that_bends_as_its_acceleration_says(
    motion: kempe.Trajectory,
) -> None:
    """The acceleration square to the way is speed^2 times the curvature."""
    for body in motion.subject.bodies[:SOME]:
        for name in (body.name, *(f"{body.name}.{point}" for point in body.points)):
            point = motion[name]
            bend = point.curvature
            moves = np.isfinite(bend.values)
            speed = np.linalg.norm(point.velocity[moves], axis=1)
            way = point.velocity[moves] / speed[:, None]
            a = point.acceleration[moves]
            across = a - np.einsum("ni,ni->n", a, way)[:, None] * way
            size = np.linalg.norm(across, axis=1)
            scale = 1.0 + np.abs(a).max(initial=0.0)
            np.testing.assert_allclose(
                speed**2 * np.abs(bend.values[moves]), size, atol=CLOSE * scale
            )
