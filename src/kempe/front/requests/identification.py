"""What an identification is asked for: parameters with bounds, and what was measured when."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from kempe.errors import BadNumber
from kempe.front.design import Design
from kempe.front.identification import Identification
from kempe.front.requests.batch import names_of, one_of
from kempe.front.requests.design import Bounds, Space
from kempe.front.requests.readings_at import Fit, SweptReadings, reader_of
from kempe.front.requests.sweep import Over, asked_for, sample_times
from kempe.gradients.reading_slopes import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kempe.front.mechanism import Mechanism

FloatArray = NDArray[np.float64]

ANALYSES: Final = ("kinematics", "simulation")
UNKNOWN: Final = 1e-7  # of the largest singular value: the data says nothing of such a combination
SHARE: Final = 0.05  # of a combination, below which a parameter is no part of it
EXACT: Final = 1e-10  # of what a reading spans: what is left of it is rounding


def identified(
    mechanism: "Mechanism",
    parameters: Bounds,
    measured: Mapping[str, Any],
    times: Any,
    how: Mapping[str, Any],
) -> Identification:
    """The identification that `Mechanism.identify` is asked for."""
    one_of("analysis", how["analysis"], ANALYSES)
    t = _times(times)
    tables = {name: _table(name, values, len(t)) for name, values in measured.items()}
    if not tables:
        raise BadNumber("what was measured? Give readings and their values, {'rod.angle': array}.")
    space = Space.of(mechanism, parameters)
    reader = reader_of(mechanism, list(tables), space.names, t, how)
    wanted = np.concatenate([one.reshape(-1) for one in tables.values()])
    if np.isfinite(wanted).sum() < len(space.names):
        raise BadNumber(
            f"{np.isfinite(wanted).sum()} numbers were measured, too few for {len(space.names)}"
            " parameters."
        )
    given = how["sigma"]
    weights = _weights(tables, given)
    fit = Fit(reader, space, wanted, weights)
    x, settled = fit.best()
    if given is None and len(tables) > 1:  # weigh readings by what was left of them, once
        noise = _noise(tables, fit.differences(x))
        fit = Fit(reader, _from(space, x), wanted, _weights(tables, noise))
        before = fit.tried
        x, settled = fit.best()
        fit.tried += before
    return _told(mechanism, space, tables, fit, (x, settled), is_known=given is not None)


def lessened(
    mechanism: "Mechanism",
    readings: "Sequence[str]",
    parameters: Bounds,
    span: tuple[float | str | None, int, Over | None],
) -> Design:
    """The mechanism that `Mechanism.lessen` is asked for."""
    until, steps, over = span
    names = names_of(readings)
    space = Space.of(mechanism, parameters)
    _, end = asked_for(mechanism.model, until, over)
    times = sample_times(end, steps)
    own = mechanism.kinematics(until, steps, over=over)
    if not own.outcome.is_done:
        raise BadNumber(f"as it is, the mechanism cannot be moved so far: {own.outcome.message}")
    shapes = {name: plain(own[name]).shape for name in names}
    scales = [max(float(np.abs(plain(own[name])).max()), 1e-300) for name in names]
    weights = [
        np.full(int(np.prod(s)), 1.0 / x) for s, x in zip(shapes.values(), scales, strict=True)
    ]
    fit = Fit(
        SweptReadings(mechanism, names, space.names, times, over),
        space,
        np.zeros(sum(len(w) for w in weights)),
        np.concatenate(weights),
    )
    x, settled = fit.best()
    errors, total, first = {}, 0.0, 0
    left = fit.differences(x)
    for name, shape in shapes.items():
        count = int(np.prod(shape))
        mine = left[first : first + count].reshape(len(times), -1)
        size = np.linalg.norm(mine, axis=1)
        errors[name] = (float(np.sqrt((size**2).mean())), float(size.max()))
        total, first = total + float((size**2).sum()), first + count
    values = dict(zip(space.names, x.tolist(), strict=True))
    ended = "settled" if settled else "out_of_time"
    return Design(
        mechanism.with_parameters(values), values, errors, total, ended, {}, (), fit.tried,
        in_order=True,
    )  # fmt: skip


def _times(given: Any) -> FloatArray:
    try:
        t = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadNumber("`times` are numbers (s) that grow.") from None
    if t.ndim != 1 or len(t) < 2 or not np.isfinite(t).all() or (np.diff(t) <= 0.0).any():
        raise BadNumber(
            "`times` are two or more finite numbers (s) that grow, one for each sample."
        )
    if t[0] < 0.0:
        raise BadNumber(f"`times` begin at 0 s or later, not at {t[0]:g} s.")
    return t


def _table(name: str, given: Any, samples: int) -> FloatArray:
    try:
        found = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadNumber(f"what was measured of {name!r} is no table of numbers.") from None
    if found.ndim not in (1, 2) or len(found) != samples:
        shape = " x ".join(map(str, found.shape)) or "a number"
        raise BadNumber(
            f"what was measured of {name!r} is {shape}: give one value for each of the {samples}"
            " times, of a point a row; NaN where there is none.",
            name=name,
        )
    if not np.isfinite(found).any() or np.isinf(found).any():
        raise BadNumber(f"what was measured of {name!r} is not finite.", name=name)
    return found


def _weights(tables: Mapping[str, FloatArray], sigma: Mapping[str, float] | None) -> FloatArray:
    """One over the noise of every number; over what it spans where that is not known."""
    found = []
    for name, table in tables.items():
        noise = float(np.nanmax(table) - np.nanmin(table)) or 1.0
        if sigma is not None:
            if name not in sigma:
                raise BadNumber(f"`sigma` says nothing of {name!r}: give the noise of each, SI.")
            noise = float(sigma[name])
            if not 0.0 < noise < np.inf:
                raise BadNumber(f"the noise of {name!r} must be positive, it is {noise!r}.")
        found.append(np.full(table.size, 1.0 / noise))
    return np.concatenate(found)


def _noise(tables: Mapping[str, FloatArray], left: FloatArray) -> dict[str, float]:
    """What is left of each reading, root mean square, but for less than rounding."""
    found, first = {}, 0
    for name, table in tables.items():
        mine = left[first : first + table.size][np.isfinite(table.reshape(-1))]
        least = EXACT * float(np.nanmax(table) - np.nanmin(table))
        found[name] = max(float(np.sqrt((mine**2).mean())), least, 1e-300)
        first += table.size
    return found


def _from(space: Space, x: FloatArray) -> Space:
    """Bounds of a space, to be searched from x on."""
    return Space(space.names, space.low, space.high, (x - space.low) / (space.high - space.low))


def _told(
    mechanism: "Mechanism",
    space: Space,
    tables: Mapping[str, FloatArray],
    fit: Fit,
    found: tuple[FloatArray, bool],
    *,
    is_known: bool,
) -> Identification:
    x, settled = found
    left = fit.differences(x)
    width = space.high - space.low
    J = fit.jacobian(x) * width
    _, values, V = np.linalg.svd(J, full_matrices=False)
    tells = values > UNKNOWN * values.max(initial=0.0)
    inverse = np.where(tells, 1.0 / np.where(tells, values, 1.0), 0.0)
    covariance = (V.T * inverse**2) @ V
    if not is_known:  # the noise is what is left, but for what the parameters took up
        weighted = (fit.weights * left)[np.isfinite(fit.wanted)]
        freedoms = max(1, len(weighted) - int(tells.sum()))
        covariance = covariance * float(weighted @ weighted) / freedoms
    spread = np.sqrt(np.diag(covariance))
    safe = np.where(spread > 0.0, spread, 1.0)
    correlation = np.where(np.eye(len(x)) > 0.0, 1.0, covariance / np.outer(safe, safe))
    unknown = []
    for row in V[~tells]:
        shares = row * np.sign(row[np.abs(row).argmax()])
        unknown.append(
            {n: float(s) for n, s in zip(space.names, shares, strict=True) if abs(s) > SHARE}
        )
    lost = {name for one in unknown for name in one}
    errors = {
        name: float("inf") if name in lost else float(s)
        for name, s in zip(space.names, spread * width, strict=True)
    }
    residuals, first = {}, 0
    for name, table in tables.items():
        mine = -left[first : first + table.size].reshape(table.shape)
        residuals[name] = np.where(np.isfinite(table), mine, np.nan)
        first += table.size
    parameters = dict(zip(space.names, x.tolist(), strict=True))
    noise = {n: float(np.sqrt(np.nanmean(r**2))) for n, r in residuals.items()}
    return Identification(
        mechanism.with_parameters(parameters), parameters, errors, correlation, noise, residuals,
        tuple(unknown), settled, fit.tried,
    )  # fmt: skip
