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
        assert not overlaps(kept_apart(named))


def test_words_that_are_apart_stay_and_twins_part_by_half_each():
    far = [Text("name", "one", 0.0, 0.0), Text("name", "two", 300.0, 0.0)]
    assert kept_apart(far) == far
    a, b = kept_apart([Text("name", "word", 10.0, 20.0), Text("name", "word", 10.0, 20.0)])
    assert (a.x, b.x) == (10.0, 10.0)
    assert sorted((a.y, b.y)) == pytest.approx([20.0 - SIZES.word / 2, 20.0 + SIZES.word / 2])


def test_a_dozen_words_in_a_heap_part():
    chance = random.Random(7)
    heap = [
        Text("name", "x" * chance.randint(1, 9), chance.uniform(0, 90), chance.uniform(0, 90))
        for _ in range(12)
    ]
    assert overlaps(heap)
    assert not overlaps(kept_apart(heap))


def test_what_holds_a_point_upright_is_not_drawn():
    motion = kempe.gallery.barton_two_tracks().kinematics(until=1.0, steps=4)
    assert any(joint.name.endswith("_upright") for joint in motion.subject.joints)
    assert not any("_upright" in joint.name for joint in standing(motion, ()).joints)
