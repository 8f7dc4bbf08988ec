// The review board in a chat client: an MCP App. The client is asked by messages for everything: what the server
// shows of the session, the decision, the opening of a link. The board itself may load nothing.

const board = document.getElementById("board");
const $ = (selector, root = board) => root.querySelector(selector);
const $$ = (selector, root = board) => [...root.querySelectorAll(selector)];

// Requests that wait for the client's answer, by id.
const asked = new Map();
// The marks made here, by the id of the paper; "" takes one back.
const marks = new Map();
let client = {};
let session = { id: "", query: "", address: "" };
let page = 1;
let sent = 0;

// Messages

function post(message) {
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function ask(method, params) {
  sent += 1;
  post({ id: sent, method, params });
  return new Promise((resolve, reject) => asked.set(sent, { resolve, reject }));
}

const HANDLERS = {
  "ui/notifications/tool-result": (result) => follow(stateIn(result)),
  "ui/notifications/host-context-changed": (context) => wear(context),
  "ui/resource-teardown": () => ({}),
  "ping": () => ({}),
};

addEventListener("message", async ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  const waiting = asked.get(data.id);
  if (!data.method && waiting) {
    asked.delete(data.id);
    if (data.error) waiting.reject(new Error(data.error.message));
    else waiting.resolve(data.result);
    return;
  }
  const answer = HANDLERS[data.method]?.(data.params ?? {});
  if (data.method && data.id !== undefined) {
    post({ id: data.id, ...(answer ? { result: answer } : { error: { code: -32601, message: "Method not found." } }) });
  }
});

function stateIn(result) {
  try {
    return result.structuredContent ?? JSON.parse(result.content[0].text);
  } catch {
    return {};
  }
}

async function call(name, given) {
  const result = await ask("tools/call", { name, arguments: given });
  const state = stateIn(result);
  if (result.isError) throw Object.assign(new Error(state.message ?? "The server did not accept it."), { code: state.error });
  return state;
}

// What is shown

function wear({ theme }) {
  if (theme) document.documentElement.dataset.theme = theme;
}

async function follow(state) {
  // A result without a session is an error, which the agent reads.
  if (!state.session_id) return;
  session = { id: state.session_id, query: state.query, address: state.page ?? "" };
  page = 1;
  await show();
}

async function show() {
  const { contents } = await ask("resources/read", { uri: `search://${session.id}/board?page=${page}` });
  board.innerHTML = contents[0].text;
  $$("input[name^='verdict-']").forEach((option) => {
    const made = marks.get(paperOf(option));
    if (made !== undefined) option.checked = option.value === made;
  });
  tally();
  document.getElementById("announce").textContent = $("[data-announce]")?.dataset.announce ?? "";
  if ($("#session")?.dataset.status === "running") await watch(session.id);
}

// Until the work pauses: the server answers as soon as it does.
async function watch(id) {
  await call("get_session", { session_id: id, wait_seconds: 20 });
  if (session.id === id) await show();
}

function refuse(problem) {
  $(".note.bad")?.remove();
  $(".page-head").insertAdjacentHTML("afterend", '<div class="note bad" role="alert"><strong>Not done</strong><p></p></div>');
  $(".note.bad p").textContent = problem.message;
  $(".note.bad").scrollIntoView({ block: "nearest" });
}

// Runs what a person asked for; what goes wrong is shown where it was asked.
async function attempt(work) {
  board.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (problem) {
    // Somebody else has decided: what is shown is over.
    if (problem.code === "checkpoint_busy") await show();
    refuse(problem);
  }
  board.removeAttribute("aria-busy");
}

// Marks

const paperOf = (option) => $(`[name="${option.name.replace("verdict", "paper")}"]`).value;

function tally() {
  const shown = $("[data-count]");
  if (!shown) return;
  const elsewhere = [...marks].filter(([id]) => !$(`input[type=hidden][value="${CSS.escape(id)}"]`)).map(([, mark]) => mark);
  const count = (mark) =>
    $$(`.verdict input[value="${mark}"]:checked`).length + elsewhere.filter((made) => made === mark).length;
  shown.textContent = `${count("relevant")} relevant, ${count("unsure")} unsure, ${count("irrelevant")} not relevant`;
}

board.addEventListener("change", ({ target }) => {
  if (!target.name?.startsWith("verdict-")) return;
  marks.set(paperOf(target), target.value);
  tally();
});

// Decisions

const marked = (mark) => [...marks].filter(([, made]) => made === mark).map(([id]) => id);

function feedback(form) {
  return {
    like: marked("relevant"),
    unlike: marked("irrelevant"),
    unsure: marked("unsure"),
    ...(form.get("action") === "approve" && form.has("only_relevant") ? { only_relevant: true } : {}),
    ...(form.get("action") === "edit" && form.has("follow_citations") ? { follow_citations: true } : {}),
  };
}

function plan(form) {
  const words = (text) => text.split(",").map((word) => word.trim()).filter(Boolean);
  // What is no number goes as it is: the server says what is wrong with it.
  const number = (name) => (form.get(name).trim() ? Number(form.get(name)) || form.get(name) : null);
  const lists = ["authors", "venues", "not", "not_authors", "prefer", "avoid"];
  return {
    topic: form.get("topic").trim(),
    concepts: form.get("concepts").split("\n").map(words).filter((concept) => concept.length),
    year_from: number("from"),
    year_to: number("to"),
    ...(form.get("max").trim() ? { max_results: number("max") } : {}),
    languages: form.get("language") ? [form.get("language")] : [],
    kinds: form.getAll("kind"),
    sources: form.getAll("src"),
    ...Object.fromEntries(lists.map((name) => [name, words(form.get(name))])),
  };
}

async function decide(form) {
  const review = form.has("page");
  const action = form.get("action");
  const data = review ? feedback(form) : action === "edit" ? plan(form) : null;
  const state = await call("decide", {
    session_id: session.id,
    action,
    data,
    note: form.get("note").trim() || null,
    checkpoint_id: form.get("checkpoint_id"),
  });
  marks.clear();
  page = 1;
  tell(review, action, state);
  await show();
}

// The agent learns what was decided; where the search has ended, it is asked to go on.
function tell(review, action, state) {
  const what = `In the review board of search ${session.id}, the person chose ${action} for the ${review ? "papers" : "plan"}.`;
  const content = [{ type: "text", text: `${what} ${state.next}` }];
  if (state.is_complete && client.message) ask("ui/message", { role: "user", content }).catch(() => {});
  else if (client.updateModelContext) ask("ui/update-model-context", { content }).catch(() => {});
}

// Not the event of the form: where a client forbids forms, there is none.
board.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const form = button?.form;
  if (!form) return;
  event.preventDefault();
  if (button.name === "go") attempt(() => turn(Number(button.value)));
  else if (form.matches(".decide")) form.reportValidity() && attempt(() => decide(new FormData(form)));
  else if (form.action.endsWith("/again")) attempt(takeUp);
  else open(session.address);
});

async function turn(number) {
  page = number;
  await show();
  board.scrollIntoView();
}

async function takeUp() {
  await follow(await call("start_search", { query: session.query, again: session.id }));
}

// Links

board.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link) return;
  event.preventDefault();
  const target = link.getAttribute("href");
  const turned = link.closest(".pager") && new URLSearchParams(target.split("?")[1]).get("page");
  if (target.startsWith("#")) $(target)?.scrollIntoView();
  else if (turned) attempt(() => turn(Number(turned)));
  else open(new URL(target, session.address || undefined).href);
});

function open(url) {
  attempt(async () => {
    const answer = await ask("ui/open-link", { url });
    if (answer.isError) throw new Error(`The client does not open ${url}`);
  });
}

// The start: first who is who, then the tool's result comes by itself.

new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  post({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
}).observe(document.documentElement);

const { hostContext = {}, hostCapabilities = {} } = await ask("ui/initialize", {
  appInfo: { name: "papersite search board", version: board.dataset.version },
  appCapabilities: {},
  protocolVersion: "2026-01-26",
});
client = hostCapabilities;
wear(hostContext);
post({ method: "ui/notifications/initialized", params: {} });
