"""Bot tokens: what the site signs, the referee believes."""

import threading
from pathlib import Path

import jwt
import pytest
from django.conf import settings
from pytest_django.fixtures import Settings

from referee.record.tokens import read_token
from tournaments.keyfiles import kept
from tournaments.tokens import TokenError, issue_token, public_keys, signing_key, token_claims


def test_a_token_says_who_and_until_when() -> None:
    claims = token_claims(issue_token(bot="bot1", owner="7", generation=3))
    assert (claims.bot_id, claims.owner, claims.generation) == ("bot1", "7", 3)
    assert claims.expires_at - claims.issued_at == settings.TOKEN_DAYS * 24 * 3600


def test_a_referee_believes_it_by_the_public_key() -> None:
    assert read_token(issue_token(bot="bot1", owner="7", generation=1), public_keys()).bot_id == "bot1"


def test_the_header_names_algorithm_and_key() -> None:
    header = jwt.get_unverified_header(issue_token(bot="bot1", owner="7", generation=1))
    assert header == {"alg": "EdDSA", "typ": "JWT", "kid": signing_key().kid}


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "x" * 5000])
def test_nonsense_is_no_token(token: str) -> None:
    with pytest.raises(TokenError):
        token_claims(token)


def test_a_token_of_another_site_is_refused(settings: Settings, tmp_path: Path) -> None:
    foreign = issue_token(bot="bot1", owner="7", generation=1)
    settings.TOKEN_KEY_FILE = tmp_path / "other.pem"
    with pytest.raises(TokenError, match="a key this server does not know"):
        token_claims(foreign)


def test_a_file_with_another_kind_of_key_is_named(settings: Settings, tmp_path: Path) -> None:
    settings.TOKEN_KEY_FILE = tmp_path / "broken.pem"
    settings.TOKEN_KEY_FILE.write_text("no key")
    with pytest.raises(ValueError, match="PEM"):
        issue_token(bot="bot1", owner="7", generation=1)


def test_a_kept_secret_is_made_once_by_however_many(tmp_path: Path) -> None:
    path, found, gate = tmp_path / "deep" / "secret", [], threading.Barrier(8)

    def look(number: int) -> None:
        gate.wait()
        found.append(kept(path, lambda: b"%d" % number))

    threads = [threading.Thread(target=look, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert set(found) == {path.read_bytes()}
    assert [each.name for each in path.parent.iterdir()] == ["secret"]
    assert path.stat().st_mode & 0o777 == 0o600
