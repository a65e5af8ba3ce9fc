"""What a synthesis found: four-bars, and how sure it is that there are no others."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

from kempe.results.maps.certificate import Promise
from kempe.synthesis.candidate import Candidate


@final
@dataclass(frozen=True, slots=True, eq=False)
class Synthesis:
    """Four-bars that meet the positions exactly; `len`, iteration and indices as of a list.

    Sound ones come first, then those with shorter bars. `outcome` says how sure it is that these
    are all whose joints lie within `reach` sizes of what was asked: "complete" is proved, for the
    numbers rounded to floating point. `left_out` counts solutions that are no four-bars: bars
    without length.
    """

    task: str
    candidates: tuple[Candidate, ...]
    outcome: Promise
    message: str
    reach: float
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates)

    def __getitem__(self, number: int) -> Candidate:
        return self.candidates[number]

    @property
    def sound(self) -> tuple[Candidate, ...]:
        """Those that move through all positions in order."""
        return tuple(one for one in self.candidates if one.is_sound)

    def __str__(self) -> str:
        count, sound = len(self), len(self.sound)
        head = (
            f"{self.task}: {count or 'no'} four-bar{'s' * (count != 1)} - {self.outcome};"
            f" {sound} without defects."
        )
        lines = [f"  {k}: {one}" for k, one in enumerate(self.candidates, start=1)]
        return "\n".join([f"{head} {self.message}".rstrip(), *lines])

    def __repr__(self) -> str:
        return str(self).partition("\n")[0]
