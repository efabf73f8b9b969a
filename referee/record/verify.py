"""Is this record the game it claims to be? Four findings, said apart: replay, chain, seed, signature."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from referee.record.conditions import GameScores
from referee.record.entries import GameRecord, Seal
from referee.record.game_record import RecordError, read_record
from referee.record.replay import ReplayError, final_step, scores_of_game
from referee.record.solitaire_replay import final_solitaire, scores_of_solitaire
from referee.rules.shuffle import SEED_BYTES, commitment
from referee.rules.solitaire import SolitaireConfig


class SeedFinding(Enum):
    MATCHES = "matches the commitment"
    MISSING = "not in the record: it is shown once the deal set is final"
    WRONG = "does not match the commitment"


class SignatureFinding(Enum):
    UNSIGNED = "unsigned"
    VALID = "valid"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `ok` only if everything that can be checked holds and the seed was there to replay with."""

    record: GameRecord | None
    chain: bool
    """The head digest in the seal is that of the bytes."""
    seed: SeedFinding
    replays: bool
    """Every action follows by the rules, and the scores and places are those of the record."""
    signature: SignatureFinding
    fingerprint: str
    """First 16 hex digits of SHA-256 of the public key, empty if unsigned."""
    problems: tuple[str, ...]
    """One line each, empty if ok."""

    @property
    def ok(self) -> bool:
        return not self.problems


def verify_record(data: bytes, seed: bytes | None = None) -> Verdict:
    """Checks the bytes of a record. `seed`, if the caller knows it, stands in for one not yet shown."""
    try:
        record = read_record(data)
    except RecordError as error:
        return Verdict(
            None, False, SeedFinding.MISSING, False, SignatureFinding.UNSIGNED, "", (f"unreadable: {error}",)
        )
    seal, problems = record.seal, []
    chain = seal.head_digest == record.digest
    if not chain:
        problems.append(
            f"chain: the seal says {seal.head_digest.hex()[:16]}, the bytes give {record.digest.hex()[:16]}"
        )
    signature = _signature(seal)
    if signature is SignatureFinding.INVALID:
        problems.append("signature: it is not that of this key over this digest")
    known_seed = seal.seed or seed or b""
    seed_finding = _seed(known_seed, record.header.commitment)
    if seed_finding is not SeedFinding.MATCHES:
        problems.append(f"seed: {seed_finding.value}")
    replay_problem = _replay_problem(record, known_seed) if seed_finding is SeedFinding.MATCHES else ""
    if replay_problem:
        problems.append(f"replay: {replay_problem}")
    replays = seed_finding is SeedFinding.MATCHES and not replay_problem
    return Verdict(record, chain, seed_finding, replays, signature, fingerprint(seal.public_key), tuple(problems))


def fingerprint(public_key: bytes) -> str:
    return sha256(public_key).hexdigest()[:16] if public_key else ""


def _signature(seal: Seal) -> SignatureFinding:
    if not seal.signature and not seal.public_key:
        return SignatureFinding.UNSIGNED
    try:
        Ed25519PublicKey.from_public_bytes(seal.public_key).verify(seal.signature, seal.head_digest)
    except (InvalidSignature, ValueError):
        return SignatureFinding.INVALID
    return SignatureFinding.VALID


def _seed(seed: bytes, committed: bytes) -> SeedFinding:
    if not seed:
        return SeedFinding.MISSING
    if len(seed) != SEED_BYTES or commitment(seed) != committed:
        return SeedFinding.WRONG
    return SeedFinding.MATCHES


def _replay_problem(record: GameRecord, seed: bytes) -> str:
    try:
        found = _replayed_scores(record, seed)
    except ReplayError as error:
        return str(error)
    written = record.footer.scores
    if found == written:
        return ""
    if found.solitaire != written.solitaire:
        return f"the record's score {written.solitaire} is not that of the solitaire, {found.solitaire}"
    return f"the record's scores {written.totals} are not those of the game, {found.totals}"


def _replayed_scores(record: GameRecord, seed: bytes) -> GameScores:
    if isinstance(record.header.config, SolitaireConfig):
        return scores_of_solitaire(final_solitaire(record, seed))
    return scores_of_game(*final_step(record, seed))
