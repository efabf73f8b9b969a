// What a reader chose, kept in this browser. Storage may be full or forbidden: then the choice lasts as long as the page.
const PREFIX = "crowns.";
const here = new Map();

export function remember(name, value) {
  here.set(name, String(value));
  try {
    localStorage.setItem(PREFIX + name, String(value));
  } catch {
    // Kept in `here`.
  }
}

/** The value last remembered under `name`, or null. */
export function recall(name) {
  if (here.has(name)) return here.get(name);
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}
