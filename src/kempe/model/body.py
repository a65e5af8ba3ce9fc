"""Bodies: rigid parts with named points."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import final

from kempe.errors import BadNumber, DuplicateName, ModelError, UnknownName, nearest_name
from kempe.geometry import Inertia, Marker, Pose
from kempe.geometry.frozen_points import picklable, restore
from kempe.geometry.specific import SpecificRates
from kempe.model.shape import BodyShape, inertia_of
from kempe.names import refuse_unreadable

Triple = tuple[float, float, float]

MEASURED = ("x", "y", "z", "angle")  # what is read off every body under its name and a dot
READ = (  # what else is: columns of its origin, how it turns, what acts on it
    *(f"{order}{axis}" for order in "va" for axis in "xyz"),
    *("speed", "curvature", "radius", "centre", "pitch", "force", "torque"),
    *("angular_velocity", "angular_acceleration", "orientation"),
)
MEANT = {"centre": ", its instant centre"}  # where the word may well be meant otherwise


@final
@dataclass(frozen=True, slots=True)
class Body:
    """A rigid part: its name, points of interest (m), a first guess of its pose, its inertia.

    `outline` lists the points that are drawn as its edges, by name. `velocity` (of its origin, m/s)
    and `spin` (rad/s), in world axes or as rates of specific coordinates, are what a simulation
    starts with; None leaves it to the joints. Where the body is `anywhere`, its guess only says how
    it is turned. `shapes` are the solids it
    occupies, which are drawn and which `interference` looks at.
    """

    name: str
    points: Mapping[str, Triple] = field(default_factory=dict)
    guess: Pose | None = field(default=None, compare=False)  # X_WB
    inertia: Inertia | None = field(default=None, compare=False)
    outline: tuple[str, ...] = ()
    velocity: Triple | SpecificRates | None = field(default=None, compare=False)
    spin: Triple | SpecificRates | None = field(default=None, compare=False)
    anywhere: bool = field(default=False, compare=False)
    shapes: tuple[BodyShape, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not self.name or "." in self.name:
            raise BadNumber(
                f"a body's name must have letters and no dot, this one is {self.name!r}: a dot"
                " separates a body from its point, as in 'coupler.P'."
            )
        refuse_unreadable(self.name, "no body")
        for name, point in self.points.items():
            refuse_unreadable(name, f"no point of body {self.name!r}")
            if name in READ:
                raise ModelError(
                    f"a point of body {self.name!r} cannot be called {name!r}:"
                    f" '{self.name}.{name}' is read off the body itself"
                    f"{MEANT.get(name, '')}. Call the point {name + '_point'!r}, say.",
                    name=name,
                )
            if name in MEASURED or "." in name or not name:
                raise ModelError(
                    f"a point of body {self.name!r} cannot be called {name!r}: a name has letters"
                    f" and no dot, and {', '.join(MEASURED)} are the body's own measures.",
                    name=name,
                )
            if len(tuple(point)) != 3 or not all(math.isfinite(c) for c in point):
                raise BadNumber(
                    f"point {name!r} of body {self.name!r} needs 3 finite numbers, it has {point}."
                )
        names = [shape.name for shape in self.shapes]
        for name in {name for name in names if names.count(name) > 1}:
            raise DuplicateName(f"two shapes of body {self.name!r} are called {name!r}.", name=name)
        for what, given in (("velocity", self.velocity), ("spin", self.spin)):
            if isinstance(given, SpecificRates):
                self._refuse_rates(what, given)
                continue
            numbers = () if given is None else tuple(given)
            if given is not None and [math.isfinite(c) for c in numbers] != [True] * 3:
                raise BadNumber(
                    f"the {what} of body {self.name!r} needs 3 finite numbers, it has {given}."
                )
        object.__setattr__(self, "points", MappingProxyType(dict(self.points)))
        X = self.guess
        if X is not None and X.rotation.angle is None and X.rotation.is_about_z:
            turned = replace(X.rotation, angle=math.atan2(X.rotation.x.y, X.rotation.x.x))
            object.__setattr__(self, "guess", replace(X, rotation=turned))

    __getstate__ = picklable
    __setstate__ = restore

    def _refuse_rates(self, what: str, given: SpecificRates) -> None:
        if given.is_turning is not (what == "spin"):
            raise BadNumber(
                f"the {what} of body {self.name!r} is given by {given.coordinates!r}: a spin needs"
                " coordinates of an orientation, a velocity those of a place."
            )

    @property
    def has_mass_of_shapes(self) -> bool:
        """Whether its inertia is that of its shapes with a density, to the last digit."""
        of_shapes, mine = inertia_of(self.shapes), self.inertia
        if of_shapes is None or mine is None:
            return False
        pairs = ((of_shapes.centre, mine.centre), (of_shapes.tensor, mine.tensor))
        return of_shapes.mass == mine.mass and all(bool((a == b).all()) for a, b in pairs)

    def marker(self, point: str) -> Marker:
        """A marker at the named point, with the body's axes."""
        if point not in self.points:
            raise UnknownName(
                f"body {self.name!r} has no point {point!r}.{nearest_name(point, self.points)}"
            )
        return Marker(self.name, self.points[point])
