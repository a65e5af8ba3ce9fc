"""Proving a motion map again: its model is read from the map, or given."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import gauges_by_name
from kempe.errors import FileError, KempeError
from kempe.interruption import keeps_what_is_done
from kempe.measures import Gauge
from kempe.model import Model
from kempe.motion.verify.verification import Verification
from kempe.motion.verify.verification import verify as prove
from kempe.motion.verify.written.planar_rows import Asked, gauges_asked
from kempe.results.maps.certificate import Origin
from kempe.results.maps.motion_map import MotionMap

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism


@keeps_what_is_done
def verify(
    motions: MotionMap,
    mechanism: "Mechanism | None" = None,
    tell: Callable[[int, int], None] | None = None,
    *,
    seconds: float = math.inf,
) -> Verification:
    """Prove a motion map again from its model, by other ways than those of the search.

    With a `mechanism`, the map must be one of that very mechanism; else it is proved for the model
    that it carries. `tell` hears how many charts of how many are done, and then, while it is proved
    that nothing is missing, how many parts of a saved cover. After so many `seconds` it ends with
    what was proved until then, and says what was not.

    Examples:
        >>> import kempe
        >>> print(kempe.verify(kempe.gallery.four_bar().motions()))
        All 14 charts and 14 links hold, and nothing is missing.
    """
    origin = motions.origin or Origin()
    model = origin.model or _model(origin)
    if mechanism is not None:
        given = mechanism.layout.model
        if model is not None and _text(given) != _text(model):
            return Verification(0, 0, (f"the map is not one of {given.name!r}: its model differs",))
        model = given
    if model is None:
        return prove(motions, None, Asked(), tell, seconds)
    try:
        asked = gauges_asked(_gauges(model), dict(origin.held), dict(origin.limits))
    except KempeError as trouble:
        return Verification(0, 0, (str(trouble).rstrip("."),))
    return prove(motions, Layout(model), asked, tell, seconds)


def _gauges(model: Model) -> dict[str, Gauge]:
    known = dict(gauges_by_name(model))
    return known | {d.gauge.name: d.gauge for d in model.drives if d.gauge.name not in known}


def _text(model: Model) -> str:
    from kempe.export.model_text import model_text

    return model_text(model)


def _model(origin: Origin) -> Model | None:
    """The model that a saved map carries."""
    if not origin.document:
        return None
    from kempe.files.documents.document import document_from

    try:
        return document_from(origin.document.encode(), "model.json").model
    except KempeError as trouble:
        raise FileError(f"the model in this map cannot be read: {trouble}", path="") from None
