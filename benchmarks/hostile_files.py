"""How long kempe takes to refuse a hostile file, and how much memory: one process a file.

Usage: python benchmarks/hostile_files.py
The promise is 2 s and 300 MB, the interpreter and its imports included in the memory.
"""

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

MOST_SECONDS, MOST_BYTES = 2.0, 300e6
DEEP = 10**6

REFUSE = """
import re, resource, sys, time
from kempe import Trajectory
from kempe.errors import KempeError
from kempe.files.documents.document import read_document
from kempe.frames import read_frames
from kempe.results.maps.motion_map import MotionMap
resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))  # so that the machine survives
path = sys.argv[1]
began = time.process_time()
try:
    if "frames" in path:
        read_frames(path)
    elif path.endswith(".npz"):
        (MotionMap if "map" in path else Trajectory).load(path)
    else:
        _ = read_document(path).model
    said = "NOT REFUSED"
except KempeError as mistake:
    said = mistake.message
except MemoryError:
    said = "NOT REFUSED: out of memory"
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


def merged(folder: Path, name: str) -> bytes:
    """Four levels of files that are merged sixty times each: 60^4 mechanisms."""
    members = ", ".join(["{file: level%d.yaml}"] * 60)
    for level in range(4):
        text = f"version: 1\nmerge: [{members.replace('%d', str(level + 1))}]\n"
        (folder / f"level{level}.yaml").write_text(text)
    (folder / "level4.yaml").write_text("version: 1\nplane: true\n")
    return (folder / "level0.yaml").read_bytes()


def used(count: int, times: int) -> bytes:
    """Long chains from the library, again and again."""
    one = f"{{use: gallery/pendulum_chain, dimensions: {{links: {count}}}}}"
    return f"version: 1\nmerge: [{', '.join([one] * times)}]\n".encode()


def unknown(count: int, body: str = "{}") -> bytes:
    """A joint on a body that is nearly one of very many."""
    names = ",".join(f'"body number {k:06d} of all":{body}' for k in range(count))
    joint = '{"type":"revolute","I":"body numbr 000001 of al","J":"ground"}'
    return f'{{"version":1,"plane":true,"bodies":{{{names}}},"joints":{{"A":{joint}}}}}'.encode()


def tower(count: int, length: int) -> bytes:
    """Parameters that are made of all those before them, in long formulas."""
    lines = ["  p0: 1"]
    lines += [f"  p{k}: {' + '.join([f'p{k - 1}'] * length)}" for k in range(1, count)]
    return ("version: 1\nparameters:\n" + "\n".join(lines)).encode()


def tower_json(count: int) -> bytes:
    """Very many parameters, each made of the one before."""
    entries = ",".join(f'"p{k}":"p{k - 1} * 1.0"' for k in range(1, count))
    return f'{{"version":1,"parameters":{{"p0":1,{entries}}}}}'.encode()


def npz(shape: tuple[int, ...], name: str = "motion/q", header: str = "{}") -> bytes:
    """An archive with one array of zeros, well packed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("kempe.json", header)
        with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
            form = {"descr": "<f8", "fortran_order": False, "shape": shape}
            np.lib.format.write_array_header_1_0(file, form)
            left = int(np.prod(shape)) * 8
            while left > 0:
                file.write(bytes(min(left, 1 << 24)))
                left -= 1 << 24
    return buffer.getvalue()


def lying_npz() -> bytes:
    """An array that says it is a terabyte, and has eight bytes."""
    content = io.BytesIO()
    form = {"descr": "<f8", "fortran_order": False, "shape": (1 << 37,)}
    np.lib.format.write_array_header_1_0(content, form)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("kempe.json", "{}")
        archive.writestr("t.npy", content.getvalue() + bytes(8))
    return buffer.getvalue()


def lines(count: int) -> bytes:
    """YAML of short lines."""
    return b"version: 1\nbodies:\n" + b"".join(b"  b%07d: {}\n" % k for k in range(count))


def wrong(count: int) -> bytes:
    """Bodies that are none, each a mistake of its own."""
    entries = b",".join(b'"%x":1' % k for k in range(count))
    return b'{"version":1,"bodies":{' + entries + b"}}"


def wrong_list(count: int) -> bytes:
    """Outputs that are none."""
    return b'{"version":1,"outputs":[' + b",".join([b"1"] * count) + b"]}"


FILES: dict[str, Callable[[], bytes] | int] = {
    "gigabyte.yaml": 10**9,
    "merged.yaml": 0,
    "gigabyte.json": 10**9,
    "deep.json": lambda: b"[" * DEEP,
    "deep_objects.json": lambda: b'{"a":' * DEEP,
    "deep.yaml": lambda: b"[" * DEEP,
    "deep_lines.yaml": lambda: b"[\n" * DEEP,
    "dashes.yaml": lambda: b"- " * DEEP,
    "alias_bomb.yaml": bomb,
    "bodies.json": lambda: bodies(3_300_000),
    "bodies_just.json": lambda: bodies(490_000),
    "wrong_bodies.json": lambda: wrong(900_000),
    "wrong_bodies_just.json": lambda: wrong(99_000),
    "wrong_list.json": lambda: wrong_list(900_000),
    "wrong_list_just.json": lambda: wrong_list(99_000),
    "use_count.yaml": lambda: used(10_000, 2),
    "use_often.yaml": lambda: used(900, 60),
    "use_thousand.yaml": lambda: used(1, 1000),
    "near_names.json": lambda: unknown(99_000),
    "near_placed.json": lambda: unknown(9_900, '{"at":[0,0],"angle":1,"points":{"a":[1,2]}}'),
    "ten_megabytes.yaml": lambda: lines(600_000),
    "one_megabyte.yaml": lambda: lines(60_000),
    "long_keys.json": lambda: b'{"version":1,"' + b"x" * 24_900_000 + b'":1}',
    "longer_keys.json": lambda: b'{"version":1,"' + b"x" * 49_000_000 + b'":1}',
    "long_key_of_body.json": lambda: b'{"version":1,"bodies":{"' + b"x" * 24_900_000 + b'":{}}}',
    "many_keys.json": lambda: (
        b'{"version":1,' + b",".join(b'"%s%d":1' % (b"k" * 90, k) for k in range(240_000)) + b"}"
    ),
    "long_tag.yaml": lambda: b"a: !" + b"x" * 990_000 + b" 1",
    "parameter_tower.yaml": lambda: tower(300, 500),
    "parameter_tower.json": lambda: tower_json(2_500),
    "long_formulas.json": lambda: (
        b'{"version":1,"parameters":{'
        + b",".join(b'"p%d":"%s"' % (k, b"+".join([b"1"] * 5000)) for k in range(2000))
        + b"}}"
    ),
    "trajectory_bomb.npz": lambda: npz((1 << 17, 1 << 13)),
    "map_bomb.npz": lambda: npz((1 << 17, 1 << 13), "block0"),
    "trajectory_lie.npz": lying_npz,
    "map_lie.npz": lying_npz,
    "frames_megabytes.yaml": lambda: b"frames:\n" + b"- {id: a}\n" * 390_000,
    "frames_values.yaml": lambda: b"frames: [" + b"1," * 480_000 + b"]",
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
            if name == "merged.yaml":
                path.write_bytes(merged(Path(folder), name))
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
        print(f"{name:22} {seconds:6.2f} s {size / 1e6:6.0f} MB  {'' if kept else 'BROKEN '}{said}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
