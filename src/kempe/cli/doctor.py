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
    }
    works, said = _try()
    report["trial"] = said
    if as_json:
        print(json.dumps(report))
    else:
        for key, value in report.items():
            shown = (
                ", ".join(f"{k} {v or '-'}" for k, v in value.items())
                if isinstance(value, dict)
                else value
            )
            print(f"{key:>12}  {shown}")
    if not works:
        print("kempe: the trial run failed; see above.", file=sys.stderr)
    return 0 if works else 1


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
