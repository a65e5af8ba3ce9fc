"""Install each extra by itself and try what it promises: `python tools/extras.py WHEEL [NAME ...]`.

For every extra an environment of its own is made, the wheel installed there with that extra alone,
and a few lines are run that need it. What the environment lacks must be asked for in words, with
the line that installs it: that is tried with the lines of all other extras. With `all`, what the
README and the tutorial tell to type is typed, too. `plain` is the wheel
without any, `all` must bring every extra that is meant for any machine. Without names all are tried
but those for a graphics card or a large framework (gpu, jax, torch), which may be named.
"""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = tuple(name for name in PROJECT["optional-dependencies"] if name != "all")
APART = ("gpu", "jax", "torch")  # not in `all`
ASKS = "Asks for it: "  # how a trial says that its extra is not there

BEGIN = """
import sys
import numpy as np
import kempe as kp
from kempe.cli import main
from kempe.errors import MissingPart
from kempe.geometry.solids import Mesh

def turn():
    return kp.gallery.four_bar().kinematics(until=1.0, steps=6)

def objective():
    return kp.gallery.four_bar().objective(
        lambda r: r["coupler.P"], ["coupler"], until=1.0, steps=4
    )

def asked(variant):
    return {"freedom": variant.check().freedom}

if __name__ == "__main__":
    try:
"""
END = f"""
    except MissingPart as missing:
        print({ASKS!r} + str(missing))
"""
#: By extra: lines that need it; they are run in an empty folder.
TRIALS = {
    "plot": """
        turn().plot("rocker.angle").savefig("a.png")
        assert main(["report", "four_bar", "-o", "a.pdf"]) == 0
""",
    "data": """
        turn().to_dataframe()
        turn().to_xarray()
        assert main(["run", "four_bar", "-o", "a.parquet"]) == 0
""",
    "video": """
        turn().animate("a.gif")
        turn().animate("a.mp4")
        turn().animate("a.webm")
""",
    "interference": """
        print(kp.gallery.stewart().kinematics(until=1.0, steps=2).interference())
""",
    "mesh": """
        corners = "0 0 0\\n1 0 0\\n0 1 0\\n0 0 1\\n"
        faces = "3 0 2 1\\n3 0 1 3\\n3 0 3 2\\n3 1 2 3\\n"
        with open("a.off", "w") as file:
            file.write("OFF\\n4 4 6\\n" + corners + faces)
        assert abs(Mesh.read("a.off").volume - 1 / 6) < 1e-12
""",
    "cluster": """
        from kempe.extras import extra
        dask = extra("distributed", "cluster", "a sweep on Dask")
        extra("ray", "cluster", "a sweep on Ray")
        with dask.Client(processes=False, n_workers=1, dashboard_address=None) as client:
            over = {"crank": "0.9..1.0 in 2"}
            found = kp.sweep(kp.gallery.four_bar(), over=over, analysis=asked, executor=client)
        assert found.is_complete
""",
    "cad": """
        kp.gallery.four_bar().save("a.dxf")
        assert kp.load("a.dxf").check().mobility == 1
""",
    "notebook": """
        from kempe.extras import extra
        extra("anywidget", "notebook", "a live view in a notebook")
        from IPython.core.interactiveshell import InteractiveShell
        InteractiveShell.instance()
        with kp.gallery.four_bar().live(show="notebook") as view:
            view.draw()
""",
    "studio": """
        with kp.gallery.four_bar().live(show="browser") as view:
            view.draw()
        import subprocess
        command = [sys.executable, "-m", "kempe", "studio", ".", "--no-browser", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as studio:
            assert '"url"' in studio.stdout.readline()
            studio.terminate()
""",
    "gpu": """
        machine, variants = kp.gallery.four_bar(), {"crank": [0.9, 1.0]}
        machine.batch(variants, until=1.0, outputs=["rocker.angle"], device="gpu")
""",
    "jax": """
        curve = objective()
        path = kp.gradients.jax_function(curve)
        assert np.isfinite(np.asarray(path(curve.x0))).all()
""",
    "torch": """
        curve = objective()
        path = kp.gradients.torch_function(curve)
        import torch
        assert torch.isfinite(path(torch.tensor(curve.x0))).all()
""",
}


def ran(python: Path, name: str) -> str:
    """How the lines of an extra ended: "works", "asks" for it in words, or what went wrong."""
    with tempfile.TemporaryDirectory(prefix="kempe-") as folder:
        script = Path(folder) / "trial.py"
        script.write_text(BEGIN + TRIALS[name] + END, encoding="utf-8")
        ended = subprocess.run(
            [str(python), script.name], cwd=folder, capture_output=True, text=True, check=False
        )
    if ended.returncode:
        return ended.stderr.strip()[-2000:]
    if ASKS in ended.stdout:
        said = ended.stdout.partition(ASKS)[2].strip()
        return "asks" if f"pip install 'kempe[{name}]'" in said else f"it only says {said!r}"
    return "works"


def expected(installed: str, tried: str) -> tuple[str, ...]:
    """How the lines of an extra may end where another one is installed.

    What another extra brings along by chance may do for this one, so only its own lines must work.
    """
    if tried == installed or (installed == "all" and tried not in APART):
        return ("works",)
    return ("asks", "works") if installed != "plain" else ("asks",)


def faults_of(wheel: Path, name: str) -> list[str]:
    """What is wrong with an extra in an environment of its own."""
    with tempfile.TemporaryDirectory(prefix="kempe-") as folder:
        venv = Path(folder) / "venv"
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        wanted = Path(folder) / "requirements.txt"
        own = "" if name == "plain" else f"[{name}]"
        wanted.write_text(f"kempe{own} @ {wheel.resolve().as_uri()}\n", encoding="utf-8")
        install = [str(ROOT / "tools" / "install"), str(venv), "-r", str(wanted)]
        subprocess.run(install, cwd=ROOT, check=True)
        python = venv / "bin" / "python"
        ends = {tried: ran(python, tried) for tried in EXTRAS}
        hour = [str(python), str(ROOT / "tools" / "first_hour.py")]
        passed = name != "all" or not subprocess.run(hour, cwd=folder, check=False).returncode
    return ["what the README and the tutorial tell to type fails"] * (not passed) + [
        f"with {name}, the lines of {tried}: {end}"
        for tried, end in ends.items()
        if end not in expected(name, tried)
    ]


def main() -> int:
    """Try the extras that are named, or all; 1 where one does not keep its promise."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    names = sys.argv[2:] or ["plain", *(name for name in EXTRAS if name not in APART), "all"]
    unknown = [name for name in names if name not in ("plain", "all", *EXTRAS)]
    if unknown:
        print(f"kempe: there is no extra {', '.join(unknown)}.", file=sys.stderr)
        return 2
    found: list[str] = []
    for name in names:
        faults = faults_of(Path(sys.argv[1]), name)
        print(f"{name}: {'works by itself' if not faults else f'{len(faults)} faults'}", flush=True)
        found += faults
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
