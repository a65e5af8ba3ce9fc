"""Every name that can be read off a motion of a model."""

from functools import lru_cache, partial

from kempe.errors import KempeError
from kempe.kinematics.transmission.transfer import transfer
from kempe.kinematics.transmission.transmission_angle import only_slides
from kempe.model import Model
from kempe.readings.analysis_readings import TRANSMISSION, analyses
from kempe.readings.body_readings import body_readings, energy_readings, place_readings
from kempe.readings.force_readings import (
    applied_readings,
    drive_readings,
    reaction_readings,
    why_no_force,
    work_readings,
)
from kempe.readings.registry import Registry

ANGLES = ["transmission.angle", "transmission.pressure_angle"]


@lru_cache(maxsize=64)
def registry_of(model: Model, *, is_simulated: bool) -> Registry:
    """The names of a model that is moved, or simulated, known before anything is computed."""
    places, reactions = [*place_readings(model)], [*reaction_readings(model)]
    rest = [*applied_readings(model), *body_readings(model), *work_readings(model)]
    rest += [*drive_readings(model), *(energy_readings(model) if is_simulated else ())]
    # Where two are called alike, a point or measure comes first, a reaction last.
    meant = {one.name: one for one in reversed([*places, *rest, *reactions])}
    bodies = [body.name for body in model.moving]
    families = (model.joints, model.couplers, model.forces, model.drives)
    parts = [part.name for family in families for part in family if part.name]
    return Registry(
        {one.name: meant[one.name] for one in (*places, *reactions, *rest)},
        analyses(bodies, model.drives[0].gauge.unit if model.drives else ""),
        _idle(model, bodies, is_simulated=is_simulated),
        model.outputs,
        bodies,
        [*parts, "energy"] if is_simulated else parts,
        partial(why_no_force, model),
    )


def _idle(model: Model, bodies: list[str], *, is_simulated: bool) -> list[str]:
    """Analyses that not every motion of this model has: they ask for a plane, a loop, drives."""
    idle = [] if model.plane else [f"{body}.centre.{axis}" for body in bodies for axis in "xy"]
    if is_simulated or not model.drives:  # a freedom may have no drive
        return idle + [f"transmission.{word}" for word in TRANSMISSION]
    try:
        is_idle = only_slides(transfer(model))
    except KempeError:
        return idle + ANGLES
    # in space the loop may not move in a plane
    return idle if model.plane and not is_idle else idle + ANGLES
