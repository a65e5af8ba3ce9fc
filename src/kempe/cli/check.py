"""`kempe check`."""

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kempe.cli.motion import cannot, finite, mechanism_of, refuse_idle, refuse_unknown_wishes
from kempe.cli.options import AsJson, Model, output_option
from kempe.cli.terminal import answer
from kempe.endings import PICTURES, refuse_unwritable
from kempe.errors import AssemblyError, FileError

if TYPE_CHECKING:
    from kempe.front import Mechanism


def check(
    what: Model,
    *,
    syntax: Annotated[
        bool, typer.Option("--syntax", help="Only read the file: words, names, numbers.")
    ] = False,
    count: Annotated[
        bool, typer.Option("--count", help="Only count unknowns and equations, before solving.")
    ] = False,
    align: Annotated[
        str | None,
        typer.Option(help="Straighten axes that are off by up to this angle, such as 1e-5."),
    ] = None,
    output: Annotated[
        Path | None, output_option("Draw what its joints let move: a .svg, .png or .pdf.")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Say whether a mechanism goes together, how freely it moves and what is redundant.

    Example: kempe check four_bar -o freedom.svg
    """
    if syntax:
        others = {"count": count or None, "align": align, "output": output}
        refuse_idle(others, "--syntax only reads the file")
    if count:
        refuse_idle({"align": align, "output": output}, "--count only counts, before solving")
    refuse_unwritable(output, PICTURES, "a picture of free motions")
    try:
        mechanism = mechanism_of(what)
        if mechanism.document is not None:
            refuse_unknown_wishes(mechanism)  # what it asks for must make sense as well
    except FileError as mistake:
        if as_json:
            facts = {**mistake.facts, "message": mistake.message}
            print(json.dumps({"valid": False, **facts}))
        raise
    if syntax:
        return _say_syntax(mechanism, what, as_json=as_json)
    if count:
        counted = mechanism.count()
        told = {**dataclasses.asdict(counted), "freedom": counted.freedom}
        told["unknowns"] = [finite(unknown) for unknown in told["unknowns"]]
        return answer(told, counted, as_json=as_json, is_yes=not counted.over)
    return _say_report(mechanism, align, output, as_json=as_json)


def _say_report(
    mechanism: "Mechanism", align: str | None, output: Path | None, *, as_json: bool
) -> int:
    try:
        report = mechanism.check(align=align)
    except AssemblyError as refused:
        return cannot(refused, as_json=as_json)
    facts = {"assembles": True, "ready": report.is_ready, **dataclasses.asdict(report)}
    facts |= _import_facts(mechanism)
    code = answer(facts, f"{report.text()}{_import_words(mechanism)}", as_json=as_json)
    if output is not None:
        mended = mechanism if align is None else mechanism.aligned(align)
        from kempe.export.svg_pages import write_picture

        write_picture(output, mended.freedom_svg())
        if not as_json:
            print(f"\nwrote {output}")
    return code


def _say_syntax(mechanism: "Mechanism", what: str, *, as_json: bool) -> int:
    model = mechanism.model
    counts = {
        "bodies": len(model.moving),
        "joints": len(model.joints),
        "couplers": len(model.couplers),
        "drives": len(model.drives),
    }
    one = {"bodies": "body", "joints": "joint", "couplers": "coupler", "drives": "drive"}
    said = [f"{n} {word if n > 1 else one[word]}" for word, n in counts.items() if n]
    parts = ", ".join(said) or "nothing yet"
    words = f"{what}: {model.name}, {parts}. The file is in order.{_import_words(mechanism)}"
    facts = {"valid": True, "path": what, "name": model.name, **counts, **_import_facts(mechanism)}
    return answer(facts, words, as_json=as_json)


def _import_words(mechanism: "Mechanism") -> str:
    """What of a file of another program was left out, line by line; "" for all others."""
    imported = mechanism.imported
    return "" if imported is None else f"\n\n{imported.report.text()}"


def _import_facts(mechanism: "Mechanism") -> dict[str, Any]:
    """What of a file of another program was left out, as JSON; nothing for all others."""
    imported = mechanism.imported
    return {} if imported is None else {"import": imported.report.facts()}
