"""Compiled programs of another kempe are not taken for this one's."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import kempe

SCRIPT = """
import kempe
turn = kempe.gallery.four_bar().kinematics(until=0.1, steps=3)
print(turn["crank.angle"].ptp().hex())
"""


def crank_turn(package: Path, cache: Path) -> float:
    # -S leaves out the editable install; its packages are lent by the path
    lent = os.pathsep.join([str(package), *(p for p in sys.path if p.endswith("site-packages"))])
    found = subprocess.run(
        [sys.executable, "-S", "-c", SCRIPT],
        env=os.environ | {"PYTHONPATH": lent, "KEMPE_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    return float.fromhex(found.stdout)


KEYS = """
from kempe.compile.llvm.machine_code import machine_key
print(machine_key("a structure"))
"""


def test_a_rebuilt_core_is_not_answered_from_the_cache(tmp_path):
    """Compiled programs call the core and are called by it: an older one may do so otherwise."""
    copy = tmp_path / "kempe"
    shutil.copytree(Path(kempe.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    core = Path(shutil.copy(kempe._core.__file__, copy / Path(kempe._core.__file__).name))

    def key():
        lent = os.pathsep.join([str(tmp_path), *(p for p in sys.path if "site-packages" in p)])
        found = subprocess.run(
            [sys.executable, "-S", "-c", KEYS],
            env=os.environ | {"PYTHONPATH": lent, "KEMPE_CACHE": "off"},
            capture_output=True,
            text=True,
            check=True,
        )
        return found.stdout

    before = key()
    assert key() == before
    built = core.stat()
    os.utime(core, ns=(built.st_atime_ns, built.st_mtime_ns + 1_000_000))
    assert key() != before


def test_an_edited_formula_is_not_answered_from_the_cache(tmp_path):
    """The key of a program is its structure in words: the words stay, the formula changes."""
    copy = tmp_path / "kempe"
    shutil.copytree(Path(kempe.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    core = Path(kempe._core.__file__)
    shutil.copy(core, copy / core.name)
    law = copy / "drives" / "ramp.py"
    before = crank_turn(tmp_path, tmp_path / "cache")
    text = law.read_text()
    assert "self.start + t * (" in text
    law.write_text(text.replace("self.start + t * (", "self.start + 2.0 * t * ("))
    after = crank_turn(tmp_path, tmp_path / "cache")
    assert abs(after - 2.0 * before) < 1e-12
