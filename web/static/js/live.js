// Keeps the part of the page marked `data-live` up to date: asks htmx for it every few seconds, while somebody looks.
const EVERY_MS = 4000;
const RENEWS = "Renews itself every few seconds.";
const PAUSED = "Paused.";

let isPaused = false;
let lastAnswer = "";

const part = () => document.querySelector("[data-live]");
const toggle = document.querySelector("[data-live-switch]");

/** Somebody reads what he has opened: it must not close under him. */
const isRead = (box) => box.querySelector("details[open]") !== null;

function tick() {
  const box = part();
  if (!box || isPaused || document.hidden || isRead(box)) return;
  box.dispatchEvent(new CustomEvent("refresh"));
}

function showSwitch() {
  const button = toggle.querySelector("button");
  toggle.hidden = false;
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    button.setAttribute("aria-pressed", String(isPaused));
    toggle.querySelector("[data-live-text]").textContent = isPaused ? PAUSED : RENEWS;
    toggle.querySelector(".dot").classList.toggle("dot-on", !isPaused);
  });
}

// The same answer again leaves the page alone, and with it what is selected or scrolled there.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr, shouldSwap } = event.detail;
  if (!target.matches("[data-live]")) return;
  if (isRead(target) || xhr.responseText === lastAnswer) event.detail.shouldSwap = false;
  else if (shouldSwap) lastAnswer = xhr.responseText;
});

// What no longer renews itself has come to its end: the rest of the page follows.
document.addEventListener("htmx:afterSettle", () => {
  if (toggle && !part()) location.reload();
});

if (toggle && part()) {
  showSwitch();
  setInterval(tick, EVERY_MS);
}
