"""A new user's first hour: everything that the README and the tutorial tell to type, in order.

    python tools/first_hour.py [PYTHON]

Commands and scripts of each page are run in one folder that begins with the examples alone, by the
kempe of PYTHON, without a checkout; 1 where one of them fails.
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "tutorial").glob("*.md"))]
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NOT_THE_USERS = ("make", "pip", "git")  # of the shell, before there is a kempe


def typed(page: Path) -> list[list[str]]:
    """The words of every command of a page; its Python, read from top to bottom, is one script."""
    commands: list[list[str]] = []
    script, at = "", 0
    for found in BLOCK.finditer(page.read_text(encoding="utf-8")):
        kind, text = found.groups()
        if kind == "python":
            at = at if script else len(commands)
            script += text
            continue
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0] not in NOT_THE_USERS:
                commands.append(words)
    if script:
        commands.insert(at, ["python", "-c", script])
    return commands


def run_by(python: str, words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """One command, by that Python."""
    if words[0] == "python":
        script = folder / "script.py"  # a file: classes of a script are found in a module
        script.write_text(words[2], encoding="utf-8")
        whole = [python, script.name]
    else:
        whole = [python, "-m", *words, *(["--no-open"] if words[1:2] == ["demo"] else [])]
    return subprocess.run(whole, cwd=folder, capture_output=True, text=True, check=False)


def main() -> int:
    """Type it all; 1 where something fails."""
    python = str(Path(sys.argv[1]).absolute()) if len(sys.argv) > 1 else sys.executable
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kempe-") as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples")
        for page in PAGES:
            for words in typed(page):
                shown = "its script" if words[0] == "python" else shlex.join(words)
                ended = run_by(python, words, folder)
                if ended.returncode:
                    failed += 1
                    print(f"{page.name}: {shown}\n{ended.stderr}", file=sys.stderr)
                print(
                    f"{page.name}: {shown}: {'failed' if ended.returncode else 'done'}", flush=True
                )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
