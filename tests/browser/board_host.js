// A chat client for the tests: the official client and the official host of MCP Apps, in a page of its own.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, getToolUiResourceUri, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

// What a host allows an app that asks for nothing.
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";
const ME = { name: "host", version: "1" };
// What the app asked the host for.
window.heard = [];

async function connect(address, era) {
  const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
  const client = new Client(ME, { capabilities: { extensions }, versionNegotiation: { mode: era } });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  return client;
}

// Calls a tool as an agent does, and shows the app that belongs to it.
window.run = async (era, address, name, given, theme) => {
  const client = await connect(address, era);
  const tool = (await client.listTools()).tools.find((listed) => listed.name === name);
  const uri = getToolUiResourceUri(tool);
  const document_ = (await client.readResource({ uri })).contents[0];
  const result = await client.callTool({ name, arguments: given });
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.title = "Board";
  document.body.append(frame);
  const bridge = new AppBridge(
    client, ME, { openLinks: {}, serverTools: {}, serverResources: {}, updateModelContext: { text: {} }, message: { text: {} } },
    { hostContext: { theme } },
  );
  const shown = new Promise((resolve) => { bridge.oninitialized = resolve; });
  bridge.onopenlink = async ({ url }) => { window.heard.push(["link", url]); return {}; };
  bridge.onmessage = async ({ content }) => { window.heard.push(["message", content[0].text]); return {}; };
  bridge.onupdatemodelcontext = async ({ content }) => { window.heard.push(["context", content[0].text]); return {}; };
  bridge.onsizechange = ({ height }) => { frame.style.height = `${height}px`; };
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = document_.text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
  await shown;
  await bridge.sendToolInput({ arguments: given });
  await bridge.sendToolResult(result);
  return { uri, mimeType: document_.mimeType, session: result.structuredContent.session_id, next: result.structuredContent.next };
};
