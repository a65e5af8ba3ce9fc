"""What reading a foreign file gives: a model, what its file asks to run, and what was left out."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from kempe.errors import FileError, KempeError, printable
from kempe.files.documents.run import Run
from kempe.model import Model

if TYPE_CHECKING:
    from kempe.foreign.asmt.results import Results


@final
@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of a file that its model does not have: which, why, and the line it stands in."""

    line: int  # from 1; 0 for the file as a whole
    what: str
    why: str

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        return printable(f"{place}{self.what}: {self.why}")


@final
@dataclass(frozen=True, slots=True)
class Report:
    """What became of a foreign file: everything that was left out, and what was assumed.

    `left_out` are items of the file that the model does not have, `notes` what the reader had to
    decide because the format does not say it, such as a unit or another name.
    """

    path: str
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[LeftOut, ...] = ()

    def __str__(self) -> str:
        return self.text()

    @property
    def file(self) -> Path:
        """The file that was read or written."""
        return Path(self.path)

    @property
    def headline(self) -> str:
        """One sentence: how much was left out."""
        n, m = len(self.left_out), len(self.notes)
        if not n and not m:
            return f"{printable(self.path)}: nothing was left out."
        items = f"{n} item{'s' * (n != 1)} left out" if n else "nothing left out"
        notes = f", {m} note{'s' * (m != 1)}" if m else ""
        return f"{printable(self.path)}: {items}{notes}."

    def text(self, most: int | None = None) -> str:
        """The headline and one line for each item; of more than `most` the first ones."""
        lines = [f"  left out, {item}" for item in self.left_out]
        lines += [f"  note, {item}" for item in self.notes]
        rest = len(lines) - most if most is not None else 0
        if rest > 0:
            lines = [*lines[:most], f"  and {rest} more"]
        return "\n".join([self.headline, *lines])

    def facts(self) -> dict[str, Any]:
        """The report as JSON can hold it."""

        def items(listed: Iterable[LeftOut]) -> list[dict[str, Any]]:
            return [{"line": one.line, "what": one.what, "why": one.why} for one in listed]

        return {"left_out": items(self.left_out), "notes": items(self.notes)}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Imported:
    """A foreign file as it was read: its model, the analysis it asks for, and the report.

    `results` are the time series that the file holds of a run of its own program, for comparison;
    None where it has none.
    """

    model: Model
    report: Report
    run: Run = field(default_factory=Run)
    results: "Results | None" = None

    @property
    def run_entry(self) -> dict[str, Any]:
        """The analysis it asks for as the section `run` of a model file has it."""
        words = ("until", "steps", "analysis")
        return {word: value for word in words if (value := getattr(self.run, word)) is not None}


@final
class Ledger:
    """Collects what is left out of one file while it is read, and puts its place on mistakes."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._left_out: list[LeftOut] = []
        self._notes: list[LeftOut] = []

    def leave_out(self, line: int, what: str, why: str) -> None:
        """Say that `what`, in this line, has no place in the model, and why."""
        self._left_out.append(LeftOut(line, what, why))

    def note(self, line: int, what: str, why: str) -> None:
        """Say what was assumed about `what`, in this line."""
        self._notes.append(LeftOut(line, what, why))

    @property
    def report(self) -> Report:
        """All that was said, in the order of the file."""
        by_line = (tuple(sorted(x, key=lambda i: i.line)) for x in (self._left_out, self._notes))
        return Report(self.path, *by_line)

    def mistake(self, line: int, message: str) -> FileError:
        """A mistake in this line of the file."""
        return FileError(message, path=self.path, line=line)

    @contextmanager
    def at(self, line: int, what: str = "") -> Iterator[None]:
        """Whatever mistake is made inside is told with this line of the file, and of `what`."""
        try:
            yield
        except FileError as mistake:
            if mistake.line:
                raise
            raise self.mistake(line, mistake.message) from None
        except KempeError as mistake:
            said = f"{what}: {mistake.message}" if what else mistake.message
            raise self.mistake(line, said) from None
