"""Pictures of one motion, a call each: centrodes, polygons, hodographs, portraits, balances."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

from kempe.disk import replace_file
from kempe.endings import PICTURES, refuse_unwritable
from kempe.errors import ModelError, UnknownName
from kempe.export import plots, polygons
from kempe.export.dark import darkened
from kempe.export.svg_pages import write_picture
from kempe.geometry import GROUND

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kempe.front.position import Position
    from kempe.front.trajectory import Trajectory

ENERGIES = ("kinetic", "potential", "dissipated", "driven", "total")
Moment = float | str


@final
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TurnPictures:
    """What a motion looks like: drawings are texts of an SVG, plots are figures of matplotlib.

    `write` puts either into a file: .svg, .png or .pdf.

    Example:
        >>> import kempe
        >>> turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=8)
        >>> turn.pictures.centrodes("coupler")[:4]
        '<svg'
    """

    turn: "Trajectory"

    def still(self, at: Moment | None = None, *, trace: tuple[str, ...] = ()) -> str:
        """The mechanism at the sample at `at` (s, or text), the first if omitted, with ghosts.

        `trace` names points whose paths are drawn.
        """
        from kempe.pictures.animation import picture

        return picture(self.turn, index=0 if at is None else self._index(at), trace=trace)

    def centrodes(self, body: str, base: str = GROUND, *, at: Moment | None = None) -> str:
        """The curves of `body` and `base` that roll on each other; in space some screw axes.

        The mechanism stands as at the sample at `at` (s, or text).
        """
        from kempe.pictures.rolling_curves import rolling_svg

        index = None if at is None else self._index(at)
        return rolling_svg(self.turn, body, base, index=index)

    def velocities(self, at: Moment | None = None, *, units: tuple[str, ...] = ()) -> "Figure":
        """The polygon of velocities at the sample at `at` (s, or text), the first if omitted.

        Axes are in `units`, such as ("mm",), or in the unit of the mechanism.
        """
        return polygons.polygon(self._position(at), "velocity", units)

    def accelerations(self, at: Moment | None = None, *, units: tuple[str, ...] = ()) -> "Figure":
        """The polygon of accelerations at the sample at `at` (s, or text), the first if omitted.

        Axes are in `units`, such as ("mm",), or in the unit of the mechanism.
        """
        return polygons.polygon(self._position(at), "acceleration", units)

    def hodograph(self, point: str, *, units: tuple[str, ...] = ()) -> "Figure":
        """The tip of the velocity of `point`, such as "coupler.P", from one pole, in `units`."""
        if not hasattr(self.turn[point], "velocity"):
            raise UnknownName(f"{point!r} is no point: a hodograph needs one, such as 'coupler.P'.")
        return self.turn.plot(f"{point}.vy", against=f"{point}.vx", units=units)

    def phase_portrait(self, measure: str, *, units: tuple[str, ...] = ()) -> "Figure":
        """How fast `measure` changes, against what it is, in `units`."""
        return self.turn.plot(f"{measure}.rate", against=measure, units=units)

    def energies(self) -> "Figure":
        """The balance of energies of a simulation over time."""
        names = tuple(f"energy.{word}" for word in ENERGIES)
        if any(name not in self.turn for name in names):
            raise ModelError(
                f"{self.turn.subject.name!r} was not simulated: only a simulation has a balance of"
                " energies. Take `mechanism.simulate(until=...)`."
            )
        return self.turn.plot(*names)

    def polar(self, joint: str, *, units: tuple[str, ...] = ()) -> "Figure":
        """The tip of the reaction of `joint`, drawn from one pole: the polar diagram of a bearing.

        Along the world's x and y, in `units`; it needs masses.
        """
        return self.turn.plot(f"{joint}.force.y", against=f"{joint}.force.x", units=units)

    def write(self, path: str | Path, picture: "str | Figure", *, dark: bool = False) -> Path:
        """Write a `picture` of these to `path`: .svg, .png or .pdf, on light paper or on `dark`.

        Drawings in an .svg are either, as whoever looks at them prefers.
        """
        if isinstance(picture, str):
            return write_picture(path, picture, dark=dark)
        target = Path(path)
        refuse_unwritable(target, PICTURES, "a picture")
        shown = darkened(picture) if dark else picture
        return replace_file(target, plots.picture_bytes(shown, target.suffix.lower()))

    def _repr_html_(self) -> str:
        return f"<div>{self.still()}</div>"

    def __repr__(self) -> str:
        ways = (
            ".still(at), .centrodes(body), .velocities(at), .accelerations(at), .hodograph(point),"
            " .phase_portrait(measure), .energies(), .polar(joint)"
        )
        return f"Pictures of {self.turn.subject.name!r}: {ways}"

    def _position(self, at: Moment | None) -> "Position":
        return self.turn.state(0) if at is None else self.turn.at(at)

    def _index(self, at: Moment) -> int:
        t = self.turn.at(at).t
        return int(abs(self.turn.t - t).argmin())
