"""Maps of surfaces in files: one .npz, as maps of curves are kept.

Pieces of surface are written once each, and the surfaces that stand for them name them by number.
"""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from kempe.archive import archive_bytes, read_saved
from kempe.disk import replace_file
from kempe.errors import FileError
from kempe.results.maps.certificate import CertifiedBlock, Cover, Promise
from kempe.results.maps.component import Readings
from kempe.results.maps.cut_mesh import CutMesh
from kempe.results.maps.map_file import (
    Arrays,
    asked_of,
    facts_of,
    put,
    require_array,
    require_facts,
    require_whole,
    restored,
    tape_of,
    tuples,
)
from kempe.results.maps.motion_map import SingularPlace, Unsearched
from kempe.results.maps.surface import Surface
from kempe.results.maps.surface_map import SurfaceMap

SURFACES = "kempe surfaces"
CHARTS = ("x", "radius", "A", "h", "w", "star_h", "star_w", "triangles")


def write_surfaces(found: SurfaceMap, path: Path) -> Path:
    """Write a map of surfaces, whole or not at all; the same map gives the same bytes."""
    if path.suffix.lower() != ".npz":
        raise FileError("a map of surfaces is written to a file that ends in .npz.", path=str(path))
    arrays: Arrays = {}
    pieces: list[Mapping[str, Any]] = []
    surfaces = []
    for surface in found.components:
        number = next((k for k, one in enumerate(pieces) if one is surface.charts), len(pieces))
        if number == len(pieces):
            pieces.append(surface.charts)
        surfaces.append(_surface_header(arrays, found, surface, number))
    header = facts_of(found, arrays) | {
        "format": SURFACES,
        "version": 1,
        "plane": found.readings.plane,
        "surfaces": surfaces,
        "pieces": [
            {"once": bool(piece["once"])}
            | {
                name: put(arrays, f"piece{k}/{name}", np.asarray(piece[name]))
                for name in (*CHARTS, "proved")
            }
            for k, piece in enumerate(pieces)
        ],
    }
    return replace_file(path, archive_bytes(header, arrays))


def _surface_header(
    arrays: Arrays, found: SurfaceMap, surface: Surface, piece: int
) -> dict[str, Any]:
    head = f"surface{surface.number}"
    cut = surface.cut
    return {
        "number": surface.number,
        "euler": surface.euler,
        "rims": surface.rims,
        "piece": piece,
        "block": [b is surface.block for b in found.blocks].index(True),
        "x": put(arrays, f"{head}/x", surface.x),
        "radius": put(arrays, f"{head}/radius", surface.radius),
        "cut": None
        if cut is None
        else {
            field.name: put(arrays, f"{head}/cut/{field.name}", getattr(cut, field.name))
            for field in fields(cut)
            if field.name != "mirrors"
        }
        | {"mirrors": cut.mirrors},
    }


def read_surfaces(path: Path) -> SurfaceMap:
    """Read a map of surfaces that was saved; a FileError where the file is anything else."""

    def made(header: Any, arrays: Arrays) -> SurfaceMap:
        if header["format"] != SURFACES or header["version"] != 1:
            raise ValueError(f"format {header['format']!r}, version {header['version']!r}")
        found = _map(header, arrays)
        require_facts(found)
        for surface in found.components:
            _require_surface(surface, len(found.unknowns))
        return found

    return read_saved(path, "map of surfaces", made, kinds="fiub")


def _map(header: Mapping[str, Any], arrays: Arrays) -> SurfaceMap:
    told = header["readings"]
    readings = Readings(
        tape_of(arrays[told["tape"]]),
        tuple(told["names"]),
        tuple(told["bodies"]),
        bool(header["plane"]),
        tuple(told["loose"]),
    )
    blocks = tuple(restored(CertifiedBlock, b, arrays) for b in header["blocks"])
    pieces = [
        {"once": bool(piece["once"])} | {name: arrays[piece[name]] for name in (*CHARTS, "proved")}
        for piece in header["pieces"]
    ]
    return SurfaceMap(
        name=header["name"],
        components=tuple(
            _surface(one, pieces, blocks, readings, arrays) for one in header["surfaces"]
        ),
        singular=tuple(restored(SingularPlace, s, arrays) for s in header["singular"]),
        outcome=Promise(header["outcome"]),
        message=header["message"],
        unknowns=tuple(header["unknowns"]),
        counts=header["counts"],
        unsearched=Unsearched(*header["unsearched"]),
        blocks=blocks,
        readings=readings,
        within=header["within"],
        form=header["form"],
        covers=tuple(None if c is None else restored(Cover, c, arrays) for c in header["covers"]),
        steps=tuples(header["steps"]),
        origin=None if header["origin"] is None else asked_of(header["origin"]),
    )


def _surface(
    one: Mapping[str, Any],
    pieces: list[dict[str, Any]],
    blocks: tuple[CertifiedBlock, ...],
    readings: Readings,
    arrays: Arrays,
) -> Surface:
    cut = one["cut"]
    if cut is not None:
        kept = {name: arrays[key] for name, key in cut.items() if name != "mirrors"}
        cut = CutMesh(**kept, mirrors=tuple(cut["mirrors"]))
    return Surface(
        number=one["number"],
        euler=one["euler"],
        charts=pieces[one["piece"]],
        block=blocks[one["block"]],
        x=arrays[one["x"]],
        radius=arrays[one["radius"]],
        readings=readings,
        rims=one["rims"],
        cut=cut,
    )


def _require_surface(surface: Surface, total: int) -> None:
    """Raise a ValueError that names the first part of a surface that cannot be one."""
    who = f"surface {require_whole(surface.number, 'the number of a surface')}"
    n, charts = len(surface.block.places), surface.charts
    count = len(require_array(charts["h"], (None,), f"h of {who}"))
    if surface.block.freedom != 2 or count == 0:
        raise ValueError(f"{who} is of a block that has none, or has no charts")
    shapes = {"x": (count, n), "A": (count, n * n)}
    for name in ("x", "A", "radius", "h", "w", "star_h", "star_w"):
        require_array(charts[name], shapes.get(name, (count,)), f"{name} of {who}")
    _require_triangles(charts["triangles"], count, who)
    require_array(surface.x, (total,), f"x of {who}")
    require_array(surface.radius, (total,), f"the radii of {who}")
    for number in (surface.euler, surface.rims):
        if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
            raise ValueError(f"the shape of {who} is no number")
    if surface.cut is not None:
        corners = len(require_array(surface.cut.x, (None, n), f"the mesh of {who}"))
        require_array(surface.cut.radius, (corners,), f"the mesh of {who}")
        _require_triangles(surface.cut.triangles, corners, who)


def _require_triangles(triangles: Any, corners: int, who: str) -> None:
    made = require_array(triangles, (None, 3), f"the triangles of {who}", kinds="iu")
    if made.size and not 0 <= int(made.min()) <= int(made.max()) < corners:
        raise ValueError(f"{who} has triangles with corners that there are none of")
