"""A document on the desk of a worker: its mechanism, and where that stands."""

import contextlib
import json
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from kempe.compile.layout.layout import Layout
from kempe.errors import AssemblyError, KempeError, ModelError
from kempe.files.documents.document import Document, document_from
from kempe.files.reading.scope import DimensionedValue
from kempe.front.mechanism import Mechanism
from kempe.front.trajectory import Trajectory
from kempe.geometry import Pose
from kempe.kinematics.check.assembly import still
from kempe.kinematics.closing.placement import body_pose, coordinates, gauge_reading
from kempe.pictures.stage import Stage, named_points
from kempe.studio.documents.operations import changed
from kempe.studio.messages.answers import DrivenMeasure, NamedParameter, NamedPoint, Shown
from kempe.studio.messages.edits import Fix, Operation, Problem
from kempe.studio.worker.problems import fixes_of, problem_of
from kempe.studio.worker.stage import empty_scene, resting
from kempe.studio.worker.standing import Standing
from kempe.units import factor

FloatArray = NDArray[np.float64]
Data = dict[str, Any]
LENGTH = "m"


@final
class Desk:
    """The document that is worked on, and the position its mechanism is in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data: Data = {}
        self.revision = -1
        self.document: Document | None = None
        self._mechanism: Mechanism | None = None
        self.stage: Stage | None = None
        self.q: FloatArray = np.zeros(0)
        self.home: FloatArray = np.zeros(0)
        self.is_assembled = False
        self.problems: list[Problem] = []
        self.fixes: list[Fix] = []

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism; a ModelError where the document has none yet."""
        if self._mechanism is None:
            raise ModelError("there is no mechanism yet: draw a body, or open one of the library.")
        return self._mechanism

    @property
    def layout(self) -> Layout:
        """The layout of the mechanism."""
        return self.mechanism.layout

    @property
    def unit(self) -> str:
        """The unit of length that people see."""
        return LENGTH if self.document is None else self.document.model.length_unit

    @property
    def is_plane(self) -> bool:
        """Whether the document is of the plane."""
        return self.document is not None and self.document.model.plane

    def closed(self) -> Mechanism:
        """The mechanism where it goes together; an AssemblyError says why it does not."""
        mechanism = self.mechanism
        if not self.is_assembled:
            raise AssemblyError(self.problems[0].text if self.problems else "it does not close.")
        return mechanism

    def load(self, data: Data, revision: int, *, keep: bool = False) -> None:
        """Put a document on the desk; a KempeError where it means nothing, and nothing changes.

        With `keep` the mechanism stays as near as it can to where it stands, or at its start where
        it stands there.
        """
        document = document_from(json.dumps(data).encode(), "model.json", folder=self.folder)
        model = document.model
        _ = document.run
        mechanism = Mechanism(model, document)
        before, was_home = self._mechanism, np.array_equal(self.q, self.home)
        self.data, self.revision, self.document = data, revision, document
        self._mechanism = mechanism if model.moving else None
        self.problems, self.fixes, self.is_assembled = [], [], False
        if not model.moving:
            unit = model.length_unit
            scene = empty_scene(
                model.name, plane=model.plane, unit=unit, scale=factor(LENGTH, unit)
            )
            self.stage, self.q, self.home = Stage(Layout(model), scene), np.zeros(0), np.zeros(0)
            return
        self._assemble(mechanism, before if keep and not was_home else None)

    def _assemble(self, mechanism: Mechanism, before: Mechanism | None) -> None:
        layout = mechanism.layout
        try:
            trajectory = Trajectory(layout, still(layout))
            self.is_assembled = True
        except AssemblyError as mistake:
            self.problems = [problem_of(mistake, self.data)]
            self.fixes = fixes_of(mistake, self.data, layout.model.length_unit)
            trajectory = resting(layout, self._guessed(layout))
        except KempeError as mistake:
            self.problems = [problem_of(mistake)]
            trajectory = resting(layout, self._guessed(layout))
        self.stage = Stage.of(trajectory)
        self.home = trajectory.motion.q[0].copy()
        stands = before is not None and _alike(before.layout, layout) and len(self.q)
        if not stands or not self.is_assembled:
            self.q = self.home.copy()
            return
        self.q = self._near(mechanism, self.q)

    def _near(self, mechanism: Mechanism, q: FloatArray) -> FloatArray:
        """The position nearest to q, on the branch where it stands; where it starts if none."""
        layout = mechanism.layout
        if np.array_equal(q, self.home):
            return q
        poses = {body.name: body_pose(layout, q, body.name) for body in layout.model.moving}
        drives = layout.model.drives
        driven = {d.gauge.name: gauge_reading(layout, q, d.gauge) for d in drives}
        for values in (driven, {}):  # where it is driven to, as long as that is possible
            with contextlib.suppress(KempeError):
                return mechanism.assemble(poses, values=values).q[: layout.n_q].copy()
        return self.home.copy()

    def _guessed(self, layout: Layout) -> FloatArray:
        """Where the bodies were guessed; at the origin those that were not."""
        poses = {body.name: body.guess or Pose.identity() for body in layout.model.moving}
        q = np.zeros(layout.n_q)
        found = coordinates(layout, poses)
        q[: len(found)] = found
        return q

    def edited(self, operations: list[Operation], place: FloatArray | None) -> Data:
        """The data after some operations; `place` is where bodies stand that are to stay there."""
        document, stage = self.document, self.stage
        assert document is not None
        assert stage is not None
        q = self.q if place is None else place
        layout, world = stage.layout, stage.scene.world
        return changed(self.data, operations, Standing(document, layout, q, self.folder, world))

    def shown(self) -> Shown:
        """What a page shows of it."""
        document, stage = self.document, self.stage
        assert document is not None
        assert stage is not None
        model, is_there = document.model, self._mechanism is not None
        drives = model.drives if self.is_assembled else ()
        return Shown(
            revision=self.revision,
            scene=stage.scene.document(),
            is_assembled=self.is_assembled,
            points=[NamedPoint(**one) for one in named_points(model)],
            drives=[
                DrivenMeasure(
                    name=drive.gauge.name,
                    unit=drive.gauge.unit,
                    value=gauge_reading(self.layout, self.q, drive.gauge) if is_there else 0.0,
                )
                for drive in drives
            ],
            parameters=self._parameters(document),
            problems=self.problems,
            fixes=self.fixes,
        )

    def _parameters(self, document: Document) -> list[NamedParameter]:
        found = []
        for name, given in document.given_parameters.items():
            value: DimensionedValue = document.parameters[name]
            given = given if isinstance(given, (int, float, str)) else str(given)
            unit = "" if isinstance(given, (int, float)) else given.partition(" ")[2]
            found.append(
                NamedParameter(name=name, given=given, value=float(value.value), unit=unit[:40])
            )
        return found


def _alike(one: Layout, other: Layout) -> bool:
    """Whether a position of one mechanism is one of the other."""
    names = [[body.name for body in layout.model.moving] for layout in (one, other)]
    return names[0] == names[1] and one.n_q == other.n_q
