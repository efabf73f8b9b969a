// Runs before the first paint, so that a chosen theme never flashes in the other one. Without a choice the system's holds.
"use strict";
try {
  const chosen = localStorage.getItem("crowns.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; the system's theme is right then.
}
