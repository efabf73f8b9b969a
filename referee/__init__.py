"""The authoritative game.

The packages `rules`, `record` and `play`, and what of `rpc` every decision passes, are imported from extension modules where these
were compiled from the same source (`referee.compiled`).
"""

from referee.compiled import chosen_build

BUILD = chosen_build()
"""The folder they are imported from; None: the source runs."""
if BUILD:
    __path__.insert(0, str(BUILD))

IS_COMPILED = BUILD is not None
