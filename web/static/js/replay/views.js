// What one viewer may see of a table, and in which order a hand is shown. Pure.
import { readMeld, sortKey } from "./faces.js";

export const ALL = "all";
export const PUBLIC = "public";

/** A view is "all", "public" or a seat number as text; null when it is none of these. */
export function parseView(text, seatCount) {
  if (text === ALL || text === PUBLIC) return text;
  return /^\d+$/.test(text) && Number(text) < seatCount ? String(Number(text)) : null;
}

const isOpenTo = (state, view, seat) => view === ALL || view === String(seat) || state.out === seat;

/** The face of a held card in this view, or null: one's own, all after going out, and what was taken from the discards. */
export function seenFace(state, view, seat, card) {
  return card.taken || isOpenTo(state, view, seat) ? card.face : null;
}

/** Whether this view may know that a discard is the card drawn in the same turn. */
export function seenAsDrawn(view, card) {
  return card.asDrawn && (view === ALL || view === String(card.by) || card.taken);
}

/** Points in hand where this view may know them; scores of a finished round are public. */
export function seenPoints(state, view, seat) {
  return state.phase === "scored" || state.phase === "over" || isOpenTo(state, view, seat) ? state.points[seat] : null;
}

/**
 * A hand as groups [{kind, meld, cards: [{card, face, as}]}]: melds first and loose cards after where the layout is
 * known and may be seen, otherwise one group, sorted or as dealt.
 */
export function arrange(state, view, seat, isAsDealt) {
  const shown = state.hands[seat].map((card) => ({ card, face: seenFace(state, view, seat, card), as: null }));
  const layout = state.layouts[seat];
  if (isAsDealt) return [{ kind: "hand", cards: shown }];
  if (layout?.melds && shown.every(({ face }) => face !== null)) return laidOut(shown, layout, state.wild);
  return [{ kind: "hand", cards: sorted(shown, state.wild) }];
}

function sorted(cards, wild) {
  return [...cards].sort((a, b) => sortKey(a.face, wild) - sortKey(b.face, wild) || a.card.id - b.card.id);
}

function laidOut(shown, layout, wild) {
  const left = [...shown];
  const take = (face) => {
    const index = left.findIndex((item) => item.face === face);
    if (index < 0) throw new Error(`the layout has ${face}, which the hand does not hold`);
    return left.splice(index, 1)[0];
  };
  const groups = layout.melds.map((faces) => {
    const meld = readMeld(faces, wild);
    return { kind: meld.kind, meld, cards: meld.cards.map(({ face, as }) => ({ ...take(face), as })) };
  });
  return left.length ? [...groups, { kind: "loose", cards: sorted(left, wild) }] : groups;
}
