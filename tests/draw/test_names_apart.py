"""Words on a picture do not overlap, and those that did not stay where they were."""

import random

import pytest

import kempe
from kempe.draw.scene.symbols import SIZES
from kempe.draw.view.camera import fitted
from kempe.draw.view.paper import Text, body_names, kept_apart
from kempe.pictures.animation import standing


def overlaps(texts: list[Text]) -> list[tuple[str, str]]:
    """Pairs whose boxes share more than a tenth of a px each way."""
    found = []
    for k, a in enumerate(texts):
        for b in texts[:k]:
            wide = 0.5 * SIZES.letter * (len(a.text) + len(b.text)) - abs(a.x - b.x)
            high = SIZES.word - abs(a.y - b.y)
            if min(wide, high) > 0.1:
                found.append((a.text, b.text))
    return found


@pytest.mark.parametrize("name", ["stewart", "cardan", "planetary_train", "four_bar"])
def test_names_of_a_mechanism_are_apart(name):
    motion = kempe.gallery.MECHANISMS[name]().kinematics(until=1.0, steps=12)
    scene = standing(motion, ())
    camera = fitted(scene, 960, 600)
    for index in (0, 4, 9):
        named = [
            text
            for body in scene.bodies
            for text in body_names(camera, body, body.motion.pose(index))
        ]
        assert not overlaps(kept_apart(named, 960, 600))


def test_words_that_are_apart_stay_and_twins_part_by_half_each():
    far = [Text("name", "one", 50.0, 50.0), Text("name", "two", 300.0, 50.0)]
    assert kept_apart(far, 960, 600) == far
    twins = [Text("name", "word", 90.0, 80.0), Text("name", "word", 90.0, 80.0)]
    a, b = kept_apart(twins, 960, 600)
    assert (a.x, b.x) == (90.0, 90.0)
    assert sorted((a.y, b.y)) == pytest.approx([80.0 - SIZES.word / 2, 80.0 + SIZES.word / 2])


def test_a_dozen_words_in_a_heap_part():
    chance = random.Random(7)
    heap = [
        Text("name", "x" * chance.randint(1, 9), chance.uniform(0, 90), chance.uniform(0, 90))
        for _ in range(12)
    ]
    assert overlaps(heap)
    assert not overlaps(kept_apart(heap, 960, 600))


def test_what_holds_a_point_upright_is_not_drawn():
    motion = kempe.gallery.barton_two_tracks().kinematics(until=1.0, steps=4)
    assert any(joint.name.endswith("_upright") for joint in motion.subject.joints)
    assert not any("_upright" in joint.name for joint in standing(motion, ()).joints)


def test_words_stay_on_the_paper():
    out = [Text("name", "beyond", -40.0, 300.0), Text("name", "below", 500.0, 900.0)]
    for text in kept_apart(out, 960, 600):
        half = 0.5 * SIZES.letter * len(text.text)
        assert half <= text.x <= 960 - half
        assert 0.0 < text.y < 600.0


def test_points_that_lie_in_a_heap_have_one_name():
    motion = kempe.gallery.bead_on_wire().simulate(until=0.1, steps=2)
    scene = standing(motion, ())
    camera = fitted(scene, 960, 600)
    bead = scene.body("bead")
    words = [text.text for text in body_names(camera, bead, bead.motion.pose(0))]
    assert len(bead.points) > 4
    assert len(words) == 2  # its own name, and that of the first point
