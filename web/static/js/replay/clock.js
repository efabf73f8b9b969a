// Play and pause. How long each event stays is told in milliseconds at speed 1.
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
const STAY = { round_start: 1600, draw: 700, discard: 950, reshuffle: 1500, fault: 2500, retire: 2500, round_end: 3200, game_end: 2000 };

export class Clock {
  #timer = null;

  /** `advance` goes one event on and returns the type of the event now shown, or null at the end. */
  constructor(advance, onChange) {
    this.advance = advance;
    this.onChange = onChange;
    this.speed = 1;
  }

  get isPlaying() {
    return this.#timer !== null;
  }

  play(type) {
    if (this.isPlaying) return;
    this.#wait(type);
    this.onChange(true);
  }

  pause() {
    if (!this.isPlaying) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.onChange(false);
  }

  #wait(type) {
    this.#timer = setTimeout(() => this.#tick(), STAY[type] / this.speed);
  }

  #tick() {
    const type = this.advance();
    if (type === null) this.pause();
    else this.#wait(type);
  }
}
