// Starts the viewer on each `[data-replay]` of the page; what it shows is in the JSON block that the element names.
import { PROBLEM } from "./text.js";
import { Viewer } from "./viewer.js";

function start(root) {
  const game = JSON.parse(document.getElementById(root.dataset.replay).textContent);
  try {
    new Viewer(root, game);
  } catch (error) {
    root.querySelector("[data-problem]").hidden = false;
    root.querySelector("[data-problem-text]").textContent = `${PROBLEM}: ${error.message}.`;
    throw error;
  }
}

for (const root of document.querySelectorAll("[data-replay]")) start(root);
