"""Packages that the plain install does not bring: imported when first needed."""

import importlib
from typing import Any

from kempe.errors import MissingPart


def extra(package: str, name: str, purpose: str) -> Any:
    """The package, from the extra `name`; MissingPart with the line that installs it."""
    try:
        return importlib.import_module(package)
    except ImportError as trouble:
        top = package.partition(".")[0]
        missing = isinstance(trouble, ModuleNotFoundError) and trouble.name == top
        reason = "is not installed" if missing else f"cannot be imported ({trouble})"
        raise MissingPart(
            f"{purpose} needs {top}, which {reason}: pip install 'kempe[{name}]'.",
            package=top,
            extra=name,
        ) from None
