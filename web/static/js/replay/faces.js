// Card faces in the project's notation (`Th`, `3*`, `JK`): order, names, and what a wild stands for within a meld.

export const JOKER = "JK";
const RANKS = "3456789TJQK";
const SUITS = "shdc*";
const SUIT_NAMES = { s: "spade", h: "heart", d: "diamond", c: "club", "*": "star" };
const RANK_NAMES = { T: "10", J: "jack", Q: "queen", K: "king" };

export const suitName = (face) => SUIT_NAMES[face[1]];
export const rankSign = (face) => (face[0] === "T" ? "10" : face[0]);
const rankOf = (face) => RANKS.indexOf(face[0]);

/** Wild rank 3..13 as its letter in the notation. */
export const wildLetter = (wild) => RANKS[wild - 3];
export const isWild = (face, wild) => face === JOKER || face[0] === wildLetter(wild);
/** The sign of a wild rank as it stands on a card: 3..10, J, Q, K. */
export const wildSign = (wild) => rankSign(wildLetter(wild));

/** How cards are named and drawn (RULES 5): with tarot faces trumps stand for stars and ones for jokers. */
export const faces = { isTarot: false };

function plainName(face) {
  if (face === JOKER) return faces.isTarot ? "1, a joker" : "Joker";
  return `${RANK_NAMES[face[0]] ?? face[0]} of ${faces.isTarot && face[1] === "*" ? "trump" : suitName(face)}s`;
}

/** What a screen reader says: "7 of stars", "3 of clubs, wild", "Joker, wild, as 9 of hearts", "face-down card". */
export function cardName(face, wild, as = null) {
  if (face === null) return "face-down card";
  const stands = as === null ? "" : `, as ${as.length === 1 ? RANK_NAMES[as] ?? as : plainName(as)}`;
  return plainName(face) + (isWild(face, wild) ? ", wild" : "") + stands;
}

/** Sort key of a hand: suits together, ranks rising, wilds and jokers last, unknown cards at the very end. */
export function sortKey(face, wild) {
  if (face === null) return 1000;
  if (face === JOKER) return 900;
  return (isWild(face, wild) ? 500 : 0) + SUITS.indexOf(face[1]) * 20 + rankOf(face);
}

/**
 * A meld in reading order, each card with what it stands for: a face in a run, a rank letter in a book, null for itself.
 * `faces` must be a valid meld for `wild`; which of several readings is shown does not matter to the score.
 */
export function readMeld(faces, wild) {
  const naturals = faces.filter((face) => !isWild(face, wild));
  const wilds = faces.filter((face) => isWild(face, wild));
  if (naturals.length === 0) return { kind: "wilds", cards: faces.map((face) => ({ face, as: null })) };
  if (naturals.every((face) => face[0] === naturals[0][0])) return readBook(naturals, wilds);
  return asWritten(faces, naturals, wild) ?? readRun(naturals, wilds);
}

/** A run whose cards stand in order already, wilds in their places; null if they do not. */
function asWritten(faces, naturals, wild) {
  const first = faces.findIndex((face) => !isWild(face, wild));
  const low = rankOf(faces[first]) - first;
  const suit = naturals[0][1];
  const wanted = faces.map((_, i) => (RANKS[low + i] ?? "?") + suit);
  if (wanted.some((face, i) => face[0] === "?" || (!isWild(faces[i], wild) && faces[i] !== face))) return null;
  const cards = faces.map((face, i) => ({ face, as: face === wanted[i] ? null : wanted[i] }));
  return { kind: "run", suit, low: wanted[0][0], high: wanted.at(-1)[0], cards };
}

function readBook(naturals, wilds) {
  const rank = naturals[0][0];
  const stand = wilds.map((face) => ({ face, as: rank }));
  return { kind: "book", rank, cards: [...naturals.map((face) => ({ face, as: null })), ...stand] };
}

function readRun(naturals, wilds) {
  const suit = naturals[0][1];
  const byRank = new Map(naturals.map((face) => [rankOf(face), face]));
  const left = [...wilds];
  const [low, high] = runEnds([...byRank.keys()], left.length);
  const cards = [];
  for (let rank = low; rank <= high; rank += 1) {
    const wanted = RANKS[rank] + suit;
    const natural = byRank.get(rank);
    if (natural) cards.push({ face: natural, as: null });
    else cards.push(wildFor(wanted, left));
  }
  return { kind: "run", suit, low: RANKS[low], high: RANKS[high], cards };
}

/** The ranks a run spans once its gaps are filled: wilds left over lengthen it upwards, then downwards. */
function runEnds(ranks, wilds) {
  const low = Math.min(...ranks);
  const high = Math.max(...ranks);
  const spare = wilds - (high - low + 1 - ranks.length);
  const above = Math.min(spare, RANKS.length - 1 - high);
  return [low - (spare - above), high + above];
}

/** Takes from `left` the wild for a place in a run: the card itself if it is among them. */
function wildFor(wanted, left) {
  const own = left.indexOf(wanted);
  const [face] = left.splice(Math.max(own, 0), 1);
  return { face, as: face === wanted ? null : wanted };
}
