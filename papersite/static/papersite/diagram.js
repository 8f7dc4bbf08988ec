// Draws one diagram inside its frame. The text is a stranger's: the frame has no origin, no network, no parent.

async function draw({ text, dark }) {
  mermaid.initialize({ startOnLoad: false, securityLevel: "strict", htmlLabels: false, theme: dark ? "dark" : "neutral", fontFamily: "Arial, sans-serif", maxTextSize: 50000 });
  let height = 0;
  try {
    const { svg } = await mermaid.render("drawn", String(text));
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
