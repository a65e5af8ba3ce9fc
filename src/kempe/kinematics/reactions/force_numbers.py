"""The lifted numbers of a force along a motion: the same at all samples, but for callbacks."""

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.elements import asking
from kempe.compile.layout.force_elements import ForceElement
from kempe.compile.layout.layout import Layout
from kempe.compile.layout.numbers import is_literal, marker_numbers
from kempe.compile.trace.force_tracing import sight_of
from kempe.errors import FormulaError
from kempe.forces import Callback
from kempe.kinematics.observe.observation import observe_gauge
from kempe.results import Motion

FloatArray = NDArray[np.float64]


def lifted_numbers(layout: Layout, motion: Motion, element: ForceElement) -> FloatArray:
    """(n, k) in the order in which they are traced; a callback is asked at every sample."""
    own = [x for m in element.markers for x in marker_numbers(m)] + element.numbers
    numbers = np.array([x for x in own if not is_literal(x)], dtype=np.float64)
    rows = np.tile(numbers, (len(motion), 1))
    if isinstance(element.force, Callback) and len(motion):
        rows[:, -len(element.force.given) :] = _answers(layout, motion, element)
    return rows


def _answers(layout: Layout, motion: Motion, element: ForceElement) -> FloatArray:
    places = [layout.body_index[m.body] for m in element.markers]
    sight = sight_of(layout.chart, element, places)
    force, who = sight.force, f"the function of force {element.name!r}"
    turns = [observe_gauge(layout, motion, force.gauges[k])[0] for k in sight.turned]
    counted = np.array(turns).reshape(len(turns), len(motion)).T
    with asking(who):
        instants = sight.instants(motion.q, motion.v, motion.t, counted)
        answers = np.array([force.numbers(now) for now in instants])
    if not np.isfinite(answers).all():
        raise FormulaError(f"{who} returned what is no finite number.", force=element.name)
    return answers
