// A moment as an address: `?at=<event>&view=<all|public|seat>`, and `bot=` which marks one of the bots. Pure.

/** What the address asks for: {at, view, bot}, each text or null. */
export function readLink(search) {
  const query = new URLSearchParams(search);
  return { at: query.get("at"), view: query.get("view"), bot: query.get("bot") };
}

/** The event number asked for, or null if there is none such. */
export function eventNumber(text, count) {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= count ? Number(text) : null;
}

/** The address of a moment on this page; other parts of the query stay. */
export function linkTo(href, at, view) {
  const url = new URL(href);
  url.searchParams.set("at", at);
  url.searchParams.set("view", view);
  url.hash = "";
  return url.href;
}
