"""Names for arrays of vectors; float32 throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    FloatVector = npt.NDArray[np.float32]
    FloatMatrix = npt.NDArray[np.float32]
