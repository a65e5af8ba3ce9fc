"""The page's types are those of the server's messages."""

import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]


def test_the_types_of_the_page_are_those_that_follow_from_the_servers_schema() -> None:
    code = (
        "import sys; sys.path.insert(0, 'tools'); import studio_types;"
        " sys.stdout.buffer.write(studio_types.typescript().encode())"
    )
    made = subprocess.run([sys.executable, "-c", code], cwd=TOP, capture_output=True, check=True)
    written = (TOP / "studio" / "src" / "messages.ts").read_bytes()
    assert made.stdout == written, "run .venv/bin/python tools/studio_types.py"


def test_the_lock_of_the_pages_packages_names_no_address() -> None:
    lock = (TOP / "studio" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert '"integrity"' in lock


def test_what_the_page_itself_says_stands_in_one_file() -> None:
    sentence = re.compile(r'(?<![=\w])"[A-Z][a-z]+ [a-z][^"]*"|>[A-Z][a-z]+[A-Za-z ]*<')
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted((TOP / "studio" / "src").rglob("*.ts*"))
        if path.name not in ("words.ts", "messages.ts")
        and path.relative_to(TOP).parts[2] not in ("made", "player")  # players have their own
        for line in path.read_text(encoding="utf-8").splitlines()
        if sentence.search(line) and not line.lstrip().startswith(("//", "*", "/*"))
    ]
    assert found == []
