"""Joints whose constraints are made of their numbers."""

from dataclasses import dataclass
from typing import ClassVar

from kempe.joints.abstract import AbstractJoint


@dataclass(frozen=True)
class AbstractCheckedJoint(AbstractJoint):
    """A joint whose constraints are made of its own numbers, and refuse those that mean nothing."""

    symbol: ClassVar[str] = "contact"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.constraints  # made once here, so that a bad number is refused with the joint
