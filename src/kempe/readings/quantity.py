"""A number that knows how to print its unit."""

from typing import final


@final
class Quantity(float):
    """A plain float, shown with its unit: Quantity(51.83, "deg") prints as 51.8 deg."""

    __slots__ = ("unit",)
    unit: str

    def __new__(cls, value: float, unit: str) -> "Quantity":
        self = super().__new__(cls, value)
        self.unit = unit
        return self

    def __repr__(self) -> str:
        return f"{float(self):.6g} {self.unit}".rstrip()

    def __str__(self) -> str:
        return f"{float(self):.4g} {self.unit}".rstrip()

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def __reduce__(self) -> tuple[object, ...]:
        return Quantity, (float(self), self.unit)
