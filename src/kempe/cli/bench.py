"""`kempe bench`."""

import json
import math
import runpy
import sys
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer

from kempe.cli.options import AsJson
from kempe.cli.terminal import plain_stream
from kempe.errors import BadNumber, MissingPart, UnknownName, nearest_name


def bench(
    name: Annotated[str, typer.Argument(help="Which benchmark, such as kinematics.")],
    *,
    hours: Annotated[
        float | None, typer.Option(help="How long, for benchmarks that watch memory: studio.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure speed against a floor in C and against peers, in one run on this machine.

    Example: kempe bench kinematics --json
    """
    import kempe

    folder = Path(kempe.__file__).resolve().parents[2] / "benchmarks"
    if not folder.is_dir():
        raise MissingPart(
            "benchmarks are part of the source checkout, and this is an installed package: clone"
            " the repository and run `make bench` there."
        )
    known = sorted(p.stem for p in folder.glob("*.py") if not p.stem.startswith("_"))
    if name not in known:
        raise UnknownName(f"there is no benchmark {name!r}.{nearest_name(name, known)}")
    sys.path.insert(0, str(folder))
    try:
        measure = runpy.run_path(str(folder / f"{name}.py"))["measure"]
        report = measure(**_length(name, measure, hours))
    finally:
        sys.path.remove(str(folder))
    if as_json:
        print(json.dumps(report))
    else:
        _show(report)
    return 0 if all(goal["met"] is not False for goal in report["goals"]) else 1


def _length(name: str, measure: Callable[..., Any], hours: float | None) -> dict[str, float]:
    """What `measure` is given, where it can be long or short."""
    if hours is None:
        return {}
    if "hours" not in signature(measure).parameters:
        raise BadNumber(f"the benchmark {name!r} takes as long as it takes: leave out --hours.")
    if not 0.0 < hours < math.inf:
        raise BadNumber(f"--hours is {hours:g}: give a positive number, such as 2.")
    return {"hours": hours}


def _show(report: dict[str, list[dict[str, Any]]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(file=plain_stream(sys.stdout))
    rows = Table(box=box.SIMPLE_HEAD, title="CPU time", title_justify="left")
    for column in ("case", "who", "time", "per", "error"):
        rows.add_column(column, justify="right" if column in ("time", "error") else "left")
    before = None
    for row in report["rows"]:
        case = "" if row["case"] == before else row["case"]
        error = "" if row["error"] is None else f"{row['error']:.1e}"
        rows.add_row(case, row["who"], _duration(row["seconds"]), row["per"], error)
        before = row["case"]
    console.print(rows)
    goals = Table(box=box.SIMPLE_HEAD, title="Goals", title_justify="left")
    for column in ("goal", "wanted", "got", "met"):
        goals.add_column(column, justify="left" if column in ("goal", "met") else "right")
    for goal in report["goals"]:
        got = "" if goal["got"] is None else f"{goal['got']:.3g}"
        met = {True: "[green]yes[/]", False: "[bold red]no[/]", None: "not measured"}[goal["met"]]
        goals.add_row(goal["goal"], goal["wanted"], got, met)
    console.print(goals)


def _duration(seconds: float | None) -> str:
    """Three digits and the unit that suits them: 41.2 ns; nothing where nobody got that far."""
    if seconds is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
