"""`kempe gradient`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from kempe.cli.motion import Sweep, answer_of_motion, motion_of
from kempe.cli.options import AsJson, Model, output_option
from kempe.endings import refuse_unwritable

PLOTS = (".png", ".svg", ".pdf")


def gradient(
    what: Model,
    *,
    of: Annotated[str, typer.Option(help="A reading, such as coupler.P or crank.angle.effort.")],
    by: Annotated[
        list[str] | None,
        typer.Option(help="A parameter; may be repeated. All that are numbers if omitted."),
    ] = None,
    output: Annotated[
        Path | None, output_option("Write bars of the sensitivities (.png, .svg, .pdf).")
    ] = None,
    sweep: Sweep,
    as_json: AsJson = False,
) -> int:
    """Say which parameters a reading follows, and how much: exact derivatives along the motion.

    Example: kempe gradient four_bar --of coupler.P --by crank --by ground -o bars.svg
    """
    from kempe.export.sensitivities import effects, sensitivity_figure, sensitivity_words

    if output is not None:
        refuse_unwritable(output, PLOTS, "a plot")
    trajectory, _ = motion_of(what, **sweep.given())
    found = trajectory.gradient(of, by or None)
    written = []
    if output is not None:
        from kempe.export.plots import write_plot

        written = [str(write_plot(sensitivity_figure(found), output))]
    facts: dict[str, Any] = {
        "of": found.of,
        "unit": found.unit,
        "effects": [one.facts() for one in effects(found)],
        "notes": list(found.notes),
    }
    if as_json:
        facts |= {"t": found.t.tolist(), "value": found.value.tolist()}
        facts["slopes"] = {name: found[name].tolist() for name in found.by}
    words = sensitivity_words(found)
    return answer_of_motion(trajectory, facts, words, written, as_json=as_json)
