"""How long kempe takes to refuse a hostile model file, and how much memory: one process a file.

Usage: python benchmarks/hostile_files.py
The promise is 1 s and 200 MB, the interpreter and its imports included in the memory.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

MOST_SECONDS, MOST_BYTES = 1.0, 200e6
DEEP = 10**6

REFUSE = """
import re, sys, time
from kempe.files.document import read_document
from kempe.errors import FileError
began = time.process_time()
try:
    read_document(sys.argv[1]).model
    said = "NOT REFUSED"
except FileError as mistake:
    said = mistake.message
spent = time.process_time() - began
status = open("/proc/self/status").read()  # getrusage would count the parent's peak as well
print(spent, int(re.search(r"VmHWM:\\s*(\\d+)", status)[1]) * 1024, said[:70], sep="\\t")
"""


def bomb() -> bytes:
    """Thirty levels of ten aliases each."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 30)]
    return "\n".join(lines).encode()


def bodies(count: int) -> bytes:
    """Nothing but bodies."""
    return b'{"version":1,"bodies":{' + b",".join(b'"%x":{}' % k for k in range(count)) + b"}}"


FILES: dict[str, Callable[[], bytes] | int] = {
    "gigabyte.yaml": 10**9,
    "gigabyte.json": 10**9,
    "deep.json": lambda: b"[" * DEEP,
    "deep_objects.json": lambda: b'{"a":' * DEEP,
    "deep.yaml": lambda: b"[" * DEEP,
    "deep_lines.yaml": lambda: b"[\n" * DEEP,
    "dashes.yaml": lambda: b"- " * DEEP,
    "alias_bomb.yaml": bomb,
    "bodies.json": lambda: bodies(3_300_000),
    "long_name.json": lambda: b'{"version":1,"bodies":{"' + b"x" * 100_000_000 + b'":{}}}',
}


def measured() -> Iterator[tuple[str, float, float, str]]:
    """Name, seconds, bytes and the message of every file."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in FILES.items():
            path = Path(folder) / name
            if isinstance(content, int):
                with path.open("wb") as file:
                    file.truncate(content)
            else:
                path.write_bytes(content())
            ran = subprocess.run(
                [sys.executable, "-c", REFUSE, str(path)],
                capture_output=True,
                text=True,
                check=True,
            )
            seconds, size, said = ran.stdout.strip().split("\t")
            yield name, float(seconds), float(size), said
            path.unlink()


def main() -> int:
    """Print the table; 1 where a promise is broken."""
    broken = 0
    for name, seconds, size, said in measured():
        kept = seconds < MOST_SECONDS and size < MOST_BYTES and "NOT REFUSED" not in said
        broken += not kept
        print(f"{name:20} {seconds:6.2f} s {size / 1e6:6.0f} MB  {'' if kept else 'BROKEN '}{said}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
