"""Mechanisms: a frozen model with the questions one can ask of it."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, final, overload

from kempe.compile.layout.layout import Layout
from kempe.errors import KempeError, UnknownName
from kempe.front.requests.every_assembly import searchable
from kempe.front.requests.rolling import HAND, REST, SWEEP, refuse_rolling
from kempe.geometry import Pose
from kempe.interruption import keeps_what_is_done
from kempe.kinematics.check.check import no_drive
from kempe.kinematics.mobility.straightening import straightened
from kempe.kinematics.stepping.newton import CONVERGED, ITERATIONS, Newton
from kempe.kinematics.sweep.sweep import check_with_ranges
from kempe.model import Model
from kempe.model.planarity import work_in_the_plane
from kempe.notebook import told
from kempe.results import Motion, Report
from kempe.results.state import State
from kempe.units import in_si

if TYPE_CHECKING:
    from pathlib import Path

    from kempe.design.fitting.search import Advance
    from kempe.dynamics.events.passages import Passage
    from kempe.dynamics.fixed_step import FixedStep
    from kempe.dynamics.gear import Gear
    from kempe.events import AbstractEvent
    from kempe.files.documents.document import Document
    from kempe.foreign.imported import Imported
    from kempe.foreign.imported import Report as ForeignReport
    from kempe.front.balance import Balance
    from kempe.front.batch import Batch
    from kempe.front.builder import Builder
    from kempe.front.circuits import Circuits, MotionPath
    from kempe.front.design import Design
    from kempe.front.dexterity import Dexterity
    from kempe.front.drag import Drag, Range
    from kempe.front.dynamic_solver import DynamicSolver
    from kempe.front.equilibrium import Equilibrium, EquilibriumPath, Preload
    from kempe.front.identification import Identification
    from kempe.front.linearization import Linearization
    from kempe.front.live import LiveView
    from kempe.front.pictures import AssemblyPictures, MapPictures, TimelinePictures
    from kempe.front.position import Assembly
    from kempe.front.requests.assembling import Place
    from kempe.front.requests.design import Bounds, Required, Target
    from kempe.front.requests.function_parameters import FunctionParameters
    from kempe.front.requests.start import Start
    from kempe.front.requests.sweep import Over
    from kempe.front.solver import Solver
    from kempe.front.surface_pictures import SurfacePictures
    from kempe.front.surfaces import SingularCurves, Workspace
    from kempe.front.tolerances import Tolerances
    from kempe.front.trajectory import Trajectory
    from kempe.gradients.objective import Objective
    from kempe.gradients.path_error import PathError
    from kempe.kinematics.check.check import LoopMobility
    from kempe.motion.search.search import Effort
    from kempe.results.maps.assemblies import Assemblies
    from kempe.results.maps.component import Component
    from kempe.results.maps.motion_map import MotionMap
    from kempe.results.maps.surface_map import SurfaceMap
    from kempe.results.maps.timeline import Timeline
    from kempe.results.reports.freedom_count import FreedomCount

MOST_NAMED = 6  # joints in the sentence that describes a mechanism
Number = float | str
Held = Mapping[str, Number] | None  # measures and the values they keep
Limits = Mapping[str, tuple[Number, Number]] | None  # measures and what they keep between


@final
class Mechanism:
    """Bodies, joints and drives as one frozen thing; build one with `kempe.Builder`."""

    def __init__(
        self,
        model: Model,
        document: "Document | None" = None,
        made: "FunctionParameters | None" = None,
        imported: "Imported | None" = None,
    ) -> None:
        if model.plane:
            work_in_the_plane(model.forces, model.events)
        self._model, self._document, self._made = model, document, made
        self._imported = imported

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: the model, and what made it where another process can import that."""
        made = self._made
        if made is not None:
            try:
                pickle.dumps(made)
            except Exception:  # a function inside another one, or what it was given
                made = None
        kept = {"_model": self._model, "_document": self._document, "_imported": self._imported}
        return {**kept, "_made": made}

    @classmethod
    def load(cls, path: "str | Path") -> "Mechanism":
        """The mechanism in the file `path`: .yaml, .yml, .json, or that of another program.

        What a file of another program holds and the mechanism does not is listed by
        `imported.report`.
        """
        from kempe.files.documents.document import read_document
        from kempe.foreign.opening import is_foreign, read_foreign

        if is_foreign(path):
            imported = read_foreign(path)
            return cls(imported.model, imported=imported)
        document = read_document(path)
        return cls(document.model, document)

    def save(self, path: "str | Path") -> "Path":
        """Write it to the .yaml, .yml or .json file `path`, or of another program (.xml, .urdf).

        What was loaded keeps its parameters and units; anything else is written in SI. Loading the
        file gives the same mechanism, to the last digit. A file of another program holds less:
        `export` says what not.
        """
        from kempe.files.documents.writer import write_document, write_model
        from kempe.foreign.exporting import is_written, refuse_unknown_ending

        refuse_unknown_ending(path)
        if is_written(path):
            return self.export(path).file
        if self._document is not None:
            return write_document(self._document, path)
        run = self._imported.run_entry if self._imported is not None else None
        return write_model(self._model, path, run)

    def export(self, path: "str | Path") -> "ForeignReport":
        """Write it to the file `path` of another program, as it is put together: .xml or .urdf.

        The report lists what that format cannot hold.
        """
        from kempe.compile.trace.part_names import gauges_by_name
        from kempe.foreign.exporting import write_foreign
        from kempe.front.trajectory import Trajectory
        from kempe.kinematics.check.assembly import still

        start = Trajectory(self.layout, still(self.layout)).state(0)
        readings = {name: float(start[name]) for name in gauges_by_name(self._model)}
        return write_foreign(self._model, start.poses, readings, path)

    @property
    def document(self) -> "Document | None":
        """The document it was loaded from, if it was."""
        return self._document

    @property
    def imported(self) -> "Imported | None":
        """What reading a file of another program gave, with its report; None for all others."""
        return self._imported

    @property
    def parameters(self) -> dict[str, Any]:
        """Its named parameters as they were given: in a file, or to the function that made it."""
        if self._made is not None:
            return dict(self._made.values)
        return self._document.given_parameters if self._document is not None else {}

    def with_parameters(self, values: Mapping[str, Any]) -> "Mechanism":
        """A mechanism like this one with other `values` of some parameters, by name.

        A bare number is in the unit that the parameter was given in. Nothing is compiled anew,
        unless a number becomes or ceases to be 0, or an axis comes to lie along a body's own.
        """
        if self._made is not None:
            return self._made.changed(values)
        if self._document is not None:
            document = self._document.with_parameters(values)
            return Mechanism(document.model, document)
        raise UnknownName(
            f"{self.name!r} has no parameters: load it from a file that names some, or build it in"
            " a function marked `kempe.parametric`."
        )

    def starting_at(self, poses: "Mapping[str, Pose]") -> "Mechanism":
        """This mechanism, put together near `poses` X_WB of its bodies, by name (m).

        So one of several assemblies is chosen for good. It keeps its parameters where a function
        made it; what was loaded from a file is a model of numbers then.

        Example:
            >>> import kempe
            >>> four_bar = kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3)
            >>> other = four_bar.assemble({"rocker.angle": "-110 deg"}, locked=["crank"])
            >>> crossed = four_bar.starting_at(other.poses)
            >>> bool(crossed.kinematics(until=0.1)["rocker.angle"].values[0] < 0)
            True
        """
        for name in poses:
            self._model.body(name)
        bodies = tuple(
            replace(b, guess=poses[b.name]) if b.name in poses else b for b in self._model.bodies
        )
        return Mechanism(replace(self._model, bodies=bodies), None, self._made, self._imported)

    @property
    def model(self) -> Model:
        """The frozen data."""
        return self._model

    @property
    def name(self) -> str:
        """What the mechanism is called."""
        return self._model.name

    @cached_property
    def layout(self) -> Layout:
        """Where its coordinates and numbers lie."""
        return searchable(self._model)

    def __repr__(self) -> str:
        model = self._model
        named = [f"{type(j).__name__.lower()} {j.name!r}" for j in model.joints[:MOST_NAMED]]
        joints = ", ".join([*named, "..."] if len(model.joints) > MOST_NAMED else named)
        return (
            f"Mechanism {model.name!r} in {'the plane' if model.plane else 'space'}:"
            f" {len(model.moving)} moving bodies, {len(model.joints)} joints ({joints}),"
            f" {len(model.drives)} drive{'s' * (len(model.drives) != 1)}"
        )

    def edit(self) -> "Builder":
        """A builder with everything this mechanism has, to change and build anew."""
        from kempe.front.builder import Builder

        return Builder.of(self._model)

    def svg(self) -> str:
        """A picture of the mechanism as it is put together at the start."""
        from kempe.front.trajectory import Trajectory
        from kempe.kinematics.check.assembly import still
        from kempe.pictures.animation import picture

        return picture(Trajectory(self.layout, still(self.layout)))

    def freedom_svg(self, number: int = 1, *, drives: bool = False) -> str:
        """A picture of what its joints let move: arrows at points, axes that are turned about.

        Where there are several ways, `number` says which; with `drives` only what they leave free.
        """
        from kempe.front.pictures import freedom_picture

        return freedom_picture(self.layout, number, drives=drives)

    def graph_svg(self) -> str:
        """The graph of its bodies and joints as a picture, each loop in a colour of its own."""
        from kempe.draw.networks.graphs import bodies_graph_svg

        return bodies_graph_svg(self._model)

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, and what the mechanism is made of."""
        import html

        try:
            drawn = self.svg()
        except KempeError as mistake:
            drawn = f"<p>{html.escape(str(mistake))}</p>"
        return f"<div>{drawn}<p>{html.escape(repr(self))}</p></div>"

    def check(self, *, align: float | str | None = None) -> Report:
        """Degrees of freedom, redundancy and free motions, in words when printed.

        `align` (rad) straightens axes that are off by as much, on request, and says so: a hinge
        tilted by 1e-5 locks a loop of hinges in space. `aligned` gives the mechanism so mended.

        Examples:
            >>> import kempe
            >>> print(str(kempe.gallery.four_bar().check())[:64])
            four-bar: DOF 1, with the drive 0 - crank-rocker (Grashof) - 2 a
        """
        if align is None:
            return check_with_ranges(self.layout)
        model, turned = straightened(self.layout, in_si(align, "rad"), 0.0)
        return check_with_ranges(searchable(model), turned)

    def aligned(self, within: float | str) -> "Mechanism":
        """A mechanism like this one, its axes turned by `within` (rad) at most so that it moves."""
        return Mechanism(straightened(self.layout, in_si(within, "rad"), 0.0)[0])

    def assemble(
        self,
        near: "Mapping[str, Place] | Start | None" = None,
        *,
        values: Mapping[str, Number] | None = None,
        weights: Mapping[str, float] | None = None,
        locked: Sequence[str] = (),
        rates: Mapping[str, Number] | None = None,
        twists: "Mapping[str, Sequence[Number]] | None" = None,
        at: Number | None = None,
    ) -> "Assembly":
        """Put it together as near as possible to where its bodies are wished, drives let go.

        `near` gives places: a Pose, (x, y, angle) or (x, y, z) of a body, or one coordinate as in
        "rocker.angle"; other bodies follow. `values` are measures to hold exactly, `locked` names
        bodies or measures that stay put, `weights` (1 if not given) make bodies or coordinates
        reluctant to move. With `at` (s) the drives hold too. `rates` of measures are met exactly,
        `twists` of bodies as nearly as the joints allow. Where it cannot be closed, an
        AssemblyError says by how much, and what would mend it.

        Examples:
            >>> import kempe
            >>> four_bar = kempe.gallery.four_bar(crank=1, coupler=3, rocker=3, ground=3)
            >>> put = four_bar.assemble(values={"crank.angle": "90 deg"}, rates={"crank.angle": 2})
            >>> put["crank.end"].round(6).tolist(), round(put.rate("crank.angle"), 6)
            ([0.0, 1.0], 2.0)
        """
        from kempe.front.requests.assembling import Request, assembled

        return assembled(
            self.layout,
            Request(near or {}, values or {}, weights or {}, locked, rates or {}, twists or {}, at),
        )

    def loops(self) -> "tuple[LoopMobility, ...]":
        """The loops of the mechanism, shortest first, each with its own mobility.

        Examples:
            >>> import kempe
            >>> print(*kempe.gallery.four_bar().loops())
            ground - crank - coupler - rocker: mobility 1 by count, 1 by rank
        """
        from kempe.kinematics.check.check import loop_mobilities

        return loop_mobilities(self.layout)

    @keeps_what_is_done
    def kinematics(
        self,
        until: float | str | None = None,
        steps: int = 360,
        *,
        over: "Over | None" = None,
        through: str | Sequence[str] = (),
        free: str = "refuse",
        start: "Start | None" = None,
        newton_tolerance: float = CONVERGED,
        newton_iterations: int = ITERATIONS,
        executor: str = "auto",
        plan: str = "auto",
    ) -> "Trajectory":
        """Position, velocity and acceleration of everything as the drives turn.

        `until` is the end time (s, or text with a unit) and gives `steps` + 1 samples from t = 0;
        `over=("crank.angle", 0, "360 deg")` instead moves one driven measure, or another one in
        place of the only drive, evenly between two values (bare numbers are lengths in the
        builder's units, or radians) in one second.
        `executor` ("auto", "vm", "llvm") and `plan` ("auto", "small", "large") are for
        measurements. The sweep never leaves its branch; where it cannot go on, the trajectory keeps
        what was reached and `outcome` says why.

        A dead point, or where branches cross, is passed on request: `through="momentum"` keeps the
        direction of motion, `through="branch 2"` takes the second of `outcome.continuations`;
        several of these in a row hold for one pass each. Where the drive has to turn back, its law
        runs backwards from there on; `passes` of the trajectory says so.

        With fewer drives than freedoms it is refused, unless `free="nearest"`: then all that no
        drive holds moves as little as it can (lengths counted in sizes of the machine), and the
        outcome says so. The idle spin of rods between balls is never refused, and told by `notes`.

        It starts at the assembly nearest to the bodies' first guesses, or to `start`: an assembly
        (one of `assemble`, or a member of `assemblies`), a trajectory's `state`, or poses by body.
        What is further from there than a rough guess says is told by `notes`.

        A sample has converged where every row of constraints is below `newton_tolerance`, lengths
        beside the size of the machine and angles in radians. A step that takes Newton's method more
        than `newton_iterations` is halved; where that does not help, `outcome` says so.

        Examples:
            >>> import kempe
            >>> turn = kempe.gallery.four_bar().kinematics(until=1.0, steps=4)
            >>> turn.outcome.name, len(turn)
            ('Done', 5)
        """
        from kempe.front.requests.gradient import MadeBy
        from kempe.front.requests.start import started
        from kempe.front.requests.sweep import (
            SweepSettings,
            asked_for,
            refuse_more_than_fits,
            sample_times,
            swept_from,
        )
        from kempe.front.trajectory import Trajectory

        refuse_rolling(self._model, "kinematics", SWEEP)
        model, end = asked_for(self._model, until, over)
        layout = self.layout if model is self._model else searchable(model)
        if not model.drives:
            raise no_drive(layout)
        refuse_more_than_fits(layout, steps)
        newton, begun = Newton(newton_tolerance, newton_iterations), started(layout, start)
        how = SweepSettings(executor, plan, through, free, newton)
        motion = swept_from(begun, layout, sample_times(end, steps), how)
        return Trajectory(layout, motion, MadeBy(self, over))

    @keeps_what_is_done
    def batch(
        self,
        parameters: Mapping[str, Any],
        until: float | str | None = None,
        steps: int = 360,
        *,
        outputs: Sequence[str],
        over: "Over | None" = None,
        derivatives: int = 0,
        count: int | None = None,
        seed: int = 0,
        threads: int | None = None,
        memory: float | str | None = None,
        device: str = "cpu",
        keep: str = "samples",
        analysis: str = "kinematics",
        start: Mapping[str, Any] | None = None,
        method: "str | Gear | FixedStep" = "auto",
        tolerance: float = 1e-8,
        folder: "str | Path | None" = None,
    ) -> "Batch":
        """Motions of many variants at once: positions, and derivatives, of what is asked for.

        `parameters` are columns by name: arrays (n,) of numbers in the unit that the parameter was
        given in, one number for all variants, or distributions (those of scipy.stats), of which
        `count` variants are drawn, beginning at `seed`. `until`, `steps` and `over` are as for
        `kinematics`; `outputs` are names of points and measures, or of whatever else a trajectory
        tells, as "B.force", which takes some milliseconds a variant; `derivatives` is 1 for
        velocities, 2 for accelerations too. `threads` are as many as there are cores, and `memory`
        ("2 GB", or bytes) the most that the result may take: half of the machine's if omitted.
        `device` is "cpu", or "gpu" for an NVIDIA graphics card (`kempe[gpu]`), one thread a
        variant, with the same digits; "emulated" runs the text that is made for cards on the
        processor, for tests. `keep="summary"` keeps the least, largest, mean and last of what is
        read in place of all samples.

        With a `folder` the result may be larger than memory: variants are moved in chunks that take
        no more than `memory`, copies included (an eighth of the machine's if omitted), and stand in
        a file there, from which arrays are mapped as they are read. Asked for again after the
        process was killed, it goes on where the last finished chunk ended.

        Every variant starts on the branch of the mechanism itself: its numbers are led from the
        mechanism's own to those of the variant, and no determinant may change its sign on the way.
        Each is swept by the equations, the steps and the tests of `kinematics`, eight at a time in
        SIMD lanes; `outcomes` of the result says how each ended.

        `analysis="simulation"` moves them by their forces instead, each as `simulate` would with
        `method` and `tolerance`, in threads. `start` then has columns of values and rates (m, rad,
        s) that measures start with, {"rod.angle": array, "rod.angle.rate": array}: as many measures
        as there are freedoms; `parameters` is then {}, only the start varies, and nothing is built
        anew. `outputs` may name whatever a simulation tells, "energy.total" and "hinge.force" too;
        points, measures and "energy.kinetic", ".potential", ".dissipated", ".driven" are the quick
        ones.

        `analysis="assemblies"` puts them together and moves nothing: one sample each, near where
        the mechanism stands. `start` has columns of what measures are then ("tip.x", a rod's
        length), in place of drives, so that it is solved for thousands of places at once.

        Examples:
            >>> import kempe, numpy
            >>> four_bar = kempe.gallery.four_bar()
            >>> lengths = numpy.linspace(20.0, 40.0, 5)
            >>> found = four_bar.batch({"crank": lengths}, until=1.0, outputs=["rocker.angle"])
            >>> found["rocker.angle"].values.shape
            (5, 361)
        """
        from kempe.front.requests.batch import batch_of
        from kempe.front.requests.ensemble import AskedSimulation, refuse_other_analysis

        asked = AskedSimulation(start or {}, method, tolerance)
        how: dict[str, Any] = {
            "span": (until, steps, over),
            "draw": (count, seed),
            "limits": (derivatives, threads, memory),
            "where": (device, keep),
        }
        if analysis == "assemblies":
            from kempe.front.requests.batch_assemblies import assemblies_of, refuse_a_folder

            refuse_a_folder(folder)
            return assemblies_of(self, parameters, start or {}, outputs, **how)
        if folder is not None:
            from kempe.front.requests.stored_batch import batch_in

            return batch_in(folder, self, parameters, outputs, asked, analysis, how)
        if refuse_other_analysis(analysis, asked, over, device):
            return asked.batch(self, parameters, outputs, **how)
        return batch_of(self, parameters, outputs, **how)

    def objective(
        self,
        of: "Callable[[Any], Any] | PathError",
        by: str | Sequence[str] | None = None,
        until: float | str | None = None,
        steps: int = 360,
        *,
        over: "Over | None" = None,
        analysis: str = "kinematics",
        start: "Start | None" = None,
        tolerance: float = 1e-8,
    ) -> "Objective":
        """A number that parameters decide, with its gradient, for an optimizer.

        `of` is a `PathError`, or a function that makes one number of plain arrays: called with r,
        it reads r["coupler.P"], (n, 2), in SI units. `by` are names of parameters, all numbers
        among them if omitted; `until`, `steps` and `over` are as for `kinematics`. The result has
        `x0`, `value_and_gradient(x)` and, of a PathError, `residuals(x)` and `jacobian(x)`.

        Every variant is led from the mechanism itself and stays on its branch. Where the model's
        numbers are sums of multiples of the parameters nothing is built on the way; else each
        evaluation builds the mechanism, which `notes` says. `analysis="simulation"` reads the
        motion that forces make, from `start` on, as `simulate` does with that `tolerance`; what its
        events do is differentiated too.

        Examples:
            >>> import kempe, numpy
            >>> four_bar = kempe.gallery.four_bar()
            >>> middle = four_bar.objective(lambda r: numpy.mean(r["rocker.angle"]), until=1.0)
            >>> value, slopes = middle.value_and_gradient(middle.x0)
            >>> round(value, 6), dict(zip(middle.names, slopes.round(3).tolist()))["crank"]
            (2.149243, 0.038)
        """
        from kempe.front.requests.gradient import Analysis, objective_asked, simulated_objective

        if Analysis(analysis, until, over, start).is_simulation:
            assert until is not None, "it was asked for"
            return simulated_objective(self, of, by, until, steps, start, tolerance)
        refuse_rolling(self._model, "kinematics", SWEEP)
        return objective_asked(self, of, by, until, steps, over)

    def lessen(
        self,
        readings: Sequence[str],
        parameters: "Bounds",
        until: float | str | None = None,
        steps: int = 120,
        *,
        over: "Over | None" = None,
    ) -> "Design":
        """Dimensions for which readings are as small as can be, in root mean square.

        `readings` are any names: "crank.angle.effort" sizes a spring or a counterweight so that the
        drive has least to do. `parameters` gives the bounds of those that may change, in their
        units; `until`, `steps` and `over` are as for `kinematics`. It begins with the mechanism
        itself and goes downhill by exact gradients: the least that is found may be one of several.

        Examples:
            >>> import kempe
            >>> @kempe.parametric
            ... def lamp(stiffness=100.0):
            ...     m = kempe.Builder("lamp", plane=True, gravity=(0, -9.81))
            ...     weight = kempe.Inertia(2.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
            ...     arm = m.bar("arm", 0.5, inertia=weight)
            ...     m.revolute(m.ground.at(0, 0), arm.start)
            ...     hook = m.ground.at(0, 0.3)
            ...     m.force(kempe.forces.LineSpring(hook, arm.end, stiffness, free=0.0), "spring")
            ...     m.drive(arm.angle, speed=0.1)
            ...     return m.build()
            >>> turn = ("arm.angle", "-60 deg", "60 deg")
            >>> found = lamp().lessen(["arm.angle.effort"], {"stiffness": (0, 500)}, over=turn)
            >>> round(found.parameters["stiffness"], 6)  # m g / height
            65.4
        """
        from kempe.front.requests.identification import lessened

        refuse_rolling(self._model, "kinematics", SWEEP)
        return lessened(self, readings, parameters, (until, steps, over))

    def balance(
        self,
        radii: Mapping[str, Number],
        until: float | str | None = None,
        steps: int = 120,
        *,
        over: "Over | None" = None,
        length: Number | None = None,
    ) -> "Balance":
        """Counterweights for which what moves shakes its frame least.

        `radii` say on which bodies they sit, and how far from the body's origin (bare numbers in
        the model's length unit); how heavy they are and in which direction follows. `until`,
        `steps` and `over` are as for `kinematics`. The force on the frame is made as small as can
        be, in root mean square; with a `length` l the force and the moment over l are, together.

        Examples:
            >>> import kempe
            >>> @kempe.parametric
            ... def fan(radius=0.1):
            ...     m = kempe.Builder("fan", plane=True)
            ...     blade = m.bar("blade", radius, inertia=kempe.Inertia(0.2, (0.05, 0), 1e-4))
            ...     m.revolute(m.ground.at(0, 0), blade.start)
            ...     m.drive(blade.angle, rpm=600)
            ...     return m.build()
            >>> found = fan().balance({"blade": 0.04}, until=0.1)
            >>> weight = found.counterweights["blade"]
            >>> round(weight.mass, 9), weight.place.round(9).tolist()
            (0.25, [-0.04, 0.0])
        """
        from kempe.front.requests.balancing import balanced

        refuse_rolling(self._model, "kinematics", SWEEP)
        return balanced(self, radii, (until, steps, over), length)

    def identify(
        self,
        parameters: "Bounds",
        measured: Mapping[str, Any],
        times: Sequence[float],
        *,
        analysis: str = "kinematics",
        sigma: Mapping[str, float] | None = None,
        start: "Start | None" = None,
        tolerance: float = 1e-10,
    ) -> "Identification":
        """Parameters of a machine from what was measured of it, with their standard errors.

        `parameters` gives bounds of those that are sought, {"crank": (25, 35)}, in their units;
        `measured` readings and their values in SI, (n,) or of a point (n, 2 or 3), at `times` (n,)
        in s; NaN where there is none. `analysis` is "kinematics", or "simulation" where forces move
        it, from `start` and with steps of that `tolerance`. `sigma` is the noise of each reading,
        standard deviations in SI; where it is not known, what is left tells it.

        Least squares by exact gradients, from the mechanism's own parameters on. The answer says
        which parameters the data does not tell.

        Examples:
            >>> import kempe, numpy
            >>> real = kempe.gallery.four_bar(crank=1.02, rocker=2.95)
            >>> seen = real.kinematics(until=1.0, steps=20)
            >>> found = kempe.gallery.four_bar().identify(
            ...     {"crank": (0.9, 1.1), "rocker": (2.5, 3.5)},
            ...     {"rocker.angle": seen["rocker.angle"].values},
            ...     seen.t,
            ... )
            >>> {name: round(x, 9) for name, x in found.parameters.items()}
            {'crank': 1.02, 'rocker': 2.95}
        """
        from kempe.front.requests.identification import identified

        how = {"analysis": analysis, "sigma": sigma, "start": start, "tolerance": tolerance}
        return identified(self, parameters, measured, times, how)

    def tolerances(
        self,
        parameters: Mapping[str, Any],
        of: Sequence[str],
        until: float | str | None = None,
        steps: int = 120,
        *,
        over: "Over | None" = None,
        clearances: Mapping[str, Number] | None = None,
        count: int = 1000,
        seed: int = 0,
        spread: str = "normal",
        threads: int | None = None,
    ) -> "Tolerances":
        """How far what it does may be off, if its dimensions and its pins are a little off.

        `parameters` say by how much each may differ: a number (+-) or a pair (low, high) in the
        unit that the parameter was given in, a text ("0.05 mm"), or a distribution of deviations
        (those of scipy.stats). `clearances` are radii that pins have to spare in their holes, by
        joint, bare numbers in the model's length unit. `of` are names of readings; `until`, `steps`
        and `over` are as for `kinematics`.

        Three answers are given: to first order by exact gradients, the worst case and the standard
        deviation; by intervals, bounds that are proved for every machine within its tolerances
        (points and measures of mechanisms in the plane); and of `count` machines that are drawn,
        beginning at `seed`, what each does. They are drawn with `spread` "normal", a tolerance
        being three standard deviations, or "uniform"; pins lie at the wall, anywhere round.
        `threads` are as many as there are cores.

        Examples:
            >>> import kempe
            >>> four_bar = kempe.gallery.four_bar()
            >>> lengths = {"crank": 0.01, "coupler": (-0.02, 0.0)}
            >>> off = four_bar.tolerances(lengths, ["rocker.angle"], until=1.0, count=0)
            >>> spread = off["rocker.angle"]
            >>> float(spread.worst.max().round(4)), float(spread.proved.max().round(4))
            (0.0117, 0.012)
        """
        from kempe.front.requests.tolerances import AskedTolerances

        refuse_rolling(self._model, "kinematics", SWEEP)
        asked = AskedTolerances(
            parameters, clearances or {}, of, (until, steps, over), (count, seed), spread, threads
        )
        return asked.of_mechanism(self)

    @keeps_what_is_done
    def design(
        self,
        parameters: "Bounds",
        targets: "Target | Sequence[Target]",
        until: float | str | None = None,
        steps: int = 120,
        *,
        over: "Over | None" = None,
        require: "Sequence[Required]" = (),
        starts: int = 2000,
        keep: int = 16,
        seconds: float = 30.0,
        seed: int = 0,
        threads: int | None = None,
        progress: "Callable[[Advance], None] | None" = None,
    ) -> "Design":
        """Dimensions of this mechanism that come as near as possible to what is wanted.

        `parameters` gives the bounds of those that may change, {"crank": (10, 50)}, in the units
        that they have; `targets` are a `Trace` (a point past given places, whenever) or a `Follow`
        (a reading with given values in time), or several. `until`, `steps` and `over` are the run
        in which they are read, as for `kinematics`: only variants that move through all of it
        count, so a run of one turn wants a crank that turns fully. `require` are `Transmission`,
        `Between`, `Inside`, `Apart`, `Where`.

        `starts` variants are scattered between the bounds, beginning with the mechanism itself, the
        best `keep` of them led on by Levenberg and Marquardt's method, for `seconds` at most;
        `seed` says which are scattered, `threads` how many cores work. `progress` is called with an
        `Advance`; Ctrl-C keeps the best.

        Examples:
            >>> import kempe
            >>> from kempe.synthesis import Follow
            >>> made = kempe.gallery.four_bar(coupler=3.2, rocker=2.8, start=0.5)
            >>> swing = made.kinematics(until=0.25, steps=2)["rocker.angle"].values
            >>> four_bar = kempe.gallery.four_bar(start=0.5)
            >>> bounds = {"coupler": (2.5, 4.0), "rocker": (2.5, 4.0)}
            >>> target = Follow("rocker.angle", (swing - swing[0]).tolist(), free=True)
            >>> found = four_bar.design(bounds, target, until=0.25, starts=64, keep=4)
            >>> found.errors["rocker.angle"][1] < 1e-6
            True
        """
        from kempe.design.fitting.search import Scatter
        from kempe.front.requests.design import DesignWish, design_of

        many = tuple(targets) if isinstance(targets, Sequence) else (targets,)
        wish = DesignWish(many, tuple(require), (until, steps, over), threads)
        return design_of(self, parameters, wish, Scatter(starts, keep, seconds, seed, progress))

    @keeps_what_is_done
    def simulate(
        self,
        until: float | str,
        steps: int = 360,
        *,
        method: "str | Gear | FixedStep" = "auto",
        tolerance: float = 1e-8,
        start: "Start | None" = None,
        executor: str = "auto",
        plan: str = "auto",
        progress: Callable[[float], None] | None = None,
        events: "Sequence[AbstractEvent | str]" = (),
    ) -> "Trajectory":
        """The motion under gravity, springs and other forces, from the assembled position.

        `until` is the end time (s, or text with a unit) and gives `steps` + 1 samples from t = 0.
        The error of every step stays below `tolerance`: lengths beside the size of the machine,
        angles in radians, velocities beside the largest. `method` is "dop853" (order 8), "tsit5"
        (order 5), "rodas5p" (order 5, implicit, for stiff forces), "gear" (backward differences, or
        `Gear(order=, step=)` with steps of one length), "fixed" (order 3, implicit, one step from
        sample to sample at one cost, or `FixedStep(step=, order=)`) or "auto", which changes over
        to "rodas5p" and back where stiffness asks for it; `motion.recipe.methods` says when.
        `progress` is called with the time reached, a few times a second. A run that cannot go on
        keeps its samples, and `outcome` says why. `executor` and `plan` are for measurements.

        What happens on the way, by the model's events and by those of `events`, is listed in the
        trajectory's `events`: a text such as "rod.angle - 0.3" is a `Crossing`.

        It starts as a sweep does; where `start` moves (a trajectory's `state`, an assembly with
        rates) its velocities are taken too, instead of those of the model, and what the model's
        events have latched, released or switched until then goes on.

        Examples:
            >>> import kempe
            >>> m = kempe.Builder("pendulum", plane=True, gravity=(0, -9.81))
            >>> bob = kempe.Inertia(1.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
            >>> rod = m.bar("rod", 1.0, inertia=bob, angle=0.0)
            >>> hinge = m.revolute(m.ground.at(0, 0), rod.start)
            >>> swing = m.build().simulate(until=1.0, steps=10)
            >>> swing.outcome.name, len(swing)
            ('Done', 11)
        """
        from kempe.dynamics import simulate
        from kempe.front.requests.events import expressions_of, with_events
        from kempe.front.requests.gradient import made_by_simulation
        from kempe.front.requests.start import started
        from kempe.front.requests.sweep import Again, simulation_times, time_so_far
        from kempe.front.trajectory import Trajectory
        from kempe.readings.contact_gaps import deep_starts

        layout = with_events(self.layout, events)
        begun = started(layout, start)
        times = simulation_times(layout, until, steps)
        run: Callable[..., Motion] = partial(
            simulate,
            layout if begun is None else begun.moving(layout),
            **({} if begun is None else begun.told(layout, times[0])),
            expressions=expressions_of(layout),
            method=method,
            tolerance=tolerance,
            executor=executor,
            plan=plan,
        )
        passages: list[Passage] = []
        with told(progress, time_so_far(float(times[-1]))) as tell:
            moved = run(times, progress=tell, passages=passages)
            found = replace(moved, again=Again(run, times))
        notes = (*(() if begun is None else begun.notes), *deep_starts(layout, found))
        made = made_by_simulation(self, begun, events, float(times[0]), passages)
        return Trajectory(layout, replace(found, notes=(*notes, *found.notes)), made)

    @keeps_what_is_done
    def statics(
        self,
        start: "Start | Equilibrium | None" = None,
        *,
        seek: str = "stable",
        at: Number | None = None,
    ) -> "Equilibrium":
        """Where it rests under weights, springs and other forces, and whether it stays there.

        From `start`, as `kinematics` takes it, it goes downhill until nothing pushes it any more;
        where it is balanced on a top it is pushed off, and `notes` say so. With `seek="nearest"`
        the nearest balance is taken instead, stable or not. Drives hold what they hold at the time
        `at` (s). Speeds are zero, and so is what dampers and friction do. Where there is no
        equilibrium, because something falls or turns for ever, `outcome` says what and what to do.

        Examples:
            >>> import kempe
            >>> m = kempe.Builder("pendulum", plane=True, gravity=(0, -9.81))
            >>> bob = kempe.Inertia(1.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
            >>> rod = m.bar("rod", 1.0, inertia=bob, angle=0.0)
            >>> hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
            >>> rest = m.build().statics()
            >>> rest.stable, round(rest["hinge.angle"], 6), float(rest["hinge.force"][1].round(6))
            (True, -1.570796, 9.81)
        """
        from kempe.front.requests.statics import equilibrium_of, refuse_nothing_to_rest

        refuse_rolling(self._model, "place of rest of its own", REST)
        refuse_nothing_to_rest(self._model)
        return equilibrium_of(self.layout, start, at, seek)

    @keeps_what_is_done
    def equilibria(
        self,
        over: "Over",
        steps: int = 40,
        *,
        start: "Start | None" = None,
        through: str = "",
    ) -> "EquilibriumPath":
        """Equilibria one after the other as `over=(what, from, to)` changes in even `steps`.

        The first is found from `start`, as by `statics`. What changes is a number of a force
        ("spring.preload", SI), a named parameter (in its unit), or a measure, which is held as by a
        drive. It never jumps: where an equilibrium ends, as before a snap-through, the path ends
        too and says so; `through="snap"` goes on at the one it snaps to.
        """
        from kempe.front.requests.statics import path_of, refuse_nothing_to_rest

        refuse_rolling(self._model, "place of rest of its own", REST)
        refuse_nothing_to_rest(self._model)
        return path_of(self, over, steps, start, through)

    def preload(
        self,
        parameters: str | Sequence[str],
        start: "Start | None" = None,
        *,
        at: Number | None = None,
    ) -> "Preload":
        """Values of parameters with which it rests where `start` has it; as assembled if omitted.

        `parameters` are numbers of forces, such as "spring.preload" or "spring.free", or named
        ones; as many as there are freedoms in that position. Drives hold what they hold at the time
        `at` (s). `mechanism` of the answer has the values.
        """
        from kempe.front.requests.statics import preload_of, refuse_nothing_to_rest

        refuse_rolling(self._model, "place of rest of its own", REST)
        refuse_nothing_to_rest(self._model)
        return preload_of(self, parameters, start, at)

    def linearize(
        self,
        state: "Start | Equilibrium | None" = None,
        *,
        coordinates: Sequence[str] = (),
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
        at: Number | None = None,
    ) -> "Linearization":
        """Small motions about `state`, or about where it rests: matrices, frequencies, modes.

        `coordinates` are measures that tell all that can move; any set is as good, and omitted one
        is chosen. `inputs` are measures along which efforts act, `outputs` measures that are looked
        at. A drive on an input is let go, and what it exerts at the state goes on; other drives
        hold what they hold at the time `at` (s), that of the state if omitted. A state that moves,
        such as a trajectory's, is linearised as it moves. What rolls has no place of rest: it is
        linearised about the motion that its bodies set out with, straight on or round a circle.

        Examples:
            >>> import kempe
            >>> m = kempe.Builder("pendulum", plane=True, gravity=(0, -9.81))
            >>> bob = kempe.Inertia(1.0, (0.5, 0, 0), [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
            >>> rod = m.bar("rod", 1.0, inertia=bob, angle=0.0)
            >>> hinge = m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
            >>> print(m.build().linearize())
            pendulum: 1 freedom
            mode 1: 0.595807 Hz (rod)
        """
        from kempe.front.requests.statics import linearization_of

        names = {"coordinates": coordinates, "inputs": inputs, "outputs": outputs}
        return linearization_of(self.layout, state, at, names)

    def count(self) -> "FreedomCount":
        """Unknowns, equations and freedoms by counting alone, with the drives let go."""
        from kempe.front.requests.motions import count_of

        return count_of(self.layout)

    @keeps_what_is_done
    def assemblies(
        self,
        held: Held = None,
        *,
        limits: Limits = None,
        at: Number | None = None,
        effort: "Effort | None" = None,
    ) -> "Assemblies":
        """Every way to put it together while measures are held, certified to be all.

        `held={"crank.angle": "60 deg"}` are measures and values. The drives are let go, unless `at`
        says at which time (s) they hold what is not in `held`.
        `limits={"guide.displacement": (0, "80 mm")}` keeps measures between two values, `effort`
        bounds the search.
        """
        from kempe.front.requests.motions import Question

        return Question.of(self.layout, held, limits, at).assemblies(effort)

    @keeps_what_is_done
    def motions(
        self,
        held: Held = None,
        *,
        limits: Limits = None,
        at: Number | None = None,
        during: "tuple[Number, Number] | None" = None,
        effort: "Effort | None" = None,
    ) -> "MotionMap | SurfaceMap":
        """Every way it can move, certified to be all.

        With one freedom left these are loops and arcs, a `MotionMap`; with two they are surfaces, a
        `SurfaceMap`. Of a mechanism with more freedoms hold some: `motions({"crank.angle": 0.5})`
        is a slice of its positions. `held`, `limits`, `at` and `effort` are those of `assemblies`.

        Over a span of time, `during=("0 s", "2 s")`, the drives follow their laws and time is an
        unknown, read as "t" (s): components are positions over time. See `timeline`.

        Examples:
            >>> import kempe
            >>> print(kempe.gallery.four_bar().motions())
            four-bar: 2 loops - complete.
        """
        from kempe.front.requests.motions import Question

        return Question.of(self.layout, held, limits, at, during).motions(effort)

    @keeps_what_is_done
    def turning_points(
        self,
        measure: str,
        held: Held = None,
        *,
        limits: Limits = None,
        at: Number | None = None,
        during: "tuple[Number, Number] | None" = None,
        effort: "Effort | None" = None,
    ) -> "Assemblies":
        """Every position where `measure` turns back: a drive on it meets a dead point there.

        `held`, `limits`, `at` and `effort` are those of `assemblies`, `during` is that of
        `motions`; then the measure may be "t".
        """
        from kempe.front.requests.motions import Question

        question = Question.of(self.layout, held, limits, at, during)
        return question.turning_points(measure, effort)

    @keeps_what_is_done
    def timeline(
        self,
        start: Number,
        stop: Number,
        *,
        held: Held = None,
        limits: Limits = None,
        effort: "Effort | None" = None,
    ) -> "Timeline":
        """Every way it can be put together while time goes from `start` to `stop` (s).

        The drives follow their laws, but those in `held`. Branches are followed over time, all of
        them, with the moments at which two of them are born or die together. `held`, `limits` and
        `effort` are those of `assemblies`.

        Examples:
            >>> import kempe
            >>> bar = kempe.gallery.four_bar(crank=2.0, coupler=3.0, rocker=2.5, ground=2.2)
            >>> print(bar.timeline(0, 1))
            four-bar, 0 to 1 s: 4 branches, 1 birth, 1 death - complete.
              1: 0 s (start) to 0.713262 s (death)
              2: 0 s (start) to 0.713262 s (death)
              3: 0.78294 s (birth) to 1 s (stop)
              4: 0.78294 s (birth) to 1 s (stop)
              death of 1 and 2 at 0.713261529 s
              birth of 3 and 4 at 0.782940366 s
        """
        from kempe.front.requests.timeline import timeline_of

        return timeline_of(self.layout, held, limits, (start, stop), effort)

    @keeps_what_is_done
    def circuits(
        self,
        *measures: str,
        held: Held = None,
        limits: Limits = None,
        at: Number | None = None,
        effort: "Effort | None" = None,
    ) -> "Circuits":
        """What can be reached without taking it apart, and how far each measure leads there.

        A circuit is all positions that can be reached from one of them; a branch of it is a stretch
        along which a measure rises or falls all the way, as far as a drive on it leads. `measures`
        are those of the drives where none are named; `held`, `limits`, `at` and `effort` are those
        of `assemblies`.

        Examples:
            >>> import kempe
            >>> print(kempe.gallery.four_bar().circuits())
            four-bar: 2 circuits - complete.
              1: 1 loop, crank.angle turns all the way round
              2: 1 loop, crank.angle turns all the way round
        """
        from kempe.front.requests.circuits import circuits_of
        from kempe.front.requests.motions import Question

        question = Question.of(self.layout, held, limits, at)
        return circuits_of(question, measures, effort)

    @keeps_what_is_done
    def path(
        self,
        start: State,
        goal: State,
        *,
        held: Held = None,
        limits: Limits = None,
        at: Number | None = None,
        effort: "Effort | None" = None,
        step: float = 0.02,
    ) -> "MotionPath":
        """Whether it can go from one position to another as it is, and the shortest way there.

        `start` and `goal` are assemblies, states, or anything else with coordinates q. Positions of
        the way are no further apart than `step` in the space of unknowns. `held`, `limits`, `at`
        and `effort` are those of `assemblies`.

        Examples:
            >>> import kempe
            >>> four_bar = kempe.gallery.four_bar()
            >>> one, other = four_bar.assemblies({"crank.angle": "60 deg"})
            >>> print(four_bar.path(one, other))
            four-bar: no. Components 1 and 2 meet nowhere: it must be taken apart.
        """
        from kempe.front.requests.circuits import path_between
        from kempe.front.requests.motions import Question

        question = Question.of(self.layout, held, limits, at)
        return path_between(question, start, goal, effort, step)

    def follow(self, component: "Component", step: float = 0.02) -> "Trajectory":
        """The motion along a `component` of a motion map, as a trajectory over its length.

        Positions are no further apart than `step` in the space of unknowns; "time" is the length
        along the curve there, in the size of the machine.
        """
        from kempe.front.requests.motions import follow

        return follow(self.layout, component, step)

    def workspace(
        self, found: "MotionMap | SurfaceMap", point: str, seen: tuple[str, str] = ("x", "y")
    ) -> "Workspace":
        """Where `point`, such as "coupler.P", can be: `found` are motions of two freedoms.

        Its area, its rim, and the lines along which the point cannot be moved at will, in the two
        coordinates `seen`: in space hold the third, `motions({"P.z": "-0.5 m"})`, for a slice.
        """
        from kempe.front.surfaces import surfaces_of, workspace

        return workspace(self.layout, surfaces_of(found), point, seen)

    def dexterity(
        self,
        of: str | Sequence[str],
        inputs: Sequence[str],
        over: Mapping[str, Any],
        *,
        count: int = 41,
        length: float | str | None = None,
    ) -> "Dexterity":
        """How well `inputs` move a point or measures, `of`, over the positions of a grid.

        `inputs` are measures that are driven, one for each freedom. `over` gives ranges (low, high)
        of measures in `count` values, or arrays of them (SI, or text with units): of the inputs,
        as for an arm, or of what they move, as for a platform. The grid is reached from where the
        mechanism stands, from neighbour to neighbour on its branch; what is not reached is NaN.
        Lengths beside angles want a `length` (m) that angles are multiplied by. The drives of the
        mechanism are let go.

        Examples:
            >>> import kempe
            >>> m = kempe.Builder("arm", plane=True)
            >>> upper, lower = m.bar("upper", 1.0), m.bar("lower", 1.0)
            >>> shoulder = m.revolute(m.ground.at(0, 0), upper.start, name="shoulder")
            >>> elbow = m.revolute(upper.end, lower.start, name="elbow")
            >>> over = {"shoulder.angle": ("0 deg", "90 deg"), "elbow.angle": ("30 deg", "90 deg")}
            >>> found = m.build().dexterity("lower.end", ["shoulder.angle", "elbow.angle"], over)
            >>> round(float(found.manipulability.max()), 9)  # l1 l2 |sin elbow|
            1.0
        """
        from kempe.front.requests.dexterity import AskedDexterity

        refuse_rolling(self._model, "position that values tell", SWEEP)
        return AskedDexterity(of, inputs, over, count, length).of_mechanism(self)

    def singular_curves(
        self, found: "MotionMap | SurfaceMap", first: str, second: str
    ) -> "SingularCurves":
        """Where drives on the measures `first` and `second` lose rank.

        `found` are motions of two freedoms.
        """
        from kempe.front.surfaces import singular_curves, surfaces_of

        return singular_curves(self.layout, surfaces_of(found), (first, second))

    @overload
    def pictures(self, found: "MotionMap") -> "MapPictures": ...
    @overload
    def pictures(self, found: "SurfaceMap") -> "SurfacePictures": ...
    @overload
    def pictures(self, found: "Assemblies") -> "AssemblyPictures": ...
    @overload
    def pictures(self, found: "Timeline") -> "TimelinePictures": ...
    def pictures(
        self, found: "MotionMap | SurfaceMap | Assemblies | Timeline"
    ) -> "MapPictures | SurfacePictures | AssemblyPictures | TimelinePictures":
        """Pictures of `found`: of a motion map paths, plots, placements; of any other answer."""
        from kempe.front.pictures import AssemblyPictures, MapPictures, TimelinePictures
        from kempe.front.surface_pictures import SurfacePictures
        from kempe.results.maps.assemblies import Assemblies
        from kempe.results.maps.surface_map import SurfaceMap
        from kempe.results.maps.timeline import Timeline

        if isinstance(found, Timeline):
            return TimelinePictures(self.layout, found)
        if isinstance(found, Assemblies):
            return AssemblyPictures(self.layout, found)
        if isinstance(found, SurfaceMap):
            return SurfacePictures(self.layout, found)
        return MapPictures(self.layout, found)

    def drag(
        self,
        *,
        limits: "Mapping[str, Range] | None" = None,
        poses: Mapping[str, Pose] | None = None,
        start: "Start | None" = None,
        at: Number = 0.0,
    ) -> "Drag":
        """The mechanism in the hand, its drives let go: `drag().to("coupler.P", (x, y))`.

        It starts as its drives hold it at the time `at` (s), or from `poses` (X_WB by body, such as
        an earlier drag left), or from the nearest assembly to a `start` as `kinematics` takes it.
        `limits={"crank.angle": (0, "90 deg")}` are kept.
        """
        from kempe.front.drag import Drag
        from kempe.front.requests.start import started

        refuse_rolling(self._model, "positions to drag it to", HAND)
        begun = started(self.layout, start)
        return Drag(self.layout, limits=limits, poses=poses, start=begun, at=at)

    def solver(self, *measures: str, executor: str = "auto") -> "Solver":
        """A live solver: `solver.update({"crank.angle": 0.3})` gives a position of everything.

        The driven measures become values set from outside; with names of `measures` given, those
        are set instead and the drives are left out. `executor` is as in `kinematics`.
        """
        from kempe.front.requests.sweep import set_by_hand
        from kempe.front.solver import Solver

        refuse_rolling(self._model, "position that values tell", SWEEP)
        if not measures:
            return Solver(self._model, executor=executor)
        model, poses = set_by_hand(self.layout, measures)
        return Solver(model, executor=executor, start=poses)

    def live(self, *, show: str = "auto") -> "LiveView":
        """A view that shows it while a program moves it: `with m.live() as view: view.set(...)`.

        In a notebook it stands below the cell (extra `notebook`), else in a window of the browser,
        served by this process to this machine alone (extra `studio`). `show` chooses: "notebook",
        "browser", "address" to print where it is and open nothing, "nowhere".
        """
        from kempe.front.live import LiveView

        refuse_rolling(self._model, "position that values tell", SWEEP)
        return LiveView(self, show=show)

    def dynamic_solver(
        self,
        *inputs: str,
        step: float | str = 1e-3,
        method: "str | FixedStep | None" = None,
        tolerance: float = 1e-8,
        start: "Start | None" = None,
        executor: str = "auto",
    ) -> "DynamicSolver":
        """A live simulation: `solver.step(0.01, {"motor": 2.0})` moves it on; then it is read.

        `inputs` are driven measures and forces with a law of time, by name, whose laws give way to
        values from outside. Steps have one length, `step` (s, or text with a unit), and one cost,
        unless `method` is another: "rodas5p", "dop853" or "tsit5", whose steps follow `tolerance`,
        or `FixedStep(order=5)`. `start` and `executor` are as in `simulate`.
        """
        from kempe.front.dynamic_solver import DynamicSolver
        from kempe.front.requests.start import started

        begun = started(self.layout, start)
        return DynamicSolver.of(
            self.layout if begun is None else begun.moving(self.layout),
            inputs,
            step,
            method,
            tolerance,
            executor,
            None if begun is None else begun.given(self.layout),
            {} if begun is None else begun.undriven(self.layout, 0.0),
        )
