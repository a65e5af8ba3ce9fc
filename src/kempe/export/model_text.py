"""A model as the text of a model file, as far as a file can hold it."""

import json

from kempe.errors import KempeError
from kempe.model import Model


def model_text(model: Model) -> str:
    """The document of a model as JSON; empty where the model is more than a file can hold."""
    from kempe.files.documents.writer import document_data

    try:
        return json.dumps(document_data(model))
    except KempeError:
        return ""
