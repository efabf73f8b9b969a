"""Messages of the referee without what differs from one run to the next: clocks, and the digest of the record, which holds them."""

from __future__ import annotations

import re

from fivecrowns.bot.v1 import bot_pb2

_TOOK = re.compile(r"took \d+ ms")


def without_clocks(message: bot_pb2.RefereeMessage) -> bot_pb2.RefereeMessage:
    """A copy: times used are 0, times left are rounded up to whole seconds, the digest is 32 zero bytes."""
    masked = bot_pb2.RefereeMessage()
    masked.CopyFrom(message)
    match masked.WhichOneof("message"):
        case "decision":
            _mask_decision(masked.decision)
        case "game_end" if masked.game_end.record_digest:
            masked.game_end.record_digest = bytes(32)
    return masked


def _mask_decision(decision: bot_pb2.DecisionRequest) -> None:
    decision.deadline_ms = -(-decision.deadline_ms // 1000) * 1000
    decision.bank_ms = -(-decision.bank_ms // 1000) * 1000
    decision.last_latency_ms = 0
    if decision.HasField("last_fault"):
        fault = decision.last_fault
        fault.used_ms = 0
        fault.last_latencies_ms[:] = [0] * len(fault.last_latencies_ms)
        fault.detail = _TOOK.sub("took 0 ms", fault.detail)
