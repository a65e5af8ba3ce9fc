"""Drives that do not determine the motion, in words."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class IdleDrives:
    """Names of drives that together hold less than their number, here or everywhere."""

    names: tuple[str, ...] = ()
    is_general: bool = False  # also a short way off
    surplus: int = 0  # how many of them could go without anything being held less

    @property
    def too_many(self) -> str:
        """What is wrong with them where there are more drives than freedoms."""
        which = "it" if len(self.names) == 1 else "one of them"
        return f"{self.fault[:-1]}: remove {which}."

    def remove(self, sets: tuple[tuple[str, ...], ...] | None) -> str:
        """The same, where it was tried which `sets` of drives can go; None where it was not."""
        if sets is None or (sets and {(name,) for name in self.names} == set(sets)):
            return self.too_many
        if not sets:
            return self.fault
        shown = [" and ".join(repr(name) for name in names) for names in sets]
        word = "that" if len(sets[0]) == 1 else "those"
        return f"{self.fault} Remove {' or '.join(f'{word} on {names}' for names in shown)}."

    @property
    def fault(self) -> str:
        """What is wrong with them, without what to do."""
        shown = " and ".join(repr(name) for name in self.names)
        if len(self.names) == 1:
            return f"The drive on {shown} moves nothing."
        return f"The drives on {shown} depend on each other."

    @property
    def words(self) -> str:
        """What is wrong with them, and what to do."""
        shown = " and ".join(repr(name) for name in self.names)
        if len(self.names) == 1 and self.is_general:
            return f"The drive on {shown} moves nothing: drive another measure."
        if self.is_general:
            which = "one" if self.surplus <= 1 else str(self.surplus)
            return (
                f"The drives on {shown} depend on each other, whatever the position: remove {which}"
                " of them and drive another measure."
            )
        one = len(self.names) == 1
        return (
            f"In this position the drive{'' if one else 's'} on {shown} cannot set it in motion, as"
            f" at a dead centre: start {'it' if one else 'one of them'} at another value, or drive"
            " another joint."
        )
