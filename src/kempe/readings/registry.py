"""The registry: every name that can be read, with its unit, its shape and what it is.

`trajectory[...]`, tables, plots, outputs, formulas and the command line all ask here what a name
means, so it means the same everywhere, and a name that is wrong gets the same answer everywhere.

Formulas of names are texts such as "0.5 * 40 * (spring.length - 0.1)^2". Their grammar is that of
drives and forces, so nothing in a text is ever run as code; names carry dots here, and a name with
blanks or signs in it stands between back quotes. d(a)/d(b) is the velocity ratio of two measures;
a/b divides their values, as everywhere.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.algebra.text.grammar import RESERVED, WrittenFormula, parse
from kempe.compile.trace.part_names import MODELS, refuse_two_measures
from kempe.errors import (
    DuplicateName,
    ExpressionError,
    KempeError,
    ModelError,
    UnknownName,
    nearest_name,
)
from kempe.kinematics.transmission.transfer import only_slides, transfer
from kempe.model import Model, Output
from kempe.model.output import NAME
from kempe.names import refuse_no_texts
from kempe.notebook import table_html
from kempe.readings.analysis_readings import TRANSMISSION, analyses, ratio_reading
from kempe.readings.channel import AXES, Channel, Kind, ValueChannel
from kempe.readings.contact_gaps import contact_readings
from kempe.readings.part_readings import (
    applied_readings,
    body_readings,
    drive_readings,
    energy_readings,
    following_names,
    held_readings,
    place_readings,
    reaction_readings,
    state_readings,
    why_no_force,
    work_readings,
)
from kempe.readings.reading import Reading
from kempe.units import in_base_units

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

FloatArray = NDArray[np.float64]
SIGNS = re.compile(r"[-+*/^()<>=`,]")
_IN_RATIO = rf"\bd\(\s*({NAME.pattern.replace('(', '(?:', 1)})\s*\)"
RATIO = re.compile(rf"{_IN_RATIO}\s*/\s*{_IN_RATIO}")


@final
@dataclass(frozen=True, slots=True)
class ColumnFormula:
    """A formula, and what its names stand for."""

    text: str
    formula: WrittenFormula
    names: dict[str, str]  # identifier in the formula -> name of a column

    def values(self, source: "AbstractSource") -> FloatArray:
        """(n,), sample by sample."""
        for name in self.names.values():
            source.registry.single(name, f" in {self.text!r}")
        known = {word: source[name].values for word, name in self.names.items()}
        with np.errstate(all="ignore"):  # what has no value at a sample is inf or nan there
            found = self.formula.value(known)
        return np.array(np.broadcast_to(found, (len(source.motion),)), dtype=np.float64)


def ratio_names(text: str) -> tuple[str, ...]:
    """The two measures of "d(rocker.angle)/d(crank.angle)"; () where a text is something else."""
    found = RATIO.fullmatch(text.strip())
    return (found[1].strip("`"), found[2].strip("`")) if found else ()


def ratio_text(over: str, under: str) -> str:
    """The velocity ratio of two measures as a name: d(rocker.angle)/d(crank.angle)."""
    plain = (name if NAME.fullmatch(name) else f"`{name}`" for name in (over, under))
    return "d({})/d({})".format(*plain)


def _column_names(text: str) -> Iterator[tuple[int, int, str]]:
    """Where names of columns stand in a formula, and what they are; ratios are names, too."""
    ratios = [(found.start(), found.end(), found[0]) for found in RATIO.finditer(text)]
    for found in NAME.finditer(text):
        word = found.group(1) or found.group(0)
        if any(start <= found.start() < end for start, end, _ in ratios):
            continue
        if found.group(1) is None and (word in RESERVED or _is_exponent(text, found.start())):
            continue
        ratios.append((found.start(), found.end(), word))
    yield from sorted(ratios)


def is_formula(text: str) -> bool:
    """Whether a text could be more than a name."""
    return bool(SIGNS.search(text)) or text[:1].isdigit()


def column_formula(text: str) -> ColumnFormula:
    """The formula in a text; ExpressionError where it is none."""
    names: dict[str, str] = {}
    counter = itertools.count()
    pieces, end = [], 0
    for start, stop, word in _column_names(text):
        known = next((k for k, v in names.items() if v == word), None)
        key = known or f"column{next(counter)}"
        names[key] = word
        pieces += [text[end:start], key]
        end = stop
    written = "".join([*pieces, text[end:]])
    try:
        return ColumnFormula(text, parse(written), names)
    except ExpressionError as mistake:
        why = mistake.message.split(": ", 1)[-1]
        for key, word in reversed(names.items()):
            why = why.replace(key, word)
        raise ExpressionError(f"{text!r} is no name and no formula: {why}", text=text) from None


def _is_exponent(text: str, at: int) -> bool:
    """Whether a letter belongs to a number, as in 2e3."""
    return at > 0 and (text[at - 1].isdigit() or text[at - 1] == ".") and text[at] in "eE"


# What is read off a body, next to its origin.
OF_BODIES = (
    *("angle", "angular_velocity", "angular_acceleration", "orientation"),
    *("force", "torque"),
)


@final
class Registry:
    """Readable names -> readings.

    `channels` are those of a motion in the order of tables, `analyses` single columns made of them;
    of these `idle` cannot be computed here and are not listed. `bodies` and other `parts` stand for
    all that is read off them; `reason` says more of a name that cannot be read.
    """

    def __init__(
        self,
        channels: Mapping[str, Reading],
        analyses: Iterable[Reading],
        idle: Iterable[str],
        outputs: Sequence[Output],
        bodies: Iterable[str],
        parts: Iterable[str] = (),
        reason: Callable[[str], KempeError | None] = lambda _: None,
    ) -> None:
        self.channels, self.outputs = dict(channels), tuple(outputs)
        self._analyses = {one.name: one for one in analyses}
        self._idle, self._reason = frozenset(idle), reason
        self._bodies, self._parts = frozenset(bodies), frozenset(parts)
        named = [output for output in outputs if output.name]
        self._taken = {
            output.name
            for output in named
            if self.get(output.name) or f"{output.name}.magnitude" in self.channels
        }
        for output in named:
            self.channels.setdefault(output.name, _formula(output))

    def __repr__(self) -> str:
        return f"Registry of {len(self.channels)} names: list(registry) has all, with units"

    def _repr_html_(self) -> str:
        """What a notebook shows: names, units and what they are."""
        rows = [(r.name, r.unit or "-", r.description) for r in self.channels.values()]
        return table_html(["name", "unit", "what it is"], rows)

    def __iter__(self) -> Iterator[Reading]:
        """Every reading by a name of its own: channels, each with its parts, and analyses."""
        for reading in self.channels.values():
            yield reading
            yield from (part for part in reading.parts() if part.name not in self.channels)
        yield from self.analyses()

    def analyses(self) -> Iterator[Reading]:
        """Those that can be computed here."""
        yield from (one for name, one in self._analyses.items() if name not in self._idle)

    def get(self, name: str) -> Reading | None:
        """The reading of that name; None where it has none, as a formula has not."""
        head = name.rpartition(".")[0]
        if name in self.channels:
            return self.channels[name]
        if name in self._analyses:
            return self._analyses[name]
        if head in self.channels:
            return next((part for part in self.channels[head].parts() if part.name == name), None)
        measures = [self._measure(one) for one in ratio_names(name)]
        return ratio_reading(name, *measures) if measures else None

    def _measure(self, name: str) -> Reading:
        found = self.get(name)
        if found is None:
            raise self.refusal(name)
        if found.kind != "scalar":
            raise UnknownName(f"{name!r} is no measure, so it has no velocity ratio.", name=name)
        return found

    def find(self, text: str) -> Reading:
        """What a name or a formula of names means; UnknownName where it means nothing."""
        name = text.strip()
        found = self.get(name)
        if found is None and not is_formula(name):
            raise self.refusal(name)
        return found or _formula(Output(name))

    def single(self, name: str, where: str = "") -> Reading:
        """What a name means that stands for one number, as in a formula."""
        found = self.get(name)
        if found is None:
            raise self.refusal(name, where)
        if found.labels:
            parts = ", ".join(c.name for c in found.columns()[:6])
            raise UnknownName(f"{name!r} is no single number: take one of {parts}.", name=name)
        return found

    def point(self, name: str, purpose: str, unless: str = "") -> Reading:
        """The point of that name; UnknownName with its `purpose` if none, or on body `unless`."""
        refuse_no_texts([name])
        points = {n: one for n, one in self.channels.items() if one.kind == "point"}
        mine = {n: one for n, one in points.items() if not unless or n.partition(".")[0] != unless}
        if name not in mine:
            near = nearest_name(name, mine)
            raise UnknownName(f"there is no point {name!r} to {purpose}.{near}", name=name)
        return mine[name]

    def expanded(self, name: str) -> list[str]:
        """A part's name as all that is read off it; any other name as it is."""
        name = name.strip()
        if name in self._bodies:
            more = (f"{name}.{word}" for word in OF_BODIES)
            return [name, *(word for word in more if word in self.channels)]
        if name in self.channels:
            return [name]
        return [n for n in self.channels if n.startswith(f"{name}.")] or [name]

    def refusal(self, name: str, where: str = "") -> KempeError:
        """Why a name cannot be read, and what is near it."""
        mine, reason = self.expanded(name), self._reason(name)
        if reason is not None:
            return reason
        if mine != [name]:
            few = ", ".join(map(repr, mine[:6]))
            return UnknownName(f"{name!r} is a part: take one of {few}.", name=name)
        known = {one.name for one in self} | self._analyses.keys() | self._bodies | self._parts
        near = nearest_name(name, known)
        return UnknownName(f"there is no {name!r} to read{where}.{near}", name=name)

    def refuse_unknown(self, output: Output) -> None:
        """A KempeError where an output is made of what there is not."""
        text = output.text.strip()
        if not output.name and self.expanded(text) != [text]:
            return
        if not output.name and (self.get(text) or not is_formula(text)):
            self.find(text)
            return
        formula = column_formula(text)
        self.refuse_later(output, formula.names.values())
        for word in formula.names.values():
            self.single(word, f" in {text!r}")

    def refuse_later(self, output: Output, names: Iterable[str]) -> None:
        """A formula is made of outputs before it alone, so that none is made of itself."""
        place = self.outputs.index(output) if output in self.outputs else len(self.outputs)
        later = [one.name for one in self.outputs[place:] if one.name]
        for name in names:
            if name in later:
                raise UnknownName(
                    f"{output.title!r} is made of {name!r}, which comes later or is itself: list it"
                    " after what it is made of.",
                    name=name,
                )

    def refuse_duplicates(self) -> None:
        """A ModelError where an output is called as another, or as what is read anyway."""
        names = [output.name for output in self.outputs if output.name]
        for name in names:
            if names.count(name) > 1 or name in self._taken:
                raise ModelError(
                    f"there is more than one {name!r} to read: call the output otherwise."
                )


def _formula(output: Output) -> Reading:
    says = f"formula {output.text.strip()}"
    return Reading(output.title, "value", output.unit, says, partial(_computed, output))


def _computed(output: Output, source: "AbstractSource") -> Channel:
    formula = column_formula(output.text)
    source.registry.refuse_later(output, formula.names.values())
    return ValueChannel(output.title, source.motion.t.copy(), formula.values(source), output.unit)


ANGLES = ["transmission.angle", "transmission.pressure_angle"]


@lru_cache(maxsize=MODELS)
def registry_of(model: Model, *, is_simulated: bool, is_caused: bool = True) -> Registry:
    """The names of a model that is moved, or simulated, known before anything is computed.

    Of a motion that is not `is_caused`, with free parts that move as little as they can, joints and
    drives tell no forces.
    """
    refuse_two_measures(model)
    places, reactions = [*place_readings(model)], [*reaction_readings(model)]
    rest = [*applied_readings(model), *body_readings(model), *work_readings(model)]
    rest += [*drive_readings(model), *contact_readings(model)]
    if is_simulated:
        rest += [*energy_readings(), *held_readings(model), *state_readings(model)]
    bodies = [body.name for body in model.moving]
    asked = [*analyses(bodies, model.drives[0].gauge.unit if model.drives else "")]
    channels = _meant([*places, *reactions, *rest], [one.name for one in asked])
    families = (model.joints, model.couplers, model.forces, model.drives, model.events)
    parts = [part.name for family in families for part in family if part.name]
    if not is_caused:
        following = following_names(model)
        channels = {name: one for name, one in channels.items() if name not in following}
    return Registry(
        channels,
        asked,
        _idle(model, bodies, is_simulated=is_simulated),
        model.outputs,
        bodies,
        [*parts, "energy"] if is_simulated else parts,
        partial(why_no_force, model, is_caused=is_caused),
    )


def _meant(readings: Sequence[Reading], analysed: Sequence[str]) -> dict[str, Reading]:
    """Readings by name; a DuplicateName where one name means two things.

    The x of a body is that of its origin; a force may have the very measure it acts along.
    """
    channels: dict[str, Reading] = {}
    for one in readings:
        known = channels.setdefault(one.name, one)
        if known is not one and _meaning(known) != _meaning(one):
            raise _two_meanings(one.name, known.description, one.description)
    for name in analysed:
        if name in channels:
            raise _two_meanings(name, channels[name].description, "an analysis")
    for name in (*channels, *analysed):
        part, _, word = name.rpartition(".")
        of = channels.get(part)
        is_coordinate = word in AXES and "." not in part and of is not None and of.kind == "point"
        if of is not None and word in _words(of.kind, of.labels) and not is_coordinate:
            raise _two_meanings(name, f"{word} of {of.description}", "what is called so")
    return channels


def _meaning(reading: Reading) -> object:
    read = reading.read
    return (read.func, read.args) if isinstance(read, partial) else read


@lru_cache(maxsize=64)
def _words(kind: Kind, labels: tuple[str, ...]) -> frozenset[str]:
    """What may follow the name of such a reading."""
    one = Reading("", kind, "", "", lambda source: source[""], labels)
    return frozenset(part.name.removeprefix(".") for part in one.parts())


def _two_meanings(name: str, first: str, second: str) -> DuplicateName:
    return DuplicateName(
        f"{name!r} means two things, {first} and {second}: give one of them another name.",
        name=name,
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
