"""The command line."""

from kempe import __version__


def main() -> int:
    """Say which version of kempe this is."""
    print(f"kempe {__version__}")
    return 0
