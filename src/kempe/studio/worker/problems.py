"""What is wrong with a document, where, and what one click would mend."""

from collections.abc import Mapping
from typing import Any

from kempe.errors import AssemblyError, FileError, KempeError
from kempe.files.schema.schema import family
from kempe.joints import AbstractJoint
from kempe.results.reports.report import Report
from kempe.studio.messages.edits import Delete, Fix, Operation, Problem, Set
from kempe.units import factor

BEYOND = 0.01  # share of a change by which it goes beyond what is just enough
DIGITS = 6


def problem_of(mistake: KempeError, data: Mapping[str, Any] | None = None) -> Problem:
    """A mistake with its place: line and column of a text, or the path in data."""
    if isinstance(mistake, AssemblyError):
        return _misfit(mistake, data or {})
    if not isinstance(mistake, FileError):
        return Problem(text=str(mistake))
    where = str(mistake.facts.get("where", ""))
    path = [] if data is None else _path(where, data)
    line, column = (mistake.line, mistake.column) if data is None else (0, 0)
    return Problem(text=mistake.message, line=line, column=column, path=path)


def _misfit(mistake: AssemblyError, data: Mapping[str, Any]) -> Problem:
    """What does not go together: the joint, coupler or drive left open, and the loop it is in."""
    name = mistake.facts.get("joint")
    kinds = [kind for kind in ("joints", "couplers", "drives") if name in (data.get(kind) or {})]
    path: list[str | int] = [kinds[0], str(name)] if kinds else []
    loop = mistake.facts.get("loop")
    bodies = data.get("bodies") or {}
    within = [str(body) for body in loop if body in bodies] if isinstance(loop, tuple) else []
    return Problem(text=str(mistake), path=path, bodies=within)


def _path(where: str, data: Any) -> list[str | int]:
    """The path in data that dots were put between; keys may have dots of their own."""
    path: list[str | int] = []
    rest = where
    while rest:
        if isinstance(data, list):
            data = {str(k): entry for k, entry in enumerate(data)}
        if not isinstance(data, Mapping):
            break
        fitting = [k for k in data if rest == k or rest.startswith(f"{k}.")]
        if not fitting:
            return [*path, *rest.split(".")]
        key = max(fitting, key=len)
        path.append(key)
        data, rest = data[key], rest[len(key) + 1 :]
    return path


def fixes_of(mistake: AssemblyError, data: Mapping[str, Any], unit: str) -> list[Fix]:
    """Lengths, and values of drives, with which it goes together."""
    changes = mistake.facts.get("changes", ())
    found = []
    for change in changes if isinstance(changes, tuple) else ():
        name, before, after = str(change["name"]), float(change["before"]), float(change["after"])
        is_length = change["unit"] == "m"
        scale, shown = (factor("m", unit), unit) if is_length else (1.0, "rad")
        value = (after + BEYOND * (after - before)) * scale
        text = f"{value:.{DIGITS}g} {shown}"
        path = _path_of_change(str(change["kind"]), name, data)
        if path is not None:
            words = f"make {name} {text}" if change["kind"] == "length" else f"set {name} to {text}"
            was = f"{before * scale:.{DIGITS}g} {shown}"
            found.append(
                Fix(
                    text=f"{words} instead of {was}",
                    operations=[Set(op="set", path=list(path), value=text)],
                )
            )
    return found


def _path_of_change(kind: str, name: str, data: Mapping[str, Any]) -> list[str] | None:
    if kind == "length":
        body = (data.get("bodies") or {}).get(name)
        has_length = isinstance(body, Mapping) and "length" in body
        return ["bodies", name, "length"] if has_length else None
    if kind == "drive":
        law = (data.get("drives") or {}).get(name)
        if isinstance(law, Mapping) and isinstance(law.get("law"), Mapping):
            return ["drives", name, "law", "start"] if law["law"].get("type") == "ramp" else None
        is_ramp = isinstance(law, Mapping) and law.get("type") == "ramp"
        return ["drives", name, "start"] if is_ramp else None
    return None


def fixes_of_report(report: Report, data: Mapping[str, Any]) -> list[Fix]:
    """Joints to loosen, drives to take away."""
    found = []
    joints = data.get("joints") or {}
    words = {known.made.__name__: word for word, known in family(AbstractJoint).words.items()}
    for looser in report.looser:
        if looser.joint in joints and not looser.cross and looser.into in words:
            path: list[str | int] = ["joints", looser.joint, "type"]
            operation: Operation = Set(op="set", path=path, value=words[looser.into])
            found.append(Fix(text=str(looser), operations=[operation]))
    drives = data.get("drives") or {}
    for names in report.removable_drives or ():
        if all(name in drives for name in names):
            gone: list[Operation] = [Delete(op="delete", path=["drives", n]) for n in names]
            found.append(Fix(text=f"remove the drive on {' and '.join(names)}", operations=gone))
    return found
