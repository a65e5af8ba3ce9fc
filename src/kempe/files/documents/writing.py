"""Writing documents and models to files, by the ending."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kempe.disk import replace_file
from kempe.errors import FileError
from kempe.files.documents.document import Document
from kempe.files.documents.writer import Writer
from kempe.files.syntax.text import WRITERS
from kempe.model import Model


def document_data(model: Model) -> dict[str, Any]:
    """The document of a model: SI numbers, every part written out."""
    return Writer(model).document()


def write_model(model: Model, path: str | Path) -> Path:
    """Write a model to a .yaml, .yml or .json file; reading it gives the same model exactly."""
    return _write(document_data(model), path)


def write_document(document: Document, path: str | Path) -> Path:
    """Write a document as it stands: with its parameters, units and expressions."""
    return _write(document.data, path)


def _write(data: Mapping[str, Any], path: str | Path) -> Path:
    target = Path(path)
    text = WRITERS.get(target.suffix.lower())
    if text is None:
        raise FileError(f"a model file ends in {', '.join(WRITERS)}.", path=str(path))
    return replace_file(target, text(data).encode())
