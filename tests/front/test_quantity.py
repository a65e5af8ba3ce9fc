"""A quantity is a number that prints its unit."""

import pickle

from kempe.readings.channel import Quantity


def test_it_computes_as_a_number_and_prints_with_its_unit():
    swing = Quantity(51.8345, "deg")
    assert swing * 2 == 103.669
    assert str(swing) == f"{swing}" == "51.83 deg"
    assert repr(swing) == "51.8345 deg"
    assert f"{swing:.1f}" == "51.8"


def test_it_survives_a_pickle():
    there = pickle.loads(pickle.dumps(Quantity(3.0, "mm/s")))
    assert (float(there), there.unit) == (3.0, "mm/s")
