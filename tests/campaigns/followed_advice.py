"""Promise: "Remove the drive on ...", taken literally, leaves a mechanism whose drives fit.

Chains of two to five bars, open or closed to the ground, with random drives on angles of bodies and
joints and on coordinates: too many, too few, dependent. Drives start where a reference position has
them. Every alternative of the sentences of `check` and of the refusal of `kinematics` is followed,
with nothing else changed but what the sentence says to drive instead.

Oracle: the Jacobian of joints and drives by hand (points and angles of a chain), its rank by
singular values: with n freedoms and r independent drives, `freedom_left`, `undriven` and `is_ready`
follow, and after a removal as many independent drives must be left as before.
"""

import re
from itertools import combinations
from typing import NamedTuple

import numpy as np

import kempe as kp

CASES = 10
ZERO, FREE = 1e-9, 1e-3  # singular values below are nothing, above are something
TOLD = re.compile(
    r"[Rr]emove ((?:the drives?|those|that) on .*?)(?:, and drive (.*?))?"
    r"(?:, and start in another position)?\.(?:\s|$)"
)
ANY = re.compile(r"[Rr]emove (one|\d+) of them(?! and)\.?")
SOME = re.compile(r"[Tt]he drives on ((?:'[^']+'(?:, | and )?)+) depend on each other[^.:]*: $")
ITSELF = re.compile(r"[Tt]he drive on '([^']+)' moves nothing: remove it")
QUOTED = re.compile(r"'([^']+)'")
FROM = re.compile(r"'([^']+)' from (\S+)")
DIGITS = 1e-5  # of a value in a sentence


class Chain:
    """Bars in a row from the ground, in one position, and what drives on them would move."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.n = n = int(rng.integers(2, 6))
        self.closed = n >= 3 and bool(rng.random() < 0.5)
        self.angles = angles = rng.uniform(-1.2, 1.2, n).cumsum()
        self.lengths = lengths = rng.uniform(0.5, 1.5, n)
        across = lengths * np.array([np.cos(angles), np.sin(angles)])
        turned = lengths * np.array([-np.sin(angles), np.cos(angles)])  # d across / d angles
        self.ends = np.vstack([np.zeros(2), np.cumsum(across.T, axis=0)])
        # what can be driven: its value, and its gradient by the n angles of the bars
        self.values: dict[str, float] = {}
        self.gradients: dict[str, np.ndarray] = {}
        for k, own in enumerate(np.eye(n)):
            last, before = (angles[k - 1], np.eye(n)[k - 1]) if k else (0.0, np.zeros(n))
            earlier = np.arange(n) < k
            self.offer(f"b{k}.angle", angles[k], own)
            self.offer(f"H{k}.angle", angles[k] - last, own - before)
            self.offer(f"b{k}.x", self.ends[k, 0], turned[0] * earlier)
            self.offer(f"b{k}.y", self.ends[k, 1], turned[1] * earlier)
        self.rows = turned if self.closed else np.zeros((0, n))

    def offer(self, name: str, value: float, gradient: np.ndarray) -> None:
        """One more measure to drive."""
        self.values[name], self.gradients[name] = float(value), gradient

    def build(self, drives: list[str]) -> kp.Mechanism:
        """The chain with these drives."""
        m = kp.Builder("chain", plane=True)
        place = m.ground.at(0, 0)
        for k, (at, angle) in enumerate(zip(self.ends, self.angles, strict=False)):
            bar = m.bar(f"b{k}", float(self.lengths[k]), at=tuple(at), angle=float(angle))
            m.revolute(place, bar.start, name=f"H{k}")
            place = bar.end
        if self.closed:
            m.revolute(m.ground.at(*self.ends[-1]), place, name="last")
        for name in drives:
            part, word = name.split(".")
            m.drive(getattr(m.part(part), word), start=self.values[name], speed=0.1)
        return m.build()

    def ranks(self, drives: list[str]) -> tuple[int, int] | None:
        """Freedoms, and how many of them these drives move; None where that is not clear."""
        every = np.vstack([self.rows, *[self.gradients[name] for name in drives]])
        ranks = []
        for rows in (self.rows, every):
            s = np.linalg.svd(rows, compute_uv=False)
            if ((s > ZERO) & (s < FREE)).any():
                return None
            ranks.append(int((s >= FREE).sum()))
        return self.n - ranks[0], ranks[1] - ranks[0]


class Advice(NamedTuple):
    """Drives to remove, and what to drive instead: names and where that starts."""

    gone: tuple[str, ...]
    added: dict[str, float]


def alternatives(text: str, drives: list[str]) -> list[Advice]:
    """Everything that a text leaves to choose from."""
    ways = []
    for hit in TOLD.finditer(text):
        added = {name: float(value) for name, value in FROM.findall(hit[2] or "")}
        ways += [Advice(tuple(QUOTED.findall(way)), added) for way in hit[1].split(" or ")]
    ways += [Advice((name,), {}) for name in ITSELF.findall(text)]
    for hit in ANY.finditer(text):
        some = SOME.search(text[: hit.start()])
        names = QUOTED.findall(some[1]) if some else drives
        many = 1 if hit[1] == "one" else int(hit[1])
        ways += [Advice(gone, {}) for gone in combinations(names, many)]
    return ways


def attempt(rng: np.random.Generator) -> list[str]:
    """One chain with about as many drives as it has freedoms."""
    chain = Chain(rng)
    names = list(chain.gradients)
    many = int(np.clip(chain.n - len(chain.rows) + rng.integers(-1, 3), 1, 7))
    drives = [str(name) for name in rng.choice(names, size=min(many, len(names)), replace=False)]
    ranks = chain.ranks(drives)
    if ranks is None:
        return []
    freedoms, driven = ranks
    mechanism = chain.build(drives)
    report = mechanism.check()
    ready = driven == freedoms == len(drives)
    due = {
        "mobility": freedoms,
        "freedom_left": freedoms - len(drives),
        "undriven": freedoms - driven,
        "is_ready": ready,
    }
    said = {word: getattr(report, word) for word in due}
    wrong = [f"{word} is {said[word]}, due {due[word]}" for word in due if said[word] != due[word]]
    texts = [str(report)]
    try:
        run = mechanism.kinematics(until=0.01, steps=1)
        if not ready:
            wrong.append(f"it ran all the same: {run.outcome}")
    except kp.errors.DriveError as error:
        texts.append(str(error))
        if ready:
            wrong.append(f"refused: {error}")
    wrong += [fault for text in texts for fault in followed(chain, drives, ranks, text)]
    case = f"{chain.n} bars, closed={chain.closed}, angles {chain.angles.tolist()}"
    case += f", lengths {chain.lengths.tolist()}, drives {drives}, {driven} of {freedoms} driven"
    return [f"{fault}: {case}" for fault in wrong]


def followed(chain: Chain, drives: list[str], ranks: tuple[int, int], text: str) -> list[str]:
    """What is wrong once the advice of a text is taken, one alternative at a time."""
    freedoms, driven = ranks
    options = alternatives(text, drives)
    if len(drives) > driven and not options:
        return [f"no advice what to remove: {text}"]
    wrong = []
    for gone, added in options:
        left = [name for name in drives if name not in gone]
        after = chain.ranks([*left, *added])
        far = [name for name, v in added.items() if abs(v - chain.values[name]) > DIGITS]
        if len(left) != len(drives) - len(gone):
            wrong.append(f"it says to remove {gone}, not all of which are driven: {text}")
        elif far:
            wrong.append(f"{far} are elsewhere, {[chain.values[name] for name in far]}: {text}")
        elif after is not None and after[1] < (freedoms if added else driven):
            wrong.append(f"without {gone} only {after[1]} are driven: {text}")
        elif after is not None and after[1] == len(left) + len(added) == freedoms:
            try:
                chain.build([*left, *added]).kinematics(until=0.01, steps=1)
            except kp.KempeError as error:
                wrong.append(f"without {gone} {error}: {text}")
    return wrong
