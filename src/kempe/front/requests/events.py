"""Events that are asked for: words of the model and texts, and the names in them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import ModelError
from kempe.events import AbstractEvent, AbstractMoment, Crossing
from kempe.front.requests.every_assembly import searchable
from kempe.readings.registry import column_formula, registry_of
from kempe.readings.source import ComputedSource
from kempe.results import Motion

if TYPE_CHECKING:
    from kempe.dynamics.events.watches import Expressions

FloatArray = NDArray[np.float64]


def with_events(layout: Layout, more: Sequence[AbstractEvent | str]) -> Layout:
    """The layout of the model with events beside its own; the same where there are none."""
    if isinstance(more, str | AbstractEvent):
        more = (more,)
    if not more:
        return layout
    model, found = layout.model, []
    taken = {event.name for event in model.events}
    for number, one in enumerate(more, start=1):
        event = Crossing(one, name=one if "." not in one else "") if isinstance(one, str) else one
        if not isinstance(event, AbstractEvent):
            raise ModelError(f"an event is a text or one of kempe.events, not {one!r}.")
        name, k = event.name or f"event{number}", number
        while name in taken:
            k += 1
            name = f"event{k}"
        taken.add(name)
        found.append(replace(event, name=name))
    return searchable(replace(model, events=(*model.events, *found)))


def expressions_of(layout: Layout) -> "Expressions":
    """The expressions of the model's moments; UnknownName where a name in one means nothing."""
    from kempe.dynamics.events.watches import Expressions, Text

    moments = [event for event in layout.model.events if isinstance(event, AbstractMoment)]
    if not moments:
        return Expressions()
    registry, texts = registry_of(layout.model, is_simulated=True), []
    for moment in moments:
        formula = column_formula(moment.when)
        for name in formula.names.values():
            registry.single(name, f" in {moment.when!r} of {moment.called}")
        texts.append(Text(formula.formula, formula.names))

    return Expressions(tuple(texts), MomentReader(layout))


@final
@dataclass(frozen=True, slots=True, eq=False)
class MomentReader:
    """Reads the expressions of a model's moments off samples, and then the names in them."""

    layout: Layout

    def __call__(self, motion: Motion) -> FloatArray:
        source = ComputedSource(self.layout, motion)
        moments = [e for e in self.layout.model.events if isinstance(e, AbstractMoment)]
        formulas = [column_formula(moment.when) for moment in moments]
        columns = [formula.values(source) for formula in formulas]
        columns += [source[name].values for one in formulas for name in one.names.values()]
        return np.stack(columns, axis=1)
