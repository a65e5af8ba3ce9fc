"""Promise: whatever was done to a linkage that pylinkage saved, kempe reads it or says why not.

The file of the examples is cut, mixed and changed as those of other programs are.

Oracle: brute force, as of `mutated_foreign_files`.
"""

import numpy as np

from tests.campaigns._foreign_files import EXAMPLES
from tests.campaigns.mutated_foreign_files import changed_file

CASES = 80
TEXT = (EXAMPLES / "four_bar.pylinkage.json").read_text(encoding="utf-8")


def attempt(rng: np.random.Generator) -> list[str]:
    """The file, changed once to five times."""
    return changed_file(rng, ".json", TEXT)
