"""What a mechanism is: bodies, joints and drives as frozen data."""

from kempe.model.body import Body
from kempe.model.merge import merge
from kempe.model.model import Model

__all__ = ["Body", "Model", "merge"]
