"""Which executor runs a program: compiled code where it can be had, the VM everywhere."""

from kempe.compile.program import Program


def attach_executor(program: Program, executor: str) -> None:
    """Give the program compiled code where that is wanted and available."""


def stored_program(key: str, executor: str) -> Program | None:
    """The program another process left in the cache, ready to run."""
    return None


def store_program(key: str, program: Program) -> None:
    """Leave the program in the cache for other processes."""


def executor_report() -> dict[str, object]:
    """What `kempe doctor` says about executors and the cache."""
    return {"executor": "vm"}
