// The script of every page. Each works without it; it adds what HTML cannot do alone.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

function announce(text) {
  $("#announce").textContent = text;
}

// Theme: the server reads the cookie, so the next page has the right colours from the start.
function setTheme(theme) {
  const chosen = theme === "light" || theme === "dark";
  const secure = location.protocol === "https:" ? ";secure" : "";
  document.cookie = `theme=${theme};path=/;samesite=lax;max-age=${chosen ? 31536000 : 0}${secure}`;
  if (chosen) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  $$("iframe.diagram").forEach(sendDiagram);
}

// Copy: the text of the <pre> in the same block. Where the browser refuses, it is selected for the reader to copy.
async function copy(button) {
  const formatted = document.getElementById(button.dataset.copy);
  const block = formatted ?? $("pre", button.closest(".code, .passage"));
  const done = formatted ? copyFormatted(block) : await copyText(block);
  if (!done) getSelection().selectAllChildren(block);
  const before = button.innerHTML;
  button.textContent = done ? "Copied" : "Selected: copy it with Ctrl+C";
  button.classList.toggle("done", done);
  announce(button.textContent);
  setTimeout(() => { button.innerHTML = before; button.classList.remove("done"); }, done ? 2000 : 6000);
}

// Plain http, as in a local network, has no clipboard interface; the old command works there.
async function copyText(block) {
  if (navigator.clipboard) return navigator.clipboard.writeText(block.textContent).then(() => true, () => false);
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "vh";
  field.value = block.textContent;
  block.after(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus({ preventScroll: true });
  return done;
}

// As selected and copied by hand, with its italics.
function copyFormatted(block) {
  getSelection().selectAllChildren(block);
  const done = document.execCommand("copy");
  if (done) getSelection().removeAllRanges();
  return done;
}

// Sheets: modal, with the focus on Close. Esc or a click outside closes one, and the focus returns by itself.
function openSheet(id) {
  const sheet = document.getElementById(id);
  if (!sheet) return false;
  if (sheet.open) sheet.close();
  sheet.showModal();
  return true;
}

// Shortcuts: off while typing in a field, and if the reader turned them off.
const isField = (target) =>
  target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
const keysOff = () => localStorage.getItem("keys") === "off";

// Papers of a list, papers to judge in a review, findings in a draft.
const listed = () => $$(".hit, .verdict, .finding").filter((hit) => hit.checkVisibility());
const selectedHit = () => $(':is(.hit, .verdict, .finding)[aria-current="true"]');

function moveSelection(step) {
  const hits = listed();
  const current = hits.indexOf(selectedHit());
  const next = hits[Math.min(hits.length - 1, Math.max(0, current + step))];
  if (!next) return;
  select(next);
  next.scrollIntoView({ block: "nearest" });
}

// The history keeps the place, so that it is there again after Back.
function select(hit) {
  selectedHit()?.removeAttribute("aria-current");
  hit.setAttribute("aria-current", "true");
  (hit.querySelector("h3 a") ?? hit).focus({ preventScroll: true });
  history.replaceState({ ...history.state, selected: listed().indexOf(hit) }, "");
}

function goToSearch() {
  const field = $("[data-search=specs]") ?? $("[data-search]");
  field?.focus();
  field?.select();
}

const keys = {
  "/": goToSearch,
  "?": () => openSheet("keys"),
  j: () => moveSelection(1),
  k: () => moveSelection(-1),
  o: () => selectedHit()?.querySelector("h3 a")?.click(),
  b: () => (selectedHit() ?? $(".paper-head"))?.querySelector("[data-basket]")?.click(),
  c: () => $("[data-open='cite']")?.click(),
  e: () => $(".paper-head [data-edit]")?.click(),
  y: () => markSelected("relevant"),
  n: () => markSelected("irrelevant"),
  u: () => markSelected("unsure"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
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
  const opened = event.target.closest(".hit h3 a")?.closest(".hit");
  if (opened) select(opened);
  const option = event.target.closest(".facet li a");
  if (option && !event.ctrlKey && !event.metaKey && !event.shiftKey) keepPlace(option);
});

// Filters: the next page shows the one that was used in the same place, focused, with the same groups open.
function keepPlace(option) {
  option.href = option.href.split("#")[0]; // the anchor is for browsers without script
  const open = $$("#filters, #filters details").filter((group) => group.open).map((group) => group.id);
  const place = { url: option.href, id: option.id, top: option.getBoundingClientRect().top, open };
  sessionStorage.setItem("place", JSON.stringify(place));
}

function returnToPlace() {
  const place = JSON.parse(sessionStorage.getItem("place"));
  sessionStorage.removeItem("place");
  const option = place?.url === location.href && document.getElementById(place.id);
  if (!option) return;
  const wasOpen = (group) => place.open.includes(group.id) || (group.id !== "filters" && group.contains(option));
  $$("#filters, #filters details").filter(wasOpen).forEach((group) => { group.open = true; });
  scrollBy({ top: option.getBoundingClientRect().top - place.top, behavior: "instant" });
  option.focus({ preventScroll: true });
}

// They look like checkboxes, so the space bar works on them.
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !event.target.matches(".facet li a")) return;
  event.preventDefault();
  event.target.click();
});

document.addEventListener("change", (event) => {
  if (event.target.name === "theme") setTheme(event.target.value);
  if (event.target.id === "keys-off") localStorage.setItem("keys", event.target.checked ? "off" : "on");
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  if (event.target.matches("[data-try] select")) chooseTool(event.target);
  if (event.target.name === "pane") switchPane(event.target);
  if (event.target.closest(".verdict .seg")) saveMark(event.target);
});

// Reviews: marks are saved as they are made. A key pressed twice takes the mark back.
function markSelected(value) {
  const paper = selectedHit();
  const option = paper && $(`input[value="${value}"]`, paper);
  if (!option) return;
  const chosen = option.checked ? $('input[type=radio][value=""]', paper) : option;
  if (!chosen) return;
  chosen.checked = true;
  announce(chosen.closest("label").textContent.trim());
  saveMark(chosen);
}

async function saveMark(option) {
  const form = option.form;
  tally(form);
  const body = new FormData();
  const number = option.name.replace("verdict-", "");
  const names = ["csrfmiddlewaretoken", `paper-${number}`, option.name];
  names.forEach((name) => body.set(name, form.elements[name].value));
  const headers = { Accept: "application/json" };
  const saved = await fetch(form.dataset.marks, { method: "POST", headers, body }).then((reply) => reply.ok, () => false);
  const status = $("[data-saved]", form);
  status.classList.toggle("desk-only", saved); // on a phone there is room for bad news alone
  status.textContent = saved ? "Saved" : "Not saved: mark it again when the site can be reached";
}

function tally(form) {
  const shown = $("[data-count]", form);
  const count = (value) => Number(shown.dataset[value]) + $$(`.verdict input[value="${value}"]:checked`, form).length;
  shown.textContent = `${count("relevant")} relevant, ${count("unsure")} unsure, ${count("irrelevant")} not relevant`;
}

// Enter on a mark would send the form.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(".verdict, .verdict input[type=radio]")) return;
  event.preventDefault();
  $("h3 a", event.target.closest(".verdict"))?.click();
});

// Outline: marks the section being read.
function followOutline() {
  const links = new Map($$(".toc a").map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = $$(".prose :is(h2, h3, h4)[id]").filter((heading) => links.has(heading.id));
  if (!headings.length) return;
  const observer = new IntersectionObserver(() => {
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight * 0.3);
    const current = above.at(-1) ?? headings[0];
    links.forEach((link, id) => link.toggleAttribute("aria-current", id === current.id));
    $$(".toc a[aria-current]").forEach((link) => link.setAttribute("aria-current", "true"));
  }, { rootMargin: "0px 0px -70% 0px" });
  headings.forEach((heading) => observer.observe(heading));
}

// Reading: once the title is above the window, a bar names the paper and has Cite.
function nameWhileReading() {
  const [bar, title] = [$(".paper-bar"), $(".paper-head h1")];
  if (!bar) return;
  const above = ([entry]) => { bar.hidden = entry.isIntersecting || entry.boundingClientRect.top > 0; };
  new IntersectionObserver(above).observe(title);
}

// A link to a passage: its sentences are marked, where the anchor alone can only mark the paragraph they are in.
function markOpened() {
  const opened = $("[data-opened]");
  const block = opened && document.getElementById(opened.dataset.opened);
  if (!block) return;
  if (location.hash !== `#${block.id}`) block.scrollIntoView();
  const range = CSS.highlights && rangeOf(opened.textContent, block);
  if (!range) return;
  CSS.highlights.set("opened", new Highlight(range));
  block.classList.add("opened");
}

// Where a block has these words, whatever the marks and blanks between them. Formulas read differently on a page.
function rangeOf(words, block) {
  const letters = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const sought = letters(words.replace(/\$\$?[^$]*\$\$?/g, " "));
  const places = [];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("math, .tex")) continue;
    for (let at = 0; at < node.data.length; at++) {
      const letter = letters(node.data[at]);
      if (letter) places.push({ letter: letter[0], node, at });
    }
  }
  const text = places.map((place) => place.letter).join("");
  const last = sought.slice(-40);
  const start = text.indexOf(sought.slice(0, 40));
  const end = text.indexOf(last, start);
  if (!sought || start < 0 || end < 0) return null;
  const { node, at } = places[end + last.length - 1];
  const closing = node.data.slice(at + 1).match(/^[^\s\p{L}\p{N}]*/u)[0]; // a full stop, a bracket
  const range = document.createRange();
  range.setStart(places[start].node, places[start].at);
  range.setEnd(node, at + 1 + closing.length);
  return range;
}

// Side by side on a phone: what is read below the switch stays where it is when the other text is shown. Rows differ in
// height from text to text, so the share of the row that was read counts.
const READING_LINE = 80;
let shownPane = $("[name=pane]:checked");

function switchPane(chosen) {
  shownPane.checked = true;
  const row = $$(".pairs > div").find((candidate) => candidate.getBoundingClientRect().bottom > READING_LINE);
  const { top, height } = row.getBoundingClientRect();
  const share = Math.max(0, (READING_LINE - top) / height);
  chosen.checked = true;
  shownPane = chosen;
  const now = row.getBoundingClientRect();
  scrollBy(0, now.top + share * now.height - (top + share * height));
}

// Diagrams: each is drawn in a sandboxed frame, which gets the text and answers with its height.
function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function sendDiagram(frame) {
  if (!frame.clientWidth) return; // hidden: nothing in it has a size, so it is drawn when it is shown
  const large = frame.closest(".diagram-box").classList.contains("large");
  frame.contentWindow?.postMessage({ text: frame.diagramText, dark: isDark(), large }, "*");
}

const whenShown = new ResizeObserver((entries) => entries.forEach(({ target, contentRect }) => {
  if (contentRect.width && !target.wasShown) sendDiagram(target);
  target.wasShown = contentRect.width > 0;
}));

function drawDiagrams(root = document) {
  $$("pre.mermaid", root).forEach((block, index) => {
    const box = document.createElement("div");
    box.className = "diagram-box";
    box.innerHTML = `<iframe class="diagram drawing" title="Diagram ${index + 1}" sandbox="allow-scripts"></iframe>
      <div class="row between small" hidden>
        <details class="diagram-text"><summary>Text of the diagram</summary></details>
        <button class="btn small plain" type="button" data-enlarge>Enlarge</button>
      </div>`;
    block.before(box);
    const frame = $("iframe", box);
    frame.diagramText = block.textContent;
    frame.diagramBlock = block;
    frame.addEventListener("load", () => sendDiagram(frame));
    frame.src = document.body.dataset.diagramUrl;
    whenShown.observe(frame);
  });
}

function enlarge(box, large) {
  box.classList.toggle("large", large);
  $("[data-enlarge]", box).textContent = large ? "Close" : "Enlarge";
  sendDiagram($("iframe", box));
}

addEventListener("message", (event) => {
  const frame = $$("iframe.diagram").find((candidate) => candidate.contentWindow === event.source);
  if (!frame || typeof event.data?.height !== "number") return;
  const drawn = event.data.height > 0;
  frame.classList.toggle("drawing", !drawn);
  frame.nextElementSibling.hidden = !drawn;
  if (!drawn) return;
  if (!event.data.large) frame.height = Math.min(2000, Math.ceil(event.data.height));
  $("details", frame.nextElementSibling).append(frame.diagramBlock);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-enlarge]");
  if (button) enlarge(button.closest(".diagram-box"), button.textContent === "Enlarge");
});
document.addEventListener("keydown", (event) => {
  const box = event.key === "Escape" && $(".diagram-box.large");
  if (box) enlarge(box, false);
});

// The rest of a long text is ready a moment after its beginning. The reader stays at the same place, or gets to the one
// that the address names.
if ($("[data-unfinished]")) {
  const named = decodeURIComponent(location.hash.slice(1));
  if (named && !document.getElementById(named)) history.scrollRestoration = "manual";
  setTimeout(() => location.reload(), 1000);
}

// Live search: the new number of papers is announced.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "found") announce($("#found").dataset.announce);
});
document.addEventListener("htmx:beforeRequest", (event) => event.detail.target.setAttribute("aria-busy", "true"));
document.addEventListener("htmx:afterRequest", (event) => event.detail.target.removeAttribute("aria-busy"));

// Suggestions while typing: a combobox. Where the list of papers follows the typing, they wait for the arrow down.
const list = $("#suggestions");
const searchFields = $$("[data-search=papers]");
let typing;

async function suggest(field) {
  const typed = field.value.trim();
  const answer = typed.length < 2 ? "" : await fetch(`${list.dataset.url}?q=${encodeURIComponent(typed.slice(0, 100))}`)
    .then((reply) => (reply.ok ? reply.text() : ""), () => "");
  if (typed !== field.value.trim() || document.activeElement !== field) return;
  list.innerHTML = answer;
  list.hidden = !list.children.length;
  field.parentElement.append(list);
  field.setAttribute("aria-expanded", !list.hidden);
  field.removeAttribute("aria-activedescendant");
  if (!list.hidden) announce(list.children.length === 1 ? "1 suggestion" : `${list.children.length} suggestions`);
}

function closeSuggestions(field) {
  clearTimeout(typing);
  list.hidden = true;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

function moveSuggestion(field, step) {
  const options = [...list.children];
  const before = options.findIndex((option) => option.id === field.getAttribute("aria-activedescendant"));
  // One place more than there are options: the words that were typed.
  const next = (before + 1 + step + options.length + 1) % (options.length + 1) - 1;
  options.forEach((option, number) => option.setAttribute("aria-selected", number === next));
  if (next < 0) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", options[next].id);
  options[next].scrollIntoView({ block: "nearest" });
}

function suggestionKey(event) {
  const field = event.target;
  const chosen = !list.hidden && document.getElementById(field.getAttribute("aria-activedescendant"));
  if (event.isComposing) return;
  if (event.key === "ArrowDown" && list.hidden) suggest(field);
  else if (event.key === "ArrowDown" || (event.key === "ArrowUp" && !list.hidden)) moveSuggestion(field, event.key === "ArrowDown" ? 1 : -1);
  else if (event.key === "Enter" && chosen) location.assign(chosen.dataset.url);
  else if (event.key === "Escape" && !list.hidden) closeSuggestions(field);
  else return;
  event.preventDefault();
}

for (const field of searchFields) {
  const combobox = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" };
  Object.entries(combobox).forEach(([name, value]) => field.setAttribute(name, value));
  field.addEventListener("keydown", suggestionKey);
  field.addEventListener("blur", () => closeSuggestions(field));
  field.addEventListener("input", () => {
    closeSuggestions(field);
    if (!field.hasAttribute("hx-get")) typing = setTimeout(() => suggest(field), 150);
  });
}
// The field keeps the focus until the option is clicked.
list.addEventListener("pointerdown", (event) => event.preventDefault());
list.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) location.assign(option.dataset.url);
});

// Connect: a real request to the server that agents use.
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
  const start = performance.now();
  const response = await fetch(form.dataset.endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  $("#try-name").textContent = `Response, ${response.status} in ${Math.round(performance.now() - start)} ms`;
  $("#try-answer").textContent = indented(text);
  announce(`Response ${response.status}`);
}

function indented(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-try]")) return;
  event.preventDefault();
  tryTool(event.target).catch((error) => { $("#try-answer").textContent = `No response: ${error.message}`; });
});

if ($("#keys-off")) $("#keys-off").checked = keysOff();
// A sheet that the server opened, as it does for readers without script, becomes modal.
$$("dialog.sheet[open]").forEach((sheet) => openSheet(sheet.id));
returnToPlace();
const selectedBefore = listed()[history.state?.selected];
if (selectedBefore) select(selectedBefore);
followOutline();
nameWhileReading();
drawDiagrams();
markOpened();

// Files dropped on the page that adds papers become those of its form.
for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const box = event.target.closest?.("[data-drop]");
    if (!box) return;
    event.preventDefault();
    box.classList.toggle("over", kind === "dragenter" || kind === "dragover");
    if (kind !== "drop" || !event.dataTransfer.files.length) return;
    box.querySelector("input[type=file]").files = event.dataTransfer.files;
    announce(`${event.dataTransfer.files.length} files chosen`);
  });
}

// A form with long fields is saved from within them.
document.addEventListener("keydown", (event) => {
  const form = event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.closest?.("[data-save]");
  if (form) form.requestSubmit();
});
