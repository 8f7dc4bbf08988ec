// Says in this browser, while a page of the site is open, that a search waits; only once its reader asked for it.

const EVERY_MS = 60_000;
const ON = "tell-me"; // in localStorage, as are the entries that were told or there before
const TOLD = "told";
const { feed } = document.querySelector("script[data-feed]").dataset;
const line = document.querySelector("[data-notify]");
const isOn = () => localStorage.getItem(ON) === "yes" && Notification.permission === "granted";

async function waiting() {
  const answer = await fetch(feed);
  if (!answer.ok) return null;
  const atom = new DOMParser().parseFromString(await answer.text(), "text/xml");
  return [...atom.querySelectorAll("entry")].map((entry) => ({
    id: entry.querySelector("id").textContent,
    title: entry.querySelector("title").textContent,
    path: new URL(entry.querySelector("link").getAttribute("href")).pathname,
  }));
}

async function look() {
  if (!isOn()) return;
  const entries = await waiting().catch(() => null); // the server may be away: the next look tells
  if (!entries) return;
  const told = new Set(JSON.parse(localStorage.getItem(TOLD) ?? "[]"));
  localStorage.setItem(TOLD, JSON.stringify(entries.map((entry) => entry.id)));
  for (const entry of entries) if (!told.has(entry.id)) tell(entry);
}

// With a tag, the pages of a browser tell a thing once.
function tell({ id, title, path }) {
  const note = new Notification("A search waits for you", { body: title, tag: id });
  note.onclick = () => { window.focus(); location.assign(path); };
}

function show() {
  const button = line.querySelector("button");
  line.hidden = false;
  button.textContent = isOn() ? "Stop telling me in this browser" : "Tell me in this browser";
}

async function toggle() {
  if (isOn()) {
    localStorage.removeItem(ON);
  } else if (await Notification.requestPermission() === "granted") {
    const entries = await waiting().catch(() => null);
    localStorage.setItem(TOLD, JSON.stringify((entries ?? []).map((entry) => entry.id)));
    localStorage.setItem(ON, "yes");
  }
  if (Notification.permission === "denied") line.hidden = true;
  else show();
}

// Browsers on Android have the name without the thing: they take notifications from service workers alone.
const canTell = isSecureContext && "Notification" in window && !/Android/.test(navigator.userAgent);
if (canTell && Notification.permission !== "denied") {
  if (line) {
    line.querySelector("button").addEventListener("click", toggle);
    show();
  }
  look();
  setInterval(look, EVERY_MS);
}
