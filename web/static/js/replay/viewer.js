// One viewer over one game: where we are, whose eyes we look through, and what the buttons and keys do.
import { copyText } from "../copy.js";
import { recall, remember } from "../memory.js";
import { Clock, SPEEDS } from "./clock.js";
import * as jumps from "./jumps.js";
import { faces } from "./faces.js";
import { act } from "./keys.js";
import { eventNumber, linkTo, readLink } from "./link.js";
import { history } from "./state.js";
import { Story } from "./story.js";
import { Table } from "./table.js";
import * as text from "./text.js";
import { Timeline } from "./timeline.js";
import { ALL, PUBLIC, parseView } from "./views.js";

const SWIPE = 40;

export class Viewer {
  constructor(root, game) {
    this.root = root;
    this.game = game;
    this.labels = text.seatLabels(game.seats);
    this.states = history(game);
    this.count = game.events.length;
    this.story = new Story(root);
    this.timeline = new Timeline(root, game.events, (at) => this.goTo(at));
    this.clock = new Clock(() => this.#advance(), (isPlaying) => this.#showPlaying(isPlaying));
    this.isAsDealt = recall("replay.asDealt") === "true";
    this.#showTarot(recall("replay.tarot") === "true");
    this.#open(readLink(location.search));
    this.#listen();
    this.#setSpeed(SPEEDS.includes(Number(recall("replay.speed"))) ? Number(recall("replay.speed")) : 1);
    this.part("stage").hidden = false;
    this.setView(this.view);
  }

  part(name) {
    return this.root.querySelector(`[data-${name}]`);
  }

  // --- where we are ---

  /** Shows event `at` (from 1); `isManual` says it aloud and writes it to the address. */
  goTo(at, isManual = true) {
    const to = Math.min(Math.max(at, 1), this.count);
    if (isManual) this.clock.pause();
    const isStep = to === this.at + 1;
    this.at = to;
    this.#draw(isStep);
    if (!isManual) return;
    this.part("status").textContent = this.story.spoken(to);
    this.#writeAddress();
  }

  setView(view) {
    this.view = view;
    this.story.showView(view);
    this.moments = this.story.moments(view);
    this.timeline.showMoments(this.moments);
    this.part("view").value = view;
    this.#draw(false);
  }

  #draw(isStep) {
    const state = this.states[this.at];
    const from = isStep ? this.table.placeBefore(state) : null;
    this.table.show(state, { view: this.view, isAsDealt: this.isAsDealt });
    this.timeline.show(state);
    this.story.show(state);
    this.part("caption").replaceChildren(...this.story.words(this.at));
    this.#enable("previous", this.at > 1);
    this.#enable("next", this.at < this.count);
    this.table.settle(from);
    this.story.settle();
  }

  /** `aria-disabled` rather than `disabled`: a button that loses the focus under a finger is worse than one that rests. */
  #enable(direction, isEnabled) {
    for (const button of this.root.querySelectorAll(`[data-direction="${direction}"]`)) {
      button.setAttribute("aria-disabled", String(!isEnabled));
    }
  }

  // --- opening by a link ---

  #open({ at, view, bot }) {
    const problems = [];
    this.at = at === null ? 1 : eventNumber(at, this.count);
    if (this.at === null) problems.push(text.noEvent(at, this.count));
    this.at ??= 1;
    this.#offerViews();
    this.view = view === null ? this.views[0] : parseView(view, this.labels.length);
    if (!this.views.includes(this.view)) {
      problems.push(text.noView(view));
      this.view = this.views[0];
    }
    const marked = bot === null ? -1 : this.game.seats.findIndex((seat) => seat.bot === bot);
    if (bot !== null && marked < 0) problems.push(text.noBot(bot));
    this.table = new Table(this.root, this.game, Math.max(marked, 0), (seat) => this.#pressSeat(seat));
    if (marked >= 0) this.table.mark(marked);
    this.#complain(problems);
  }

  /** The views that the given game can show: one with hidden cards has no "all hands". */
  #offerViews() {
    const own = String(this.game.view);
    const seats = this.labels.map((_, seat) => String(seat));
    this.views = own === ALL ? [ALL, PUBLIC, ...seats] : [...new Set([own, PUBLIC])];
    this.part("view").replaceChildren(...this.views.map((view) => new Option(text.viewNote(view, this.labels), view)));
  }

  #complain(problems) {
    this.part("problem").hidden = problems.length === 0;
    this.part("problem-text").textContent = problems.join(" ");
  }

  #writeAddress() {
    window.history.replaceState(window.history.state, "", linkTo(location.href, this.at, this.view));
  }

  // --- playing ---

  #advance() {
    if (this.at >= this.count) return null;
    this.goTo(this.at + 1, false);
    const { type } = this.game.events[this.at - 1];
    if (type === "round_end" || type === "game_end") this.part("status").textContent = this.story.spoken(this.at);
    return this.at < this.count ? type : null;
  }

  #toggle() {
    if (this.clock.isPlaying) {
      this.clock.pause();
      return;
    }
    if (this.at === this.count) this.goTo(1, false);
    this.clock.play(this.game.events[this.at - 1].type);
  }

  #showPlaying(isPlaying) {
    const button = this.part("play");
    button.setAttribute("aria-label", isPlaying ? button.dataset.pause : button.dataset.play);
    button.querySelector("use").setAttribute("href", isPlaying ? "#icon-pause" : "#icon-play");
    if (!isPlaying) this.#writeAddress();
  }

  #setSpeed(speed) {
    this.clock.speed = speed;
    this.part("speed").value = String(speed);
    remember("replay.speed", speed);
  }

  #changeSpeed(step) {
    const at = SPEEDS.indexOf(this.clock.speed) + step;
    this.#setSpeed(SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)]);
  }

  // --- acts, by name as in the buttons' data-act and in keys.js ---

  #do(name) {
    const { events } = this.game;
    const acts = {
      previous: () => this.goTo(this.at - 1),
      next: () => this.goTo(this.at + 1),
      previousCycle: () => this.goTo(jumps.cycle(events, this.at, -1)),
      nextCycle: () => this.goTo(jumps.cycle(events, this.at, 1)),
      previousRound: () => this.goTo(jumps.round(events, this.at, -1)),
      nextRound: () => this.goTo(jumps.round(events, this.at, 1)),
      previousMoment: () => this.#goToMoment(-1),
      nextMoment: () => this.#goToMoment(1),
      first: () => this.goTo(1),
      last: () => this.goTo(this.count),
      toggle: () => this.#toggle(),
      slower: () => this.#changeSpeed(-1),
      faster: () => this.#changeSpeed(1),
      viewAll: () => this.#chooseView(ALL),
      viewPublic: () => this.#chooseView(PUBLIC),
      arrange: () => this.#toggleArrangement(),
      tarot: () => this.#toggleTarot(),
      link: () => this.#copyLink(),
      help: () => this.part("help").showModal(),
      closeHelp: () => this.part("help").close(),
    };
    acts[name]();
  }

  #goToMoment(step) {
    const at = jumps.moment(this.moments.map((moment) => moment.at), this.at, step);
    if (at !== null) this.goTo(at);
  }

  #chooseView(view) {
    if (!this.views.includes(view)) return;
    this.setView(view);
    if (!this.clock.isPlaying) this.#writeAddress();
    this.part("status").textContent = text.viewNote(view, this.labels);
  }

  #pressSeat(seat) {
    const view = String(seat);
    this.#chooseView(this.view === view ? this.views[0] : view);
  }

  #toggleArrangement() {
    this.isAsDealt = !this.isAsDealt;
    remember("replay.asDealt", this.isAsDealt);
    this.#showArrangement();
    this.#draw(false);
  }

  #toggleTarot() {
    remember("replay.tarot", !faces.isTarot);
    this.#showTarot(!faces.isTarot);
    this.table.redraw();
    this.#draw(false);
  }

  #showTarot(isTarot) {
    faces.isTarot = isTarot;
    this.root.classList.toggle("is-tarot", isTarot);
    this.root.querySelector("[data-act='tarot']").setAttribute("aria-pressed", isTarot);
  }

  #showArrangement() {
    this.root.querySelector("[data-act='arrange']").setAttribute("aria-pressed", this.isAsDealt);
  }

  async #copyLink() {
    const isCopied = await copyText(linkTo(location.href, this.at, this.view));
    this.part("status").textContent = isCopied ? text.COPIED : text.NOT_COPIED;
    this.part("link-text").textContent = isCopied ? text.COPIED : text.NOT_COPIED;
    setTimeout(() => { this.part("link-text").textContent = this.part("link-text").dataset.text; }, 2500);
  }

  // --- listening ---

  #listen() {
    this.#showArrangement();
    this.root.addEventListener("click", (event) => this.#onClick(event));
    document.addEventListener("keydown", (event) => this.#onKey(event));
    this.part("speed").addEventListener("change", (event) => this.#setSpeed(Number(event.target.value)));
    this.part("view").addEventListener("change", (event) => this.#chooseView(event.target.value));
    this.#listenForSwipes(this.part("felt"));
  }

  #onClick(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const button = event.target.closest("[data-act]");
    if (button && button.getAttribute("aria-disabled") !== "true") this.#do(button.dataset.act);
    const link = event.target.closest("a[data-at]");
    if (!link) return;
    event.preventDefault();
    this.goTo(Number(link.dataset.at));
  }

  #onKey(event) {
    const wanted = act(event, this.root);
    if (wanted === null || this.part("help").open) return;
    event.preventDefault();
    if (typeof wanted === "string") this.#do(wanted);
    else if (wanted.seat < this.labels.length) this.#chooseView(String(wanted.seat));
  }

  /** Sideways steps; up and down the page scrolls as everywhere (touch-action in replay.css). */
  #listenForSwipes(area) {
    let start = null;
    area.addEventListener("pointerdown", (event) => {
      start = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
    });
    area.addEventListener("pointercancel", () => { start = null; });
    area.addEventListener("pointerup", (event) => {
      if (!start) return;
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
      start = null;
      if (Math.abs(dx) >= SWIPE && Math.abs(dx) > 2 * Math.abs(dy)) this.#do(dx < 0 ? "next" : "previous");
    });
  }
}
