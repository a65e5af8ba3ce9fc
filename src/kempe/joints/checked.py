"""Joints whose constraints are made of their numbers."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from kempe.constraints import AbstractConstraint
from kempe.joints.abstract import AbstractJoint


@dataclass(frozen=True)
class AbstractCheckedJoint(AbstractJoint):
    """A joint whose constraints are made of its own numbers, and refuse those that mean nothing.

    `made_of` is the class of its only constraint, whose fields are fields of the joint too.
    """

    made_of: ClassVar[Any]
    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # made once here, so that a bad number is refused with the joint

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:  # type: ignore[override]
        """What holds, as a constraint."""
        return (self.made_of(**{f.name: getattr(self, f.name) for f in fields(self.made_of)}),)
