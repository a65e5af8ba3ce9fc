"""Outputs: what is chosen of a motion, object by object, checked before anything is computed."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from kempe.compile.trace.part_names import gauges_by_name, points_by_name
from kempe.errors import ModelError, UnknownName, nearest_name
from kempe.model import Model, Output
from kempe.readings.analysis_columns import TRANSMISSION
from kempe.readings.body_readings import RESULTANTS, TURNING, reading_names
from kempe.readings.channel import ValueChannel
from kempe.readings.column import Column, named_columns
from kempe.readings.column_formulas import column_formula, is_formula, ratio_names
from kempe.readings.force_readings import force_names
from kempe.units import in_base_units

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

# What may follow a channel's name.
COMPONENTS = (
    *("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az", "e0", "e1", "e2", "e3"),
    *("rate", "acceleration", "speed", "magnitude", "curvature", "radius", "pitch"),
)
OF_BODIES = ("x", "y", "z", "angle", *TURNING, *RESULTANTS)


def output_channel(trajectory: "Trajectory", output: Output) -> ValueChannel:
    """A formula of columns, as a channel."""
    formula = column_formula(output.text)
    _refuse_later(trajectory.subject.outputs, output, formula.names.values())
    return ValueChannel(output.title, trajectory.t.copy(), formula.values(trajectory), output.unit)


def _refuse_later(outputs: Sequence[Output], output: Output, names: Iterable[str]) -> None:
    """A formula is made of outputs before it alone, so that none is made of itself."""
    place = outputs.index(output) if output in outputs else len(outputs)
    later = [one.name for one in outputs[place:] if one.name]
    for name in names:
        if name in later:
            raise UnknownName(
                f"{output.title!r} is made of {name!r}, which comes later or is itself: list it"
                " after what it is made of.",
                name=name,
            )


def chosen(trajectory: "Trajectory") -> list[Column]:
    """The columns of the outputs that the model asks for."""
    found: list[Column] = []
    for output in trajectory.subject.outputs:
        for name in expanded(trajectory, output.title):
            found += named_columns(trajectory, name)
    return found


def expanded(trajectory: "Trajectory", name: str) -> list[str]:
    """A part's name as all that is read off it; any other name as it is."""
    bodies = [body.name for body in trajectory.subject.bodies]
    if name in bodies:
        more = [f"{name}.{word}" for word in OF_BODIES[3:]]
        return [name, *(word for word in more if word in trajectory)]
    mine = [n for n in trajectory.names if n.startswith(f"{name}.")]
    return mine if mine and name not in trajectory else [name]


def refuse_unknown_outputs(model: Model, wanted: Sequence[Output], *, is_simulated: bool) -> None:
    """A KempeError where an output names what there is not, before anything is computed."""
    if not wanted:
        _refuse_duplicates(model)
        return
    channels = {
        *points_by_name(model),
        *gauges_by_name(model),
        *force_names(model),
        *reading_names(model, is_simulated=is_simulated),
        *(output.name for output in model.outputs if output.name),
        "t",
    }
    parts = {body.name for body in model.bodies} | {joint.name for joint in model.joints}
    parts |= {one.name for one in model.couplers} | {force.name for force in model.forces}
    parts |= {drive.name for drive in model.drives if drive.name}
    parts |= {"energy"} if is_simulated else set()
    known = {*channels, *parts, *TRANSMISSION}
    bodies = {body.name for body in model.bodies}
    for output in wanted:
        if not output.name and _is_known(output.text, channels, parts):
            continue
        if not output.name and not is_formula(output.text):
            near = nearest_name(output.text, known)
            raise UnknownName(f"there is no {output.text!r} to put out.{near}", name=output.text)
        formula = column_formula(output.text)
        _refuse_later(model.outputs, output, formula.names.values())
        for word in formula.names.values():
            if not _is_known(word, channels, bodies):
                near = nearest_name(word, channels)
                raise UnknownName(
                    f"there is no {word!r} to read in {output.text!r}.{near}", name=word
                )
        if output.unit:
            in_base_units(output.unit)  # refuses what is no unit
    _refuse_duplicates(model)


def _is_known(name: str, channels: set[str], parts: set[str]) -> bool:
    head, _, word = name.rpartition(".")
    ratio = ratio_names(name)
    return (
        name in channels
        or name in parts
        or (head in channels and word in COMPONENTS)
        or name in TRANSMISSION
        or (head.endswith(".centre") and head.removesuffix(".centre") in parts and word in "xy")
        or (ratio is not None and channels.issuperset(ratio))
    )


def _refuse_duplicates(model: Model) -> None:
    names = [output.name for output in model.outputs if output.name]
    if not names:
        return
    taken = {*points_by_name(model), *gauges_by_name(model), *force_names(model), "t"}
    for name in names:
        if names.count(name) > 1 or name in taken:
            raise ModelError(f"there is more than one {name!r} to read: call the output otherwise.")


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
