"""With what the site shows a referee who it is, and knows it by."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ClientTls:
    """PEM files."""

    ca: Path
    certificate: Path
    key: Path

    def stamps(self) -> tuple[int, ...]:
        """Others once a file was replaced. Raises OSError if one is missing."""
        return tuple(path.stat().st_mtime_ns for path in (self.ca, self.certificate, self.key))
