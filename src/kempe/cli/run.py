"""`kempe run`."""

import json
import runpy
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kempe.errors import KempeError, ModelError, UnknownName, nearest_name

if TYPE_CHECKING:
    from kempe.front import Mechanism, Trajectory

ANSWER_IS_NO = 1  # exit code: the sweep ended early


def run(
    what: Annotated[
        str,
        typer.Argument(
            help="A Python file that defines `mechanism`, or a name of the gallery.",
            metavar="FILE|NAME",
        ),
    ],
    *,
    until: Annotated[str, typer.Option(help="End time, such as 1 or '500 ms'.")] = "1",
    steps: Annotated[int, typer.Option(help="Steps; one sample more is written.")] = 360,
    over: Annotated[
        str | None, typer.Option(help="Sweep a measure instead: 'crank.angle, 0, 360 deg'.")
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o", "--output", help="Write .csv, .json, .npz, .svg or .html; may be given again."
        ),
    ] = None,
    trace: Annotated[
        list[str] | None, typer.Option(help="A point whose path is drawn, such as coupler.P.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Sweep a mechanism and say how it went; write the motion where asked.

    Example: kempe run four_bar --until 1 -o motion.csv -o motion.html --trace coupler.P
    """
    from kempe.front.export import write

    mechanism = _mechanism(what)
    if over is None:
        trajectory = mechanism.kinematics(until=until, steps=steps)
    else:
        trajectory = mechanism.kinematics(over=_over(over), steps=steps)
    written = [str(write(trajectory, path, trace=tuple(trace or ()))) for path in output or []]
    outcome = trajectory.outcome
    if as_json:
        print(json.dumps(_facts(trajectory, written)))
    else:
        print(f"{mechanism.name}: {len(trajectory)} samples up to t = {trajectory.t[-1]:g} s.")
        print(outcome)
        for path in written:
            print(f"wrote {path}")
    return 0 if outcome.is_done else ANSWER_IS_NO


def _facts(trajectory: "Trajectory", written: list[str]) -> dict[str, object]:
    outcome = trajectory.outcome
    return {
        "outcome": outcome.name,
        "message": outcome.message,
        "advice": outcome.advice,
        "facts": outcome.facts,
        "samples": len(trajectory),
        "t": [float(trajectory.t[0]), float(trajectory.t[-1])],
        "redundant": list(trajectory.redundant),
        "counts": trajectory.motion.counts,
        "names": list(trajectory.names),
        "written": written,
    }


def _mechanism(what: str) -> "Mechanism":
    from kempe.front import Mechanism
    from kempe.gallery import MECHANISMS

    if what in MECHANISMS:
        return MECHANISMS[what]()
    path = Path(what)
    if path.suffix == ".py" and path.is_file():
        found = _run(path).get("mechanism")
        if not isinstance(found, Mechanism):
            raise ModelError(
                f"{path} defines no `mechanism`: end it with `mechanism = builder.build()`."
            )
        return found
    if path.suffix == ".py":
        raise ModelError(f"there is no file {path}.")
    raise UnknownName(f"there is no mechanism {what!r}.{nearest_name(what, MECHANISMS)}")


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


def _over(text: str) -> tuple[str, str, str]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ModelError(
            f"--over {text!r} is not a measure and two values, such as 'crank.angle, 0, 360 deg'."
        )
    return parts[0], parts[1], parts[2]
