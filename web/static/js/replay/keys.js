// The keyboard. Arrows up and down, Tab and every combination with Ctrl, Alt or Meta stay the browser's.

const ANYWHERE = new Map([
  ["ArrowLeft", "previous"],
  ["ArrowRight", "next"],
  ["Shift+ArrowLeft", "previousCycle"],
  ["Shift+ArrowRight", "nextCycle"],
]);

/** Single characters act only while the focus is inside the viewer (WCAG 2.1.4), and so do keys that scroll the page. */
const INSIDE = new Map([
  ...ANYWHERE,
  ["[", "previousCycle"],
  ["]", "nextCycle"],
  ["Home", "first"],
  ["End", "last"],
  ["PageUp", "previousRound"],
  ["PageDown", "nextRound"],
  [" ", "toggle"],
  [",", "slower"],
  [".", "faster"],
  ["n", "nextMoment"],
  ["p", "previousMoment"],
  ["a", "viewAll"],
  ["h", "viewPublic"],
  ["?", "help"],
]);

const OWN_KEYS_OF_A_SLIDER = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);
const TYPES_TEXT = "select, textarea, [contenteditable], input:not([type='range'], [type='checkbox'], [type='button'])";
const PRESSED_BY_SPACE = "button, summary, a, input[type='checkbox']";

/** The act a key press asks for: a name, {seat} for a digit, or null. `root` is the viewer's element. */
export function act(event, root) {
  const { target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || target.matches(TYPES_TEXT)) return null;
  if (target.closest("dialog")) return null;
  const key = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
  if (!root.contains(target)) return target === document.body ? (ANYWHERE.get(key) ?? null) : null;
  if (target.matches("input[type='range']") && OWN_KEYS_OF_A_SLIDER.has(key)) return null;
  if (key === " " && target.matches(PRESSED_BY_SPACE)) return null;
  if (/^\d$/.test(key)) return { seat: Number(key) };
  return INSIDE.get(key) ?? null;
}
