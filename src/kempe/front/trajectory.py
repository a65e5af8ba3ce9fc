"""Trajectories: the answer of a sweep, by name."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.compile.trace.part_names import measure_named
from kempe.disk import replace_file
from kempe.endings import refuse_foreign
from kempe.errors import BadNumber, GradientError, KempeError, UnknownName
from kempe.export import plots, summary, tables, text_report
from kempe.export import saved_trajectory as saved
from kempe.export.dark import darkened
from kempe.front.parts import in_words
from kempe.geometry import GROUND
from kempe.names import names_in
from kempe.notebook import page_html, text_html
from kempe.outcome import Outcome
from kempe.pictures.outlines import Outlines
from kempe.readings.analysis_readings import Relative, Transmission
from kempe.readings.inverse_dynamics import Efforts, efforts_along, efforts_read
from kempe.readings.registry import Registry
from kempe.readings.source import AbstractSource, ComputedSource, StoredMotion, StoredSource
from kempe.results import Energy, Event, Motion, Pass, Provenance, Subject, energy_of
from kempe.units import in_si

if TYPE_CHECKING:
    import pandas
    import xarray
    from matplotlib.figure import Figure

    from kempe.frames import FrameGraph
    from kempe.front.position import Position
    from kempe.front.requests.gradient import MadeBy
    from kempe.front.turn_pictures import TurnPictures
    from kempe.geometry.specific import AbstractTranslator
    from kempe.gradients.asking import Gradient
    from kempe.kinematics.reactions.reactions import Reactions
    from kempe.kinematics.reactions.specific_motion import Chosen, SpecificMotion
    from kempe.results.acting import ActingLoad
    from kempe.results.interference import Interference

FloatArray = NDArray[np.float64]

SAME_TIME = 1e-9  # s, or of the time: a sample is at a time that is no further off
TRIED = 3  # samples of a file, as soon as it is read
UPRIGHT = (0.0, 0.0, 1.0)
TURNED = 3.0  # rad: what is less shows in poses


@final
class Trajectory:
    """Samples of a motion, read by name: trajectory["rocker.angle"], trajectory["coupler.P"].

    A body's name gives its origin, "body.point" a point on it, "body.angle" and "joint.angle" (or
    "joint.displacement") a measure; where bodies have masses, "joint.force" and "joint.torque" are
    what a joint must exert, "crank.angle.effort" what a drive must, "crank.angle.power" and
    "crank.angle.work" what it puts in, "mesh.effort" what a coupler passes on. Arrays are in SI
    units and radians; tables, plots and the report take `units`, one for each dimension: ("mm",
    "deg").
    """

    def __init__(self, layout: Layout, motion: Motion, made: "MadeBy | None" = None) -> None:
        self._source: AbstractSource = ComputedSource(layout, motion)
        self._made = made

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the motion and its mechanism, not how it was made."""
        return {"_source": self._source, "_made": None}

    @classmethod
    def load(cls, path: str | Path) -> "Trajectory":
        """The trajectory saved in the .npz file `path`; no mechanism or solver is needed."""
        return cls._of(saved.read(Path(path), _refuse_unusable))

    @classmethod
    def _of(cls, source: AbstractSource) -> "Trajectory":
        """A trajectory that reads from there."""
        self = cls.__new__(cls)
        self._source = source
        self._made = None
        return self

    @property
    def layout(self) -> Layout:
        """The layout of the mechanism that moved; a file does not keep it."""
        return self._source.layout

    @property
    def subject(self) -> Subject:
        """What the trajectory keeps of the mechanism: names, points, outlines, joints."""
        return self._source.subject

    @property
    def provenance(self) -> Provenance:
        """Version of kempe, hash of the model, executor, plan, tolerances and counts."""
        return self._source.provenance

    @property
    def t(self) -> FloatArray:
        """Times of the samples, s."""
        return self.motion.t

    @property
    def outcome(self) -> Outcome:
        """How the sweep ended."""
        return self.motion.outcome

    @property
    def motion(self) -> Motion:
        """The raw samples: coordinates, velocities, accelerations."""
        return self._source.motion

    @property
    def redundant(self) -> tuple[str, ...]:
        """Joints and drives whose rows repeat, consistently, what others say."""
        return self.motion.redundant

    @property
    def passes(self) -> tuple[Pass, ...]:
        """Dead points and crossings of branches that were passed on request."""
        return self.motion.passes

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened along a simulation, in order: impacts, latches, moments to be listed."""
        return self.motion.events

    @property
    def notes(self) -> tuple[str, ...]:
        """What was changed of what was asked for: places and velocities that the joints forbid.

        And of what has been read so far: angles that have no direction somewhere, and are NaN
        there.
        """
        return (*self.motion.notes, *self._source.notes)

    def at(self, t: float | str) -> "Position":
        """The sample at the time `t` (s, or text with a unit)."""
        time = in_si(t, "s")
        near = int(np.argmin(np.abs(self.t - time))) if len(self) else 0
        if not len(self) or abs(self.t[near] - time) > SAME_TIME * max(1.0, abs(time)):
            nearest = f" The nearest is at {self.t[near]:.9g} s." if len(self) else ""
            raise BadNumber(
                f"there is no sample at t = {time:.9g} s.{nearest} Ask for other steps, or take"
                " `state(number)`."
            )
        return self.state(near)

    def state(self, number: int = -1) -> "Position":
        """The sample `number`, the last if omitted: read by name, or `start` of another analysis.

        Example:
            >>> import kempe
            >>> four_bar = kempe.gallery.four_bar()
            >>> turn = four_bar.kinematics(until=1.0, steps=4)
            >>> four_bar.kinematics(until=1.0, start=turn.state(0)).outcome.name
            'Done'
        """
        motion = self.motion
        if isinstance(number, bool) or not isinstance(number, int | np.integer):
            raise BadNumber(f"a sample has a whole number, not {in_words(number)}.")
        if not -len(motion) <= number < len(motion):
            raise BadNumber(f"there is no sample {number}: this trajectory has {len(motion)}.")
        from kempe.front.position import Position

        k = int(number) % len(motion)
        angles = TurnedAngles(lambda: self, k)
        return Position.of(self._of(self._source.cut(slice(k, k + 1), angles)))

    @property
    def energy(self) -> Energy:
        """Kinetic, potential, dissipated and total energy of a simulation, in J."""
        return energy_of(self.motion)

    @property
    def violation(self) -> FloatArray:
        """How far joints and drives gape at every sample of a simulation, in m.

        The largest |phi_k|; rows that compare directions or angles count times the machine's size.
        """
        return self.motion.violation

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that can be read."""
        return tuple(self.registry.channels)

    @property
    def reactions(self) -> "Reactions":
        """What joints and drives exert at every sample; a ModelError where no body has a mass."""
        return self._source.reactions

    @property
    def registry(self) -> Registry:
        """Every name with its unit, its shape and what it is, columns and analyses too."""
        return self._source.registry

    @property
    def acting(self) -> tuple["ActingLoad", ...]:
        """What joints, drives, springs and weights do to bodies at every sample, body by body.

        Each is a force (N) and a torque (N m) at a point of a body, in world axes (n, 3): what a
        picture of a free body shows. There are none where no forces follow from the motion or they
        are not determined, and none of machines of more than 16 joints.
        """
        return self._source.acting

    @property
    def outlines(self) -> Outlines:
        """What the bodies look like in pictures."""
        return self._source.outlines

    @property
    def count_table(self) -> str:
        """Degrees of freedom counted joint by joint, and what `Mechanism.check` says of them."""
        return self._source.count()

    def __len__(self) -> int:
        return len(self.motion)

    def __getitem__(self, name: str) -> Any:
        """The channel of that name, one of its columns, an analysis, or a formula of names.

        A name means the same here, in `columns`, in plots, in formulas and on the command line:
        "coupler.P" is a point, "coupler.P.vx" and "coupler.P.speed" are values over time, so are
        "transmission.angle" and "d(rocker.angle)/d(crank.angle)", the velocity ratio, while
        "rocker.angle / crank.angle" divides the two angles. Blanks make no difference. What comes
        back depends on the name, so its type is left open.
        """
        if not isinstance(name, str):
            raise UnknownName(
                f"a trajectory is read by names, such as 'crank.angle', not by {in_words(name)}."
                " One sample is `state(k)`."
            )
        return self._source[name]

    def __contains__(self, name: object) -> bool:
        return name in self.registry.channels

    def __repr__(self) -> str:
        span = f"{self.t[0]:g} ... {self.t[-1]:g} s" if len(self) else "empty"
        return (
            f"Trajectory of {self.subject.name!r}: {len(self)} samples, {span}, {self.outcome.name}"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the motion, to be played; else in words where nothing moves."""
        from kempe.draw.formats.html import player_html
        from kempe.pictures.animation import FEWEST_FRAMES, points_of_interest, standing

        if len(self) < FEWEST_FRAMES:
            return text_html(f"{self!r}\n{self.outcome}")
        scene = standing(self, points_of_interest(self))
        return page_html(player_html(scene)) + text_html(repr(self))

    def columns(self, *names: str, units: Iterable[str] = ()) -> dict[str, FloatArray]:
        """Columns (n,) by name, t first: all of them, or those of `names`, in `units` or SI.

        Example:
            >>> import kempe
            >>> turn = kempe.gallery.four_bar(units="mm").kinematics(until=1.0, steps=4)
            >>> list(turn.columns("crank.angle", units=("mm", "deg")))
            ['t', 'crank.angle', 'crank.angle.rate', 'crank.angle.acceleration']
        """
        return tables.columns(self, names, units)

    @property
    def transmission(self) -> Transmission:
        """How well the motion is handed on: condition, transmission angles, ratios."""
        return self._source.transmission

    def efforts(self, *measures: str) -> Efforts:
        """What drives exert along this motion, and the power and energy it takes: by measure.

        With names of `measures`, drives on these are asked instead of the mechanism's own: what
        would they have to exert for the motion to be as it is? So a motion that forces made, or one
        that was recorded, tells what motors would need.

        Example:
            >>> import kempe
            >>> m = kempe.Builder("arm", plane=True, gravity=(0, -9.81))
            >>> bob = kempe.Inertia(2.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
            >>> arm = m.bar("arm", 1.0, inertia=bob)
            >>> hinge = m.revolute(m.ground.at(0, 0), arm.start, name="hinge")
            >>> drive = m.drive(hinge.angle, speed=1)
            >>> lift = m.build().kinematics(until=1.5)
            >>> print(lift.efforts())
            hinge.angle: at most 9.81 N m, rms 7.098 N m; at most 9.81 W; 9.785 J in all
        """
        if not measures:
            own = [name for name in self.names if self.registry.channels[name].unit == "J"]
            told = [n.removesuffix(".work") for n in own if n.endswith(".work")]
            return efforts_read(self._source, tuple(n for n in told if f"{n}.effort" in self))
        model = self.layout.model
        gauges = tuple(measure_named(model, name, "drive") for name in measures)
        return efforts_along(self.layout, self.motion, gauges)

    def gradient(
        self, of: "str | Callable[[Any], Any]", by: str | Iterable[str] | None = None
    ) -> "Gradient":
        """How `of`, a reading or a function of readings, follows from the parameters `by`.

        `of` is a name that this trajectory reads, or a function of plain arrays: it is called with
        r, and r["coupler.P"] is an array (n, 2) in SI units. `by` are names of parameters, those of
        `with_parameters`; all numbers among them if omitted. Derivatives are in SI units per unit
        in which a parameter is given.

        Of a sweep they are exact: the implicit function theorem on the traced equations, for
        places, velocities and accelerations. `notes` says what was differenced: readings that are
        no points or measures, and numbers that are no sums of multiples of parameters.

        Example:
            >>> import kempe
            >>> turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
            >>> slope = turn.gradient("rocker.angle", ["crank", "ground"])
            >>> slope.values.shape, slope["crank"].round(4).tolist()[0]
            ((5, 2), -0.2394)
        """
        if self._made is None or not isinstance(self._source, ComputedSource):
            raise GradientError(
                "this trajectory does not know how its mechanism was made: gradients are of what"
                " `kinematics` and `simulate` return, not of files, cuts or pickles."
            )
        names = by if by is None or isinstance(by, str) else names_in(by)
        return self._made.gradient(self._source, of, names)

    def relative(self, body: str, base: str = GROUND) -> Relative:
        """How `body` moves against `base`: instant centre, centrodes, screw axis."""
        return self._source.relative(body, base)

    def interference(
        self,
        *,
        between: Iterable[str] = (),
        joined: bool = False,
        margin: float | str = 0.0,
        tolerance: float | str | None = None,
    ) -> "Interference":
        """Which shapes of which bodies touch along this motion, from when to when, how deep, where.

        Shapes are those of `Builder.shape`, or outlines where no body has one. With names of bodies
        or shapes in `between`, only these are looked at. Shapes that meet in a joint of their
        bodies are left out unless `joined`. What comes nearer than `margin` (m) counts as touching.
        A touch deeper than `tolerance` (m) is never missed, however short: 1e-5 of the smaller
        shape if omitted. Where samples do not tell what lies between them, the run is made again
        with more; where it cannot be, pairs are `unknown`. In space this needs Coal, of the extra
        `interference`.

        Example:
            >>> import kempe
            >>> from kempe.geometry.solids import Cuboid, Sphere
            >>> m = kempe.Builder("arm and post", plane=True)
            >>> arm = m.bar("arm", 1.0)
            >>> hinge = m.revolute(m.ground.at(0, 0), arm.start)
            >>> m.shape(arm, Cuboid((1.0, 0.1, 0.1)), at=(0.5, 0), name="beam")
            >>> m.shape(m.ground, Sphere(0.05), at=(0.0, 0.8), name="post")
            >>> m.drive(arm.angle, speed=1)
            >>> found = m.build().kinematics(until=3.0).interference()
            >>> touch = found["arm", "ground"].touches[0]
            >>> print(f"{touch.start:.6f} s to {touch.end:.6f} s, {touch.depth:.3f} m deep")
            1.445468 s to 1.696124 s, 0.100 m deep
        """
        from kempe.interference import interference

        return interference(
            self.layout,
            self.motion,
            between=names_in(between),
            joined=joined,
            margin=in_si(margin, "m"),
            tolerance=None if tolerance is None else in_si(tolerance, "m"),
        )

    def to_dataframe(self, *names: str, units: Iterable[str] = ()) -> "pandas.DataFrame":
        """The columns of `names`, in `units`, as a pandas DataFrame over t.

        Its `attrs` holds units, outcome and provenance.
        """
        return tables.dataframe(self, names, units)

    def to_xarray(self, *names: str, units: Iterable[str] = ()) -> "xarray.Dataset":
        """Channels of `names`, in `units`, as an xarray Dataset: over t, points over axes too."""
        return tables.dataset(self, names, units)

    def to_csv(self, path: str | Path, *names: str, units: Iterable[str] = ()) -> Path:
        """Write the columns of `names` to the file `path` as text, exact to the last bit.

        With `units` the headings say theirs.
        """
        refuse_foreign(Path(path), ".csv", "a table of text")
        return replace_file(Path(path), tables.csv_pieces(self, names, units))

    def to_parquet(self, path: str | Path, *names: str, units: Iterable[str] = ()) -> Path:
        """Write the columns of `names`, in `units`, to the Parquet file `path`.

        Its metadata holds units, outcome and provenance.
        """
        refuse_foreign(Path(path), ".parquet", "a Parquet table")
        return replace_file(Path(path), tables.parquet_bytes(self, names, units))

    def to_dxf(self, path: str | Path, *, trace: str | Iterable[str] = ()) -> Path:
        """Draw the first sample, and the paths of the points to `trace`, in the DXF file `path`."""
        from kempe.export.writing import write

        refuse_foreign(Path(path), ".dxf", "a drawing")
        return write(self, path, trace=(trace,) if isinstance(trace, str) else tuple(trace))

    def save(self, path: str | Path) -> Path:
        """Write everything to the .npz file `path`, which `Trajectory.load` and NumPy read."""
        return saved.write(self, Path(path))

    def summary(self, *, units: Iterable[str] = ()) -> str:
        """The motion in a few words, in `units`: what turned how far, what it takes, its end."""
        return summary.summary(self, units)

    def report(
        self,
        *,
        at: Iterable[float | str] | None = None,
        points: Iterable[str] | None = None,
        units: Iterable[str] = (),
    ) -> str:
        """The text report: count of freedoms, first estimates, all bodies at the times `at`.

        `at` are times (s, or text with a unit), the first and the last sample if omitted; `points`
        are those of interest, all that no joint holds on to if omitted; numbers are in `units`.
        """
        return text_report.report(self, at, points, units)

    def plot(
        self,
        *names: str,
        against: str = "t",
        rate: bool = False,
        acceleration: bool = False,
        units: Iterable[str] = (),
        title: str | None = None,
        dark: bool = False,
    ) -> "Figure":
        """A matplotlib figure of the quantities `names` over time, or `against` another one.

        With `rate` and `acceleration` these are plotted too; axes are in `units`, and `title`
        stands above, the mechanism's name if omitted. The paper is white, or `dark`.
        """
        orders = (0, *((1,) if rate else ()), *((2,) if acceleration else ()))
        drawn = plots.figure(self, names, against, orders, units, title)
        return darkened(drawn) if dark else drawn

    def animate(
        self,
        path: str | Path,
        *,
        trace: str | Iterable[str] | None = None,
        plots: Iterable[str] = (),
    ) -> Path:
        """Write what plays the motion to `path`, by its ending.

        .html is one page that needs no network, .gif a picture, .mp4 and .webm are films, .glb is
        glTF 2.0: solids that move, for programs that show scenes. `trace` names a point whose path
        is drawn, or several; without, free points called P, or lone ones, are. `plots`
        are the quantities beside the picture of a page, any names or formulas; without, they are
        chosen: what `m.output` names, or what drives must give, what moves and what is driven. GIF
        and films need the extra `video` (Pillow, imageio-ffmpeg), and no browser.
        """
        from kempe.pictures.animation import write_animation

        names = names_in(() if trace is None else trace)
        points = tuple(name for name in names if name)
        return write_animation(self, path, trace=points, plots=names_in(plots))

    @property
    def pictures(self) -> "TurnPictures":
        """Pictures of it, a call each: centrodes, polygons of velocities, hodographs, and more."""
        from kempe.front.turn_pictures import TurnPictures

        return TurnPictures(self)

    def frames(self) -> "FrameGraph":
        """Bodies, points and joints' markers as frames: any of them seen from any other."""
        from kempe.front.frames import frames_of

        return frames_of(self)

    def specific(
        self, coordinates: "Chosen", translator: "AbstractTranslator | None" = None
    ) -> "SpecificMotion":
        """The motion in specific `coordinates`, such as `EulerAngles("XYZ")`, with the constraints
        of joints and drives and what all forces do expressed in them.

        One set serves every body, or a mapping gives each its own by name; `BodyCoordinates` says
        coordinates of the place too, else `translator` does, or they are x, y and z.
        """
        from kempe.kinematics.reactions.specific_motion import specific_motion
        from kempe.readings.acting_loads import acting_loads, refuse_changing_rows

        refuse_changing_rows(self.layout, self.motion, "in specific coordinates")
        found = specific_motion(self.layout, self.motion, coordinates, translator)
        return replace(found, load=acting_loads(self.layout, self.motion))


def _refuse_unusable(kept: StoredMotion) -> None:
    """Whatever exception using a file would lead to: its tables, words and pictures, a few samples.

    A typed one, such as that a picture needs two samples, is an answer and none of these.
    """
    from kempe.pictures.animation import picture

    span = (float(kept.motion.t[0]), float(kept.motion.t[-1])) if len(kept.motion) else (0.0, 0.0)
    stray = [p.t for p in kept.motion.passes if not span[0] <= p.t <= span[1]]
    if stray:
        raise ValueError(f"a dead point was passed at {stray[0]:g} s, outside of the motion")
    trial = Trajectory._of(StoredSource(kept.cut(slice(TRIED))))
    for note in kept.notes.values():
        _ = trial[note.name]
    for use in (
        trial.columns,
        trial.summary,
        trial.report,
        lambda: picture(trial) if len(trial) else "",
        lambda: (str(trial.outcome), repr(trial), [str(p) for p in kept.motion.passes]),
    ):
        with suppress(KempeError):
            use()


@final
class TurnedAngles(Mapping[str, float]):
    """Readings (rad) at one sample of a trajectory, by name, where poses do not show whole turns.

    Each is read when it is asked for. They are listed, and kept in files, where one of them has
    turned: in the plane the angles of bodies count turns, unless an axis is turned over.
    """

    def __init__(self, read: Callable[[], Trajectory], number: int) -> None:
        self._read, self._number = read, number

    @cached_property
    def _trajectory(self) -> Trajectory:
        return self._read()

    @cached_property
    def _turned(self) -> tuple[str, ...]:
        subject, registry = self._trajectory.subject, self._trajectory.registry
        plain = {f"{body.name}.angle" for body in subject.bodies} if subject.plane else set()
        for joint in subject.joints:
            if subject.plane and joint.I.axes[2] == joint.J.axes[2] == UPRIGHT:
                plain.add(f"{joint.name}.angle")
        angles = [n for n, known in registry.channels.items() if known.unit == "rad"]
        values = {n: self.get(n, math.nan) for n in angles if n not in plain}
        if not any(abs(angle) > TURNED for angle in values.values()):
            return ()
        return tuple(n for n, angle in values.items() if not math.isnan(angle))

    def __getitem__(self, name: str) -> float:
        known = self._trajectory.registry.channels.get(name)
        if known is None or known.unit != "rad":
            raise KeyError(name)
        value = float(self._trajectory[name].values[self._number])
        if math.isnan(value):
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._turned)

    def __len__(self) -> int:
        return len(self._turned)

    def __reduce__(self) -> tuple[type[dict[str, float]], tuple[dict[str, float]]]:
        return dict, (dict(self),)
