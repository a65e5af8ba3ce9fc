"""What a page plots beside a moving picture: the quantities that are named, or that say most."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kempe.draw import Series
from kempe.errors import BadNumber, KempeError
from kempe.results.subject import SubjectJoint

if TYPE_CHECKING:
    from kempe.front.trajectory import Trajectory

FloatArray = NDArray[np.float64]
Picked = NDArray[np.intp]
MOST_PLOTS = 6  # that are chosen; who names them may have twice as many
ENERGIES = ("kinetic", "potential", "dissipated", "driven")
CALM = 1e-3  # of the largest change: an energy that changes less is not plotted
STILL = 1e-9  # of the machine's size: what moves less is not plotted
EFFORT = ".effort"  # what a drive must give


def plotted(trajectory: "Trajectory", pick: Picked, names: Sequence[str] = ()) -> list[Series]:
    """Quantities over the picked samples: those named, else those that `m.output` names, else what
    drives must give, what moves, what is driven, and in a simulation where the energy is.
    """
    if names:
        series = [one for name in names for one in _series(trajectory, name, pick)]
        if len(series) > 2 * MOST_PLOTS:
            raise BadNumber(
                f"{len(series)} plots do not fit beside a picture: name {2 * MOST_PLOTS} or fewer."
            )
        return series
    if len(pick) < 2:  # nothing changes
        return []
    outputs = [output.title for output in trajectory.subject.outputs]
    energies = _energies(trajectory, pick)
    chosen: list[Series] = []
    own = _own_names(trajectory)
    for name in outputs or dict.fromkeys(own(name) for name in _by_themselves(trajectory)):
        chosen += [one for one in _quiet(trajectory, name, pick) if _changes(one, trajectory)]
    return [*chosen[: MOST_PLOTS - len(energies)], *energies]


def _by_themselves(trajectory: "Trajectory") -> list[str]:
    """What drives must give, then what they bring about, then what they do."""
    shown = trajectory.subject.shown
    driven = [name for name in shown if name + EFFORT in trajectory]
    others = [name for name in shown if name not in driven]
    efforts = [name + EFFORT for name in driven] if trajectory.subject.weights else []
    return [*efforts, *others, *driven]


def _own_names(trajectory: "Trajectory") -> Callable[[str], str]:
    """What a reader calls a quantity: a place is that of a point, not of the joint within."""
    points = {j.name: j.J.body for j in trajectory.subject.joints if is_internal(j)}

    def own(name: str) -> str:
        joint, _, word = name.partition(".")
        if joint not in points:
            return name
        return f"{points[joint]}.{'z' if word == 'displacement' else word}"

    return own


def is_internal(joint: SubjectJoint) -> bool:
    """Whether a joint is part of another thing: a point is a body that does not turn."""
    return joint.kind == "norotation" and joint.name == f"{joint.J.body}_upright"


def _quiet(trajectory: "Trajectory", name: str, pick: Picked) -> list[Series]:
    """The series of a name that was not asked for: none where it cannot be had."""
    try:
        return list(_series(trajectory, name, pick))
    except KempeError:
        return []


def _series(trajectory: "Trajectory", name: str, pick: Picked) -> Iterator[Series]:
    """A quantity in the units that people read; a vector by its components."""
    channel = trajectory[name]
    own = getattr(channel, "unit", "m")  # a point has none: it is a place
    unit = {"rad": "deg", "m": trajectory.subject.length_unit}.get(own, own)
    values = np.asarray(channel.to(unit) if unit != own else _values(channel))[pick]
    if values.ndim == 1:
        yield Series(name, unit, values)
        return
    for letter, column in zip("xyz", values.T, strict=False):
        yield Series(f"{name}.{letter}", unit, column)


def _values(channel: Any) -> FloatArray:
    """The samples of a quantity, or of a place."""
    return np.asarray(getattr(channel, "values", getattr(channel, "position", None)))


def _changes(series: Series, trajectory: "Trajectory") -> bool:
    size = trajectory.subject.size if series.unit == trajectory.subject.length_unit else 1.0
    return float(np.ptp(series.values)) > STILL * size


def _energies(trajectory: "Trajectory", pick: Picked) -> list[Series]:
    """Where the energy of a simulation is, as far as it changes."""
    if not trajectory.motion.is_simulated:
        return []
    parts = {word: getattr(trajectory.energy, word)[pick] for word in ENERGIES}
    most = max(float(np.ptp(values)) for values in parts.values())
    return [
        Series(f"{word} energy", "J", values)
        for word, values in parts.items()
        if np.ptp(values) > CALM * most
    ]
