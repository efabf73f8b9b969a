// Cards as pictures. One node a card instance, kept for the whole round and moved from place to place.
import { JOKER, cardName, isWild, rankSign, suitName } from "./faces.js";

const SVG = "http://www.w3.org/2000/svg";
const SUITS = ["spade", "heart", "club", "diamond", "star"];

function svg(name, attributes, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function paper() {
  return svg("rect", { class: "card-paper", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 6 });
}

function faceParts() {
  const index = svg("text", { class: "card-index", x: 30, y: 38 });
  const suit = svg("use", { x: 14, y: 45, width: 32, height: 32 });
  return { index, suit, node: svg("g", { class: "card-of-face card-pips" }, index, suit) };
}

function jokerNode() {
  return svg(
    "g",
    { class: "card-of-joker card-pips" },
    svg("use", { class: "card-cap", href: "#joker-cap", x: 13.5, y: 17, width: 33, height: 30 }),
    svg("use", { class: "card-bell", href: "#joker-bells", x: 13.5, y: 17, width: 33, height: 30 }),
  );
}

function wildNode() {
  return svg(
    "g",
    { class: "card-of-wild" },
    svg("rect", { class: "card-frame", x: 3, y: 3, width: 54, height: 78, rx: 4.5 }),
    svg("path", { class: "card-wedge card-of-wedge", d: "M1 54 L30 83 H6 A5 5 0 0 1 1 78 Z" }),
    svg("text", { class: "card-w card-of-wedge", x: 3, y: 80.5 }, "W"),
  );
}

function ghostParts() {
  const text = svg("text", { x: 5, y: 79 });
  const suit = svg("use", { y: 66.5, width: 14, height: 14 });
  const band = svg("path", { class: "card-wedge", d: "M1 63 H59 V77 A6 6 0 0 1 53 83 H7 A6 6 0 0 1 1 77 Z" });
  return { text, suit, node: svg("g", { class: "card-ghost card-of-ghost" }, band, text, suit) };
}

/** The dashed line of a card that all have seen going into the hand. */
function heldNode() {
  return svg("rect", { class: "card-held", x: 3, y: 3, width: 54, height: 78, rx: 4 });
}

function backNode() {
  return svg(
    "g",
    { class: "card-of-back" },
    svg("rect", { class: "card-back", x: 2, y: 2, width: 56, height: 80, rx: 6 }),
    svg("rect", { class: "card-back-line", x: 8, y: 8, width: 44, height: 68, rx: 3 }),
    svg("use", { class: "card-back-crown", href: "#crown", x: 14, y: 30, width: 32, height: 24 }),
  );
}

/** A card's list item with a method to show it: `show({face, wild, as})`. */
export class CardNode {
  constructor(tag = "li") {
    this.face = faceParts();
    this.ghost = ghostParts();
    this.title = svg("title", {});
    this.picture = svg(
      "svg",
      { viewBox: "0 0 60 84", role: "img", focusable: "false" },
      this.title, paper(), this.face.node, jokerNode(), wildNode(), this.ghost.node, heldNode(), backNode(),
    );
    this.node = document.createElement(tag);
    this.node.className = "card";
    this.node.append(this.picture);
    this.shown = "";
  }

  show({ face, wild, as = null }) {
    const key = `${face} ${wild} ${as}`;
    if (key === this.shown) return;
    this.shown = key;
    const name = cardName(face, wild, as);
    this.picture.setAttribute("aria-label", name);
    this.title.textContent = name;
    this.node.dataset.kind = kindOf(face);
    this.node.toggleAttribute("data-wild", face !== null && isWild(face, wild));
    this.node.toggleAttribute("data-as", as !== null);
    if (this.node.dataset.kind === "face") this.#showFace(face);
    if (as !== null) this.#showGhost(as);
  }

  #showFace(face) {
    const suit = suitName(face);
    const { index, suit: use, node } = this.face;
    node.classList.remove(...SUITS.map((name) => `suit-${name}`));
    node.classList.add(`suit-${suit}`);
    index.textContent = rankSign(face);
    if (face[0] === "T") squeeze(index, 36);
    else index.removeAttribute("textLength");
    use.setAttribute("href", `#suit-${suit}`);
  }

  #showGhost(as) {
    const { text, suit } = this.ghost;
    const sign = rankSign(as);
    text.textContent = sign;
    suit.toggleAttribute("hidden", as.length === 1);
    suit.setAttribute("x", sign.length > 1 ? 24 : 17);
    if (as.length > 1) suit.setAttribute("href", `#suit-${suitName(as)}`);
  }
}

/** Two digits in the room of one: a fan hides the right part of a card. */
function squeeze(text, width) {
  text.setAttribute("textLength", width);
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

function kindOf(face) {
  if (face === null) return "back";
  return face === JOKER ? "joker" : "face";
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
