// Small things every page has: copy buttons, the colour switch, focus on what went wrong in a form.
import { copyText } from "./copy.js";
import { remember, recall } from "./memory.js";

const THEMES = ["auto", "light", "dark"];
const THEME_NAMES = { auto: "automatic", light: "light", dark: "dark" };

function currentTheme() {
  const chosen = recall("theme");
  return THEMES.includes(chosen) ? chosen : "auto";
}

function showTheme(box, theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const icon of box.querySelectorAll("[data-theme-icon]")) icon.hidden = icon.dataset.themeIcon !== theme;
  box.querySelector("[data-theme-name]").textContent = THEME_NAMES[theme];
}

function startThemeSwitch(box) {
  box.hidden = false;
  showTheme(box, currentTheme());
  box.querySelector("button").addEventListener("click", () => {
    const theme = THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length];
    remember("theme", theme);
    showTheme(box, theme);
  });
}

function showCopied(button) {
  const swap = (done) => {
    button.toggleAttribute("data-done", done);
    button.querySelector("[data-copy-icon]").hidden = done;
    button.querySelector("[data-copy-done]").hidden = !done;
    button.querySelector("[data-copy-label]").textContent = done ? "Copied" : "Copy";
  };
  swap(true);
  setTimeout(() => swap(false), 2500);
}

async function copyCode(button) {
  const code = button.closest("[data-code]").querySelector("code");
  if (await copyText(code.textContent)) showCopied(button);
  else getSelection().selectAllChildren(code);
}

function start(root) {
  for (const box of root.querySelectorAll("[data-theme-switch]")) startThemeSwitch(box);
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
  root.querySelector("[data-focus]")?.focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copyCode(button);
});
document.addEventListener("htmx:load", (event) => {
  if (event.target !== document.body) start(event.target);
});
start(document);
