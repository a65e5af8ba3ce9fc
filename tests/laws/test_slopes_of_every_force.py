"""No force escapes the laws of slopes: those of exported classes are tried, and where they push.

`test_exact_slopes` and `test_implicit_slopes` skip what has no place on two free bodies. A class
of which all is skipped, or a contact that is far away wherever it is looked at, would pass unseen.
"""

import contextlib
import itertools

import numpy as np
import pytest

from kempe.forces import AbstractContact, AbstractForce
from tests.laws.conftest import members, samples
from tests.laws.test_implicit_slopes import WAYS, bodies, of_a_force

ELSEWHERE = {
    "Callback": "what a Python function gives has no slope: it is frozen for a step",
    "JointFriction": f"it needs its joint: {len(WAYS)} of them in both laws",
}
LOOKS = 40
CLASSES = [c for c in members(AbstractForce) if c.__name__ not in ELSEWHERE]
CONTACTS = [c for c in CLASSES if issubclass(c, AbstractContact)]


@pytest.mark.parametrize("force_kind", CLASSES, ids=lambda c: c.__name__)
def test_a_sample_of_every_force_is_tried(force_kind):
    for force in samples(force_kind):
        for plane in (False, True):
            with contextlib.suppress(pytest.skip.Exception):
                of_a_force(force, plane, np.random.default_rng(1))
                return
    pytest.fail("no sample of it has a place on two free bodies: its slopes are never looked at")


@pytest.mark.parametrize("force_kind", CONTACTS, ids=lambda c: c.__name__)
def test_every_contact_is_looked_at_while_it_touches(force_kind):
    rng, touching = np.random.default_rng(2), 0
    for force in itertools.islice(itertools.cycle(samples(force_kind)), LOOKS):
        pair = zip(bodies(rng, False), force.markers, strict=False)
        places = [body.guess @ marker.pose for body, marker in pair]
        touching += any(float(touch.gap) < 0.0 for touch in force.touches(*places))
        if touching > LOOKS // 10:
            return
    pytest.fail(f"only {touching} of {LOOKS} places lie in contact")
