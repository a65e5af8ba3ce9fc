"""Two mechanisms as one."""

import numpy as np
import pytest

import kempe
from kempe.errors import BadConnection, DuplicateName, UnknownName
from kempe.geometry import Pose, Rotation, Vector

EXACT = 1e-12
NAMES = {"crank": "lever", "A": "E", "B": "F", "C": "G", "guide": "rail"}


def there(x, y, angle=0.0):
    return Pose(Vector(x, y, 0.0), Rotation.planar(angle))


def both(**options):
    a = kempe.gallery.four_bar(crank=0.03, coupler=0.09, rocker=0.07, ground=0.1)
    b = kempe.gallery.slider_crank(crank=0.07, rod=0.2)
    known = {old: new for old, new in NAMES.items() if old in names_of(b)}
    return kempe.merge(a, b, **{"rename": known, **options})


def names_of(mechanism):
    model = mechanism.model
    return {part.name for part in (*model.bodies, *model.joints)}


def test_grounds_become_one_and_everything_else_stays():
    one = both()
    assert len(one.model.moving) == 3 + 3
    assert len(one.model.joints) == 4 + 4
    assert [d.gauge.name for d in one.model.drives] == ["crank.angle", "lever.angle"]
    turn = one.kinematics(until=1.0, steps=12)
    alone = kempe.gallery.slider_crank(crank=0.07, rod=0.2).kinematics(until=1.0, steps=12)
    np.testing.assert_allclose(turn["slider.x"].values, alone["slider.x"].values, atol=EXACT)


def test_a_body_of_one_is_a_body_of_the_other():
    """The rocker is the press's crank, about the rocker's own pivot."""
    one = both(identify={"lever": "rocker", "ground": ("ground", there(0.1, 0.0))})
    m = one.edit()
    m.remove("lever.angle", "E")
    turn = m.build().kinematics(until=1.0, steps=36)
    assert turn.outcome.is_done
    end = turn["rocker.end"].position
    x = end[:, 0] + np.sqrt(0.2**2 - end[:, 1] ** 2)
    np.testing.assert_allclose(turn["slider.x"].values, x, atol=EXACT)


def test_a_pose_says_where_the_other_ground_lies():
    """Turned by a quarter, the slider goes up and down."""
    one = both(identify={"ground": ("ground", there(0.5, 0.2, np.pi / 2))})
    turn = one.kinematics(until=1.0, steps=12)
    alone = kempe.gallery.slider_crank(crank=0.07, rod=0.2).kinematics(until=1.0, steps=12)
    np.testing.assert_allclose(turn["slider.x"].values, 0.5, atol=EXACT)
    np.testing.assert_allclose(turn["slider.y"].values, 0.2 + alone["slider.x"].values, atol=1e-11)


def test_a_drive_counts_from_the_ground_it_had():
    """The law of the second crank counts from its own ground, which lies turned by a quarter."""
    one = both(identify={"ground": ("ground", there(0.5, 0.2, np.pi / 2))})
    turn = one.kinematics(until=1.0, steps=12)
    driven = next(d for d in one.model.drives if d.gauge.name == "lever.angle_there")
    values = turn["lever.angle_there"].values
    np.testing.assert_allclose(values, driven.law.value(turn.t), atol=EXACT)
    np.testing.assert_allclose(turn["lever.angle"].values, values + np.pi / 2, atol=EXACT)


@pytest.mark.row("E3")
def test_the_thesis_s_combination_is_a_member_of_the_library():
    assert "sung_combined" in kempe.gallery.MECHANISMS
    assert len(kempe.gallery.sung_combined().model.joints) == 10


def test_names_that_both_use_are_refused():
    with pytest.raises(DuplicateName, match="crank"):
        both(rename={})


def test_the_plane_and_space_do_not_mix():
    with pytest.raises(BadConnection, match="plane"):
        kempe.merge(kempe.gallery.four_bar(), kempe.gallery.cardan())


def test_an_unknown_body_is_named():
    with pytest.raises(UnknownName, match="rokcer"):
        both(identify={"lever": "rokcer"})


def test_a_notebook_shows_a_mechanism_and_says_why_it_cannot():
    page = kempe.gallery.four_bar()._repr_html_()
    assert "<svg" in page
    assert "3 moving bodies, 4 joints" in page
    m = kempe.gallery.four_bar(crank=1, coupler=1, rocker=1, ground=1).edit()
    m.reattach("D", I=m.ground.at(9, 0))
    page = m.build()._repr_html_()
    assert "<svg" not in page
    assert "cannot be" in page
