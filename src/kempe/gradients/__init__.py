"""Derivatives of what a mechanism does by its parameters.

`build_map` differentiates how numbers of a model follow from parameters, `placing` how a swept
motion follows from the numbers, `reading_slopes` how readings do, `functions` anything made of
these; `objective` gives all that to optimizers, `jax_wrapper` and `torch_wrapper` to programs that
differentiate by themselves.
"""

from kempe.gradients.jax_wrapper import jax_function as jax_function
from kempe.gradients.path_error import PathError as PathError
from kempe.gradients.torch_wrapper import torch_function as torch_function
from kempe.names import exported

__all__ = exported(globals())
