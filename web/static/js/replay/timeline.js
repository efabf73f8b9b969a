// The slider and the marks above it: a tick and number for each round, a diamond for each key moment.
import * as text from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes, content = "") {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(content);
  return node;
}

export class Timeline {
  constructor(root, events, onInput) {
    this.slider = root.querySelector("[data-slider]");
    this.output = root.querySelector("[data-position]");
    this.marks = root.querySelector("[data-marks-line]");
    this.count = events.length;
    this.slider.max = events.length;
    this.slider.addEventListener("input", () => onInput(this.slider.valueAsNumber));
    this.rounds = events.flatMap((event, i) => (event.type === "round_start" ? [{ at: i + 1, round: event.round }] : []));
  }

  showMoments(moments) {
    const ticks = this.rounds.flatMap(({ at, round }) => [
      svg("line", { class: "tick", x1: this.#x(at), x2: this.#x(at), y1: "62%", y2: "100%" }),
      svg("text", { class: "tick-label", x: this.#x(at), y: "50%" }, String(round)),
    ]);
    const diamonds = moments.map(({ at, kind }) => {
      const place = svg("svg", { x: this.#x(at), y: "100%", overflow: "visible", class: `moment moment-${kind}` });
      place.append(svg("path", { d: "M0 -11 L4 -6 L0 -1 L-4 -6 Z" }));
      return place;
    });
    this.marks.replaceChildren(...ticks, ...diamonds);
  }

  show(state) {
    this.slider.value = state.event;
    this.slider.setAttribute("aria-valuetext", text.sliderText(state, this.count));
    this.output.textContent = text.position(state.event, this.count);
  }

  #x(at) {
    return `${this.count > 1 ? ((100 * (at - 1)) / (this.count - 1)).toFixed(2) : 0}%`;
  }
}
