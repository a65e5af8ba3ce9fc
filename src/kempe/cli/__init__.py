"""The command line: one file per command, no physics."""

from kempe.cli.main import main

__all__ = ["main"]
