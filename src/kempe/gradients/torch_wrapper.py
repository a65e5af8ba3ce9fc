"""An objective as a function that PyTorch differentiates."""

from collections.abc import Callable
from typing import Any

from kempe.extras import extra
from kempe.gradients.objective import Objective


def torch_function(objective: Objective) -> Callable[[Any], Any]:
    """The objective as a function of a tensor x (k,), with kempe's own derivatives.

    y = f(x), dL/dx = (df/dx)^T dL/dy

    It gives what the objective's function gives, a number or an array, as a tensor of the kind of
    x: float64 keeps all digits. `backward` and `torch.autograd.grad` work, second derivatives are
    refused by PyTorch. kempe runs on the processor; tensors of other devices are carried there and
    back.

    Own.

    Example:
        >>> import kempe
        >>> four_bar = kempe.gallery.four_bar()
        >>> curve = four_bar.objective(lambda r: r["coupler.P"], until=1.0, steps=24)
        >>> def tallest(x):
        ...     return kempe.gradients.torch_function(curve)(x)[:, 1].max()
    """
    torch = extra("torch", "torch", "A function of PyTorch")

    def tensor(values: Any, like: Any) -> Any:
        return torch.as_tensor(values, dtype=like.dtype, device=like.device)

    base: Any = torch.autograd.Function

    class Function(base):  # type: ignore[misc]
        @staticmethod
        def forward(context: Any, x: Any) -> Any:
            numbers = x.detach().cpu().numpy()
            if not context.needs_input_grad[0]:
                return tensor(objective.array(numbers), x)
            found, slopes = objective.array_and_slopes(numbers)
            context.save_for_backward(tensor(slopes, x))
            return tensor(found, x)

        @staticmethod
        @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
        def backward(context: Any, weights: Any) -> Any:
            (slopes,) = context.saved_tensors
            return torch.tensordot(weights, slopes, dims=weights.ndim)

    def function(x: Any) -> Any:
        numbers = torch.as_tensor(x)
        if not numbers.is_floating_point():
            numbers = numbers.to(torch.get_default_dtype())
        return Function.apply(numbers)

    return function
