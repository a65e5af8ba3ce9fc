"""What a sweep is asked for, and what no machine has room for."""

import pytest

import kempe
from kempe.errors import BadNumber
from kempe.front.requests import sweep as sweeping


def test_more_samples_than_fit_into_memory_are_refused_with_how_many_do(monkeypatch):
    monkeypatch.setattr(sweeping, "memory", lambda: 2**20)
    for run in (kempe.gallery.four_bar().kinematics, kempe.gallery.double_pendulum().simulate):
        with pytest.raises(BadNumber, match=r"take .* GiB, and this machine has") as refused:
            run(until=1.0, steps=50_000_000)
        most = refused.value.facts["most"]
        assert len(run(until=0.01, steps=most)) == most + 1
        with pytest.raises(BadNumber, match="or fewer"):
            run(until=0.01, steps=2 * most + 2)


def test_the_memory_of_this_machine_is_known_or_left_alone():
    room = sweeping.memory()
    assert room is None or room > 2**26
