"""Is bot B stronger than bot A? A sequential test over deal sets that stops as soon as the answer is clear enough.

Pure: standard library only, no clock, no chance. The command line and the site feed it what was played and read off its
verdict, so both say the same.

- `plan`      the two hypotheses, both error bounds, the least and the most sets.
- `counts`    evidence from bounded results (pair scores), the published generalised SPRT.
- `margins`   evidence from real numbers (points a game).
- `walk`      the evidence as a walk between its bounds: an estimate and an interval that know the test may stop.
- `progress`  all of it at one moment, from the results of whole sets.
- `words`     the same for people.
"""

from bots.compare.plan import Measure, Plan, Verdict
from bots.compare.progress import Progress, evidence, progress_of, verdict_of
from bots.compare.words import verdict_sentence

__all__ = [
    "Measure",
    "Plan",
    "Progress",
    "Verdict",
    "evidence",
    "progress_of",
    "verdict_of",
    "verdict_sentence",
]
