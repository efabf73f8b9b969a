"""The only place where domain values become protobuf and protobuf becomes domain values.

Reading says no at the edge: an unknown enum value, a missing choice or a number out of range raises `CodecError` that names it.
"""

from referee.record.codec.bot_messages import bot_message, bot_message_of, reply_text
from referee.record.codec.entries import (
    entry_of,
    footer_entry,
    footer_of,
    header_entry,
    header_of,
    record_entry,
    record_entry_bytes,
    seal_entry,
    seal_of,
)
from referee.record.codec.game import (
    CodecError,
    action_message,
    action_of,
    budgets_message,
    budgets_of,
    card_of_code,
    cards_of_codes,
    config_message,
    config_of,
    face_codes,
    fault_message,
    fault_of,
    round_scores_message,
    round_scores_of,
    scores_message,
    scores_of,
)
from referee.record.codec.journal import journal_bytes, journal_entry_of, journal_message
from referee.record.codec.referee_messages import play_response, referee_bytes, referee_message, referee_message_of

__all__ = [
    "CodecError",
    "action_message",
    "action_of",
    "bot_message",
    "bot_message_of",
    "budgets_message",
    "budgets_of",
    "card_of_code",
    "cards_of_codes",
    "config_message",
    "config_of",
    "entry_of",
    "face_codes",
    "fault_message",
    "fault_of",
    "footer_entry",
    "footer_of",
    "header_entry",
    "header_of",
    "journal_bytes",
    "journal_entry_of",
    "journal_message",
    "play_response",
    "record_entry",
    "record_entry_bytes",
    "referee_bytes",
    "referee_message",
    "referee_message_of",
    "reply_text",
    "round_scores_message",
    "round_scores_of",
    "scores_message",
    "scores_of",
    "seal_entry",
    "seal_of",
]
