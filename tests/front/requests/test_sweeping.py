"""What a sweep is asked for, and what no machine has room for."""

import tracemalloc

import pytest

import kempe
from kempe.errors import BadNumber
from kempe.front.requests import sweep as sweeping
from kempe.results.memory import memory


def test_more_samples_than_fit_into_memory_are_refused_with_how_many_do(monkeypatch):
    monkeypatch.setattr(sweeping, "memory_left", lambda: 2**22)
    for run in (kempe.gallery.four_bar().kinematics, kempe.gallery.double_pendulum().simulate):
        with pytest.raises(BadNumber, match=r"take .* GiB, and this machine has") as refused:
            run(until=1.0, steps=50_000_000)
        most = refused.value.facts["most"]
        assert len(run(until=0.01, steps=most)) == most + 1
        with pytest.raises(BadNumber, match="or fewer"):
            run(until=0.01, steps=2 * most + 2)


def test_the_memory_of_this_machine_is_known_or_left_alone():
    room, left = memory(), sweeping.memory_left()
    assert room is None or room > 2**26
    assert left is None or 2**20 < left <= (room or left)


@pytest.mark.parametrize("name", ["four_bar", "double_pendulum", "bricard"])
def test_a_run_and_its_summary_take_no_more_memory_than_is_counted(name, monkeypatch):
    """What the advice "ask for so many steps or fewer" leads to must fit, too."""
    mechanism = kempe.gallery.MECHANISMS[name]()
    run = mechanism.kinematics if name == "four_bar" else mechanism.simulate
    run(until=0.01, steps=2).summary()  # what is made once is no part of the samples
    monkeypatch.setattr(sweeping, "memory_left", lambda: 2**24)
    with pytest.raises(BadNumber) as refused:
        run(until=0.01, steps=50_000_000)
    tracemalloc.start()
    try:
        run(until=0.01, steps=refused.value.facts["most"]).summary()
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()
