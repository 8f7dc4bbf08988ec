// Draws a diagram inside its frame. The text is untrusted: the frame has no origin and no network.

// Shows elements in labels as text, except <br> and <<stereotypes>>, which belong to mermaid's language.
const asText = (text) => text.replace(/(?<!<)<(?!<|br\s*\/?>)(?=[a-z/!?])/gi, "#lt;");

async function draw({ text, dark }) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: dark ? "dark" : "neutral",
    fontFamily: "Arial, sans-serif",
    maxTextSize: 50000,
  });
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
