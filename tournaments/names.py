"""Names of bots: what a name may look like, and when two look alike. Pure."""

import unicodedata

import regex
from confusable_homoglyphs.confusables import confusables_data

MIN_GRAPHEMES = 2
MAX_GRAPHEMES = 30
MAX_CODE_POINTS = 120
"""Emoji of one grapheme can take a dozen code points."""
_JOINER = "\u200d"
_EMOJI_TAIL = r"[\ufe0f\U0001f3fb-\U0001f3ff]?"
"""Between an emoji and the joiner: its style or its skin."""


class NameRefused(ValueError):
    """The message names what is wrong and what to do."""


def checked_name(raw: str) -> str:
    """The name as it is stored: NFC, spaces single and none at the ends. Raises `NameRefused`.

    Control, format and bidi characters are refused but for the joiner inside an emoji; so is a second combining mark on
    one character, and a name without any letter or digit. Length counts graphemes, as people do: 2 to 30.
    """
    for character in raw:
        _check_character(character)
    name = " ".join(unicodedata.normalize("NFC", raw).split(" ")).strip()
    while "  " in name:
        name = name.replace("  ", " ")
    graphemes = regex.findall(r"\X", name)
    if not MIN_GRAPHEMES <= len(graphemes) <= MAX_GRAPHEMES or len(name) > MAX_CODE_POINTS:
        raise NameRefused(
            f"the name {_shown(name)} has {len(graphemes)} characters: give {MIN_GRAPHEMES} to {MAX_GRAPHEMES}"
        )
    _check_marks(name)
    if not regex.search(r"[\p{L}\p{N}]", name):
        raise NameRefused(f"the name {_shown(name)} has no letter and no digit: add one")
    return name


def _check_character(character: str) -> None:
    category = unicodedata.category(character)
    is_space = category.startswith("Z") and character != " "
    if is_space or (category.startswith("C") and character != _JOINER):
        raise NameRefused(f"the name contains U+{ord(character):04X}, which cannot be seen: leave it out")


def _check_marks(name: str) -> None:
    """Stacked marks reach over the lines around them; a joiner that joins no emoji only makes two names look like one."""
    if stack := regex.search(r"(?:^|.)(?:(?!\N{VARIATION SELECTOR-16})\p{M}){2,}|^\p{M}", name):
        raise NameRefused(f"{_shown(stack[0])} piles up marks on one character: at most one is allowed")
    if regex.search(
        rf"(?<!\p{{Extended_Pictographic}}{_EMOJI_TAIL}){_JOINER}|{_JOINER}(?!\p{{Extended_Pictographic}})", name
    ):
        raise NameRefused("the name contains U+200D, which cannot be seen: leave it out")


def name_key(name: str) -> str:
    """Equal for names that are read as the same: case, look-alike letters of other scripts, `0`/`O`, `1`/`l`/`I`, `rn`/`m`."""
    decomposed = unicodedata.normalize("NFKC", name)
    upper_seen = "".join(_prototype(c) for c in decomposed)
    return unicodedata.normalize("NFKC", "".join(_prototype(c) for c in upper_seen.casefold())).replace("i", "l")


def _prototype(character: str) -> str:
    """The character this one passes for; itself if it is the one that others pass for."""
    known = confusables_data.get(character, ())
    prototype: str = known[0]["c"] if len(known) == 1 else character
    return prototype


def _shown(name: str) -> str:
    return f"{name[:40]!r}"
