"""Write a bot: subclass `Bot`, then `crowns play` it here or `crowns connect` it to an arena."""

from bots.sdk.bot import ALL_TABLE_SIZES, Bot, ResignGame
from bots.sdk.launch import run
from bots.sdk.player import BotFailure, Player
from referee.record.messages import DecisionRequest, GameEnd, GameStart, RoundEnd, RoundStart, SolitaireRequest
from referee.rules.actions import Source
from referee.rules.cards import CARDS, JOKER, Card, Suit, card_of, cards_text, parse_card, parse_cards
from referee.rules.events import Discarded, Drew, Reshuffled, SeatRetired
from referee.rules.layout import Layout, best_discards, best_layout, best_points, discard_points, going_out_discards
from referee.rules.melds import is_book, is_meld, is_run
from referee.rules.solitaire import Add, Pile, Refuse, SolitaireView, Variant
from referee.rules.state import Phase
from referee.rules.views import SeatView

__all__ = [
    "ALL_TABLE_SIZES",
    "CARDS",
    "JOKER",
    "Add",
    "Bot",
    "BotFailure",
    "Card",
    "DecisionRequest",
    "Discarded",
    "Drew",
    "GameEnd",
    "GameStart",
    "Layout",
    "Phase",
    "Pile",
    "Player",
    "Refuse",
    "Reshuffled",
    "ResignGame",
    "RoundEnd",
    "RoundStart",
    "SeatRetired",
    "SeatView",
    "SolitaireRequest",
    "SolitaireView",
    "Source",
    "Suit",
    "Variant",
    "best_discards",
    "best_layout",
    "best_points",
    "card_of",
    "cards_text",
    "discard_points",
    "going_out_discards",
    "is_book",
    "is_meld",
    "is_run",
    "parse_card",
    "parse_cards",
    "run",
]
