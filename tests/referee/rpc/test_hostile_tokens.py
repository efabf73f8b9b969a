"""Who comes in with what token, and what becomes of a stream when its token no longer counts."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from pathlib import Path

import grpc
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from fivecrowns.bot.v1 import bot_pb2, bot_pb2_grpc
from fivecrowns.referee.v1 import referee_pb2
from referee.record.conditions import Budgets
from referee.record.verify import verify_record
from tests.referee.rpc.hostile import HEALTHY, HOSTILE, Arena, arena, calling
from tests.support.referee import (
    KID,
    SIGNING_KEY,
    RawBot,
    bot_token,
    fault_names,
    game_spec,
    running_referee,
    sync_request,
)

pytestmark = pytest.mark.usefixtures("quiet_log")

SHORT = Budgets(start_ms=1_000, decision_ms=250, bank_ms=500, thinking_ms=4_000)
PUBLIC_KEY = SIGNING_KEY.public_key()
PUBLIC_FORMS = {
    "raw": PUBLIC_KEY.public_bytes_raw(),
    "PEM": PUBLIC_KEY.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    "DER": PUBLIC_KEY.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
    "base64": base64.urlsafe_b64encode(PUBLIC_KEY.public_bytes_raw()).rstrip(b"="),
}


def claims(**changes: object) -> dict[str, object]:
    now = int(time.time())
    good: dict[str, object] = {
        "iss": "crowns-arena",
        "aud": "crowns-referee",
        "sub": HOSTILE,
        "own": "owner1",
        "gen": 1,
        "iat": now,
        "exp": now + 3600,
    }
    return {name: value for name, value in (good | changes).items() if value is not None}


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def forged(header: dict[str, object], sign: Callable[[bytes], bytes], **changes: object) -> str:
    text = f"{part(header)}.{part(claims(**changes))}"
    return f"{text}.{base64.urlsafe_b64encode(sign(text.encode())).rstrip(b'=').decode()}"


def with_hmac(key: bytes, algorithm: str) -> str:
    digest = getattr(hashlib, f"sha{algorithm[2:]}")
    return forged({"alg": algorithm, "typ": "JWT", "kid": KID}, lambda text: hmac.new(key, text, digest).digest())


def with_key(key: object, algorithm: str, **header: object) -> str:
    return jwt.encode(claims(), key, algorithm=algorithm, headers={"kid": KID, **header})  # type: ignore[arg-type]


OWN_KEY = Ed25519PrivateKey.generate()
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OWN_JWK = {"kty": "OKP", "crv": "Ed25519", "x": PUBLIC_FORMS["base64"].decode()}

FORGED = {
    "alg none": forged({"alg": "none", "typ": "JWT", "kid": KID}, lambda text: b""),
    "alg None": forged({"alg": "None", "typ": "JWT", "kid": KID}, lambda text: b""),
    "no alg": forged({"typ": "JWT", "kid": KID}, lambda text: b""),
    "alg null": forged({"alg": None, "typ": "JWT", "kid": KID}, lambda text: b""),
    "alg a list": forged({"alg": ["EdDSA"], "typ": "JWT", "kid": KID}, SIGNING_KEY.sign),
    **{f"HS256 with the public key as {name}": with_hmac(key, "HS256") for name, key in PUBLIC_FORMS.items()},
    "HS512 with the public key": with_hmac(PUBLIC_FORMS["raw"], "HS512"),
    "HS256 with nothing": with_hmac(b"", "HS256"),
    "RS256": with_key(RSA_KEY, "RS256"),
    "ES256": with_key(ec.generate_private_key(ec.SECP256R1()), "ES256"),
    "EdDSA said, HMAC made": forged(
        {"alg": "EdDSA", "kid": KID}, lambda text: hmac.new(PUBLIC_FORMS["raw"], text, "sha512").digest()
    ),
    "a key of its own": with_key(OWN_KEY, "EdDSA"),
    "a key in the header": with_key(OWN_KEY, "EdDSA", jwk=OWN_JWK),
    "a key at an address": with_key(OWN_KEY, "EdDSA", jku="http://127.0.0.1:9/keys", x5u="http://127.0.0.1:9/x"),
    "another kid": jwt.encode(claims(), OWN_KEY, algorithm="EdDSA", headers={"kid": "../../dev/null"}),
    "no kid": jwt.encode(claims(), SIGNING_KEY, algorithm="EdDSA"),
    "signed, then changed": ".".join(
        [bot_token("other").split(".")[0], part(claims()), bot_token("other").split(".")[2]]
    ),
    "signature cut off": bot_token(HOSTILE).rpartition(".")[0] + ".",
    "expired": bot_token(HOSTILE, lifetime_s=-5),
    "good from tomorrow": forged({"alg": "EdDSA", "kid": KID}, SIGNING_KEY.sign, nbf=int(time.time()) + 86_400),
    "for somebody else": forged({"alg": "EdDSA", "kid": KID}, SIGNING_KEY.sign, aud="crowns-site"),
    "from somebody else": forged({"alg": "EdDSA", "kid": KID}, SIGNING_KEY.sign, iss="another arena"),
    "no expiry": forged({"alg": "EdDSA", "kid": KID}, SIGNING_KEY.sign, exp=None),
    "a generation that is no number": forged({"alg": "EdDSA", "kid": KID}, SIGNING_KEY.sign, gen="9"),
    "critical extension": forged({"alg": "EdDSA", "kid": KID, "crit": ["b64"], "b64": False}, SIGNING_KEY.sign),
    "brackets": base64.urlsafe_b64encode(b"[" * 5_000).rstrip(b"=").decode() + ".e30.AA",
    "digits": base64.urlsafe_b64encode(b'{"alg":"EdDSA","kid":' + b"9" * 5_000 + b"}").rstrip(b"=").decode()
    + ".e30.AA",
    "dots": "." * 5_000,
    "one word": "nonsense",
    "not base64": "~~~.~~~.~~~",
    "a secret of the site": "run-secret",
}


async def test_forged_tokens_are_refused(tmp_path: Path) -> None:
    async with arena(tmp_path) as others:
        for name, token in FORGED.items():
            async with calling(others.port, token) as call:
                await call.say(bot_pb2.BotMessage(hello=RawBot(0, HOSTILE).hello))
                refusal = (await call.hear("refusal")).refusal
                assert refusal.reason == bot_pb2.REFUSAL_REASON_BAD_TOKEN, name
                assert not refusal.retry, name
                assert token[-20:] not in refusal.message, name
        assert HOSTILE not in await others.listed()


@pytest.mark.parametrize(
    "value",
    ["", "Bearer", "Bearer ", "Basic " + bot_token(HOSTILE), bot_token(HOSTILE), "Bearer a b"],
    ids=["nothing", "no token", "a space", "another scheme", "no scheme", "two words"],
)
async def test_no_bearer_no_entry(tmp_path: Path, value: str) -> None:
    async with arena(tmp_path) as others, grpc.aio.insecure_channel(f"127.0.0.1:{others.port}") as channel:
        call = bot_pb2_grpc.BotServiceStub(channel).Play(metadata=(("authorization", value),) if value else ())
        await call.write(bot_pb2.PlayRequest(messages=[bot_pb2.BotMessage(hello=RawBot(0, HOSTILE).hello)]))
        frame = await call.read()
        assert frame.messages[0].refusal.reason == bot_pb2.REFUSAL_REASON_BAD_TOKEN


# -- tokens that do not count any more ---------------------------------------------------------------------------------


async def playing(others: Arena, bot: RawBot) -> referee_pb2.GameSpec:
    """A game of this bot with two healthy ones, in which it has been asked already."""
    spec = game_spec([HOSTILE, *HEALTHY[:2]], budgets=SHORT)
    await others.site.start(spec)
    while len(bot.messages("decision")) < 5:
        await asyncio.sleep(0.005)
    return spec


def told(*bot_ids: str, rotated: str = "", deleted: str = "") -> referee_pb2.SyncRequest:
    request = sync_request(bot_ids, revision=2)
    for bot in request.bots:
        bot.min_generation = 2 if bot.bot_id == rotated else 1
        bot.deleted = bot.bot_id == deleted
    return request


@pytest.mark.parametrize("how", ["rotated", "deleted", "not mentioned any more"])
async def test_a_token_taken_back_in_mid_game(tmp_path: Path, how: str) -> None:
    """The stream ends and the old token opens none; the game goes on without the bot, and costs the others nothing."""

    async with arena(tmp_path) as others:
        bad = RawBot(others.port, HOSTILE)
        async with bad.connected():
            spec = await playing(others, bad)
            ids = [*HEALTHY, HOSTILE] if how in ("rotated", "deleted") else list(HEALTHY)
            request = told(*ids, **{how: HOSTILE} if how in ("rotated", "deleted") else {})
            await others.site.stub.Sync(request, metadata=others.site.metadata)
            while not bad.messages("goodbye"):
                await asyncio.sleep(0.005)
            goodbye = bad.messages("goodbye")[0]
            assert goodbye.reason == bot_pb2.GOODBYE_REASON_TOKEN_ROTATED
            assert not goodbye.reconnect
        async with calling(others.port) as call:
            await call.say(bot_pb2.BotMessage(hello=RawBot(0, HOSTILE).hello))
            reason = (await call.hear("refusal")).refusal.reason
            assert reason == (
                bot_pb2.REFUSAL_REASON_TOKEN_ROTATED if how == "rotated" else bot_pb2.REFUSAL_REASON_UNKNOWN_BOT
            )
        result = await others.site.result(spec.attempt_id)
        assert set(fault_names(result)) <= {"DISCONNECT"}
        assert {fault.seat for fault in result.faults} <= {0}
        assert verify_record(result.record, spec.seed).problems == ()


async def test_a_bot_that_talks_into_its_goodbye_hears_it(tmp_path: Path) -> None:
    """A frame to a stream that the referee has ended would fail, and gRPC would then forget what was not read yet."""
    async with arena(tmp_path) as others, calling(others.port) as call:
        await call.hello()
        await others.site.stub.Sync(told(*HEALTHY, HOSTILE, rotated=HOSTILE), metadata=others.site.metadata)
        while HOSTILE in [connection.admission.bot_id for connection in others.site.referee.lobby]:
            await asyncio.sleep(0.005)
        for number in range(20):
            await call.say(bot_pb2.BotMessage(pong=bot_pb2.Pong(number=number)))
            await asyncio.sleep(0.005)
        assert (await call.hear("goodbye")).goodbye.reason == bot_pb2.GOODBYE_REASON_TOKEN_ROTATED


async def test_the_new_token_takes_the_game_over(tmp_path: Path) -> None:
    async with arena(tmp_path) as others:
        bad = RawBot(others.port, HOSTILE)
        async with bad.connected():
            spec = game_spec([HOSTILE, *HEALTHY[:2]])
            await others.site.start(spec)
            while len(bad.messages("decision")) < 5:
                await asyncio.sleep(0.005)
            request = told(*HEALTHY, HOSTILE, rotated=HOSTILE)
            await others.site.stub.Sync(request, metadata=others.site.metadata)
        async with RawBot(others.port, HOSTILE, token=bot_token(HOSTILE, 2)).connected():
            result = await others.site.result(spec.attempt_id)
        assert list(result.faults) == []


async def test_with_the_site_down_what_was_said_last_holds(tmp_path: Path) -> None:
    """Known bots come and go, rotated tokens stay out, and a referee that was never told anything asks to try again."""
    async with running_referee(tmp_path) as site:
        async with calling(site.referee.bots_port) as call:
            await call.say(bot_pb2.BotMessage(hello=RawBot(0, HOSTILE).hello))
            refusal = (await call.hear("refusal")).refusal
            assert (refusal.reason, refusal.retry) == (bot_pb2.REFUSAL_REASON_NOT_READY, True)
        await site.sync([HOSTILE], generation=2)
        for token, kind in ((bot_token(HOSTILE), "refusal"), (bot_token(HOSTILE, 2), "welcome")):
            async with calling(site.referee.bots_port, token) as call:
                assert await call.answer() == kind


async def test_an_older_sync_brings_no_token_back(tmp_path: Path) -> None:
    async with arena(tmp_path) as others:
        await others.site.stub.Sync(told(*HEALTHY, HOSTILE, rotated=HOSTILE), metadata=others.site.metadata)
        await others.site.sync([*HEALTHY, HOSTILE], revision=1)
        async with calling(others.port) as call:
            assert await call.answer() == "refusal"
