"""Make a release: `python tools/release.py 0.2.0` gathers changelog.d into CHANGELOG.md.

The fragments are put under one heading, by kind and number, and deleted; the version is set in
`src/kempe/__init__.py`, its one source, and in CITATION.cff. With --draft the chapter is printed
and nothing is changed.
"""

import argparse
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("added", "changed", "fixed", "removed")
VERSION = re.compile(r"\d+\.\d+\.\d+")
TITLE = "# Changelog\n"


def fragments(root: Path) -> list[Path]:
    """The files of one change each, by number."""
    return sorted((root / "changelog.d").glob("[0-9]*.md"))


def chapter(root: Path, version: str, date: str) -> str:
    """What is new in a version, by kind."""
    parts = [f"## {version} ({date})"]
    for kind in KINDS:
        entries = [
            "- " + file.read_text(encoding="utf-8").strip().replace("\n", "\n  ")
            for file in fragments(root)
            if file.name.split(".")[-2] == kind
        ]
        if entries:
            parts += [f"### {kind.capitalize()}", "\n".join(entries)]
    return "\n\n".join(parts) + "\n"


def release(root: Path, version: str, date: str) -> None:
    """Write the chapter of a version, delete its fragments, and set the version."""
    source, citation, log = (
        root / "src" / "kempe" / "__init__.py",
        root / "CITATION.cff",
        root / "CHANGELOG.md",
    )
    code, cited = source.read_text(encoding="utf-8"), citation.read_text(encoding="utf-8")
    (old,) = re.findall(r'^__version__ = "(.*)"$', code, re.MULTILINE)
    if not VERSION.fullmatch(version):
        raise SystemExit(f"{version!r} is no version: three numbers are wanted, such as 0.2.0.")
    if [int(n) for n in version.split(".")] <= [int(n) for n in old.split(".")]:
        raise SystemExit(f"{version} is not newer than {old}, which src/kempe/__init__.py has.")
    if not fragments(root):
        raise SystemExit("changelog.d holds no fragment: there is nothing to release.")
    before = log.read_text(encoding="utf-8").removeprefix(TITLE) if log.exists() else ""
    log.write_text(f"{TITLE}\n{chapter(root, version, date)}{before}", encoding="utf-8")
    source.write_text(code.replace(f'"{old}"', f'"{version}"'), encoding="utf-8")
    citation.write_text(
        re.sub(r"^version: .*$", f"version: {version}", cited, flags=re.MULTILINE),
        encoding="utf-8",
    )
    for file in fragments(root):
        file.unlink()


def main() -> int:
    """Make the release that the command line names, or print its chapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", help="three numbers, such as 0.2.0")
    parser.add_argument("--draft", action="store_true", help="print the chapter, change nothing")
    wanted = parser.parse_args()
    today = datetime.now(UTC).date().isoformat()
    if wanted.draft:
        print(chapter(ROOT, wanted.version, today), end="")
        return 0
    release(ROOT, wanted.version, today)
    return 0


if __name__ == "__main__":
    sys.exit(main())
