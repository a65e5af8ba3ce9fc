"""What constraints on bars share. A bar is the line through two points, its start and its end."""

from abc import abstractmethod
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, final

from kempe.constraints.abstract import AbstractConstraint, Rows
from kempe.geometry import Pose, Scalar, Vector
from kempe.geometry.curves.abstract import Domain

if TYPE_CHECKING:
    from collections.abc import Callable

SHARES = Domain(0.0, 1.0)  # of a bar, from its start to its end


@final
class BarOf(NamedTuple):
    """Which frames of a constraint a bar runs between, and the field that holds its length."""

    start: int
    end: int
    length: str  # the field is None where the bar can change its length


@final
class Parted(NamedTuple):
    """What rows say of a bar: vectors that lie along it, instead of cross products, and the rest.

    Each has its unit, "m" or "1".
    """

    along: tuple[tuple[Vector, str], ...]
    others: tuple[tuple[Scalar, str], ...] = ()

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of every row, three for a vector."""
        crossed = (unit for _, unit in self.along for _ in range(3))
        return (*crossed, *(unit for _, unit in self.others))


class AbstractBarConstraint(AbstractConstraint):
    """A formula of bars: of the vectors u from their starts to their ends, and of other frames.

    Where the formula `sees_lines` it is the same, up to a factor that is not zero, for every end
    of a bar along its line: with u / |u| in place of u and 1 as its length it says the same.
    """

    __slots__ = ()

    bars: ClassVar[tuple[BarOf, ...]]
    sees_lines: ClassVar[bool] = True

    if TYPE_CHECKING:
        rows_along: Callable[..., Rows]
        parted: Callable[..., Parted]
    else:

        def parted(self, u, *X):
            """Its rows without those that follow from others, from the bars' `u` (m) and `X`.

            Only constraints with rows that are `implied` have it.
            """
            raise NotImplementedError

        @abstractmethod
        def rows_along(self, u, *X):
            """The rows, from the bars' vectors `u` (m) and `X`: markers' poses, own unknowns."""

    def vectors(self, *X: Pose) -> list[Vector]:
        """u = p_WB - p_WA (m) of every bar from A to B, its markers at `X`."""
        return [along(X[bar.start], X[bar.end]) for bar in self.bars]

    def phi(self, *X: Any) -> Rows:
        return self.rows_along(self.vectors(*X), *X)

    def is_flexible(self, bar: BarOf) -> bool:
        """Whether `bar`, one of its bars, can change its length and shrink to nothing."""
        return getattr(self, bar.length) is None

    def arrows(self, *X: Pose) -> list[Vector]:
        pairs = zip(self.bars, self.vectors(*X), strict=True)
        return [u for bar, u in pairs if self.is_flexible(bar)]

    def with_lengths(self, lengths: Mapping[str, Scalar]) -> Self:
        """The constraint with other `lengths` (m) of its bars, by the names of their fields."""
        twin = copy(self)
        for field, length in lengths.items():
            object.__setattr__(twin, field, length)
        return twin


class AbstractTwoBars(AbstractBarConstraint):
    """A formula of two bars: one from I to K, the other from J to L."""

    __slots__ = ()

    frames: ClassVar[int] = 4
    bars: ClassVar[tuple[BarOf, ...]] = (BarOf(0, 2, "first"), BarOf(1, 3, "second"))


def along(X_WA: Pose, X_WB: Pose) -> Vector:
    """u = p_WB - p_WA (m), the bar from A at `X_WA` to B at `X_WB`."""
    return X_WB.position - X_WA.position


def squared_length(u: Vector, known: Scalar | None) -> Scalar:
    """|`u`|^2, a number where the length of the bar is `known` (m)."""
    return u.square if known is None else known * known


def squared_distance(X_WP: Pose, X_WA: Pose, u: Vector, known: Scalar | None) -> Scalar:
    """|(P - A) x `u`|^2 / |`u`|^2, the squared distance of P from the bar `u` at A, m^2.

    P is at `X_WP`, A at `X_WA`; the length of the bar may be `known` (m).
    """
    return (X_WP.position - X_WA.position).cross(u).square / squared_length(u, known)


def share_of(place: Vector, X_WA: Pose, X_WB: Pose) -> float:
    """Where from `X_WA` (0) to `X_WB` (1) the foot of `place` lies, kept between these ends."""
    u = along(X_WA, X_WB)
    share = float((place - X_WA.position) @ u) / max(float(u.square), 1e-300)
    return min(max(share, SHARES.low), SHARES.high)
