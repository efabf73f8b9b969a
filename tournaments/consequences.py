"""What follows from an act that changes the past; shown before it is done, and returned when it was."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Consequences:
    """Matches by public id, rounds by their names. What is not named here does not change."""

    superseded: tuple[str, ...] = ()
    """Matches that count no longer: another takes the place of each, or their round is taken back."""
    voided: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    games_to_play: int = 0
    results_kept: int = 0
    """Games of superseded matches whose results go on counting."""
    rounds_reopened: tuple[str, ...] = ()
    """Closed until now; each keeps its place in the order of ratings."""
    rounds_taken_back: tuple[str, ...] = ()
    pairings_kept: tuple[str, ...] = ()
    """Later rounds: who meets whom in them stays as it is, standings and ratings follow."""
    matches_refolded: int = 0
    """Other rated matches whose ratings are computed again."""
    new_secret: bool = False
    """The secret of the deals is public: another one is committed."""

    def sentences(self) -> list[str]:
        """For a page that asks."""
        told = [
            (len(self.superseded), "{n} counts no longer.", "{n} count no longer.", "match"),
            (len(self.voided), "{n} becomes void.", "{n} become void.", "match"),
            (len(self.corrected), "{n} is corrected.", "{n} are corrected.", "match"),
            (self.results_kept, "{n} keeps its result.", "{n} keep their results.", "game"),
            (self.games_to_play, "{n} is played, from new cards.", "{n} are played, from new cards.", "game"),
        ]
        lines = [
            (one if count == 1 else many).format(n=_counted(count, what)) for count, one, many, what in told if count
        ]
        if self.rounds_reopened:
            lines.append(f"Opened again: {', '.join(self.rounds_reopened)}.")
        if self.rounds_taken_back:
            lines.append(f"Taken back: {', '.join(self.rounds_taken_back)}. They are paired anew.")
        if self.pairings_kept:
            lines.append(f"Pairings stay as they are in {', '.join(self.pairings_kept)}; standings follow.")
        if self.matches_refolded:
            lines.append(f"Ratings of {_counted(self.matches_refolded, 'other match')} are computed again.")
        if self.new_secret:
            lines.append("The secret of the deals is public, so a new one is committed.")
        return lines


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}{'es' if what.endswith('h') else 's'}"
