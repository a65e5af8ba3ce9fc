"""What is prepared for a model goes when the model goes."""

import gc
import weakref

import kempe
from kempe.kinematics.stepping.preparation import prepare

VARIANTS = 12


def test_a_mechanism_that_nobody_holds_is_forgotten_with_all_that_was_prepared_for_it():
    def used(k):
        """Layouts of a variant that was swept, simulated and run on a curve."""
        swept = kempe.gallery.four_bar(crank=0.02 + 0.001 * k)
        swept.kinematics(until=1.0, steps=4)
        swept.assemblies({"crank.angle": 1.0})
        swept.check()
        falling = kempe.gallery.double_pendulum()
        falling.simulate(until=0.01, steps=2)
        riding = kempe.gallery.bead_on_wire()
        riding.simulate(until=0.01, steps=2)
        return [weakref.ref(m.layout) for m in (swept, falling, riding)]

    kept = [layout for k in range(VARIANTS) for layout in used(k)]
    gc.collect()
    assert [layout for layout in kept if layout() is not None] == []


def test_a_model_is_prepared_once_for_the_same_start():
    layout = kempe.gallery.four_bar().layout
    first, later = prepare(layout, 0.0), prepare(layout, 0.5)
    assert prepare(layout, 0.0) is first
    assert later is not first


def test_starts_of_one_model_do_not_pile_up():
    layout = kempe.gallery.four_bar().layout
    for k in range(1000):
        layout.keep(k, bytearray(10))
    assert layout.prepared(999, bytearray) == bytearray(10)
    assert layout.prepared(0, bytearray) is None
    assert len(layout._prepared) < 100
