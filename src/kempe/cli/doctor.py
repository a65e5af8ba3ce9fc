"""`kempe doctor`."""

import json
import platform
import sys

from kempe.cli.options import AsJson


def doctor(*, as_json: AsJson = False) -> int:
    """Say what is installed, which executor is used and whether the cache works.

    Example: kempe doctor
    """
    from kempe import __version__
    from kempe.compile.program.program import executor_report

    report: dict[str, object] = {
        "kempe": __version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        **executor_report(),
        "packages": {name: _installed(name) for name in PACKAGES},
        "extras": extras(),
    }
    works, said = _try()
    report["trial"] = said
    if as_json:
        print(json.dumps(report))
    else:
        for key, value in report.items():
            print(f"{key:>12}  {_shown(key, value)}")
    if not works:
        print("kempe: the trial run failed; see above.", file=sys.stderr)
    return 0 if works else 1


# What each extra of the installation adds.
ADDS = {
    "plot": "kempe plot, plots in Python and in reports, .png and .pdf pictures",
    "data": "pandas and xarray tables, .parquet files",
    "video": ".gif, .mp4 and .webm files of a motion",
    "interference": "which bodies touch, in space",
    "mesh": "meshes of more formats",
    "cad": ".dxf drawings, read and written",
    "cluster": "sweeps on Dask and Ray, and on processes of functions of yours",
    "gpu": "batches on an NVIDIA graphics card",
    "jax": "objectives as functions of JAX, with their gradients",
    "torch": "objectives as functions of PyTorch, with their gradients",
    "notebook": "mechanisms that move live in a notebook",
    "studio": "kempe studio, and mechanisms that move live in a browser",
}


def extras() -> dict[str, dict[str, object]]:
    """By extra: its packages with their versions (None where one is missing), and what it adds."""
    import importlib.metadata
    import re

    found: dict[str, dict[str, object]] = {}
    for line in importlib.metadata.requires("kempe") or ():
        name = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        if name and extra and name[0] != "kempe":
            entry = found.setdefault(extra[1], {"adds": ADDS.get(extra[1], ""), "packages": {}})
            packages = entry["packages"]
            assert isinstance(packages, dict)
            packages[name[0]] = _installed(name[0])
    return found


def _shown(key: str, value: object) -> str:
    """A line, or one for each extra."""
    if not isinstance(value, dict):
        return str(value)
    if key != "extras":
        return ", ".join(f"{k} {v or '-'}" for k, v in value.items())
    return f"\n{'':14}".join(_extra(name, entry) for name, entry in value.items())


def _extra(name: str, entry: dict[str, dict[str, str | None]]) -> str:
    """An extra: what it adds, and whether it is there or how it gets there."""
    missing = [package for package, version in entry["packages"].items() if version is None]
    there = f"missing {', '.join(missing)}: pip install 'kempe[{name}]'" if missing else "installed"
    return f"{name}: {entry['adds']} ({there})"


PACKAGES = ("numpy", "scipy", "llvmlite", "pydantic", "ruamel.yaml", "typer", "rich", "pint")


def _installed(name: str) -> str | None:
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _try() -> tuple[bool, str]:
    """A four-bar's rocker swing against its closed form."""
    from kempe.gallery import four_bar

    try:
        turn = four_bar(crank=30, coupler=90, rocker=70, ground=100).kinematics(until=1.0)
        swing = float(turn["rocker.angle"].ptp("deg"))
    except Exception as trouble:
        return False, f"a four-bar did not run: {trouble}"
    right = abs(swing - 51.77) < 0.02
    return right, f"a four-bar's rocker swings {swing:.2f} deg ({'right' if right else 'WRONG'})"
