"""`kempe version`."""

from kempe.cli.options import AsJson
from kempe.cli.terminal import answer


def version(*, as_json: AsJson = False) -> int:
    """Say which version this is.

    Example: kempe version
    """
    from kempe import __version__

    return answer({"version": __version__}, f"kempe {__version__}", as_json=as_json)
