// What lies on the table after each event: a pure fold, no drawing and no clock.
//
// Events, in the order of play (`seat`, `dealer`, `starter` count from 0; a face is null where this viewer may not know it):
//   round_start {round, wild, dealer, starter, hands: [[face]], upcard, pile}
//   draw        {seat, turn, source: "pile" | "discard", card, points?, layout?}
//   discard     {seat, turn, card, go_out, points?, best?, best_points?, cause?: "bot" | "fault" | "retired", layout?}
//   reshuffle   {pile}
//   fault       {seat, fault, ...figures for the story}        retire {seat, fault}
//   round_end   {round, went_out: seat | null, scores, totals, layouts: [{melds: [[face]] | null, leftover, points}]}
//   game_end    {totals, places, reason}
//
// A card is {id, face, taken}: `id` names the instance within the round, so that a drawing can follow it from hand to
// pile; `taken` says that it came from the discard pile, so that everybody knows it. On the pile it also has `by`, the
// seat that threw it (null for the first upcard), and `asDrawn`.

const list = (length, value) => Array.from({ length }, () => value);
const replaced = (array, index, value) => array.map((old, i) => (i === index ? value : old));

/** The empty table before the first event. */
export function start(seatCount) {
  return {
    event: 0,
    round: 0,
    wild: null,
    dealer: null,
    starter: null,
    phase: "before",
    acting: null,
    turn: 0,
    pile: 0,
    hands: list(seatCount, []),
    layouts: list(seatCount, null),
    points: list(seatCount, null),
    discards: [],
    thrown: list(seatCount, []),
    drawn: null,
    moved: null,
    best: [],
    out: null,
    hadLastTurn: list(seatCount, false),
    fault: null,
    faults: list(seatCount, 0),
    retired: list(seatCount, null),
    sheet: [],
    totals: list(seatCount, 0),
    places: null,
    reason: "",
    nextId: 0,
    freeIds: [],
  };
}

const HANDLERS = {
  round_start: roundStart,
  draw,
  discard,
  reshuffle,
  fault,
  retire,
  round_end: roundEnd,
  game_end: gameEnd,
};

/** The table after one more event. Throws, naming the event, where the event does not fit the table. */
export function apply(state, event) {
  const handler = HANDLERS[event.type];
  if (!handler) throw new Error(`event ${state.event + 1}: unknown type ${JSON.stringify(event.type)}`);
  return { ...handler({ ...state, fault: null, moved: null }, event), event: state.event + 1 };
}

/** The tables before and after every event: `history(game)[k]` is the table after event k, counted from 1. */
export function history(game) {
  const states = [start(game.seats.length)];
  for (const event of withFinalLayouts(game.events)) states.push(apply(states.at(-1), event));
  return states;
}

/** A hand is not touched after its last discard of a round, so the round's final layout holds from there on. */
export function withFinalLayouts(events) {
  const out = [...events];
  const awaiting = new Map();
  for (let i = events.length - 1; i >= 0; i -= 1) {
    const event = events[i];
    if (event.type === "round_end") (event.layouts ?? []).forEach((layout, seat) => awaiting.set(seat, layout));
    if (event.type === "round_start") awaiting.clear();
    if (event.type !== "discard" || !awaiting.has(event.seat)) continue;
    const layout = awaiting.get(event.seat);
    awaiting.delete(event.seat);
    if (layout?.melds && !event.layout) out[i] = { ...event, layout };
  }
  return out;
}

function roundStart(state, event) {
  let id = 0;
  const card = (face) => ({ id: id++, face, taken: false });
  const hands = event.hands.map((hand) => hand.map(card));
  const upcard = { ...card(event.upcard), by: null, asDrawn: false };
  const seats = hands.length;
  return {
    ...state,
    round: event.round,
    wild: event.wild,
    dealer: event.dealer,
    starter: event.starter,
    phase: "dealt",
    acting: event.starter,
    turn: 0,
    pile: event.pile,
    hands,
    layouts: event.layouts ?? list(seats, null),
    points: list(seats, null),
    discards: [upcard],
    thrown: list(seats, []),
    drawn: null,
    best: [],
    out: null,
    hadLastTurn: list(seats, false),
    nextId: id,
    freeIds: [],
  };
}

function draw(state, event) {
  const taken = event.source === "discard" ? takeUpcard(state, event) : takeFromPile(state, event);
  const { card } = taken;
  return {
    ...taken.state,
    phase: "drawn",
    acting: event.seat,
    turn: event.turn,
    hands: replaced(state.hands, event.seat, [...state.hands[event.seat], card]),
    layouts: replaced(state.layouts, event.seat, event.layout ?? null),
    points: replaced(state.points, event.seat, event.points ?? null),
    drawn: card.id,
    moved: card.id,
    best: [],
  };
}

function takeFromPile(state, event) {
  if (state.pile === 0) throw new Error(`event ${state.event + 1}: seat ${event.seat} draws from an empty pile`);
  const [free, ...freeIds] = state.freeIds;
  const id = free ?? state.nextId;
  const nextId = free === undefined ? state.nextId + 1 : state.nextId;
  return {
    state: { ...state, pile: state.pile - 1, nextId, freeIds },
    card: { id, face: event.card, taken: false },
  };
}

function takeUpcard(state, event) {
  const top = state.discards.at(-1);
  if (!top || (top.face !== null && event.card !== null && top.face !== event.card)) {
    throw new Error(`event ${state.event + 1}: seat ${event.seat} takes ${event.card}, but ${top?.face ?? "nothing"} lies on top`);
  }
  return {
    state: { ...state, discards: state.discards.slice(0, -1), thrown: markTaken(state.thrown, top, event.seat) },
    card: { id: top.id, face: top.face ?? event.card, taken: true },
  };
}

function markTaken(thrown, top, taker) {
  if (top.by === null) return thrown;
  const row = thrown[top.by];
  return replaced(thrown, top.by, replaced(row, row.length - 1, { ...row.at(-1), takenBy: taker }));
}

function discard(state, event) {
  const { seat } = event;
  const card = heldCard(state, event);
  const asDrawn = card.id === state.drawn && card.face !== null;
  const onPile = { id: card.id, face: event.card ?? card.face, taken: card.taken, by: seat, asDrawn };
  return {
    ...state,
    phase: "thrown",
    acting: seat,
    turn: event.turn,
    hands: replaced(state.hands, seat, revealed(state.hands[seat].filter((held) => held !== card), event.layout)),
    layouts: replaced(state.layouts, seat, event.layout ?? null),
    points: replaced(state.points, seat, event.points ?? null),
    discards: [...state.discards, onPile],
    thrown: replaced(state.thrown, seat, [...state.thrown[seat], { face: onPile.face, asDrawn, takenBy: null }]),
    drawn: null,
    moved: card.id,
    best: event.best ?? [],
    out: state.out ?? (event.go_out ? seat : null),
    hadLastTurn: state.out === null ? state.hadLastTurn : replaced(state.hadLastTurn, seat, true),
  };
}

/** A hand whose layout is open (RULES 16): the faces not known so far are those that the known ones leave over. */
function revealed(hand, layout) {
  if (!layout?.melds || hand.every((card) => card.face !== null)) return hand;
  const faces = [...layout.melds.flat(), ...layout.leftover];
  for (const { face } of hand) if (face !== null) faces.splice(faces.indexOf(face), 1);
  return hand.map((card) => (card.face === null ? { ...card, face: faces.shift() } : card));
}

/**
 * The copy that leaves the hand. Of equal faces first one that all have seen going in, since nobody could tell that it
 * was another; then the one just drawn. Cards not seen before none at all.
 */
function heldCard(state, event) {
  const hand = state.hands[event.seat];
  const same = hand.filter((card) => card.face === event.card);
  const equal = same.some((card) => card.taken) ? same.filter((card) => card.taken) : same;
  const unseen = hand.filter((card) => card.face === null);
  const found = equal.find((card) => card.id === state.drawn) ?? equal[0] ?? unseen[0];
  if (!found) throw new Error(`event ${state.event + 1}: seat ${event.seat} throws ${event.card}, which it does not hold`);
  return found;
}

function reshuffle(state, event) {
  const gone = state.discards.slice(0, -1).map((card) => card.id);
  return { ...state, pile: event.pile, discards: state.discards.slice(-1), freeIds: [...state.freeIds, ...gone] };
}

function fault(state, event) {
  const { seat } = event;
  return {
    ...state,
    fault: { seat, code: event.fault },
    faults: replaced(state.faults, seat, state.faults[seat] + 1),
  };
}

function retire(state, event) {
  const { seat } = event;
  return { ...state, fault: { seat, code: event.fault }, retired: replaced(state.retired, seat, event.fault) };
}

function roundEnd(state, event) {
  const layouts = event.layouts ?? list(state.hands.length, null);
  layouts.forEach((layout, seat) => checkLayout(state, seat, layout));
  return {
    ...state,
    phase: "scored",
    acting: null,
    hands: state.hands.map((hand, seat) => revealed(hand, layouts[seat])),
    layouts,
    points: event.scores,
    drawn: null,
    best: [],
    out: event.went_out,
    sheet: [...state.sheet, { round: event.round, wild: state.wild, scores: event.scores, totals: event.totals, out: event.went_out }],
    totals: event.totals,
  };
}

function checkLayout(state, seat, layout) {
  const held = state.hands[seat].map((card) => card.face);
  if (!layout?.melds || held.includes(null)) return;
  const laid = [...layout.melds.flat(), ...layout.leftover];
  if (laid.sort().join(" ") === [...held].sort().join(" ")) return;
  throw new Error(`event ${state.event + 1}: seat ${seat} lays out ${laid.join(" ")} but holds ${held.sort().join(" ")}`);
}

function gameEnd(state, event) {
  return {
    ...state,
    phase: "over",
    acting: null,
    drawn: null,
    totals: event.totals,
    places: event.places,
    reason: event.reason ?? "",
  };
}
