"""Outputs: what is chosen of a motion, object by object, checked before anything is computed."""

from collections.abc import Sequence
from typing import Any

from kempe.errors import ModelError
from kempe.model import Model, Output
from kempe.readings.model_readings import registry_of
from kempe.units import in_base_units


def refuse_unknown_outputs(model: Model, wanted: Sequence[Output], *, is_simulated: bool) -> None:
    """A KempeError where an output names what there is not, before anything is computed."""
    if not wanted and not model.outputs:
        return
    registry = registry_of(model, is_simulated=is_simulated)
    for output in wanted:
        registry.refuse_unknown(output)
        if output.unit:
            in_base_units(output.unit)  # refuses what is no unit
    registry.refuse_duplicates()


def output_of(what: Any, words: Sequence[str], name: str, unit: str) -> list[Output]:
    """What `Builder.output` is given: a part and words, or a name or formula in text."""
    text = what if isinstance(what, str) else str(getattr(what, "name", "") or "")
    if not text:
        raise ModelError(f"an output is a part, a measure, a name or a formula, not {what!r}.")
    if not words:
        return [Output(text, name, unit)]
    if name or unit:
        raise ModelError(f"the outputs of {text!r} have names and units of their own.")
    return [Output(f"{text}.{word}") for word in words]
