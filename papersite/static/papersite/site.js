// Papersite: the one script. Every page works without it; it adds what a page cannot do alone.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

function announce(text) {
  $("#announce").textContent = text;
}

// Theme: the server reads the cookie, so the next page comes in the right colours.
function setTheme(theme) {
  const kept = theme === "light" || theme === "dark";
  document.cookie = `theme=${theme};path=/;samesite=lax;max-age=${kept ? 31536000 : 0}`;
  if (kept) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  $$("iframe.diagram").forEach(sendDiagram);
}

// Copy: the text of the <pre> in the same block.
async function copy(button) {
  const text = $("pre", button.closest(".code")).textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return announce("The browser did not allow copying");
  }
  const before = button.innerHTML;
  button.textContent = "Copied";
  button.classList.add("done");
  announce("Copied");
  setTimeout(() => { button.innerHTML = before; button.classList.remove("done"); }, 2000);
}

// Sheets: modal, with the focus on Close; Esc and a click beside it close it; the focus returns by itself.
function openSheet(id) {
  const sheet = document.getElementById(id);
  if (!sheet) return false;
  if (sheet.open) sheet.close();
  sheet.showModal();
  return true;
}

// Keys, switched off in fields and by choice.
const typing = (target) => target.closest("input, textarea, select, [contenteditable]");
const keysOff = () => localStorage.getItem("keys") === "off";

function mark(step) {
  const hits = $$(".hit");
  const now = hits.findIndex((hit) => hit.getAttribute("aria-current") === "true");
  const next = hits[Math.min(hits.length - 1, Math.max(0, now + step))];
  if (!next) return;
  hits[now]?.removeAttribute("aria-current");
  next.setAttribute("aria-current", "true");
  $("h3 a", next).focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

const marked = () => $('.hit[aria-current="true"]');
const keys = {
  "/": () => $("[data-search]")?.focus(),
  "?": () => openSheet("keys"),
  j: () => mark(1),
  k: () => mark(-1),
  o: () => $("h3 a", marked() ?? document.createElement("i"))?.click(),
  b: () => $("[data-basket]", marked() ?? $(".paper-head") ?? document.createElement("i"))?.click(),
  c: () => $("[data-open='cite']")?.click(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if ($("dialog:modal") || (keysOff() && event.key !== "?")) return;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) return copy(button);
  const opener = event.target.closest("[data-open]");
  if (opener && openSheet(opener.dataset.open)) return event.preventDefault();
  const closer = event.target.closest("dialog a[data-close]");
  if (closer && closer.closest("dialog").matches(":modal")) {
    event.preventDefault();
    closer.closest("dialog").close();
  }
  if (event.target.matches("dialog.sheet:modal")) event.target.close();
});

document.addEventListener("change", (event) => {
  if (event.target.name === "theme") setTheme(event.target.value);
  if (event.target.id === "keys-off") localStorage.setItem("keys", event.target.checked ? "off" : "on");
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  if (event.target.matches("[data-try] select")) chooseTool(event.target);
  if (event.target.closest("[data-tally]")) tally(event.target.form);
});

// Search sessions: how many papers have been judged how.
function tally(form) {
  const given = (value) => $$(`.verdict input[value="${value}"]:checked`, form).length;
  $("[data-count]", form).textContent = `${given("yes")} relevant, ${given("open")} unsure, ${given("no")} not relevant`;
}

// Outline: the section that is being read.
function followOutline() {
  const links = new Map($$(".toc a").map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = $$(".prose :is(h2, h3, h4)[id]").filter((heading) => links.has(heading.id));
  if (!headings.length) return;
  const seen = new IntersectionObserver(() => {
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * 0.3);
    const current = above.at(-1) ?? headings[0];
    links.forEach((link, id) => link.toggleAttribute("aria-current", id === current.id));
    $$(".toc a[aria-current]").forEach((link) => link.setAttribute("aria-current", "true"));
  }, { rootMargin: "0px 0px -70% 0px" });
  headings.forEach((heading) => seen.observe(heading));
}

// Side by side: paragraph n of one text stands beside paragraph n of the other.
const blocks = (pane) => $$(".prose > *", pane);

function linkScroll() {
  const panes = $$(".panes .pane > .body");
  const linked = $("#link-scroll");
  if (panes.length !== 2 || !linked) return;
  let leader = null;
  panes.forEach((pane, index) => {
    const other = panes[1 - index];
    pane.addEventListener("pointerenter", () => { leader = pane; });
    pane.addEventListener("focusin", () => { leader = pane; });
    pane.addEventListener("scroll", () => {
      if (leader === pane && linked.checked) follow(pane, other);
    }, { passive: true });
    pane.addEventListener("pointerover", (event) => markTwin(event, pane, other));
  });
}

function follow(pane, other) {
  const top = pane.getBoundingClientRect().top;
  const mine = blocks(pane);
  const index = mine.findIndex((block) => block.getBoundingClientRect().bottom > top);
  const twin = blocks(other)[index];
  if (!twin) return;
  const box = mine[index].getBoundingClientRect();
  const part = Math.max(0, top - box.top) / Math.max(1, box.height);
  const twinBox = twin.getBoundingClientRect();
  other.scrollTop += twinBox.top - other.getBoundingClientRect().top + part * twinBox.height;
}

function markTwin(event, pane, other) {
  const index = blocks(pane).indexOf(event.target.closest(".prose > *"));
  $$(".twin").forEach((block) => block.classList.remove("twin"));
  if (index >= 0) blocks(other)[index]?.classList.add("twin");
}

// Diagrams: each is drawn in a frame without rights, which gets the text and answers with its height.
function dark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function sendDiagram(frame) {
  frame.contentWindow?.postMessage({ text: frame.diagramText, dark: dark() }, "*");
}

function drawDiagrams(root = document) {
  $$("pre.mermaid", root).forEach((block, index) => {
    const frame = document.createElement("iframe");
    frame.className = "diagram drawing";
    frame.title = `Diagram ${index + 1}`;
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = "/diagram/";
    frame.diagramText = block.textContent;
    frame.addEventListener("load", () => sendDiagram(frame));
    const details = document.createElement("details");
    details.className = "diagram-text small";
    details.innerHTML = "<summary>Text of the diagram</summary>";
    block.before(frame);
    frame.after(details);
    frame.diagramBlock = block;
    frame.diagramDetails = details;
    details.hidden = true;
  });
}

addEventListener("message", (event) => {
  const frame = $$("iframe.diagram").find((one) => one.contentWindow === event.source);
  if (!frame || typeof event.data?.height !== "number") return;
  const drawn = event.data.height > 0;
  frame.classList.toggle("drawing", !drawn);
  frame.diagramDetails.hidden = !drawn;
  if (!drawn) return;
  frame.height = Math.min(2000, Math.ceil(event.data.height));
  frame.diagramDetails.append(frame.diagramBlock);
});

// Live search: the new number of papers is read out.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "found") announce($("#found").dataset.announce);
});
document.addEventListener("htmx:beforeRequest", (event) => event.detail.target.setAttribute("aria-busy", "true"));
document.addEventListener("htmx:afterRequest", (event) => event.detail.target.removeAttribute("aria-busy"));

// Completions in the search box, where the page does not follow the typing by itself.
let waiting;

async function complete(field) {
  const prefix = field.value.trim();
  if (prefix.length < 2 || field.hasAttribute("hx-get")) return;
  const answer = await fetch(`/api/suggestions?limit=3&prefix=${encodeURIComponent(prefix.slice(0, 100))}`);
  if (!answer.ok) return;
  const { suggestions } = await answer.json();
  $("#suggestions").replaceChildren(...suggestions.map(({ value, kind }) => new Option(kind, value)));
}

document.addEventListener("input", (event) => {
  if (!event.target.matches("[data-search]")) return;
  clearTimeout(waiting);
  waiting = setTimeout(() => complete(event.target), 200);
});

// Connect: one real request to the server that agents use.
function chooseTool(select) {
  const { argument, example } = select.selectedOptions[0].dataset;
  const field = select.form.elements.value;
  field.value = example;
  field.disabled = !argument;
  field.labels[0].textContent = argument || "no argument";
}

async function tryTool(form) {
  const { call, argument } = form.elements.tool.selectedOptions[0].dataset;
  const { request } = JSON.parse(call);
  if (argument) request.params.arguments[argument] = form.elements.value.value;
  $("#try-request").textContent = JSON.stringify(request, null, 2);
  const began = performance.now();
  const answer = await fetch(form.dataset.endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify(request),
  });
  const text = await answer.text();
  $("#try-name").textContent = `Answer, ${answer.status} in ${Math.round(performance.now() - began)} ms`;
  $("#try-answer").textContent = pretty(text);
  announce(`Answer ${answer.status}`);
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-try]")) return;
  event.preventDefault();
  tryTool(event.target).catch((error) => { $("#try-answer").textContent = `No answer: ${error.message}`; });
});

if ($("#keys-off")) $("#keys-off").checked = keysOff();
// A sheet that the server opened for readers without script becomes a modal one.
$$("dialog.sheet[open]").forEach((sheet) => openSheet(sheet.id));
followOutline();
linkScroll();
drawDiagrams();
