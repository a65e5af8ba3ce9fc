"""What a look at dexterity says as a picture: how well it moves at the places it reaches."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from kempe.errors import BadNumber
from kempe.export.linear_plots import titled_figure
from kempe.export.plots import RULES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kempe.front.dexterity import Dexterity

SIZE: Final = (8.4, 5.0)  # inches


def dexterity_figure(found: "Dexterity") -> "Figure":
    """Conditioning and manipulability in colours: at the places of a point, or over the grid."""
    if found.is_reached.ndim != 2:
        raise BadNumber(
            f"a picture shows a grid of two names, not of {len(found.over)}: look at the arrays."
        )
    is_place = len(found.of) == 1 and found.values.shape[-1] == 2
    names = ("x [m]", "y [m]") if is_place else tuple(found.over)
    grid = np.meshgrid(*found.over.values(), indexing="ij")
    X, Y = (found.values[..., k] for k in (0, 1)) if is_place else grid
    matplotlib, drawn = titled_figure(f"{found.name}: {', '.join(found.of)}", 1)
    drawn.set_size_inches(SIZE)
    with matplotlib.rc_context(RULES):
        for axes, what in zip(
            drawn.subplots(1, 2), ("conditioning", "manipulability"), strict=True
        ):
            values = getattr(found, what)
            shown = found.is_reached & np.isfinite(values)
            draw: Any = axes
            mesh = draw.pcolormesh(
                np.where(shown, X, np.nan_to_num(X)),
                np.where(shown, Y, np.nan_to_num(Y)),
                np.ma.masked_where(~shown, values),
                shading="gouraud" if shown.all() else "nearest",
                cmap="viridis",
                rasterized=True,
                vmin=0.0,
                vmax=1.0 if what == "conditioning" else None,
            )
            drawn.colorbar(mesh, ax=draw, label=what, orientation="horizontal")
            draw.set_xlabel(names[0])
            draw.set_ylabel(names[1])
            if is_place:
                draw.set_aspect("equal")
    return drawn
