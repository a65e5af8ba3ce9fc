"""`kempe bench`."""

import json
import runpy
import sys
from pathlib import Path
from typing import Annotated

import typer

from kempe.errors import MissingPart, UnknownName, nearest_name


def bench(
    name: Annotated[str, typer.Argument(help="Which benchmark, such as kinematics.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
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
        report = runpy.run_path(str(folder / f"{name}.py"))["measure"]()
    finally:
        sys.path.remove(str(folder))
    if as_json:
        print(json.dumps(report))
    else:
        _show(report)
    return 0 if all(goal["met"] is not False for goal in report["goals"]) else 1


def _show(report: dict[str, list[dict[str, object]]]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for title in ("rows", "goals"):
        table = Table(title=title)
        for column in report[title][0] if report[title] else ():
            table.add_column(str(column))
        for row in report[title]:
            table.add_row(*(_cell(value) for value in row.values()))
        console.print(table)


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else "" if value is None else str(value)
