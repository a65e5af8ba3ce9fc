"""What commands that need a motion share: a mechanism by name or file, swept as the options say."""

import math
import runpy
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, Protocol, TypeVar, final

import typer

from kempe.cli.angles import refuse_bare_degrees
from kempe.cli.options import Over, Steps, Until
from kempe.cli.terminal import ProgressLine, answer
from kempe.errors import (
    AssemblyError,
    FileError,
    KempeError,
    ModelError,
    UnknownName,
    nearest_name,
)
from kempe.interruption import Interrupted

if TYPE_CHECKING:
    from kempe.files.documents.run import Run
    from kempe.front import Mechanism, Trajectory
    from kempe.geometry import Pose

P = ParamSpec("P")
T = TypeVar("T")

UNTIL = "1 s"
STEPS = 360
TOLERANCE = 1e-8  # of a simulation
MODEL_FILES = (".yaml", ".yml", ".json")
SAVED = ".npz"  # the ending of a trajectory that was saved


class Refusal(Protocol):
    """What looks at the options of a command before anything is computed."""

    def __call__(self, mechanism: "Mechanism", asked: "Run", *, is_simulated: bool) -> None:
        """A KempeError where something cannot be followed."""


def finite(facts: Mapping[str, object]) -> dict[str, object]:
    """Facts as JSON can hold them: numbers that are not finite become null."""
    return {
        name: None if isinstance(fact, float) and not math.isfinite(fact) else fact
        for name, fact in facts.items()
    }


def cannot(refused: AssemblyError, *, as_json: bool) -> int:
    """Say why it cannot be put together; the exit code."""
    facts = {"assembles": False, "message": refused.message, "facts": finite(refused.facts)}
    return answer(facts, refused, as_json=as_json, is_yes=False)


def pose_facts(X_WB: "Pose") -> dict[str, list[float]]:
    """Where a body is, as JSON: its position (m) and its quaternion, scalar first."""
    quaternion = [float(c) for c in X_WB.rotation.quaternion()]
    return {"position": [float(c) for c in X_WB.position], "quaternion": quaternion}


def mechanism_of(what: str) -> "Mechanism":
    """The mechanism of a model file, of a Python file that defines `mechanism`, or the gallery."""
    from kempe.foreign.opening import is_foreign

    path = Path(what)
    if path.suffix.lower() in MODEL_FILES or is_foreign(path):
        from kempe.front import load

        mechanism = load(path)
        _say_left_out(mechanism, what)
        return mechanism
    if path.suffix == ".py":
        return _from_python(path)
    from kempe.gallery import MECHANISMS

    if what in MECHANISMS:
        return MECHANISMS[what]()
    _refuse_no_model(path)
    near = nearest_name(what, MECHANISMS)
    raise UnknownName(f"the gallery has no mechanism {what!r}, nor is there a file {what!r}.{near}")


def _say_left_out(mechanism: "Mechanism", what: str) -> None:
    """A line on stderr where a file of another program holds what the mechanism does not."""
    imported = mechanism.imported
    if imported is not None and imported.report.left_out:
        said = f"{imported.report.headline} `kempe check --syntax` lists them."
        print(f"kempe: {said}", file=sys.stderr)


def _refuse_no_model(path: Path) -> None:
    """A ModelError for what is on the disk and is no model."""
    from kempe.foreign.opening import ENDINGS

    if path.is_dir():
        raise ModelError(f"{path} is a folder: name a model file in it.")
    if path.suffix.lower() == SAVED and path.is_file():
        raise ModelError(
            f"{path} is a saved result and holds no mechanism: `kempe run` and `kempe plot` read"
            " motions, `kempe verify` reads maps."
        )
    endings = ", ".join([*MODEL_FILES, ".py", *ENDINGS])
    if path.is_file():
        raise ModelError(f"{path} is no model file: these end in {endings}.")
    if path.suffix or len(path.parts) > 1:
        raise FileError(f"there is no such file; model files end in {endings}.", path=str(path))


def refuse_idle(options: Mapping[str, object], why: str, mend: str = "Leave it out.") -> None:
    """A ModelError for options that were given and would do nothing."""
    given = [f"--{name}" for name, value in options.items() if value not in (None, ())]
    if given:
        does = "has" if len(given) == 1 else "have"
        raise ModelError(f"{why}: {', '.join(given)} {does} no meaning for it. {mend}")


def named_values(texts: Iterable[str] | None, option: str, example: str) -> dict[str, str]:
    """{"crank.angle": "60 deg"} of an option given as "crank.angle=60 deg", each name once."""
    values: dict[str, str] = {}
    for text in texts or ():
        name, _, value = (part.strip() for part in text.partition("="))
        if not (name and value):
            raise ModelError(f"{option} {text!r} has no value: write it as {example}.")
        if name in values:
            raise ModelError(f"{option} is given twice for {name!r}: {values[name]} and {value}.")
        values[name] = value
    return values


def refuse_unknown_wishes(mechanism: "Mechanism") -> None:
    """A FileError, with its place, where a file asks for what there is not.

    Points to trace, outputs by name, endings of files: what a sweep or a simulation would tell.
    """
    from kempe.export.writing import ENDINGS
    from kempe.geometry import GROUND
    from kempe.readings.registry import registry_of

    document, model = mechanism.document, mechanism.model
    if document is None:
        return
    asked, own = document.run, len(document.data.get("outputs") or ())
    registry = registry_of(model, is_simulated=False)
    simulated = registry_of(model, is_simulated=True)
    for k, name in enumerate(asked.trace):
        with document.placed("run", "trace", k):
            registry.point(name, "trace", unless=GROUND)
    for k, output in enumerate(model.outputs[len(model.outputs) - own :]):
        with document.placed("outputs", k):
            try:
                registry.refuse_unknown(output)
            except KempeError:
                simulated.refuse_unknown(output)
    for k, file in enumerate(asked.outputs):
        if Path(file).suffix.lower() not in ENDINGS:
            with document.placed("run", "outputs", k):
                raise FileError(
                    f"{file!r}: a motion is written to {', '.join(ENDINGS)}.", path=file
                )


def run_of(what: str, mechanism: "Mechanism") -> "Run":
    """What its file asks for, or how an entry of the gallery is shown best."""
    from kempe.files.documents.run import Run
    from kempe.gallery import COURSES

    if mechanism.document is not None:
        refuse_unknown_wishes(mechanism)
        return mechanism.document.run
    if mechanism.imported is not None:
        return mechanism.imported.run
    if what in COURSES:
        course = COURSES[what]
        return Run(analysis="dynamics", until=course.until, trace=course.trace)
    return Run()


@dataclass(frozen=True, slots=True)
class AbstractStepping:
    """How the steps of a simulation are made."""

    method: Annotated[
        str | None,
        typer.Option(
            help="Of a simulation: dop853 (order 8), tsit5 (order 5), rodas5p or gear (implicit),"
            " fixed (implicit, one step from sample to sample), or auto; what the file says, or"
            " auto."
        ),
    ] = None
    order: Annotated[
        int | None,
        typer.Option(help="Order of every step: with --method gear (1 to 6, --step too) or fixed."),
    ] = None
    step: Annotated[
        str | None,
        typer.Option(help="Length of every step, such as '1 ms': with --method gear or fixed."),
    ] = None

    @property
    def options(self) -> dict[str, object]:
        """What was given, by option."""
        return {field.name: getattr(self, field.name) for field in fields(AbstractStepping)}

    def of(self, asked: "Run") -> Any:
        """The method, where a file asks for one, with what was given here."""
        return method_with(first_given(self.method, asked.method), self.order, self.step)


@final
@dataclass(frozen=True, slots=True)
class Stepping(AbstractStepping):
    """How the steps of a simulation are made, and nothing else."""


@final
@dataclass(frozen=True, slots=True)
class Sweep(AbstractStepping):
    """How far a mechanism is moved, and how it goes on where that is not plain."""

    until: Until = None
    steps: Steps = None
    over: Over = None
    through: Annotated[
        list[str] | None,
        typer.Option(
            help="How to go on from dead points: momentum, or 'branch 2'; given again, one each."
        ),
    ] = None
    free: Annotated[
        str | None,
        typer.Option(
            help="Freedoms that no drive holds: refuse, or nearest (move the least). What the file"
            " says, or refuse."
        ),
    ] = None
    newton_tolerance: Annotated[
        float | None,
        typer.Option(
            help="Of the rows of every sample, lengths beside the machine's size, angles in rad;"
            " what the file says, or 1e-13."
        ),
    ] = None
    newton_iterations: Annotated[
        int | None,
        typer.Option(help="Of a step, beyond which it is halved; what the file says, or 10."),
    ] = None

    def given(self) -> dict[str, Any]:
        """As `motion_of` takes them."""
        mine = {name: x for name, x in asdict(self).items() if name not in self.options}
        return {**mine, "through": self.through or (), "stepping": self}


def simulated(
    mechanism: "Mechanism",
    asked: "Run",
    until: str | None,
    steps: int | None,
    tolerance: float | None = None,
    **how: Any,
) -> "Trajectory":
    """The motion by its forces: as the options say, else as the file does, else one second."""
    from kempe.units import in_si

    how["method"] = first_given(how.get("method"), asked.method, "auto")
    end = in_si(first_given(until, asked.until, UNTIL), "s")
    with ProgressLine() as line:

        def shown(t: float) -> None:
            line.show(t / end if end > 0.0 else None, f"t = {t:.4g} s of {end:.4g} s")

        return as_far_as_it_got(
            mechanism.simulate,
            until=end,
            steps=first_given(steps, asked.steps, STEPS),
            tolerance=first_given(tolerance, asked.tolerance, TOLERANCE),
            progress=shown,
            **how,
        )


def method_with(method: Any, order: int | None, step: str | None) -> Any:
    """A method by name or from a file, with an order and a length of its steps where given."""
    given: dict[str, Any] = {} if order is None else {"order": order}
    if step is not None:
        from kempe.units import in_si

        given["step"] = in_si(step, "s")
    if not given:
        return method
    from kempe.dynamics import FixedStep, Gear

    kinds: dict[Any, type[Gear] | type[FixedStep]] = {"gear": Gear, "fixed": FixedStep}
    if method in kinds:
        return kinds[method](**given)
    if isinstance(method, Gear | FixedStep):
        return replace(method, **given)
    options = " and ".join(f"--{word}" for word in given)
    raise ModelError(
        f"{options} go with steps that are chosen by hand: give --method gear or --method fixed."
    )


def first_given(*given: Any) -> Any:
    """The first that was given; None where none was."""
    return next((one for one in given if one is not None), None)


def motion_of(
    what: str,
    until: str | None,
    steps: int | None,
    over: str | None,
    through: Sequence[str] = (),
    free: str | None = None,
    newton_tolerance: float | None = None,
    newton_iterations: int | None = None,
    stepping: AbstractStepping | None = None,
    tolerance: float | None = None,
    refuse: "Refusal | None" = None,
) -> "tuple[Trajectory, Run]":
    """The motion of a mechanism, or one that was saved, and what its file asks for.

    It goes up to a time or over a measure: as the options say, else as the file does, else one
    second in 360 steps. One way through dead points holds for all of them, several for one each.
    What `refuse` does not like is refused before anything is computed.
    """
    of_a_sweep: dict[str, object] = {"through": through, "free": free}
    of_a_sweep |= {"newton-tolerance": newton_tolerance, "newton-iterations": newton_iterations}
    stepping = stepping or Stepping()
    of_a_simulation = {**stepping.options, "tolerance": tolerance}
    if Path(what).suffix == SAVED:
        return _saved(
            what, {"until": until, "steps": steps, "over": over, **of_a_sweep, **of_a_simulation}
        )
    if over is not None and until is not None:
        raise ModelError("a sweep goes --over a measure or --until a time: give one of them.")
    mechanism = mechanism_of(what)
    asked = run_of(what, mechanism)
    is_simulated = asked.analysis == "dynamics" and over is None
    if over is not None:
        name, *ends = over_of(over)
        refuse_bare_degrees(mechanism, name, "--over", *ends)
    if refuse is not None:
        refuse(mechanism, asked, is_simulated=is_simulated)
    if is_simulated:
        refuse_idle(of_a_sweep, f"{what} is simulated, not swept")
        how = stepping.of(asked)
        return simulated(mechanism, asked, until, steps, tolerance, method=how), asked
    refuse_idle(
        of_a_simulation,
        f"{what} is swept, not simulated",
        "Leave it out, use `kempe simulate`, or let the file's `run` have analysis: dynamics.",
    )
    ways = through[0] if len(through) == 1 else tuple(through)
    newton = {
        "newton_tolerance": first_given(newton_tolerance, asked.newton_tolerance),
        "newton_iterations": first_given(newton_iterations, asked.newton_iterations),
    }
    sweep = partial(
        mechanism.kinematics,
        steps=first_given(steps, asked.steps, STEPS),
        through=ways or asked.through,
        free=free or asked.free,
        **{name: given for name, given in newton.items() if given is not None},
    )
    return as_far_as_it_got(sweep, **range_of(asked, until, over)), asked


def range_of(asked: "Run", until: str | None, over: str | None) -> dict[str, object]:
    """How far a sweep goes, as an argument: over a measure, or until a time."""
    if over is not None:
        return {"over": over_of(over)}
    if until is None and asked.over is not None:
        return {"over": asked.over}
    return {"until": first_given(until, asked.until, UNTIL)}


def _saved(what: str, options: Mapping[str, object]) -> "tuple[Trajectory, Run]":
    """A motion that was saved, of which nothing is asked; a ModelError where options are given."""
    from kempe.files.documents.run import Run
    from kempe.front import Trajectory

    refuse_idle(options, f"{what} is a motion that was computed already")
    return Trajectory.load(what), Run()


def answer_of_motion(
    trajectory: "Trajectory",
    facts: Mapping[str, Any],
    words: str,
    written: list[str] | str,
    *,
    as_json: bool,
) -> int:
    """What was found along a motion, how that ended, and what was written; the exit code."""
    outcome = trajectory.outcome
    files = [written] if written and isinstance(written, str) else written
    lines = [words] if outcome.is_done else [words, str(outcome)]
    return answer(
        {**facts, "outcome": outcome.name, "written": written},
        "\n".join(line for line in lines if line),
        as_json=as_json,
        written=files,
        is_yes=outcome.is_done,
    )


def as_far_as_it_got(compute: Callable[P, T], *args: P.args, **given: P.kwargs) -> T:
    """What a computation finds; interrupted, what it had found by then: it is written all the same.

    A second Ctrl-C, while it is written, ends the program.
    """
    try:
        return compute(*args, **given)
    except Interrupted as stop:
        found: T = stop.result
        return found


def _from_python(path: Path) -> "Mechanism":
    from kempe.front import Mechanism

    if not path.is_file():
        raise ModelError(f"there is no file {path}.")
    found = _run(path).get("mechanism")
    if not isinstance(found, Mechanism):
        raise ModelError(
            f"{path} defines no `mechanism`: end it with `mechanism = builder.build()`."
        )
    return found


def _run(path: Path) -> dict[str, object]:
    """The names a Python file leaves behind; a mistake in it is reported with its line."""
    try:
        return runpy.run_path(str(path), run_name="kempe_model")
    except (KempeError, KeyboardInterrupt):
        raise
    except SyntaxError as mistake:
        raise ModelError(f"{path}:{mistake.lineno}: {mistake.msg}.") from None
    except BaseException as mistake:
        lines = [
            f.lineno
            for f in traceback.extract_tb(mistake.__traceback__)
            if Path(f.filename) == path
        ]
        where = f"{path}:{lines[-1]}" if lines else str(path)
        raise ModelError(f"{where}: {type(mistake).__name__}: {mistake}") from None


def over_of(text: str) -> tuple[str, str, str]:
    """("crank.angle", "0", "360 deg") from the text of an option."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ModelError(
            f"--over {text!r} is not a measure and two values, such as 'crank.angle, 0, 360 deg'."
        )
    return parts[0], parts[1], parts[2]
