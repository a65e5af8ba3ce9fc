"""Many variants put together at once: near where the mechanism stands, on its branch."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kempe.batch.devices import CPU
from kempe.compile.layout.layout import Layout
from kempe.drives import Setting
from kempe.errors import BadNumber
from kempe.front.batch import Batch
from kempe.front.parts import by_name
from kempe.front.requests.batch import (
    KINDS,
    Draw,
    Limits,
    Moved,
    Span,
    Where,
    columns_beside,
    refuse_unknown_parameters,
    swept_batch,
)
from kempe.front.requests.every_assembly import searchable
from kempe.front.requests.sweep import set_by_hand, still_measured
from kempe.model import Model

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism

ASSEMBLIES: Final = "assemblies"
STEPS: Final = 360  # as `batch` has it where nothing is said


def assemblies_of(
    mechanism: "Mechanism",
    parameters: Mapping[str, Any],
    start: Mapping[str, Any],
    outputs: Sequence[str],
    span: Span,
    draw: tuple[int | None, int],
    limits: Limits,
    where: Where,
) -> Batch:
    """Variants where measures have the values of `start`, or the drives theirs at t = 0.

    All numbers, those of measures too, are led from where the mechanism stands.
    """
    until, steps, over = span
    if until is not None or over is not None or steps != STEPS:
        raise BadNumber('analysis="assemblies" moves nothing: leave `until`, `steps`, `over` out.')
    if limits[0] or where != (CPU, KINDS[0]):
        raise BadNumber(
            'analysis="assemblies" gives values of what stands, by the processor: leave'
            " `derivatives`, `device` and `keep` out."
        )
    refuse_unknown_parameters(mechanism, by_name(parameters, "a batch", "array"))
    if not parameters and not start:
        raise BadNumber("a batch needs parameters that vary, or values of measures in `start`.")
    columns, values = columns_beside(parameters, start, Draw(*draw))
    home = mechanism.model
    if values:
        home, guesses = set_by_hand(mechanism.layout, tuple(values))
        poses = guesses.poses
        home = replace(
            home,
            bodies=tuple(
                replace(b, guess=poses[b.name]) if b.name in poses else b for b in home.bodies
            ),
        )
        for drive in home.drives:
            unset = float(drive.law.value(0.0))
            home = _held(home, {drive.gauge.name: unset})

    def build(given: Mapping[str, float]) -> Layout:
        mine = {name: given[name] for name in columns}
        model = mechanism.with_parameters(mine).model if mine else mechanism.model
        if values:
            model = still_measured(replace(model, drives=home.drives), mechanism.model)
            model = _held(model, {name: given[name] for name in values})
        return Layout(model)

    moved = Moved(searchable(home), build, np.zeros(1), tuple(columns), has_starts=True)
    return swept_batch(mechanism, columns | values, moved, outputs, limits, where)


def refuse_a_folder(folder: object) -> None:
    """A BadNumber where a folder is given: what stands takes no room."""
    if folder is not None:
        raise BadNumber('analysis="assemblies" is kept in memory: leave `folder` out.')


def _held(model: Model, values: Mapping[str, float]) -> Model:
    """The model with some of its drives set to values."""
    drives = tuple(
        replace(d, law=Setting(values[d.gauge.name], values[d.gauge.name]))
        if d.gauge.name in values
        else d
        for d in model.drives
    )
    return replace(model, drives=drives)
