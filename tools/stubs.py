"""Write the type stubs of the C++ core, or check that the committed ones are current."""

import argparse
import sys
from pathlib import Path

from nanobind.stubgen import StubGen

from kempe import _core

STUBS = Path(__file__).parent.parent / "src" / "kempe" / "_core.pyi"


def stubs() -> str:
    """The stubs of the core as it is built now."""
    generator = StubGen(_core)
    generator.put(_core)
    text: str = generator.get()
    return text


def main() -> int:
    """Write the stubs; with --check, only compare them and return 1 where they differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    current = stubs()
    if not parser.parse_args().check:
        STUBS.write_text(current, encoding="utf-8")
        return 0
    if STUBS.read_text(encoding="utf-8") == current:
        return 0
    print(f"{STUBS.name} is not of this core; run 'make stubs'", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
