// Cards as pictures. One node a card instance, kept for the whole round and moved from place to place.
import { JOKER, cardName, faces, isWild, rankSign, suitName } from "./faces.js";

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The parts of a card, each made when a card first needs it; what a card does not show is not in the document. */
const PARTS = {
  paper: () => svg("rect", { class: "card-paper", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 6 }),
  index: () => svg("text", { class: "card-index card-pips", x: 30, y: 38 }),
  suit: () => svg("use", { class: "card-pips", x: 14, y: 45, width: 32, height: 32 }),
  cap: () => svg("use", { class: "card-cap card-pips", href: "#joker-cap", x: 12.5, y: 17, width: 35, height: 32 }),
  bells: () => svg("use", { class: "card-bell card-pips", href: "#joker-bells", x: 12.5, y: 17, width: 35, height: 32 }),
  frame: () => svg("rect", { class: "card-frame", x: 3, y: 3, width: 54, height: 78, rx: 4.5 }),
  wedge: () => svg("path", { class: "card-wedge", d: "M1 54 L30 83 H6 A5 5 0 0 1 1 78 Z" }),
  letter: () => svg("text", { class: "card-w", x: 3, y: 80.5 }, "W"),
  band: () => svg("path", { class: "card-wedge", d: "M1 63 H59 V77 A6 6 0 0 1 53 83 H7 A6 6 0 0 1 1 77 Z" }),
  ghostIndex: () => svg("text", { class: "card-w", x: 5, y: 79 }),
  ghostSuit: () => svg("use", { class: "card-ghost", y: 66.5, width: 14, height: 14 }),
  /** Dashed: all have seen this card going into the hand. */
  taken: () => svg("rect", { class: "card-taken", x: 3, y: 3, width: 54, height: 78, rx: 4 }),
  back: () => svg("rect", { class: "card-back", x: 2, y: 2, width: 56, height: 80, rx: 6 }),
  backLine: () => svg("rect", { class: "card-back-line", x: 8, y: 8, width: 44, height: 68, rx: 3 }),
  backCrown: () => svg("use", { class: "card-back-crown", href: "#crown", x: 14, y: 30, width: 32, height: 24 }),
};

/** A card's list item with a method to show it: `show({face, wild, as, isTaken})`. */
export class CardNode {
  #parts = {};
  #shown = "";

  constructor() {
    this.title = svg("title", {});
    this.picture = svg("svg", { viewBox: "0 0 60 84", role: "img", focusable: "false" });
    this.node = document.createElement("li");
    this.node.className = "card";
    this.node.append(this.picture);
  }

  show({ face, wild, as = null, isTaken = false }) {
    const key = `${face} ${wild} ${as} ${isTaken} ${faces.isTarot}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const name = cardName(face, wild, as);
    this.picture.setAttribute("aria-label", name);
    this.title.textContent = name;
    this.picture.classList.toggle("has-ghost", as !== null);
    const parts = face === null ? this.#back() : this.#front(face, isWild(face, wild), as);
    this.picture.replaceChildren(this.title, ...parts, ...(isTaken ? [this.#part("taken")] : []));
  }

  #part(name) {
    this.#parts[name] ??= PARTS[name]();
    return this.#parts[name];
  }

  #back() {
    return [this.#part("back"), this.#part("backLine"), this.#part("backCrown")];
  }

  #front(face, isWildCard, as) {
    const parts = [this.#part("paper"), ...(face === JOKER ? [this.#part("cap"), this.#part("bells")] : this.#pips(face))];
    if (!isWildCard) return parts;
    parts.push(this.#part("frame"));
    return as === null ? [...parts, this.#part("wedge"), this.#part("letter")] : [...parts, ...this.#ghost(as)];
  }

  #pips(face) {
    const [index, suit] = [this.#part("index"), this.#part("suit")];
    index.textContent = rankSign(face);
    if (face[0] === "T") squeeze(index, 36);
    else index.removeAttribute("textLength");
    suit.setAttribute("href", `#suit-${suitName(face)}`);
    for (const node of [index, suit]) node.setAttribute("class", `${node === index ? "card-index " : ""}card-pips suit-${suitName(face)}`);
    return [index, suit];
  }

  /** What a wild stands for: a rank letter or a face. */
  #ghost(as) {
    const [index, suit] = [this.#part("ghostIndex"), this.#part("ghostSuit")];
    const sign = rankSign(as);
    index.textContent = sign;
    if (as.length === 1) return [this.#part("band"), index];
    suit.setAttribute("x", sign.length > 1 ? 24 : 17);
    suit.setAttribute("href", `#suit-${suitName(as)}`);
    return [this.#part("band"), index, suit];
  }
}

/** Two digits in the room of one: a fan hides the right part of a card. */
function squeeze(text, width) {
  text.setAttribute("textLength", width);
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/** A card's name within a line of text, in the words and classes of the server's lines. */
export function chip(face, wild) {
  const node = document.createElement("span");
  if (face === null) {
    node.textContent = "a card";
    return node;
  }
  const suit = face === JOKER ? "joker" : suitName(face);
  node.className = `face suit-${suit}${isWild(face, wild) ? " face-wild" : ""}`;
  const picture = svg("svg", { "aria-hidden": "true" }, svg("use", { href: face === JOKER ? "#joker-cap" : `#suit-${suit}` }));
  const words = document.createElement("span");
  words.className = "visually-hidden";
  words.textContent = face === JOKER ? "Joker" : ` of ${suit}s${isWild(face, wild) ? ", wild" : ""}`;
  node.append(face === JOKER ? "" : rankSign(face), picture, words);
  return node;
}

/** Puts exactly `nodes` into `parent`, moving as few as it takes. */
export function fill(parent, nodes) {
  nodes.forEach((node, i) => {
    if (parent.children[i] !== node) parent.insertBefore(node, parent.children[i] ?? null);
  });
  while (parent.children.length > nodes.length) parent.lastElementChild.remove();
}

/** Card nodes by instance, made when first asked for. */
export class CardPool {
  #cards = new Map();

  of(id) {
    if (!this.#cards.has(id)) this.#cards.set(id, new CardNode());
    return this.#cards.get(id);
  }
}
