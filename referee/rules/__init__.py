"""Five Crowns as pure functions: what is legal, what follows from it, what it costs, and who may see it.

The modules are imported from extension modules where these were compiled from the same source (`referee.compiled`).
"""

from referee.compiled import chosen_build

_build = chosen_build()
if _build:
    __path__.insert(0, str(_build))

IS_COMPILED = _build is not None
