"""Old documents: every version is brought to the next by one small step.

A step renames and rearranges data; `original` leads from a path in the new data back to where it
stood in the old, so that a message still points into the file.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, final

from kempe.errors import ModelError
from kempe.files.reading.scope import AtPath
from kempe.files.schema.schema import VERSION
from kempe.files.syntax.source import Path, shown

Original = Callable[[Path], Path]


class AbstractStep(ABC):
    """From one version to the next."""

    @abstractmethod
    def forward(self, data: dict[str, Any]) -> dict[str, Any]:
        """The same document one version later; the old data stays as it is."""

    @abstractmethod
    def original(self, path: Path) -> Path:
        """Where the value at a path of the new data stood in the old."""


@final
class FromZero(AbstractStep):
    """Version 0 said `dimension: 2` for `plane: true`, `links` for `bodies`, `motors` for `drives`,
    and gave a joint's markers as `ends: [I, J]`.
    """

    names: ClassVar = {"links": "bodies", "motors": "drives"}

    def forward(self, data: dict[str, Any]) -> dict[str, Any]:
        new = {self.names.get(key, key): value for key, value in data.items()}
        if len(new) != len(data):
            both = next(k for k in self.names if k in data and self.names[k] in data)
            message = f"{both!r} and {self.names[both]!r} are two words for the same: keep one."
            raise AtPath((both,), ModelError(message), of_key=True)
        if "dimension" in new:
            dimension = new.pop("dimension")
            if dimension not in (2, 3) or isinstance(dimension, bool):
                message = f"dimension is 2 or 3, not {shown(dimension)}."
                raise AtPath(("dimension",), ModelError(message))
            new["plane"] = dimension == 2
        if isinstance(new.get("joints"), dict):
            new["joints"] = {name: self._joint(j, name) for name, j in new["joints"].items()}
        return new | {"version": 1}

    def _joint(self, joint: Any, name: str) -> Any:
        if not isinstance(joint, dict) or "ends" not in joint:
            return joint
        ends = joint["ends"]
        if not isinstance(ends, list) or len(ends) != 2:
            message = f"the ends of joint {name!r} are two markers, not {shown(ends)}."
            raise AtPath(("joints", name, "ends"), ModelError(message))
        others = {key: value for key, value in joint.items() if key != "ends"}
        return {"I": ends[0], "J": ends[1], **others}

    def original(self, path: Path) -> Path:
        back = {new: old for old, new in self.names.items()}
        path = tuple(back.get(str(key), key) if k == 0 else key for k, key in enumerate(path))
        if path[:1] == ("plane",):
            return ("dimension",)
        if len(path) >= 3 and path[0] == "joints" and path[2] in ("I", "J"):
            return (*path[:2], "ends", "IJ".index(str(path[2])), *path[3:])
        return path


STEPS: tuple[AbstractStep, ...] = (FromZero(),)  # the k-th leads from version k to k + 1


def migrated(data: Any) -> tuple[dict[str, Any], Original]:
    """The document in the present version, and the way back to its old places."""
    if not isinstance(data, dict):
        message = f"a model file is a mapping that begins with version: {VERSION}, not"
        raise AtPath((), ModelError(f"{message} {shown(data)}."))
    if "version" not in data:
        raise AtPath((), ModelError(f"the version is missing: begin with version: {VERSION}."))
    version = data["version"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 0:
        raise AtPath(("version",), ModelError(f"the version is a number, not {shown(version)}."))
    if version > VERSION:
        message = (
            f"this file has version {version}, and this kempe reads up to {VERSION}: update it."
        )
        raise AtPath(("version",), ModelError(message))
    steps = STEPS[version:]
    for step in steps:
        data = step.forward(data)

    def original(path: Path) -> Path:
        for step in reversed(steps):
            path = step.original(path)
        return path

    return data, original
