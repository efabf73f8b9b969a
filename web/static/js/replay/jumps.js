// Where "next" leads, by event numbers from 1. Pure.

const BOUNDARIES = new Set(["round_start", "round_end", "game_end"]);

/** One full turn of the table on: the same kind of act by the same seat, or the end of the round on the way there. */
export function cycle(events, at, step) {
  const here = events[at - 1];
  const seat = here.seat ?? seatBeside(events, at, step);
  const type = here.type === "draw" ? "draw" : "discard";
  for (let k = at + step; k >= 1 && k <= events.length; k += step) {
    const event = events[k - 1];
    if (BOUNDARIES.has(event.type) || (event.type === type && event.seat === seat)) return k;
  }
  return step > 0 ? events.length : 1;
}

function seatBeside(events, at, step) {
  return events[at - 1 + step]?.seat;
}

/** The next round's first event, or the end; backwards the beginning of this round, then of the one before. */
export function round(events, at, step) {
  const starts = events.flatMap((event, i) => (event.type === "round_start" ? [i + 1] : []));
  if (step > 0) return starts.find((k) => k > at) ?? events.length;
  return starts.findLast((k) => k < at) ?? 1;
}

/** The nearest of `moments` (event numbers in order) beyond here, or null. */
export function moment(moments, at, step) {
  return (step > 0 ? moments.find((k) => k > at) : moments.findLast((k) => k < at)) ?? null;
}
