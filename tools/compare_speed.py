"""Print how long this kempe takes beside another one, task by task, the two in turns.

`python tools/compare_speed.py OTHER/.venv/bin/python` runs every task in both, alternating, in
fresh processes, and prints the ratio of the least processor times (below 1: this one is faster). A
machine that does other work in between shows as spread, not as a ratio.
"""

import subprocess
import sys

ROUNDS = 5
TASKS = {
    "import": "pass",
    "build and first sweep": "k.gallery.four_bar().kinematics(until=1.0)",
    "sweep again, 20,000 steps": "f.kinematics(until=1.0, steps=20_000)",
    "sweep of jansen, 2,000 steps": "j.kinematics(until=1.0, steps=2000)",
    "sweep in space, 2,000 steps": "r.kinematics(until=1.0, steps=2000)",
    "simulate 40 loops, 0.2 s": "c.simulate(until=0.2, steps=20)",
    "read a point": "[turn['coupler.end'].speed.max() for _ in range(20)]",
    "simulate a pendulum, 20 s": "p.simulate(until=20.0, steps=200)",
    "simulate an engine, 1 s": "e.simulate(until=1.0, steps=200)",
    "check": "[k.gallery.jansen().check() for _ in range(3)]",
    "motions of a four-bar": "f.motions()",
    "motions of jansen": "j.motions()",
    "a live solver, 1,000 values": "[s.update({'crank.angle': 0.006 * n}) for n in range(1000)]",
}
READY = """
import time, kempe as k
f, j, r = k.gallery.four_bar(), k.gallery.jansen(), k.gallery.rssr()
c, p, e = k.gallery.n_four_bar(loops=40), k.gallery.simple_pendulum(), k.gallery.engine()
s, turn = f.solver(), f.kinematics(until=1.0)
{before}
began = time.process_time()
{task}
print(time.process_time() - began)
"""


def seconds(python: str, task: str, *, first: bool) -> float:
    """Processor time (s) of one task; unless it is a first one, made once before it is timed."""
    code = READY.format(task=task, before="" if first else task)
    if task == "pass":
        code = "import time\nbegan = time.process_time()\nimport kempe\nkempe.Builder\n"
        code += "print(time.process_time() - began)"
    ran = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"{python} cannot do {task!r}:\n{ran.stderr}")
    return float(ran.stdout.split()[-1])


def main() -> None:
    """Every task, the two interpreters in turns."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    other = sys.argv[1]
    print(f"{'task':32}{'this, ms':>10}{'other, ms':>11}{'ratio':>7}")
    for name, task in TASKS.items():
        times: dict[str, list[float]] = {sys.executable: [], other: []}
        for _ in range(ROUNDS):
            for python, found in times.items():
                found.append(seconds(python, task, first="first" in name))
        mine, its = (min(found) for found in times.values())
        print(f"{name:32}{1e3 * mine:>10.1f}{1e3 * its:>11.1f}{mine / its:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
