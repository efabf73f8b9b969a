"""What a comparison found, in sentences."""

from __future__ import annotations

from bots.compare.plan import Measure, Plan, Verdict
from bots.compare.progress import Progress

UNITS = {Measure.MARGIN: "points a game", Measure.WINS: "wins in a hundred"}


def verdict_sentence(plan: Plan, progress: Progress, a: str, b: str) -> str:
    """One or two sentences. Without a verdict they say what is known so far."""
    gap = f"{plan.least_gap:g} {UNITS[plan.measure]}"
    about = f"the difference is about {difference_text(plan, progress)}"
    if progress.verdict is Verdict.STRONGER:
        return (
            f"{b} is stronger than {a}: {about}. "
            f"If it were no better, this would come out at most {_percent(plan.alpha)} of the time."
        )
    if progress.verdict is Verdict.NOT_STRONGER:
        return (
            f"{b} is not stronger than {a} by as much as {gap}: {about}. "
            f"If it were, this would come out at most {_percent(plan.beta)} of the time."
        )
    if progress.verdict is Verdict.UNDECIDED:
        return (
            f"Undecided whether {b} is stronger than {a}: the limit of {plan.most_sets} deal sets is reached; {about}."
        )
    if progress.interval is None:
        return f"Too early to say whether {b} is stronger than {a}: {progress.sets} of at least {plan.least_sets} deal sets."
    return f"Not decided yet whether {b} is stronger than {a}: so far {about}."


def difference_text(plan: Plan, progress: Progress) -> str:
    """`+5.3 points a game (90 %: +0.4 to +9.9)`."""
    text = f"{progress.estimate:+.1f} {UNITS[plan.measure]}"
    if progress.interval is None:
        return text
    low, high = progress.interval
    return f"{text} ({_percent(progress.level)}: {low:+.1f} to {high:+.1f})"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
