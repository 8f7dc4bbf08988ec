// Draws one diagram inside its frame. The text is a stranger's: the frame has no origin, no network, no parent.

// What looks like an element in a label is shown as text; <br> and <<stereotypes>> are the language's own.
const asText = (text) => text.replace(/(?<!<)<(?!<|br\s*\/?>)(?=[a-z/!?])/gi, "#lt;");

async function draw({ text, dark }) {
  mermaid.initialize({ startOnLoad: false, securityLevel: "strict", htmlLabels: false, flowchart: { htmlLabels: false }, theme: dark ? "dark" : "neutral", fontFamily: "Arial, sans-serif", maxTextSize: 50000 });
  let height = 0;
  try {
    const { svg } = await mermaid.render("drawn", asText(String(text)));
    document.body.innerHTML = svg;
    const drawn = document.body.firstElementChild;
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", "Diagram; its text follows");
    height = drawn.getBoundingClientRect().height + 16;
  } catch {
    document.body.textContent = "";
  }
  parent.postMessage({ height }, "*");
}

addEventListener("message", (event) => { if (event.source === parent) draw(event.data); });
