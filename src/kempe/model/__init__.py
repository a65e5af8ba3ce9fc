"""What a mechanism is: bodies, joints and drives as frozen data."""

from kempe.model.body import Body
from kempe.model.merge import merge_models
from kempe.model.model import Model
from kempe.model.output import Output

__all__ = ["Body", "Model", "Output", "merge_models"]
