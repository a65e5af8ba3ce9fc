"""What many variants of a mechanism do: arrays over variants and samples, and how each ended."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from kempe.batch.asking import NOT_REACHED, WORDS, Swept
from kempe.batch.summary import LARGEST, LAST, LEAST, MEAN
from kempe.errors import BadNumber, UnknownName, nearest_name
from kempe.notebook import in_cell, table_html
from kempe.outcome import Ending

if TYPE_CHECKING:
    from kempe.front.mechanism import Mechanism
    from kempe.results.state import State

FloatArray = NDArray[np.float64]
DERIVATIVES = ("rates", "accelerations")


@final
class BatchReading(NamedTuple):
    """Where what was read stands among the scalars of a batch, and what it is.

    `orders` are 1 for values alone, 2 with rates, 3 with accelerations.
    """

    place: slice
    unit: str
    is_point: bool
    orders: int


@final
@dataclass(frozen=True, slots=True, eq=False)
class BatchChannel:
    """One reading of all variants: `values` (variants, samples), of a point (.., .., 2 or 3).

    `rate` and `acceleration` have the same shape, in m or rad and seconds; those that were not
    asked for are refused. NaN stands where a variant had ended, and nowhere else. `min`, `max`,
    `mean`, `last` and `ptp` are one number for each variant, (variants,) or (variants, 2 or 3);
    they are all there is where the batch was asked to keep a summary.
    """

    name: str
    t: FloatArray
    unit: str
    orders: tuple[FloatArray, ...]
    is_summary: bool = False  # whether `orders` hold (variants, 4, ...): least to last

    @property
    def values(self) -> FloatArray:
        """Positions of a point (m), or values of a measure (m or rad, whole turns counted)."""
        return self._order(0)

    def min(self, derivative: int = 0) -> FloatArray:
        """The least value of all samples; with `derivative` 1 or 2 the least rate or acceleration.

        NaN of a variant that has not come to the last sample.
        """
        return self._summary(LEAST, derivative)

    def max(self, derivative: int = 0) -> FloatArray:
        """The largest value of all samples; with `derivative` 1 or 2 of rates or accelerations."""
        return self._summary(LARGEST, derivative)

    def mean(self, derivative: int = 0) -> FloatArray:
        """The mean of all samples; with `derivative` 1 or 2 that of rates or accelerations."""
        return self._summary(MEAN, derivative)

    def last(self, derivative: int = 0) -> FloatArray:
        """The value of the last sample; with `derivative` 1 or 2 its rate or acceleration."""
        return self._summary(LAST, derivative)

    def ptp(self, derivative: int = 0) -> FloatArray:
        """The largest less the least value; with `derivative` 1 or 2 of rates or accelerations."""
        return self.max(derivative) - self.min(derivative)

    def _summary(self, row: int, derivative: int) -> FloatArray:
        self._refuse_unknown(derivative)
        values = self.orders[derivative]
        if self.is_summary:
            return values[:, row]
        every = (values.min(axis=1), values.max(axis=1), values.mean(axis=1), values[:, -1])
        return np.asarray(every[row])

    @property
    def rate(self) -> FloatArray:
        """Velocities, in m/s or rad/s."""
        return self._order(1)

    @property
    def acceleration(self) -> FloatArray:
        """Accelerations, in m/s2 or rad/s2."""
        return self._order(2)

    def _order(self, k: int) -> FloatArray:
        self._refuse_unknown(k)
        if self.is_summary:
            raise BadNumber(
                f"of {self.name!r} a summary was kept, not its samples: read .min(), .max(),"
                ' .mean(), .last() or .ptp(), or ask for the batch with keep="samples".'
            )
        return self.orders[k]

    def _refuse_unknown(self, k: int) -> None:
        if k not in range(3):
            raise BadNumber(f"`derivative` is 0, 1 or 2, not {k!r}.")
        if k >= len(self.orders):
            if self.unit == "J":
                raise BadNumber(f"of {self.name!r} there are values alone: energies have no rates.")
            raise BadNumber(
                f"{DERIVATIVES[k - 1]} of {self.name!r} were not computed: ask for the batch with"
                f" derivatives={k}."
            )

    def __len__(self) -> int:
        return len(self.orders[0])

    def __repr__(self) -> str:
        if self.is_summary:
            return f"{self.name} ({self.unit}) of {len(self)} variants: min, max, mean, last"
        shape = " x ".join(map(str, self.values.shape))
        return f"{self.name} ({self.unit}) of {len(self)} variants: {shape}"


MOST_SHOWN = 20  # variants in a table of a notebook


@final
class Batch:
    """Variants of a mechanism, what was read of each at every sample, and how each ended.

    `batch["coupler.P"].values` is an array (variants, samples, 2), `batch.parameters` the columns
    that were given. `outcomes` says of each variant "Done", or why its samples end before the last:
    "DeadPoint", "Bifurcation", ... as sweeps end; "NotReached" where it cannot be led from the
    mechanism's own assembly to its parameters; "Refused" where it cannot be built.
    """

    def __init__(
        self,
        mechanism: "Mechanism",
        parameters: Mapping[str, FloatArray],
        t: FloatArray,
        readings: Mapping[str, BatchReading],
        swept: Swept,
        notes: Sequence[str] = (),
        begun: "Callable[[int], State] | None" = None,
    ) -> None:
        self.mechanism, self.parameters, self.t = mechanism, dict(parameters), t
        self.notes = tuple(notes)
        self.samples = swept.samples
        self._readings, self._swept, self._begun = dict(readings), swept, begun

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def names(self) -> tuple[str, ...]:
        """What can be read."""
        return tuple(self._readings)

    @property
    def outcomes(self) -> NDArray[np.str_]:
        """How each variant ended, in one word, (variants,)."""
        return np.array(WORDS)[self._swept.endings]

    @property
    def device_seconds(self) -> float:
        """How long a graphics card computed (s), transfers left out; 0 on the processor."""
        return self._swept.device_seconds

    @property
    def is_done(self) -> NDArray[np.bool_]:
        """Which variants came to the last sample, (variants,)."""
        return np.asarray(self._swept.endings == WORDS.index(Ending.DONE.value))

    def __getitem__(self, name: str) -> BatchChannel:
        """A reading that was asked for, of all variants."""
        if name not in self._readings:
            near = nearest_name(name, self._readings)
            raise UnknownName(f"{name!r} was not asked for in this batch.{near}", name=name)
        place, unit, is_point, count = self._readings[name]
        orders = []
        for values in self._swept.values[:count, place]:  # (scalars, samples, variants)
            orders.append(values.transpose(2, 1, 0) if is_point else values[0].T)
        return BatchChannel(name, self.t, unit, tuple(orders), self._swept.is_summary)

    def variant(self, k: int) -> "Mechanism":
        """Variant number `k`, from 0 on, as a mechanism of its own, for any analysis."""
        values = {name: float(column[self._number(k)]) for name, column in self.parameters.items()}
        return self.mechanism.with_parameters(values) if values else self.mechanism

    def start(self, k: int) -> "State":
        """The state that run number `k`, from 0 on, was given to start with; or where it stands.

        `batch.variant(k).simulate(until, start=batch.start(k))` makes that run alone, and
        `kinematics(..., start=batch.start(k))` goes on from one of a batch of assemblies.
        """
        if self._begun is None:
            raise BadNumber("this batch was given no `start`: its variants start as they are made.")
        k = self._number(k)
        if str(self.outcomes[k]) == NOT_REACHED:
            raise BadNumber(f"run {k} has no start: {self.why(k)}")
        return self._begun(k)

    def why(self, k: int) -> str:
        """How variant number `k`, from 0 on, ended, in words."""
        k = self._number(k)
        word = str(self.outcomes[k])
        if k in self._swept.reasons:
            return f"{word}: {self._swept.reasons[k]}"
        if word == "Done":
            return "Done: it has come to the last sample."
        if word == "NotReached":
            return (
                "NotReached: on the way from the mechanism's own parameters to those of this"
                f" variant it meets a singular position. variant({k}).assemblies() lists the ways"
                " to put it together, if there are any."
            )
        last = float(self.t[max(0, int(self.samples[k]) - 1)])
        return (
            f"{word}: after {self.samples[k]} of {len(self.t)} samples, at t = {last:.6g} s."
            f" variant({k}).kinematics(...) says more."
        )

    def _number(self, k: int) -> int:
        count = len(self)
        if not -count <= k < count:
            raise BadNumber(f"there is no variant {k}: there are {count}, from 0 on.")
        return k % count

    def __repr__(self) -> str:
        counts = Counter(self.outcomes.tolist())
        told = ", ".join(f"{n:,} {word}" for word, n in counts.most_common())
        return (
            f"Batch of {len(self):,} variants of {self.mechanism.name!r} x {len(self.t)} samples:"
            f" {told}. Read: {', '.join(self.names)}"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the first variants with their parameters and how they ended."""
        heads = ["variant", *self.parameters, "outcome"]
        shown = range(min(len(self), MOST_SHOWN))
        columns = list(self.parameters.values())
        rows = [
            [k, *(in_cell(float(column[k])) for column in columns), str(self.outcomes[k])]
            for k in shown
        ]
        left = len(self) - len(rows)
        more = f"; {left:,} more: .parameters and .outcomes" if left else ""
        return table_html(heads, rows, f"{self!r}{more}")
