"""A document as Python: a script that makes the same mechanism."""

import json
from collections.abc import Mapping
from typing import Any

from kempe.model import Model
from kempe.studio.documents.mirror import text_of

HEAD = '''"""{title}: written by the studio of kempe."""

import kempe as kp
'''


def script_of(model: Model, data: Mapping[str, Any]) -> str:
    """A script whose `mechanism` is that of the document, which it holds as text."""
    title = json.dumps(model.name)[1:-1]
    body = _whole(dict(data))
    return f"{HEAD.format(title=title)}\n{body}\n\nprint(mechanism.check())\n"


def _whole(data: dict[str, Any]) -> str:
    text = text_of(data).splitlines(keepends=True)
    lines = "\n".join(f"    {json.dumps(line, ensure_ascii=False)}" for line in text)
    read = 'document = document_from(TEXT.encode(), "mechanism.yaml")'
    return (
        "from kempe.files.documents.document import document_from\n\n"
        f"TEXT = (\n{lines}\n)\n{read}\nmechanism = kp.Mechanism(document.model, document)"
    )
