"""`kempe modes`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import mechanism_of, refuse_idle
from kempe.cli.options import AsJson, HeldAt, Model, output_option
from kempe.cli.terminal import answer

if TYPE_CHECKING:
    from kempe.front.linearization import Linearization

PLOTS = (".png", ".pdf")


def modes(
    what: Model,
    *,
    assembled: Annotated[
        bool, typer.Option("--assembled", help="About where it is assembled, not where it rests.")
    ] = False,
    at: HeldAt = None,
    mode: Annotated[
        int | None, typer.Option(help="The mode of pictures, 1 for the slowest; 1 if omitted.")
    ] = None,
    effort: Annotated[
        str | None, typer.Option(help="Answer of --look to an effort along this measure.")
    ] = None,
    look: Annotated[
        str | None, typer.Option(help="The measure whose answer is plotted; --effort if omitted.")
    ] = None,
    output: Annotated[
        list[Path] | None,
        output_option(
            "Write the modes (.csv, .json), one that moves (.html, .gif, .mp4, .webm, .glb)"
            " or stands (.svg),"
            " or a plot of them, or of --effort, (.png, .pdf); may be given again."
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Tell how a mechanism swings about where it rests: frequencies, damping, modes.

    Example: kempe modes suspension.yaml -o modes.csv -o first.html
    """
    from kempe.endings import refuse_unwritable
    from kempe.export.plain_tables import TABLES
    from kempe.pictures.animation import MOVING

    for path in output or []:
        refuse_unwritable(path, (*TABLES, ".svg", *MOVING, *PLOTS), "modes")
    if effort is None:
        refuse_idle({"look": look}, "no effort is named")
    mechanism = mechanism_of(what)
    inputs = () if effort is None else (effort,)
    outputs = () if effort is None else (look or effort,)
    state = mechanism.assemble(at=at or 0.0) if assembled else None
    found = mechanism.linearize(state, inputs=inputs, outputs=outputs, at=at)
    number = 1 if mode is None else mode
    if mode is not None:
        found.mode(number)
    written = [str(_write(found, path, number)) for path in output or []]
    return answer({**_facts(found), "written": written}, found, as_json=as_json, written=written)


def _write(found: "Linearization", path: Path, number: int) -> Path:
    from kempe.disk import replace_file
    from kempe.export.plain_tables import TABLES, write_table
    from kempe.export.plots import write_plot

    ending = path.suffix.lower()
    if ending in TABLES:
        return write_table(found.columns(), path)
    if ending in PLOTS:
        return write_plot(found.plot_response() if found.inputs else found.plot(), path)
    if ending == ".svg":
        return replace_file(path, found.svg(number).encode("utf-8"))
    return found.animate(path, number)


def _facts(found: "Linearization") -> dict[str, Any]:
    return {
        "freedoms": len(found.names),
        "stable": found.is_stable,
        "frequencies": found.frequencies.tolist(),
        "damping": found.damping.tolist(),
        "modes": [
            {
                "eigenvalue": [mode.eigenvalue.real, mode.eigenvalue.imag],
                "frequency": mode.frequency,
                "damped_frequency": mode.damped_frequency,
                "damping": mode.damping,
                "bodies": list(mode.motion.bodies),
            }
            for mode in found.modes
        ],
        "residual": found.residual,
        "notes": list(found.notes),
    }
