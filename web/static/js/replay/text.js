// The viewer's own words: labels of seats, hands and places. The lines of the story come from the server.
import { suitName, wildSign } from "./faces.js";

const RANK_WORDS = { T: "10", J: "jack", Q: "queen", K: "king" };
const rankWord = (letter) => RANK_WORDS[letter] ?? letter;
const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

export const PROBLEM = "This replay cannot be drawn";

/** The bots' names; where two seats share a name, each with its seat. */
export function seatLabels(seats) {
  const names = seats.map((seat) => seat.bot);
  return names.map((name, i) => (names.filter((other) => other === name).length === 1 ? name : `${name} (seat ${i})`));
}

export function handLabel(name, count, points) {
  const cards = `${name}, ${plural(count, "card", "cards")}`;
  return points === null ? cards : `${cards}, ${plural(points, "point", "points")} in hand`;
}

export function groupLabel(group) {
  if (group.kind === "run") return `Run of ${suitName("3" + group.meld.suit)}s, ${rankWord(group.meld.low)} to ${rankWord(group.meld.high)}`;
  if (group.kind === "book") return `Book of ${rankWord(group.meld.rank)}s`;
  if (group.kind === "wilds") return "Wild cards";
  return group.kind === "loose" ? "Loose cards" : "Hand";
}

export function roundTitle(state) {
  return state.round ? `Round ${state.round}` : "Before the deal";
}

export function wildTitle(state) {
  return state.wild === null ? "" : `${wildSign(state.wild)}s are wild`;
}

export function pileLabel(count) {
  return plural(count, "card", "cards");
}

export function position(index, count) {
  return `Event ${index} of ${count}`;
}

export function sliderText(state, count) {
  return `${position(state.event, count).toLowerCase()}, ${roundTitle(state).toLowerCase()}`;
}

/** Chips beside a seat's name: [text, kind]. */
export function seatMarks(state, seat) {
  const marks = [];
  if (state.places) marks.push([`place ${state.places[seat]}`, state.places[seat] === 1 ? "gold" : ""]);
  if (state.retired[seat]) marks.push(["retired", "bad"]);
  if (state.fault?.seat === seat && !state.retired[seat]) marks.push(["fault", "bad"]);
  if (state.out === seat) marks.push(["out", "gold"]);
  else if (state.out !== null && state.phase !== "scored" && state.phase !== "over") {
    marks.push(state.hadLastTurn[seat] ? ["done", ""] : ["last turn", "gold"]);
  }
  if (state.dealer === seat && state.phase !== "over") marks.push(["deals", ""]);
  return marks;
}

/** What stands at the right of a seat: points in hand, or the round's score once it is over. */
export function pointsText(state, points) {
  if (points === null) return "";
  return state.phase === "scored" || state.phase === "over" ? `${points} this round` : `${points} in hand`;
}

export function totalText(total) {
  return `${total} total`;
}

export function viewNote(view, labels) {
  if (view === "all") return "All hands";
  return view === "public" ? "What everybody sees" : `What ${labels[Number(view)]} sees`;
}

export const COPIED = "Link copied";
export const NOT_COPIED = "Copy the address from the address bar";
export const noEvent = (text, count) => `There is no event ${text}: this game has ${count}. Showing the start.`;
export const noView = (text) => `There is no view ${text} of this game.`;
export const noBot = (text) => `No bot called ${text} plays in this game.`;
