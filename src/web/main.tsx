import { render } from "preact";
import { takeMailedCodes } from "./parts/mailed-code.ts";
import { App } from "./shell/app.tsx";
import { keepServed } from "./shell/served.ts";
import { askSession } from "./api/session.ts";
import { loadLanguage } from "./words/language.ts";

/** Loads the visitor's language, draws the page, and asks for the session meanwhile. */
async function start(): Promise<void> {
  // Before anything reads the address.
  takeMailedCodes();
  void askSession();
  await loadLanguage();
  const root = document.querySelector("#app");
  if (root === null) return;
  // The server's own content, on a player's page, stays until ours is drawn.
  keepServed(root);
  const drawn = document.createElement("div");
  render(<App />, drawn);
  root.replaceChildren(drawn);
  document.querySelector(".needs-script")?.remove();
}

void start();
