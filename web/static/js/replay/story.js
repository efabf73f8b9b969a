// The server's lines, sheet and moments: marks where we are, and shows each line in the wording of the view.
import { ALL } from "./views.js";

export class Story {
  #current = null;

  constructor(root) {
    this.root = root;
    this.box = root.querySelector("[data-story]");
    this.lines = [...root.querySelectorAll("[data-event]")];
    this.rows = [...root.querySelectorAll("[data-sheet-row]")];
    for (const line of this.lines) link(line).tabIndex = -1;
  }

  /** Event numbers of the moments this view may know of. */
  moments(view) {
    return this.lines
      .filter(({ dataset }) => dataset.moment && (!dataset.secretOf || view === ALL || dataset.secretOf === view))
      .map(({ dataset }) => ({ at: Number(dataset.event), kind: dataset.moment }));
  }

  showView(view) {
    for (const line of this.lines) {
      const [all, open] = [line.querySelector("[data-said-all]"), line.querySelector("[data-said-public]")];
      const isOpen = open !== null && view !== ALL && line.dataset.seat !== view;
      all.hidden = isOpen;
      if (open) open.hidden = !isOpen;
    }
    for (const item of this.root.querySelectorAll("[data-moment-item]")) {
      item.hidden = Boolean(item.dataset.secretOf) && view !== ALL && item.dataset.secretOf !== view;
    }
  }

  show(state) {
    this.#showLine(this.lines[state.event - 1]);
    for (const row of this.rows) {
      const round = Number(row.dataset.sheetRow);
      row.classList.toggle("is-ahead", !state.sheet.some((done) => done.round === round));
      row.classList.toggle("is-now", round === state.round);
    }
    this.root.querySelector("[data-sheet-result]")?.classList.toggle("is-ahead", state.places === null);
  }

  /** The line of an event as nodes to put elsewhere. */
  words(number) {
    return [...shown(this.lines[number - 1]).cloneNode(true).childNodes];
  }

  spoken(number) {
    return shown(this.lines[number - 1]).textContent;
  }

  #showLine(line) {
    if (this.#current === line) return;
    if (this.#current) {
      link(this.#current).removeAttribute("aria-current");
      link(this.#current).tabIndex = -1;
    }
    this.#current = line;
    link(line).setAttribute("aria-current", "step");
    link(line).tabIndex = 0;
  }

  /** Brings the current line into sight, within the box alone: the page stays where the reader put it. */
  settle() {
    const [inner, outer] = [this.#current.getBoundingClientRect(), this.box.getBoundingClientRect()];
    if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    this.box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

const link = (line) => line.querySelector("a");
const shown = (line) => line.querySelector("[data-said-all]:not([hidden]), [data-said-public]:not([hidden])");
