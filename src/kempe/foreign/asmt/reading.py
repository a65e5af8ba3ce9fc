"""An ASMT file as a model: parts, joints, motions, limits, forces, gravity, and what it ran."""

from kempe.errors import KempeError
from kempe.files.documents.run import Run
from kempe.files.syntax.source import shown
from kempe.foreign.asmt.connections import connections_of
from kempe.foreign.asmt.forces import forces_of
from kempe.foreign.asmt.frames import frames_of, pose_of
from kempe.foreign.asmt.motions import MotionReader
from kempe.foreign.asmt.outline import Entry, outline_of
from kempe.foreign.asmt.results import results_of
from kempe.foreign.imported import Imported, Ledger
from kempe.foreign.legal_names import LegalNames, legalized
from kempe.model import Model

MOST_STEPS = 1_000_000
READ = (  # sections of an assembly that are read; those without meaning for a model follow
    *("Name", "Position3D", "RotationMatrix", "Velocity3D", "Omega3D", "RefPoints", "RefCurves"),
    *("RefSurfaces", "Parts", "ConstraintSets", "ForceTorques", "ConstantGravity"),
    *("SimulationParameters", "KinematicIJs", "Notes", "AnimationParameters"),
)
UNUSED = ("hmin", "hmax", "errorTol")  # settings of the other program


def read_asmt(content: bytes, path: str) -> Imported:
    """The model in the bytes of an ASMT file; a FileError says what is wrong, and in which line.

    The format has no units: numbers are taken as m, kg, s and rad.
    """
    outline, ledger = outline_of(content, path), Ledger(path)
    assembly, names = outline.assembly, LegalNames(ledger)
    run, start, gravity = _settings(assembly, ledger)
    frames = frames_of(assembly, names, ledger)
    connections = connections_of(assembly, frames, names, ledger)
    motions = MotionReader(frames, connections, names, ledger, start).read(assembly)
    forces = forces_of(assembly, frames, names, ledger, start)
    _note_assembly(assembly, ledger)
    if not motions.drives:
        run = Run(until=run.until, steps=run.steps, analysis="dynamics")
    with ledger.at(0):
        model = Model(
            name=legalized(assembly.value("Name"), "assembly"),
            plane=False,
            bodies=(*frames.bodies, *motions.bodies),
            joints=(*connections.joints, *motions.joints),
            drives=tuple(motions.drives),
            couplers=tuple(connections.couplers),
            gauges=tuple(motions.gauges),
            gravity=gravity,
            forces=tuple(forces),
            events=tuple(motions.stops),
        )
    home = f"/{assembly.value('Name')}"
    others = {f"{home}/{own}": name for (what, own), name in names.called.items() if what != "part"}
    try:
        results = results_of(outline.series, frames.part_names, others, path)
    except KempeError as mistake:
        results = None
        ledger.leave_out(getattr(mistake, "line", 0), "time series", mistake.message)
    return Imported(model, ledger.report, run, results)


def _settings(assembly: Entry, ledger: Ledger) -> tuple[Run, float, tuple[float, float, float]]:
    """The run that the file asks for, where its clock starts (s), and gravity (m/s^2)."""
    gravity = (0.0, 0.0, 0.0)
    if assembly.below("ConstantGravity") is not None:
        x, y, z = assembly.numbers("ConstantGravity", 3)
        gravity = (x, y, z)
    asked = assembly.below("SimulationParameters")
    if asked is None:
        return Run(), 0.0, gravity
    known = {entry.text for entry in asked.entries}
    start, end = (asked.number(w) if w in known else d for w, d in (("tstart", 0.0), ("tend", 1.0)))
    if not end > start:
        raise asked.mistake(f"the run ends at {end:g} s, which must be after {start:g} s.")
    unused = [word for word in UNUSED if word in known]
    if unused:
        ledger.note(asked.line, ", ".join(unused), "kempe chooses its steps and tolerances itself")
    every = asked.number("hout") if "hout" in known else 0.0
    steps = round((end - start) / every) if every > 0.0 else None
    if steps is not None and not 1 <= steps <= MOST_STEPS:
        ledger.leave_out(asked.must("hout").line, "hout", f"gives {steps} steps")
        steps = None
    return Run(until=end - start, steps=steps), start, gravity


def _note_assembly(assembly: Entry, ledger: Ledger) -> None:
    """Say what was assumed, and what of the assembly as a whole has no place in a model."""
    ledger.note(0, "units", "the format has none; numbers are taken as m, kg, s and rad")
    for entry in assembly.entries:
        if entry.text not in READ:
            ledger.leave_out(entry.line, shown(entry.text), "no such section is known")
    for label in ("Notes", "AnimationParameters"):
        if assembly.members(label):
            ledger.note(assembly.must(label).line, label, "a model has no place for it")
    for one in assembly.members("KinematicIJs"):
        ledger.leave_out(one.line, shown(one.text), "KinematicIJs are not read")
    for label in ("Velocity3D", "Omega3D"):
        if assembly.below(label) is not None and any(assembly.numbers(label, 3)):
            why = "the assembly is the ground here, and stands still"
            ledger.leave_out(assembly.must(label).line, label, why)
    if assembly.below("Position3D") is not None:
        X = pose_of(assembly, ledger).matrix()
        if abs(X - [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]).max() > 0.0:
            line = assembly.must("Position3D").line
            ledger.note(line, "frame of the assembly", "is the world's here, wherever it lies")
