// Draws a diagram inside its frame. The text is untrusted: the frame has no origin and no network.

// Shows elements in labels as text, except <br> and <<stereotypes>>, which belong to mermaid's language.
const asText = (text) => text.replace(/(?<!<)<(?!<|br\s*\/?>)(?=[a-z/!?])/gi, "#lt;");

async function picture(text, dark) {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme: dark ? "dark" : "neutral",
    fontFamily: "Arial, sans-serif",
    maxTextSize: 50000,
  });
  const { svg } = await mermaid.render(dark ? "dark" : "light", asText(String(text)));
  const holder = document.createElement("div");
  holder.innerHTML = svg;
  return holder.firstElementChild;
}

async function draw({ text, dark, large }) {
  let height = 0;
  try {
    const drawn = await picture(text, dark);
    drawn.classList.add("screen");
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", "Diagram; its text follows");
    document.body.replaceChildren(drawn);
    if (dark) { // paper is white
      const printed = await picture(text, false);
      printed.classList.add("paper");
      printed.setAttribute("aria-hidden", "true");
      document.body.append(printed);
    }
    document.documentElement.classList.toggle("large", Boolean(large));
    // Enlarged, it fills the window, or keeps its own size and is scrolled.
    drawn.style.minWidth = large ? `${drawn.viewBox.baseVal.width}px` : "";
    height = drawn.getBoundingClientRect().height + 16;
  } catch {
    document.body.textContent = "";
  }
  parent.postMessage({ height, large }, "*");
}

addEventListener("message", (event) => { if (event.source === parent) draw(event.data); });
