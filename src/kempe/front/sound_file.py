"""Whether what a file holds can be used: tried on a few samples as soon as it is read."""

from kempe.errors import KempeError
from kempe.readings.stored_source import Kept, Recalled
from kempe.results import Motion

FEW = 3  # samples that are tried


def refuse_unusable(kept: Kept) -> None:
    """Whatever exception using the file would lead to: its tables, words and pictures.

    A typed one, such as that a picture needs two samples, is an answer and none of these.
    """
    from kempe.export.tables import columns
    from kempe.front.trajectory import Trajectory
    from kempe.pictures.animation import picture

    _refuse_stray_passes(kept.motion)
    trial = Trajectory._of(Recalled(kept.cut(slice(FEW))))
    for note in kept.notes.values():
        _ = trial[note.name]
    for use in (
        lambda: columns(trial, (), ()),
        lambda: trial.summary(),
        lambda: trial.report(),
        lambda: picture(trial) if len(trial) else "",
        lambda: (str(trial.outcome), repr(trial), [str(p) for p in kept.motion.passes]),
    ):
        try:
            use()
        except KempeError:
            continue


def _refuse_stray_passes(motion: Motion) -> None:
    """A ValueError where something was passed before the first sample or after the last."""
    span = (float(motion.t[0]), float(motion.t[-1])) if len(motion.t) else (0.0, 0.0)
    stray = [p.t for p in motion.passes if not span[0] <= p.t <= span[1]]
    if stray:
        raise ValueError(f"a dead point was passed at {stray[0]:g} s, outside of the motion")
