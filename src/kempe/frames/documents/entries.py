"""Entries of a document, word by word: each is what it must be, or the mistake says where it is."""

import json
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as short
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kempe.disk import content_of
from kempe.errors import FileError, FrameError, nearest_name
from kempe.geometry import Rotation

PLAIN = {int, float}
LARGEST = 256_000_000  # bytes of a file, and characters of JSON: a million frames
MOST_YAML = 1_000_000  # characters: YAML is read a hundred times slower
MOST_SIGNS = 100_000  # that separate values of YAML, as a measure of how many there are


def text_of(path: Path) -> str:
    """The text of a regular file; a FrameError where it is none, or no UTF-8."""
    try:
        return content_of(path, LARGEST).decode("utf-8-sig")
    except FileError as mistake:
        raise FrameError(f"{path} cannot be read: {mistake.message}", path=str(path)) from None
    except UnicodeDecodeError:
        raise FrameError(f"{path} cannot be read: it is no UTF-8 text.", path=str(path)) from None


def parsed(text: str) -> object:
    """A document as plain data: JSON where it starts like it, else YAML."""
    if text.lstrip()[:1] == "{":
        _limit(text, LARGEST, "JSON")
        try:
            return json.loads(text, object_pairs_hook=_once)
        except (json.JSONDecodeError, RecursionError) as mistake:
            raise FrameError(f"this is no JSON: {mistake}.") from None
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    _limit(text, MOST_YAML, "YAML")
    if sum(text.count(sign) for sign in ",:-[{") > MOST_SIGNS:
        raise FrameError("this YAML has too many values to be read: write it as JSON.")
    try:
        return YAML(typ="safe").load(text)
    except (YAMLError, RecursionError, ValueError) as mistake:
        where = getattr(mistake, "problem_mark", None)
        line = f"line {where.line + 1}: " if where is not None else ""
        said = getattr(mistake, "problem", None) or str(mistake).splitlines()[0]
        raise FrameError(f"this is no YAML: {line}{said}.") from None


def _limit(text: str, most: int, kind: str) -> None:
    if len(text) > most:
        raise FrameError(
            f"{kind} of {len(text) / 1e6:.0f} MB is more than the {most / 1e6:.0f} MB that are read"
            f"{': write it as JSON' if kind == 'YAML' else ''}."
        )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(n for n in names if names.count(n) > 1)
        raise FrameError(f"{twice!r} is given twice in one place.")
    return found


def mapping(where: str, given: object, known: set[str]) -> Mapping[str, Any]:
    """What must be a mapping with no other keys than these."""
    if not isinstance(given, Mapping):
        raise FrameError(f"{where} must be a mapping, it is {short(given)}.")
    for key in given:
        if key not in known:
            hint = nearest_name(str(key), known)
            raise FrameError(f"{where}: {short(key)} is not known here.{hint}")
    return given


def listed(where: str, given: object) -> list[object]:
    """What must be a list."""
    if not isinstance(given, list):
        raise FrameError(f"{where} must be a list, it is {short(given)}.")
    return given


def named(where: str, given: object) -> str:
    """What must be a name."""
    if not isinstance(given, str) or not given:
        raise FrameError(f"{where} must be a name, it is {short(given)}.")
    return given


def numbers(where: str, given: object, shape: tuple[int, ...]) -> Any:
    """What must be finite numbers of this shape."""
    if shape == (3,) and type(given) is list and len(given) == 3:  # without the long way round
        x, y, z = given
        if type(x) in PLAIN and type(y) in PLAIN and type(z) in PLAIN:
            total = abs(x) + abs(y) + abs(z)
            if total - total == 0.0:  # none of them infinite or no number
                return np.array(given, dtype=np.float64)
    found: NDArray[np.float64] | None
    try:
        array = np.array(given, dtype=object)
        plain = all(type(x) in (int, float) for x in array.ravel())
        found = np.array(given, dtype=np.float64) if plain else None
    except (ValueError, TypeError, OverflowError):
        found = None
    if found is None or found.shape != shape or not np.isfinite(found).all():
        count = " x ".join(map(str, shape))
        what = "a finite number" if not shape else f"{count} finite numbers"
        raise FrameError(f"{where} must be {what}, it is {short(given)}.")
    return found


def from_rpy(angles: list[float]) -> Rotation:
    """Roll, pitch, yaw about the fixed x, y, z: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    roll, pitch, yaw = angles
    about_y = Rotation.about([0, 1, 0], pitch)
    return Rotation.planar(yaw) @ about_y @ Rotation.about([1, 0, 0], roll)
