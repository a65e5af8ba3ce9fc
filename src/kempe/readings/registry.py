"""The registry: every name that can be read, with its unit, its shape and what it is.

`trajectory[...]`, tables, plots, outputs, formulas and the command line all ask here what a name
means, so it means the same everywhere, and a name that is wrong gets the same answer everywhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, final

from kempe.errors import KempeError, ModelError, UnknownName, nearest_name
from kempe.model import Output
from kempe.readings.analysis_readings import ratio_reading
from kempe.readings.channel import Channel, ValueChannel
from kempe.readings.column_formulas import column_formula, is_formula, ratio_names
from kempe.readings.reading import Reading

if TYPE_CHECKING:
    from kempe.readings.source import AbstractSource

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
        self._taken = {output.name for output in named if self.get(output.name)}
        for output in named:
            self.channels.setdefault(output.name, _formula(output))

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
        if found is None or found.kind != "scalar":
            raise self.refusal(name)
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
        if name in self.channels:
            return UnknownName(f"{name!r} is no measure, so it has no velocity ratio.", name=name)
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
