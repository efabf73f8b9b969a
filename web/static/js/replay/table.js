// Draws one table: seats, hands, piles. Nodes are kept and moved; only what changed is touched.
import { CardPool, chip, fill } from "./cards.js";
import { arrange, seenAsDrawn, seenPoints } from "./views.js";
import * as text from "./text.js";

/** Places at the table, clockwise from the bottom, by number of seats. */
const PLACES = {
  2: ["b", "t"],
  3: ["b", "tl", "tr"],
  4: ["b", "l", "t", "r"],
  5: ["b", "l", "tl", "tr", "r"],
  6: ["b", "l", "tl", "t", "tr", "r"],
  7: ["bl", "l", "tl", "t", "tr", "r", "br"],
};
/** With more seats there are no places: they stand in rows, in the order of their numbers. */
const MOST_AROUND = 7;
const GROUPS = 4;
const STEP = 0.64;

export class Table {
  #pool = new CardPool();
  #seats = [];
  #last = null;
  #moved = null;

  /** `bottom` is the seat nearest to the viewer; `onSeat(seat)` is called when a seat's name is pressed. */
  constructor(root, game, bottom, onSeat) {
    this.root = root;
    this.felt = root.querySelector("[data-felt]");
    this.labels = text.seatLabels(game.seats);
    this.bottom = bottom;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.felt.dataset.count = game.seats.length;
    this.felt.classList.toggle("is-many", game.seats.length > MOST_AROUND);
    this.#seats = game.seats.map((seat, i) => this.#makeSeat(seat, i, game.seats.length, onSeat));
    this.felt.append(...this.#seats.map((seat) => seat.node));
    new ResizeObserver(() => this.#measure()).observe(this.felt);
  }

  mark(bot) {
    this.#seats[bot].node.classList.add("is-marked");
  }

  /** Where the card that the step to `state` moves lies now; null where nothing moves. */
  placeBefore(state) {
    if (state.moved === null) return null;
    const { node } = this.#pool.of(state.moved);
    return (node.isConnected ? node : this.part("draw-pile")).getBoundingClientRect();
  }

  /** Shows `state`; `how` is {view, isAsDealt}. Writes only: `settle` follows once everything else is written too. */
  show(state, how) {
    const last = this.#last;
    this.#last = { state, how };
    this.#showCentre(state);
    this.#showDiscards(state, how.view, last);
    this.#seats.forEach((seat, i) => this.#showSeat(seat, i, state, how, last));
    this.#outline(state);
    if (!last) this.#measure();
    else if (last.state.round !== state.round || this.#focus(last.state) !== this.#focus(state)) this.#reserve();
  }

  /** The next `show` draws every card again: their faces are others. */
  redraw() {
    this.#last = null;
  }

  /** The part that measures: the moved card glides from its place before, the newest discard comes into sight. */
  settle(from) {
    const strip = this.part("strip");
    strip.scrollLeft = strip.scrollWidth;
    if (from && this.#moved && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#glide(from);
  }

  /** The seat that a narrow screen shows large. */
  #focus(state) {
    return state.acting ?? state.out ?? this.bottom;
  }

  #makeSeat(seat, index, count, onSeat) {
    const node = this.root.querySelector("[data-seat-template]").content.firstElementChild.cloneNode(true);
    const part = (name) => node.querySelector(`[data-${name}]`);
    node.dataset.place = PLACES[count]?.[(index - this.bottom + count) % count] ?? "";
    node.setAttribute("aria-label", `Seat ${index}: ${this.labels[index]}`);
    part("number").textContent = index;
    part("name").textContent = seat.bot;
    part("thrown").setAttribute("aria-label", `Thrown by ${this.labels[index]}, newest first`);
    part("button").addEventListener("click", () => onSeat(index));
    return { node, part, hand: part("hand"), groups: [], width: 0 };
  }

  #showCentre(state) {
    this.part("round-title").textContent = text.roundTitle(state);
    this.part("wild-title").textContent = text.wildTitle(state);
    this.felt.dataset.size = sizeOf(state.wild);
    this.part("pile-count").textContent = text.pileLabel(state.pile);
    this.part("draw-pile").classList.toggle("is-empty", state.pile === 0);
  }

  #showDiscards(state, view, last) {
    if (last && last.state.discards === state.discards && last.how.view === view) return;
    const nodes = state.discards.map((card) => this.#cardOnPile(card, state.wild, view));
    const top = nodes.pop();
    fill(this.part("top"), top ? [top] : []);
    fill(this.part("discards"), nodes);
    this.part("discard-count").textContent = text.pileLabel(state.discards.length);
  }

  #cardOnPile(card, wild, view) {
    const shown = this.#pool.of(card.id);
    shown.show({ face: card.face, wild });
    shown.node.className = seenAsDrawn(view, card) ? "card as-drawn" : "card";
    if (card.by === null) delete shown.node.dataset.by;
    else shown.node.dataset.by = card.by;
    return shown.node;
  }

  #showSeat(seat, index, state, how, last) {
    const focus = this.#focus(state);
    const count = state.hands.length;
    seat.node.classList.toggle("is-acting", state.acting === index);
    seat.node.classList.toggle("is-large", focus === index);
    seat.node.classList.toggle("is-out", state.out === index);
    seat.node.classList.toggle("is-retired", state.retired[index] !== null);
    seat.node.style.order = (index - focus + count) % count;
    seat.part("button").setAttribute("aria-pressed", how.view === String(index));
    const points = seenPoints(state, how.view, index);
    seat.part("points").textContent = text.pointsText(state, points);
    seat.part("total").textContent = text.totalText(state.totals[index]);
    showMarks(seat.part("marks"), text.seatMarks(state, index));
    seat.hand.setAttribute("aria-label", text.handLabel(this.labels[index], state.hands[index].length, points));
    if (!this.#isSameHand(state, how, last, index)) this.#showHand(seat, index, state, how);
    if (last?.state.thrown[index] !== state.thrown[index]) showThrown(seat, state.thrown[index], state.wild);
  }

  /** Whether the hand drawn last still shows the same cards in the same way. */
  #isSameHand(state, how, last, index) {
    return (
      last !== null &&
      ["hands", "layouts"].every((key) => last.state[key][index] === state[key][index]) &&
      ["wild", "out", "drawn"].every((key) => last.state[key] === state[key]) &&
      last.how.view === how.view &&
      last.how.isAsDealt === how.isAsDealt
    );
  }

  #showHand(seat, index, state, how) {
    const groups = arrange(state, how.view, index, how.isAsDealt);
    while (seat.groups.length < groups.length) seat.groups.push(makeGroup());
    groups.forEach((group, i) => this.#showGroup(seat.groups[i], group, state));
    fill(seat.hand, groups.map((_, i) => seat.groups[i].node));
  }

  #showGroup(box, group, state) {
    box.node.className = `group group-${group.kind}`;
    box.list.setAttribute("aria-label", text.groupLabel(group));
    fill(box.list, group.cards.map((item) => this.#cardInHand(item, state)));
  }

  #cardInHand({ card, face, as }, state) {
    const shown = this.#pool.of(card.id);
    shown.show({ face, wild: state.wild, as, isTaken: card.taken });
    const isDrawn = card.id === state.drawn;
    shown.node.className = isDrawn ? "card is-drawn" : "card";
    delete shown.node.dataset.by;
    return shown.node;
  }

  /** The outline stays until the next event; with reduced motion it is all that shows a move. */
  #outline(state) {
    this.#moved?.classList.remove("is-moved");
    this.#moved = state.moved === null ? null : this.#pool.of(state.moved).node;
    this.#moved?.classList.add("is-moved");
  }

  #glide(from) {
    const to = this.#moved.getBoundingClientRect();
    const start = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    this.#moved.animate([{ transform: start, zIndex: 2 }, { zIndex: 2 }], { duration: 150, easing: "ease-out" });
  }

  #measure() {
    const widths = this.#seats.map((seat) => seat.hand.clientWidth);
    this.#seats.forEach((seat, i) => { seat.width = widths[i]; });
    this.#reserve();
  }

  /** Room for the largest hand of the round, so that nothing below jumps while cards come and go. */
  #reserve() {
    if (!this.#last) return;
    const size = (this.#last.state.wild ?? 0) + 1;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const rows = this.#seats.map((seat) => rowsFor(size, seat.width, getComputedStyle(seat.hand), rem));
    this.#seats.forEach((seat, i) => seat.hand.style.setProperty("--rows", rows[i]));
  }
}

/** Rows that `size` cards need within `width` pixels, with gaps between melds. */
function rowsFor(size, width, style, rem) {
  const card = parseFloat(style.getPropertyValue("--card-rem")) * rem;
  const gaps = parseFloat(style.getPropertyValue("--group-rem")) * rem * Math.min(GROUPS, Math.floor(size / 3));
  const perRow = Math.max(1, Math.floor((width - card * (1 - STEP) - gaps) / (card * STEP)));
  return Math.ceil(size / perRow);
}

/** Few cards are drawn larger. */
function sizeOf(wild) {
  if (wild <= 6) return "few";
  return wild <= 9 ? "some" : "many";
}

function makeGroup() {
  const node = document.createElement("li");
  const list = document.createElement("ul");
  node.append(list);
  return { node, list };
}

function showMarks(box, marks) {
  const key = marks.join();
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  box.replaceChildren(...marks.map(([words, kind]) => {
    const mark = document.createElement("span");
    mark.className = `mark${kind ? ` mark-${kind}` : ""}`;
    mark.textContent = words;
    return mark;
  }));
}

function showThrown(seat, thrown, wild) {
  const items = thrown.map((card) => {
    const item = document.createElement("li");
    item.className = card.takenBy === null ? "" : "is-gone";
    item.append(chip(card.face, wild));
    return item;
  });
  seat.part("thrown").replaceChildren(...items.reverse());
}
