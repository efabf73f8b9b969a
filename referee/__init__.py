"""The authoritative game.

The packages `rules`, `record` and `play` are imported from extension modules where these were compiled from the same source
(`referee.compiled`).
"""

from referee.compiled import chosen_build

_build = chosen_build()
if _build:
    __path__.insert(0, str(_build))

IS_COMPILED = _build is not None
